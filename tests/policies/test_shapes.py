"""The incremental value of a position, against features found by slow comparison."""

import math

import numpy as np
import pytest

from tengen.games.go.game import Go
from tengen.games.interface import play
from tengen.jit import new
from tengen.policies.go.shape_weights import evaluation_of
from tengen.policies.go.shapes import (
    account_for_captures,
    change_by_capture,
    evaluate,
    follow,
    forget_captures,
    outlook,
    probability,
    sum_parts_around_move,
    weigh_window,
    weigh_window_by_threes,
)
from tengen.policies.go.weights import ShapeWeights
from tengen.policies.go.windows import shape_set
from tests.policies import slow_shapes

TOLERANCE = 2e-5
"""Sums of hundreds of single-precision numbers of about 1."""


def random_weights(size, features="squares", inversion=True, seed=1):
    shapes = shape_set(size, features, inversion)
    numbers = np.random.default_rng(seed).standard_normal(shapes.weights) * 0.1
    return ShapeWeights(shapes, numbers.astype(np.float32))


def sigma_of(total):
    return 1 / (1 + math.exp(-total))


def board_of(position):
    """The board as rows of letters, from the bottom."""
    game, state = position.game, position.state
    return [["XO."[state.colour[game.point(row, column)]] for column in range(game.size)] for row in range(game.size)]


class SlowValue:
    """The same weights by the names that the slow features have."""

    def __init__(self, weights):
        self.weights, self.shapes, self.numbers = weights, weights.shapes, {}

    def number(self, kind, feature):
        """The signed number of a feature's weight, from the class of its code in its window."""
        cells = {(row, column): ".XO".index(colour) for row, column, colour in feature}
        window = next(window for window in self.shapes.windows if set(window.cells) == set(cells))
        code = sum(cells[cell] * 3**digit for digit, cell in enumerate(window.cells))
        if kind == "local":
            return int(self.shapes.local_class[self.shapes.local_start(window.kind, window.place) + code])
        return int(self.shapes.common_class[self.shapes.common_start(window.kind) + code])

    def weight(self, kind, name):
        """The weight of a slow feature's name: that of the feature itself, whose sign may be either."""
        if (kind, name) not in self.numbers:
            size, inversion = self.shapes.size, self.shapes.colour_inversion
            key = slow_shapes.local_key if kind == "local" else slow_shapes.common_key
            feature = frozenset(name)
            number = self.number(kind, feature)
            self.numbers[kind, name] = number * key(feature, size, inversion)[1]
        number = self.numbers[kind, name]
        return float(self.weights.weights[abs(number) - 1]) * (1 if number > 0 else -1)

    def total(self, board):
        counts = slow_shapes.phi(board, self.shapes.features, self.shapes.colour_inversion)
        return sum(count * self.weight(kind, name) for (kind, name), count in counts.items())


def fresh(weights, fused, position):
    """An evaluation of a position, with the geometry and the state that kernels take."""
    shapes = weights.fused if fused else weights.shared
    evaluation, state = new(evaluation_of(weights, fused)), position.tactical_state()
    evaluate(shapes, evaluation, state)
    return shapes, evaluation, state


def random_game(size, moves, seed):
    """A position after random moves, with many captures on a small board."""
    generator, position = np.random.default_rng(seed), Go(size, ko="simple").start()
    for _ in range(moves):
        legal = position.legal_moves()[:-1]
        if not legal:
            break
        position.play(generator.choice(legal))
    return position


@pytest.mark.plain
@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize(("features", "inversion"), [("squares", True), ("rectangles", True), ("squares", False)])
def test_the_value_is_the_sum_of_the_weights_of_all_shapes_on_the_board(features, inversion, fused):
    weights = random_weights(5, features, inversion)
    position = random_game(5, 14, seed=3)
    _, evaluation, _ = fresh(weights, fused, position)
    assert float(evaluation.total) == pytest.approx(SlowValue(weights).total(board_of(position)), abs=TOLERANCE)


@pytest.mark.plain
@pytest.mark.parametrize("fused", [False, True])
def test_every_move_changes_the_value_as_predicted_including_captures(fused):
    weights, captures = random_weights(5), 0
    slow = SlowValue(weights)
    for seed in range(5):
        position = random_game(5, 22, seed)
        shapes, evaluation, state = fresh(weights, fused, position)
        before = slow.total(board_of(position))
        colour = np.uint64(state.to_play)
        stones = np.count_nonzero(state.colour < 2)
        count = account_for_captures(shapes, evaluation, state, colour)
        for notation in position.legal_moves()[:-1]:
            point = position.game.parse_move(notation)
            after = position.copy().play(notation)
            captures += int(np.count_nonzero(after.state.colour < 2) <= stones)
            foretold = float(evaluation.changes[int(colour), point])
            assert foretold == pytest.approx(slow.total(board_of(after)) - before, abs=TOLERANCE), notation
        forget_captures(evaluation, state, colour, count)
    assert captures >= 2


def play_through(weights, fused, moves, seed):
    """Play a random game; return the incremental and the new evaluations, and the number of captured stones."""
    position = Go(weights.shapes.size, ko="simple").start()
    shapes, evaluation, state = fresh(weights, fused, position)
    generator, captured = np.random.default_rng(seed), 0
    for _ in range(moves):
        legal = position.legal_moves()[:-1]
        if not legal:
            break
        notation = generator.choice(legal)
        colour, freed = np.uint64(state.to_play), int(state.empty_count) - 1
        position.play(notation)
        point = np.uint64(position.game.parse_move(notation))
        play(state, point)
        follow(shapes, evaluation, state, point, colour, freed)
        captured += int(state.empty_count) - freed
    return evaluation, fresh(weights, fused, position)[1], captured, state


@pytest.mark.plain
@pytest.mark.parametrize("fused", [False, True])
def test_the_incremental_evaluation_of_a_game_equals_a_new_one(fused):
    kept, anew, captured, state = play_through(random_weights(5), fused, moves=60, seed=2)
    empty = np.flatnonzero(state.colour[: len(kept.changes[0])] == 2)
    assert captured > 5
    assert (kept.codes == anew.codes).all()
    assert float(kept.total) == pytest.approx(float(anew.total), abs=TOLERANCE)
    assert (kept.changes[:, empty] == anew.changes[:, empty]).all()
    assert not kept.is_touched.any()


@pytest.mark.plain
def test_change_by_capture_leaves_the_evaluation_unchanged():
    weights = random_weights(5)
    position = Go(5).from_diagram(
        """
        . . . . .
        . . . . .
        . X . . .
        X O . . .
        . X . . .
        """
    )
    shapes, evaluation, state = fresh(weights, False, position)
    codes = evaluation.codes.copy()
    point = np.uint64(position.game.parse_move("C2"))
    change = change_by_capture(shapes, evaluation, state, point, np.uint64(0))
    assert (evaluation.codes == codes).all()
    assert not evaluation.is_touched.any()
    slow = SlowValue(weights)
    after = position.copy().play("C2")
    assert after.state.colour[position.game.parse_move("B2")] == 2
    assert float(change) == pytest.approx(slow.total(board_of(after)) - slow.total(board_of(position)), abs=TOLERANCE)


def transformed(position, view, exchanged):
    """The position seen in a mirror, with colours exchanged or not."""
    game = position.game
    colours = np.full(game.move_slots, 2, np.uint8)
    for row in range(game.size):
        for column in range(game.size):
            colour = int(position.state.colour[game.point(row, column)])
            to_row, to_column = view(row, column)
            colours[game.point(to_row, to_column)] = 1 - colour if exchanged and colour < 2 else colour
    return game.start()._begin_at(colours.tobytes(), 0)


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("features", ["squares", "rectangles"])
def test_symmetries_keep_the_value_and_exchanged_colours_negate_it(features, fused):
    weights = random_weights(5, features)
    position = random_game(5, 15, seed=4)
    total = float(fresh(weights, fused, position)[1].total)
    assert abs(total) > 0.01
    for view in slow_shapes.symmetries(5):
        for exchanged in (False, True):
            other = float(fresh(weights, fused, transformed(position, view, exchanged))[1].total)
            assert other == pytest.approx(-total if exchanged else total, abs=TOLERANCE)


def test_without_colour_inversion_exchanged_colours_need_not_negate_the_value():
    weights = random_weights(5, inversion=False)
    position = random_game(5, 15, seed=4)
    total = float(fresh(weights, False, position)[1].total)
    same = slow_shapes.symmetries(5)[0]
    assert float(fresh(weights, False, transformed(position, same, True))[1].total) != pytest.approx(-total, abs=0.01)


def test_the_value_of_the_empty_board_is_one_half():
    _, evaluation, _ = fresh(random_weights(9), False, Go(9).start())
    assert float(evaluation.total) == 0.0
    assert probability(0.0) == 0.5


@pytest.mark.parametrize("size", [2, 6])
def test_boards_of_any_size_have_a_value(size):
    weights = random_weights(size)
    position = random_game(size, size * size // 2, seed=1)
    shared, fused = (float(fresh(weights, fused, position)[1].total) for fused in (False, True))
    assert shared == pytest.approx(fused, abs=1e-4)


@pytest.mark.plain
def test_the_win_probability_of_white_is_one_minus_that_of_black():
    assert outlook(0.7, np.uint64(0)) == pytest.approx(1 / (1 + math.exp(-0.7)))
    assert outlook(0.7, np.uint64(0)) + outlook(0.7, np.uint64(1)) == pytest.approx(1.0)


@pytest.mark.plain
@pytest.mark.parametrize(("size", "features"), [(2, "squares"), (5, "squares"), (5, "rectangles")])
def test_the_parts_of_a_window_on_a_gpu_are_those_of_the_processor(size, features):
    weights = random_weights(size, features)
    shapes, evaluation, _ = fresh(weights, False, random_game(size, 9, seed=3))
    other = evaluation.copy()
    evaluation.parts, other.parts = 0, 0
    for window in range(shapes.start.size):
        weigh_window(shapes, evaluation, np.uint64(window))
        weigh_window_by_threes(shapes, other, np.uint64(window))
    assert (other.parts == evaluation.parts)[:, :, 1:].all()
    assert np.count_nonzero(other.parts) > 10


@pytest.mark.plain
def test_the_sums_of_a_gpu_around_a_move_are_those_of_the_whole_board():
    weights, generator, captured = random_weights(5), np.random.default_rng(1), 0
    position = Go(5, ko="simple").start()
    shapes, evaluation, state = fresh(weights, False, position)
    while not position.is_over and len(position.history) < 60:
        notation = generator.choice(position.legal_moves()[:-1] or ["pass"])
        position.play(notation)
        colour, freed = np.uint64(state.to_play), int(state.empty_count) - 1
        point = np.uint64(position.game.parse_move(notation))
        before = evaluation.changes.copy()
        play(state, point)
        if point == 0:
            continue
        captured += int(state.empty_count) - freed
        follow(shapes, evaluation, state, point, colour, freed)
        expected = evaluation.changes.copy()
        evaluation.changes = before
        sum_parts_around_move(shapes, evaluation, state, point, freed)
        assert (evaluation.changes == expected).all()
    assert captured > 3
