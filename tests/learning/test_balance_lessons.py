"""Gradients of simulation balancing against the enumeration of all playouts of tiny boards."""

from functools import cache

import numpy as np
import pytest

from tengen.learning.balance_workers import BalanceTask, BalanceWorker
from tengen.learning.valued_positions import ValuedPosition
from tengen.policies.go.shape_features import feature_set
from tests.learning.slow_balance import Playouts

SIZE, KOMI = 2, 1.5
POSITIONS: tuple[tuple[str, ...], ...] = ((), ("A1", "B2"))
"""Moves after which positions are compared. Whole games of 12 moves with captures and kos follow."""
STREAMS, PLAYOUTS = 400, 20


@cache
def gammas() -> np.ndarray:
    """Gammas of all features of playouts, whole multiples of the policy's unit where they are those of shapes."""
    features, rng = feature_set("3x3"), np.random.default_rng(3)
    found = np.ones(features.count)
    shapes = features.groups["shape"]
    found[shapes.start : shapes.stop] = np.rint(1024 * rng.uniform(0.5, 2.0, len(shapes))) / 1024
    for name, values in (("capture", (2, 3, 4, 5)), ("escape", (3, 0.5)), ("self_atari", (0.5, 0.25, 0.75))):
        numbers = features.groups[name]
        found[numbers.start : numbers.stop] = values
    last = features.groups["last"].start
    found[last + 1 : last + 3] = 2.0, 0.5
    return found


def exact(moves: tuple[str, ...], changed: dict[int, float] | None = None) -> tuple[float, dict[int, float]]:
    """Return V and dV of a position, with other thetas for some features."""
    theta = np.log(gammas())
    for number, change in (changed or {}).items():
        theta[number] += change
    playouts = Playouts(SIZE, KOMI, theta)
    return playouts.expected(ValuedPosition(moves, 0.0).position(SIZE, KOMI))


def done(moves: tuple[str, ...], value: float, stream: int, playouts: int, learns: bool = True):
    """Return the result of a task of one position."""
    return BalanceWorker()(
        BalanceTask(
            number=0,
            size=SIZE,
            komi=KOMI,
            positions=(ValuedPosition(moves, value),),
            streams=(stream,),
            seed=11,
            playouts=playouts,
            gammas=gammas(),
            learns=learns,
        )
    )


@pytest.mark.parametrize("moves", POSITIONS)
def test_the_derivative_by_enumeration_is_the_quotient_of_differences(moves):
    _, derivative = exact(moves)
    strongest = sorted(derivative, key=lambda number: -abs(derivative[number]))[:6]
    assert abs(derivative[strongest[0]]) > 0.01
    for number in strongest:
        above, below = (exact(moves, {number: change})[0] for change in (1e-4, -1e-4))
        assert derivative[number] == pytest.approx((above - below) / 2e-4, abs=1e-6)


@pytest.mark.parametrize("moves", POSITIONS)
def test_the_mean_result_is_the_expected_one(moves):
    value, _ = exact(moves)
    assert 0.5 < value < 0.995
    mean = done(moves, 0.0, 1, 40_000, learns=False).means[0]
    assert abs(mean - value) < 4 * (value * (1 - value) / 40_000) ** 0.5


@pytest.mark.parametrize(("moves", "target"), [((), 0.0), (("A1", "B2"), 0.0), (("A1", "B2"), 1.0)])
def test_the_mean_gradient_is_the_error_times_the_derivative(moves, target):
    """E[gradient] = (V* - V) dV: the mean of 400 streams is within 4.5 standard errors of it for each feature."""
    value, derivative = exact(moves)
    found = [done(moves, target, stream, PLAYOUTS) for stream in range(STREAMS)]
    gradients = np.array([result.gradient for result in found])
    numbers = np.flatnonzero(gradients.any(axis=0))
    assert set(numbers) <= set(derivative)
    expected = (target - value) * np.array([derivative[int(number)] for number in numbers])
    errors = gradients[:, numbers].std(axis=0) / STREAMS**0.5
    assert (np.abs(gradients[:, numbers].mean(axis=0) - expected) < 4.5 * errors + 1e-12).all()
    assert (np.abs(expected) > 6 * errors).sum() >= 2
    squared = np.array([result.squared_error for result in found])
    assert abs(squared.mean() - (target - value) ** 2) < 4.5 * squared.std() / STREAMS**0.5


def test_gradients_of_several_positions_add_up():
    tasks = [done(moves, 1.0, number, 5) for number, moves in enumerate(POSITIONS)]
    whole = BalanceWorker()(
        BalanceTask(
            number=0,
            size=SIZE,
            komi=KOMI,
            positions=tuple(ValuedPosition(moves, 1.0) for moves in POSITIONS),
            streams=(0, 1),
            seed=11,
            playouts=5,
            gammas=gammas(),
        )
    )
    assert np.allclose(whole.gradient, np.sum([one.gradient for one in tasks], axis=0), rtol=0, atol=1e-12)
    assert whole.squared_error == pytest.approx(sum(one.squared_error for one in tasks))
    assert whole.error == pytest.approx(sum(one.error for one in tasks))
