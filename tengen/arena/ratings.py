"""Ratings of many players from their games: the Bradley-Terry model, with draws after Davidson.

    P(i beats j) = g_i / (g_i + g_j + nu sqrt(g_i g_j)),   P(draw) = nu sqrt(g_i g_j) / (g_i + g_j + nu sqrt(g_i g_j))

with Elo rating 400 log10(g). Strengths and nu maximise the likelihood of the games; their errors follow from the
curvature of the likelihood at the maximum.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from tengen.arena.scores import CONFIDENCE, Tally, normal_quantile
from tengen.errors import TengenError

ELO = 400 / math.log(10)
"""Elo points in one unit of log strength."""

STEPS = 200
"""Most steps of Newton's method; it takes five to ten."""

LONGEST_STEP = 2.0
"""Longest step in log strength (347 Elo): far from the maximum, where the likelihood is flat, Newton's step is too
long."""


@dataclass(frozen=True)
class Ratings:
    """Ratings and their errors. `covariance` is in Elo squared, in the order of `players`."""

    players: list[str]
    elo: np.ndarray
    covariance: np.ndarray
    draw: float
    """Davidson's nu; 0 if no game was drawn."""
    smoothed: bool
    """Whether half a win and half a loss were added to every pairing, because the games give no finite ratings."""

    def standard_error(self, player: int) -> float:
        return math.sqrt(max(0.0, float(self.covariance[player, player])))

    def interval(self, player: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
        half = normal_quantile(confidence) * self.standard_error(player)
        return float(self.elo[player]) - half, float(self.elo[player]) + half

    def superiority(self, first: int, second: int) -> float:
        """The probability that the first player is the stronger one."""
        covariance = self.covariance
        variance = float(covariance[first, first] + covariance[second, second] - 2 * covariance[first, second])
        difference = float(self.elo[first] - self.elo[second])
        if variance <= 0:
            return 0.5 if difference == 0 else float(difference > 0)
        return NormalDist().cdf(difference / math.sqrt(variance))


def rate(tallies: Mapping[tuple[str, str], Tally], anchors: Mapping[str, float] | None = None) -> Ratings:
    """Return the ratings of all players in the tallies, each of which is from its first player's side.

    Anchored players keep their given ratings; without anchors, the mean rating is 0. If a group of players never lost a
    point to the others, their difference is unbounded, and the tallies are smoothed. Raises TengenError if some players
    are not connected to the others by games.
    """
    anchors = anchors or {}
    players = sorted({player for pair in tallies for player in pair} | anchors.keys())
    index = {player: number for number, player in enumerate(players)}
    wins, draws = np.zeros((2, len(players), len(players)))
    for (first, second), tally in tallies.items():
        i, j = index[first], index[second]
        if i == j:
            raise TengenError(f"{first} has games against itself, which give no rating")
        wins[i, j] += tally.wins
        wins[j, i] += tally.losses
        draws[i, j] += tally.draws
        draws[j, i] += tally.draws
    fixed = np.array([player in anchors for player in players])
    smoothed = not _is_rated(wins + draws, fixed)
    if smoothed:
        wins = wins + np.where(wins + wins.T + draws > 0, 0.5, 0.0)
        if not _is_rated(wins + draws, fixed):
            raise TengenError("no ratings: some players are not connected to the others by games")
    middle = sum(anchors.values()) / max(1, len(anchors))
    start = np.array([anchors.get(player, middle) / ELO for player in players])
    strengths, log_nu, covariance = _most_likely(wins, draws, start, fixed)
    return Ratings(players, strengths * ELO, covariance * ELO * ELO, math.exp(log_nu), smoothed)


def _is_rated(points: np.ndarray, fixed: np.ndarray) -> bool:
    """Whether a finite maximum exists: every player took a point from every other, if only through other players."""
    reached = (points > 0) | np.eye(len(points), dtype=bool) | np.outer(fixed, fixed)
    for _ in range(max(1, len(points).bit_length())):
        reached = (reached.astype(np.int64) @ reached.astype(np.int64)) > 0
    return bool(reached.all())


def _most_likely(
    wins: np.ndarray, draws: np.ndarray, start: np.ndarray, fixed: np.ndarray
) -> tuple[np.ndarray, float, np.ndarray]:
    """Return log strengths, log nu, and the covariance of the log strengths, by Newton's method with step halving.

    The log-likelihood is concave in log strengths and log nu. Without anchors it is invariant to a common shift of all
    strengths; the pseudo-inverse then gives a step of mean 0.
    """
    count = len(start)
    any_draws = bool(draws.any())
    free = np.append(~fixed, any_draws)
    values = np.append(start, 0.0 if any_draws else -math.inf)
    likelihood, gradient, curvature = _likelihood(wins, draws, values)
    for _ in range(STEPS):
        step = np.zeros(count + 1)
        step[free] = np.linalg.pinv(curvature[np.ix_(free, free)], hermitian=True) @ gradient[free]
        step *= LONGEST_STEP / max(LONGEST_STEP, float(np.abs(step).max()))
        while True:
            tried = values + step
            found, next_gradient, next_curvature = _likelihood(wins, draws, tried)
            if found >= likelihood - 1e-12 * abs(likelihood) or np.abs(step).max() < 1e-12:
                break
            step /= 2
        values, likelihood, gradient, curvature = tried, found, next_gradient, next_curvature
        if np.abs(step).max() < 1e-10:
            break
    covariance = np.zeros((count + 1, count + 1))
    covariance[np.ix_(free, free)] = np.linalg.pinv(curvature[np.ix_(free, free)], hermitian=True)
    return values[:count], float(values[count]), covariance[:count, :count]


def _likelihood(wins: np.ndarray, draws: np.ndarray, values: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the log-likelihood at log strengths and log nu, its gradient, and its negative Hessian.

    With d = r_i - r_j, D = exp(d/2) + exp(-d/2) + nu and the expected half-difference of points
    e = (P(i wins) - P(j wins)) / 2: dP/dd terms are the variance of that half-difference, and of draws.
    """
    count = len(wins)
    strengths, nu = values[:count], math.exp(values[count])
    gap = strengths[:, None] - strengths[None, :]
    scale = np.abs(gap) / 2  # factored out of all exponentials, so that none overflows
    up, down, even = np.exp(gap / 2 - scale), np.exp(-gap / 2 - scale), nu * np.exp(-scale)
    total = up + down + even
    win, loss, draw = up / total, down / total, even / total
    log_total = np.log(total) + scale
    games = wins + wins.T + draws
    upper = np.triu(np.ones_like(games), 1)

    decided = (wins * (gap / 2 - log_total))[~np.eye(count, dtype=bool)].sum()
    drawn = (upper * draws * ((values[count] if nu else 0.0) - log_total)).sum()

    excess = (wins - wins.T) / 2 - games * (win - loss) / 2
    np.fill_diagonal(excess, 0.0)
    more_draws = (upper * (draws - games * draw)).sum()
    gradient = np.append(excess.sum(axis=1), more_draws)

    spread = games * ((win + loss) / 4 - ((win - loss) / 2) ** 2)
    np.fill_diagonal(spread, 0.0)
    curvature = np.zeros((count + 1, count + 1))
    curvature[:count, :count] = np.diag(spread.sum(axis=1)) - spread
    mixed = -games * (win - loss) / 2 * draw
    np.fill_diagonal(mixed, 0.0)
    curvature[:count, count] = curvature[count, :count] = mixed.sum(axis=1)
    curvature[count, count] = (upper * games * draw * (1 - draw)).sum()
    return float(decided + drawn), gradient, curvature
