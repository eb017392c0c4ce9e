"""Training by self-play, for people: settings, checkpoints, strength as it grows, a report and a picture.

The file of weights is the checkpoint: its header says how far the training has come, and holds the generators. With one
thread, a training that is killed and started again ends with the same weights as one that was not. Several threads
learn into the same weights without locks, as in Hogwild [Niu, Recht, Re, Wright 2011]: a change lost once in a while
does no harm, but no two runs are alike. Workers, perhaps on other machines, learn from the same weights for a round
each, and the mean of what they have learnt is what the next round begins with.
"""

import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tengen.errors import TengenError, shortened
from tengen.files import write_whole
from tengen.games.go.game import Go
from tengen.jit import let_numbers_wrap, record_of
from tengen.learning.classes import new_lesson, weight_classes
from tengen.learning.duel import duel
from tengen.learning.experience import draw_samples, usable, variances
from tengen.learning.selfplay import learn_games
from tengen.learning.td import TD, show_all_weights
from tengen.parallel import Backend, WorkerError
from tengen.policies.go.mogo import MOGO
from tengen.policies.go.shape_weights import shape_policy
from tengen.policies.go.weights import ShapeWeights, load_weights
from tengen.policies.go.windows import shape_set
from tengen.policies.uniform import UNIFORM
from tengen.rng import seeded

BLOCK = 500
"""Games that a thread plays at a time; then it is looked whether a checkpoint is due, or somebody wants to stop."""
CHECKPOINT_SECONDS = 20.0
FIRST_MEASUREMENT = 100
"""The strength is measured after so many games, twice and five times as many, ten times as many, and so on."""
DUEL_GAMES = 400
"""In each measurement, against each opponent: a standard error of at most 2.5 points."""
DUEL_STREAM = 1_000_000
"""The generators of measurements are streams from here on, so that they do not disturb the training's own."""
EXACTNESS_SEED = 2_000_000
"""Added to the seed of the games in which the value is compared with searches: games of their own."""
OPPONENTS = ("uniform", "mogo")


@dataclass(frozen=True)
class TrainingSettings:
    """All on which the weights depend but for how many games are played."""

    size: int = 9
    komi: float = 7.5
    features: str = "squares"
    colour_inversion: bool = True
    epsilon: float = 0.1
    step_size: float = 0.1
    decay: float = 0.0
    step: str = "squared-norm"
    update: str = "episode"
    seed: int = 1
    threads: int = 1
    workers: int = 1
    round_games: int = 0

    def __post_init__(self) -> None:
        if self.step not in ("squared-norm", "count"):
            raise TengenError(f"a step is divided by the squared-norm or by the count, not by {shortened(self.step)}")
        if self.update not in ("episode", "online"):
            raise TengenError(f"weights are updated after an episode, or online, not {shortened(self.update)}")
        if self.decay > 0 and self.update == "online":
            raise TengenError("lambda looks at the whole game: it needs update=episode")
        for name, low, high in (("epsilon", 0, 1), ("step_size", 0, 10), ("decay", 0, 1)):
            if not low <= getattr(self, name) <= high:
                raise TengenError(f"{name} is from {low} to {high}, not {getattr(self, name):g}")

    def td(self) -> Any:
        """The settings that kernels need."""
        return record_of(
            TD,
            step_size=self.step_size,
            decay=self.decay,
            squared_norm=self.step == "squared-norm",
            online=self.update == "online",
        )


@dataclass
class Progress:
    """How far a training has come."""

    games: int = 0
    seconds: float = 0.0
    curve: list[dict[str, Any]] = field(default_factory=list)
    """Measurements: games so far, and of a number of duels with each opponent the share won; Black's share of the games
    since the last measurement, and their mean length."""
    results: float = 0.0
    moves: int = 0
    since: int = 0
    """Since the last measurement: the sum of Black's results, the moves, and the games."""

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.seconds else 0.0

    @staticmethod
    def can_be(found: Any) -> bool:
        """Whether what a file has is the progress of a training."""
        usual = asdict(Progress())
        if not isinstance(found, dict) or found.keys() != usual.keys():
            return False
        numbers = [found[name] for name in usual if name != "curve"]
        if not all(type(number) in (int, float) and number >= 0 for number in numbers):
            return False
        points, measured = found["curve"], ("games", "black", "length", "duels", *OPPONENTS)
        return (
            all(type(found[name]) is int for name in ("games", "moves", "since"))
            and isinstance(points, list)
            and all(isinstance(point, dict) for point in points)
            and all(type(point.get(name)) in (int, float) for point in points for name in measured)
        )


def _are_generators(found: Any, count: int) -> bool:
    """Whether what a file has is the words of so many generators."""
    return (
        isinstance(found, list)
        and len(found) == count
        and all(isinstance(words, list) and len(words) == len(seeded(0)) for words in found)
        and all(type(word) is int and 0 <= word < 2**64 for words in found for word in words)
    )


class Actor:
    """What one thread needs to play and learn, with weights that may be everybody's."""

    def __init__(self, settings: TrainingSettings, weights: ShapeWeights, stream: int, policy: Any, classes: Any):
        self.policy, self.classes, self.td = policy, classes, settings.td()
        self.lesson = new_lesson(weights)
        game = Go(settings.size, komi=settings.komi)
        self.states = np.zeros(2, game.tactical_record)
        game.reset(self.states[0])
        self.trace = np.zeros(game.longest_playout + 2, np.uint16)
        self.rng = seeded(settings.seed, stream)

    def learn(self, games: int) -> tuple[float, int]:
        """Learn from so many games; returns the sum of Black's results, and the moves."""
        results, moves = learn_games(
            self.policy, self.td, self.classes, self.lesson, self.states, self.rng, self.trace, games
        )
        return float(results), int(moves)


class Learner:
    """A set of weights, and the threads that learn them."""

    def __init__(self, settings: TrainingSettings, weights: ShapeWeights, first_stream: int = 0):
        self.settings, self.weights = settings, weights
        self.policy = shape_policy(weights, epsilon=settings.epsilon, fused=False)
        self.classes = weight_classes(weights)
        streams = range(first_stream, first_stream + settings.threads)
        self.actors = [Actor(settings, weights, stream, self.policy, self.classes) for stream in streams]
        self.interrupted = False
        self._pool = ThreadPoolExecutor(settings.threads, "tengen-learn", let_numbers_wrap)

    def learn(self, games: int) -> tuple[float, int]:
        """Learn from so many games, shared by the threads; an interrupt is noted, and heard when they are done.

        Only then do the weights, the generators and the number of games belong together.
        """
        share, rest = divmod(games, len(self.actors))
        tasks = [self._pool.submit(actor.learn, share + (number < rest)) for number, actor in enumerate(self.actors)]
        while not all(task.done() for task in tasks):
            try:
                wait(tasks)
            except KeyboardInterrupt:
                self.interrupted = True
        done = [task.result() for task in tasks]
        if len(self.actors) > 1:  # changes to the tables may have been lost, or come in another order
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
        """The weights as they are now."""
        return ShapeWeights(self.weights.shapes, self.classes.weights.copy(), about)


class RoundWorker:
    """Learns for a round in a process of its own."""

    def __init__(self) -> None:
        self.learner: Learner | None = None

    def __call__(self, task: tuple[TrainingSettings, int, bytes, list[list[int]], int]) -> tuple[Any, ...]:
        settings, stream, raw, generators, games = task
        weights = np.frombuffer(raw, np.float32)
        if self.learner is None or self.learner.settings != settings:
            shapes = shape_set(settings.size, settings.features, settings.colour_inversion)
            self.learner = Learner(settings, ShapeWeights(shapes, weights.copy()), stream)
        self.learner.set_weights(weights)
        self.learner.generators = generators
        results, moves = self.learner.learn(games)
        return stream, self.learner.classes.weights.tobytes(), self.learner.generators, results, moves


def strength(policy: Any, settings: TrainingSettings, opponent: str, games: int, stream: int) -> float:
    """The share of games that the greedy policy wins against a policy by its name."""
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
    """MoGo's policy as it was published: all rules are always looked at."""
    return record_of(MOGO, save_probability=1.0, pattern_probability=1.0, capture_probability=1.0)


def next_measurement(games: int) -> int:
    """When the strength is measured next, after so many games: at 100, 200, 500, 1,000, ... games, and at the end."""
    scale = FIRST_MEASUREMENT
    while True:
        for factor in (1, 2, 5):
            if factor * scale > games:
                return factor * scale
        scale *= 10


Watcher = Callable[["Training"], None]


class Training:
    """A training, fresh or gone on with from the file that it writes."""

    def __init__(self, settings: TrainingSettings, path: Path):
        self.settings, self.path = settings, path
        shapes = shape_set(settings.size, settings.features, settings.colour_inversion)
        weights = ShapeWeights(shapes, np.zeros(shapes.weights, np.float32))
        self.progress = Progress()
        self.exactness: dict[str, Any] = {}
        """How exact the value is, once that was measured: see experience.py."""
        self._is_whole = True
        """Whether weights, generators and progress belong together; not while they are being replaced."""
        generators: list[list[int]] | None = None
        if os.path.exists(path):  # Path.exists complains of names that are too long
            weights = load_weights(path)
            generators = self._resume(weights)
        self.learner = Learner(settings, weights)
        self.generators: list[list[list[int]]] = []
        """With workers: those of each."""
        if settings.workers > 1:
            self.generators = [self._fresh_generators(worker) for worker in range(settings.workers)]
        if generators is not None and settings.workers > 1:
            step = settings.threads
            self.generators = [generators[start : start + step] for start in range(0, len(generators), step)]
        elif generators is not None:
            self.learner.generators = generators

    def _fresh_generators(self, worker: int) -> list[list[int]]:
        streams = range(worker * self.settings.threads, (worker + 1) * self.settings.threads)
        return [[int(word) for word in seeded(self.settings.seed, stream)] for stream in streams]

    def _resume(self, weights: ShapeWeights) -> list[list[int]]:
        """Take up a training where its file has it; TengenError if it is another training's."""
        about, name_of_file = weights.about, shortened(self.path, 160)
        if "settings" not in about or "generators" not in about:
            raise TengenError(f"{name_of_file} was not made by a training that could go on")
        theirs, mine, generators = about["settings"], asdict(self.settings), about["generators"]
        odd = TengenError(f"{name_of_file} does not say how its training is to go on")
        if not isinstance(theirs, dict) or not Progress.can_be(about.get("progress")):
            raise odd
        for name, value in (mine | theirs).items():
            if name not in theirs or mine.get(name) != value:
                raise TengenError(
                    f"{name_of_file} is of a training with {name}={str(theirs.get(name))[:40]}, not {mine.get(name)}:"
                    " name another file, or use its settings"
                )
        shapes = weights.shapes
        made_for = shapes.size, shapes.features, shapes.colour_inversion
        if made_for != (self.settings.size, self.settings.features, self.settings.colour_inversion):
            raise odd
        if not _are_generators(generators, self.settings.threads * self.settings.workers):
            raise odd
        self.progress = Progress(**about["progress"])
        self.exactness = {name: about[name] for name in ("variance", "experience") if name in about}
        return [list(words) for words in generators]

    def save(self) -> None:
        """Write the checkpoint."""
        generators = [own for worker in self.generators for own in worker] or self.learner.generators
        self.learner.learnt(
            {
                "settings": asdict(self.settings),
                "progress": asdict(self.progress),
                "generators": generators,
                **self.exactness,
            }
        ).save(self.path)

    def run(self, games: int, watch: Watcher = lambda training: None, backend: Backend | None = None) -> None:
        """Train until so many games are played in all, with a checkpoint now and then, and one at the end.

        An interrupt leaves one too. Of a round of workers that it ends, nothing is kept.
        """
        if self.progress.games < games:
            self.exactness = {}
        self.learner.learn(0)  # so that compiling is not taken for learning
        try:
            self._run(games, watch, backend)
        except (KeyboardInterrupt, TengenError, WorkerError):
            if self._is_whole:
                self.save()
            raise

    def _run(self, games: int, watch: Watcher, backend: Backend | None) -> None:
        if self._measure_if_due(games):  # an interrupt may have come between the games and their measurement
            self.save()
        saved = time.monotonic()
        while self.progress.games < games:
            self._learn(games if backend else min(games, next_measurement(self.progress.games)), backend)
            if self._measure_if_due(games) or time.monotonic() - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = time.monotonic()
            watch(self)

    def _learn(self, until: int, backend: Backend | None) -> None:
        """Learn from a block of games, or from a round of the workers' games; no more than up to a number in all."""
        began = time.perf_counter()
        settings, progress, count = self.settings, self.progress, until - self.progress.games
        if backend is None:
            count = min(BLOCK * settings.threads, count)
            results, moves = self.learner.learn(count)
        else:
            count = min(settings.round_games * settings.workers, count)
            learnt, generators, results, moves = self._learn_round(count, backend)
            self._is_whole = False
            self.generators = generators
            self.learner.set_weights(learnt)
        progress.seconds += time.perf_counter() - began
        progress.games += count
        progress.since += count
        progress.results, progress.moves = progress.results + results, progress.moves + moves
        self._is_whole = True
        if self.learner.interrupted:
            raise KeyboardInterrupt

    def _learn_round(self, games: int, backend: Backend) -> tuple[np.ndarray, list[list[list[int]]], float, int]:
        """Let every worker learn its share from the same weights.

        Returns the mean of what they have learnt, their generators, the sum of Black's results, and the moves.
        """
        settings, raw = self.settings, self.learner.classes.weights.tobytes()
        share, rest = divmod(games, settings.workers)
        tasks = [
            (settings, worker, raw, self.generators[worker], share + (worker < rest))
            for worker in range(settings.workers)
        ]
        answers: dict[int, tuple[Any, ...]] = {}
        for done in backend.run(RoundWorker, tasks, keep=True):
            if done.error:
                raise TengenError(f"a worker failed: {shortened(done.error.strip().splitlines()[-1], 200)}")
            answers[done.result[0]] = done.result
        in_order = [answers[worker] for worker in range(settings.workers)]
        learnt = np.array([np.frombuffer(answer[1], np.float32) for answer in in_order]).mean(axis=0)
        results, moves = sum(answer[3] for answer in in_order), sum(answer[4] for answer in in_order)
        return learnt, [answer[2] for answer in in_order], results, moves

    def _measure_if_due(self, games: int) -> bool:
        """Measure the strength if that is due, by now or at the end of the games that are to be played."""
        curve, so_far = self.progress.curve, self.progress.games
        measured = curve[-1]["games"] if curve else 0
        is_due = so_far > measured and so_far >= min(games, next_measurement(measured))
        if is_due:
            self._measure()
        return is_due

    def _measure(self) -> None:
        """Add to the curve how the greedy policy plays now."""
        progress = self.progress
        point: dict[str, Any] = {
            "games": progress.games,
            "black": progress.results / max(1, progress.since),
            "length": progress.moves / max(1, progress.since),
            "duels": DUEL_GAMES,
        }
        for number, opponent in enumerate(OPPONENTS):
            stream = 2 * len(progress.curve) + number
            point[opponent] = strength(self.learner.policy, self.settings, opponent, DUEL_GAMES, stream)
        progress.curve.append(point)
        progress.results, progress.moves, progress.since = 0.0, 0, 0

    def measure_exactness(self, positions: int, simulations: int, watch: Callable[[], None]) -> None:
        """Compare the value with searches of so many positions, and write what that says of it to the file."""
        seed = self.settings.seed + EXACTNESS_SEED
        samples = draw_samples(self.learner.learnt({}), positions, simulations, seed, self.settings.komi, watch)
        phases = variances(samples)
        self.exactness = {
            "variance": usable(phases),
            "experience": {"positions": positions, "simulations": simulations, "seed": seed, "phases": phases},
        }
        self.save()

    def report(self) -> dict[str, Any]:
        """What was done, in terms that JSON has."""
        progress = self.progress
        return {
            "settings": asdict(self.settings),
            "games": progress.games,
            "seconds": round(progress.seconds, 1),
            "games_per_second": round(progress.games_per_second),
            "weights": self.learner.weights.shapes.weights,
            "curve": progress.curve,
            **self.exactness,
        }


def write_report(training: Training, path: Path, command: str) -> None:
    """The report as a JSON file, with the command that made it."""
    write_whole(path, (json.dumps({"command": command, **training.report()}, indent=1) + "\n").encode())
