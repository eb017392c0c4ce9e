"""Tree policies: the formulas that select a move at a node. One function per formula.

A policy is a dataclass of options, a record of them, and the bodies of two verbs. `terms` computes the parts of the
formula that are the same for all moves of a node, so that `evaluate`, called for every move, is fast.

    n(s,a), w = visits, wins        m(s,a), v = rave_visits, rave_wins        n(s) = node.total
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

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
    record,
    trailing_zeros,
    verb,
)
from tengen.options import option, record_fields
from tengen.registry import TREE_POLICY, Needs, register
from tengen.rng import below
from tengen.search.tree import CLOSED

NOTHING_OPEN = -1

f32 = np.float32
NO_RAVE = (f32(0.0), f32(0.0), f32(0.0), f32(0.0))


@verb
def terms(policy, node):
    """Return the terms of a formula that are the same for all moves of a node; `evaluate` gets them as `known`."""


@verb
def evaluate(policy, known, visits, wins, rave_visits, rave_wins):
    """Return the value of a move for the selection, from its statistics and the node's `terms`."""


@verb
def formula(policy, node, visits, wins, rave_visits, rave_wins):
    """Return the value of a move that has statistics: the short form of a tree policy. `node` is a NodeTerms."""


class NodeTerms(NamedTuple):
    """The fields of a node for the short form of a tree policy."""

    total: float  # n(s), the sum of the visits of all moves
    log_total: float  # log n(s), 0 before the first visit
    mean: float  # the mean result of all moves; 0 before the first
    rave_total: float  # m(s), the sum of the RAVE visits of all moves


@terms.otherwise
@kernel(inline=True)
def node_terms(policy, node):
    """For tree policies in the short form. Sums that the formula does not read are not computed."""
    wins, rave_total = 0.0, 0.0
    for i in range(node.wins.size):
        wins += np.float64(node.wins[i]) if node.wins[i] > CLOSED else 0.0
    for i in range(node.rave_visits.size):
        rave_total += np.float64(node.rave_visits[i]) if node.wins[i] > CLOSED else 0.0
    total = node.total
    return NodeTerms(total, math.log(max(total, 1.0)), wins * node.scale / max(total, 1e-30), rave_total)


LOWEST = f32(-1e30)
"""Replaces the value of a formula that is not a number: such a move is selected only if no other is left."""


@evaluate.otherwise
@kernel(inline=True)
def value_by_formula(policy, known, visits, wins, rave_visits, rave_wins):
    """For tree policies in the short form: `first_play` for a move without statistics, else the formula's value."""
    if wins < f32(0.0):  # a closed move, for which the formula may not be defined
        return LOWEST
    if visits + rave_visits == f32(0.0):
        return policy.first_play
    value = f32(formula(policy, known, visits, wins, rave_visits, rave_wins))
    return value if value == value else LOWEST


@kernel(inline=True)
def log_visits(node):
    """Log n(s); 0 before the first visit."""
    return f32(math.log(max(node.total, 1.0)))


@dataclass(frozen=True)
class UcbOptions:
    """Options of all tree policies here."""

    exploration: float = option(0.5, "c, the weight of the exploration term", low=0, high=1e6)
    first_play: float = option(math.inf, "value of a move without statistics; inf: every move is tried once", low=-1e6)


UCB1 = record("ucb1", record_fields(UcbOptions, np.float32))
register(TREE_POLICY, "ucb1", "UCB1 [GellySilver2007, section 3]", options=UcbOptions, record=UCB1)


@terms.implement(UCB1)
@kernel(inline=True)
def ucb1_terms(policy, node):
    return policy.exploration * f32(math.sqrt(log_visits(node))), f32(0.0), f32(0.0)


@evaluate.implement(UCB1)
@kernel(inline=True)
def ucb1(policy, known, visits, wins, rave_visits, rave_wins):
    """Q(s,a) + c sqrt(log n(s) / n(s,a))                                             [GellySilver2007, section 3]

    An untried move has the value `first_play`: infinity, so that every move is tried once, in random order, or a
    first-play urgency. With the backup `discounted`, the same is

    r_j + c sqrt(log s / n_j), s = sum n_j, of discounted ratios and visits                      [Hashimoto2011, eq. 2]

    and with `accelerated`, of accelerated ratios and plain visits                               [Hashimoto2011, eq. 5]
    """
    value = wins / visits + known[0] / np.sqrt(visits)
    return policy.first_play if visits == f32(0.0) else value


UCB1_TUNED = record("ucb1_tuned", record_fields(UcbOptions, np.float32))
register(TREE_POLICY, "ucb1-tuned", "UCB1-TUNED [Auer2002, section 4]", options=UcbOptions, record=UCB1_TUNED)


@terms.implement(UCB1_TUNED)
@kernel(inline=True)
def ucb1_tuned_terms(policy, node):
    return log_visits(node), f32(0.0), f32(0.0)


@evaluate.implement(UCB1_TUNED)
@kernel(inline=True)
def ucb1_tuned(policy, known, visits, wins, rave_visits, rave_wins):
    """Q + c sqrt(log n(s) / n(s,a) min(1/4, V)),  V = Q (1 - Q) + sqrt(2 log n(s) / n(s,a))      [Auer2002, section 4]

    Q (1 - Q) is the variance of results that are 0 or 1, and an upper bound of it if there are draws.
    """
    value = wins / visits
    rate = known[0] / visits
    variance = value * (f32(1.0) - value) + np.sqrt(f32(2.0) * rate)
    bound = value + policy.exploration * np.sqrt(rate * min(f32(0.25), variance))
    return policy.first_play if visits == f32(0.0) else bound


@dataclass(frozen=True)
class RaveOptions(UcbOptions):
    """Options of all tree policies with RAVE values."""

    rave_first: str = option(
        "same",
        "a move gets RAVE credit if its own side (same) or either side (either) has not played there before",
        ("same", "either"),
    )


@dataclass(frozen=True)
class UctRaveOptions(RaveOptions):
    """Options of uct-rave."""

    equivalence: float = option(
        1000.0, "k, the number of visits at which value and RAVE value have equal weight", low=1e-6, high=1e12
    )
    beta_visits: str = option(
        "node", "the visits n in beta = sqrt(k / (3 n + k)): n(s) of the node, or n(s,a) of the move", ("node", "move")
    )

    @property
    def beta_by_move(self) -> bool:
        return self.beta_visits == "move"


UCT_RAVE = record("uct_rave", [*record_fields(UctRaveOptions, np.float32), ("beta_by_move", np.uint8)])
register(
    TREE_POLICY,
    "uct-rave",
    "UCT-RAVE, with the hand-selected schedule [GellySilver2007, section 6]",
    options=UctRaveOptions,
    record=UCT_RAVE,
    needs=Needs(rave=True),
)


@kernel(inline=True, private=True)
def hand_schedule_of(policy, visits):
    return math.sqrt(policy.equivalence / (3.0 * visits + policy.equivalence))


@terms.implement(UCT_RAVE)
@kernel(inline=True)
def uct_rave_terms(policy, node):
    """beta(s), c sqrt(log n(s)), c sqrt(log m(s)), with m(s) the sum of m(s,a) over the legal moves."""
    beta = f32(hand_schedule_of(policy, node.total))
    if policy.exploration == f32(0.0):
        return beta, f32(0.0), f32(0.0)
    rave_total = f32(0.0)
    for i in range(node.rave_visits.size):
        rave_total += node.rave_visits[i] if node.wins[i] > CLOSED else f32(0.0)
    explore_rave = policy.exploration * f32(math.sqrt(math.log(max(rave_total, f32(1.0)))))
    return beta, policy.exploration * f32(math.sqrt(log_visits(node))), explore_rave


@evaluate.implement(UCT_RAVE)
@kernel(inline=True)
def uct_rave(policy, known, visits, wins, rave_visits, rave_wins):
    """beta (Q~ + c sqrt(log m(s) / m(s,a))) + (1 - beta) (Q + c sqrt(log n(s) / n(s,a)))   [GellySilver2007, section 6]

    beta = sqrt(k / (3 n(s) + k)), k = policy.equivalence; with `beta_visits=move`, sqrt(k / (3 n(s,a) + k)): the paper
    writes beta(s,a), and n(s) on the right.
    Differs: the paper does not define the value of a move with only one kind of statistics. Here, an untried move
    uses Q~ for its Q and one visit in the bonus; one without RAVE visits is valued by the rest alone; and one
    without any has the value `first_play`.
    """
    tried, seen = visits > f32(0.0), rave_visits > f32(0.0)
    rave_value = rave_wins / rave_visits
    value = wins / visits if tried else rave_value
    if policy.exploration != f32(0.0):
        rave_value += known[2] / np.sqrt(rave_visits)
        value += known[1] / np.sqrt(max(visits, f32(1.0)))
    beta = known[0]
    if policy.beta_by_move:
        beta = f32(hand_schedule_of(policy, visits))
    mixed = beta * rave_value + (f32(1.0) - beta) * value
    return (mixed if seen else value) if tried or seen else policy.first_play


@dataclass(frozen=True)
class McRaveOptions(RaveOptions):
    """Options of mc-rave.

    The bias, on 9x9 Go with uniform playouts: at 500 simulations 0.03 won 81 of 100 games against 0.1, and at 1,000
    simulations 0.01 won 46 of 100 against 0.03 and 62 of 100 against 0.02 (docs/results/bias). So 0.1 is too large;
    the smaller values are not shown to differ.
    """

    bias: float = option(0.02, "b, the assumed bias of RAVE values", low=0, high=1e3)


MC_RAVE = record("mc_rave", record_fields(McRaveOptions, np.float32))
register(
    TREE_POLICY,
    "mc-rave",
    "MC-RAVE, with the minimum MSE schedule [GellySilver2011, Algorithm 2]",
    options=McRaveOptions,
    record=MC_RAVE,
    needs=Needs(rave=True),
)


@terms.implement(MC_RAVE)
@kernel(inline=True)
def mc_rave_terms(policy, node):
    """4 b^2, c sqrt(log n(s))"""
    explore = f32(0.0)
    if policy.exploration != f32(0.0):
        explore = policy.exploration * f32(math.sqrt(log_visits(node)))
    return f32(4.0) * policy.bias * policy.bias, explore, f32(0.0)


@evaluate.implement(MC_RAVE)
@kernel(inline=True)
def mc_rave(policy, known, visits, wins, rave_visits, rave_wins):
    """(1 - beta) Q + beta Q~ + c sqrt(log n(s) / n(s,a))                            [GellySilver2011, Algorithm 2]

    beta = m / (n + m + 4 n m b^2), b = policy.bias, which makes the value, with B = 4 b^2,
    ((1 + m B) w + v) / (m + n (1 + m B)): one division.
    Differs: in the bonus, which the paper leaves out (c = 0), an untried move counts as visited once.
    """
    weight = f32(1.0) + rave_visits * known[0]
    value = (weight * wins + rave_wins) / (rave_visits + visits * weight)
    if known[1] != f32(0.0):
        value += known[1] / np.sqrt(max(visits, f32(1.0)))
    return value if visits + rave_visits > f32(0.0) else policy.first_play


@dataclass(frozen=True)
class FuegoRaveOptions(RaveOptions):
    """Options of fuego-rave."""

    initial_weight: float = option(1.0, "w_i, the weight of the first RAVE visit", low=1e-6, high=1e9)
    final_weight: float = option(5000.0, "w_f, the limit of the weight of RAVE visits", low=1e-6, high=1e9)


FUEGO_RAVE = record("fuego_rave", record_fields(FuegoRaveOptions, np.float32))
register(
    TREE_POLICY,
    "fuego-rave",
    "RAVE values weighted as in Fuego [Hashimoto2011, eq. 8]",
    options=FuegoRaveOptions,
    record=FUEGO_RAVE,
    needs=Needs(rave=True),
)


@terms.implement(FUEGO_RAVE)
@kernel(inline=True)
def fuego_rave_terms(policy, node):
    """1 / w_i, 1 / w_f, c sqrt(log n(s))"""
    explore = f32(0.0)
    if policy.exploration != f32(0.0):
        explore = policy.exploration * f32(math.sqrt(log_visits(node)))
    return f32(1.0) / policy.initial_weight, f32(1.0) / policy.final_weight, explore


@evaluate.implement(FUEGO_RAVE)
@kernel(inline=True)
def fuego_rave(policy, known, visits, wins, rave_visits, rave_wins):
    """(n Q + W Q~) / (n + W),  W = m / (1 / w_i + m / w_f)                              [Hashimoto2011, eq. 8]

    With the bonus c sqrt(log n(s) / n(s,a)), off by default, in which an untried move counts as visited once.
    """
    weight = f32(1.0) / (known[0] + rave_visits * known[1])
    value = (wins + weight * rave_wins) / (visits + weight * rave_visits)
    if known[2] != f32(0.0):
        value += known[2] / np.sqrt(max(visits, f32(1.0)))
    return value if visits + rave_visits > f32(0.0) else policy.first_play


# --- The weight of RAVE values, for analysis ----------------------------------------------


@verb
def rave_weight(policy, node, visits, rave_visits):
    """Return beta, the weight of the RAVE value in a move's value."""


@rave_weight.otherwise
@kernel
def no_rave_weight(policy, node, visits, rave_visits):
    return 0.0


@rave_weight.implement(UCT_RAVE)
@kernel
def hand_schedule(policy, node, visits, rave_visits):
    """Beta = sqrt(k / (3 n(s) + k))                                                    [GellySilver2007, section 6]"""
    if rave_visits == 0.0:
        return 0.0
    return hand_schedule_of(policy, visits if policy.beta_by_move else node.total)


@rave_weight.implement(MC_RAVE)
@kernel
def minimum_mse_schedule(policy, node, visits, rave_visits):
    """Beta = m / (n + m + 4 n m b^2)                                                [GellySilver2011, Algorithm 2]"""
    if rave_visits == 0.0:
        return 0.0
    return rave_visits / (visits + rave_visits + 4.0 * visits * rave_visits * policy.bias * policy.bias)


@rave_weight.implement(FUEGO_RAVE)
@kernel
def fuego_schedule(policy, node, visits, rave_visits):
    """Beta = W / (n + W),  W = m / (1 / w_i + m / w_f)                                     [Hashimoto2011, eq. 8]"""
    if rave_visits == 0.0:
        return 0.0
    weight = rave_visits / (1.0 / policy.initial_weight + rave_visits / policy.final_weight)
    return weight / (visits + weight)


# --- Selection -------------------------------------------------------------------------------------------------------


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
