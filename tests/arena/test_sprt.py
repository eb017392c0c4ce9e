"""The sequential test against published figures.

Those of pairs were published by Stockfish's testing framework in the project's pull requests 2493, 2971, 3098, 3209
and 3331 (LLR, bounds, and pairs with 0 to 2 points); the last two, and those of single games, are fastchess's tests.
"""

import random

import pytest

from tengen.arena.sprt import Sprt, Verdict, log_likelihood_ratio
from tengen.errors import TengenError

PAIRS: list[tuple[tuple[float, float], tuple[int, ...], float]] = [
    ((-0.25, 1.25), (491, 7345, 29693, 7670, 465), 2.96),
    ((0.25, 1.25), (53, 2220, 21459, 2445, 47), 2.97),
    ((-0.25, 1.25), (253, 4282, 17604, 4431, 286), 2.94),
    ((0.25, 1.25), (58, 3302, 33130, 3518, 84), 2.97),
    ((-1, 3), (424, 2948, 5832, 3045, 460), 2.94),
    ((0, 2), (1284, 17437, 55536, 18085, 1292), 2.94),
    ((-0.5, 1.5), (17, 253, 1042, 337, 39), 2.96),
    ((0.25, 1.75), (11, 407, 3238, 513, 11), 2.93),
    ((-0.25, 1.25), (115, 2196, 11328, 2317, 136), 2.94),
    ((0.25, 1.25), (14, 1030, 14318, 1163, 19), 2.93),
    ((0.5, 2.5), (223, 9863, 21279, 10037, 246), -3.07),
    ((0, 2), (871, 26175, 55983, 26678, 821), -4.98),
]
GAMES: list[tuple[tuple[float, float], tuple[int, ...], float]] = [
    ((0.5, 2.5), (21184, 40708, 21404), -1.57),
    ((0, 2), (57030, 106593, 57433), -2.59),
]


@pytest.mark.parametrize(("bounds", "counts", "published"), PAIRS + GAMES)
def test_the_log_likelihood_ratio_is_the_published_one(bounds, counts, published):
    assert Sprt(*bounds).ratio(counts) == pytest.approx(published, abs=0.0151)


def test_without_draws_it_is_the_ratio_of_binomial_likelihoods():
    """70 wins of 100: 70 log(p1 / p0) + 30 log((1 - p1) / (1 - p0)), with p0 = 1/2, p1 = 10/11."""
    by_hand = 70 * 0.597837 + 30 * -1.704748
    assert log_likelihood_ratio((30, 0, 70), 0.5, 10 / 11) == pytest.approx(by_hand, abs=0.02)


def test_the_bounds_are_walds():
    test = Sprt(0, 10)
    assert (test.lower, test.upper) == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert Sprt(0, 10, alpha=0.01, beta=0.1).upper == pytest.approx(4.4998, abs=1e-4)


def test_a_verdict_is_reached_when_a_bound_is_crossed():
    test = Sprt(0, 100)
    assert test.verdict((0, 0, 0)) is Verdict.OPEN
    assert test.verdict((5, 0, 6)) is Verdict.OPEN
    assert test.verdict((20, 0, 60)) is Verdict.UPPER
    assert test.verdict((60, 0, 40)) is Verdict.LOWER


@pytest.mark.parametrize(("rate", "wrong"), [(0.5, Verdict.UPPER), (0.64, Verdict.LOWER)])
def test_error_rates_agree_with_alpha_and_beta(rate, wrong):
    """0 and 100 Elo are rates of 0.5 and 0.64. Of 150 tests, at 5 % wrong ones 7.5 are expected, with deviation 2.7."""
    chance, test, wrong_ones = random.Random(5), Sprt(0, 100), 0
    for _ in range(150):
        counts, verdict = [0, 0, 0], Verdict.OPEN
        while verdict is Verdict.OPEN:
            for _ in range(4):  # tested after every fourth game only, for speed
                counts[2 if chance.random() < rate else 0] += 1
            verdict = test.verdict(counts)
        wrong_ones += verdict is wrong
    assert wrong_ones <= 7.5 + 3 * 2.7


@pytest.mark.parametrize("text", ["", "1", "2,1", "0,0", "a,b", "0,10,0.05", "0,10,0.6,0.05", "0,inf", "nan,3"])
def test_an_invalid_sprt_is_refused(text):
    with pytest.raises(TengenError):
        Sprt.parse(text)


def test_an_sprt_is_parsed_from_text():
    assert Sprt.parse("0,30") == Sprt(0, 30)
    assert Sprt.parse("-5, 5, 0.1, 0.2") == Sprt(-5, 5, 0.1, 0.2)
