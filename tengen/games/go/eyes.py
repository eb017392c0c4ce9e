"""Kernels for eyes, and for the candidate moves of searches and playouts."""

import numpy as np

from tengen.games import interface
from tengen.games.go.go_board import is_legal
from tengen.games.go.go_record import PASS, U1, U2, U4, WALL, implements, neighbours_of_colour, stride_of, u64
from tengen.jit import kernel


@kernel(inline=True)
def diagonals_make_eye(state, point, colour):
    """Whether a point whose neighbours all have one colour is a real eye.

    It is false if the enemy holds two of its diagonal points, or one at the edge.     [Pachi, michi, RLGO]
    """
    w = stride_of(state)
    enemy = colour ^ U1
    a, b = u64(state.colour[point - w - U1]), u64(state.colour[point - w + U1])
    c, d = u64(state.colour[point + w - U1]), u64(state.colour[point + w + U1])
    enemies = u64(a == enemy) + u64(b == enemy) + u64(c == enemy) + u64(d == enemy)
    at_edge = u64((a == WALL) | (b == WALL) | (c == WALL) | (d == WALL))
    return enemies + at_edge < U2


@kernel(inline=True)
def is_own_eye(state, point, colour):
    """Whether an empty point is an eye of a colour, which playouts do not fill."""
    packed = u64(state.neighbours[point])
    return neighbours_of_colour(packed, colour) == U4 and diagonals_make_eye(state, point, colour)


@implements(interface.candidate_moves)
@kernel
def candidate_moves(state, moves):
    count = np.int64(state.empty_count)
    for i in range(count):
        moves[i] = state.empty[i]
    moves[count] = PASS
    return count + 1


@implements(interface.is_candidate)
@kernel
def is_candidate(state, move):
    """Exclude moves that fill an own eye."""
    if u64(move) == PASS:
        return True
    return is_legal(state, move) and not is_own_eye(state, u64(move), u64(state.to_play))
