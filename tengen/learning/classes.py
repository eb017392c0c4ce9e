"""What kernels need to learn the weights of a set of shapes."""

from typing import Any

import numpy as np

from tengen.jit import new
from tengen.learning.td import classes_record, lesson_record
from tengen.policies.go.shape_weights import evaluation_of
from tengen.policies.go.weights import ShapeWeights


def weight_classes(weights: ShapeWeights) -> Any:
    """A record with the weights, to be changed in place, and with the entries of the tables that show each of them."""
    shapes = weights.shapes
    made = new(
        classes_record(
            f"classes_{_name(weights)}",
            len(shapes.local_class),
            len(shapes.common_class),
            shapes.weights,
            shapes.common_weights,
        )
    )
    made.local, made.common, made.weights = shapes.local_class, shapes.common_class, weights.weights
    numbers = np.concatenate([shapes.common_class, shapes.local_class])
    codes = np.concatenate([np.arange(len(shapes.common_class)), np.arange(len(shapes.local_class))])
    order = np.argsort(np.abs(numbers), kind="stable")
    made.member = ((codes + 1) * np.sign(numbers))[order]
    made.first_member = np.searchsorted(np.abs(numbers)[order], np.arange(shapes.weights + 2))
    return made


def new_lesson(weights: ShapeWeights) -> Any:
    """Room to learn from games."""
    name = f"lesson_{_name(weights)}"
    return new(lesson_record(name, weights.shared.dtype, evaluation_of(weights, fused=False), weights.shapes.weights))


def _name(weights: ShapeWeights) -> str:
    """Kernels are made for the board and the features, and for how many weights they have."""
    inverted = "" if weights.shapes.colour_inversion else "_plain"
    return f"{weights.shapes.features}_{weights.shapes.size}{inverted}"
