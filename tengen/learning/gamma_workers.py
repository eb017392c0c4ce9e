"""Tasks of learning gammas for worker processes, and the worker that does them."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from tengen.games.go.game import Go
from tengen.learning.game_moves import GameMoves
from tengen.learning.gamma_lessons import Lesson, TeamScratch, learn_games
from tengen.policies.go.move_features import GROUPS
from tengen.policies.go.shape_features import feature_set

RANKS = 50
"""Ranks of the move played that are told apart."""


@dataclass(frozen=True)
class GammaTask:
    """An action of gamma_lessons.py with all positions of some games."""

    number: int
    size: int
    patterns: str
    games: GameMoves = field(repr=False)
    action: int
    gammas: np.ndarray = field(repr=False)
    group: int = 0


@dataclass(frozen=True)
class GammaResult:
    """The result of the action: see gamma_lessons.Lesson. Likelihoods are sums of logarithms."""

    number: int
    sums: np.ndarray
    ranks: np.ndarray
    positions: int
    log_likelihood: float
    uniform: float


class GammaWorker:
    """Does tasks of learning gammas in its own process."""

    def __call__(self, task: GammaTask) -> GammaResult:
        slots = Go(task.size).move_slots
        scratch = TeamScratch(
            marks=np.zeros(slots, np.uint8),
            points=np.zeros(slots, np.uint16),
            features=np.zeros((slots, GROUPS), np.int32),
            strengths=np.zeros(slots),
        )
        lesson = Lesson(
            action=task.action,
            group=task.group,
            gammas=task.gammas,
            sums=np.zeros(len(task.gammas)),
            ranks=np.zeros(RANKS, np.int64),
        )
        games = task.games
        positions, likelihood, uniform = learn_games(
            _view(task.patterns, task.size),
            _start(task.size),
            games.moves,
            games.starts,
            games.skipped,
            lesson,
            scratch,
        )
        return GammaResult(task.number, lesson.sums, lesson.ranks, int(positions), float(likelihood), float(uniform))


@lru_cache(maxsize=2)
def _view(patterns: str, size: int) -> Any:
    return feature_set(patterns).view(size)


def _start(size: int) -> np.ndarray:
    """Return two states, of which the first is the start of a game."""
    game = Go(size, ko="simple")
    states = np.zeros(2, game.tactical_record)
    game.reset(states[0])
    return states
