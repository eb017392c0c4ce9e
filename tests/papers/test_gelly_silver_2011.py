"""The experiments of Gelly and Silver 2011: published values, and players that differ in what is compared."""

import pytest

from tengen.papers.experiment import OURS, PRINTED
from tengen.papers.gelly_silver_2011 import BIAS, BIASES, CHANGES, EXPLORATION, EXPLORATIONS, FINAL_MOVE, SCHEDULES
from tests.papers.compared_players import configs_of, different, rows_of


def test_published_values_are_those_of_table_1():
    published = {row.x: row.published for row in rows_of(SCHEDULES).values() if row.series == "hand-selected"}
    assert {x: value.value for x, value in published.items()} == {3000: 69, 10_000: 82, 70_000: 92}
    published = {row.x: row.published for row in rows_of(SCHEDULES).values() if row.series == "minimum MSE"}
    assert {x: value.value for x, value in published.items() if value} == {70_000: 97}


def test_the_gain_of_the_schedule_is_published_once_in_elo():
    published = {label: row.published for label, row in rows_of(SCHEDULES).items() if row.quantity.unit == "Elo"}
    assert [value.value for value in published.values() if value] == [80]
    assert len(published) == 2


@pytest.mark.parametrize("simulations", ["3,000", "10,000", "70,000"])
def test_only_the_schedule_differs(simulations):
    rows = rows_of(SCHEDULES)
    hand, best = (
        configs_of(rows[f"{name}, {simulations} simulations"])[0] for name in ("hand-selected", "minimum MSE")
    )
    assert different(hand, best) == {"tree_policy", "equivalence", "beta_visits", "bias"}
    assert (hand.equivalence, hand.beta_visits) == (1000, "node")
    assert hand.simulations == int(simulations.replace(",", ""))


def test_simulations_are_in_proportion_to_the_scale():
    numbers = {configs_of(row)[0].simulations for row in rows_of(SCHEDULES, "quick").values()}
    assert numbers == {600, 2000, 14_000}


@pytest.mark.parametrize(
    ("experiment", "option", "values"), [(EXPLORATION, "exploration", EXPLORATIONS), (BIAS, "bias", BIASES)]
)
def test_one_option_varies_from_0_to_1_along_a_curve(experiment, option, values):
    rows = [row for row in rows_of(experiment).values() if row.series == "MC-RAVE"]
    assert [getattr(configs_of(row)[0], option) for row in rows] == list(values)
    assert (values[0], values[-1]) == (0, 1)
    assert [row.x for row in rows[1:]] == list(values[1:])
    assert 0 < rows[0].x < rows[1].x


def test_algorithm_2_is_as_printed():
    row = rows_of(FINAL_MOVE)["Algorithm 2 as printed"]
    config = configs_of(row)[0]
    assert row.variant == PRINTED
    assert (config.tree_policy, config.exploration, config.rave_first) == ("mc-rave", 0, "same")
    assert (config.final_move, config.new_node_visit, config.reuse) == ("eval", True, False)
    assert (config.prior, config.prior_weight, config.prior_on) == ("rlgo", 50, "rave")


def test_single_changes_change_one_option_and_ours_has_all():
    rows = rows_of(FINAL_MOVE)
    printed, ours = (
        configs_of(rows[label])[0] for label in ("Algorithm 2 as printed", "ours: all changes, most visits")
    )
    for label, changes in CHANGES:
        assert rows[label].variant == OURS
        assert different(configs_of(rows[label])[0], printed) == set(changes)
    assert different(ours, printed) == {key for _, changes in CHANGES for key in changes}
    assert ours.final_move == "visits"


def test_final_moves_are_compared_head_to_head():
    assert different(*configs_of(rows_of(FINAL_MOVE)["argmax EVAL v most visits"])) == {"final_move"}
