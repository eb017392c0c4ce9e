"""Records for learning the weights of a set of shapes."""

from typing import Any

import numpy as np

from tengen.jit import new
from tengen.learning.td import classes_record, lesson_record
from tengen.policies.go.shape_weights import evaluation_of
from tengen.policies.go.weights import ShapeWeights


def weight_classes(weights: ShapeWeights) -> Any:
    """Make the record of the weights, which learning changes in place, and of the table entries of each weight."""
    shapes = weights.shapes
    made = new(
        classes_record(
            f"classes_{set_name(weights)}",
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
    """Make a thread's scratch buffers for learning."""
    name = f"lesson_{set_name(weights)}"
    return new(lesson_record(name, weights.shared.dtype, evaluation_of(weights, fused=False), weights.shapes.weights))


def set_name(weights: ShapeWeights) -> str:
    """Return the part of a record's name that determines its layout: features, board size, and colour inversion."""
    inverted = "" if weights.shapes.colour_inversion else "_plain"
    return f"{weights.shapes.features}_{weights.shapes.size}{inverted}"
