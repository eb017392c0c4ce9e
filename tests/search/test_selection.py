"""The tree policies' formulas, against arithmetic by hand."""

import math

import numpy as np
import pytest
from scipy.stats import chisquare

from tengen.jit import new, record_of
from tengen.rng import seeded
from tengen.search.selection import select
from tengen.search.tree import ILLEGAL, node_record
from tengen.search.tree_policies import (
    FUEGO_RAVE,
    MC_RAVE,
    UCB1,
    UCB1_TUNED,
    UCT_RAVE,
    evaluate,
    log_visits,
    rave_weight,
    terms,
)

pytestmark = pytest.mark.plain
INFINITY = math.inf


def node_with(*moves):
    """A node whose first slots have these (visits, wins, rave_visits, rave_wins); the others are closed."""
    node = new(node_record(16, rave=True))
    node.scale = 1.0
    node.visits[:], node.wins[:] = 1.0, ILLEGAL
    for slot, (visits, wins, rave_visits, rave_wins) in enumerate(moves):
        node.visits[slot], node.wins[slot] = visits, wins
        node.rave_visits[slot], node.rave_wins[slot] = rave_visits, rave_wins
        node.total += visits
    return node


def value(policy, node, slot):
    statistics = (node.visits[slot], node.wins[slot], node.rave_visits[slot], node.rave_wins[slot])
    with np.errstate(all="ignore"):
        return float(evaluate(policy, terms(policy, node), *statistics))


NODE = ((60, 33, 80, 48), (40, 18, 90, 40), (0, 0, 20, 15), (0, 0, 0, 0))
"""n(s) = 100, m(s) = 190"""


@pytest.mark.parametrize(
    ("policy", "slot", "expected", "why"),
    [
        (record_of(UCB1, exploration=0.5, first_play=INFINITY), 0, 0.55 + 0.5 * math.sqrt(math.log(100) / 60), "UCB1"),
        (record_of(UCB1, exploration=0, first_play=INFINITY), 1, 0.45, "greedy without exploration"),
        (record_of(UCB1, exploration=0.5, first_play=INFINITY), 2, INFINITY, "every move is tried once"),
        (record_of(UCB1, exploration=0.5, first_play=1.1), 3, 1.1, "first-play urgency"),
        (
            record_of(UCB1_TUNED, exploration=1, first_play=INFINITY),
            0,
            0.55 + math.sqrt(math.log(100) / 60 * 0.25),
            "V = 0.2475 + 0.3918 is more than a quarter",
        ),
        (record_of(UCB1_TUNED, exploration=1, first_play=INFINITY), 3, INFINITY, "untried"),
        (
            record_of(UCT_RAVE, equivalence=1000, exploration=0, first_play=INFINITY),
            0,
            math.sqrt(1000 / 1300) * 0.6 + (1 - math.sqrt(1000 / 1300)) * 0.55,
            "beta = sqrt(k / (3 n(s) + k))",
        ),
        (
            record_of(UCT_RAVE, equivalence=100, exploration=0.3, first_play=INFINITY),
            1,
            0.5 * (40 / 90 + 0.3 * math.sqrt(math.log(190) / 90)) + 0.5 * (0.45 + 0.3 * math.sqrt(math.log(100) / 40)),
            "beta = 1/2 at n(s) = k",
        ),
        (
            record_of(UCT_RAVE, equivalence=1000, exploration=0, first_play=2),
            2,
            0.75,
            "an untried move: its RAVE value",
        ),
        (record_of(UCT_RAVE, equivalence=1000, exploration=0, first_play=2), 3, 2.0, "no statistics"),
        (
            record_of(UCT_RAVE, equivalence=40, exploration=0, first_play=2, beta_by_move=1),
            1,
            0.5 * 40 / 90 + 0.5 * 0.45,
            "beta = 1/2 at n(s,a) = k",
        ),
        (
            record_of(MC_RAVE, bias=0.1, exploration=0, first_play=INFINITY),
            0,
            0.55 + (0.6 - 0.55) * 80 / (60 + 80 + 4 * 60 * 80 * 0.01),
            "beta = m / (n + m + 4 n m b^2)",
        ),
        (
            record_of(MC_RAVE, bias=0.1, exploration=0.2, first_play=INFINITY),
            1,
            0.45 + (40 / 90 - 0.45) * 90 / (40 + 90 + 4 * 40 * 90 * 0.01) + 0.2 * math.sqrt(math.log(100) / 40),
            "with exploration",
        ),
        (record_of(MC_RAVE, bias=0.1, exploration=0, first_play=INFINITY), 2, 0.75, "RAVE value only"),
        (record_of(MC_RAVE, bias=0.1, exploration=0, first_play=INFINITY), 3, INFINITY, "no statistics"),
        (
            record_of(FUEGO_RAVE, initial_weight=1, final_weight=5000, exploration=0, first_play=1),
            0,
            (60 * 0.55 + 80 / (1 + 80 / 5000) * 0.6) / (60 + 80 / (1 + 80 / 5000)),
            "W = m / (1 / w_i + m / w_f)",
        ),
        (
            record_of(FUEGO_RAVE, initial_weight=1, final_weight=5000, exploration=0, first_play=1),
            3,
            1.0,
            "no statistics",
        ),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_a_formula_agrees_with_arithmetic_by_hand(policy, slot, expected, why):
    assert value(policy, node_with(*NODE), slot) == pytest.approx(expected, rel=2e-6), why


def test_ucb1_tuned_explores_a_move_of_certain_value_less():
    """At Q = 0.99 after a million visits V = 0.0099 + 0.0053 is below a quarter."""
    node = node_with((1e6, 0.99e6, 0, 0))
    policy = record_of(UCB1_TUNED, exploration=1, first_play=INFINITY)
    rate = math.log(1e6) / 1e6
    expected = 0.99 + math.sqrt(rate * (0.0099 + math.sqrt(2 * rate)))
    assert value(policy, node, 0) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    "policy",
    [
        record_of(UCT_RAVE, equivalence=700, first_play=INFINITY),
        record_of(UCT_RAVE, equivalence=700, first_play=INFINITY, beta_by_move=1),
        record_of(MC_RAVE, bias=0.07, first_play=INFINITY),
        record_of(FUEGO_RAVE, initial_weight=0.9, final_weight=4000, first_play=INFINITY),
    ],
    ids=["uct-rave", "uct-rave by move", "mc-rave", "fuego-rave"],
)
def test_the_weight_that_is_shown_is_the_weight_that_is_used(policy):
    node = node_with(*NODE)
    for slot in (0, 1):
        visits, wins, rave_visits, rave_wins = NODE[slot]
        beta = rave_weight(policy, node, float(visits), float(rave_visits))
        expected = (1 - beta) * wins / visits + beta * rave_wins / rave_visits
        assert value(policy, node, slot) == pytest.approx(expected, rel=2e-6)


def test_discounted_visits_are_scaled_before_selection():
    node = node_with((60, 33, 0, 0), (40, 18, 0, 0))
    node.scale, node.total = 0.5, 50.0
    policy = record_of(UCB1, exploration=1, first_play=INFINITY)
    values = np.zeros(16, np.float32)
    with np.errstate(all="ignore"):
        select(policy, node, values, seeded(1), -1)
    assert values[0] == pytest.approx(0.55 + math.sqrt(math.log(50) / 30), rel=2e-6)


def test_ties_are_broken_uniformly_at_random():
    """Untried moves among closed slots: scanning from a random slot would favour those that follow closed ones."""
    node = node_with(*[(0, 0, 0, 0)] * 12)
    for slot in (1, 2, 3, 7):
        node.visits[slot], node.wins[slot] = 1.0, ILLEGAL
    policy = record_of(UCB1, exploration=1, first_play=INFINITY)
    values, rng, counts = np.zeros(16, np.float32), seeded(5), np.zeros(16)
    with np.errstate(all="ignore"):
        for _ in range(800):
            counts[select(policy, node, values, rng, -1)] += 1
    tried = [0, 4, 5, 6, 8, 9, 10, 11]
    assert counts.sum() == counts[tried].sum()
    assert chisquare(counts[tried]).pvalue > 1e-3


def test_a_closed_move_is_not_selected_even_when_only_rave_values_count():
    """Before the first visit the hand-selected schedule gives all weight to the RAVE value."""
    node = node_with((0, 0, 10, 3), (0, 0, 10, 9))
    node.visits[1], node.wins[1], node.total = 1.0, ILLEGAL, 0.0
    policy = record_of(UCT_RAVE, equivalence=1000, exploration=0, first_play=INFINITY)
    with np.errstate(all="ignore"):
        assert select(policy, node, np.zeros(16, np.float32), seeded(1), -1) == 0


def test_the_greatest_value_is_selected_and_closed_moves_never():
    node = node_with(*NODE[:2])
    policy = record_of(UCB1, exploration=0, first_play=INFINITY)
    assert select(policy, node, np.zeros(16, np.float32), seeded(1), -1) == 0
    assert log_visits(node) == pytest.approx(math.log(100), rel=1e-6)


def test_an_untried_pass_has_the_mean_value_of_its_node():
    """(6 + 2) / 20 = 0.4 lies between both moves: the pass is tried only after the better one has a lower value."""
    policy = record_of(MC_RAVE, bias=0, exploration=0, first_play=INFINITY)
    node = node_with((10, 6, 5, 3), (10, 2, 5, 1), (0, 0, 0, 0))
    node.total = 20.0
    values = np.zeros(16, np.float32)
    with np.errstate(all="ignore"):
        assert select(policy, node, values, seeded(1), 2) == 0
        assert values[2] == pytest.approx(0.4)
        assert select(policy, node, values, seeded(1), -1) == 2
        node.wins[0], node.rave_wins[0] = 3.0, 1.0
        node.wins[1] = 4.0
        assert select(policy, node, values, seeded(1), 2) == 2


def test_a_pass_with_rave_visits_or_visits_is_valued_like_any_move():
    policy = record_of(MC_RAVE, bias=0, exploration=0, first_play=INFINITY)
    for known in ((0, 0, 4, 3), (4, 3, 0, 0)):
        node = node_with((10, 6, 5, 3), known)
        values = np.zeros(16, np.float32)
        with np.errstate(all="ignore"):
            assert select(policy, node, values, seeded(1), 1) == 1
        assert values[1] == pytest.approx(0.75)


def test_before_the_first_visit_of_a_node_a_pass_comes_last():
    policy = record_of(UCB1, exploration=1, first_play=INFINITY)
    node = node_with((0, 0, 0, 0), (0, 0, 0, 0))
    node.total = 0.0
    with np.errstate(all="ignore"):
        assert {select(policy, node, np.zeros(16, np.float32), seeded(seed), 0) for seed in range(20)} == {1}
