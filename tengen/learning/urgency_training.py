"""Training of urgencies: the steps of a method, and measurements of the table without search."""

from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tengen.learning.stepwise import Run, StepwiseTraining
from tengen.learning.urgency_methods import make_method, margin_of, measurement_tasks
from tengen.learning.urgency_settings import METHODS, UrgencySettings
from tengen.learning.urgency_workers import STREAMS_PER_STEP, UrgencyWorker, relative_entropy

MEASURED_GAMES = 400
"""Games against each opponent in a measurement."""
ENTROPY_GAMES = 50
MEASUREMENT_STREAM = 2**31
"""First stream of random numbers, within those of a step, for its measurement."""
MEASURED = ("zero", "zero_error", "zero_rate", "manual", "manual_error", "manual_rate", "entropy")
"""What every measurement has: margins against Zero and Manual, and the relative entropy."""


class UrgencyTraining(StepwiseTraining):
    """A training of urgencies by one of the methods."""

    measured: ClassVar = MEASURED
    worker: ClassVar = UrgencyWorker

    def __init__(self, settings: UrgencySettings, path: Path):
        self.settings = settings
        self.name = next(name for name, kind in METHODS.items() if type(settings) is kind)
        self.method = make_method(settings)
        self.step_name = self.method.step_name
        super().__init__(path)

    @property
    def described(self) -> dict[str, Any]:
        return {"method": self.name, **asdict(self.settings)}

    @property
    def state(self) -> dict[str, np.ndarray]:
        return self.method.arrays

    def resume(self, arrays: dict[str, np.ndarray]) -> None:
        self.method.arrays = arrays

    @property
    def limits(self) -> dict[str, tuple[float, float]]:
        return self.method.limits

    def write_result(self) -> None:
        table = self.method.table()
        steps = {f"{self.step_name}s": self.progress.steps}
        table.about.update({**self.described, **steps, "trained": self.progress.games})
        table.save(self.path)

    def advance(self, run: Run) -> dict[str, float]:
        return self.method.advance(self.progress.steps, run)

    def measure(self, run: Run) -> dict[str, float]:
        """Return the table's margins at the low level, and its randomness."""
        table = self.method.table()
        point: dict[str, float] = {}
        stream = self.progress.steps * STREAMS_PER_STEP + MEASUREMENT_STREAM
        for opponent, result in zip(
            ("zero", "manual"), run(measurement_tasks(table, self.settings, MEASURED_GAMES, stream)), strict=True
        ):
            margin, error, rate = margin_of(result)
            point |= {opponent: margin, f"{opponent}_error": error, f"{opponent}_rate": rate}
        point["entropy"] = relative_entropy(table, self.settings, ENTROPY_GAMES, stream + 2)
        return point
