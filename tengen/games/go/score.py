"""Kernels for the Tromp-Taylor score and the ownership of points."""

import numpy as np

from tengen.games import interface
from tengen.games.go.go_record import (
    BLACK,
    EMPTY,
    ONE_EMPTY,
    U0,
    U1,
    U2,
    U4,
    WALL,
    WHITE,
    implements,
    neighbours_of_colour,
    stride_of,
    u64,
)
from tengen.jit import kernel


@kernel(inline=True)
def reach(state, point):
    """Return the colours that a point's empty region is known to touch (Black 1, White 2).

    A stone touches its own colour, a wall none. The result is stored in `next`, which otherwise only stones use.
    """
    colour = u64(state.colour[point])
    if colour == EMPTY:
        return u64(state.next[point])
    return U0 if colour == WALL else U1 << colour


@kernel
def spread_reach(state):
    """Compute the colours that each empty region touches, by propagation between neighbours until nothing changes."""
    w = stride_of(state)
    for i in range(state.empty_count):
        state.next[u64(state.empty[i])] = U0
    changed = True
    while changed:
        changed = False
        for i in range(state.empty_count):
            p = u64(state.empty[i])
            known = u64(state.next[p])
            now = known | reach(state, p - w) | reach(state, p - U1) | reach(state, p + U1) | reach(state, p + w)
            if now != known:
                state.next[p] = now
                changed = True


@kernel
def territory(state):
    """Return the number of empty points that only Black surrounds minus those that only White surrounds."""
    spread_reach(state)
    balance = 0
    for i in range(state.empty_count):
        owner = u64(state.next[u64(state.empty[i])])
        balance += np.int64(owner == U1) - np.int64(owner == U2)
    return balance


@kernel
def area(state):
    """Return Black's stones and territory minus White's, by the Tromp-Taylor rules, without komi.

    An empty point counts for a colour if its region touches only that colour. After a playout every region is a single
    point, which is counted from its neighbours.
    """
    black = 0
    for i in range(state.colour.size):
        black += np.int64(state.colour[i] == 0)
    stones = np.int64(state.side * state.side) - np.int64(state.empty_count)
    balance = 0
    for i in range(state.empty_count):
        packed = u64(state.neighbours[u64(state.empty[i])])
        if packed >= ONE_EMPTY:
            balance = territory(state)
            break
        is_black, is_white = neighbours_of_colour(packed, BLACK) == U4, neighbours_of_colour(packed, WHITE) == U4
        balance += np.int64(is_black) - np.int64(is_white)
    return 2 * black - stones + balance


@implements(interface.score)
@kernel
def score(state):
    return area(state) - state.komi


@implements(interface.outcome)
@kernel
def outcome(state):
    margin = score(state)
    if margin == 0.0:
        return 0.5
    return 1.0 if margin > 0.0 else 0.0


@implements(interface.add_ownership)
@kernel
def add_ownership(state, sums):
    """Add 1 to `sums` for each point that Black owns at the end, and -1 for each of White's."""
    spread_reach(state)
    for point in range(sums.size):
        owner = reach(state, u64(point))
        sums[point] += np.int64(owner == U1) - np.int64(owner == U2)
