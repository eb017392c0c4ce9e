"""What a study has found: the best values with their error bars, and the rates there."""

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
"""Surfaces whose maxima make the error bars."""
RECENT = 200
"""The last games, of whose rate a report tells."""


@dataclass(frozen=True)
class Choice:
    """The value of a parameter at the surface's maximum on average, and where, with 95 % confidence, that may be."""

    name: str
    value: float
    low: float
    high: float
    default: float


@dataclass(frozen=True)
class Report:
    """What a study has found."""

    games: int
    choices: list[Choice]
    rate: Rate
    """At the values chosen, by the surface. It flatters: the maximum is where the surface's errors are in favour."""
    default_rate: Rate | None
    """At the player's own values, if they are within the limits."""
    recent: Rate
    """Of the last RECENT games, which were played where the maximum was thought to be."""
    player: str
    """The player with the values chosen."""

    def to_json(self) -> dict[str, Any]:
        """A default that is infinite, as that of `first_play`, is null: JSON has no word for it."""
        found = asdict(self)
        for choice in found["choices"]:
            choice["default"] = choice["default"] if math.isfinite(choice["default"]) else None
        return found


def report(task: Task, study: optuna.Study) -> Report:
    """The middle of the maxima of surfaces drawn from what may be, with error bars: where 95 % of these maxima are.

    The most likely surface's own maximum lies at some limit of each parameter that hardly matters.
    """
    points, results = observations(study, task.parameters)
    if len(results) < 2:
        raise TengenError("a report needs two games or more")
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
