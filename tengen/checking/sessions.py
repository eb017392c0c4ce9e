"""Seeded games and searches whose results are compared: run twice, and compiled and uncompiled.

A session returns plain JSON. Uncompiled, it runs in a process of its own, before compiled code does: there a write
beyond the end of an array is an IndexError instead of damaged memory.
"""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tengen.checking.findings import described
from tengen.errors import TengenError
from tengen.games import interface
from tengen.games.catalogue import game_from_json
from tengen.games.game import Game, Position
from tengen.plugins import load_plugin, loaded_plugins
from tengen.policies.playout import play_out
from tengen.registry import GAME, PLAYOUT_POLICY, PRIOR, TREE_POLICY
from tengen.rng import seeded
from tengen.search.config import SearchConfig
from tengen.search.node_view import NodeView
from tengen.search.search import Search

UNCOMPILED_GAMES = 3
UNCOMPILED_SECONDS = 120
"""A session that takes longer than this has probably no end."""
SNAPSHOTS = (1, 2, 4, 8, 16, 32, 60)
"""The numbers of simulations after which the root is looked at. Rounding lets trees part only later."""
SIMULATIONS = SNAPSHOTS[-1]
MOVES_BEFORE_SEARCH = (0, 4)
"""Numbers of random moves before the searches of a session."""
MOST_NODES = 40
KEYS = {TREE_POLICY: "tree_policy", PLAYOUT_POLICY: "policy", PRIOR: "prior"}
"""The options of a search that choose the parts that can be checked."""


class Unsafe(TengenError):
    """Uncompiled code leaves its arrays or does not end. Compiled, it would damage memory or never return."""


@dataclass(frozen=True)
class Session:
    """What to run: games of a game, or searches with another part."""

    kind: str
    name: str
    game: dict[str, Any]
    """The game and its options, as JSON."""
    games: int
    seed: int


def random_moves(position: Position, dice: random.Random) -> Iterator[int]:
    """Play candidate moves, each with the same probability, and yield each before it is played.

    The end is that of the game, or after as many moves as its longest playout has.
    """
    for _ in range(position.game.longest_playout):
        if position.is_over:
            return
        legal = [int(move) for move in position.legal_move_numbers()]
        if not legal:
            raise TengenError("the game is not over, and there is no legal move")
        candidates = [move for move in legal if interface.is_candidate(position.state, move)]
        move = dice.choice(candidates or legal)
        yield move
        position.play(move)


def run(session: Session) -> list[dict[str, Any]]:
    """Run a session in this process and return one entry for each game, or each node of each search."""
    game = game_from_json(session.game)
    if session.kind == GAME:
        return [_game(game, session.seed + number) for number in range(session.games)]
    return [node for before in MOVES_BEFORE_SEARCH for node in _search(session, game, before)]


def _game(game: Game, seed: int) -> dict[str, Any]:
    position, legal = game.start(), []
    for _ in random_moves(position, random.Random(seed)):
        legal.append([int(move) for move in position.legal_move_numbers()])
    rng, trace = seeded(seed), np.zeros(game.longest_playout + 2, np.uint16)
    start = game.start()
    length = interface.uniform_playout(start.state, rng, trace, 0)
    return {
        "moves": [played.notation for played in position],
        "legal moves": legal,
        "score": float(interface.score(position.state)),
        "outcome": float(interface.outcome(position.state)),
        "playout": trace[: int(length)].tolist(),
        "score of the playout": float(interface.score(start.state)),
    }


def _search(session: Session, game: Game, before: int) -> list[dict[str, Any]]:
    position = game.start()
    for _ in random_moves(position, random.Random(session.seed)):
        if len(position.history) == before:
            break
    config = search_config(session.kind, session.name, session.seed)
    search = Search(config, game)
    search.set_position(position)
    found: list[dict[str, Any]] = []
    for count in SNAPSHOTS:
        search.run(count - search.simulations)
        found.append(_node(search, search.root(), []))
    found += [_node(search, node, line) for line, node in _nodes(search.root()) if line]
    best = {"best": search.moves()[0].number, "simulations": search.simulations, "line": [], "playout": []}
    if session.kind == PLAYOUT_POLICY:
        best["playout"] = playout(config, position, session.seed)
    return [{"before": [played.notation for played in position], **entry} for entry in [best, *found]]


def search_config(kind: str, name: str, seed: int) -> SearchConfig:
    """Return a small search that uses a part. A prior gets RAVE values, which some priors need."""
    settings: dict[str, Any] = {KEYS[kind]: name, "seed": seed, "memory": 20}
    return SearchConfig(**({"tree_policy": "mc-rave"} if kind == PRIOR else {}) | settings)


def playout(config: Any, position: Position, seed: int) -> list[int]:
    """Return the moves of a playout by the playout policy of a configuration."""
    game = position.game
    states = np.zeros(1, config.state_record(game))
    states[0] = position.state_as(states.dtype)
    trace = np.zeros(game.longest_playout + 2, np.uint16)
    length = play_out(config.make_part("policy", game), states[0], seeded(seed), trace, 0)
    moves: list[int] = trace[: int(length)].tolist()
    return moves


def _nodes(root: NodeView) -> list[tuple[list[int], NodeView]]:
    """Return the first nodes of a tree in the order of their depth, with the moves that lead there."""
    found: list[tuple[list[int], NodeView]] = [([], root)]
    for line, node in found:
        children = ((move, node.child(move)) for move in node.open_moves())
        found += [([*line, move], child) for move, child in children if child is not None]
        if len(found) >= MOST_NODES:
            break
    return found[:MOST_NODES]


def _node(search: Search, node: NodeView, line: list[int]) -> dict[str, Any]:
    moves = node.moves(node.open_moves())
    return {
        "line": line,
        "simulations": search.simulations,
        "visits": {str(move.number): move.visits for move in moves},
        "results": {str(move.number): [move.value, move.rave_visits, move.rave_value] for move in moves},
        "priors": {str(move.number): [move.prior, move.prior_weight] for move in moves},
        "values": {str(move): value for move, value in node.selection_values(search.algorithm.tree_policy).items()},
    }


def run_uncompiled(session: Session) -> list[dict[str, Any]]:
    """Run a session without the compiler, in a process of its own.

    Raises Unsafe if compiled code would damage memory or not end, TengenError if the session fails otherwise.
    """
    session = replace(session, games=min(session.games, UNCOMPILED_GAMES))
    package = str(Path(__file__).parents[2])
    paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
    request = json.dumps({"plugins": loaded_plugins(), "session": asdict(session)})
    try:
        done = subprocess.run(
            [sys.executable, "-c", "from tengen.checking.sessions import answer; answer()"],
            env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(paths)},
            input=request,
            stdout=subprocess.PIPE,
            text=True,
            timeout=UNCOMPILED_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Unsafe(f"uncompiled, it does not end within {UNCOMPILED_SECONDS} seconds") from None
    if done.returncode:
        raise TengenError(f"uncompiled, it ends with exit status {done.returncode}; see the output above")
    reply = json.loads(done.stdout.splitlines()[-1])
    if "problem" in reply:
        raise (Unsafe if reply["is_unsafe"] else TengenError)(f"uncompiled: {reply['problem']}")
    found: list[dict[str, Any]] = reply["found"]
    return found


def answer() -> None:
    """Run the session that standard input describes, and print the result as the last line of standard output."""
    request = json.load(sys.stdin)
    try:
        for file in request["plugins"]:
            load_plugin(file)
        reply: dict[str, Any] = {"found": run(Session(**request["session"]))}
    except Exception as error:  # a user's code may raise anything
        reply = {"problem": described(error), "is_unsafe": isinstance(error, IndexError)}
    print(json.dumps(reply))
