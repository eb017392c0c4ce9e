"""Quantities of a row: an estimate with its 95 % interval, from the results of games or from measured parts."""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

from tengen.arena.scores import Tally, elo_from_rate, normal_quantile

Z = normal_quantile()


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval and the number of games or parts behind it."""

    value: float
    low: float
    high: float
    samples: int

    def to_json(self) -> dict[str, float | None]:
        """Return the numbers as JSON values; infinite or unknown ones are null."""
        return {key: value if math.isfinite(value) else None for key, value in asdict(self).items()}


@dataclass(frozen=True)
class Published:
    """A published value in the unit of a quantity, with its standard error if the paper has one."""

    value: float
    error: float | None = None
    note: str = ""
    low: float | None = None
    high: float | None = None
    """Ends of the range that the paper states, as in "over 90 %" or "0.9 to 2.2 %"; None: the value itself."""

    def nearest(self, ours: float) -> float:
        """Return the published value to compare ours with: that of a range which is nearest to it."""
        low = self.value if self.low is None else self.low
        high = self.value if self.high is None else self.high
        return min(max(ours, low), high)


@dataclass(frozen=True)
class Quantity:
    """A kind of number: its name, unit and decimals, and how it is computed from a row's results."""

    name: str
    unit: str
    estimate: Callable[[Any], Estimate | None]
    """From a `Tally` of games, or from the results of a measurement's parts; None if there is nothing yet."""
    decimals: int = 1

    def format(self, value: float) -> str:
        if math.isinf(value):
            return "∞" if value > 0 else "-∞"
        return f"{value:,.{self.decimals}f}"


# --- From games -------------------------------------------------------------------------------------------------------


def _rate(tally: Tally) -> Estimate | None:
    if tally.rate is None:
        return None
    low, high = tally.interval()
    return Estimate(100 * tally.rate, 100 * low, 100 * high, tally.games)


def _draws(tally: Tally) -> Estimate | None:
    share = Tally(wins=tally.draws, losses=tally.wins + tally.losses)
    return _rate(share)


def _margin(tally: Tally) -> Estimate | None:
    mean, error = tally.margins.mean, tally.margins.standard_error
    if mean is None:
        return None
    half = math.inf if error is None else Z * error
    return Estimate(mean, mean - half, mean + half, tally.margins.count)


RATE = Quantity("won", "%", _rate)
"""The first player's share of the points, with Wilson's interval; a draw counts half."""
DRAWS = Quantity("drawn", "%", _draws)
"""The share of games without a winner."""
MARGIN = Quantity("mean score", "points", _margin)
"""The mean margin of counted games, with a normal interval."""


def elo(anchor: float) -> Quantity:
    """Return the rating of the first player, if the opponent's is `anchor`."""

    def estimate(tally: Tally) -> Estimate | None:
        if tally.rate is None:
            return None
        low, high = (anchor + elo_from_rate(rate) for rate in tally.interval())
        return Estimate(anchor + elo_from_rate(tally.rate), low, high, tally.games)

    return Quantity("rating", "Elo", estimate, decimals=0)


# --- From measured parts ----------------------------------------------------------------------------------------------


def mean_of(key: str, name: str, unit: str = "", decimals: int = 3, factor: float = 1.0) -> Quantity:
    """Return the mean of a number over the parts, with a normal interval."""

    def estimate(results: Sequence[dict[str, float]]) -> Estimate | None:
        values = [factor * result[key] for result in results]
        if not values:
            return None
        mean = sum(values) / len(values)
        half = math.inf
        if len(values) > 1:
            variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
            half = Z * math.sqrt(variance / len(values))
        return Estimate(mean, mean - half, mean + half, len(values))

    return Quantity(name, unit, estimate, decimals)


def ratio_of(above: str, below: str, name: str, unit: str = "", decimals: int = 3, factor: float = 1.0) -> Quantity:
    """Return the ratio of two sums over the parts, with the interval of the linearised ratio."""

    def estimate(results: Sequence[dict[str, float]]) -> Estimate | None:
        total = sum(result[below] for result in results)
        if not total:
            return None
        ratio = sum(result[above] for result in results) / total
        half = math.inf
        if len(results) > 1:
            squares = sum((result[above] - ratio * result[below]) ** 2 for result in results)
            half = Z * math.sqrt(squares * len(results) / (len(results) - 1)) / total
        return Estimate(factor * ratio, factor * (ratio - half), factor * (ratio + half), len(results))

    return Quantity(name, unit, estimate, decimals)


# --- Comparison -------------------------------------------------------------------------------------------------------

AGREES, HIGHER, LOWER = "agrees", "higher", "lower"


def verdict(ours: Estimate, published: Published) -> str:
    """Compare an estimate with a published value and its standard error (None: unknown, taken as 0).

    They agree unless the difference exceeds the root of the squares of our half interval and 1.96 published errors.
    """
    difference = ours.value - published.nearest(ours.value)
    half = ours.value - ours.low if difference > 0 else ours.high - ours.value
    if abs(difference) <= math.hypot(half, Z * (published.error or 0.0)):
        return AGREES
    return HIGHER if difference > 0 else LOWER


def p_value(first: Estimate, second: Estimate) -> float:
    """The two-sided p-value of a difference, from the half intervals as normal errors."""
    error = math.hypot(first.high - first.low, second.high - second.low) / (2 * Z)
    difference = abs(first.value - second.value)
    return 1.0 if not error else 2 * (1 - NormalDist().cdf(difference / error))
