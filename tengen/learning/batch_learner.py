"""Learning of weights from self-play by batches of games at once, on a GPU or on this processor."""

import math
from typing import Any

import numpy as np

from tengen.errors import TengenError
from tengen.games.go.game import Go
from tengen.interrupts import deferred_interrupts
from tengen.jit import new
from tengen.jit.devices import open_device
from tengen.learning.batch_games import (
    MOVES,
    POINTS,
    Common,
    Games,
    clear_lesson,
    learn_game,
    play_game,
    take_updates,
    updates_record,
)
from tengen.learning.classes import new_lesson, set_name, weight_classes
from tengen.learning.learner import Generators
from tengen.learning.td import show_all_weights
from tengen.learning.training_settings import TrainingSettings
from tengen.policies.go.shape_weights import shape_policy
from tengen.policies.go.weights import ShapeWeights
from tengen.rng import next_word, seeded

STEP_GAMES = 32.0
"""M: a batch changes a weight by at most this many times the mean update of a game; see `batch_games`."""
SLICES = 1024
"""Number of slices of the weights, each of which is changed by one thread."""
USABLE_MEMORY = 0.92
"""Share of the device's free memory that the games may take."""


class BatchLearner:
    """A set of weights, and the batches of games that it learns from.

    Each batch takes one word of the generator, from which the games derive generators of their own. So the weights
    depend on the seed and on the sizes of the batches, but not on the device, apart from the last bits of logarithms
    and exponentials.
    """

    def __init__(self, settings: TrainingSettings, weights: ShapeWeights, device: str = "gpu"):
        """Reserve the device's memory for `settings.batch` games. Raises TengenError if there is too little."""
        self.settings, self.weights = settings, weights
        self.interrupted = False
        self._rng = seeded(settings.seed)
        self._policy = shape_policy(weights, epsilon=settings.epsilon, fused=False)
        self._classes = weight_classes(weights)
        self._is_current = True
        """Whether `_policy` and `_classes` have the weights of the device."""
        self._device = open_device(device)
        self._common = self._copy_common()
        self._games = self._make_games()

    def _copy_common(self) -> Common:
        """Copy all that the games have in common to the device."""
        settings, copy = self.settings, self._device.copy_of
        game = Go(settings.size, komi=settings.komi)
        start = new(game.tactical_record)
        game.reset(start)
        updates = new(updates_record(f"updates_{set_name(self.weights)}", self.weights.shapes.weights))
        records = (start, self._policy, settings.td(), self._classes, updates)
        arrays = [*(np.array([one], one.dtype) for one in records), np.zeros(2, np.int64)]
        return Common(*map(copy, arrays))

    def _make_games(self) -> Games:
        """Allocate the memory of a batch of games on the device."""
        batch, device = self.settings.batch, self._device
        moves = Go(self.settings.size).longest_playout + 2
        rows: dict[str, tuple[np.dtype, tuple[int, ...]]] = {
            "states": (self._common.start.dtype, ()),
            "evaluations": (self._policy.dtype["blank"].base, ()),
            "lessons": (new_lesson(self.weights).dtype, ()),
            "rngs": (np.dtype(np.uint64), (2,)),
            "traces": (np.dtype(np.uint16), (moves,)),
        }
        size = sum(dtype.itemsize * math.prod(shape) for dtype, shape in rows.values())
        fitting = int(device.free_bytes() * USABLE_MEMORY / size)
        if fitting < batch:
            raise TengenError(
                f"{batch:,} games at once need {batch * size / 1e9:.1f} GB,"
                f" and the device has memory for {fitting:,}: use a smaller batch"
            )
        games = Games(**{name: device.empty((batch, *shape), dtype) for name, (dtype, shape) in rows.items()})
        device.launch(clear_lesson, batch, games)
        return games

    def learn(self, games: int) -> tuple[float, int]:
        """Learn from `games` games in batches, of which the last may be smaller."""
        done = 0.0, 0
        try:
            with deferred_interrupts():
                done = self._learn(games) if games else self._compile()
        except KeyboardInterrupt:
            self.interrupted = True
        return done

    def _learn(self, games: int) -> tuple[float, int]:
        """Start all batches, then wait for them."""
        batch, before = self.settings.batch, self._counts()
        for first in range(0, games, batch):
            self._run_batch(min(batch, games - first), next_word(self._rng), STEP_GAMES)
        self._is_current = False
        counted = self._counts() - before
        return float(counted[POINTS] / 2), int(counted[MOVES])

    def _compile(self) -> tuple[float, int]:
        """Play a game that changes no weight, so that all kernels are compiled."""
        self._run_batch(1, 0, 0.0)
        return 0.0, 0

    def _run_batch(self, count: int, word: int, most: float) -> None:
        """Launch a batch of games, the learning from them, and the change of the weights."""
        device, games, common = self._device, self._games, self._common
        lanes = device.lanes_for(count)
        device.launch(play_game, count, games, common, np.uint64(word), lanes=lanes)
        device.launch(learn_game, count, games, common, lanes=lanes)
        device.launch(take_updates, SLICES, common, SLICES, most)

    def _counts(self) -> np.ndarray:
        return self._device.fetch(self._common.counts)

    @property
    def generators(self) -> Generators:
        return [[int(word) for word in self._rng]]

    @generators.setter
    def generators(self, words: Generators) -> None:
        (own,) = words
        self._rng[:] = np.array(own, np.uint64)

    @property
    def policy(self) -> Any:
        self._update_own()
        return self._policy

    @property
    def classes(self) -> Any:
        self._update_own()
        return self._classes

    def _update_own(self) -> None:
        """Fetch the weights from the device if games have changed them."""
        if not self._is_current:
            self._classes.weights = self._device.fetch(self._common.classes)["weights"][0]
            show_all_weights(self._classes, self._policy.shapes)
            self._is_current = True

    def set_weights(self, weights: np.ndarray) -> None:
        self._classes.weights, self._is_current = weights, True
        show_all_weights(self._classes, self._policy.shapes)
        self._common = self._copy_common()

    def learnt(self, about: dict[str, Any]) -> ShapeWeights:
        return ShapeWeights(self.weights.shapes, self.classes.weights.copy(), about)
