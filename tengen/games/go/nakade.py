"""Kernels for nakade, the vital points of small eye spaces. For TACTICAL records."""

from tengen.games.go.go_record import EMPTY, U0, U1, U2, U3, U4, U8, neighbours_of_colour, stride_of, u64
from tengen.games.go.tactics import add_candidate, empty_neighbour
from tengen.jit import kernel, trailing_zeros


@kernel(inline=True, private=True)
def has_no_own_neighbour(packed, colour):
    """Whether no neighbour is a stone of a colour, from the packed neighbour count."""
    return neighbours_of_colour(packed, colour ^ U1) + (packed >> U8) == U4


@kernel(inline=True, private=True)
def is_in_narrow_space(state, point, colour):
    """Whether a point is empty, has one or two empty neighbours, and touches no stone of a colour."""
    packed = u64(state.neighbours[point])
    is_narrow = (packed >> U8) - U1 < U2
    return (u64(state.colour[point]) == EMPTY) & is_narrow & has_no_own_neighbour(packed, colour)


@kernel(inline=True, private=True)
def narrow_neighbours(state, point, colour):
    """Return which of the four neighbours are in narrow space, as four bits in the order of `offsets`."""
    w = stride_of(state)
    return (
        u64(is_in_narrow_space(state, point - w, colour))
        | (u64(is_in_narrow_space(state, point - U1, colour)) << U1)
        | (u64(is_in_narrow_space(state, point + U1, colour)) << U2)
        | (u64(is_in_narrow_space(state, point + w, colour)) << U3)
    )


@kernel(inline=True, private=True)
def is_end(state, point, colour):
    """Whether a point is not empty, or has a single empty neighbour and touches no stone of a colour."""
    packed = u64(state.neighbours[point])
    return (u64(state.colour[point]) != EMPTY) | ((packed >> U8 == U1) & has_no_own_neighbour(packed, colour))


@kernel(inline=True, private=True)
def is_middle_of_three(state, point, colour):
    """Whether an empty point is the middle of three that touch nothing else empty, and no stone of a colour."""
    w = stride_of(state)
    packed = u64(state.neighbours[point])
    return (
        (packed >> U8 == U2)
        & has_no_own_neighbour(packed, colour)
        & is_end(state, point - w, colour)
        & is_end(state, point - U1, colour)
        & is_end(state, point + U1, colour)
        & is_end(state, point + w, colour)
    )


@kernel
def nakade_moves(state, last, colour):
    """Write the vital points of enemy eye spaces of three points at the last move to `candidates`; return the count.

    [Fuego 0.4.1: nakade]
    """
    count = U0
    narrow = narrow_neighbours(state, last, colour)
    while narrow != U0:
        point = last + state.offsets[trailing_zeros(narrow)]
        narrow &= narrow - U1
        beside = empty_neighbour(state, point)
        middle = point if u64(state.neighbours[point]) >> U8 == U2 else beside
        if is_middle_of_three(state, middle, colour):
            count = add_candidate(state, middle, count)
    return count
