"""The experiments on open questions: players that differ in what is compared, numbers that fit, and the training."""

import math
from dataclasses import replace
from typing import Any

import pytest

from tengen.papers.beyond import (
    AUTOMATIC_DECAY,
    EXPLORATION_AT_SCALE,
    LARGER_BOARDS,
    MSE_AND_STRENGTH,
    SCALING,
    SPEEDS,
    VARIANCE_PRIOR,
    WITHOUT_SEARCH,
)
from tengen.papers.beyond_urgencies import LARGER_PATTERNS, URGENCIES_19
from tengen.papers.catalogue import find_experiments
from tengen.papers.experiment import OURS, PRINTED, SCALES
from tengen.papers.gelly_silver_2007_policies import MOGO, policies
from tengen.papers.measures.playout_error import MSE
from tengen.papers.outcome import outcome
from tengen.papers.reports.results_file import checked
from tengen.policies.go.urgency_table import DIAMONDS, urgency_table
from tengen.search.search import nodes_within, row_types
from tests.papers.compared_players import configs_of, different, rows_of


def test_an_automatic_decay_plays_the_published_best_one_in_every_game():
    rows = rows_of(AUTOMATIC_DECAY)
    assert len(rows) == 9
    published = {label: row.published.value for label, row in rows.items() if row.published}
    fixed = "best fixed decay v UCT"
    assert published == {f"Othello: {fixed}": 56.3, f"Havannah: {fixed}": 58.2, f"Go: {fixed}": 56.0}
    for label, row in rows.items():
        first, second = configs_of(row)
        assert first.simulations == 50_000
        assert row.work.games == 1000
        assert row.variant == (PRINTED if label.endswith(fixed) else OURS)
        assert different(first, second) <= {"backup", "decay"}


def test_experience_is_constant_or_by_variance():
    rows = rows_of(VARIANCE_PRIOR)
    configs = [configs_of(row)[0] for row in rows.values()]
    assert {config.prior for config in configs} == {"rlgo"}
    assert [config.prior_weight for config in configs] == [10, 25, 50, 100] + 5 * ["variance"]
    assert [config.prior_scale for config in configs[4:]] == [1, 2, 4, 8, 16]


def test_each_policy_has_its_error_and_three_strengths():
    by_quantity: dict[str, dict[str, Any]] = {}
    for label, row in rows_of(MSE_AND_STRENGTH).items():
        by_quantity.setdefault(row.quantity.name, {})[label.partition(": ")[0]] = row
    assert set(MSE_AND_STRENGTH.figure.scatter or ()) < by_quantity.keys()
    errors = by_quantity.pop(MSE.name)
    assert len(errors) == len(policies()) + 2
    assert {row.work.settings["playouts"] for row in errors.values()} == {1000}
    assert len(by_quantity) == 3
    for quantity, found in by_quantity.items():
        assert found.keys() == errors.keys() - ({MOGO} if quantity == WITHOUT_SEARCH.name else set())


@pytest.mark.parametrize(("subject", "option", "value"), [("ε = 0.1", "epsilon", 0.1), ("σ = 0.15", "sigma", 0.15)])
def test_the_search_has_the_measured_policy_and_its_share_of_the_time(subject, option, value):
    rows = rows_of(MSE_AND_STRENGTH)
    search, random = (configs_of(rows[f"{name}: UCT, equal time"])[0] for name in (subject, "π_random"))
    assert (search.policy, getattr(search, option)) == ("rlgo", value)
    assert search.simulations == pytest.approx(SPEEDS[option] * random.simulations)
    assert configs_of(rows[f"{subject}: UCT"])[0].simulations == 5000
    assert rows[f"{subject}: MSE"].work.settings["policy"] == f"rlgo:{option}={value}"


def test_both_learnt_tables_play_manual_at_both_levels():
    rows = rows_of(URGENCIES_19)
    assert [configs_of(row)[0].urgencies for row in rows.values()] == 4 * ["rlpr-19"] + 4 * ["rlpr-9"]
    assert all(configs_of(row)[1].urgencies == "manual" for row in rows.values())
    published = {label: row.published.value for label, row in rows.items() if row.published}
    assert published == {"MC(learnt on 9x9) v MC(Manual): score": -30}


@pytest.mark.parametrize("folder", ["plain", "with space, comma"])
def test_the_diamonds_are_read_from_the_folder_of_the_run(tmp_path, folder):
    path = tmp_path / folder
    rows = rows_of(LARGER_PATTERNS, folder=path)
    assert {configs_of(row)[0].urgencies for row in rows.values()} == {str(path / "diamond-9x9-300x16.urgencies")}


def test_a_move_limit_applies_to_the_smallest_scale_only():
    limits = {scale: {row.work.move_limit for row in rows_of(LARGER_BOARDS, scale).values()} for scale in SCALES}
    assert limits == {"smoke": {40}, "quick": {1000}, "standard": {1000}, "paper": {1000}}


def test_the_ladder_adds_one_technique_after_another_on_both_boards():
    for finding, size in zip(LARGER_BOARDS.findings, (13, 19), strict=True):
        rows = rows_of(LARGER_BOARDS)
        configs = [configs_of(rows[label])[0] for label in finding.labels]
        assert [config.policy for config in configs] == ["uniform", "mogo", "mogo", "mogo"]
        assert [config.rave for config in configs] == [False, False, True, True]
        assert [config.prior for config in configs] == ["none", "none", "none", "mogo"]
        assert {rows[label].work.game.size for label in finding.labels} == {size}


@pytest.mark.parametrize("scale", SCALES)
def test_exploration_is_all_that_differs_and_the_tree_fits_into_memory(scale):
    for row in rows_of(EXPLORATION_AT_SCALE, scale).values():
        first, second = configs_of(row)
        assert different(first, second) == {"exploration"}
        assert second.exploration == 0
        assert nodes_within(first, row_types(first, row.work.game)) > first.simulations == row.x


@pytest.mark.parametrize(("scale", "powers"), [("smoke", [8]), ("quick", [8, 9, 10, 11]), ("paper", [*range(8, 17)])])
def test_each_number_of_simulations_plays_its_half(scale, powers):
    rows = rows_of(SCALING, scale)
    for series in ("UCT(π_MoGo)", "MC-RAVE(π_MoGo, Q_RLGO)", "tengen"):
        chosen = [row for row in rows.values() if row.series == series]
        assert [math.log2(row.x) for row in chosen] == powers
        for row in chosen:
            first, second = configs_of(row)
            assert different(first, second) == {"simulations"}
            assert first.simulations == 2 * second.simulations == row.x


@pytest.mark.long
def test_diamonds_are_learnt_once(tmp_path):
    settings = replace(LARGER_PATTERNS.settings("smoke"), folder=tmp_path)
    assert LARGER_PATTERNS.prepare is not None
    LARGER_PATTERNS.prepare(settings, tmp_path, 1)
    path = tmp_path / "diamond-9x9-1x16.urgencies"
    first = path.read_bytes()
    assert urgency_table(str(path), 9).patterns == DIAMONDS
    LARGER_PATTERNS.prepare(settings, tmp_path, 1)
    assert path.read_bytes() == first


@pytest.mark.parametrize("found", find_experiments("beyond"), ids=lambda found: found.name)
def test_a_result_without_estimates_is_valid(found):
    settings = found.settings("smoke")
    about = {"scale": "smoke", "command": "", "version": "0", "date": "2020-01-01", "seconds": 0.0}
    result = outcome(found, settings, found.rows(settings), lambda row: None, **about)
    assert checked(result)["figure"]["scatter"] in (None, list(MSE_AND_STRENGTH.figure.scatter or ()))
