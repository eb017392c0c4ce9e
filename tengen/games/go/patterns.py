"""MoGo's 3x3 patterns, written as diagrams and expanded at import into tables over `surroundings`.

The star in the middle is the move. X and O are the two colours; . is an empty point; n is X or empty, m is O or empty;
? is any of the three; - is off the board. A pattern matches in its eight symmetries, for both colours to move and with
the colours exchanged, unless it states the colour to move.

A centre pattern matches points with all eight points around them on the board, an edge pattern points on the edge
other than corners; corners match nothing. The patterns are MoGo's as published by Fuego, Pachi's first version and
others; where these disagree (the left of edge 2, the right of edge 4), Fuego's, under which no pattern contains
another.
"""

import itertools

import numpy as np

from tengen.games.go.go_record import AROUND, EMPTY, U1, U2, U3, U4, U5, U6, U7, U63, stride_of, u64
from tengen.jit import kernel, table

HANE_1 = """
    X O X
    . * .
    ? ? ?
"""
HANE_2 = """
    X O .
    . * .
    ? . ?
"""
HANE_3 = """
    X O ?
    X * .
    ? . ?
"""
HANE_4 = """
    X O O
    . * .
    ? . ?
"""
CUT_1 = """
    X O ?
    O * ?
    ? ? ?
"""
NO_CUT_1_IF_CONNECTED_RIGHT = """
    X O ?
    O * O
    ? . ?
"""
NO_CUT_1_IF_CONNECTED_BELOW = """
    X O ?
    O * .
    ? O ?
"""
CUT_2 = """
    ? X ?
    O * O
    n n n
"""
EDGE_1 = """
    X . ?
    O * ?
    - - -
"""
EDGE_2 = """
    ? X ?
    m * O
    - - -
"""
EDGE_3 = """
    ? X O
    ? * ?
    - - -
"""
EDGE_4 = """
    ? X O
    ? * m
    - - -
"""
EDGE_5 = """
    ? X O
    O * X
    - - -
"""
EITHER, ONLY_X, ONLY_O = "XO", "X", "O"
PICTURES = (
    # the pattern, its exceptions, and the colours of the pattern that may move
    (HANE_1, (), EITHER),
    (HANE_2, (), EITHER),
    (HANE_3, (), EITHER),
    (HANE_4, (), ONLY_X),
    (CUT_1, (NO_CUT_1_IF_CONNECTED_RIGHT, NO_CUT_1_IF_CONNECTED_BELOW), EITHER),
    (CUT_2, (), EITHER),
    (EDGE_1, (), EITHER),
    (EDGE_2, (), EITHER),
    (EDGE_3, (), ONLY_X),
    (EDGE_4, (), ONLY_O),
    (EDGE_5, (), ONLY_O),
)
MEANING = {"X": (0,), "O": (1,), ".": (2,), "-": (3,), "n": (0, 2), "m": (1, 2), "?": (0, 1, 2)}
CODES = 4**8
"""The number of values of `surroundings`."""


def symmetries(picture: str) -> list[str]:
    """Return the eight reflections and rotations of a pattern, each as eight letters in the order of AROUND."""
    grid = np.array([line.split() for line in picture.split("\n") if line.strip()])[::-1]  # rows from the bottom
    views = [np.rot90(mirrored, turns) for mirrored in (grid, grid.T) for turns in range(4)]
    return ["".join(view[1 + up, 1 + right] for up, right in AROUND) for view in views]


def _matching_codes(letters: str, exchanged: bool) -> np.ndarray:
    """Return the codes that match these letters, with the colours exchanged or not."""
    codes = np.zeros(1, np.int64)
    for place, letter in enumerate(letters):
        colours = [1 - colour if exchanged and colour < 2 else colour for colour in MEANING[letter]]
        codes = np.add.outer(codes, np.array(colours) << 2 * place).ravel()
    return codes


def _matches() -> np.ndarray:
    """Return, by colour to move and code, whether a move matches a pattern."""
    found = np.zeros((2, CODES), bool)
    for picture, exceptions, movers in PICTURES:
        views = zip(symmetries(picture), *map(symmetries, exceptions), strict=True)
        for (letters, *others), exchanged in itertools.product(views, (False, True)):
            here = _matching_codes(letters, exchanged)
            for other in others:
                here = np.setdiff1d(here, _matching_codes(other, exchanged))
            for mover in movers:
                found["XO".index(mover) ^ exchanged, here] = True
    return found


PATTERNS = table(
    np.packbits(_matches(), axis=1, bitorder="little").view("<u8"),
    np.uint64,
)
"""By colour to move, one bit per code: whether a move matches a pattern."""


@kernel(inline=True)
def matches_pattern(state, point, colour):
    """Return 1 if a point is empty and a move of a colour there matches a pattern, else 0."""
    code = u64(state.surroundings[point])
    return (PATTERNS[colour, code >> U6] >> (code & U63)) & u64(u64(state.colour[point]) == EMPTY)


@kernel(inline=True)
def patterns_around(state, last, colour):
    """Return which of the eight points around the last move match a pattern, as eight bits in the order of AROUND."""
    w = stride_of(state)
    return (
        matches_pattern(state, last - w - U1, colour)
        | (matches_pattern(state, last - w, colour) << U1)
        | (matches_pattern(state, last - w + U1, colour) << U2)
        | (matches_pattern(state, last - U1, colour) << U3)
        | (matches_pattern(state, last + U1, colour) << U4)
        | (matches_pattern(state, last + w - U1, colour) << U5)
        | (matches_pattern(state, last + w, colour) << U6)
        | (matches_pattern(state, last + w + U1, colour) << U7)
    )
