"""The methods that learn urgencies: equations by hand, pairs and selection of a population, and random streams."""

from collections import Counter

import numpy as np
import pytest

from tengen.errors import TengenError
from tengen.learning.urgency_methods import (
    LARGEST_VALUE,
    PARTS,
    BlockLearning,
    PopulationLearning,
    RelativeLearning,
    added,
    learnt_values,
    margin_of,
    measurement_tasks,
    urgencies_of,
    values_of,
)
from tengen.learning.urgency_settings import BlockSettings, PopulationSettings, RelativeSettings
from tengen.learning.urgency_training import MEASUREMENT_STREAM
from tengen.learning.urgency_workers import STREAMS_PER_STEP, GameResult, PairResult, PairTask
from tengen.policies.go.pattern_classes import pattern_classes
from tengen.policies.go.urgency_table import LARGEST, SMALLEST, manual_table, zero_table

CLASSES = pattern_classes().count

# --- Equations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "exponent", "urgency"),
    [(0.0, 1, 1.0), (0.5, 1, 3.0), (-0.5, 1, 1 / 3), (0.5, 2, 9.0), (0.6, 0.5, 2.0), (0.8, 0, 1.0), (0.99, 1, 199.0)],
)
def test_the_urgency_of_an_action_value_by_hand(value, exponent, urgency):
    assert urgencies_of(np.array([value]), exponent) == pytest.approx(urgency)


@pytest.mark.parametrize(
    ("urgency", "exponent", "value"), [(1.0, 1, 0.0), (3.0, 1, 0.5), (9.0, 2, 0.5), (0.2, 1, -2 / 3)]
)
def test_the_action_value_of_an_urgency_by_hand(urgency, exponent, value):
    assert values_of(np.array([urgency]), exponent) == pytest.approx(value)


@pytest.mark.parametrize("exponent", [0.1, 0.5, 1.0, 3.0, 100.0])
def test_the_urgency_of_the_value_of_an_urgency_is_that_urgency(exponent):
    values = np.array([-0.99, -0.4, 0.0, 0.001, 0.7, 0.99])
    assert values_of(urgencies_of(values, exponent), exponent) == pytest.approx(values)


def test_values_of_extreme_urgencies_are_finite():
    assert values_of(np.array([SMALLEST, 1.0, LARGEST]), 1e-3).tolist() == [-1.0, 0.0, 1.0]


def test_the_closed_form_of_the_mean_equals_the_recurrence():
    """Q_n = Q_(n-1) + (R - Q_(n-1)) / (1 + n), step by step."""
    rng = np.random.default_rng(1)
    lesson, value = np.zeros((2, 1)), 0.0
    for n in range(1, 200):
        result = rng.choice([-1.0, 1.0]) if n % 3 else rng.uniform(-1, 1)
        value += (result - value) / (1 + n)
        lesson += [[1.0], [result]]
        assert learnt_values(lesson) == pytest.approx(value, abs=1e-12)


def test_learnt_values_by_hand():
    assert learnt_values(np.array([[0, 1, 3, 4], [0, 1, -3, 1]])).tolist() == [0.0, 0.5, -0.75, 0.2]


def test_learnt_values_are_added_and_clipped():
    values, clips = added(np.array([0.5, 0.9, -0.9, 0.0, 0.5]), np.array([0.25, 0.5, -0.5, 0.0, 0.49]), 1.0)
    assert values == pytest.approx([0.75, LARGEST_VALUE, -LARGEST_VALUE, 0.0, 0.99])
    assert clips == 2
    values, clips = added(np.array([0.5, 0.9]), np.array([0.25, 0.5]), 0.5**2)
    assert (values.tolist(), clips) == ([0.5625, 0.99], 1)


# --- One program -----------------------------------------------------------------------------------------------------


def lesson_with(first: tuple[int, float], second: tuple[int, float]) -> np.ndarray:
    """Return a lesson of two sides in which only class 7 was played: its count and the sum of its results."""
    lesson = np.zeros((2, 2, CLASSES))
    lesson[:, 0, 7], lesson[:, 1, 7] = first, second
    return lesson


def result_of(task: PairTask, lesson: np.ndarray | None, margin: float = 0.0) -> PairResult:
    return PairResult(task.number, lesson, 0.0, margin * task.games, 0.0, 50 * task.games, task.games)


def test_a_block_adds_the_mean_of_both_sides_times_a_power_of_lambda():
    """Eight tasks with 3 + 1 matches of class 7 and results 2 + 1: Q = 24 / 33 after block 0, half of it in block 1."""
    seen: list[PairTask] = []

    def run(tasks):
        seen.extend(tasks)
        return [result_of(task, lesson_with((3, 2.0), (1, 1.0))) for task in tasks]

    method = BlockLearning(BlockSettings(games=20, decay=0.5, capture=5.0, escape=2.0))
    facts = method.advance(0, run)
    assert [task.games for task in seen] == [3, 3, 3, 3, 2, 2, 2, 2]
    assert len(seen) == PARTS
    assert (facts["games"], facts["clips"], facts["length"]) == (20, 0, 50)
    assert method.arrays["values"][7] == pytest.approx(24 / 33)
    assert np.count_nonzero(method.arrays["values"]) == 1
    method.advance(1, run)
    assert method.arrays["values"][7] == LARGEST_VALUE
    table = method.table()
    assert (table.capture, table.escape, table.urgencies[7]) == (5.0, 2.0, pytest.approx(199))
    assert seen[PARTS].first.urgencies[7] == pytest.approx((1 + 24 / 33) / (1 - 24 / 33)), "block 1 plays by block 0"


def test_a_table_is_limited_to_urgencies_that_a_file_can_have():
    method = BlockLearning(BlockSettings(exponent=50.0))
    method.arrays["values"][:2] = -0.99, 0.99
    assert method.table().urgencies[:3].tolist() == [SMALLEST, LARGEST, 1.0]


# --- A population ----------------------------------------------------------------------------------------------------


def population(**settings) -> PopulationLearning:
    """Return a population in which the program n has the value n / 1000 everywhere."""
    method = PopulationLearning(PopulationSettings(**{"games": 8, "population": 4, "opponents": 2, **settings}))
    count = method.settings.population
    method.arrays["values"] = np.tile(np.arange(count)[:, None] / 1000, (1, CLASSES))
    return method


def programs(values: np.ndarray) -> list[int]:
    """Return the numbers of the programs of such a population."""
    assert (values == values[:, :1]).all()
    return [round(1000 * value) for value in values[:, 0]]


def test_of_64_programs_32_are_kept_31_copied_and_zero_is_added():
    method = population(population=64, games=64)
    order = np.random.default_rng(1).permutation(np.arange(64))
    method.arrays["values"] += 0.1
    kept = [number - 100 for number in programs(method._selected(method.arrays["values"], order)[:-1])]
    assert not method._selected(method.arrays["values"], order)[-1].any()
    assert len(kept) == 63
    assert kept[:32] == list(order[:32])
    assert kept[32:] == [*order[:16], *order[:8], *order[:4], *order[:2], *order[:1]]
    assert Counter(kept)[order[0]] == 1 + 5


def test_of_4_programs_the_best_is_copied_once():
    method = population()
    method.arrays["values"] += 0.1
    assert programs(method._selected(method.arrays["values"], np.array([2, 0, 3, 1]))) == [102, 100, 102, 0]


@pytest.mark.parametrize(("count", "opponents"), [(4, 1), (4, 2), (4, 3), (8, 3), (16, 15), (64, 5), (64, 6)])
@pytest.mark.parametrize("step", [0, 3])
def test_each_program_meets_the_stated_number_of_opponents(count, opponents, step):
    method = population(population=count, opponents=opponents, games=64)
    pairs = method._pairs(step)
    met: dict[int, set[int]] = {number: set() for number in range(count)}
    for first, second in pairs:
        assert first != second
        met[first].add(second)
        met[second].add(first)
    assert {len(others) for others in met.values()} == {opponents}
    assert len(pairs) == count * opponents // 2, "no pair plays twice"


def test_the_pairs_change_with_the_generation_and_the_seed():
    pairs = [set(population(population=64, opponents=5, seed=seed)._pairs(step)) for seed in (1, 2) for step in (0, 1)]
    assert all(pairs[i] != pairs[j] for i in range(4) for j in range(i))


def test_a_generation_learns_tests_and_selects():
    """Class 7 has a result of 1 in one match of each side: Q = 2 / 3 more for each program, which is in two pairs."""
    method, seen = population(test_games=10), list[list[PairTask]]()
    margins = {3: (5.0, 1.0), 1: (9.0, -4.0), 0: (-7.0, -7.0), 2: (0.0, 0.0)}

    def run(tasks):
        seen.append(tasks)
        if tasks[0].learns:
            return [result_of(task, lesson_with((1, 1.0), (1, 1.0))) for task in tasks]
        return [result_of(task, None, margins[task.number // 2][task.number % 2]) for task in tasks]

    facts = method.advance(0, run)
    learning, testing = seen
    assert [task.games for task in learning] == [4, 4, 4, 4], "8 games against 2 opponents"
    assert len(testing) == 8
    assert {task.games for task in testing} == {10}
    assert testing[0].second.urgencies.tolist() == zero_table().urgencies.tolist()
    assert testing[1].second is manual_table()
    assert facts == {
        "games": 4 * 4,
        "test_games": 8 * 10,
        "clips": 0,
        "best_against_zero": 5.0,
        "best_against_manual": 1.0,
    }
    values = method.arrays["values"]
    assert programs(np.delete(values, 7, axis=1)) == [3, 1, 3, 0]
    assert values[:, 7] == pytest.approx([0.003 + 2 / 3, 0.001 + 2 / 3, 0.003 + 2 / 3, 0])
    assert method.table().urgencies[7] == pytest.approx((1.003 + 2 / 3) / (0.997 - 2 / 3)), "that of the best"


@pytest.mark.parametrize("exponent", [1.0, 2.0])
def test_a_population_can_start_with_the_manual_table(exponent):
    method = PopulationLearning(PopulationSettings(start="manual", population=4, opponents=1, exponent=exponent))
    largest = ((1 + LARGEST_VALUE) / (1 - LARGEST_VALUE)) ** exponent
    expected = np.clip(manual_table().urgencies, 1 / largest, largest)
    assert method.table().urgencies == pytest.approx(expected)
    assert (method.arrays["values"] == method.arrays["values"][0]).all()
    assert not PopulationLearning(PopulationSettings(population=4, opponents=1)).arrays["values"].any()


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"population": 12}, "population must be a power of two, not 12"),
        ({"population": 4, "opponents": 4}, "opponents must be less than population, 4, not 4"),
        ({"games": 4}, "games must be at least opponents, 5, not 4"),
        ({"start": "manual", "exponent": 0}, "start=manual needs an exponent above 0"),
        ({"decay": 1.5}, "decay is from 0 to 1, not '1.5'"),
        ({"exponent": float("nan")}, "exponent is from 0 to 100, not 'nan'"),
    ],
)
def test_invalid_settings_of_a_population_are_refused(wrong, complaint):
    with pytest.raises(TengenError, match=complaint):
        PopulationSettings(**wrong)


def test_a_start_that_is_no_table_is_refused():
    with pytest.raises(TengenError, match="unknown table of urgencies 'gold'"):
        PopulationLearning(PopulationSettings(start="gold"))


# --- Relative differences --------------------------------------------------------------------------------------------


def test_a_round_learns_from_the_candidates_of_all_moves():
    """Two moves with classes 3 and 4, V = 2 and 0: delta = -0.5 C then, with N = 2, the rest of it."""
    lesson = np.zeros((4, 2, 3))
    lesson[0], lesson[1, :, 0] = [3, 4, -1], 2.0
    method = RelativeLearning(RelativeSettings(games=1, constant=0.5, step=0.1))
    facts = method.advance(0, lambda tasks: [GameResult(task.number, lesson, 2) for task in tasks])
    first = 0.1 * 1.0
    second = first + 0.1 / np.sqrt(2) * (1.0 - 2 * first)
    logs = method.arrays["log_urgencies"]
    assert logs[[3, 4]] == pytest.approx([second, -second])
    assert method.arrays["matches"][[3, 4]].tolist() == [2, 2]
    assert np.count_nonzero(logs) == np.count_nonzero(method.arrays["matches"]) == 2
    assert facts == {"games": 1, "length": 2.0, "change": pytest.approx(second)}
    assert method.table().urgencies[[3, 4]] == pytest.approx(np.exp([second, -second]))


# --- Streams and measurements ----------------------------------------------------------------------------------------


def test_all_tasks_of_a_training_have_random_streams_of_their_own():
    method, streams = population(population=8, opponents=7, games=14), Counter[int]()

    def run(tasks):
        streams.update(task.stream for task in tasks)
        return [result_of(task, np.zeros((2, 2, CLASSES)) if task.learns else None) for task in tasks]

    for step in range(3):
        method.advance(step, run)
        stream = (step + 1) * STREAMS_PER_STEP + MEASUREMENT_STREAM
        run(measurement_tasks(method.table(), method.settings, 1, stream))
    assert len(streams) == 3 * (28 + 16 + 2)


def test_the_margin_of_a_measurement_by_hand():
    """Margins 3, 5, -2 and 6: mean 3, variance (0 + 4 + 25 + 9) / 4."""
    result = PairResult(0, None, won=3.0, margin=12.0, squares=9 + 25 + 4 + 36, moves=100, games=4)
    assert margin_of(result) == pytest.approx((3.0, (9.5 / 4) ** 0.5, 0.75))
