"""Training of urgencies: the loop over the steps of a method, its checkpoints and measurements, and a report.

The state after each step follows from the settings alone, whatever the number of workers, so a training that is killed
and started again ends with the same table as an uninterrupted one.
"""

import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tengen.errors import TengenError, shortened
from tengen.learning.array_file import load_arrays, save_arrays
from tengen.learning.reports import next_measurement
from tengen.learning.urgency_methods import make_method, margin_of, measurement_tasks
from tengen.learning.urgency_settings import METHODS, UrgencySettings
from tengen.learning.urgency_workers import STREAMS_PER_STEP, UrgencyWorker, relative_entropy
from tengen.parallel import Backend

CHECKPOINT_SECONDS = 20.0
MEASURED_GAMES = 400
"""Games against each opponent in a measurement."""
ENTROPY_GAMES = 50
MEASUREMENT_STREAM = 2**31
"""First stream of random numbers, within those of a step, for its measurement."""
MEASURED = ("zero", "zero_error", "zero_rate", "manual", "manual_error", "manual_rate", "entropy")
"""What every measurement has, besides the numbers of steps and games."""
LARGEST_NUMBER = 10**18
"""Limit of the numbers in the progress of a checkpoint."""


@dataclass
class UrgencyProgress:
    """The progress of a training."""

    steps: int = 0
    games: int = 0
    seconds: float = 0.0
    curve: list[dict[str, Any]] = field(default_factory=list)
    """Measurements: steps and games so far, margins against Zero and Manual, relative entropy, facts of the step."""

    @staticmethod
    def can_be(found: Any) -> bool:
        """Whether an object from a file is the progress of a training."""
        usual = asdict(UrgencyProgress())
        if not isinstance(found, dict) or found.keys() != usual.keys() or not isinstance(found["curve"], list):
            return False
        points = found["curve"]
        if not all(isinstance(point, dict) for point in points):
            return False
        counts = [each.get(name) for each in (found, *points) for name in ("steps", "games")]
        numbers = [found["seconds"], *(point.get(name) for point in points for name in MEASURED)]
        return all(type(count) is int and 0 <= count <= LARGEST_NUMBER for count in counts) and all(
            type(number) in (int, float) and abs(number) <= LARGEST_NUMBER for number in numbers
        )


class UrgencyTraining:
    """A training, new or continued from its checkpoint FILE.checkpoint; the table is written to FILE."""

    def __init__(self, settings: UrgencySettings, path: Path):
        self.settings, self.path = settings, path
        self.name = next(name for name, kind in METHODS.items() if type(settings) is kind)
        self.method = make_method(settings)
        self.progress = UrgencyProgress()
        self.saved_steps = 0
        """Steps of the checkpoint."""
        if os.path.exists(self.checkpoint):
            self._restore()
        elif os.path.exists(path):
            raise TengenError(f"{shortened(path, 160)} exists, and has no checkpoint: choose another file")

    @property
    def checkpoint(self) -> Path:
        return self.path.with_name(self.path.name + ".checkpoint")

    def _restore(self) -> None:
        """Continue from the checkpoint. Raises TengenError if it is damaged or of other settings."""
        about, arrays = load_arrays(self.checkpoint)
        name = shortened(self.checkpoint, 160)
        theirs = about.get("settings") if isinstance(about, dict) else None
        if not isinstance(theirs, dict) or not UrgencyProgress.can_be(about.get("progress")):
            raise TengenError(f"{name} is not a checkpoint of this training")
        mine = {"method": self.name, **asdict(self.settings)}
        for key, value in (mine | theirs).items():
            if key not in theirs or mine.get(key) != value:
                shown = key if key in mine else shortened(key)
                raise TengenError(
                    f"{name} is of a training with {shown}={theirs.get(key)!r:.40}, not {mine.get(key)!r}:"
                    " choose another file, or use its settings"
                )
        usual = {key: (array.shape, array.dtype) for key, array in self.method.arrays.items()}
        if {key: (array.shape, array.dtype) for key, array in arrays.items()} != usual:
            raise TengenError(f"{name} is damaged: its arrays do not fit its settings")
        for key, (low, high) in self.method.limits.items():
            if not ((arrays[key] >= low) & (arrays[key] <= high)).all():  # NaN is in no range
                raise TengenError(f"{name} is damaged: its {key} are not all from {low:g} to {high:g}")
        self.method.arrays, self.progress = arrays, UrgencyProgress(**about["progress"])
        self.saved_steps = self.progress.steps

    def save(self) -> None:
        """Write the checkpoint, then the table."""
        about = {"method": self.name, **asdict(self.settings)}
        save_arrays(self.checkpoint, {"settings": about, "progress": asdict(self.progress)}, self.method.arrays)
        self.saved_steps = self.progress.steps
        table = self.method.table()
        table.about.update({**about, f"{self.method.step_name}s": self.progress.steps, "trained": self.progress.games})
        table.save(self.path)

    def run(self, steps: int, backend: Backend, watch: Callable[["UrgencyTraining"], None]) -> None:
        """Train until `steps` steps are done in total, with periodic checkpoints and one at the end."""
        saved = time.monotonic()

        def run(tasks: list[Any]) -> list[Any]:
            found = {}
            for done in backend.run(UrgencyWorker, tasks, keep=True):
                if done.error:
                    raise TengenError(f"a worker failed: {shortened(done.error.strip().splitlines()[-1], 200)}")
                found[done.result.number] = done.result
            return [found[task.number] for task in tasks]

        if self.progress.steps >= steps:  # a kill may have come between the checkpoint and the table
            self.save()
        while self.progress.steps < steps:
            began = time.perf_counter()
            facts = self.method.advance(self.progress.steps, run)
            self.progress.seconds += time.perf_counter() - began
            self.progress.steps += 1
            self.progress.games += int(facts.pop("games"))
            is_due = self.progress.steps in (steps, next_measurement(self.progress.steps - 1, first=1))
            if is_due:
                self._measure(run, facts)
            if is_due or time.monotonic() - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = time.monotonic()
            watch(self)

    def _measure(self, run: Callable[[list[Any]], list[Any]], facts: dict[str, float]) -> None:
        """Add a measurement of the table to the curve: at the low level, and its randomness."""
        progress, table = self.progress, self.method.table()
        stream = progress.steps * STREAMS_PER_STEP + MEASUREMENT_STREAM
        point: dict[str, Any] = {"steps": progress.steps, "games": progress.games, **facts}
        for opponent, result in zip(
            ("zero", "manual"), run(measurement_tasks(table, self.settings, MEASURED_GAMES, stream)), strict=True
        ):
            margin, error, rate = margin_of(result)
            point |= {opponent: margin, f"{opponent}_error": error, f"{opponent}_rate": rate}
        point["entropy"] = relative_entropy(table, self.settings, ENTROPY_GAMES, stream + 2)
        progress.curve.append(point)

    def report(self) -> dict[str, Any]:
        """Return the settings, progress and measurements as JSON values."""
        progress = self.progress
        return {
            "settings": {"method": self.name, **asdict(self.settings)},
            f"{self.method.step_name}s": progress.steps,
            "games": progress.games,
            "seconds": round(progress.seconds, 1),
            "curve": progress.curve,
        }
