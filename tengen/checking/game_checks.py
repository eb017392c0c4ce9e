"""The contract of a game: of its verbs (`games/interface.py`) and of its class (`games/game.py`)."""

import json
import math
import pickle
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tengen.checking.findings import Finding, Findings, require
from tengen.checking.sessions import Session, Unsafe, random_moves, run, run_uncompiled
from tengen.games import interface
from tengen.games.catalogue import game_from_json, game_to_json
from tengen.games.game import COLOURS, Game, Position
from tengen.jit import COMPILED
from tengen.registry import GAME
from tengen.rng import seeded
from tengen.search.config import SearchConfig
from tengen.search.search import Search

THOROUGH_GAMES = 5
"""In these games every position is checked; in the others, one in EVERY."""
EVERY = 7
SIMULATIONS = 100
UNCOMPILED = "compiled and uncompiled games agree"


def check_game(game: Game, games: int, seed: int) -> list[Finding]:
    """Play random games and return a finding for each check of the game's contract."""
    findings, session = Findings(), Session(GAME, game.name, game_to_json(game), games, seed)
    uncompiled: list[dict[str, Any]] = []
    is_safe = True
    if COMPILED:
        try:
            uncompiled = run_uncompiled(session)
        except Exception as error:
            findings.fail(UNCOMPILED, error)
            is_safe = not isinstance(error, Unsafe)
    if is_safe:
        findings.check("start of the game", partial(_start, game))
        findings.check("JSON form", partial(_json_form, game))
        for number in range(games):
            _check_one_game(game, seed + number, findings, is_thorough=number < THOROUGH_GAMES)
        findings.check("same seed, same games", partial(_same_twice, session))
        if uncompiled:
            findings.check(UNCOMPILED, partial(_agree, session, uncompiled))
        findings.check("search", partial(_search, game, seed))
    return findings.all()


def _check_one_game(game: Game, seed: int, findings: Findings, is_thorough: bool) -> None:
    position, dice = game.start(), random.Random(seed)

    def moves() -> list[str]:
        return [played.notation for played in position]

    def whole_game() -> None:
        for move in random_moves(position, dice):
            if is_thorough or len(position.history) % EVERY == 0:
                for name, test in POSITION_CHECKS.items():
                    findings.check(name, partial(test, position, move), moves)
            findings.check("turns", partial(_turn, position), moves)

    if findings.check("random games", whole_game, moves):
        findings.check("length of games", partial(_length, position), moves)
        findings.check("end of games", partial(_end, position), moves)
        findings.check("outcome", partial(_outcome, position.state), moves)


def _start(game: Game) -> None:
    position = game.start()
    require(position.state.to_play == 0, f"to_play is {position.state.to_play}, not 0")
    require(not position.is_over, "the game is over")
    slots = game.move_slots
    require(0 < slots <= interface.MOST_MOVES, f"move_slots is {slots}, not from 1 to {interface.MOST_MOVES}")
    require(position == game.start(), "two starts of the game have different keys")


def _json_form(game: Game) -> None:
    described = json.loads(json.dumps(game_to_json(game)))
    require(game_from_json(described) == game, f"{described} is read as another game")
    require(pickle.loads(pickle.dumps(game)) == game, "a pickled game is another game, so that workers cannot play it")


def _legal_moves(position: Position, move: int) -> None:
    game, state = position.game, position.state
    listed = [int(number) for number in position.legal_move_numbers()]
    require(len(set(listed)) == len(listed), f"legal_moves lists a move twice: {listed}")
    require(max(listed) < game.move_slots, f"legal_moves lists {max(listed)}, and move_slots is {game.move_slots}")
    for number in range(game.move_slots):
        is_legal, is_listed = bool(interface.is_legal(state, number)), number in listed
        verdict = "legal" if is_legal else "illegal"
        require(is_legal == is_listed, f"move {number} is {verdict} by is_legal, and legal_moves says otherwise")


def _candidates(position: Position, move: int) -> None:
    moves = np.zeros(position.game.move_slots, np.uint16)
    for number in moves[: int(interface.candidate_moves(position.state, moves))].tolist():
        is_fit = not interface.is_candidate(position.state, number) or interface.is_legal(position.state, number)
        require(is_fit, f"move {number} passes is_candidate and is illegal")


def _notation(position: Position, move: int) -> None:
    game = position.game
    for number in map(int, position.legal_move_numbers()):
        text = game.format_move(number)
        require(game.parse_move(text) == number, f"move {number} is written {text!r}, read as {game.parse_move(text)}")


def _vertices(position: Position, move: int) -> None:
    game = position.game
    for number in map(int, position.legal_move_numbers()):
        for text in (game.format_vertex(number), game.format_vertex(number).lower()):
            read = game.parse_vertex(text)
            require(read == number, f"move {number} has the vertex {text!r}, read as {read}")


def _diagram(position: Position, move: int) -> None:
    text = position.diagram()
    read = position.game.from_diagram(text, position.to_play)
    require(read.diagram() == text, f"the diagram is read as another board: {text!r}")
    has_board = type(position.game).rows is not Game.rows
    require(not has_board or (read.board == position.board).all(), f"the diagram shows another board: {text!r}")
    require(read.to_play == position.to_play, "from_diagram gives the turn to another side")


def _undo(position: Position, move: int) -> None:
    before, legal, copy = _fields(position.state), position.legal_moves(), position.copy()
    copy.play(move).undo()
    require(_fields(copy.state) == before, f"the state is another one after {move} was played and undone")
    require(_fields(position.state) == before, "a move in a copy changes the position")
    require(copy.legal_moves() == legal, f"there are other legal moves after {move} was played and undone")


def _fields(state: Any) -> list[Any]:
    """Return the values of a record; its bytes would have the gaps between fields, too."""
    return [np.asarray(state[name]).tolist() for name in state.dtype.names]


def _playout(position: Position, move: int) -> None:
    game, played, replayed = position.game, position.copy(), position.copy().state
    trace = np.zeros(2 * game.longest_playout + 2, np.uint16)
    length = int(interface.uniform_playout(played.state, seeded(len(position.history)), trace, 0))
    require(length <= game.longest_playout, f"it has {length} moves, and longest_playout is {game.longest_playout}")
    replay(replayed, trace[:length].tolist())
    is_cut = length == game.longest_playout
    require(is_cut or interface.is_over(replayed), "its moves do not end the game")
    require(is_cut or _same(played.state, replayed), "its moves, played one by one, give another outcome")


def replay(state: Any, moves: list[int]) -> None:
    """Play moves one by one; Failed at one that is illegal."""
    for number, move in enumerate(moves, 1):
        require(interface.is_legal(state, move), f"its move {number}, {move}, is illegal")
        interface.play(state, move)


def _same(state: Any, other: Any) -> bool:
    return bool(interface.outcome(state) == interface.outcome(other))


POSITION_CHECKS: dict[str, Callable[[Position, int], None]] = {
    "legal moves": _legal_moves,
    "candidate moves": _candidates,
    "undo": _undo,
    "move notation": _notation,
    "GTP vertices": _vertices,
    "diagram": _diagram,
    "uniform playout": _playout,
}
"""Checks of a position, with a legal move that is played next."""


def _turn(position: Position) -> None:
    count, turn = len(position.history), int(position.state.to_play)
    require(turn == count % 2, f"to_play is {turn} after {count} moves, not {count % 2}")


def _length(position: Position) -> None:
    longest = position.game.longest_playout
    require(position.is_over, f"the game is not over after {longest} moves, the number that longest_playout gives")


def _end(position: Position) -> None:
    legal = position.legal_move_numbers().tolist() if position.is_over else []
    require(not legal, f"the game is over, and there are legal moves: {legal[:10]}")
    require(position.winner in (*COLOURS, "draw", None), f"the winner is {position.winner}")


def _outcome(state: Any) -> None:
    outcome, score = float(interface.outcome(state)), float(interface.score(state))
    require(0.0 <= outcome <= 1.0, f"the outcome is {outcome}, not from 0 to 1")
    require(math.isfinite(score), f"the score is {score}")
    is_consistent = np.sign(score) == np.sign(outcome - 0.5)
    require(is_consistent, f"the outcome is {outcome:g}, and Black's score is {score:g}")


def _same_twice(session: Session) -> None:
    few = Session(session.kind, session.name, session.game, min(session.games, THOROUGH_GAMES), session.seed)
    compare_games(run(few), run(few), "the first time", "the second time")


def _agree(session: Session, uncompiled: list[dict[str, Any]]) -> None:
    same = Session(session.kind, session.name, session.game, len(uncompiled), session.seed)
    compare_games(run(same), uncompiled, "compiled", "uncompiled")


def compare_games(games: list[dict[str, Any]], others: list[dict[str, Any]], how: str, other_how: str) -> None:
    """Raise Failed at the first game that differs: the numbers of its move, and what differs."""
    for game, other in zip(games, others, strict=True):
        for number, (legal, other_legal) in enumerate(zip(game["legal moves"], other["legal moves"], strict=False)):
            line = " ".join(game["moves"][:number]) or "no move"
            require(legal == other_legal, f"legal moves after {line}: {legal} {how}, {other_legal} {other_how}")
        for what in game:
            are_same = game[what] == other[what]
            shown = f"{game[what]} {how}, {other[what]} {other_how}"
            require(are_same, f"{what} of the game {' '.join(game['moves'])}: {shown}")


def _search(game: Game, seed: int) -> None:
    search, position = Search(SearchConfig(seed=seed, memory=50), game), game.start()
    search.set_position(position)
    search.run(SIMULATIONS)
    require(search.simulations == SIMULATIONS, f"{search.simulations} of {SIMULATIONS} simulations were run")
    best = search.moves()[0].number
    require(position.is_legal(best), f"the best move, {best}, is illegal")
