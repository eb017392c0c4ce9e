"""The settings of a training."""

from dataclasses import dataclass
from typing import Any

from tengen.errors import TengenError, shortened
from tengen.jit import record_of
from tengen.learning.td import TD

LARGEST_BATCH = 2**20


@dataclass(frozen=True)
class TrainingSettings:
    """All settings that determine the weights, except the number of games."""

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
    batch: int = 0
    """Number of games played at once with the same weights; 0: the weights change after each game."""

    def __post_init__(self) -> None:
        if self.step not in ("squared-norm", "count"):
            raise TengenError(f"unknown step {shortened(self.step)}; choose from: squared-norm, count")
        if self.update not in ("episode", "online"):
            raise TengenError(f"unknown update {shortened(self.update)}; choose from: episode, online")
        if self.decay > 0 and self.update == "online":
            raise TengenError("lambda above 0 needs update=episode")
        if self.batch and (self.update == "online" or self.threads > 1 or self.workers > 1):
            raise TengenError("batches of games (backend gpu) need update=episode, threads=1 and workers=1")
        for name, low, high in (("epsilon", 0, 1), ("step_size", 0, 10), ("decay", 0, 1), ("batch", 0, LARGEST_BATCH)):
            if not low <= getattr(self, name) <= high:
                raise TengenError(f"{name} must be from {low} to {high}, not {getattr(self, name):g}")

    def td(self) -> Any:
        """The record of the settings for kernels."""
        return record_of(
            TD,
            step_size=self.step_size,
            decay=self.decay,
            squared_norm=self.step == "squared-norm",
            online=self.update == "online",
        )
