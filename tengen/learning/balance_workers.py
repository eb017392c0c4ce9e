"""Tasks of simulation balancing for worker processes, and the worker that does them."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from tengen.games.go.game import Go
from tengen.games.go.playout import LENGTH_FACTOR
from tengen.learning.balance_lessons import HALVES, BalanceScratch, learn_positions, mean_results
from tengen.learning.valued_positions import ValuedPosition, tactical_state
from tengen.policies.go.gamma_table import GammaTable
from tengen.policies.go.learnt_parts import compiled_policy
from tengen.policies.go.move_features import GROUPS
from tengen.policies.go.shape_features import feature_set
from tengen.policies.go.urgency_table import SQUARES
from tengen.rng import mix_integer


@dataclass(frozen=True)
class BalanceTask:
    """Playouts from some positions, each with its own stream of random numbers."""

    number: int
    size: int
    komi: float
    positions: tuple[ValuedPosition, ...] = field(repr=False)
    streams: tuple[int, ...] = field(repr=False)
    seed: int
    playouts: int
    """Playouts from each position; with `learns`, of each half."""
    gammas: np.ndarray = field(repr=False)
    learns: bool = True
    """Whether to return a gradient, or mean results."""


@dataclass(frozen=True)
class BalanceResult:
    """The sum of the gradients of a task's positions and of their errors, or the mean result of each position."""

    number: int
    gradient: np.ndarray = field(repr=False)
    squared_error: float = 0.0
    error: float = 0.0
    means: np.ndarray = field(default_factory=lambda: np.zeros(0), repr=False)


class BalanceWorker:
    """Does tasks of simulation balancing in its own process."""

    def __call__(self, task: BalanceTask) -> BalanceResult:
        policy, states = _policy(task.gammas.tobytes()), _states(task)
        streams, word = np.array(task.streams, np.uint64), np.uint64(mix_integer(task.seed))
        if not task.learns:
            means, game = np.zeros(len(task.positions)), Go(task.size)
            trace = np.zeros(game.longest_playout + 2, np.uint16)
            mean_results(policy, states, streams, word, np.zeros(2, np.uint64), trace, task.playouts, means)
            return BalanceResult(task.number, np.zeros(0), means=means)
        gradient = np.zeros(len(task.gammas))
        values = np.array([one.value for one in task.positions])
        squared, error = learn_positions(
            policy,
            _view(task.size),
            feature_set(SQUARES).kept_in_playouts,
            states,
            values,
            streams,
            word,
            task.playouts,
            _scratch(task.size),
            gradient,
        )
        return BalanceResult(task.number, gradient, float(squared), float(error))


def _states(task: BalanceTask) -> np.ndarray:
    """Return the states of a task's positions, and a scratch state."""
    found = np.zeros(len(task.positions) + 1, Go(task.size).tactical_record)
    for number, one in enumerate(task.positions):
        found[number] = tactical_state(one.moves, task.size, task.komi)
    return found


@lru_cache(maxsize=1)
def _policy(gammas: bytes) -> Any:
    return compiled_policy(GammaTable(SQUARES, np.frombuffer(gammas)))


@lru_cache(maxsize=2)
def _view(size: int) -> Any:
    return feature_set(SQUARES).view(size)


def _scratch(size: int) -> BalanceScratch:
    features, longest = feature_set(SQUARES).count, LENGTH_FACTOR * size * size
    return BalanceScratch(
        marks=np.zeros(Go(size).move_slots, np.uint8),
        seen=np.zeros(2 * GROUPS * (longest + 1), np.int32),
        directions=np.zeros((HALVES, features)),
        products=np.zeros((HALVES, features)),
    )
