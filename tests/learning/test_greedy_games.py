"""Q-learning of pattern values: the update by hand arithmetic, and greedy choices against all candidates."""

import math

import numpy as np
import pytest

from tengen.jit import record_of
from tengen.learning.greedy_games import GREEDY, greedy_move, learn_from_end
from tengen.learning.urgency_settings import GreedySettings
from tengen.learning.urgency_workers import GreedyTask, UrgencyWorker, start_states
from tengen.policies.go.pattern_classes import pattern_classes
from tengen.policies.go.urgency import pattern_at
from tengen.policies.go.urgency_table import classes_by_colour, zero_table
from tengen.rng import seeded

pytestmark = pytest.mark.long


def learning(**options):
    return record_of(GREEDY, **{"epsilon": 0.0, "trace_decay": 0.0, "step": 0.5, **options})


@pytest.mark.plain
@pytest.mark.parametrize(
    ("decay", "targets"),
    [(0.0, [-0.2, -0.3, -1.0]), (1.0, [-1.0, 1.0, -1.0]), (0.5, [-0.275, 0.35, -1.0])],
    ids=["Q-learning", "results", "half of each"],
)
def test_values_move_half_way_to_their_targets_at_the_first_visit(decay, targets):
    """Three moves; White wins, so the last move, Black's, has the target -1. Best values: 0.1, 0.2, 0.3."""
    values, visits = np.zeros(4), np.zeros(4, np.int64)
    played, bests = np.array([0, 1, 2]), np.array([0.1, 0.2, 0.3])
    learn_from_end(learning(trace_decay=decay), values, visits, played, bests, 3, -5.5)
    assert values.tolist() == pytest.approx([0.5 * target for target in targets] + [0.0])
    assert visits.tolist() == [1, 1, 1, 0]


@pytest.mark.plain
def test_the_step_falls_with_the_root_of_the_visits_and_a_pass_hands_the_result_on():
    values, visits = np.array([0.25, 0.0]), np.array([3, 0])
    learn_from_end(learning(), values, visits, np.array([0, -1]), np.array([0.0, 0.0]), 2, 1.0)
    assert visits.tolist() == [4, 0]
    assert values[0] == pytest.approx(0.25 + 0.5 / math.sqrt(4) * (1.0 - 0.25))


@pytest.mark.plain
def test_a_greedy_move_has_the_highest_value_of_all_candidates():
    settings = GreedySettings(size=5)
    state, policy = start_states(settings, 1)[0], zero_table().compiled(5)
    classes = classes_by_colour("3x3")
    values = np.random.default_rng(1).normal(size=pattern_classes().count)
    here = {int(classes[0, pattern_at(policy, state, np.uint64(point))]) for point in state.empty[:25]}
    move, number, best = greedy_move(learning(), policy, values, classes, state, seeded(1))
    assert best == max(values[one] for one in here) == values[number]
    assert classes[0, pattern_at(policy, state, np.uint64(move))] == number


def test_with_epsilon_1_all_points_are_drawn_about_equally():
    settings = GreedySettings(size=5)
    state, policy, rng = start_states(settings, 1)[0], zero_table().compiled(5), seeded(1)
    values, classes = np.arange(pattern_classes().count, dtype=float), classes_by_colour("3x3")
    moves = [int(greedy_move(learning(epsilon=1.0), policy, values, classes, state, rng)[0]) for _ in range(5000)]
    counts = np.unique(moves, return_counts=True)[1]
    assert len(counts) == 25
    assert counts.min() > 150
    assert counts.max() < 250


def test_a_task_of_games_is_the_same_each_time_and_leaves_its_arguments_alone():
    settings = GreedySettings(size=5, games=20)
    values, visits = np.zeros(pattern_classes().count), np.zeros(pattern_classes().count, np.int64)
    first, second = (UrgencyWorker()._greedy(GreedyTask(0, settings, values, visits, stream=3)) for _ in range(2))
    assert (first.values == second.values).all()
    assert first.moves == second.moves > 20 * 20
    assert not values.any()
    assert np.abs(first.values).max() > 0.0
