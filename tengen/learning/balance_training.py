"""Simulation balancing: gammas that make the mean result of playouts right.    [SilverTesauro2009] [HuangCoulomLin2010]

Minimises, by gradient descent in theta = log gamma, the mean over positions of the squared error (V* - V)^2 between the
value V* of a position and the expected result V of playouts:

    theta <- theta + alpha (V* - V) g,    g = mean over playouts of result * sum over their moves of psi(s, a)
    psi(s, a) = phi(s, a) - sum_b P(b | s) phi(s, b)
"""

import hashlib
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tengen.errors import TengenError
from tengen.learning.balance_settings import BalanceSettings
from tengen.learning.balance_workers import BalanceResult, BalanceTask, BalanceWorker
from tengen.learning.stepwise import Run, StepwiseTraining
from tengen.learning.valued_positions import ValuedPosition, digest_of
from tengen.policies.go.gamma_table import GammaTable
from tengen.policies.go.learnt_parts import LEAST_ANSWER, MOST_ANSWER, check_for_playouts
from tengen.policies.go.shape_features import feature_set
from tengen.policies.go.urgency_table import SQUARES
from tengen.rng import mix_integer

PARTS = 4
"""The positions of a step are divided into this many tasks."""
MEASURED = ("mse", "squared_bias", "variance", "bias", "expected_value")
"""What every measurement has, as means over the held-out positions: the squared error of the mean of check_playouts
playouts, that of their expected result, the variance of one result, the signed error, and the value."""
NEARLY = 0.05
"""A position is decided if the value differs less from 0 or 1."""
MEASUREMENT_STREAM = 2**62
LEAST_SHAPE, MOST_SHAPE = 1e-3, 1e3


def with_few_decided(positions: tuple[ValuedPosition, ...], share: float) -> tuple[ValuedPosition, ...]:
    """Return the positions without those decided ones by which the share of decided ones would exceed `share`."""
    kept: list[ValuedPosition] = []
    decided = 0
    for one in positions:
        is_decided = not NEARLY <= one.value <= 1 - NEARLY
        if is_decided and decided + 1 > share * (len(kept) + 1):
            continue
        kept.append(one)
        decided += is_decided
    return tuple(kept)


def theta_limits() -> tuple[np.ndarray, np.ndarray]:
    """Return the least and the largest theta of each feature: those of the policy, 0 for features it does not have."""
    features = feature_set(SQUARES)
    low, high = np.zeros(features.count), np.zeros(features.count)
    low[features.kept_in_playouts], high[features.kept_in_playouts] = np.log(LEAST_ANSWER), np.log(MOST_ANSWER)
    shapes, self_atari = (features.groups[name] for name in ("shape", "self_atari"))
    low[shapes.start : shapes.stop], high[shapes.start : shapes.stop] = np.log(LEAST_SHAPE), np.log(MOST_SHAPE)
    high[self_atari.start : self_atari.stop] = 0.0
    return low, high


def digest_of_gammas(gammas: np.ndarray) -> str:
    """Return a checksum of gammas."""
    return hashlib.sha256(gammas.astype("<f8").tobytes()).hexdigest()[:16]


class BalanceTraining(StepwiseTraining):
    """A training by simulation balancing. A step is an update by the gradient of a batch of positions."""

    measured: ClassVar = MEASURED
    worker: ClassVar = BalanceWorker
    step_name = "step"

    def __init__(
        self, settings: BalanceSettings, positions: tuple[ValuedPosition, ...], start: GammaTable | None, path: Path
    ):
        """Begin with the gammas `start`, or with all gammas 1, or continue from the checkpoint."""
        self.settings, self.features = settings, feature_set(SQUARES)
        gammas = np.ones(self.features.count)
        if start is not None:
            check_for_playouts(start)
            gammas = start.gammas[: self.features.count]
        self._low, self._high = theta_limits()
        self._digests = {"positions": digest_of(positions), "start": digest_of_gammas(gammas)}
        used = with_few_decided(positions, settings.decided)
        self.learnt = tuple(one for number, one in enumerate(used, 1) if number % settings.holdout)
        self.held_out = tuple(one for number, one in enumerate(used, 1) if number % settings.holdout == 0)
        if not self.learnt or not self.held_out:
            raise TengenError(f"{len(used):,} positions are too few for a holdout of one in {settings.holdout:,}")
        shapes = self.features.groups["shape"]
        self._step_sizes = np.full(self.features.count, settings.alpha)
        self._step_sizes[shapes.start : shapes.stop] *= settings.shapes
        self._order: tuple[int, list[int]] = (-1, [])
        self._arrays = {"theta": np.clip(np.log(gammas), self._low, self._high)}
        super().__init__(path)

    @property
    def described(self) -> dict[str, Any]:
        return {**asdict(self.settings), **self._digests}

    @property
    def state(self) -> dict[str, np.ndarray]:
        return self._arrays

    def resume(self, arrays: dict[str, np.ndarray]) -> None:
        self._arrays = arrays

    @property
    def limits(self) -> dict[str, tuple[float, float]]:
        return {"theta": (float(self._low.min()), float(self._high.max()))}

    @property
    def gammas(self) -> np.ndarray:
        return np.asarray(np.exp(self._arrays["theta"]))

    def write_result(self) -> None:
        about = {**self.described, "steps": self.progress.steps, "total_playouts": self.progress.games}
        GammaTable(SQUARES, self.gammas, about).save(self.path)

    def _tasks(self, positions: tuple[ValuedPosition, ...], stream: int, **how: Any) -> list[BalanceTask]:
        """Return tasks for positions, whose random numbers have streams from `stream` on."""
        settings, numbers = self.settings, np.array_split(np.arange(len(positions)), PARTS)
        return [
            BalanceTask(
                number=part,
                size=settings.size,
                komi=settings.komi,
                positions=tuple(positions[number] for number in some),
                streams=tuple(stream + int(number) for number in some),
                seed=settings.seed,
                gammas=self.gammas,
                **how,
            )
            for part, some in enumerate(numbers)
            if len(some)
        ]

    def batch_of(self, step: int) -> tuple[ValuedPosition, ...]:
        """Return the positions of a step. All are used once, in random order, before one is used again."""
        count, first = len(self.learnt), step * self.settings.batch
        numbers = range(first, first + self.settings.batch)
        return tuple(self.learnt[self._ordered(number // count)[number % count]] for number in numbers)

    def _ordered(self, epoch: int) -> list[int]:
        """Return the order of the positions in an epoch."""
        if self._order[0] != epoch:
            base = mix_integer(mix_integer(self.settings.seed) + epoch)
            self._order = epoch, sorted(range(len(self.learnt)), key=lambda number: mix_integer(base + number))
        return self._order[1]

    def advance(self, run: Run) -> dict[str, float]:
        """Update theta by the mean gradient of a batch."""
        step, settings = self.progress.steps, self.settings
        tasks = self._tasks(self.batch_of(step), (step + 1) * settings.batch, playouts=settings.playouts)
        results: list[BalanceResult] = run(tasks)
        gradient = np.sum([result.gradient for result in results], axis=0) / settings.batch
        theta, change = self._arrays["theta"], self._step_sizes * gradient
        theta[:] = np.clip(theta + change, self._low, self._high)
        return {
            "games": 2 * settings.playouts * settings.batch,
            "batch_squared_bias": sum(result.squared_error for result in results) / settings.batch,
            "batch_bias": sum(result.error for result in results) / settings.batch,
            "largest_change": float(np.abs(change).max()),
        }

    def measure(self, run: Run) -> dict[str, float]:
        """Return the errors of playouts on the held-out positions."""
        count = self.settings.check_playouts
        results: list[BalanceResult] = run(self._tasks(self.held_out, MEASUREMENT_STREAM, playouts=count, learns=False))
        return errors_of(np.concatenate([result.means for result in results]), self.held_out, count)

    def report(self) -> dict[str, Any]:
        gammas = {
            name: [float(f"{gamma:.4g}") for gamma in self.gammas[numbers.start : numbers.stop]]
            for name, numbers in self.features.groups.items()
            if name != "shape" and self.features.kept_in_playouts[numbers.start : numbers.stop].any()
        }
        gammas["last"] = gammas["last"][1:3]
        positions = {"positions": len(self.learnt), "holdout_positions": len(self.held_out)}
        return {**super().report(), **positions, "gammas": gammas}


def errors_of(means: np.ndarray, positions: tuple[ValuedPosition, ...], playouts: int) -> dict[str, float]:
    """Return the numbers in MEASURED from the mean results of `playouts` playouts from each position.

    The variance of one result is estimated by m (1 - m) K / (K - 1), and its share 1 / K of the squared error is
    subtracted to estimate the squared error of the expected result.
    """
    values = np.array([one.value for one in positions])
    variance = float((means * (1.0 - means)).mean() * playouts / (playouts - 1))
    mse = float(((means - values) ** 2).mean())
    return {
        "mse": mse,
        "squared_bias": mse - variance / playouts,
        "variance": variance,
        "bias": float((means - values).mean()),
        "expected_value": float(values.mean()),
    }
