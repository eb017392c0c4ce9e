"""Ratings against choix, evalica, a general optimiser, and formulas of two players."""

import math
import random

import numpy as np
import pytest
from scipy.optimize import minimize

from tengen.arena.ratings import ELO, rate
from tengen.arena.scores import Tally, rate_from_elo
from tengen.errors import TengenError


def played(strengths: dict[str, float], games: int, draws: float = 0.0, seed: int = 1) -> dict[tuple[str, str], Tally]:
    """Tallies of a round robin between players of these ratings."""
    chance, found = random.Random(seed), {}
    names = list(strengths)
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            expected = rate_from_elo(strengths[first] - strengths[second])
            results = [1 if chance.random() < draws else 2 if chance.random() < expected else 0 for _ in range(games)]
            found[first, second] = Tally(results.count(2), results.count(1), results.count(0))
    return found


STRENGTHS: dict[str, float] = {"a": 0, "b": 60, "c": 150, "d": -90, "e": 300}


def test_ratings_without_draws_are_those_of_choix():
    choix = pytest.importorskip("choix")
    tallies = played(STRENGTHS, 40)
    names = sorted(STRENGTHS)
    data = []
    for (first, second), tally in tallies.items():
        pair = names.index(first), names.index(second)
        data += [pair] * tally.wins + [pair[::-1]] * tally.losses
    expected = choix.opt_pairwise(len(names), data, method="Newton-CG", tol=1e-12)
    assert rate(tallies).elo / ELO == pytest.approx(expected - expected.mean(), abs=1e-6)


def test_ratings_without_draws_are_those_of_evalica():
    evalica = pytest.importorskip("evalica")
    tallies = played(STRENGTHS, 40, seed=2)
    first, second, winners = [], [], []
    for (one, other), tally in tallies.items():
        first += [one] * tally.games
        second += [other] * tally.games
        winners += [evalica.Winner.X] * tally.wins + [evalica.Winner.Y] * tally.losses
    scores = evalica.bradley_terry(first, second, winners, tolerance=1e-12, limit=10_000).scores
    expected = np.log([scores[name] for name in sorted(STRENGTHS)])
    assert rate(tallies).elo / ELO == pytest.approx(expected - expected.mean(), abs=1e-4)


def davidson(values: np.ndarray, tallies: dict[tuple[str, str], Tally], names: list[str]) -> float:
    """The negative log-likelihood, straight from the definition."""
    nu, total = math.exp(values[-1]), 0.0
    for (first, second), tally in tallies.items():
        g, h = math.exp(values[names.index(first)]), math.exp(values[names.index(second)])
        whole = g + h + nu * math.sqrt(g * h)
        total -= tally.wins * math.log(g / whole) + tally.losses * math.log(h / whole)
        total -= tally.draws * math.log(nu * math.sqrt(g * h) / whole)
    return total


def test_ratings_with_draws_have_the_greatest_likelihood_and_its_curvature_as_errors():
    tallies, names = played(STRENGTHS, 60, draws=0.3), sorted(STRENGTHS)
    found = rate(tallies)
    best = minimize(
        lambda free: davidson(np.append([0.0], free), tallies, names),  # the first player's strength is held at 0
        np.zeros(len(names)),
        method="BFGS",
        options={"gtol": 1e-7},
    )
    assert (found.elo - found.elo[0])[1:] / ELO == pytest.approx(best.x[:-1], abs=1e-4)
    assert math.log(found.draw) == pytest.approx(best.x[-1], abs=1e-4)
    variance_of_difference = found.covariance[0, 0] + found.covariance[4, 4] - 2 * found.covariance[0, 4]
    step, columns = 1e-3, range(len(names))
    unit = np.eye(len(names)) * step
    curvature = [
        [
            sum(
                sign * davidson(np.append([0.0], best.x + a * unit[i] + b * unit[j]), tallies, names)
                for a, b, sign in ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))
            )
            / (4 * step * step)
            for j in columns
        ]
        for i in columns
    ]
    assert variance_of_difference / ELO**2 == pytest.approx(np.linalg.inv(curvature)[3, 3], rel=1e-3)


def test_two_players_differ_by_the_elo_of_the_rate_and_err_as_by_hand():
    found = rate({("x", "y"): Tally(75, 0, 25)})
    assert found.elo[0] - found.elo[1] == pytest.approx(190.85, abs=0.01)  # 400 log10(3)
    # The log odds err by 1 / sqrt(n p q) = 1 / sqrt(18.75) = 0.23094, which is 40.12 Elo; each player by half of it.
    assert found.standard_error(0) == pytest.approx(20.06, abs=0.01)
    assert found.superiority(0, 1) == pytest.approx(1 - found.superiority(1, 0))
    assert found.superiority(0, 1) > 0.9999


def test_between_two_players_draws_change_the_errors_but_not_the_ratio_of_wins_and_losses():
    found = rate({("x", "y"): Tally(60, 20, 20)})
    assert found.elo[0] - found.elo[1] == pytest.approx(190.85, abs=0.01)  # 400 log10(60 / 20)
    # nu is such that a fifth is drawn: nu sqrt(3) / (3 + 1 + nu sqrt(3)) = 1/5 gives nu = 1 / sqrt(3).
    assert found.draw == pytest.approx(1 / math.sqrt(3))


def test_anchors_keep_their_ratings_and_shift_the_others():
    tallies = played(STRENGTHS, 40)
    free, anchored = rate(tallies), rate(tallies, {"d": 1800})
    place = anchored.players.index("d")
    assert anchored.elo[place] == pytest.approx(1800)
    assert anchored.standard_error(place) == 0
    assert anchored.elo - 1800 == pytest.approx(free.elo - free.elo[place], abs=1e-6)
    two = rate(tallies, {"a": 0, "e": 1000})
    assert (two.elo[0], two.elo[4]) == pytest.approx((0, 1000))
    assert 0 < two.elo[1] < 1000


def test_a_player_who_lost_no_point_gets_a_finite_rating_marked_as_smoothed():
    found = rate({("x", "y"): Tally(9, 0, 0), ("y", "z"): Tally(5, 0, 4)})
    assert found.smoothed
    assert found.elo[0] > found.elo[1] > found.elo[2]
    assert math.isfinite(found.interval(0)[1])
    assert not rate({("x", "y"): Tally(9, 0, 1)}).smoothed


def test_players_who_never_met_cannot_be_compared():
    with pytest.raises(TengenError, match="not connected"):
        rate({("a", "b"): Tally(1, 0, 1), ("c", "d"): Tally(1, 0, 1)})
    both_anchored = rate({("a", "b"): Tally(1, 0, 1), ("c", "d"): Tally(1, 0, 1)}, {"a": 0, "c": 500})
    assert both_anchored.elo == pytest.approx([0, 0, 500, 500])


def test_intervals_contain_the_true_rating_as_often_as_their_confidence():
    names, inside, total = sorted(STRENGTHS), 0, 0
    truth = np.array([STRENGTHS[name] for name in names])
    truth = truth - truth.mean()
    for seed in range(400):
        found = rate(played(STRENGTHS, 50, seed=seed))
        for place in range(len(names)):
            low, high = found.interval(place)
            inside += low <= truth[place] <= high
            total += 1
    assert 0.93 < inside / total < 0.97


def test_many_players_are_rated_and_games_against_oneself_are_refused():
    strengths = {f"p{number:02}": 10.0 * number for number in range(40)}
    found = rate(played(strengths, 6))
    assert np.corrcoef(found.elo, list(strengths.values()))[0, 1] > 0.9
    with pytest.raises(TengenError, match="itself"):
        rate({("a", "a"): Tally(1, 0, 1)})
