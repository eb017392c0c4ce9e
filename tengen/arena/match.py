"""One game between two players: moves, clocks, faults and the result."""

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from tengen.arena.plans import Plan
from tengen.engines.gtp import EngineFault
from tengen.engines.gtp_player import GtpPlayer
from tengen.errors import TengenError
from tengen.files import parse_json
from tengen.games.clock import Clock
from tengen.games.game import COLOURS, BadNotation, Game, IllegalMove, Position
from tengen.games.player import RESIGN, Player
from tengen.search.analysis import Analysis
from tengen.search.search_player import SearchingPlayer

REASONS = ("score", "resign", "time", "illegal", "garbage", "crash", "hang", "closed", "refusal", "length")
"""Why a game ended. In this order: counted; resigned; out of time; an illegal move; an answer that is not a move; the
engine crashed, did not answer, closed a pipe, refused a command; move limit reached and the board counted as it is."""

RECORDED_MOVES = 5
"""Number of best moves recorded for each search."""


@dataclass(frozen=True)
class Ending:
    """The result of a game: winner (a colour or 'draw'), reason, Black's margin if it was counted, and details."""

    winner: str
    reason: str
    margin: float | None = None
    detail: str = ""

    def sgf(self) -> str:
        """Return the SGF result: B+3.5, W+R, B+T, W+F (forfeit), 0."""
        if self.winner == "draw":
            return "0"
        how = {"resign": "R", "time": "T"}.get(self.reason, "F")
        if self.margin is not None:
            how = f"{abs(self.margin):g}"
        return f"{self.winner[0].upper()}+{how}"


@dataclass(frozen=True)
class PlayedGame:
    """A finished game as it is stored: one row, or one line of JSON."""

    id: str
    pairing: str
    number: int
    black: str
    white: str
    winner: str
    reason: str
    margin: float | None
    detail: str
    seed: int
    opening: str
    moves: int
    started: float
    seconds: float
    black_seconds: float
    white_seconds: float
    black_version: str
    white_version: str
    times: list[float] = field(repr=False)
    """Seconds taken by each move after the opening."""
    record: str = field(repr=False)
    """In the game's own format if it has one, else the moves as JSON."""
    analysis: list[dict[str, Any] | None] | None = field(default=None, repr=False)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class GameInProgress:
    """A game between two players while it is played, move by move: `position`, `ending`, and the times so far.

    `players` maps each colour to a player made for the plan's game; a fault of a player is a loss, not an exception.
    `now` returns the time in seconds, by which moves are timed.
    """

    def __init__(self, plan: Plan, players: dict[str, Player], now: Callable[[], float] = time.perf_counter):
        self.plan, self.players, self._now = plan, players, now
        self._started, self._began = time.time(), now()
        self.position = plan.conditions.game.start()
        for move in plan.opening:
            self.position.play(move)
        self._sheet = _ScoreSheet(plan.conditions.analysis)
        self.ending = _introduce(plan, players)

    @property
    def player(self) -> Player:
        """The player to move."""
        return self.players[self.position.to_play]

    def is_over(self) -> bool:
        """Whether the game has ended by a fault, by the rules, or by the move limit."""
        position = self.position
        if self.ending is None and not position.is_over and position.moves_played >= self.plan.conditions.move_limit:
            self.ending = _counted(position, "length")
        return self.ending is not None or position.is_over

    def ask(self, clock: Clock | None) -> None:
        """Ask the player to move for a move and play it; if the move or a fault ends the game, set `ending`."""
        position, colour, began = self.position, self.position.to_play, self._now()
        in_time, move, unreadable = True, RESIGN, ""
        try:
            move = self.player.choose_number(position, None if clock is None else clock.copy())
        except BadNotation as error:
            unreadable = str(error)
        except EngineFault as fault:
            overrun = clock is not None and fault.reason == "hang" and not clock.spend(self._now() - began)
            self.ending = Ending(_other(colour), "time" if overrun else fault.reason, detail=str(fault))
            return
        seconds = self._now() - began
        if clock is not None:
            in_time = clock.spend(seconds)
        if in_time and not unreadable:
            self.play(move, seconds)
            return
        self._sheet.note(colour, seconds, self.player, position)
        if not in_time:
            late = f"move {position.moves_played + 1} took {seconds:.2f} s"
            self.ending = Ending(_other(colour), "time", detail=late)
        else:
            self.ending = Ending(_other(colour), "garbage", detail=unreadable)

    def play(self, move: int, seconds: float) -> None:
        """Play the move that the player to move has chosen in `seconds`; an illegal one, or RESIGN, ends the game."""
        colour = self.position.to_play
        self._sheet.note(colour, seconds, self.player, self.position)
        if move == RESIGN:
            self.ending = Ending(_other(colour), "resign")
            return
        try:
            self.position.play(move)
        except IllegalMove as error:
            self.ending = Ending(_other(colour), "illegal", detail=str(error))

    def result(self, referee: GtpPlayer | None = None) -> PlayedGame:
        """Return the finished game; the `referee`, if any, counts it."""
        plan, position, sheet, ending = self.plan, self.position, self._sheet, self.ending
        if ending is None:
            ending = _counted(position, "score") if referee is None else _referees_count(position, referee, plan)
        return PlayedGame(
            id=plan.id,
            pairing=plan.pairing,
            number=plan.number,
            black=plan.black.name,
            white=plan.white.name,
            winner=ending.winner,
            reason=ending.reason,
            margin=ending.margin,
            detail=ending.detail,
            seed=plan.seed,
            opening=" ".join(plan.opening),
            moves=position.moves_played,
            started=round(self._started, 3),
            seconds=round(self._now() - self._began, 4),
            black_seconds=round(sheet.spent["black"], 4),
            white_seconds=round(sheet.spent["white"], 4),
            black_version=version_of(self.players["black"]),
            white_version=version_of(self.players["white"]),
            times=[round(seconds, 3) for seconds in sheet.times],
            record=_record(position, plan, ending, sheet),
            analysis=sheet.analyses if plan.conditions.analysis else None,
        )


def play_game(
    plan: Plan,
    players: dict[str, Player],
    referee: GtpPlayer | None = None,
    now: Callable[[], float] = time.perf_counter,
) -> PlayedGame:
    """Play a game to its end and return it; see GameInProgress. The `referee`, if any, counts a finished game."""
    game, control = GameInProgress(plan, players, now), plan.conditions.clock
    clocks = {colour: Clock(control) if control else None for colour in COLOURS}
    while not game.is_over():
        game.ask(clocks[game.position.to_play])
    return game.result(referee)


def version_of(player: Player) -> str:
    """Return the name and version of a player's program."""
    from tengen import __version__

    return player.version or "unknown" if isinstance(player, GtpPlayer) else f"tengen {__version__}"


class _ScoreSheet:
    """Times and analyses of the moves of a game, in their order."""

    def __init__(self, wants_analysis: bool):
        self.wants_analysis = wants_analysis
        self.times: list[float] = []
        self.spent = dict.fromkeys(COLOURS, 0.0)
        self.analyses: list[dict[str, Any] | None] = []

    def note(self, colour: str, seconds: float, player: Player, position: Position) -> None:
        self.times.append(seconds)
        self.spent[colour] += seconds
        if self.wants_analysis:
            found = player.analysis(position) if isinstance(player, SearchingPlayer) else None
            self.analyses.append(None if found is None else _summary(found))


def _summary(analysis: Analysis) -> dict[str, Any]:
    found = analysis.to_json()
    return {
        "value": found.get("value"),
        "simulations": found["simulations"],
        "nodes": found.get("nodes"),
        "moves": [
            {key: move[key] for key in ("move", "visits", "value") if key in move}
            for move in found["moves"][:RECORDED_MOVES]
        ],
    }


def _introduce(plan: Plan, players: dict[str, Player]) -> Ending | None:
    """Start a new game with both players; return the ending if an engine fails, which loses the game."""
    for colour in COLOURS:
        try:
            players[colour].new_game(plan.player_seed(colour))
        except EngineFault as fault:
            return Ending(_other(colour), fault.reason, detail=str(fault))
    return None


def _other(colour: str) -> str:
    return COLOURS[1 - COLOURS.index(colour)]


def _counted(position: Position, reason: str) -> Ending:
    """Return the result by the rules, or by the score of the present board if the game is not over."""
    margin = position.score
    winner = position.winner or ("black" if margin > 0 else "white" if margin < 0 else "draw")
    return Ending(winner, reason, margin)


def _referees_count(position: Position, referee: GtpPlayer, plan: Plan) -> Ending:
    """Return the result by an engine's count. If the engine fails, raise TengenError: the game has no result."""
    try:
        referee.new_game(plan.seed)
        margin = referee.final_score(position)
    except EngineFault as fault:
        raise TengenError(f"the referee could not count {plan.id}: {fault}") from None
    winner = "black" if margin > 0 else "white" if margin < 0 else "draw"
    return Ending(winner, "score", margin, detail=f"counted by {version_of(referee)}")


def final_position(record: str, game: Game) -> Position:
    """Return the position at the end of a stored record, which is in the game's own format or a list of moves in JSON.

    Raises TengenError if the record cannot be read, or has moves that the rules of `game` do not allow.
    """
    records = game.records()
    if records is not None and not record.lstrip().startswith("["):
        moves = [played.notation for played in records.read(record.encode()).history]
    else:
        moves = parse_json(record)
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise TengenError("its record is not a list of moves in JSON")
    return after_moves(game, moves)


def after_moves(game: Game, moves: Iterable[str]) -> Position:
    """Return the position after moves from the start of a game."""
    position = game.start()
    for move in moves:
        position.play(move)
    return position


def _record(position: Position, plan: Plan, ending: Ending, sheet: _ScoreSheet) -> str:
    records = position.game.records()
    if records is None:
        return json.dumps([played.notation for played in position.history])
    comments = {}
    first = len(plan.opening) + 1
    for number, analysis in enumerate(sheet.analyses, first):
        if analysis is not None and analysis["value"] is not None and number <= len(position.history):
            comments[number] = f"{analysis['value']:.3f} of {analysis['simulations']} simulations"
    return records.write(position, comments, plan.black.name, plan.white.name, ending.sgf()).decode()
