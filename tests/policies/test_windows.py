"""The features: their number, and which of them share a weight."""

import itertools

import numpy as np
import pytest

from tengen.errors import TengenError
from tengen.policies.go.windows import class_values, shape_set, symmetries
from tests.policies import slow_shapes


def test_squares_on_9x9_have_the_numbers_of_rlgo():
    """1,427 + 61,876 = 63,303 shared weights and 969,894 shapes, the counts in RLGO's own files of weights."""
    shapes = shape_set(9)
    assert (shapes.common_weights, shapes.local_weights, shapes.weights) == (1_427, 61_876, 63_303)
    assert shapes.unshared == 969_894
    assert len(shapes.windows) == 81 + 64 + 49


@pytest.mark.parametrize(
    ("kind", "positions", "unshared", "common", "local"),
    [
        ((1, 1), 81, 243, 1, 15),
        ((1, 2), 144, 1_296, 2, 80),
        ((2, 2), 64, 5_184, 8, 344),
        ((2, 3), 112, 81_648, 100, 5_168),
        ((3, 3), 49, 964_467, 1_418, 61_517),
    ],
)
def test_each_kind_of_window_on_9x9_has_the_numbers_found_by_enumeration(kind, positions, unshared, common, local):
    shapes = shape_set(9, "rectangles")
    number = shapes.kinds.index(kind)
    windows = [window for window in shapes.windows if window.kind == number]
    assert len(windows) == positions
    assert sum(3 ** len(window.cells) for window in windows) == unshared
    assert shapes.common_counts[number] == common
    assert shapes.local_counts[number] == local


def test_without_colour_inversion_the_numbers_are_those_found_by_enumeration():
    shapes = shape_set(9, colour_inversion=False)
    assert shapes.common_counts == (2, 20, 2_861)
    assert shapes.local_counts == (30, 692, 123_137)


@pytest.mark.parametrize(
    ("size", "features", "inversion"),
    [
        (1, "squares", True),
        (2, "rectangles", True),
        (3, "squares", True),
        (4, "rectangles", True),
        (4, "rectangles", False),
    ],
)
def test_the_number_of_weights_on_small_boards_agrees_with_slow_comparison(size, features, inversion):
    local, common = set(), set()
    for cells in slow_shapes.windows(size, features):
        if len(cells) == 9 and size > 3:
            continue  # 3x3 shapes at several places take too long; the 3x3 board has them all
        for colours in itertools.product(".XO", repeat=len(cells)):
            feature = frozenset((*cell, colour) for cell, colour in zip(cells, colours, strict=True))
            local.add((slow_shapes.local_key(feature, size, inversion) or [None])[0])
            common.add((slow_shapes.common_key(feature, size, inversion) or [None])[0])
    shapes = shape_set(size, features, inversion)
    counted = slice(-1 if size > 3 else None)
    assert sum(shapes.local_counts[counted]) == len(local - {None})
    assert sum(shapes.common_counts[counted]) == len(common - {None})


def test_the_cells_of_every_window_show_its_shape_as_the_standard_place_would():
    """A symmetry of the board carries each window's cells, in their order, to those of the first of its place."""
    shapes = shape_set(5, "rectangles")
    standards: dict[tuple, tuple] = {}
    for window in shapes.windows:
        standard = standards.setdefault((window.kind, window.place), window.cells)
        assert any(
            tuple((int(view[cell][0]), int(view[cell][1])) for cell in window.cells) == standard
            for view in symmetries(5)
        )


def test_a_shape_and_its_opposite_have_the_same_weight_with_opposite_signs():
    shapes = shape_set(5)
    for kind, (height, width) in enumerate(shapes.kinds):
        cells = height * width
        digits = np.arange(3**cells)[:, None] // 3 ** np.arange(cells) % 3
        opposite = (-digits % 3) @ 3 ** np.arange(cells)
        for classes, start in [
            (shapes.common_class, shapes.common_start(kind)),
            *((shapes.local_class, shapes.local_start(kind, place)) for place in range(shapes.places[kind])),
        ]:
            own = classes[start : start + 3**cells]
            assert (own == -own[opposite]).all()


def test_values_of_classes_carry_the_sign_of_the_class():
    values = class_values(np.array([0, 1, -2, 2]), np.array([0.5, 0.25], np.float32))
    assert values.tolist() == [0.0, 0.5, -0.25, 0.25]


def test_unknown_features_and_sizes_are_refused():
    with pytest.raises(TengenError, match="unknown features 'circles'; choose from: squares, rectangles"):
        shape_set(9, "circles")
    with pytest.raises(TengenError, match="from 1 to 25, not '26'"):
        shape_set(26)
