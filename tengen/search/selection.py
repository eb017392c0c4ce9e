"""Selection of a move at a node: the highest value in the formula of the tree policy, ties broken at random.

A GPU has bodies of its own: a thread reads four moves at a time, or the lanes of a warp share the moves.
"""

import numpy as np

from tengen.jit import (
    four_at,
    from_lane,
    kernel,
    lane,
    lanes,
    lanes_where,
    largest_of_lanes,
    nth_bit,
    on_gpu,
    population,
    trailing_zeros,
)
from tengen.rng import below
from tengen.search.tree import CLOSED
from tengen.search.tree_policies import evaluate, terms

NOTHING_OPEN = -1

f32 = np.float32
NO_RAVE = (f32(0.0), f32(0.0), f32(0.0), f32(0.0))


@kernel(inline=True)
def rave_of(node, slot):
    """Return the RAVE visits and wins of a move; zero in a tree without them."""
    if node.rave_visits.size > 1:
        return node.rave_visits[slot], node.rave_wins[slot]
    return f32(0.0), f32(0.0)


@kernel(inline=True, private=True)
def is_unknown(node, slot):
    """Whether an open move has neither visits nor RAVE visits."""
    return node.visits[slot] == f32(0.0) and node.wins[slot] > CLOSED and rave_of(node, slot)[0] == f32(0.0)


@kernel(private=True)
def mean_value(node):
    """Q(s), the mean of all results at a node; 0 before the first."""
    wins = f32(0.0)
    for i in range(node.wins.size):
        wins += node.wins[i] if node.wins[i] > CLOSED else f32(0.0)
    return wins * f32(node.scale / node.total) if node.total > 0.0 else f32(0.0)


@kernel
def select(policy, node, values, rng, untracked):
    """pi(s) = argmax_a of the tree policy's formula, ties broken at random              [GellySilver2007, section 3]

    Returns NOTHING_OPEN if every move is closed. The move `untracked` (a pass; -1: none) gets no RAVE value, so that
    with `first_play` it would be tried before all moves that have one. Until it is tried, its value is the mean of the
    node, so that it is tried when the other moves are worse.
    """
    known = terms(policy, node)
    best, scale = f32(-np.inf), f32(node.scale)
    for slot in range(values.size):
        rave_visits, rave_wins = rave_of(node, slot)
        value = evaluate(policy, known, node.visits[slot] * scale, node.wins[slot] * scale, rave_visits, rave_wins)
        values[slot] = value if node.wins[slot] > CLOSED else f32(-np.inf)
        best = max(best, values[slot])
    if untracked >= 0 and is_unknown(node, untracked):
        values[untracked] = mean_value(node)
        best = f32(-np.inf)
        for slot in range(values.size):
            best = max(best, values[slot])
    if best == f32(-np.inf):
        return NOTHING_OPEN
    ties = 0
    for slot in range(values.size):
        ties += np.int64(values[slot] == best)
    skip = np.int64(below(rng, ties)) if ties > 1 else 0
    for slot in range(values.size):
        if values[slot] == best:
            if skip == 0:
                return slot
            skip -= 1
    return NOTHING_OPEN


@kernel(inline=True, private=True)
def open_value(policy, known, visits, wins, rave_visits, rave_wins, scale):
    """The value of a move in the formula of the tree policy; -inf if it is closed."""
    value = evaluate(policy, known, visits * scale, wins * scale, rave_visits, rave_wins)
    return value if wins > CLOSED else f32(-np.inf)


@kernel(inline=True, private=True)
def four_values(policy, known, node, slot, scale, mean_slot, mean):
    """The values of four moves, from `slot` on; that of `mean_slot`, if it is among them, is `mean`."""
    n, w = four_at(node.visits, slot), four_at(node.wins, slot)
    m, v = NO_RAVE, NO_RAVE
    if node.rave_visits.size > 1:
        m, v = four_at(node.rave_visits, slot), four_at(node.rave_wins, slot)
    a = open_value(policy, known, n[0], w[0], m[0], v[0], scale)
    b = open_value(policy, known, n[1], w[1], m[1], v[1], scale)
    c = open_value(policy, known, n[2], w[2], m[2], v[2], scale)
    d = open_value(policy, known, n[3], w[3], m[3], v[3], scale)
    at = mean_slot - slot
    return (mean if at == 0 else a), (mean if at == 1 else b), (mean if at == 2 else c), (mean if at == 3 else d)


@kernel(inline=True, private=True)
def better(best, ties, first, value, slot):
    """Return the best value so far, its number of moves and the first of them, with one more move."""
    ties = 1 if value > best else ties + np.int64(value == best)
    return max(best, value), ties, (slot if value > best else first)


@on_gpu(select)
@kernel
def select_on_gpu(policy, node, values, rng, untracked):
    """Like `select`, for a single thread or for the lanes of a warp."""
    if lanes() > 1:
        return select_by_lanes(policy, node, values, rng, untracked)
    return select_by_fours(policy, node, values, rng, untracked)


@kernel(inline=True, private=True)
def select_by_lanes(policy, node, values, rng, untracked):
    """Like `select`: each lane computes the values of every 32nd move, which fill `values`."""
    known, scale = terms(policy, node), f32(node.scale)
    has_mean = untracked >= 0 and is_unknown(node, untracked)
    mean_slot, mean = (np.int64(untracked), mean_value_by_lanes(node)) if has_mean else (np.int64(-1), f32(0.0))
    best = f32(-np.inf)
    for slot in range(lane(), values.size, lanes()):
        rave_visits, rave_wins = rave_of(node, slot)
        value = open_value(policy, known, node.visits[slot], node.wins[slot], rave_visits, rave_wins, scale)
        values[slot] = mean if slot == mean_slot else value
        best = max(best, values[slot])
    best = largest_of_lanes(best)
    if best == f32(-np.inf):
        return NOTHING_OPEN
    ties = np.int64(0)
    for first in range(0, values.size, lanes()):
        ties += np.int64(population(lanes_at(values, first, best)))
    skip = np.int64(below(rng, ties)) if ties > 1 else np.int64(0)
    for first in range(0, values.size, lanes()):
        found = lanes_at(values, first, best)
        count = np.int64(population(found))
        if skip < count:
            return first + np.int64(trailing_zeros(nth_bit(found, np.uint64(skip))))
        skip -= count
    return NOTHING_OPEN


@kernel(inline=True, private=True)
def lanes_at(values, first, value):
    """Return the lanes whose number in `values`, from index `first` on, is `value`."""
    slot = first + lane()
    return lanes_where(slot < values.size and values[slot] == value)


@kernel(private=True)
def mean_value_by_lanes(node):
    """Like `mean_value`, in the same order: the lanes read the numbers, and each adds all of them."""
    wins = f32(0.0)
    for first in range(0, node.wins.size, lanes()):
        slot, mine = first + lane(), f32(0.0)
        if slot < node.wins.size and node.wins[slot] > CLOSED:
            mine = node.wins[slot]
        for number in range(lanes()):
            wins += from_lane(mine, number)
    return wins * f32(node.scale / node.total) if node.total > 0.0 else f32(0.0)


@kernel(inline=True, private=True)
def select_by_fours(policy, node, values, rng, untracked):
    """Like `select`, but it writes nothing, and the reads of four moves are one instruction."""
    known, scale = terms(policy, node), f32(node.scale)
    has_mean = untracked >= 0 and is_unknown(node, untracked)
    mean_slot, mean = (np.int64(untracked), mean_value(node)) if has_mean else (np.int64(-1), f32(0.0))
    best, ties, first = f32(-np.inf), np.int64(0), np.int64(0)
    for slot in range(0, values.size, 4):
        a, b, c, d = four_values(policy, known, node, slot, scale, mean_slot, mean)
        best, ties, first = better(best, ties, first, a, slot)
        best, ties, first = better(best, ties, first, b, slot + 1)
        best, ties, first = better(best, ties, first, c, slot + 2)
        best, ties, first = better(best, ties, first, d, slot + 3)
    if best == f32(-np.inf):
        return NOTHING_OPEN
    skip = np.int64(below(rng, ties)) if ties > 1 else np.int64(0)
    if skip == 0:
        return first
    for slot in range(first & ~np.int64(3), values.size, 4):
        for value in four_values(policy, known, node, slot, scale, mean_slot, mean):
            if value == best:
                if skip == 0:
                    return slot
                skip -= 1
            slot += 1
    return NOTHING_OPEN
