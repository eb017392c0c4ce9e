"""Training by self-play: the loop, its checkpoints and measurements, and a report.

With one thread and one worker, a training that is killed and restarted ends with the same weights as an uninterrupted
one.
"""

import os
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from tengen.errors import TengenError
from tengen.learning.batch_learner import BatchLearner
from tengen.learning.checkpoint import Progress, read_checkpoint
from tengen.learning.experience import draw_samples, usable, variances
from tengen.learning.learner import Generators, Learner, WeightLearner, learn_round, mean_weights
from tengen.learning.reports import next_measurement
from tengen.learning.strength import DUEL_GAMES, FIRST_MEASUREMENT, OPPONENTS, strength
from tengen.learning.training_settings import TrainingSettings
from tengen.parallel import Backend, WorkerError
from tengen.policies.go.weights import ShapeWeights
from tengen.policies.go.windows import shape_set
from tengen.rng import seeded

BLOCK = 500
"""Games per thread between two checks for interrupts and for due checkpoints."""
BATCHES = 8
"""Batches between two such checks."""
CHECKPOINT_SECONDS = 20.0
EXACTNESS_SEED = 2_000_000
"""Added to the seed for the games in which the value is compared with searches."""

Watcher = Callable[["Training"], None]


class Training:
    """A training, new or continued from its file."""

    def __init__(self, settings: TrainingSettings, path: Path, device: str = "cpu"):
        """Read the checkpoint in `path`, if any; batches of games are played on `device`."""
        self.settings, self.path = settings, path
        self.progress = Progress()
        self.exactness: dict[str, Any] = {}
        """The measured exactness of the value, if any: see experience.py."""
        self._is_whole = True
        """Whether weights, generators and progress are consistent; False while they are being replaced."""
        kept = read_checkpoint(path, settings) if os.path.exists(path) else None  # Path.exists refuses long names
        if kept is None:
            shapes = shape_set(settings.size, settings.features, settings.colour_inversion)
            weights = ShapeWeights(shapes, np.zeros(shapes.weights, np.float32))
        else:
            weights = kept.weights
            self.progress, self.exactness = kept.progress, kept.exactness
        self.learner: WeightLearner = (
            BatchLearner(settings, weights, device) if settings.batch else Learner(settings, weights)
        )
        self.generators: list[Generators] = []
        """With workers: the generators of each."""
        if settings.workers > 1:
            self.generators = self._by_worker(kept.generators if kept else self._fresh_generators())
        elif kept is not None:
            self.learner.generators = kept.generators

    def _fresh_generators(self) -> Generators:
        streams = range(self.settings.workers * self.settings.threads)
        return [[int(word) for word in seeded(self.settings.seed, stream)] for stream in streams]

    def _by_worker(self, generators: Generators) -> list[Generators]:
        step = self.settings.threads
        return [generators[start : start + step] for start in range(0, len(generators), step)]

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
        """Train until `games` games are played in total, with periodic checkpoints and one at the end.

        An interrupt also writes a checkpoint; an interrupted round of workers is discarded.
        """
        if self.progress.games < games:
            self.exactness = {}
        self.learner.learn(0)  # compile first, so that the time is not counted as learning
        try:
            self._run(games, watch, backend)
        except (KeyboardInterrupt, TengenError, WorkerError):
            if self._is_whole:
                self.save()
            raise

    def _run(self, games: int, watch: Watcher, backend: Backend | None) -> None:
        if self._measure_if_due(games):  # an interrupt may have come between games and measurement
            self.save()
        saved = time.monotonic()
        while self.progress.games < games:
            self._learn(
                games if backend else min(games, next_measurement(self.progress.games, FIRST_MEASUREMENT)), backend
            )
            if self._measure_if_due(games) or time.monotonic() - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = time.monotonic()
            watch(self)

    def _learn(self, until: int, backend: Backend | None) -> None:
        """Learn from a block of games, or from a round of the workers, up to `until` games in total."""
        began = time.perf_counter()
        settings, progress, count = self.settings, self.progress, until - self.progress.games
        if backend is None:
            count = min(BATCHES * settings.batch or BLOCK * settings.threads, count)
            results, moves = self.learner.learn(count)
        else:
            count = min(settings.round_games * settings.workers, count)
            rounds = learn_round(self.learner, self.generators, count, backend)
            results, moves = sum(each.results for each in rounds), sum(each.moves for each in rounds)
            learnt = mean_weights(rounds)
            self._is_whole = False
            self.generators = [each.generators for each in rounds]
            self.learner.set_weights(learnt)
        progress.seconds += time.perf_counter() - began
        progress.games += count
        progress.since += count
        progress.results, progress.moves = progress.results + results, progress.moves + moves
        self._is_whole = True
        if self.learner.interrupted:
            raise KeyboardInterrupt

    def _measure_if_due(self, games: int) -> bool:
        """Measure the strength if a measurement is due, or if all games are played; return whether it was measured."""
        curve, so_far = self.progress.curve, self.progress.games
        measured = curve[-1]["games"] if curve else 0
        is_due = so_far > measured and so_far >= min(games, next_measurement(measured, FIRST_MEASUREMENT))
        if is_due:
            self._measure()
        return is_due

    def _measure(self) -> None:
        """Add a measurement of the greedy policy to the curve."""
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
        """Compare the value with searches of `positions` positions, and write the result to the file."""
        seed = self.settings.seed + EXACTNESS_SEED
        samples = draw_samples(
            self.learner.learnt({}), positions, simulations, seed=seed, komi=self.settings.komi, watch=watch
        )
        phases = variances(samples)
        self.exactness = {
            "variance": usable(phases),
            "experience": {"positions": positions, "simulations": simulations, "seed": seed, "phases": phases},
        }
        self.save()

    def report(self) -> dict[str, Any]:
        """Return the settings, progress and measurements as JSON values."""
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
