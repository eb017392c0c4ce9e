"""The parts that use gammas: the prior `learnt` and the playout policy `learnt`."""

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tengen.games.game import Game
from tengen.games.go.game import Go
from tengen.games.go.go_record import AROUND
from tengen.jit import new
from tengen.options import option
from tengen.policies.expectation import PriorOptions
from tengen.policies.go.gamma_table import BadGammas, GammaTable, gammas_file, load_gammas
from tengen.policies.go.learnt_policy import LEARNT
from tengen.policies.go.learnt_prior import LEARNT_DIAMONDS, LEARNT_SQUARES
from tengen.policies.go.shape_features import exchanged_shapes, feature_set, own_eye_keys
from tengen.policies.go.urgency import MOST_URGENCY
from tengen.policies.go.urgency_table import DIAMONDS, SQUARES, UNIT
from tengen.registry import PLAYOUT_POLICY, PRIOR, Needs, register


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


@dataclass(frozen=True)
class LearntPolicyOptions:
    """Options of the playout policy learnt."""

    policy_gammas: str = option(
        "playout",
        "the gammas: playout (learnt on the nearest board size), or a file of `tengen train gammas --use playout`",
    )


LEAST_SIZE = 4
"""The size of a board on which all feature sets have a view; shapes are the same on all."""
LEAST_ANSWER, MOST_ANSWER = 1 / 32, 1000.0
"""Limits of the gammas in playouts except those of shapes: a draw is not repeated too often, and sums are exact."""


@lru_cache(maxsize=2)
def _compiled(file: Path, size: int, changed: int) -> Any:
    """Return the record of the prior for gammas in a file, without options; cached by its modification time."""
    table = load_gammas(file)
    made = new(LEARNT_DIAMONDS if table.patterns == DIAMONDS else LEARNT_SQUARES)
    made.logs[: len(table.gammas)] = np.log(table.gammas)
    made.features = table.features.view(size)
    return made


@lru_cache(maxsize=2)
def _policy(file: Path, changed: int) -> Any:
    """Return the record of the policy for gammas in a file; cached by its modification time."""
    return compiled_policy(load_gammas(file))


def compiled_policy(table: GammaTable) -> Any:
    """Return the record of the policy that plays by gammas. Raises BadGammas if it cannot keep all their features.

    Gammas beyond the limits are replaced by the limits.
    """
    check_for_playouts(table)
    features, gammas = table.features, table.gammas
    made = new(LEARNT)
    made.table = _urgencies(gammas, features.groups["shape"])
    answers = np.clip(gammas, LEAST_ANSWER, MOST_ANSWER)
    beside, diagonal = answers[features.groups["last"].start + 1 : features.groups["last"].start + 3]
    made.near = [beside if 0 in step else diagonal for step in AROUND]
    for name, highest in (("capture", MOST_ANSWER), ("escape", MOST_ANSWER), ("self_atari", 1.0)):
        numbers = features.groups[name]
        made[name] = [1.0, *np.minimum(answers[numbers.start : numbers.stop], highest)]
    made.two_liberties = answers[features.groups["two_liberties"].start]
    made.nakade = answers[features.groups["nakade"].start]
    made.lists_ataris = (made.capture != 1).any() or (made.escape != 1).any()
    made.refuses = (made.self_atari != 1).any()
    return made


def check_for_playouts(table: GammaTable) -> None:
    """Raise BadGammas if the playout policy cannot keep all features with a gamma other than 1."""
    if not (table.gammas[~table.features.kept_in_playouts] == 1).all():
        raise BadGammas("these gammas are not for playouts; make them with `tengen train gammas --use playout`")


def _urgencies(gammas: np.ndarray, shapes: range) -> np.ndarray:
    """Return the words of the gammas of shapes, by key: Black's | White's << 32, 0 in own eyes."""
    scale = min(UNIT, MOST_URGENCY / gammas[shapes.start : shapes.stop].max())
    whole = np.clip(np.rint(scale * gammas), 1, MOST_URGENCY).astype(np.uint64)
    words = np.where(own_eye_keys(), np.uint64(0), whole[_shape_numbers()])
    return np.asarray(words | (words[exchanged_shapes()] << np.uint64(32)))


@cache
def _shape_numbers() -> np.ndarray:
    """Return the number of the feature of each key, the same in all feature sets."""
    return np.asarray(feature_set(SQUARES).view(LEAST_SIZE).shapes)


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


def _policy_of(options: LearntPolicyOptions, game: Game) -> Any:
    assert isinstance(game, Go)
    file = gammas_file(options.policy_gammas, game.size)
    return _policy(file, _changed(file))


register(
    PLAYOUT_POLICY,
    "learnt",
    "probabilities proportional to learnt gammas of shapes, ataris and the distance to the last move [Coulom2007]",
    options=LearntPolicyOptions,
    record=_policy_of,
    game="go",
    needs=Needs(tactical=True),
)
register(
    PRIOR,
    "learnt",
    "even, with more for the moves that are probable by learnt gammas of their features [Coulom2007]",
    options=LearntPriorOptions,
    record=_prior_of,
    game="go",
    needs=Needs(tactical=True),
)
