"""The error of Monte-Carlo estimates: the mean result of playouts against the label of a position.

For N playouts with mean m from a position with label y, the mean squared error (m - y)^2 is the sum of the squared bias
of the policy and the variance of the mean. The variance of one playout is estimated by N m (1 - m) / (N - 1), so that
of the mean by m (1 - m) / (N - 1); the rest of the squared error estimates the squared bias without bias of its own.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tengen.benchmarks.kernels import repeat_playouts
from tengen.errors import TengenError
from tengen.games.game import Game, Position
from tengen.papers.experiment import Measurement, Result, Settings
from tengen.papers.labelled_positions import labelled_positions
from tengen.papers.quantities import mean_of
from tengen.players import PolicyConfig, parse_player
from tengen.rng import seeded

MSE = mean_of("squared_error", "MSE, results 0 and 1")
MSE_RETURNS = mean_of("squared_error", "MSE, results -1 and 1", factor=4.0)
SQUARED_BIAS = mean_of("squared_bias", "squared bias")
SPREAD = mean_of("variance", "variance of the mean", decimals=5)


def playout_error(part: int, *, policy: str, playouts: int, positions: str) -> Result:
    """Return the squared error of the mean of playouts from one labelled position, its parts, and the mean itself.

    `policy` describes a player without search; `positions` is a file, or empty for that of the package.
    """
    labelled = labelled_positions(Path(positions) if positions else None)[part]
    mean = _mean_result(policy, labelled.position(), playouts, seed=part)
    squared_error, variance = (mean - labelled.black_wins) ** 2, mean * (1.0 - mean) / max(1, playouts - 1)
    return {
        "mean": mean,
        "squared_error": squared_error,
        "variance": variance,
        "squared_bias": squared_error - variance,
    }


def _mean_result(policy: str, position: Position, playouts: int, seed: int) -> float:
    """Return Black's mean result of playouts from a position."""
    record, kind = made_policy(policy, position.game)
    states = np.zeros(2, kind)
    states[0] = position.state_as(kind)
    trace = np.zeros(position.game.longest_playout + 2, np.uint16)
    results, _ = repeat_playouts(record, states, seeded(seed), trace, playouts)
    return float(results) / playouts


@lru_cache(maxsize=64)
def made_policy(policy: str, game: Game) -> tuple[Any, np.dtype]:
    """Return the record of a playout policy, given as a player without search, and the record of its states."""
    config = parse_player(policy).config
    if not isinstance(config, PolicyConfig):
        raise TengenError(f"{policy} searches: only a playout policy has playouts of its own")
    return config.make_part("policy", game), config.state_record(game)


def error_of(policy: str, settings: Settings, parts: int = 0) -> Measurement:
    """Return the measurement of a policy on all labelled positions, or the first `parts`, `samples` playouts each."""
    available = len(labelled_positions(settings.positions))
    return Measurement(
        f"error of {policy}",
        playout_error,
        min(parts or available, available),
        {"policy": policy, "playouts": settings.samples, "positions": str(settings.positions or "")},
    )
