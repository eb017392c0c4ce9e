"""Small games, and their solution by full search."""

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from tengen.games import interface
from tengen.games.game import Game, Position
from tengen.jit import kernel, record, table

# The deceptive tree of Hashimoto et al. 2011, figure 1. The first player moves at A and G, the second at B and C.
# After A - B, two of three moves win for the first player, but the second has F; after A - C - G, the first has H.
A, B, C, D, E, F, G, H, END = range(9)
CHILDREN = table([[B, C, 0], [D, E, F], [G, 0, 0], [0] * 3, [0] * 3, [0] * 3, [H, END, 0], [0] * 3, [0] * 3], np.uint8)
CHILD_COUNT = table([2, 3, 1, 0, 0, 0, 2, 0, 0], np.uint8)
FIRST_PLAYER_WINS = table([0, 0, 0, 1, 1, 0, 0, 1, 0], np.uint8)

DECEPTIVE_STATE = record("deceptive", [("to_play", np.uint32), ("place", np.uint32)])


@interface.play.implement(DECEPTIVE_STATE)
@kernel
def play(state, move):
    state.place = CHILDREN[state.place, np.int64(move)]
    state.to_play = 1 - state.to_play


@interface.is_legal.implement(DECEPTIVE_STATE)
@kernel
def is_legal(state, move):
    return move < CHILD_COUNT[state.place]


@interface.legal_moves.implement(DECEPTIVE_STATE)
@kernel
def legal_moves(state, moves):
    for move in range(CHILD_COUNT[state.place]):
        moves[move] = move
    return np.int64(CHILD_COUNT[state.place])


@interface.is_over.implement(DECEPTIVE_STATE)
@kernel
def is_over(state):
    return CHILD_COUNT[state.place] == 0


@interface.score.implement(DECEPTIVE_STATE)
@kernel
def score(state):
    return 2.0 * FIRST_PLAYER_WINS[state.place] - 1.0


@interface.outcome.implement(DECEPTIVE_STATE)
@kernel
def outcome(state):
    return float(FIRST_PLAYER_WINS[state.place])


@dataclass(frozen=True)
class Deceptive(Game):
    """The deceptive tree as a game: move 0 at the start is the trap, move 1 wins."""

    name: ClassVar[str] = "deceptive"

    @property
    def state_record(self) -> np.dtype:
        return DECEPTIVE_STATE

    @property
    def move_slots(self) -> int:
        return 3

    @property
    def longest_playout(self) -> int:
        return 4

    def reset(self, state: Any) -> None:
        state.to_play, state.place = 0, A

    def parse_move(self, text: str) -> int:
        return int(text)

    def format_move(self, move: int) -> str:
        return str(move)

    def map_diagram(self, state: Any, marks: dict[str, str]) -> str:
        return "ABCDEFGHI"[state.place]

    def set_up(self, state: Any, text: str) -> None:
        state.place = "ABCDEFGHI".index(text)

    def key(self, state: Any) -> bytes:
        return bytes((int(state.place),))


def solve(position: Position, known: dict[bytes, float]) -> float:
    """Return Black's result with best play, by full search."""
    if position.is_over:
        return {"black": 1.0, "white": 0.0, "draw": 0.5}[position.winner or ""]
    key = position.game.key(position.state)
    if key not in known:
        results = []
        for move in position.legal_move_numbers():
            position.play(int(move))
            results.append(solve(position, known))
            position.undo()
        known[key] = max(results) if position.to_play == "black" else min(results)
    return known[key]


@cache
def best_moves(game: Game, *opening: str) -> frozenset[str]:
    """Return the moves that keep the value of a position."""
    position, known = position_after(game, *opening), dict[bytes, float]()
    worth = solve(position, known)
    best = set()
    for move in position.legal_moves():
        position.play(move)
        if solve(position, known) == worth:
            best.add(move)
        position.undo()
    return frozenset(best)


def position_after(game: Game, *moves: str) -> Position:
    """Return the position of a game after some moves."""
    position = game.start()
    for move in moves:
        position.play(move)
    return position
