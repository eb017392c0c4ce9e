"""Results of a study: the best values with their error bars, and the win rates there."""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import optuna

from tengen.arena.plans import seed_of
from tengen.arena.scores import wilson_interval
from tengen.errors import TengenError
from tengen.tuning.study import Task, observations
from tengen.tuning.surface import Rate, Surface, middle_of

DRAWS = 300
"""Number of surfaces drawn for the error bars."""
RECENT = 200
"""Number of last games whose win rate is reported."""


@dataclass(frozen=True)
class Choice:
    """The value of a parameter at the mean maximum of the surface, with its 95 % interval."""

    name: str
    value: float
    low: float
    high: float
    default: float


@dataclass(frozen=True)
class Report:
    """The results of a study."""

    games: int
    choices: list[Choice]
    rate: Rate
    """The model's win rate at the chosen values; biased upwards, as the maximum selects favourable errors."""
    default_rate: Rate | None
    """The model's win rate at the player's present values, if they are within the limits."""
    recent: Rate
    """The win rate of the last RECENT games, which were played near the estimated maximum."""
    player: str
    """The player with the chosen values."""

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values; an infinite default, as of `first_play`, becomes null."""
        found = asdict(self)
        for choice in found["choices"]:
            choice["default"] = choice["default"] if math.isfinite(choice["default"]) else None
        return found


def report(task: Task, study: optuna.Study) -> Report:
    """Return the centre of the maxima of surfaces drawn from the posterior, with the interval of 95 % of these maxima.

    The maximum of the most likely surface is not used: for parameters of little effect it lies at a limit.
    """
    points, results = observations(study, task.parameters)
    if len(results) < 2:
        raise TengenError("a report needs at least two games")
    surface = Surface.fit(points, results)
    chance = np.random.default_rng(seed_of(task.conditions.seed, "report"))
    maxima = np.array([surface.best(chance, drawn=True) for _ in range(DRAWS)])
    best = middle_of(maxima, surface)
    defaults = [float(getattr(task.player.config, parameter.name)) for parameter in task.parameters]
    choices = [
        Choice(
            name=parameter.name,
            value=parameter.value(float(best[i])),
            low=parameter.value(float(np.quantile(maxima[:, i], 0.025))),
            high=parameter.value(float(np.quantile(maxima[:, i], 0.975))),
            default=defaults[i],
        )
        for i, parameter in enumerate(task.parameters)
    ]
    within = all(one.low <= value <= one.high for one, value in zip(task.parameters, defaults, strict=True))
    default_rate = None
    if within:
        place = [parameter.scaled(value) for parameter, value in zip(task.parameters, defaults, strict=True)]
        default_rate = surface.rate(place)
    chosen = str(task.entrant({choice.name: choice.value for choice in choices}).spec)
    last = results[-RECENT:]
    recent = Rate(float(last.mean()), *wilson_interval(float(last.sum()), len(last)))
    return Report(
        games=len(results),
        choices=choices,
        rate=surface.rate(best.tolist()),
        default_rate=default_rate,
        recent=recent,
        player=chosen,
    )
