"""Connect Four: drop discs into seven columns; the first four in a row win.

A side's discs are the bits of one word, seven for each column from its lowest square up; the seventh is always 0, so
that no line runs on into the next column. A move is the number of the bit that it sets.
"""

from dataclasses import dataclass

import numpy as np

from tengen.games import interface
from tengen.games.grid import GridGame
from tengen.jit import kernel, record, trailing_zeros

U0, U1 = np.uint64(0), np.uint64(1)
STATE = record("connect_four", [("to_play", np.uint32), ("stones", np.uint64, (2,))])
BOTTOM = np.uint64(sum(1 << 7 * column for column in range(7)))  # the lowest square of each column
BOARD = BOTTOM * np.uint64(0b111111)
STEPS = tuple(np.uint64(step) for step in (1, 6, 7, 8))  # from a square up, right and down, right, right and up


@kernel
def has_four(stones):
    found = False
    for step in STEPS:
        pairs = stones & (stones >> step)
        found |= pairs & (pairs >> (step + step)) != U0
    return found


@kernel
def open_squares(state):  # the lowest empty square of each column: adding 1 to the bits below it sets its bit
    return U0 if is_over(state) else ((state.stones[0] | state.stones[1]) + BOTTOM) & BOARD


@interface.play.implement(STATE)
@kernel
def play(state, move):
    state.stones[state.to_play] |= U1 << np.uint64(move)
    state.to_play ^= np.uint32(1)


@interface.legal_moves.implement(STATE)
@kernel
def legal_moves(state, moves):
    count, squares = 0, open_squares(state)
    while squares != U0:
        moves[count] = trailing_zeros(squares)
        squares &= squares - U1
        count += 1
    return count


@interface.is_over.implement(STATE)
@kernel
def is_over(state):
    return has_four(state.stones[0]) or has_four(state.stones[1]) or state.stones[0] | state.stones[1] == BOARD


@interface.score.implement(STATE)
@kernel
def score(state):
    return float(int(has_four(state.stones[0])) - int(has_four(state.stones[1])))


@dataclass(frozen=True)
class ConnectFour(GridGame):
    """Connect Four, on its board of six rows and seven columns."""

    name = "connect-four"
    meaning = "drop discs into columns; four in a row win"
    shape, is_numbered_from_below, has_margin = (6, 7), True, False
    state_record = STATE

    def point(self, row: int, column: int) -> int:
        return 7 * column + row

    def row_and_column(self, point: int) -> tuple[int, int]:
        return point % 7, point // 7
