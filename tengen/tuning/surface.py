"""The response surface: a quadratic in the log-odds of winning, fitted to games."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tengen.arena.scores import normal_quantile

PRIOR_DEVIATIONS = {"level": 2.0, "slope": 1.0, "curve": 1.0, "twist": 0.3}
"""Prior standard deviations of the coefficients: differences above about 400 Elo between the limits are unlikely, and
interactions of parameters are small. Without the second, a study of ten parameters would mostly fit their pairs."""


def terms_of(points: np.ndarray) -> np.ndarray:
    """Return the design matrix: for each point a row of 1, u_i, and u_i u_j for i <= j."""
    count = points.shape[1]
    pairs = [points[:, i] * points[:, j] for i in range(count) for j in range(i, count)]
    return np.column_stack([np.ones(len(points)), points, *pairs])


@dataclass(frozen=True)
class Rate:
    """A win rate with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.value:.1f} % ({100 * self.low:.1f} % to {100 * self.high:.1f} %)"


@dataclass(frozen=True)
class Surface:
    """The posterior of the response surface: mean and covariance of the coefficients."""

    mean: np.ndarray
    covariance: np.ndarray

    @classmethod
    def fit(cls, points: np.ndarray, results: np.ndarray) -> "Surface":
        """Fit the coefficients by Newton's method, with the inverse of the curvature as covariance (Laplace).

        `points` has one row of scaled parameters per game, `results` 1, 0.5 or 0.
        """
        terms = terms_of(points)
        precision = np.diag(1 / np.square(_prior_deviations(points.shape[1])))
        mean = np.zeros(terms.shape[1])
        for _ in range(100):
            rates = 1 / (1 + np.exp(-np.clip(terms @ mean, -30, 30)))
            gradient = terms.T @ (results - rates) - precision @ mean
            curvature = terms.T @ (terms * (rates * (1 - rates))[:, None]) + precision
            step = np.linalg.solve(curvature, gradient)
            mean = mean + step
            if float(np.abs(step).max()) < 1e-9:
                break
        return cls(mean, np.linalg.inv(curvature))

    def rate(self, point: Sequence[float]) -> Rate:
        """Return the win rate at a point, with a 95 % interval that is normal in the log-odds."""
        terms = terms_of(np.array([point], float))[0]
        middle, spread = float(terms @ self.mean), normal_quantile() * math.sqrt(float(terms @ self.covariance @ terms))
        return Rate(*(1 / (1 + math.exp(-height)) for height in (middle, middle - spread, middle + spread)))

    def best(self, chance: np.random.Generator, drawn: bool = False) -> np.ndarray:
        """Return the maximum within the limits of the mean surface, or of one drawn from the posterior."""
        coefficients = self.mean
        if drawn:
            coefficients = chance.multivariate_normal(self.mean, self.covariance, method="cholesky")
        count = _dimensions(len(coefficients))
        best = np.zeros(count)
        points = chance.uniform(-1, 1, (1024, count))
        for spread in (0.0, 0.2, 0.04, 0.008):
            if spread:
                points = np.clip(best + chance.normal(0, spread, (256, count)), -1, 1)
            points = np.vstack([best, points])
            best = points[int((terms_of(points) @ coefficients).argmax())]
        return best


def _prior_deviations(count: int) -> list[float]:
    """Return the prior standard deviations of the coefficients for `count` parameters, in the order of `terms_of`."""
    pairs = ["curve" if i == j else "twist" for i in range(count) for j in range(i, count)]
    return [PRIOR_DEVIATIONS[kind] for kind in ["level", *["slope"] * count, *pairs]]


def _dimensions(coefficients: int) -> int:
    """Return the number n of parameters, from the number (n + 1)(n + 2) / 2 of coefficients."""
    return round((math.sqrt(8 * coefficients + 1) - 3) / 2)


def middle_of(maxima: np.ndarray, surface: Surface) -> np.ndarray:
    """Return the mean of maxima; if the win rate there is below their average, the maximum with the highest rate."""
    rates = [surface.rate(one.tolist()).value for one in maxima]
    mean = maxima.mean(axis=0)
    if surface.rate(mean.tolist()).value >= np.mean(rates):
        return np.asarray(mean)
    return np.asarray(maxima[int(np.argmax(rates))])
