"""Tasks of urgency learning for worker processes, and the worker that does them.

A task has everything that determines its result, so results do not depend on the number of workers.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from tengen.games.go.game import Go
from tengen.games.go.playout import LENGTH_FACTOR
from tengen.jit import record_of
from tengen.learning.greedy_games import GREEDY, learn_greedily
from tengen.learning.urgency_games import entropies, play_pair
from tengen.learning.urgency_lessons import EVALUATION, evaluated_game
from tengen.learning.urgency_settings import GreedySettings, RelativeSettings, UrgencySettings
from tengen.policies.expectation import PriorScratch
from tengen.policies.go.urgency_table import SQUARES, UrgencyTable, class_count, classes_by_colour, zero_table
from tengen.registry import PRIOR, find_part
from tengen.rng import seeded
from tengen.search.sampling import scratch_without_tree

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


@dataclass(frozen=True)
class GreedyTask:
    """Games of an epsilon-greedy program against itself, which learns after each."""

    number: int
    settings: GreedySettings
    values: np.ndarray
    visits: np.ndarray
    stream: int


@dataclass(frozen=True)
class GreedyResult:
    """The values and visits after such games, and the number of moves."""

    number: int
    values: np.ndarray
    visits: np.ndarray
    moves: int


class UrgencyWorker:
    """Does tasks of urgency learning in its own process."""

    def __call__(self, task: PairTask | GameTask | GreedyTask) -> PairResult | GameResult | GreedyResult:
        if isinstance(task, PairTask):
            return self._pair(task)
        return self._game(task) if isinstance(task, GameTask) else self._greedy(task)

    def _pair(self, task: PairTask) -> PairResult:
        size = task.settings.size
        states = start_states(task.settings, 2)
        lesson = np.zeros((2, 2, class_count(task.first.patterns)))
        won, margin, squares, moves = play_pair(
            task.first.compiled(size),
            task.second.compiled(size),
            _classes(task.first.patterns),
            states,
            seeded(task.settings.seed, task.stream),
            np.zeros(LENGTH_FACTOR * size * size, np.int32),
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
            _classes(task.table.patterns),
            start_states(settings, 3),
            seeded(settings.seed, task.stream),
            buffers,
            lesson,
        )
        return GameResult(task.number, lesson[:, :length].copy(), int(length))

    def _greedy(self, task: GreedyTask) -> GreedyResult:
        settings = task.settings
        values, visits, longest = task.values.copy(), task.visits.copy(), LENGTH_FACTOR * settings.size**2
        moves = learn_greedily(
            record_of(GREEDY, epsilon=settings.epsilon, trace_decay=settings.trace_decay, step=settings.step),
            zero_table().compiled(settings.size),
            values,
            visits,
            _classes(SQUARES),
            start_states(settings, 2),
            seeded(settings.seed, task.stream),
            (np.zeros(longest, np.int64), np.zeros(longest)),
            settings.games,
        )
        return GreedyResult(task.number, values, visits, int(moves))


@lru_cache(maxsize=2)
def _classes(patterns: str) -> np.ndarray:
    return classes_by_colour(patterns)


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
    return part.make(part.options(), game), scratch_without_tree(part, game, game.tactical_record)


def relative_entropy(table: UrgencyTable, settings: UrgencySettings, games: int, stream: int) -> float:
    """Return the entropy of a table's moves in its games, as a share of that of uniformly random moves."""
    states, rng = start_states(settings, 2), seeded(settings.seed, stream)
    own, uniform, _ = entropies(table.compiled(settings.size), states, rng, LENGTH_FACTOR * settings.size**2, games)
    return float(own / uniform)
