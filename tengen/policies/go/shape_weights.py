"""Records of policies and priors from learnt weights of shapes."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tengen.errors import TengenError
from tengen.games.game import Game
from tengen.games.go.game import Go
from tengen.games.go.playout import LENGTH_FACTOR
from tengen.jit import new
from tengen.policies.go.shape_prior import PHASES, shape_prior_record
from tengen.policies.go.shapes import evaluation_record
from tengen.policies.go.stochastic import stochastic_record
from tengen.policies.go.weights import SHIPPED, ShapeWeights, load_weights


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
