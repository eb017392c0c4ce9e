"""What a training depends on."""

from dataclasses import dataclass
from typing import Any

from tengen.errors import TengenError, shortened
from tengen.jit import record_of
from tengen.learning.td import TD


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
