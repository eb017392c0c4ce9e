"""The Tromp-Taylor score in kernels: who owns what, on any board."""

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
    """Which colours a point's empty region is known to touch (Black 1, White 2): kept in `next`, which only stones use.

    A stone touches its own colour, a wall none.
    """
    colour = u64(state.colour[point])
    if colour == EMPTY:
        return u64(state.next[point])
    return U0 if colour == WALL else U1 << colour


@kernel
def spread_reach(state):
    """Tell every empty point which colours its region touches: pass on what neighbours know until nothing changes."""
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
    """Empty points that only Black's stones surround less those that only White's do, of regions of any size."""
    spread_reach(state)
    balance = 0
    for i in range(state.empty_count):
        owner = u64(state.next[u64(state.empty[i])])
        balance += np.int64(owner == U1) - np.int64(owner == U2)
    return balance


@kernel
def area(state):
    """Black's stones and territory minus White's, by the Tromp-Taylor rules, without komi.

    An empty point counts for a colour if its region touches only that colour. After a playout every region is a single
    point, which is counted by its neighbours.
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
    """Add 1 for each point that is Black's at the end, take 1 away for each of White's."""
    spread_reach(state)
    for point in range(sums.size):
        owner = reach(state, u64(point))
        sums[point] += np.int64(owner == U1) - np.int64(owner == U2)
