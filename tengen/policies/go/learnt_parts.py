"""The parts that use gammas: the prior `learnt`."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tengen.games.game import Game
from tengen.games.go.game import Go
from tengen.jit import new
from tengen.options import option
from tengen.policies.expectation import PriorOptions
from tengen.policies.go.gamma_table import gammas_file, load_gammas
from tengen.policies.go.learnt_prior import LEARNT_DIAMONDS, LEARNT_SQUARES
from tengen.policies.go.urgency_table import DIAMONDS
from tengen.registry import PRIOR, Needs, register


@dataclass(frozen=True)
class LearntPriorOptions(PriorOptions):
    """Options of the prior learnt."""

    gammas: str = option("go", "the gammas: go (learnt on the nearest board size), or a file of `tengen train gammas`")
    learnt_wins: float = option(
        8.0, "wins for a move of probability 1 in the learnt model, as a multiple of prior_weight", low=0, high=1000
    )
    learnt_power: float = option(0.5, "wins are proportional to this power of a move's probability", low=0, high=10)
    learnt_losses: float = option(
        0.0, "losses for a move of probability 0, as a multiple of prior_weight", low=0, high=1000
    )


@lru_cache(maxsize=2)
def _compiled(file: Path, size: int, changed: int) -> Any:
    """Return the record of the prior for gammas in a file, without options; cached by its modification time."""
    table = load_gammas(file)
    made = new(LEARNT_DIAMONDS if table.patterns == DIAMONDS else LEARNT_SQUARES)
    made.logs[: len(table.gammas)] = np.log(table.gammas)
    made.features = table.features.view(size)
    return made


def _changed(file: Path) -> int:
    """Return the modification time of a file in ns; 0 if it cannot be read (loading then raises the reason)."""
    try:
        return file.stat().st_mtime_ns
    except (OSError, ValueError):
        return 0


def _prior_of(options: LearntPriorOptions, game: Game) -> Any:
    assert isinstance(game, Go)
    file = gammas_file(options.gammas, game.size)
    made = _compiled(file, game.size, _changed(file)).copy()
    made.weight, made.on_visits, made.on_rave = options.weight, options.on_visits, options.on_rave
    made.wins, made.power, made.losses = options.learnt_wins, options.learnt_power, options.learnt_losses
    return made


register(
    PRIOR,
    "learnt",
    "even, with more for the moves that are probable by learnt gammas of their features [Coulom2007]",
    options=LearntPriorOptions,
    record=_prior_of,
    game="go",
    needs=Needs(tactical=True),
)
