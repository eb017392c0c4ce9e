"""Records of policies and priors from learnt weights of shapes."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tengen.errors import TengenError
from tengen.games.game import Game
from tengen.games.go.game import Go
from tengen.games.go.playout import LENGTH_FACTOR
from tengen.jit import new
from tengen.options import option
from tengen.policies.expectation import PriorOptions
from tengen.policies.go.shape_prior import PHASES, shape_prior_record
from tengen.policies.go.shapes import evaluation_record
from tengen.policies.go.stochastic import stochastic_record
from tengen.policies.go.weights import SHIPPED, ShapeWeights, load_weights
from tengen.registry import PLAYOUT_POLICY, PRIOR, Needs, register

BY_VARIANCE = "variance"
"""The value of prior_weight that weighs the prior by the variance of its error."""


def weights_option() -> Any:
    """Return the option for the file of learnt weights."""
    return option("", "file of weights of local shapes; empty: those of the package")


@dataclass(frozen=True)
class ShapePolicyOptions:
    """Options of the playout policy rlgo. With the defaults it is greedy."""

    weights: str = weights_option()
    epsilon: float = option(0.0, "probability of a random move", low=0, high=1)
    sigma: float = option(0.0, "standard deviation of the Gaussian noise on the values of moves", low=0, high=100)
    tau: float = option(0.0, "temperature of a softmax over the values of moves; 0: greedy", low=0, high=100)


@dataclass(frozen=True)
class ShapePriorOptions(PriorOptions):
    """Options of the prior rlgo."""

    prior_weight: float | str = option(  # type: ignore[assignment]
        10.0,
        "M, the equivalent experience of the prior, in visits; 'variance': prior_scale times Q (1 - Q) / "
        "E (Q - search)^2, by phase of the game",
        low=0,
        high=1e5,
        words=(BY_VARIANCE,),
    )
    prior_scale: float = option(
        1.0,
        "factor of the experience by prior_weight=variance",
        low=0,
        high=1e5,
        needs={"prior_weight": (BY_VARIANCE,)},
    )
    weights: str = weights_option()

    @property
    def weight(self) -> float:
        return self.prior_scale if self.prior_weight == BY_VARIANCE else float(self.prior_weight)


def shape_policy(
    weights: ShapeWeights, epsilon: float = 0.0, sigma: float = 0.0, tau: float = 0.0, fused: bool = True
) -> Any:
    """Make a policy: greedy, epsilon-greedy, with Gaussian noise `sigma` on Q, or softmax of temperature `tau`.

    With `fused` tables it plays faster; without them it keeps the history of a game, as learning needs.
    """
    shapes, evaluation = weights.fused if fused else weights.shared, evaluation_of(weights, fused)
    made = new(stochastic_record(f"stochastic_{_name(weights, fused)}", shapes.dtype, evaluation))
    made.shapes, made.epsilon, made.sigma, made.tau = shapes, epsilon, sigma, tau
    return made


def shape_prior(weights: ShapeWeights, by_variance: bool = False) -> Any:
    """Make a prior; its experience is constant, or follows from the variances stored with the weights.

    Raises TengenError if `by_variance` is set and the weights have no variances.
    """
    shapes, evaluation = weights.fused, evaluation_of(weights, fused=True)
    made = new(shape_prior_record(f"shape_prior_{_name(weights, True)}", shapes.dtype, evaluation))
    made.shapes = shapes
    if by_variance:
        variance = weights.about.get("variance")
        if not _are_variances(variance):
            raise TengenError("these weights have no variances, so prior_weight=variance cannot be used")
        made.variance = variance
    return made


def _are_variances(found: Any) -> bool:
    """Whether a value is a list with one variance per phase, each 0 or from 1e-6 to 1e6."""
    is_list = isinstance(found, list) and len(found) == PHASES
    return is_list and all(isinstance(one, int | float) and (one == 0 or 1e-6 <= one <= 1e6) for one in found)


def evaluation_of(weights: ShapeWeights, fused: bool) -> np.dtype:
    """Return the record type of evaluations with these weights."""
    shapes = weights.fused if fused else weights.shared
    most_moves = 0 if fused else LENGTH_FACTOR * weights.shapes.size**2
    return evaluation_record(f"evaluation_{_name(weights, fused)}", shapes.dtype, most_moves)


def _name(weights: ShapeWeights, fused: bool) -> str:
    return f"{weights.shapes.features}_{weights.shapes.size}_{'fused' if fused else 'shared'}"


def weights_for(path: str, game: Game) -> ShapeWeights:
    """Load the weights in a file, or the package's own if `path` is empty; raise TengenError if they do not fit."""
    if not isinstance(game, Go):
        raise TengenError(f"shape weights exist only for Go, not for {game.name}")
    file = Path(path) if path else shipped_file(game.size)
    weights = _loaded(file, _changed(file))
    if weights.shapes.size != game.size:
        size = weights.shapes.size
        raise TengenError(f"the weights in {file.name} are for {size}x{size} boards, not for {game.size}x{game.size}")
    return weights


def _changed(file: Path) -> int:
    """Return the modification time of a file in ns; 0 if it cannot be read (loading then raises the reason)."""
    try:
        return file.stat().st_mtime_ns
    except (OSError, ValueError):
        return 0


@lru_cache(maxsize=4)
def _loaded(file: Path, changed: int) -> ShapeWeights:
    """Load the weights in a file; cached by its modification time."""
    return load_weights(file)


def shipped_file(size: int) -> Path:
    """Return the package's file of weights for a board size; raise TengenError if there is none."""
    file = SHIPPED / f"rlgo-{size}.weights"
    if not file.is_file():
        known = sorted(int(other.stem.rpartition("-")[2]) for other in SHIPPED.glob("rlgo-*.weights"))
        sizes = " and ".join(f"{one}x{one}" for one in known) or "none"
        raise TengenError(f"no learnt weights for {size}x{size}, only for {sizes}; make them with `tengen train rlgo`")
    return file


def _policy_of(options: ShapePolicyOptions, game: Game) -> Any:
    return shape_policy(weights_for(options.weights, game), options.epsilon, options.sigma, options.tau)


def _prior_of(options: ShapePriorOptions, game: Game) -> Any:
    made = shape_prior(weights_for(options.weights, game), options.prior_weight == BY_VARIANCE)
    made.weight, made.on_visits, made.on_rave = options.weight, options.on_visits, options.on_rave
    return made


register(
    PLAYOUT_POLICY,
    "rlgo",
    "greedy or softmax by learnt weights of local shapes [GellySilver2007, section 5]",
    options=ShapePolicyOptions,
    record=_policy_of,
    game="go",
    needs=Needs(tactical=True),
)
register(
    PRIOR,
    "rlgo",
    "the value of the position after the move by learnt weights of local shapes [GellySilver2007, section 7]",
    options=ShapePriorOptions,
    record=_prior_of,
    game="go",
    needs=Needs(tactical=True),
)
