"""Estimates of the score and the ownership of a position, by playouts."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tengen.games.game import Position
from tengen.rng import seeded
from tengen.search.playout_samples import sample_playouts


@dataclass(frozen=True)
class Estimate:
    """The mean of playouts from a position."""

    ownership: dict[str, float]
    """Ownership by the name of each place, from 1 (Black's) to -1 (White's); empty in games without ownership."""
    score: float
    """Black's mean margin."""
    deviation: float
    """Standard deviation of the margins."""


def estimate(config: Any, position: Position, playouts: int) -> Estimate:
    """Play `playouts` playouts of a position by the policy of a config, with random numbers from its seed."""
    game, states = position.game, np.zeros(2, config.state_record(position.game))
    states[0] = position.state_as(states.dtype)
    line = np.zeros(game.longest_playout + 2, np.uint16)
    sums, scores = np.zeros(game.move_slots, np.int64), np.zeros(playouts)
    sample_playouts(config.make_part("policy", game), states, seeded(config.seed, 1), line, sums, scores)
    owners = sums / playouts
    return Estimate(
        ownership={name: float(owners[slot]) for slot, name in game.places().items()},
        score=float(scores.mean()),
        deviation=float(scores.std()),
    )
