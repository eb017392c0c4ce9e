"""Features of moves against plain Python in random games, under symmetries and with the colours exchanged."""

from collections import Counter, defaultdict
from functools import cache

import numpy as np
import pytest

from tengen import Go
from tengen.errors import TengenError
from tengen.policies.go.move_features import GROUPS, list_features
from tengen.policies.go.shape_features import LEVELS, FeatureSet, feature_set, shape_classes
from tests.games.go import reference
from tests.policies import slow_move_features as slow


@cache
def view(size: int, patterns: str):
    return feature_set(patterns).view(size)


def features_by_point(game: Go, state, patterns: str) -> dict[reference.Point, tuple[int, ...]]:
    """Return the features of the candidate moves by (row, column)."""
    points, marks = np.zeros(game.move_slots, np.uint16), np.ones(game.move_slots, np.uint8)
    features = np.zeros((game.move_slots, GROUPS), np.int32)
    count = list_features(view(game.size, patterns), state, marks, points, features)
    return {game.row_and_column(int(points[i])): tuple(map(int, features[i])) for i in range(count)}


def random_positions(size: int, seed: int, every: int):
    """Yield the positions of a random game of candidate moves, with the two moves before each."""
    game, rng = Go(size, ko="simple"), np.random.default_rng(seed)
    position = game.start()
    moves: list[reference.Point | None] = []
    for number in range(size * size * 3 // 2):
        if number % every == 0:
            last, earlier = [None, None, *moves][:-3:-1]
            yield position, last, earlier
        ko = game.row_and_column(int(position.state.ko)) if position.state.ko else None
        board = reference.board_of(game, position.state)
        allowed = reference.sensible_moves(board, int(position.state.to_play), ko)
        near = [point for point in allowed if moves and moves[-1] and slow.distance(point, moves[-1]) < 5]
        chosen = near if near and rng.random() < 0.5 else allowed
        if not chosen or rng.random() < 0.02:
            position.play("pass")
            moves.append(None)
        else:
            drawn = chosen[rng.integers(len(chosen))]
            moves.append(drawn)
            position.play(game.point(*drawn))
        if position.is_over:
            return


@pytest.mark.parametrize(
    ("size", "seed", "every"), [pytest.param(5, 1, 1, marks=pytest.mark.plain), (6, 2, 1), (7, 3, 2), (9, 4, 3)]
)
def test_the_levels_of_all_moves_of_random_games_are_those_of_plain_python(size, seed, every):
    groups = FeatureSet().groups
    for position, last, earlier in random_positions(size, seed, every):
        game, state = position.game, position.tactical_state()
        board, colour = reference.board_of(game, state), int(state.to_play)
        ko = game.row_and_column(int(state.ko)) if state.ko else None
        found = features_by_point(game, state, "3x3")
        assert set(found) == set(reference.sensible_moves(board, colour, ko))
        for point, features in found.items():
            numbers = dict(zip(groups, features, strict=True))
            levels = {name: numbers[name] and numbers[name] - groups[name].start + 1 for name in LEVELS}
            assert levels == slow.levels(board, point, colour, last, earlier), (position, point)


def test_every_level_that_is_possible_without_suicide_occurs_in_the_random_games():
    groups = FeatureSet().groups
    found: set[int] = set()
    for size, seed in ((6, 2), (9, 4), (9, 6), (6, 7), (6, 8)):
        for position, _, _ in random_positions(size, seed, 1):
            for features in features_by_point(position.game, position.tactical_state(), "3x3").values():
                found.update(features)
    missing = {name: [n - groups[name].start + 1 for n in groups[name] if n not in found] for name in LEVELS}
    assert {name: levels for name, levels in missing.items() if levels} == {"last": [1]}


def patterns_and_looks(patterns: str, looks):
    """Yield the number of the pattern and the look of each move in random games."""
    group = 0 if patterns == "3x3" else GROUPS - 1
    for size, seed in ((5, 1), (7, 3), (9, 4)):
        for position, _, _ in random_positions(size, seed, 3):
            state = position.tactical_state()
            board, colour = reference.board_of(position.game, state), int(state.to_play)
            for point, features in features_by_point(position.game, state, patterns).items():
                yield features[group], looks(board, point, colour)


def test_two_moves_have_the_same_shape_exactly_if_they_look_the_same_in_some_symmetry():
    by_number: dict[int, tuple] = {}
    by_look: dict[tuple, int] = {}
    for number, look in patterns_and_looks("3x3", slow.shape):
        assert by_look.setdefault(look, number) == number > 0
        assert by_number.setdefault(number, look) == look
    assert len(by_number) > 300


@pytest.mark.long
def test_nearly_all_moves_that_look_the_same_have_the_same_diamond():
    """Several diamonds share a slot of the hash table; the one with the fewest stones counts."""
    looks: dict[tuple, Counter[int]] = defaultdict(Counter)
    for number, look in patterns_and_looks("diamond", slow.diamond):
        looks[look][number] += 1
    usual = sum(max(numbers.values()) for numbers in looks.values())
    total = sum(sum(numbers.values()) for numbers in looks.values())
    assert usual >= 0.99 * total
    assert len(looks) > 500


def mirrored(game: Go, moves: list[int], swaps_axes: bool, flips_rows: bool) -> list[int]:
    """Return moves after a symmetry of the board; 0 is the pass."""
    found = []
    for move in moves:
        row, column = game.row_and_column(move)
        row, column = (column, row) if swaps_axes else (row, column)
        found.append(game.point(game.size - 1 - row if flips_rows else row, column) if move else 0)
    return found


def test_features_are_equal_under_symmetries_and_with_the_colours_exchanged():
    checked = 0
    for position, _, _ in random_positions(7, 9, 4):
        game, moves = position.game, [played.move for played in position.history]
        expected = features_by_point(game, position.tactical_state(), "3x3")
        for swaps_axes, flips_rows in ((True, False), (False, True), (True, True)):
            other = game.start()
            for move in mirrored(game, moves, swaps_axes, flips_rows):
                other.play(move)
            found = features_by_point(game, other.tactical_state(), "3x3")
            for point, features in expected.items():
                (image,) = mirrored(game, [game.point(*point)], swaps_axes, flips_rows)
                assert found[game.row_and_column(image)] == features
                checked += 1
        swapped = position.tactical_state().copy()
        colours = np.where(swapped.colour < 2, 1 - swapped.colour, swapped.colour).astype(np.uint8)
        last, earlier, ko = swapped.last_move, swapped.earlier_move, swapped.ko
        turn = 1 - swapped.to_play
        game.set_up_colours(swapped, colours[: game.move_slots])
        swapped.to_play, swapped.last_move, swapped.earlier_move, swapped.ko = turn, last, earlier, ko
        assert features_by_point(game, swapped, "3x3") == expected
    assert checked > 500


def test_there_are_as_many_shapes_as_by_counting():
    """Neighbours have five kinds and diagonals three: Burnside's lemma over the eight symmetries, by place.

    Inside: identity 5^4 3^4, half turn 5^2 3^2, quarter turns 5 * 3, mirrors along the axes 5^3 3^2, along the
    diagonals 5^2 3^3. At an edge: (5^3 3^2 + 5^2 * 3) / 2. In a corner: (5^2 * 3 + 5 * 3) / 2.
    """
    inside = (5**4 * 3**4 + 5**2 * 3**2 + 2 * 15 + 2 * 5**3 * 3**2 + 2 * 5**2 * 3**3) // 8
    assert shape_classes()[1] == inside + (5**3 * 3**2 + 5**2 * 3) // 2 + (5**2 * 3 + 15) // 2


def test_the_features_of_a_set_are_numbered_through_all_groups():
    groups = FeatureSet().groups
    assert [numbers.start for numbers in groups.values()][1:] == [numbers.stop for numbers in groups.values()][:-1]
    assert (groups["shape"].start, FeatureSet().count) == (1, groups["large"].stop)


def test_wrong_sets_are_refused_in_one_sentence():
    with pytest.raises(TengenError, match=r"^patterns are 3x3 or diamond, not 'square'$"):
        FeatureSet("square")
    with pytest.raises(TengenError, match=r"^diamond patterns need a board of at least 4x4, not 3x3$"):
        feature_set("diamond").view(3)
