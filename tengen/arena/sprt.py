"""The sequential probability ratio test (SPRT): stop a match as soon as it decides between two Elo differences.

This is the generalised SPRT as used for chess programs: each likelihood is that of the most likely distribution of
results with the expected score of the hypothesis. Games on paired openings are counted by pairs, since the two games
of a pair are not independent: results 0, 1/2, 1, 3/2 and 2 of a pair, the pentanomial model.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tengen.arena.scores import rate_from_elo
from tengen.errors import TengenError, shortened

UNSEEN = 1e-3
"""Count used for a result that never occurred, so that its probability is not zero: the same value as fishtest's."""


class Verdict(Enum):
    """State of a test: undecided, or the accepted hypothesis."""

    OPEN = "open"
    LOWER = "elo0"
    UPPER = "elo1"


@dataclass(frozen=True)
class Sprt:
    """A test of elo0 against elo1 with error probabilities alpha (elo1 accepted wrongly) and beta (elo0 wrongly)."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise TengenError(f"elo0 must be less than elo1, both finite, not {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise TengenError(f"alpha and beta must be between 0 and 0.5, not {self.alpha:g} and {self.beta:g}")

    @staticmethod
    def parse(text: str) -> "Sprt":
        """Parse 'elo0,elo1' or 'elo0,elo1,alpha,beta'."""
        try:
            numbers = [float(part) for part in text.split(",")]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 4):
            raise TengenError(
                f"{shortened(text)} is not a sequential test: write elo0,elo1 or elo0,elo1,alpha,beta, as in 0,30"
            )
        return Sprt(*numbers)

    @property
    def lower(self) -> float:
        """log(beta / (1 - alpha)): at or below, elo0 is accepted                                          [Wald1945]"""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """log((1 - beta) / alpha): at or above, elo1 is accepted                                          [Wald1945]"""
        return math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[float]) -> float:
        """Return the log-likelihood ratio; `counts` are of loss, draw, win, or of pairs with 0, 1/2, ..., 2 points."""
        return log_likelihood_ratio(counts, rate_from_elo(self.elo0), rate_from_elo(self.elo1))

    def verdict(self, counts: Sequence[float]) -> Verdict:
        return self.judge(self.ratio(counts))

    def judge(self, ratio: float) -> Verdict:
        """Return the verdict for a log-likelihood ratio."""
        if ratio >= self.upper:
            return Verdict.UPPER
        return Verdict.LOWER if ratio <= self.lower else Verdict.OPEN


def log_likelihood_ratio(counts: Sequence[float], score0: float, score1: float) -> float:
    """sum_i n_i log(p1_i / p0_i), with p_k the most likely distribution of expected score k.

    `counts` holds the number of occurrences of each result, from worst to best; their values are 0 to 1 in equal steps.
    """
    if not sum(counts):
        return 0.0
    seen = [max(count, UNSEEN) for count in counts]
    total = sum(seen)
    values = [index / (len(seen) - 1) for index in range(len(seen))]
    shares = [count / total for count in seen]
    likely0, likely1 = (_likeliest(values, shares, score) for score in (score0, score1))
    return sum(count * math.log(after / before) for count, before, after in zip(seen, likely0, likely1, strict=True))


def _likeliest(values: list[float], shares: list[float], score: float) -> list[float]:
    """p_i = f_i / (1 + x (v_i - s)), with x such that sum_i f_i (v_i - s) / (1 + x (v_i - s)) = 0.

    The distribution of expected score s that maximises the likelihood of the observed shares f. The sum decreases in x
    between the poles at the least and the greatest value, so bisection finds its zero.
    """
    low, high = -1 / (values[-1] - score), 1 / (score - values[0])
    for _ in range(200):
        x = (low + high) / 2
        slope = sum(
            share * (value - score) / (1 + x * (value - score)) for value, share in zip(values, shares, strict=True)
        )
        low, high = (x, high) if slope > 0 else (low, x)
        if high - low <= 1e-15 * max(abs(low), abs(high)):
            break
    x = (low + high) / 2
    return [share / (1 + x * (value - score)) for value, share in zip(values, shares, strict=True)]
