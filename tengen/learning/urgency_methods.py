"""The methods that learn urgencies: 1a (one program), 1b (a population), 2 (relative differences), q (Q-learning).

A method advances in steps: a block, a generation or a round of games. Its arrays and the number of the step determine
the next step, so that a training continues exactly from a checkpoint.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from tengen.errors import TengenError, shortened
from tengen.learning.stepwise import Run
from tengen.learning.urgency_lessons import learn_pairs
from tengen.learning.urgency_settings import (
    BlockSettings,
    GreedySettings,
    PopulationSettings,
    RelativeSettings,
    UrgencySettings,
)
from tengen.learning.urgency_workers import STREAMS_PER_STEP, GameTask, GreedyTask, PairResult, PairTask
from tengen.policies.go.pattern_classes import pattern_classes
from tengen.policies.go.urgency_table import (
    DIAMONDS,
    LARGEST,
    SMALLEST,
    SQUARES,
    UrgencyTable,
    manual_table,
    urgency_table,
    zero_table,
)
from tengen.rng import mix_integer

LARGEST_VALUE = 0.99
"""Action values Q are clipped to this, since U is infinite for Q = 1."""
PARTS = 8
"""A block of method 1a is divided into this many tasks."""
TEST_STREAM = STREAMS_PER_STEP // 4
"""First stream of random numbers, within those of a step, for the tests of a population."""

S = TypeVar("S", bound=UrgencySettings)


class Method(ABC, Generic[S]):
    """A way to learn urgencies. `arrays` is its whole state between two steps."""

    step_name: ClassVar[str]
    limits: ClassVar[dict[str, tuple[float, float]]]
    """The least and the largest number in each array."""

    def __init__(self, settings: S):
        self.settings = settings
        self.arrays = self.new_arrays()

    @abstractmethod
    def new_arrays(self) -> dict[str, np.ndarray]:
        """Return the state before the first step."""

    @abstractmethod
    def advance(self, step: int, run: Run) -> dict[str, float]:
        """Do step number `step`, from 0; return facts about it, with the number of games under `games`."""

    @abstractmethod
    def table(self) -> UrgencyTable:
        """Return the learnt table."""

    def _made(self, urgencies: np.ndarray, patterns: str = SQUARES) -> UrgencyTable:
        limited = np.clip(urgencies, SMALLEST, LARGEST)
        return UrgencyTable(limited, self.settings.capture, self.settings.escape, patterns=patterns)


def _table_to_start(name: str, size: int, patterns: str) -> UrgencyTable:
    """Return the table that a training starts with. Raises TengenError if it has other patterns."""
    table = urgency_table(name, size)
    if table.patterns == SQUARES and patterns == DIAMONDS:
        table = table.as_diamonds()
    if table.patterns != patterns:
        raise TengenError(f"the table {shortened(name)} has {table.patterns} patterns, not {patterns}")
    return table


# --- Experiment 1: the mean result of a pattern ----------------------------------------------------------------------


def urgencies_of(values: np.ndarray, exponent: float) -> np.ndarray:
    """U = ((1 + Q) / (1 - Q))^k                                                    [BouzyChaslot2006, section V.A]"""
    made: np.ndarray = ((1.0 + values) / (1.0 - values)) ** exponent
    return made


def values_of(urgencies: np.ndarray, exponent: float) -> np.ndarray:
    """Q = (U^(1/k) - 1) / (U^(1/k) + 1) = tanh(log U / 2k): the action values that have these urgencies; k > 0."""
    made: np.ndarray = np.tanh(np.log(urgencies) / (2.0 * exponent))
    return made


def learnt_values(lesson: np.ndarray) -> np.ndarray:
    """Q_n = Q_(n-1) + alpha (R - Q_(n-1)), alpha = 1 / (1 + n), Q_0 = 0            [BouzyChaslot2006, section V.A]

    In closed form, Q_n is the sum of the n results R divided by n + 1. lesson[0] is n, lesson[1] the sum, by class.
    """
    made: np.ndarray = lesson[1] / (1.0 + lesson[0])
    return made


def added(values: np.ndarray, learnt: np.ndarray, factor: float) -> tuple[np.ndarray, int]:
    """Q_play = Q_play + lambda^b Q_learn                                            [BouzyChaslot2006, section V.A]

    `factor` is lambda^b. Returns the values, clipped to +-LARGEST_VALUE, and the number of values that were clipped.
    """
    total = values + factor * learnt
    clipped = np.clip(total, -LARGEST_VALUE, LARGEST_VALUE)
    return clipped, int((clipped != total).sum())


class BlockLearning(Method[BlockSettings]):
    """Experiment 1a: one program plays against itself; after each block its table gets the values learnt.

    Differs: chains in atari have their urgencies from the start, so the moves of the first block are not uniform.
    """

    step_name = "block"
    limits: ClassVar = {"values": (-LARGEST_VALUE, LARGEST_VALUE)}

    def new_arrays(self) -> dict[str, np.ndarray]:
        return {"values": np.zeros(pattern_classes().count)}

    def table(self) -> UrgencyTable:
        return self._made(urgencies_of(self.arrays["values"], self.settings.exponent))

    def advance(self, step: int, run: Run) -> dict[str, float]:
        settings, table = self.settings, self.table()
        share, rest = divmod(settings.games, PARTS)
        results = run(
            [
                PairTask(
                    number=number,
                    settings=settings,
                    first=table,
                    second=table,
                    games=share + (number < rest),
                    stream=step * STREAMS_PER_STEP + number,
                    by_score=settings.result == "score",
                )
                for number in range(PARTS)
            ]
        )
        lesson = sum(result.lesson.sum(axis=1) for result in results)
        learnt = learnt_values(lesson)
        self.arrays["values"], clips = added(self.arrays["values"], learnt, settings.decay**step)
        return {
            "games": settings.games,
            "clips": clips,
            "length": sum(result.moves for result in results) / settings.games,
            "largest_learnt": float(np.abs(learnt[lesson[0] >= settings.games / 100]).max(initial=0.0)),
        }


class PopulationLearning(Method[PopulationSettings]):
    """Experiment 1b: programs learn against each other, are tested against Zero and Manual, and the best survive.

    Differs: each program meets some opponents, not all, in a generation; programs are ranked by the sum of their mean
    margins in both tests, as the paper does not say how; the Zero that is added has the urgencies of chains in atari.
    """

    step_name = "generation"
    limits: ClassVar = {"values": (-LARGEST_VALUE, LARGEST_VALUE)}

    def new_arrays(self) -> dict[str, np.ndarray]:
        settings = self.settings
        start = values_of(_table_to_start(settings.start, settings.size, SQUARES).urgencies, settings.exponent)
        clipped = np.clip(start, -LARGEST_VALUE, LARGEST_VALUE)
        return {"values": np.tile(clipped, (settings.population, 1))}

    def table(self) -> UrgencyTable:
        """Return the table of the best program: the first one, by the order that selection leaves."""
        return self._table_of(self.arrays["values"][0])

    def _table_of(self, values: np.ndarray) -> UrgencyTable:
        return self._made(urgencies_of(values, self.settings.exponent))

    def advance(self, step: int, run: Run) -> dict[str, float]:
        values, clips = self._learn(step, run)
        against_zero, against_manual = self._test(step, values, run)
        order = np.argsort(-(against_zero + against_manual), kind="stable")
        self.arrays = {"values": self._selected(values, order)}
        best = order[0]
        settings = self.settings
        pairs = settings.population * settings.opponents // 2
        return {
            "games": pairs * self._pair_games,
            "test_games": 2 * settings.population * settings.test_games,
            "clips": clips,
            "best_against_zero": float(against_zero[best]),
            "best_against_manual": float(against_manual[best]),
        }

    @property
    def _pair_games(self) -> int:
        """The number of games of each pair of programs."""
        return self.settings.games // self.settings.opponents

    def _pairs(self, step: int) -> list[tuple[int, int]]:
        """Return the pairs of programs that play in a step: each program meets the stated number of opponents.

        The programs are put in a circle in random order. Each meets those at distances 1, 2, ... on both sides, and, if
        the number is odd, the one opposite.
        """
        settings, count = self.settings, self.settings.population
        drawn = [mix_integer(mix_integer(settings.seed * 2**20 + step) + n) for n in range(count)]
        shuffled = np.argsort(np.array(drawn, np.uint64), kind="stable")
        places = [(i, i + gap) for gap in range(1, settings.opponents // 2 + 1) for i in range(count)]
        if settings.opponents % 2:
            places += [(i, i + count // 2) for i in range(count // 2)]
        return [(int(shuffled[i]), int(shuffled[j % count])) for i, j in places]

    def _learn(self, step: int, run: Run) -> tuple[np.ndarray, int]:
        """Let the programs learn from games against each other; return their values and how many were clipped."""
        settings, values = self.settings, self.arrays["values"].copy()
        pairs = self._pairs(step)
        tables = [self._table_of(own) for own in values]
        results = run(
            [
                PairTask(
                    number=number,
                    settings=settings,
                    first=tables[first],
                    second=tables[second],
                    games=self._pair_games,
                    stream=step * STREAMS_PER_STEP + number,
                    by_score=settings.result == "score",
                )
                for number, (first, second) in enumerate(pairs)
            ]
        )
        lessons = np.zeros((len(values), 2, values.shape[1]))
        for (first, second), result in zip(pairs, results, strict=True):
            lessons[first] += result.lesson[:, 0]
            lessons[second] += result.lesson[:, 1]
        clips = 0
        for own, lesson in enumerate(lessons):
            values[own], clipped = added(values[own], learnt_values(lesson), settings.decay**step)
            clips += clipped
        return values, clips

    def _test(self, step: int, learnt: np.ndarray, run: Run) -> tuple[np.ndarray, np.ndarray]:
        """Return each program's mean margin against Zero and against Manual, without learning."""
        settings, first_stream = self.settings, step * STREAMS_PER_STEP + TEST_STREAM
        tasks = [
            PairTask(
                number=2 * own + number,
                settings=settings,
                first=self._table_of(values),
                second=opponent,
                games=settings.test_games,
                stream=first_stream + 2 * own + number,
                learns=False,
            )
            for own, values in enumerate(learnt)
            for number, opponent in enumerate((zero_table(), manual_table()))
        ]
        margins = np.array([result.margin / result.games for result in run(tasks)]).reshape(-1, 2)
        return margins[:, 0], margins[:, 1]

    def _selected(self, values: np.ndarray, order: np.ndarray) -> np.ndarray:
        """Delete the N/2 worst; for D = N/4, ..., 1 copy the best D; add Zero        [BouzyChaslot2006, section V.A]"""
        count = len(order)
        kept = list(order[: count // 2])
        copies = count // 4
        while copies > 0:
            kept += list(order[:copies])
            copies //= 2
        return np.concatenate([values[kept], np.zeros((1, values.shape[1]))])


# --- Experiment 2: relative differences at the Monte-Carlo level -----------------------------------------------------


class RelativeLearning(Method[RelativeSettings]):
    """Experiment 2: MC(RLPR) plays against itself, and learns from the evaluations of its candidate moves.

    Differs: the games of a round are played with the same table, so that they can be played at the same time. All
    candidates get the same number of games, without pruning, and a pass is not a candidate; games end after
    LONGEST_GAME moves per point. Last liberties of chains are not compared (see `evaluated_game`).
    """

    step_name = "round"
    limits: ClassVar = {"log_urgencies": (-1e12, 1e12), "matches": (0, 2**62)}

    def new_arrays(self) -> dict[str, np.ndarray]:
        settings = self.settings
        start = _table_to_start(settings.start, settings.size, settings.patterns).urgencies
        return {"log_urgencies": np.log(start), "matches": np.zeros(len(start), np.int64)}

    def table(self) -> UrgencyTable:
        limit = np.log(LARGEST)
        return self._made(np.exp(np.clip(self.arrays["log_urgencies"], -limit, limit)), self.settings.patterns)

    def advance(self, step: int, run: Run) -> dict[str, float]:
        settings, table = self.settings, self.table()
        results = run(
            [
                GameTask(number=number, settings=settings, table=table, stream=step * STREAMS_PER_STEP + number)
                for number in range(settings.games)
            ]
        )
        before = self.arrays["log_urgencies"].copy()
        for result in results:
            self._learn_from_game(result.lesson)
        return {
            "games": settings.games,
            "length": sum(result.length for result in results) / settings.games,
            "change": float(np.abs(self.arrays["log_urgencies"] - before).max(initial=0.0)),
        }

    def _learn_from_game(self, lesson: np.ndarray) -> None:
        settings, arrays = self.settings, self.arrays
        for move in range(lesson.shape[1]):
            classes = lesson[0, move].astype(np.int64)
            learn_pairs(
                arrays["log_urgencies"],
                arrays["matches"],
                classes,
                values_in_unit(lesson[:, move], settings.unit, settings.size),
                settings.constant,
                settings.step,
            )


# --- Beyond the paper: Q-learning ------------------------------------------------------------------------------------


class GreedyLearning(Method[GreedySettings]):
    """Q-learning by an epsilon-greedy program, randomised afterwards: the way that the paper's conclusion proposes."""

    step_name = "block"
    limits: ClassVar = {"values": (-1.0, 1.0), "visits": (0, 2**62)}

    def new_arrays(self) -> dict[str, np.ndarray]:
        count = pattern_classes().count
        return {"values": np.zeros(count), "visits": np.zeros(count, np.int64)}

    def table(self) -> UrgencyTable:
        values = np.clip(self.arrays["values"], -LARGEST_VALUE, LARGEST_VALUE)
        return self._made(urgencies_of(values, self.settings.exponent))

    def advance(self, step: int, run: Run) -> dict[str, float]:
        (result,) = run([GreedyTask(0, self.settings, **self.arrays, stream=step * STREAMS_PER_STEP)])
        self.arrays = {"values": result.values, "visits": result.visits}
        clips = int((np.abs(result.values) > LARGEST_VALUE).sum())
        return {"games": self.settings.games, "clips": clips, "length": result.moves / self.settings.games}


def values_in_unit(evaluations: np.ndarray, unit: str, size: int) -> np.ndarray:
    """Return the values V of a move's candidates in a unit, from evaluations[quantity, candidate]."""
    classes, margins, wins, deviations = evaluations
    if unit == "wins":
        return np.asarray(wins)
    if unit == "area":
        return np.asarray(margins / size**2)
    if unit == "deviation":
        return np.asarray(margins / max(deviations[classes >= 0].mean() if (classes >= 0).any() else 1.0, 1.0))
    return np.asarray(margins)


def make_method(settings: UrgencySettings) -> Method[Any]:
    """Return the method that settings are for."""
    if isinstance(settings, PopulationSettings):
        return PopulationLearning(settings)
    if isinstance(settings, RelativeSettings):
        return RelativeLearning(settings)
    if isinstance(settings, GreedySettings):
        return GreedyLearning(settings)
    assert isinstance(settings, BlockSettings)
    return BlockLearning(settings)


def measurement_tasks(table: UrgencyTable, settings: UrgencySettings, games: int, stream: int) -> list[PairTask]:
    """Return the tasks that measure a table against Zero and against Manual at the low level."""
    return [
        PairTask(number, settings, table, opponent, games, stream + number, learns=False)
        for number, opponent in enumerate((zero_table(), manual_table()))
    ]


def margin_of(result: PairResult) -> tuple[float, float, float]:
    """Return the first table's mean margin, its standard error, and its win rate."""
    mean = result.margin / result.games
    variance = max(result.squares / result.games - mean * mean, 0.0)
    return mean, float(np.sqrt(variance / result.games)), result.won / result.games
