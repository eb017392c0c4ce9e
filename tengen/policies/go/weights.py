"""Learnt weights of local shapes: their files, and the tables that kernels read.

A file of weights has a header (see headed_files.py) and the weights as raw little-endian 4-byte floats (IEEE 754), in
the order of `ShapeSet`. The header has

    format, version     "tengen shape weights", 2
    size, features, colour_inversion     the board and its shapes: see policies/go/windows.py
    weights             number of weights
    about               an object that describes how they were made
    sha256              the checksum of all this and of the weights' bytes

Loading executes nothing from the file, and checks every field.
"""

import sys
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from tengen.errors import TengenError, shortened
from tengen.files import Unreadable, read_bytes
from tengen.headed_files import is_intact, split_headed, write_headed
from tengen.policies.go.windows import ShapeSet, class_values, fuse, shape_set

FORMAT, VERSION = "tengen shape weights", 2
LARGEST_WEIGHT = 1e6
"""Largest accepted absolute value of a weight: sums stay finite in single precision."""
SHIPPED = Path(__file__).parents[2] / "data"
"""The folder of the package's own weights."""


class BadWeights(TengenError):
    """A file that does not hold valid weights."""


@dataclass(frozen=True)
class ShapeWeights:
    """A value function: a set of shapes, a weight for each class of them, and a description of their origin."""

    shapes: ShapeSet
    weights: np.ndarray = field(repr=False)
    about: dict[str, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def shared(self) -> Any:
        """For kernels: all windows, with tables for local and common weights."""
        made = self.shapes.geometry()
        made.local[: len(self.shapes.local_class)] = class_values(self.shapes.local_class, self.weights)
        made.common[: len(self.shapes.common_class)] = class_values(self.shapes.common_class, self.weights)
        return made

    @cached_property
    def fused(self) -> Any:
        """For kernels: only the largest windows, which contain all others; the same value in fewer steps."""
        made, table = self.shapes.fused_geometry(), fuse(self.shapes, self.weights)
        made.local[: len(table)] = table
        return made

    def stone_weights(self) -> np.ndarray:
        """Return the weight of a single black stone by [row, column], local plus common."""
        found = np.zeros((self.shapes.size, self.shapes.size))
        local = class_values(self.shapes.local_class, self.weights)
        for window in self.shapes.windows:
            if len(window.cells) == 1:
                code = self.shapes.local_start(window.kind, window.place) + 1
                found[window.cells[0]] = local[code] + class_values(self.shapes.common_class[1:2], self.weights)[0]
        return found

    def save(self, path: Path) -> None:
        """Write the weights to a file, atomically."""
        if sys.byteorder != "little":
            raise BadWeights("weights are saved on little-endian machines only")
        raw = self.weights.astype("<f4").tobytes()
        header = {
            "format": FORMAT,
            "version": VERSION,
            "size": self.shapes.size,
            "features": self.shapes.features,
            "colour_inversion": self.shapes.colour_inversion,
            "weights": len(self.weights),
            "about": self.about,
        }
        write_headed(path, header, raw)


def load_weights(path: Path) -> ShapeWeights:
    """Load weights from a file; raise BadWeights if it is not valid."""
    try:
        content = read_bytes(path)
    except Unreadable as error:
        raise BadWeights(str(error)) from None
    try:
        return _read(content)
    except BadWeights as error:
        raise BadWeights(f"{shortened(path, 160)}: {error}") from None


def _read(content: bytes) -> ShapeWeights:
    found = split_headed(content, FORMAT)
    if found is None:
        raise BadWeights("this is not a file of weights")
    header, raw = found
    if header.get("version") != VERSION:
        raise BadWeights(
            f"these weights have version {shortened(header.get('version'))} of the format; only {VERSION} is read"
        )
    try:
        size, features, inversion = header["size"], header["features"], header["colour_inversion"]
        count, about, _ = header["weights"], header["about"], header["sha256"]
    except KeyError as error:
        raise BadWeights(f"its header lacks {error}") from None
    if type(size) is not int or type(inversion) is not bool or not isinstance(about, dict):
        raise BadWeights("size, colour_inversion or about in its header has the wrong type")
    try:
        shapes = shape_set(size, str(features), inversion)
    except TengenError as error:
        raise BadWeights(str(error)) from None
    if count != shapes.weights or len(raw) != 4 * shapes.weights:
        raise BadWeights(
            f"it needs {shapes.weights:,} weights; its header says {shortened(count)}, and it has {len(raw) / 4:,g}"
        )
    if not is_intact(header, raw):
        raise BadWeights("the file is damaged: its checksum is wrong")
    weights = np.frombuffer(raw, "<f4").astype(np.float32)
    if not np.isfinite(weights).all():
        raise BadWeights("its weights are not all finite numbers")
    if np.abs(weights).max(initial=0.0) > LARGEST_WEIGHT:
        raise BadWeights(f"its weights are not all between {-LARGEST_WEIGHT:g} and {LARGEST_WEIGHT:g}")
    return ShapeWeights(shapes, weights, about)
