"""Minorization-maximization against arithmetic by hand, a general optimiser, and the likelihood that it maximises."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import minimize

from tengen.learning.gamma_lessons import ADD, Lesson, add_competition, rate_teams
from tengen.learning.gamma_training import updated
from tengen.policies.go.move_features import GROUPS


def lesson_for(gammas, group: int) -> Lesson:
    return Lesson(ADD, group, gammas, np.zeros(len(gammas)), np.zeros(1, np.int64))


def teams_of(*features: tuple[int, ...]) -> np.ndarray:
    """Return the features of teams, with 0 in the other groups."""
    made = np.zeros((len(features), GROUPS), np.int32)
    for number, own in enumerate(features):
        made[number, : len(own)] = own
    return made


Competition = tuple[np.ndarray, int]
"""The features of the teams, and the number of the winner."""


def step(gammas: np.ndarray, competitions: list[Competition], numbers: range, group: int, virtual: float) -> np.ndarray:
    """Return the gammas after an update of one group."""
    wins, lesson = np.zeros(len(gammas)), lesson_for(gammas, group)
    for teams, winner in competitions:
        strengths = np.zeros(len(teams))
        total = rate_teams(teams, gammas, len(teams), strengths)
        add_competition(teams, strengths, len(teams), total, lesson)
        wins[teams[winner, group]] += 1
    here, made = slice(numbers.start, numbers.stop), gammas.copy()
    made[here] = updated(gammas[here], wins[here], lesson.sums[here], virtual)
    return made


def log_likelihood(gammas: np.ndarray, competitions: list[Competition], virtual: float) -> float:
    """Return the log-likelihood of the winners and of the virtual games, by plain arithmetic."""
    total = 0.0
    for teams, winner in competitions:
        strengths = [math.prod(float(gammas[feature]) for feature in team) for team in teams]
        total += math.log(strengths[winner] / sum(strengths))
    return total + virtual * sum(math.log(gamma / (1 + gamma) ** 2) for gamma in gammas[1:])


@pytest.mark.plain
def test_sums_and_update_by_hand():
    """Teams (1, 3), (2, 3) and (1,), gammas 2, 3 and 5: strengths 10, 15 and 2, the sum 27.

    For group 0, C_1 = 5 + 1 and C_2 = 5; the second team wins. For group 1, C_3 = 2 + 3.
    """
    gammas, teams = np.array([1.0, 2, 3, 5]), teams_of((1, 3), (2, 3), (1,))
    strengths, first, second = np.zeros(3), lesson_for(gammas, 0), lesson_for(gammas, 1)
    total = rate_teams(teams, gammas, 3, strengths)
    assert [total, *strengths] == [27, 10, 15, 2]
    for lesson in (first, second):
        add_competition(teams, strengths, 3, total, lesson)
    assert list(first.sums) == pytest.approx([0, 6 / 27, 5 / 27, 0])
    assert list(second.sums) == pytest.approx([0, 0, 0, 5 / 27])
    assert list(updated(gammas[1:3], np.array([0.0, 1.0]), first.sums[1:3], 0.0)) == pytest.approx([1e-9, 27 / 5])
    with_virtual = updated(gammas[1:3], np.array([0.0, 1.0]), first.sums[1:3], 0.5)
    assert list(with_virtual) == pytest.approx([0.5 / (6 / 27 + 1 / 3), 1.5 / (5 / 27 + 1 / 4)])


def test_a_feature_that_never_occurs_keeps_the_gamma_1():
    assert list(updated(np.ones(1), np.zeros(1), np.zeros(1), 1.0)) == [1]
    assert list(updated(np.ones(1), np.zeros(1), np.zeros(1), 0.0)) == [1]


def test_two_players_get_the_ratio_of_their_wins():
    """Feature 1 wins seven of ten games against feature 2."""
    competitions = [(teams_of((1,), (2,)), winner) for winner in [0] * 7 + [1] * 3]
    gammas = np.ones(3)
    for _ in range(200):
        gammas = step(gammas, competitions, range(1, 3), 0, 0.0)
    assert gammas[1] / gammas[2] == pytest.approx(7 / 3)


SECOND = range(4, 7)
FIRST = range(1, 4)


def tiny_problem(seed: int) -> list[Competition]:
    """Return competitions of teams with a feature of each of two groups, some without."""
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(40):
        teams = teams_of(*((int(rng.integers(0, 4)), int(rng.choice([0, 4, 5, 6]))) for _ in range(rng.integers(2, 6))))
        drawn.append((teams, int(rng.integers(len(teams)))))
    return drawn


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_gammas_are_those_of_a_general_optimiser(seed):
    competitions, virtual = tiny_problem(seed), 0.5
    best = minimize(
        lambda logs: -log_likelihood(np.exp(np.concatenate([[0], logs])), competitions, virtual), np.zeros(6), tol=1e-12
    )
    gammas = np.ones(7)
    for _ in range(500):
        gammas = step(gammas, competitions, FIRST, 0, virtual)
        gammas = step(gammas, competitions, SECOND, 1, virtual)
    assert np.log(gammas[1:]) == pytest.approx(best.x, abs=1e-4)
    assert log_likelihood(gammas, competitions, virtual) >= -best.fun - 1e-9


@pytest.mark.parametrize("virtual", [0.0, 1.0])
def test_the_likelihood_never_falls(virtual):
    competitions = tiny_problem(4)
    gammas, values = np.ones(7), [-math.inf]
    for number in range(60):
        group, numbers = ((0, FIRST), (1, SECOND))[number % 2]
        gammas = step(gammas, competitions, numbers, group, virtual)
        values.append(log_likelihood(gammas, competitions, virtual))
    assert all(after >= before - 1e-12 for before, after in itertools.pairwise(values))
    assert values[-1] > values[1] > log_likelihood(np.ones(7), competitions, virtual)
