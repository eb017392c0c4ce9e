"""Rates, intervals, Elo, superiority and margins, against SciPy and arithmetic by hand."""

import json
import math

import pytest
from scipy.stats import binomtest

from tengen.arena.scores import Margins, Tally, elo_from_rate, rate_from_elo, wilson_interval


@pytest.mark.parametrize(("wins", "games"), [(0, 10), (10, 10), (1, 1), (7, 10), (69, 100), (1587, 2300)])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_the_interval_is_wilsons(wins, games, confidence):
    expected = binomtest(wins, games).proportion_ci(confidence, method="wilson")
    assert wilson_interval(wins, games, confidence) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_statistics_without_games():
    tally = Tally()
    assert (tally.rate, tally.elo, tally.interval(), tally.superiority) == (None, None, (0.0, 1.0), 0.5)


def test_a_draw_is_half_a_win():
    tally = Tally(wins=6, draws=2, losses=2)
    assert (tally.games, tally.points, tally.rate) == (10, 7, 0.7)
    assert tally.interval() == wilson_interval(7, 10)


@pytest.mark.parametrize(("rate", "elo"), [(0.5, 0), (10 / 11, 400), (1 / 11, -400), (100 / 101, 800), (0.64, 99.95)])
def test_elo_is_logistic_with_400_points_a_factor_of_ten(rate, elo):
    assert elo_from_rate(rate) == pytest.approx(elo, abs=0.01)
    assert rate_from_elo(elo_from_rate(rate)) == pytest.approx(rate)


def test_the_likelihood_of_superiority_is_that_of_the_normal_distribution():
    assert Tally(60, 25, 40).superiority == pytest.approx(0.97725, abs=1e-5)  # (60 - 40) / sqrt(100) = 2
    assert Tally(40, 0, 60).superiority == pytest.approx(0.02275, abs=1e-5)


def test_margins_have_a_mean_and_its_standard_error():
    points = [3.5, -12.5, 0.5, 7.5]
    margins = Margins(len(points), sum(points), sum(point**2 for point in points))
    assert margins.mean == -0.25
    # deviations 3.75, -12.25, 0.75, 7.75: squares 224.75; 224.75 / 3 / 4 = 18.729
    assert margins.standard_error == pytest.approx(math.sqrt(18.7292), abs=1e-4)
    assert Margins(1, 4.5, 20.25).standard_error is None


def test_tallies_can_be_reversed_and_added():
    tally = Tally(5, 1, 3, Margins(9, 20.0, 900.0))
    assert tally.reversed() == Tally(3, 1, 5, Margins(9, -20.0, 900.0))
    assert tally + tally.reversed() == Tally(8, 2, 8, Margins(18, 0.0, 1800.0))


def test_infinite_values_are_null_in_json():
    found = json.loads(json.dumps(Tally(wins=10).to_json(), allow_nan=False))
    assert (found["rate"], found["high"], found["elo"], found["elo_high"]) == (1.0, 1.0, None, None)
    assert found["low"] == pytest.approx(0.7225, abs=1e-4)
