"""Tree policies: the formulas by which a search values the moves of a node. One function per formula.

A policy is a dataclass of options, a record of them, and the bodies of two verbs. `terms` computes the parts of the
formula that are the same for all moves of a node, so that `evaluate`, called for every move, is fast.

    n(s,a), w = visits, wins        m(s,a), v = rave_visits, rave_wins        n(s) = node.total
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tengen.jit import kernel, record, verb
from tengen.options import option, record_fields
from tengen.registry import TREE_POLICY, Needs, register
from tengen.search.tree import CLOSED

f32 = np.float32


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


# --- The weight of RAVE values, for analysis --------------------------------------------------------------------------


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
