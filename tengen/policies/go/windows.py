"""Local shape features: all configurations of the points of small windows, at every place of the board.

A window is a rectangle of points, from 1x1 to 3x3; a shape gives for each of its points whether it is empty, black or
white. Shapes share weights in two sets [GellySilver2007, section 4]:
- local: shapes related by a reflection or rotation of the whole board share a weight;
- common: shapes that are translations of each other share a weight, too.
With colour inversion, a shape and the one with all colours exchanged share a weight with opposite signs; shapes that
are their own opposites, and empty ones, have no weight. So the value of the empty board is 0, a win probability of 1/2.

The code of a shape is a number to base 3 with a digit for each point: 0 empty, 1 black, 2 white. Of all windows that
are related by symmetries of the board, one place is the standard place, and codes are read in its frame. So tables are
needed for a few places only: on 9x9, ten for the 49 windows of 3x3.
"""

import functools
import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tengen.errors import TengenError, shortened
from tengen.games.go.go_record import LARGEST_SIZE, point_count
from tengen.jit import new
from tengen.policies.go.shapes import shapes_record

FEATURES = {
    "squares": ((1, 1), (2, 2), (3, 3)),
    "rectangles": ((1, 1), (1, 2), (2, 2), (2, 3), (3, 3)),
}
"""The kinds of windows (height, width) in each set of features, height <= width. The last one contains all others."""

Cell = tuple[int, int]


def symmetries(size: int) -> list[np.ndarray]:
    """Return the eight symmetries of the board, each as an array [row, column, 2] of the image of each point."""
    rows, columns = np.meshgrid(np.arange(size), np.arange(size), indexing="ij")
    found = []
    for mirrored, upside_down, turned in itertools.product((False, True), repeat=3):
        row = size - 1 - rows if upside_down else rows
        column = size - 1 - columns if mirrored else columns
        found.append(np.stack((column, row) if turned else (row, column), axis=-1))
    return found


@dataclass(frozen=True)
class Window:
    """A window: its kind, its standard place, and its cells in the order of the digits of its code."""

    kind: int
    place: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class ShapeSet:
    """The features of a board size, and how they share weights.

    The weights are one vector: first the common ones by kind and code, then the local ones by kind, place and code.
    `common_class` and `local_class` map each code to its weight: 0 for none, else the weight's number from 1, negative
    if the weight counts with the opposite sign.
    """

    size: int
    features: str
    colour_inversion: bool
    kinds: tuple[Cell, ...]
    windows: tuple[Window, ...]
    places: tuple[int, ...]
    """Number of standard places of each kind."""
    common_class: np.ndarray = field(repr=False)
    local_class: np.ndarray = field(repr=False)
    common_counts: tuple[int, ...]
    local_counts: tuple[int, ...]

    @property
    def common_weights(self) -> int:
        return sum(self.common_counts)

    @property
    def local_weights(self) -> int:
        return sum(self.local_counts)

    @property
    def weights(self) -> int:
        return self.common_weights + self.local_weights

    @property
    def unshared(self) -> int:
        """Number of shapes at all places, without sharing."""
        return sum(3 ** len(window.cells) for window in self.windows)

    def common_start(self, kind: int) -> int:
        """Index of the first code of a kind among the codes of all kinds."""
        return sum(3 ** (height * width) for height, width in self.kinds[:kind])

    def local_start(self, kind: int, place: int) -> int:
        """Index of the first code of a kind at a standard place among the codes of all kinds and places."""
        shapes: list[int] = [3 ** (height * width) for height, width in self.kinds]
        before = sum(places * count for places, count in zip(self.places[:kind], shapes[:kind], strict=True))
        return before + place * shapes[kind]

    def geometry(self) -> Any:
        """Make the kernels' record of all windows, with zeroed tables for the local and the common weights."""
        return _geometry(self, list(range(len(self.kinds))), "shared", len(self.local_class), len(self.common_class))

    def fused_geometry(self) -> Any:
        """Make a record of the windows of the largest kind only, with one zeroed table for fused weights."""
        largest = len(self.kinds) - 1
        codes = self.places[largest] * 3 ** (self.kinds[largest][0] * self.kinds[largest][1])
        return _geometry(self, [largest], "fused", codes, 0)


@functools.lru_cache(maxsize=8)
def shape_set(size: int, features: str = "squares", colour_inversion: bool = True) -> ShapeSet:
    """Return the shapes of a board size; raise TengenError for an unknown set of features or an invalid size."""
    if features not in FEATURES:
        raise TengenError(f"unknown features {shortened(features)}; choose from: {', '.join(FEATURES)}")
    if not 1 <= size <= LARGEST_SIZE:
        raise TengenError(f"the size of a Go board must be from 1 to {LARGEST_SIZE}, not {shortened(size)}")
    kinds = tuple(kind for kind in FEATURES[features] if max(kind) <= size)
    views = symmetries(size)
    windows: list[Window] = []
    places, common, local = [], _Classes(colour_inversion), _Classes(colour_inversion)
    for number, kind in enumerate(kinds):
        standards: dict[Cell, int] = {}
        own_windows = []
        for corner in _corners(size, kind):
            standard, cells = _framed(corner, views)
            place = standards.setdefault(standard, len(standards))
            own_windows.append(Window(number, place, cells))
        windows += own_windows
        places.append(len(standards))
        common.begin_kind()
        common.add(kind, _rectangle_permutations(kind))
        local.begin_kind()
        for row, column in standards:
            local.add(kind, _board_permutations(row, column, kind, views))
    common_class, common_counts = common.numbered(0)
    local_class, local_counts = local.numbered(sum(common_counts))
    return ShapeSet(
        size,
        features,
        colour_inversion,
        kinds,
        tuple(windows),
        tuple(places),
        common_class,
        local_class,
        common_counts,
        local_counts,
    )


def _corners(size: int, kind: Cell) -> list[list[Cell]]:
    """Return the cells of every window of a kind, in both orientations."""
    found = []
    for height, width in dict.fromkeys((kind, kind[::-1])):
        for row, column in itertools.product(range(size - height + 1), range(size - width + 1)):
            found.append([(row + down, column + right) for down in range(height) for right in range(width)])
    return found


def _framed(cells: list[Cell], views: list[np.ndarray]) -> tuple[Cell, tuple[Cell, ...]]:
    """Return the standard place of a window, and its cells in the order of the cells at the standard place.

    The standard place is the first by row and column among the window's images that are not higher than wide.
    """

    def image(view: np.ndarray) -> list[tuple[Cell, Cell]]:
        moved = [(int(view[cell][0]), int(view[cell][1])) for cell in cells]
        return sorted(zip(moved, cells, strict=True))

    def rank(pairs: list[tuple[Cell, Cell]]) -> tuple[bool, Cell]:
        (first, _), (last, _) = pairs[0], pairs[-1]
        stands = last[0] - first[0] > last[1] - first[1]
        return stands, first

    best = min((image(view) for view in views), key=rank)
    return best[0][0], tuple(cell for _, cell in best)


def _rectangle_permutations(kind: Cell) -> list[list[int]]:
    """Return the permutations of a window's cells by its own symmetries."""
    numbers = np.arange(kind[0] * kind[1]).reshape(kind)
    views = [turned[:, ::step] for turned in (numbers, numbers[::-1]) for step in (1, -1)]
    if kind[0] == kind[1]:
        views += [view.T for view in views]
    return [view.ravel().tolist() for view in views]


def _board_permutations(row: int, column: int, kind: Cell, views: list[np.ndarray]) -> list[list[int]]:
    """Return the permutations of a window's cells by the symmetries of the board that map the window to itself."""
    cells = [(row + down, column + right) for down in range(kind[0]) for right in range(kind[1])]
    found = []
    for view in views:
        moved = [(int(view[cell][0]), int(view[cell][1])) for cell in cells]
        if set(moved) == set(cells):
            found.append([cells.index(cell) for cell in moved])
    return found


class _Classes:
    """Collects the equivalence classes of codes that share a weight, by kind and place."""

    def __init__(self, colour_inversion: bool):
        self.colour_inversion = colour_inversion
        self.kinds: list[list[tuple[np.ndarray, np.ndarray]]] = []

    def begin_kind(self) -> None:
        self.kinds.append([])

    def add(self, kind: Cell, permutations: list[list[int]]) -> None:
        """Add the codes of a window: for each, the lowest code equivalent under `permutations`, and its sign."""
        cells = kind[0] * kind[1]
        digits = np.arange(3**cells)[:, None] // 3 ** np.arange(cells) % 3
        forward = _lowest(digits, permutations)
        opposite = _lowest(-digits % 3, permutations)
        if self.colour_inversion:
            self.kinds[-1].append((np.minimum(forward, opposite), np.sign(opposite - forward)))
        else:
            self.kinds[-1].append((forward, np.sign(forward)))

    def numbered(self, start: int) -> tuple[np.ndarray, tuple[int, ...]]:
        """Return the signed number of the weight of every code, from `start` + 1, and the number of weights by kind."""
        parts, counts = [], []
        for places in self.kinds:
            before = start
            for lowest, sign in places:
                has_weight = sign != 0
                distinct, which = np.unique(lowest[has_weight], return_inverse=True)
                numbers = np.zeros(len(lowest), np.int32)
                numbers[has_weight] = (start + 1 + which) * sign[has_weight]
                parts.append(numbers)
                start += len(distinct)
            counts.append(start - before)
        return np.concatenate(parts) if parts else np.zeros(0, np.int32), tuple(counts)


def _lowest(digits: np.ndarray, permutations: list[list[int]]) -> np.ndarray:
    """Return for each row of digits the lowest code of its permutations."""
    powers = 3 ** np.arange(digits.shape[1])
    lowest: np.ndarray = np.min([digits[:, permutation] @ powers for permutation in permutations], axis=0)
    return lowest


def _geometry(shapes: ShapeSet, kinds: list[int], name: str, local_codes: int, common_codes: int) -> Any:
    """Make the kernels' record of some kinds of windows, with zeroed tables."""
    windows = [window for window in shapes.windows if window.kind in kinds]
    points = point_count(shapes.size)
    slots: list[list[tuple[int, int]]] = [[] for _ in range(points)]
    for number, window in enumerate(windows):
        for digit, cell in enumerate(window.cells):
            slots[_point(shapes.size, cell)].append((number, digit))
    near = [sorted({_point(shapes.size, cell) for number, _ in own for cell in windows[number].cells}) for own in slots]
    made = new(
        shapes_record(
            f"shapes_{shapes.features}_{shapes.size}_{name}",
            points,
            max(map(len, slots)),
            max(map(len, near)),
            len(windows),
            max(len(window.cells) for window in windows),
            local_codes,
            common_codes,
        )
    )
    for point, own in enumerate(slots):
        made.window_count[point], made.near_count[point] = len(own), len(near[point])
        made.near[point, : len(near[point])] = near[point]
        for slot, (number, digit) in enumerate(own):
            made.window[point, slot], made.power[point, slot] = number, 3**digit
            made.cell[number, digit], made.slot[number, digit] = point, slot
    skipped = shapes.local_start(kinds[0], 0)
    for number, window in enumerate(windows):
        start = shapes.local_start(window.kind, window.place) - skipped
        made.cell_count[number] = len(window.cells)
        made.start[number] = start
        made.shift[number] = start - shapes.common_start(window.kind) if common_codes else 0
    return made


def _point(size: int, cell: Cell) -> int:
    """Return the board's number of the point in a row and a column."""
    return (cell[0] + 1) * (size + 1) + cell[1] + 1


def fuse(shapes: ShapeSet, weights: np.ndarray) -> np.ndarray:
    """Return the table of fused weights: for each shape of the largest kind, its weight plus those of all shapes in it.

    A smaller window that lies in several of the largest windows contributes an equal share to each.
    """
    largest = len(shapes.kinds) - 1
    cells = shapes.kinds[largest][0] * shapes.kinds[largest][1]
    values = class_values(shapes.common_class, weights), class_values(shapes.local_class, weights)
    digits = np.arange(3**cells)[:, None] // 3 ** np.arange(cells) % 3
    table = np.zeros((shapes.places[largest], 3**cells))
    hosts = [window for window in shapes.windows if window.kind == largest]
    standards = {window.place: window for window in reversed(hosts)}
    for place, host in standards.items():
        for window in shapes.windows:
            if set(window.cells) <= set(host.cells):
                order = [host.cells.index(cell) for cell in window.cells]
                codes = digits[:, order] @ 3 ** np.arange(len(order))
                worth = values[0][shapes.common_start(window.kind) + codes].astype(np.float64)
                worth += values[1][shapes.local_start(window.kind, window.place) + codes]
                table[place] += worth / sum(set(window.cells) <= set(other.cells) for other in hosts)
    return table.ravel().astype(np.float32)


def class_values(classes: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the signed weight of each code; 0 if it has none."""
    with_none = np.concatenate(([0], weights)).astype(np.float32)
    values: np.ndarray = with_none[np.abs(classes)] * np.sign(classes).astype(np.float32)
    return values
