"""Hex: Black connects the top of the board with its bottom, White its left edge with its right edge.

Stones frame the board, and `parent` leads from each stone to the root of its chain: who joins its two frames has won.
"""

from dataclasses import dataclass

import numpy as np

from tengen.games import interface
from tengen.games.game import BoardSize
from tengen.games.hexagons import HexGame
from tengen.jit import kernel, record, table

LARGEST, STRIDE, POINTS, EMPTY = 13, 15, 15 * 15, 2
AROUND = table([-STRIDE, 1 - STRIDE, 1, STRIDE, STRIDE - 1, -1], np.int64)
FRAMES = table([[0, POINTS - 1], [STRIDE, 2 * STRIDE - 1]], np.int64)  # by colour: the roots of both parts
STATE = record("hex", [("to_play", np.uint32), ("colour", np.uint8, (POINTS,)), ("parent", np.uint16, (POINTS,))])


@kernel
def root(state, point):
    while state.parent[point] != point:
        point = np.int64(state.parent[point])
    return point


@kernel
def has_won(state, colour):
    return root(state, FRAMES[colour, 0]) == root(state, FRAMES[colour, 1])


@interface.play.implement(STATE)
@kernel
def play(state, move):
    point, colour = np.int64(move), state.to_play
    state.colour[point] = colour
    for step in AROUND:
        if state.colour[point + step] == colour:
            state.parent[root(state, point)] = root(state, point + step)
    state.to_play ^= np.uint32(1)


@interface.legal_moves.implement(STATE)
@kernel
def legal_moves(state, moves):
    count = 0
    for point in range(0 if is_over(state) else POINTS):
        if state.colour[point] == EMPTY:
            moves[count] = point
            count += 1
    return count


@interface.is_over.implement(STATE)
@kernel
def is_over(state):
    return has_won(state, 0) or has_won(state, 1)


@interface.score.implement(STATE)
@kernel
def score(state):
    return float(int(has_won(state, 0)) - int(has_won(state, 1)))


@dataclass(frozen=True)
class Hex(HexGame):
    """Hex on a rhombus of `size` rows and columns, without the swap rule."""

    size: int = 11
    name, meaning, default_player = "hex", "connect two opposite edges of the board", "mc-rave"
    board_size = BoardSize(range(1, LARGEST + 1))
    state_record, stride, has_margin = STATE, STRIDE, False

    def reset(self, state):
        row, column = np.indices((STRIDE, STRIDE)).reshape(2, POINTS)
        sides = [row == 0, row > self.size, column == 0, column > self.size]
        state.to_play, state.colour = 0, np.select(sides, [0, 0, 1, 1], EMPTY)
        state.parent = np.select(sides, list(FRAMES.ravel()), np.arange(POINTS))
