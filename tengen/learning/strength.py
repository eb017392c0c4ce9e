"""Measurement of the strength of learnt weights: games of the greedy policy against others, at growing intervals."""

from typing import Any

import numpy as np

from tengen.games.go.game import Go
from tengen.jit import record_of
from tengen.learning.duel import duel
from tengen.learning.training_settings import TrainingSettings
from tengen.policies.go.mogo import MOGO
from tengen.policies.uniform import UNIFORM
from tengen.rng import seeded

FIRST_MEASUREMENT = 100
"""Number of games before the first measurement; the next ones are after 2, 5 and 10 times as many, and so on."""
DUEL_GAMES = 400
"""Games per measurement and opponent: a standard error of at most 2.5 percentage points."""
DUEL_STREAM = 1_000_000
"""First stream of random numbers for measurements, separate from those of the training."""
OPPONENTS = ("uniform", "mogo")


def strength(policy: Any, settings: TrainingSettings, opponent: str, games: int, stream: int) -> float:
    """Return the greedy policy's win rate against the policy `opponent`."""
    greedy = policy.copy()
    greedy.epsilon = 0.0
    game = Go(settings.size, komi=settings.komi)
    states = np.zeros(3, game.tactical_record)
    game.reset(states[0])
    other = record_of(UNIFORM) if opponent == "uniform" else plain_mogo()
    trace = np.zeros(game.longest_playout + 2, np.uint16)
    rng = seeded(settings.seed, DUEL_STREAM + stream)
    return float(duel(greedy, other, states, rng, trace, games)) / games


def plain_mogo() -> Any:
    """Return MoGo's policy as published, with all rules always applied."""
    return record_of(MOGO, save_probability=1.0, pattern_probability=1.0, capture_probability=1.0)
