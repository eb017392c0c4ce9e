"""Tasks of urgency learning for worker processes, and the worker that does them.

A task has everything that determines its result, so results do not depend on the number of workers.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from tengen.games.go.game import Go
from tengen.jit import record_of
from tengen.learning.urgency_games import entropies, play_pair
from tengen.learning.urgency_lessons import EVALUATION, evaluated_game
from tengen.learning.urgency_settings import RelativeSettings, UrgencySettings
from tengen.policies.expectation import PriorScratch
from tengen.policies.go.pattern_classes import exchanged_patterns, pattern_classes
from tengen.policies.go.urgency_table import UrgencyTable
from tengen.registry import PRIOR, find_part
from tengen.rng import seeded

STREAMS_PER_STEP = 2**32
"""Random streams reserved for each step of a training."""
LONGEST_GAME = 1.2
"""Evaluated games end after this many moves per point of the board, as the rest fills territory."""


@dataclass(frozen=True)
class PairTask:
    """Games between two tables, each with its urgencies: the first against the second."""

    number: int
    settings: UrgencySettings
    first: UrgencyTable
    second: UrgencyTable
    games: int
    stream: int
    by_score: bool = False
    learns: bool = True


@dataclass(frozen=True)
class PairResult:
    """The lesson of such games (None if nothing is learnt), and the first table's results."""

    number: int
    lesson: np.ndarray | None
    won: float
    margin: float
    squares: float
    moves: int
    games: int


@dataclass(frozen=True)
class GameTask:
    """One game of MC(p) against itself in which candidates are evaluated."""

    number: int
    settings: RelativeSettings
    table: UrgencyTable
    stream: int


@dataclass(frozen=True)
class GameResult:
    """The candidates of each move: arrays [quantity, move, candidate], see urgency_lessons.evaluated_game."""

    number: int
    lesson: np.ndarray
    length: int


def both_classes() -> np.ndarray:
    """Return the class of each pattern for Black and for White, int32 (2, PATTERNS)."""
    of_pattern = pattern_classes().of_pattern
    return np.stack([of_pattern, of_pattern[exchanged_patterns()]])


class UrgencyWorker:
    """Does tasks of urgency learning in its own process."""

    def __init__(self) -> None:
        self.classes = both_classes()

    def __call__(self, task: PairTask | GameTask) -> PairResult | GameResult:
        return self._pair(task) if isinstance(task, PairTask) else self._game(task)

    def _pair(self, task: PairTask) -> PairResult:
        size = task.settings.size
        states = start_states(task.settings, 2)
        lesson = np.zeros((2, 2, pattern_classes().count))
        won, margin, squares, moves = play_pair(
            task.first.compiled(size),
            task.second.compiled(size),
            self.classes,
            states,
            seeded(task.settings.seed, task.stream),
            np.zeros(3 * size * size, np.int32),
            lesson,
            task.games,
            task.by_score,
        )
        learnt = lesson if task.learns else None
        return PairResult(task.number, learnt, float(won), float(margin), float(squares), int(moves), task.games)

    def _game(self, task: GameTask) -> GameResult:
        settings = task.settings
        prior, scratch = _preselector(settings.size)
        game = Go(settings.size, settings.komi, "simple")
        longest, slots = round(LONGEST_GAME * settings.size**2), game.move_slots
        lesson = np.zeros((4, longest, settings.preselect + settings.others))
        buffers = (
            np.zeros(slots, np.uint16),
            np.zeros(slots, np.uint16),
            np.zeros(slots),
            np.zeros(game.longest_playout + 2, np.uint16),
        )
        evaluation = record_of(
            EVALUATION,
            games=settings.evaluation_games,
            preselect=settings.preselect,
            others=settings.others,
            longest=longest,
        )
        length = evaluated_game(
            task.table.compiled(settings.size),
            prior,
            scratch,
            evaluation,
            self.classes,
            start_states(settings, 3),
            seeded(settings.seed, task.stream),
            buffers,
            lesson,
        )
        return GameResult(task.number, lesson[:, :length].copy(), int(length))


def start_states(settings: UrgencySettings, count: int) -> np.ndarray:
    """Return states of which the first is the start of a game."""
    game = Go(settings.size, settings.komi, "simple")
    states = np.zeros(count, game.tactical_record)
    game.reset(states[0])
    return states


@lru_cache(maxsize=1)
def _preselector(size: int) -> tuple[Any, PriorScratch]:
    """Return the knowledge prior, with which candidates are preselected, and its buffers."""
    game, part = Go(size), find_part(PRIOR, "knowledge")
    scratch = PriorScratch(
        marks=np.zeros(game.move_slots, np.uint8),
        values=np.zeros(game.move_slots, np.float32),
        states=np.zeros(part.needs.scratch_states, game.tactical_record),
        tree=np.zeros(0, np.uint8),
        path=np.zeros(0, np.int32),
        depth=0,
    )
    return part.make(part.options(), game), scratch


def relative_entropy(table: UrgencyTable, settings: UrgencySettings, games: int, stream: int) -> float:
    """Return the entropy of a table's moves in its games, as a share of that of uniformly random moves."""
    states, rng = start_states(settings, 2), seeded(settings.seed, stream)
    own, uniform, _ = entropies(table.compiled(settings.size), states, rng, 3 * settings.size**2, games)
    return float(own / uniform)
