"""Trainings in steps: the loop over the steps, checkpoints, and measurements.

The state after each step follows from the settings alone, whatever the number of workers, so a training that is killed
and started again ends with the same result as an uninterrupted one.
"""

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from tengen.errors import TengenError, shortened
from tengen.learning.array_file import load_arrays, save_arrays
from tengen.learning.reports import next_measurement
from tengen.parallel import Backend

CHECKPOINT_SECONDS = 20.0
LARGEST_NUMBER = 10**18
"""Limit of the numbers in the progress of a checkpoint."""

Run = Callable[[list[Any]], list[Any]]
"""A function that does tasks and returns their results in the same order."""


@dataclass
class StepProgress:
    """The progress of a training."""

    steps: int = 0
    games: int = 0
    seconds: float = 0.0
    curve: list[dict[str, Any]] = field(default_factory=list)
    """Measurements: steps and games so far, the numbers measured, and facts of the step."""

    @staticmethod
    def can_be(found: Any, measured: tuple[str, ...]) -> bool:
        """Whether an object from a file is the progress of a training whose measurements have these numbers."""
        usual = asdict(StepProgress())
        if not isinstance(found, dict) or found.keys() != usual.keys() or not isinstance(found["curve"], list):
            return False
        points = found["curve"]
        if not all(isinstance(point, dict) for point in points):
            return False
        counts = [each.get(name) for each in (found, *points) for name in ("steps", "games")]
        numbers = [found["seconds"], *(point.get(name) for point in points for name in measured)]
        return all(type(count) is int and 0 <= count <= LARGEST_NUMBER for count in counts) and all(
            type(number) in (int, float) and abs(number) <= LARGEST_NUMBER for number in numbers
        )


class StepwiseTraining(ABC):
    """A training, new or continued from its checkpoint FILE.checkpoint; its result is written to FILE."""

    measured: ClassVar[tuple[str, ...]]
    """The numbers that every measurement has."""
    worker: ClassVar[type]
    """The class of the workers that do the tasks of a step."""
    step_name: str
    """What a step is called, in the singular."""

    def __init__(self, path: Path):
        """Begin, or continue from the checkpoint. Subclasses set their settings and arrays before."""
        self.path = path
        self.progress = StepProgress()
        self.saved_steps = 0
        """Steps of the checkpoint."""
        if os.path.exists(self.checkpoint):
            self._restore()
        elif os.path.exists(path):
            raise TengenError(f"{shortened(path, 160)} exists, and has no checkpoint: choose another file")

    @property
    @abstractmethod
    def described(self) -> dict[str, Any]:
        """The settings that determine the result, as JSON values."""

    @property
    @abstractmethod
    def state(self) -> dict[str, np.ndarray]:
        """The arrays that, with the number of steps, determine the next step."""

    @abstractmethod
    def resume(self, arrays: dict[str, np.ndarray]) -> None:
        """Continue with other arrays of the same shapes and types as `state`."""

    @property
    @abstractmethod
    def limits(self) -> dict[str, tuple[float, float]]:
        """The least and the largest number in each array."""

    @abstractmethod
    def advance(self, run: Run) -> dict[str, float]:
        """Do the next step; return facts about it, with the number of games under `games`."""

    @abstractmethod
    def measure(self, run: Run) -> dict[str, float]:
        """Return the numbers in `measured`."""

    @abstractmethod
    def write_result(self) -> None:
        """Write the result to the file."""

    @property
    def checkpoint(self) -> Path:
        return self.path.with_name(self.path.name + ".checkpoint")

    def _restore(self) -> None:
        """Continue from the checkpoint. Raises TengenError if it is damaged or of other settings."""
        about, arrays = load_arrays(self.checkpoint)
        name = shortened(self.checkpoint, 160)
        theirs = about.get("settings") if isinstance(about, dict) else None
        if not isinstance(theirs, dict) or not StepProgress.can_be(about.get("progress"), self.measured):
            raise TengenError(f"{name} is not a checkpoint of this training")
        mine = self.described
        for key, value in (mine | theirs).items():
            if key not in theirs or mine.get(key) != value:
                shown = key if key in mine else shortened(key)
                raise TengenError(
                    f"{name} is of a training with {shown}={theirs.get(key)!r:.40}, not {mine.get(key)!r}:"
                    " choose another file, or use its settings"
                )
        usual = {key: (array.shape, array.dtype) for key, array in self.state.items()}
        if {key: (array.shape, array.dtype) for key, array in arrays.items()} != usual:
            raise TengenError(f"{name} is damaged: its arrays do not fit its settings")
        for key, (low, high) in self.limits.items():
            if not ((arrays[key] >= low) & (arrays[key] <= high)).all():  # NaN is in no range
                raise TengenError(f"{name} is damaged: its {key} are not all from {low:g} to {high:g}")
        self.resume(arrays)
        self.progress = StepProgress(**about["progress"])
        self.saved_steps = self.progress.steps

    def save(self) -> None:
        """Write the checkpoint, then the result."""
        save_arrays(self.checkpoint, {"settings": self.described, "progress": asdict(self.progress)}, self.state)
        self.saved_steps = self.progress.steps
        self.write_result()

    def run(self, steps: int, backend: Backend, watch: Callable[[Self], None]) -> None:
        """Train until `steps` steps are done in total, with periodic checkpoints and one at the end."""
        saved = time.monotonic()

        def run(tasks: list[Any]) -> list[Any]:
            found = {}
            for done in backend.run(self.worker, tasks, keep=True):
                if done.error:
                    raise TengenError(f"a worker failed: {shortened(done.error.strip().splitlines()[-1], 200)}")
                found[done.result.number] = done.result
            return [found[task.number] for task in tasks]

        if self.progress.steps >= steps:  # a kill may have come between the checkpoint and the result
            self.save()
        while self.progress.steps < steps:
            began = time.perf_counter()
            facts = self.advance(run)
            self.progress.seconds += time.perf_counter() - began
            self.progress.steps += 1
            self.progress.games += int(facts.pop("games"))
            is_due = self.progress.steps in (steps, next_measurement(self.progress.steps - 1, first=1))
            if is_due:
                so_far = {"steps": self.progress.steps, "games": self.progress.games}
                self.progress.curve.append({**so_far, **facts, **self.measure(run)})
            if is_due or time.monotonic() - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = time.monotonic()
            watch(self)

    def report(self) -> dict[str, Any]:
        """Return the settings, progress and measurements as JSON values."""
        progress = self.progress
        return {
            "settings": self.described,
            f"{self.step_name}s": progress.steps,
            "games": progress.games,
            "seconds": round(progress.seconds, 1),
            "curve": progress.curve,
        }
