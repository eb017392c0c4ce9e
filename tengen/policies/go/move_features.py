"""Features of moves for Bradley-Terry models of move choice, for TACTICAL records.

A move has at most one feature of each group, mostly those of [Coulom2007, features] with other levels. Features are
numbered through all groups from 1; 0 stands for no feature of a group. The groups, in order, and their levels, from 1:

    shape          the 3x3 pattern, with the stones beside the move that are in atari: see shape_features.py
    capture        one stone; several; one, or several, of a chain beside an own chain in atari
    escape         leaves atari with two or more liberties: chains of one stone; a chain of several
    self_atari     the move's chain has one liberty: one stone; two; three or more
    atari          puts in atari: one stone; several; one, or several, with the last move's chain among them
    two_liberties  a move of the rule `two_liberty_moves`
    nakade         a move of the rule `nakade_moves`
    line           1 to 5 with stones around; 1 to 5 with empty surroundings, where 5 is the fifth line or higher
    last           distance to the last move: 1 for 0 (after suicide), then 2 to 16, and 17 for 17 or more
    earlier        distance to the move before that, where 0 means that it was captured
    large          the pattern of a larger area, in feature sets that have one
"""

import numpy as np

from tengen.games.go.eyes import is_candidate
from tengen.games.go.go_record import (
    BLACK,
    PASS,
    U0,
    U1,
    U2,
    U3,
    WHITE,
    add_to_liberties,
    liberty,
    neighbours_in_atari,
    stride_of,
    u64,
)
from tengen.games.go.nakade import nakade_moves
from tengen.games.go.tactics import (
    are_beside,
    captured_neighbours,
    captures_several,
    is_listed_chain,
    is_lonely,
    is_self_atari,
    line_of,
    stones_after,
    two_liberty_moves,
)
from tengen.jit import kernel, record, trailing_zeros, verb
from tengen.policies.go.diamond_urgency import SLOT_BITS, diamond_at
from tengen.policies.go.urgency import POINTS

GROUPS = 11
SHAPE, CAPTURE, ESCAPE, SELF_ATARI, ATARI, TWO_LIBERTIES, NAKADE, LINE, LAST, EARLIER, LARGE = (
    np.int64(n) for n in range(GROUPS)
)
KEY_BITS = 20
"""Bits of the key of a shape: the surroundings, 16 bits, and which of the four neighbours are in atari."""
HIGHEST_LINE, FARTHEST = u64(5), u64(17)
TWO_LIBERTIES_MARK, NAKADE_MARK = u64(1), u64(2)
U16, STONES = u64(16), u64(0x5555)

VIEW_FIELDS = [
    ("first", np.int64, (GROUPS,)),  # the number of the first feature of each group
    ("shapes", np.int32, (2**KEY_BITS,)),  # by key, as Black to move sees it: the number of the feature, or 0
]
SQUARE_VIEW = record("square_view", VIEW_FIELDS)
DIAMOND_VIEW = record(
    "diamond_view",
    [
        *VIEW_FIELDS,
        ("far", np.uint16, (POINTS, 4)),  # as in diamond_urgency.DIAMONDS
        ("diamonds", np.int32, (2, 2**SLOT_BITS)),  # by colour to move and slot: the number of the feature, or 0
    ],
)
"""Views are what the kernels know of a set of features: SQUARE_VIEW has none in the group `large`."""


# --- Patterns --------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def shape_key(state, point, colour):
    """The surroundings, with the colours exchanged for White, and the neighbours in atari << 16."""
    around = u64(state.surroundings[point])
    exchanged = around ^ (~(around >> U1) & STONES)
    ataris = neighbours_in_atari(state, point, BLACK) | neighbours_in_atari(state, point, WHITE)
    return (around if colour == BLACK else exchanged) | (ataris << U16)


@verb
def large_pattern(view, state, point, colour):
    """Return the number of the feature of the larger pattern around a move, or 0."""


@large_pattern.implement(SQUARE_VIEW)
@kernel(inline=True, private=True)
def no_large_pattern(view, state, point, colour):
    return np.int64(0)


@large_pattern.implement(DIAMOND_VIEW)
@kernel(inline=True, private=True)
def diamond_pattern(view, state, point, colour):
    return np.int64(view.diamonds[colour, diamond_at(view, state, point)])


# --- Tactics ---------------------------------------------------------------------------------------------------------


@kernel(private=True)
def rescues(state, point, captured, colour):
    """Whether one of the captured neighbours, as four bits, belongs to a chain beside an own chain in atari."""
    while captured != U0:
        victim = u64(state.chain[point + state.offsets[trailing_zeros(captured)]])
        captured &= captured - U1
        for i in range(state.atari_count[colour]):
            head = u64(state.atari[colour, i])
            if is_listed_chain(state, head, colour) and are_beside(state, head, victim):
                return True
    return False


@kernel(inline=True, private=True)
def capture_level(state, point, colour):
    captured = captured_neighbours(state, point, colour)
    if captured == U0:
        return U0
    level = U2 if captures_several(state, point, captured) else U1
    return level + U2 if rescues(state, point, captured, colour) else level


@kernel(inline=True, private=True)
def escape_level(state, point, colour):
    own = neighbours_in_atari(state, point, colour)
    if own == U0 or is_self_atari(state, point, colour):
        return U0
    level = U1
    while own != U0:
        if state.chain_size[u64(state.chain[point + state.offsets[trailing_zeros(own)]])] > 1:
            level = U2
        own &= own - U1
    return level


@kernel(inline=True, private=True)
def self_atari_level(state, point, colour):
    return min(stones_after(state, point, colour), U3) if is_self_atari(state, point, colour) else U0


@kernel(inline=True, private=True)
def atari_level(state, point, colour):
    """The chains around the move that are in atari without this liberty, and are not with it."""
    before = captured_neighbours(state, point, colour)
    add_to_liberties(state, point, U0 - liberty(state, point))
    threatened = captured_neighbours(state, point, colour) & ~before
    add_to_liberties(state, point, liberty(state, point))
    if threatened == U0:
        return U0
    level = U2 if captures_several(state, point, threatened) else U1
    last = u64(state.last_move)
    while threatened != U0 and last != PASS:
        if state.chain[point + state.offsets[trailing_zeros(threatened)]] == state.chain[last]:
            return level + U2
        threatened &= threatened - U1
    return level


# --- Places ----------------------------------------------------------------------------------------------------------


@kernel(inline=True, private=True)
def line_level(state, point):
    level = min(line_of(state, point), HIGHEST_LINE)
    return level + HIGHEST_LINE if is_lonely(state, point) else level


@kernel(inline=True)
def distance(state, a, b):
    """d = |dx| + |dy| + max(|dx|, |dy|)                                                       [Coulom2007, features]"""
    w = stride_of(state)
    rows, columns = a // w, a % w
    up = max(rows, b // w) - min(rows, b // w)
    right = max(columns, b % w) - min(columns, b % w)
    return up + right + max(up, right)


@kernel(inline=True, private=True)
def distance_level(state, point, move):
    """The distance to an earlier move, 1 to 17; 0 if that was a pass or there was none."""
    return U0 if move == PASS else max(U1, min(distance(state, point, move), FARTHEST))


# --- All features ----------------------------------------------------------------------------------------------------


@kernel
def mark_rules(state, marks):
    """Set `marks`, by point, to the rules that a move belongs to: TWO_LIBERTIES_MARK and NAKADE_MARK.

    Uses `state.candidates`.
    """
    for i in range(marks.size):
        marks[i] = 0
    last, colour = u64(state.last_move), u64(state.to_play)
    if last != PASS:
        for i in range(two_liberty_moves(state, last, colour)):
            marks[u64(state.candidates[i])] = TWO_LIBERTIES_MARK
        for i in range(nakade_moves(state, last, colour)):
            point = u64(state.candidates[i])
            marks[point] = u64(marks[point]) | NAKADE_MARK


@kernel(inline=True, private=True)
def number_of(view, group, level):
    """Return the number of a feature by its group and level; 0 for level 0."""
    return view.first[group] + np.int64(level) - 1 if level != U0 else np.int64(0)


@kernel
def features_of(view, state, point, marks):
    """Return the numbers of a move's features, one for each group, from the marks of `mark_rules`."""
    colour, mark = u64(state.to_play), u64(marks[point])
    return (
        np.int64(view.shapes[shape_key(state, point, colour)]),
        number_of(view, CAPTURE, capture_level(state, point, colour)),
        number_of(view, ESCAPE, escape_level(state, point, colour)),
        number_of(view, SELF_ATARI, self_atari_level(state, point, colour)),
        number_of(view, ATARI, atari_level(state, point, colour)),
        number_of(view, TWO_LIBERTIES, mark & TWO_LIBERTIES_MARK),
        number_of(view, NAKADE, mark >> U1),
        number_of(view, LINE, line_level(state, point)),
        number_of(view, LAST, distance_level(state, point, u64(state.last_move))),
        number_of(view, EARLIER, distance_level(state, point, u64(state.earlier_move))),
        large_pattern(view, state, point, colour),
    )


@kernel
def list_features(view, state, marks, points, features):
    """Write the candidate moves of a position, without the pass, to `points`; return their number.

    `features`, int32 (moves, GROUPS), gets their features. `marks`, uint8 by point, is a scratch buffer.
    """
    mark_rules(state, marks)
    count = np.int64(0)
    for i in range(state.empty_count):
        point = u64(state.empty[u64(i)])
        if is_candidate(state, point):
            points[count] = point
            for group, feature in enumerate(features_of(view, state, point, marks)):
                features[count, group] = feature
            count += 1
    return count
