"""Learning of weights from self-play, by threads in one process or by workers in several.

Threads update the same weights without locks, as in Hogwild [Niu, Recht, Re, Wright 2011]: an occasional lost update
is harmless, but results are not reproducible. Workers, perhaps on other machines, each learn for a round from the same
weights; the next round starts with the mean of their weights.
"""

from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from tengen.errors import TengenError, shortened
from tengen.games.go.game import Go
from tengen.jit import let_numbers_wrap
from tengen.learning.classes import new_lesson, weight_classes
from tengen.learning.selfplay import learn_games
from tengen.learning.td import show_all_weights
from tengen.learning.training_settings import TrainingSettings
from tengen.parallel import Backend
from tengen.policies.go.shape_weights import shape_policy
from tengen.policies.go.weights import ShapeWeights
from tengen.policies.go.windows import shape_set
from tengen.rng import seeded

Generators = list[list[int]]
"""The state words of each thread's random generator."""


class WeightLearner(Protocol):
    """A set of weights that learns from games of self-play."""

    settings: TrainingSettings
    weights: ShapeWeights
    """The weights at the beginning."""
    generators: Generators
    interrupted: bool
    """Whether an interrupt has been recorded during `learn`."""

    def learn(self, games: int) -> tuple[float, int]:
        """Learn from `games` games; return the sum of Black's results and the number of moves.

        An interrupt is recorded until the end of the games: only then are the weights, the generators and the number
        of games consistent. Without games, only compile.
        """

    def set_weights(self, weights: np.ndarray) -> None:
        """Replace the weights."""

    def learnt(self, about: dict[str, Any]) -> ShapeWeights:
        """Return the present weights."""

    @property
    def policy(self) -> Any:
        """The policy of the games, with the present weights."""

    @property
    def classes(self) -> Any:
        """The record of the present weights."""


class Actor:
    """The state of one learning thread; the weights may be shared."""

    def __init__(self, settings: TrainingSettings, weights: ShapeWeights, stream: int, policy: Any, classes: Any):
        self.policy, self.classes, self.td = policy, classes, settings.td()
        self.lesson = new_lesson(weights)
        game = Go(settings.size, komi=settings.komi)
        self.states = np.zeros(2, game.tactical_record)
        game.reset(self.states[0])
        self.trace = np.zeros(game.longest_playout + 2, np.uint16)
        self.rng = seeded(settings.seed, stream)

    def learn(self, games: int) -> tuple[float, int]:
        """Learn from `games` games; return the sum of Black's results and the number of moves."""
        results, moves = learn_games(
            self.policy, self.td, self.classes, self.lesson, self.states, self.rng, self.trace, games
        )
        return float(results), int(moves)


class Learner:
    """A set of weights and the threads that learn them."""

    def __init__(self, settings: TrainingSettings, weights: ShapeWeights, first_stream: int = 0):
        self.settings, self.weights = settings, weights
        self.policy = shape_policy(weights, epsilon=settings.epsilon, fused=False)
        self.classes = weight_classes(weights)
        streams = range(first_stream, first_stream + settings.threads)
        self.actors = [Actor(settings, weights, stream, self.policy, self.classes) for stream in streams]
        self.interrupted = False
        self._pool = ThreadPoolExecutor(settings.threads, "tengen-learn", let_numbers_wrap)

    def learn(self, games: int) -> tuple[float, int]:
        """Learn from `games` games, shared by the threads."""
        share, rest = divmod(games, len(self.actors))
        tasks = [self._pool.submit(actor.learn, share + (number < rest)) for number, actor in enumerate(self.actors)]
        while not all(task.done() for task in tasks):
            try:
                wait(tasks)
            except KeyboardInterrupt:
                self.interrupted = True
        done = [task.result() for task in tasks]
        if len(self.actors) > 1:  # updates of the tables may have been lost or reordered
            show_all_weights(self.classes, self.policy.shapes)
        return sum(results for results, _ in done), sum(moves for _, moves in done)

    @property
    def generators(self) -> list[list[int]]:
        return [[int(word) for word in actor.rng] for actor in self.actors]

    @generators.setter
    def generators(self, words: list[list[int]]) -> None:
        for actor, own in zip(self.actors, words, strict=True):
            actor.rng[:] = np.array(own, np.uint64)

    def set_weights(self, weights: np.ndarray) -> None:
        self.classes.weights = weights
        show_all_weights(self.classes, self.policy.shapes)

    def learnt(self, about: dict[str, Any]) -> ShapeWeights:
        """Return the present weights."""
        return ShapeWeights(self.weights.shapes, self.classes.weights.copy(), about)


@dataclass(frozen=True)
class RoundTask:
    """A worker's task in a round: `games` games from these weights, with these generators."""

    settings: TrainingSettings
    worker: int
    weights: bytes
    generators: Generators
    games: int


@dataclass(frozen=True)
class RoundResult:
    """A worker's weights after a round, the sum of Black's results and the number of moves of its games."""

    worker: int
    weights: bytes
    generators: Generators
    results: float
    moves: int


class RoundWorker:
    """Learns for a round in its own process."""

    def __init__(self) -> None:
        self.learner: Learner | None = None

    def __call__(self, task: RoundTask) -> RoundResult:
        settings, weights = task.settings, np.frombuffer(task.weights, np.float32)
        if self.learner is None or self.learner.settings != settings:
            shapes = shape_set(settings.size, settings.features, settings.colour_inversion)
            self.learner = Learner(settings, ShapeWeights(shapes, weights.copy()), task.worker)
        self.learner.set_weights(weights)
        self.learner.generators = task.generators
        results, moves = self.learner.learn(task.games)
        learnt = self.learner.classes.weights.tobytes()
        return RoundResult(task.worker, learnt, self.learner.generators, results, moves)


def learn_round(
    learner: WeightLearner, generators: list[Generators], games: int, backend: Backend
) -> list[RoundResult]:
    """Run a round: every worker learns its share of the games from the same weights. Return the results in order."""
    settings, weights = learner.settings, learner.classes.weights.tobytes()
    share, rest = divmod(games, settings.workers)
    tasks = [
        RoundTask(settings, worker, weights, generators[worker], share + (worker < rest))
        for worker in range(settings.workers)
    ]
    found: dict[int, RoundResult] = {}
    for done in backend.run(RoundWorker, tasks, keep=True):
        if done.error:
            raise TengenError(f"a worker failed: {shortened(done.error.strip().splitlines()[-1], 200)}")
        found[done.result.worker] = done.result
    return [found[worker] for worker in range(settings.workers)]


def mean_weights(results: list[RoundResult]) -> np.ndarray:
    """Return the mean of the workers' weights."""
    return np.asarray(np.array([np.frombuffer(result.weights, np.float32) for result in results]).mean(axis=0))
