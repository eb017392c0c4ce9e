"""Estimates, intervals and comparisons, against arithmetic by hand."""

import math
from typing import Any

import pytest

from tengen.arena.scores import Margins, Tally
from tengen.papers.experiment import Published
from tengen.papers.quantities import (
    DRAWS,
    MARGIN,
    RATE,
    Estimate,
    Quantity,
    elo,
    mean_of,
    p_value,
    ratio_of,
    verdict,
)


def estimated(quantity: Quantity, results: Any) -> Estimate:
    """Return an estimate that must exist."""
    found = quantity.estimate(results)
    assert found is not None
    return found


TALLY = Tally(wins=60, draws=10, losses=30, margins=Margins(2, 6.0, 20.0))


def test_the_rate_counts_a_draw_as_half_a_win():
    found = estimated(RATE, TALLY)
    assert (found.value, found.samples) == (65.0, 100)
    assert found.low < 65 < found.high
    assert RATE.estimate(Tally()) is None


def test_draws_and_margins():
    assert estimated(DRAWS, TALLY).value == 10.0
    margin = estimated(MARGIN, TALLY)  # margins 2 and 4: standard error 1
    assert margin.value == 3.0
    assert margin.high - margin.value == pytest.approx(1.959964)


def test_a_rating_follows_from_the_rate_and_the_anchor():
    found = estimated(elo(1800), Tally(wins=10, losses=1))
    assert found.value == pytest.approx(1800 + 400)
    assert math.isinf(estimated(elo(1800), Tally(wins=3)).value)


def test_a_mean_has_the_interval_of_its_parts():
    found = estimated(mean_of("a", "a", factor=2.0), [{"a": 1.0}, {"a": 2.0}, {"a": 3.0}])
    assert found.value == 4.0
    assert found.high - found.value == pytest.approx(1.959964 * 2 / math.sqrt(3))
    assert math.isinf(estimated(mean_of("a", "a"), [{"a": 1.0}]).high)
    assert mean_of("a", "a").estimate([]) is None


def test_a_ratio_is_that_of_the_sums():
    found = estimated(ratio_of("a", "b", "ratio"), [{"a": 1.0, "b": 2.0}, {"a": 2.0, "b": 2.0}])
    assert found.value == 0.75
    assert found.high - found.value == pytest.approx(1.959964 * math.sqrt(2 * (0.25 + 0.25)) / 4)
    assert ratio_of("a", "b", "ratio").estimate([{"a": 1.0, "b": 0.0}]) is None


@pytest.mark.parametrize(
    ("published", "expected"),
    [
        (Published(52), "agrees"),
        (Published(56), "lower"),
        (Published(44), "higher"),
        (Published(56, error=3.0), "agrees"),  # sqrt(4^2 + 5.88^2) > 6
        (Published(44, high=100), "agrees"),
        (Published(56, high=100), "lower"),
        (Published(60, low=40), "agrees"),
        (Published(45, low=40), "higher"),
    ],
)
def test_the_verdict_takes_both_errors_into_account(published, expected):
    assert verdict(Estimate(50, 46, 54, 100), published) == expected


def test_the_p_value_of_a_difference():
    error = 1.959964
    first, second = Estimate(3, 3 - error, 3 + error, 9), Estimate(0, -error, error, 9)
    assert p_value(first, second) == pytest.approx(2 * (1 - 0.98305257), rel=1e-3)  # z = 3 / sqrt(2)
    assert p_value(Estimate(1, 1, 1, 0), Estimate(2, 2, 2, 0)) == 1.0
