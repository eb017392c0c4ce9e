"""The sets of features of a Bradley-Terry model: groups, classes of patterns, and the views that kernels read.

A shape is a 3x3 pattern: the eight points around a move, each an own stone, an enemy stone, empty or off the board, and
which of the stones beside the move are in atari. Shapes that are rotations or reflections of each other form a class.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from tengen.errors import TengenError
from tengen.games.go.go_record import AROUND, WALL
from tengen.jit import new
from tengen.policies.go.diamond_classes import diamond_classes, far_points
from tengen.policies.go.move_features import DIAMOND_VIEW, GROUPS, KEY_BITS, SQUARE_VIEW
from tengen.policies.go.pattern_classes import SYMMETRIES, moved_step
from tengen.policies.go.urgency_table import DIAMONDS, SMALLEST_FOR_DIAMONDS, SQUARES

BESIDE = tuple(place for place, step in enumerate(AROUND) if 0 in step)
"""The four neighbours among the eight points around a move, in the order of their bits in a key."""
EDGES: tuple[tuple[int, int], ...] = tuple((up, right) for up in (-1, 0, 1) for right in (-1, 0, 1))
"""The edges that are beside a move: below or above, to the left or right, or none (0)."""
LEVELS = {
    "capture": 4,
    "escape": 2,
    "self_atari": 3,
    "atari": 4,
    "two_liberties": 1,
    "nakade": 1,
    "line": 10,
    "last": 17,
    "earlier": 17,
}
"""The groups between `shape` and `large`, with the number of their features: see move_features.py."""
IN_PLAYOUTS = ("shape", "capture", "escape", "self_atari", "two_liberties", "nakade")
"""The groups all of whose features the playout policy has."""


def _keys_at(edges: tuple[int, int]) -> np.ndarray:
    """Return the keys of all shapes with these edges, as int64."""
    keys = np.zeros(1, np.int64)
    for place, step in enumerate(AROUND):
        if any(edge != 0 and way == edge for edge, way in zip(edges, step, strict=True)):
            keys = keys | int(WALL) << 2 * place
            continue
        bit = 1 << 16 + BESIDE.index(place) if place in BESIDE else 0
        plain = np.arange(3, dtype=np.int64) << 2 * place
        keys = np.add.outer(keys, np.unique([plain, plain + np.array([bit, bit, 0])])).ravel()
    return keys


def _lowest_images(keys: np.ndarray) -> np.ndarray:
    """Return, for each key, the lowest of its eight images under the symmetries of the square."""
    lowest = keys
    for symmetry in SYMMETRIES:
        image = np.zeros_like(keys)
        for place, step in enumerate(AROUND):
            target = AROUND.index(moved_step(step, symmetry))
            image |= ((keys >> 2 * place) & 3) << 2 * target
            if place in BESIDE:
                image |= ((keys >> 16 + BESIDE.index(place)) & 1) << 16 + BESIDE.index(target)
        lowest = np.minimum(lowest, image)
    return lowest


@cache
def shape_classes() -> tuple[np.ndarray, int]:
    """Return the class of each key, int32, -1 for keys of no shape, and the number of classes."""
    keys = np.concatenate([_keys_at(edges) for edges in EDGES])
    known, classes = np.unique(_lowest_images(keys), return_inverse=True)
    of_key = np.full(2**KEY_BITS, -1, np.int32)
    of_key[keys] = classes
    return of_key, len(known)


@cache
def exchanged_shapes() -> np.ndarray:
    """Return the key of each shape with the colours exchanged."""
    return exchanged_keys(np.arange(2**KEY_BITS))


def exchanged_keys(keys: np.ndarray) -> np.ndarray:
    """Return the keys with the colours exchanged."""
    return np.asarray(keys ^ (~(keys >> 1) & 0x5555))


@cache
def own_eye_keys() -> np.ndarray:
    """Return, by key, whether the move fills an own eye of Black, by the rule of games/go/eyes.py."""
    keys = np.arange(2**KEY_BITS)
    colours = [(keys >> 2 * place) & 3 for place in range(len(AROUND))]
    beside = np.all([(colours[place] == 0) | (colours[place] == int(WALL)) for place in BESIDE], axis=0)
    diagonals = [colour for place, colour in enumerate(colours) if place not in BESIDE]
    enemies = np.sum([colour == 1 for colour in diagonals], axis=0)
    at_edge = np.any([colour == int(WALL) for colour in diagonals], axis=0)
    return np.asarray(beside & (enemies + at_edge < 2))


@dataclass(frozen=True)
class FeatureSet:
    """All features of a model with 3x3 patterns only, or with diamonds of twelve points, too."""

    patterns: str = SQUARES
    """SQUARES or DIAMONDS."""

    def __post_init__(self) -> None:
        if self.patterns not in (SQUARES, DIAMONDS):
            raise TengenError(f"patterns are {SQUARES} or {DIAMONDS}, not {self.patterns!r:.40}")

    @cached_property
    def groups(self) -> dict[str, range]:
        """The numbers of the features of each group, by its name."""
        large = diamond_classes().count if self.patterns == DIAMONDS else 0
        sizes = {"shape": shape_classes()[1], **LEVELS, "large": large}
        found, first = {}, 1
        for name, size in sizes.items():
            found[name] = range(first, first + size)
            first += size
        assert len(found) == GROUPS
        return found

    @property
    def count(self) -> int:
        """The number of features, and one for the number 0."""
        return self.groups["large"].stop

    @cached_property
    def kept_in_playouts(self) -> np.ndarray:
        """bool (count,): the features of the playout policy, with the points around the last move of its distances."""
        found = np.zeros(self.count, bool)
        for name in IN_PLAYOUTS:
            found[self.groups[name].start : self.groups[name].stop] = True
        found[self.groups["last"].start + 1 : self.groups["last"].start + 3] = True
        return found

    def view(self, size: int) -> Any:
        """Return the record by which kernels find the features of moves on a board."""
        if self.patterns == DIAMONDS and size < SMALLEST_FOR_DIAMONDS:
            raise TengenError(f"diamond patterns need a board of at least 4x4, not {size}x{size}")
        made = new(DIAMOND_VIEW if self.patterns == DIAMONDS else SQUARE_VIEW)
        made.first[:] = [numbers.start for numbers in self.groups.values()]
        of_key = shape_classes()[0]
        made.shapes[:] = np.where(of_key >= 0, of_key + self.groups["shape"].start, 0)
        if self.patterns == DIAMONDS:
            classes = diamond_classes().of_slot
            made.far, made.diamonds = far_points(size), np.where(classes >= 0, classes + self.groups["large"].start, 0)
        return made


@cache
def feature_set(patterns: str) -> FeatureSet:
    """Return the set of features with a kind of patterns."""
    return FeatureSet(patterns)
