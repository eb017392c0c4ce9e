"""Statistics of games between two sides: rate, interval, Elo, likelihood of superiority, margins.

A draw counts as half a win and half a loss.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95
"""Default confidence of intervals."""


def normal_quantile(confidence: float = CONFIDENCE) -> float:
    """The z for which the interval of ± z standard deviations holds this share of a normal distribution."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson_interval(successes: float, trials: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """(p + z^2/2n ± z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2/n)                                    [Wilson1927]

    The rates that a score test at this confidence does not reject; (0, 1) without trials.
    """
    if not trials:
        return 0.0, 1.0
    z2 = normal_quantile(confidence) ** 2
    rate = successes / trials
    middle = (rate + z2 / (2 * trials)) / (1 + z2 / trials)
    half = math.sqrt(z2 * (rate * (1 - rate) / trials + z2 / (4 * trials * trials))) / (1 + z2 / trials)
    return (0.0 if successes <= 0 else middle - half), (1.0 if successes >= trials else middle + half)


def elo_from_rate(rate: float) -> float:
    """400 log10(p / (1 - p)), the rating difference at which a rate is expected; infinite at 0 and 1."""
    if rate <= 0:
        return -math.inf
    return math.inf if rate >= 1 else 400 * math.log10(rate / (1 - rate))


def rate_from_elo(elo: float) -> float:
    """1 / (1 + 10^(-elo / 400)), the rate expected at a rating difference."""
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Margins:
    """Sums over the margins of counted games, in points; negative for a loss."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    @property
    def mean(self) -> float | None:
        return self.total / self.count if self.count else None

    @property
    def standard_error(self) -> float | None:
        """sqrt(sum (x - mean)^2 / (n - 1) / n); None for fewer than two games."""
        if self.count < 2:
            return None
        spread = max(0.0, self.squares - self.total * self.total / self.count)
        return math.sqrt(spread / (self.count - 1) / self.count)

    def __add__(self, other: "Margins") -> "Margins":
        return Margins(self.count + other.count, self.total + other.total, self.squares + other.squares)

    def reversed(self) -> "Margins":
        """The same games from the other side's point of view."""
        return Margins(self.count, 0.0 - self.total, self.squares)  # not -total, which may be -0.0


@dataclass(frozen=True)
class Tally:
    """Results of games from one side's point of view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    margins: Margins = Margins()

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def rate(self) -> float | None:
        return self.points / self.games if self.games else None

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Wilson's interval of the rate; slightly too wide if there are draws."""
        return wilson_interval(self.points, self.games, confidence)

    @property
    def elo(self) -> float | None:
        """The rating difference at which this rate is expected.

        Without draws it equals the Bradley-Terry rating. With draws, Davidson's model (`ratings.rate`) compares wins
        with losses only, and gives a greater difference.
        """
        return None if self.rate is None else elo_from_rate(self.rate)

    @property
    def superiority(self) -> float:
        """P(stronger) = Phi((wins - losses) / sqrt(wins + losses)), from decided games with a flat prior."""
        decided = self.wins + self.losses
        return NormalDist().cdf((self.wins - self.losses) / math.sqrt(decided)) if decided else 0.5

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.wins + other.wins, self.draws + other.draws, self.losses + other.losses, self.margins + other.margins
        )

    def reversed(self) -> "Tally":
        """The same games from the other side's point of view."""
        return Tally(self.losses, self.draws, self.wins, self.margins.reversed())

    def to_json(self) -> dict[str, float | int | None]:
        """Return the statistics as JSON values; infinite or unknown ones are null."""
        low, high = self.interval()
        found: dict[str, float | int | None] = {
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "rate": self.rate,
            "low": low,
            "high": high,
            "elo": self.elo,
            "elo_low": elo_from_rate(low),
            "elo_high": elo_from_rate(high),
            "superiority": self.superiority,
            "margin": self.margins.mean,
            "margin_error": self.margins.standard_error,
        }
        return {key: value if value is None or math.isfinite(value) else None for key, value in found.items()}
