"""Classes of diamonds: rotations and reflections of a diamond share one urgency. See diamond_urgency.py."""

import itertools
from dataclasses import dataclass
from functools import cache

import numpy as np

from tengen.games.go.go_record import AROUND, EMPTY, WALL
from tengen.policies.go.diamond_urgency import MULTIPLIER, SLOT_BITS
from tengen.policies.go.pattern_classes import (
    PLACES,
    SYMMETRIES,
    base_of,
    exchanged_patterns,
    moved_step,
    own_eyes,
    pattern_classes,
)
from tengen.policies.go.urgency import DISPOSITIONS, POINTS

CELLS = (*AROUND, (-2, 0), (0, -2), (0, 2), (2, 0))
"""The twelve points of a diamond as steps (up, right), in the order of their bits in the key."""


@dataclass(frozen=True)
class DiamondClasses:
    """All classes of diamonds, by slots of the hash table."""

    count: int
    of_slot: np.ndarray
    """int32 (2, slots): the class of the pattern in each slot for Black and for White; -1 in unused slots. Of several
    keys with one slot, that with the fewest stones counts."""
    never: np.ndarray
    """bool (2, slots): whether all keys of the slot are own eyes of Black, and of White."""
    squares: np.ndarray
    """int32 (count,): the class of the 3x3 pattern in the middle of each class of diamonds."""


def _walls(number: int) -> list[bool]:
    """Return which cells of a diamond at a disposition to the edge are off the board."""
    row, column = divmod(number, PLACES)
    low, high = (row, column), (PLACES - 1 - row, PLACES - 1 - column)
    return [
        any(low[axis] + min(step[axis], 0) < 0 or high[axis] - max(step[axis], 0) < 0 for axis in (0, 1))
        for step in CELLS
    ]


def _keys(number: int) -> np.ndarray:
    """Return all keys of a disposition, as int64."""
    keys = np.zeros(1, np.int64)
    for place, is_wall in enumerate(_walls(number)):
        colours = [int(WALL)] if is_wall else range(int(EMPTY) + 1)
        keys = np.add.outer(keys, np.array(colours, np.int64) << 2 * place).ravel()
    return keys


def _lowest_images(keys: np.ndarray) -> np.ndarray:
    """Return, for each key, the lowest of its eight images under the symmetries of the square."""
    lowest = keys
    for symmetry in SYMMETRIES:
        image = np.zeros_like(keys)
        for place, step in enumerate(CELLS):
            target = CELLS.index(moved_step(step, symmetry))
            image |= ((keys >> 2 * place) & 3) << 2 * target
        lowest = np.minimum(lowest, image)
    return lowest


def exchanged_keys(keys: np.ndarray) -> np.ndarray:
    """Return the keys with the colours exchanged: digits 0 and 1 change places, 2 and 3 stay."""
    stones = ~(keys >> 1) & 0x555555
    return np.asarray(keys ^ stones)


def slots_of(keys: np.ndarray) -> np.ndarray:
    """Return the slots of keys in the hash table."""
    return np.asarray(((keys * MULTIPLIER) & 0xFFFFFFFF) >> (32 - SLOT_BITS))


@cache
def diamond_classes() -> DiamondClasses:
    """Return all classes of diamonds; takes about two seconds."""
    keys = np.concatenate([_keys(number) for number in range(DISPOSITIONS)])
    squares = np.concatenate([_squares(number, _keys(number)) for number in range(DISPOSITIONS)])
    stones = sum(((keys >> 2 * place) & 3) < int(EMPTY) for place in range(len(CELLS)))
    order = np.argsort(-np.asarray(stones), kind="stable")
    keys, squares = keys[order], squares[order]
    lowest = _lowest_images(keys)
    known, first, classes = np.unique(lowest, return_index=True, return_inverse=True)
    slots = slots_of(keys)
    of_slot = np.full((2, 2**SLOT_BITS), -1, np.int32)
    never = np.ones((2, 2**SLOT_BITS), bool)
    of_slot[0, slots] = classes
    of_slot[1, slots] = np.searchsorted(known, _lowest_images(exchanged_keys(keys)))
    np.logical_and.at(never[0], slots, own_eyes()[squares])
    np.logical_and.at(never[1], slots, own_eyes()[exchanged_patterns()[squares]])
    return DiamondClasses(len(known), of_slot, never, pattern_classes().of_pattern[squares[first]])


def _squares(number: int, keys: np.ndarray) -> np.ndarray:
    """Return the 3x3 patterns in the middle of the keys of a disposition."""
    codes = sum(3**place * ((keys >> 2 * place) & 3) for place in range(len(AROUND)))
    return np.asarray(base_of(number) + codes)


def far_points(size: int) -> np.ndarray:
    """Return, by point of a board, the points two steps below, to the left, right and above; 0 if off the board."""
    found = np.zeros((POINTS, 4), np.uint16)
    for row, column in itertools.product(range(size), repeat=2):
        for place, (up, right) in enumerate(CELLS[len(AROUND) :]):
            if 0 <= row + up < size and 0 <= column + right < size:
                point = (row + 1) * (size + 1) + column + 1
                found[point, place] = point + up * (size + 1) + right
    return found
