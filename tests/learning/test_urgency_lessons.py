"""Learning at the Monte-Carlo level: the update of pairs by hand, and the candidates of evaluated games."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tengen import Go
from tengen.games.go.game import PASS
from tengen.jit import record_of
from tengen.learning.urgency_lessons import EVALUATION, evaluated_game, learn_pairs
from tengen.learning.urgency_methods import values_in_unit
from tengen.learning.urgency_settings import RelativeSettings
from tengen.learning.urgency_workers import (
    GameResult,
    GameTask,
    UrgencyWorker,
    _preselector,
    start_states,
)
from tengen.policies.go.urgency_table import UrgencyTable, classes_by_colour, manual_table
from tengen.rng import seeded
from tests.games.go import reference
from tests.learning.slow_urgency_games import class_at, random_pair

pytestmark = pytest.mark.long

# --- Pairs -----------------------------------------------------------------------------------------------------------


def updated(log_urgencies, matches, classes, values, constant=0.5, step=0.1):
    """Return Q and N after an update."""
    logs, counts = np.array(log_urgencies, np.float64), np.array(matches, np.int64)
    learn_pairs(logs, counts, np.array(classes, np.int64), np.array(values, np.float64), constant, step)
    return logs, counts


@pytest.mark.plain
def test_two_candidates_are_moved_towards_the_difference_of_their_values():
    """delta = Q_1 - Q_0 - 0.5 (4 - 2) = 0.3 - 0.2 - 1 = -0.9; N = 4 and 9, so that alpha is 0.1 / 2 and 0.1 / 3."""
    logs, counts = updated([0.2, 0.3, 7.0], [3, 8, 5], [0, 1], [2.0, 4.0])
    assert logs == pytest.approx([0.2 - 0.1 / 2 * 0.9, 0.3 + 0.1 / 3 * 0.9, 7.0])
    assert counts.tolist() == [4, 9, 5]


@pytest.mark.plain
def test_three_candidates_are_updated_pair_by_pair():
    """The pairs are (1, 0), (2, 0) and (2, 1), each with the values that the earlier ones left; alpha = 0.1."""
    logs, counts = updated([0.0, 0.0, 0.0], [0, 0, 0], [0, 1, 2], [1.0, 2.0, 4.0])
    first, second, third = 0.0, 0.0, 0.0
    delta = second - first - 0.5 * (2 - 1)
    first, second = first + 0.1 * delta, second - 0.1 * delta
    assert (first, second) == (-0.05, 0.05)
    delta = third - first - 0.5 * (4 - 1)
    assert delta == 0.05 - 1.5
    first, third = first + 0.1 * delta, third - 0.1 * delta
    delta = third - second - 0.5 * (4 - 2)
    second, third = second + 0.1 * delta, third - 0.1 * delta
    assert logs == pytest.approx([-0.195, 0.05 - 0.0905, 0.145 + 0.0905])
    assert logs == pytest.approx([first, second, third])
    assert counts.tolist() == [1, 1, 1]


@pytest.mark.plain
def test_candidates_of_one_class_are_not_compared_but_counted():
    logs, counts = updated([0.5, 0.0], [0, 0], [0, 0], [3.0, -3.0])
    assert (logs.tolist(), counts.tolist()) == ([0.5, 0.0], [2, 0])


@pytest.mark.plain
def test_candidates_without_a_class_are_neither_compared_nor_counted():
    logs, counts = updated([0.5, 0.0], [0, 0], [-1, 1, -1], [3.0, -3.0, 8.0])
    assert (logs.tolist(), counts.tolist()) == ([0.5, 0.0], [0, 1])


@pytest.mark.plain
def test_one_of_the_pairs_of_a_class_with_two_candidates_is_each_of_them_with_the_other_class():
    """Class 0 has N = 2: alpha = 0.1 / sqrt 2 for it and 0.1 for class 1."""
    logs, counts = updated([0.0, 0.0], [0, 0], [0, 1, 0], [0.0, 1.0, 0.0], constant=1.0)
    low, high = 0.0, 0.0
    for _ in range(2):
        delta = high - low - 1.0
        low, high = low + 0.1 / math.sqrt(2) * delta, high - 0.1 * delta
    assert logs == pytest.approx([low, high])
    assert counts.tolist() == [2, 1]


def test_with_constant_values_the_differences_tend_to_c_times_theirs():
    logs, counts = np.array([1.0, -2.0, 0.0, 5.0]), np.zeros(4, np.int64)
    classes, values = np.array([2, 0, 1]), np.array([4.0, 1.0, -2.5])
    for _ in range(400):
        learn_pairs(logs, counts, classes, values, 0.7, 0.3)
    assert logs[2] - logs[0] == pytest.approx(0.7 * 3.0, abs=1e-6)
    assert logs[0] - logs[1] == pytest.approx(0.7 * 3.5, abs=1e-6)
    assert (logs[3], counts.tolist()) == (5.0, [400, 400, 400, 0])


# --- Units -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("points", [8.0, -2.0, 1.0, 0.0]),
        ("area", [0.32, -0.08, 0.04, 0.0]),
        ("deviation", [2.0, -0.5, 0.25, 0.0]),
        ("wins", [0.9, 0.4, 0.5, 0.0]),
    ],
)
def test_values_in_each_unit_by_hand(unit, expected):
    """On 5x5; the mean deviation of the candidates that have a class is (3 + 5) / 2."""
    evaluations = np.array([[7, -1, 9, -1], [8, -2, 1, 0], [0.9, 0.4, 0.5, 0], [3, 100, 5, 0]], np.float64)
    assert values_in_unit(evaluations, unit, 5) == pytest.approx(expected)


@pytest.mark.parametrize("classes", [[-1, -1], [0, 1]])
def test_deviations_below_one_point_count_as_one(classes):
    evaluations = np.array([classes, [8, -2], [0.9, 0.4], [0.3, 0.5]], np.float64)
    assert values_in_unit(evaluations, "deviation", 5).tolist() == [8.0, -2.0]


# --- Evaluated games -------------------------------------------------------------------------------------------------


@dataclass
class Evaluated:
    """The last of the first moves of an evaluated game: the position before it, its candidates, and the move."""

    before: Any
    candidates: list[int]
    classes: list[int]
    means: list[float]
    rates: list[float]
    deviations: list[float]
    move: int


def beginning(settings: RelativeSettings, table: UrgencyTable, moves: int, stream: int = 1):
    """Play the first moves of an evaluated game; return the states, the candidates and the lesson of the last."""
    game = Go(settings.size, settings.komi, "simple")
    prior, scratch = _preselector(settings.size)
    lesson = np.full((4, max(moves, 1), settings.preselect + settings.others), np.nan)
    slots, states = game.move_slots, start_states(settings, 3)
    line = np.zeros(game.longest_playout + 2, np.uint16)
    buffers = (np.zeros(slots, np.uint16), np.zeros(slots, np.uint16), np.zeros(slots), line)
    evaluation = record_of(
        EVALUATION,
        games=settings.evaluation_games,
        preselect=settings.preselect,
        others=settings.others,
        longest=moves,
    )
    rng, policy = seeded(settings.seed, stream), table.compiled(settings.size)
    length = evaluated_game(policy, prior, scratch, evaluation, classes_by_colour("3x3"), states, rng, buffers, lesson)
    return length, states, buffers[0], lesson


def evaluated_moves(settings: RelativeSettings, table: UrgencyTable, most: int) -> list[Evaluated]:
    """Return the first moves of an evaluated game, by playing its beginnings of all lengths."""
    found: list[Evaluated] = []
    before = start_states(settings, 3)[0].copy()
    for moves in range(1, most + 1):
        length, states, candidates, lesson = beginning(settings, table, moves)
        if length < moves:
            break
        count = int((~np.isnan(lesson[2, -1])).sum())
        assert (lesson[0, -1, count:] == -1).all()
        classes, means, rates, deviations = (numbers[:count].tolist() for numbers in lesson[:, -1])
        numbers = [int(move) for move in candidates[:count]]
        move = int(states[1].last_move)
        found.append(Evaluated(before, numbers, [int(each) for each in classes], means, rates, deviations, move))
        before = states[1].copy()
    return found


def check_moves(settings: RelativeSettings, table: UrgencyTable, most: int) -> list[Evaluated]:
    """Compare candidates, classes and moves with the rules in plain Python; return the moves."""
    game, found = Go(settings.size, settings.komi, "simple"), evaluated_moves(settings, table, most)
    for each in found:
        state, count = each.before, len(each.candidates)
        board, colour = reference.board_of(game, state), int(state.to_play)
        ko = game.row_and_column(int(state.ko)) if state.ko else None
        allowed = {game.point(*point) for point in reference.sensible_moves(board, colour, ko)}
        assert set(each.candidates) <= allowed
        assert count == len(set(each.candidates)) <= settings.preselect + settings.others
        assert count >= min(len(allowed), settings.others)
        ataris = {min(liberties) for _, liberties in reference.chains(board) if len(liberties) == 1}
        points = [game.row_and_column(move) for move in each.candidates]
        urgent = ataris if table.capture else set()
        assert each.classes == [-1 if point in urgent else class_at(board, point, colour) for point in points]
        assert each.move == (each.candidates[int(np.argmax(each.means))] if count else PASS)
        largest = settings.size**2 + abs(settings.komi)
        assert all(-largest <= mean <= largest for mean in each.means)
        assert all(0 <= rate <= 1 for rate in each.rates)
        assert all(0 <= deviation <= settings.size**2 for deviation in each.deviations)
    return found


@pytest.mark.parametrize(("preselect", "others"), [(4, 0), (3, 4), (2, 30)])
def test_candidates_are_legal_and_distinct_and_the_best_is_played(preselect, others):
    settings = RelativeSettings(size=5, komi=0.5, evaluation_games=3, preselect=preselect, others=others)
    found = check_moves(settings, random_pair(1)[0], 30)
    assert len(found) > 15
    assert any(-1 in each.classes for each in found)
    assert len({len(each.candidates) for each in found}) > 1


def test_without_urgencies_of_chains_every_candidate_has_a_class():
    settings = RelativeSettings(size=5, komi=0.5, evaluation_games=2, preselect=4, others=2)
    found = check_moves(settings, random_pair(1, capture=0, escape=0)[0], 30)
    assert not any(-1 in each.classes for each in found)


@pytest.mark.plain
def test_candidates_of_a_small_game_are_legal_and_distinct_and_the_best_is_played():
    settings = RelativeSettings(size=3, komi=0.5, evaluation_games=1, preselect=2, others=1)
    assert len(check_moves(settings, random_pair(1)[0], 3)) == 3


@pytest.mark.parametrize("komi", [9.0, -9.0])
def test_one_game_has_no_deviation_and_a_draw_counts_half(komi):
    settings = RelativeSettings(size=3, komi=komi, evaluation_games=1, preselect=9)
    found = check_moves(settings, manual_table(), 10)
    pairs = [(mean, rate) for each in found for mean, rate in zip(each.means, each.rates, strict=True)]
    assert [rate for _, rate in pairs] == [(np.sign(mean) + 1) / 2 for mean, _ in pairs]
    assert 0.5 in {rate for _, rate in pairs}
    assert not any(any(each.deviations) for each in found)


def test_values_are_those_of_the_side_to_move():
    """With a komi of 100, White wins every game, by at least 75 points."""
    settings = RelativeSettings(size=5, komi=100.0, evaluation_games=2, preselect=3)
    for each in check_moves(settings, manual_table(), 6):
        is_white = bool(each.before.to_play)
        assert set(each.rates) == {float(is_white)}
        assert all(abs(mean) >= 75 and (mean > 0) == is_white for mean in each.means)


def test_the_worker_returns_the_lesson_of_all_moves():
    settings = RelativeSettings(size=5, komi=0.5, evaluation_games=2, preselect=3)
    result = UrgencyWorker()(GameTask(4, settings, manual_table(), stream=1))
    assert isinstance(result, GameResult)
    assert (result.number, result.lesson.shape) == (4, (4, result.length, 3))
    assert 10 < result.length <= 30
    for number, each in enumerate(evaluated_moves(settings, manual_table(), 8)):
        count = len(each.candidates)
        expected = [each.classes, each.means, each.rates, each.deviations]
        assert result.lesson[:, number, :count].tolist() == expected
        assert result.lesson[:, number, count:].tolist() == [[-1.0] * (3 - count), *[[0.0] * (3 - count)] * 3]
