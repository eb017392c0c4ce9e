"""Policies over learnt weights of shapes, made ready for kernels."""

from typing import Any

import numpy as np

from tengen.games.go.playout import LENGTH_FACTOR
from tengen.jit import new
from tengen.policies.stochastic import stochastic_record
from tengen.values.shapes import evaluation_record
from tengen.values.weights import ShapeWeights


def shape_policy(
    weights: ShapeWeights, epsilon: float = 0.0, sigma: float = 0.0, tau: float = 0.0, fused: bool = True
) -> Any:
    """A policy over a value: greedy, with probability epsilon random, with noise sigma, or with temperature tau.

    With fused tables it plays faster; without, it keeps the history of a game, and its weights can be learnt.
    """
    shapes = weights.fused if fused else weights.shared
    evaluation = evaluation_of(weights, fused)
    made = new(stochastic_record(f"stochastic_{_name(weights, fused)}", shapes.dtype, evaluation))
    made.shapes, made.epsilon, made.sigma, made.tau = shapes, epsilon, sigma, tau
    return made


def evaluation_of(weights: ShapeWeights, fused: bool) -> np.dtype:
    """The record with which positions are evaluated by these weights."""
    shapes = weights.fused if fused else weights.shared
    most_moves = 0 if fused else LENGTH_FACTOR * weights.shapes.size**2
    return evaluation_record(f"evaluation_{_name(weights, fused)}", shapes.dtype, most_moves)


def _name(weights: ShapeWeights, fused: bool) -> str:
    return f"{weights.shapes.features}_{weights.shapes.size}_{'fused' if fused else 'shared'}"
