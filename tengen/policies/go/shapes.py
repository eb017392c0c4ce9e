"""The value of a position by its local shapes, in kernels: kept up move by move, with what each next move would change.

The value is linear: the sum of the weights of all shapes on the board, Black's view. `policies/go/windows.py` says what
shapes are. A window's shape is one number, its place in the tables of weights; a stone on one of its points adds to
that number. For each empty point and either colour, `parts` has what a stone there would change in each window around
it, and `changes` their sums. A move alters the windows over it: only their parts are computed anew. The sums are made
anew by vectors over the whole board, which takes less time than finding out which of them have changed.

A stone that captures changes the windows over the captured stones too: `change_by_capture` finds out exactly.
"""

import math

import numpy as np

from tengen.games.go.go_record import BLACK, U0, U1, U2, in_atari, u64
from tengen.games.go.tactics import capturing_moves, distinct_heads
from tengen.jit import kernel, record

f32 = np.float32
U3 = u64(3)
VECTOR = 16
"""Rows of numbers are padded to a multiple of this, so that they fill vector registers."""


def shapes_record(
    name: str, points: int, slots: int, windows: int, cells: int, local_codes: int, common_codes: int
) -> np.dtype:
    """The windows of a board, and the weights of their shapes.

    A code that adds a stone to an occupied point means nothing, but is looked up all the same, since a test would cost
    more; so the tables are longer than the codes by the largest such overflow.
    """
    overflow = 2 * 3 ** (cells - 1)
    return record(
        name,
        [
            ("window", np.uint16, (points, slots)),  # the windows over a point
            ("power", np.uint32, (points, slots)),  # and what a black stone there adds to their codes
            ("window_count", np.uint8, (points,)),
            ("cell", np.uint16, (windows, cells)),  # a window's points, by digit
            ("slot", np.uint8, (windows, cells)),  # and which of the point's windows this one is
            ("cell_count", np.uint8, (windows,)),
            ("start", np.uint32, (windows,)),  # where a window's codes begin in the table of local weights
            ("shift", np.uint32, (windows,)),  # how far from there to those of the common weights
            ("local", np.float32, (local_codes + overflow,)),
            ("common", np.float32, (common_codes + overflow if common_codes else 1,)),
        ],
    )


def evaluation_record(name: str, shapes: np.dtype, most_moves: int) -> np.dtype:
    """The shapes of one position, what they are worth, and what moves would change: what a thread evaluates with.

    With a number of moves, also the history of a game of so many, to learn from it afterwards.
    """
    points, slots = shapes["window"].shape
    (windows,) = shapes["start"].shape
    wide = -(-points // VECTOR) * VECTOR
    changes = 2 * slots * most_moves if most_moves else 1  # each stone comes once and goes once
    return record(
        name,
        [
            ("total", np.float64),  # the sum of all weights
            ("codes", np.uint32, (windows,)),  # of each window, counted from the start of the table of local weights
            ("parts", np.float32, (2, slots, wide)),  # what a stone would change in the point's window in this slot
            ("changes", np.float32, (2, wide)),  # their sums
            ("touched", np.uint16, (windows,)),  # windows that a move has changed,
            ("is_touched", np.uint8, (windows,)),
            ("earlier", np.uint32, (windows,)),  # and their codes before
            ("moves", np.uint16, (points,)),  # room for a list of moves
            ("without_captures", np.float32, (points,)),  # what `changes` had for the capturing moves
            # The history: change by change, the window, its code from then on, and the move that changed it, from 1 on.
            ("window", np.uint16, (changes,)),
            ("code", np.uint32, (changes,)),
            ("time", np.uint16, (changes,)),
            ("change_count", np.int64),
            ("move_count", np.int64),
            ("totals", np.float64, (most_moves + 1,)),  # by move: the value of the position after it
        ],
    )


@kernel(inline=True)
def probability(total):
    """sigma(x) = 1 / (1 + exp(-x)): the value as a probability that Black wins        [GellySilver2007, section 4]"""
    return 1.0 / (1.0 + math.exp(-total))


@kernel(inline=True)
def worth(shapes, code, shift):
    """The weight of a shape: its local one and, if the tables are not fused, its common one."""
    value = shapes.local[code]
    if shapes.common.size > 1:
        value += shapes.common[code - shift]
    return value


# --- One window ------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def weigh_window(shapes, evaluation, window):
    """What a stone on each of a window's points would change in its worth."""
    code, shift = u64(evaluation.codes[window]), u64(shapes.shift[window])
    here = worth(shapes, code, shift)
    power = U1
    for i in range(shapes.cell_count[window]):
        digit = u64(i)
        slot, point = u64(shapes.slot[window, digit]), u64(shapes.cell[window, digit])
        evaluation.parts[U0, slot, point] = worth(shapes, code + power, shift) - here
        evaluation.parts[U1, slot, point] = worth(shapes, code + U2 * power, shift) - here
        power *= U3


@kernel(inline=True)
def alter_point(shapes, evaluation, point, digits, count):
    """Add to the digit of a point in all windows over it; return how many windows are touched by now."""
    for slot in range(shapes.window_count[point]):
        window = u64(shapes.window[point, u64(slot)])
        if evaluation.is_touched[window] == 0:
            evaluation.is_touched[window] = 1
            evaluation.earlier[window] = evaluation.codes[window]
            evaluation.touched[count] = window
            count += U1
        evaluation.codes[window] = u64(evaluation.codes[window]) + digits * u64(shapes.power[point, u64(slot)])
    return count


@kernel(inline=True)
def sum_parts(evaluation):
    """The changes that moves of both colours on all points would make.

    Most sums are the same as before, but over a length known at compile time the processor adds whole vectors: 17,400
    games a second on 9x9, against 13,600 when only the sums around a move were made.
    """
    for i in range(2):
        colour = u64(i)
        for point in range(evaluation.changes.shape[1]):
            evaluation.changes[colour, u64(point)] = evaluation.parts[colour, U0, u64(point)]
        for slot in range(1, evaluation.parts.shape[1]):
            for point in range(evaluation.changes.shape[1]):
                evaluation.changes[colour, u64(point)] += evaluation.parts[colour, u64(slot), u64(point)]


# --- Positions and moves ---------------------------------------------------------------------------------------------


@kernel
def evaluate(shapes, evaluation, state):
    """Look at all windows of a position."""
    total = 0.0
    for i in range(evaluation.parts.shape[1]):  # points near the edge have fewer windows than slots
        for point in range(evaluation.parts.shape[2]):
            evaluation.parts[U0, u64(i), u64(point)] = f32(0.0)
            evaluation.parts[U1, u64(i), u64(point)] = f32(0.0)
    for number in range(shapes.start.size):
        window = u64(number)
        evaluation.codes[window] = shapes.start[window]
        evaluation.is_touched[window] = 0
    for number in range(shapes.window.shape[0]):
        colour = u64(state.colour[u64(number)])
        if colour < U2:
            for slot in range(shapes.window_count[u64(number)]):
                window = u64(shapes.window[u64(number), u64(slot)])
                power = u64(shapes.power[u64(number), u64(slot)])
                evaluation.codes[window] = u64(evaluation.codes[window]) + (colour + U1) * power
    for number in range(shapes.start.size):
        window = u64(number)
        weigh_window(shapes, evaluation, window)
        total += worth(shapes, u64(evaluation.codes[window]), u64(shapes.shift[window]))
    sum_parts(evaluation)
    evaluation.total = total
    evaluation.change_count, evaluation.move_count, evaluation.totals[0] = 0, 0, total


@kernel(inline=True)
def follow(shapes, evaluation, state, point, colour, captured):
    """Go on to the position after a move: `captured` is where the captured points begin in the list of empty ones."""
    count = alter_point(shapes, evaluation, point, colour + U1, U0)
    for i in range(captured, state.empty_count):
        freed = u64(state.empty[u64(i)])
        count = alter_point(shapes, evaluation, freed, U0 - (U2 - colour), count)
    total = 0.0
    for i in range(count):
        window = u64(evaluation.touched[u64(i)])
        evaluation.is_touched[window] = 0
        shift = u64(shapes.shift[window])
        total += worth(shapes, u64(evaluation.codes[window]), shift)
        total -= worth(shapes, u64(evaluation.earlier[window]), shift)
        weigh_window(shapes, evaluation, window)
    evaluation.total += total
    sum_parts(evaluation)
    if evaluation.window.size > 1:
        note_changes(evaluation, count)


@kernel(inline=True)
def note_changes(evaluation, count):
    """Write the windows that a move has touched to the history."""
    at = u64(evaluation.change_count)
    for i in range(count):
        window = u64(evaluation.touched[u64(i)])
        evaluation.window[at], evaluation.code[at] = window, evaluation.codes[window]
        evaluation.time[at] = evaluation.move_count + 1
        at += U1
    evaluation.change_count = at


@kernel(inline=True)
def note_move(evaluation):
    """A move was made, perhaps a pass: note what the position is worth now."""
    if evaluation.window.size > 1:
        evaluation.move_count += 1
        evaluation.totals[evaluation.move_count] = evaluation.total


@kernel
def change_by_capture(shapes, evaluation, state, point, colour):
    """What a move would change in the position's value, with the stones that it captures taken off.

    Own stones that a suicide takes off, where the rules allow one, stay on: no policy plays it.
    """
    enemy = colour ^ U1
    count = alter_point(shapes, evaluation, point, colour + U1, U0)
    for head in distinct_heads(state, point, enemy):
        if head != U0 and in_atari(u64(state.liberties[head])):
            stone = head
            while True:
                count = alter_point(shapes, evaluation, stone, U0 - (U2 - colour), count)
                stone = u64(state.next[stone])
                if stone == head:
                    break
    change = f32(0.0)
    for i in range(count):
        window = u64(evaluation.touched[u64(i)])
        evaluation.is_touched[window] = 0
        shift = u64(shapes.shift[window])
        earlier = u64(evaluation.earlier[window])
        change += worth(shapes, u64(evaluation.codes[window]), shift) - worth(shapes, earlier, shift)
        evaluation.codes[window] = earlier
    return change


@kernel
def account_for_captures(shapes, evaluation, state, colour):
    """Put the exact changes of a colour's capturing moves in place of those without captures; return how many.

    The moves are in `state.candidates`; `forget_captures` takes the changes back.
    """
    count = capturing_moves(state, colour)
    for i in range(count):
        point = u64(state.candidates[u64(i)])
        evaluation.without_captures[u64(i)] = evaluation.changes[colour, point]
        evaluation.changes[colour, point] = change_by_capture(shapes, evaluation, state, point, colour)
    return count


@kernel(inline=True)
def forget_captures(evaluation, state, colour, count):
    """Let `changes` be those without captures again: who is in atari may be another matter after the next move."""
    for i in range(count):
        evaluation.changes[colour, u64(state.candidates[u64(i)])] = evaluation.without_captures[u64(i)]


@kernel(inline=True)
def outlook(total, colour):
    """The probability that a colour wins, by a position's value."""
    return probability(total if colour == BLACK else -total)
