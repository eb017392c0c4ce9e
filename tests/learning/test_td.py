"""Temporal differences: the equations by hand, and whole games against a slow reference."""

import math

import numpy as np
import pytest

from tengen.games.go.game import Go
from tengen.jit import record_of
from tengen.learning.classes import new_lesson, weight_classes
from tengen.learning.selfplay import learn_games
from tengen.learning.td import TD, show_all_weights, td_errors
from tengen.policies.go.shape_weights import shape_policy
from tengen.policies.go.weights import ShapeWeights
from tengen.policies.go.windows import shape_set
from tengen.rng import seeded
from tests.policies import slow_shapes
from tests.policies.test_shapes import SlowValue, board_of, random_weights, sigma_of


def logits(*probabilities):
    return np.array([math.log(p / (1 - p)) for p in probabilities])


@pytest.mark.plain
@pytest.mark.parametrize(
    ("decay", "result", "expected"),
    [
        # values 0.5, 0.6, 0.4, 0.7; the positions after the next: 0.4, 0.7, and the end twice
        (0.0, 1.0, [0.4 - 0.5, 0.7 - 0.6, 1 - 0.4, 1 - 0.7]),
        (0.0, 0.0, [0.4 - 0.5, 0.7 - 0.6, 0 - 0.4, 0 - 0.7]),
        (1.0, 1.0, [1 - 0.5, 1 - 0.6, 1 - 0.4, 1 - 0.7]),
        # G_0 = (0.4 + 1) / 2 = 0.7 and G_1 = (0.7 + 1) / 2 = 0.85
        (0.5, 1.0, [0.7 - 0.5, 0.85 - 0.6, 1 - 0.4, 1 - 0.7]),
    ],
)
def test_errors_are_those_of_hand_arithmetic(decay, result, expected):
    errors = np.zeros(4)
    td_errors(logits(0.5, 0.6, 0.4, 0.7), 3, result, decay, errors)
    assert errors == pytest.approx(expected)


@pytest.mark.plain
def test_lambda_mixes_returns_of_every_length():
    """G_0 = (1 - l) (V_2 + l V_4 + l^2 V_6) + l^3 z over seven positions."""
    errors, values, decay = np.zeros(7), [0.5, 0.5, 0.3, 0.5, 0.6, 0.5, 0.8], 0.4
    td_errors(logits(*values), 6, 1.0, decay, errors)
    mixed = (1 - decay) * (0.3 + decay * 0.6 + decay**2 * 0.8) + decay**3
    assert errors[0] == pytest.approx(mixed - 0.5)


class Learner:
    """A learner on a small board, with the moves of its last game."""

    def __init__(self, weights, **settings):
        self.weights = weights
        self.game = Go(weights.shapes.size, komi=0.5)
        self.policy = shape_policy(weights, epsilon=0.3, fused=False)
        self.classes, self.lesson = weight_classes(weights), new_lesson(weights)
        self.td = record_of(TD, **{"step_size": 0.1, "squared_norm": 1, **settings})
        self.states = np.zeros(2, self.game.tactical_record)
        self.game.reset(self.states[0])
        self.rng, self.trace = seeded(7), np.zeros(self.game.longest_playout + 2, np.uint16)

    def play(self):
        """Learn from one game; returns the boards after each move, the first one empty, and Black's result."""
        result, length = learn_games(
            self.policy, self.td, self.classes, self.lesson, self.states, self.rng, self.trace, 1
        )
        position = Go(self.game.size, komi=0.5, ko="simple").start()
        boards = [board_of(position)]
        for move in self.trace[:length]:
            position.play(self.game.format_move(int(move)))
            boards.append(board_of(position))
        return boards, result


class SlowLearner:
    """The equations, position by position, with features computed from scratch."""

    def __init__(self, weights, squared_norm=1, online=0, decay=0.0):
        self.slow, self.squared_norm, self.online, self.decay = SlowValue(weights), squared_norm, online, decay
        self.theta = dict(enumerate(weights.weights.astype(float)))

    def phi(self, board):
        shapes, found = self.slow.shapes, {}
        for (kind, name), count in slow_shapes.phi(board, shapes.features, shapes.colour_inversion).items():
            self.slow.weight(kind, name)
            number = self.slow.numbers[kind, name]
            found[abs(number) - 1] = count * (1 if number > 0 else -1)
        return found

    def value(self, phi):
        return sigma_of(sum(count * self.theta[index] for index, count in phi.items()))

    def learn(self, boards, result):
        phis, last, updates = [self.phi(board) for board in boards], len(boards) - 1, []
        returns = [result] * (last + 3)
        if not self.online:
            for t in range(last - 2, -1, -1):
                returns[t] = (1 - self.decay) * self.value(phis[t + 2]) + self.decay * returns[t + 2]
        for t, phi in enumerate(phis):
            if not phi:
                continue
            target = returns[t]
            if self.online and t + 2 <= last:
                target = self.value(phis[t + 2])
            size = (
                sum(count**2 for count in phi.values())
                if self.squared_norm
                else slow_shapes.active(boards[t], self.slow.shapes.features, self.slow.shapes.colour_inversion)
            )
            step = 0.1 / size * (target - self.value(phi))
            changes = {index: step * count for index, count in phi.items()}
            if self.online:
                self.apply(changes)
            else:
                updates.append(changes)
        for changes in updates:
            self.apply(changes)

    def apply(self, changes):
        for index, change in changes.items():
            self.theta[index] += change


@pytest.mark.plain
@pytest.mark.parametrize(
    "settings",
    [{}, {"squared_norm": 0}, {"decay": 0.6}, {"online": 1}, {"online": 1, "squared_norm": 0}],
    ids=["episode", "count", "lambda", "online", "online-count"],
)
def test_learning_from_a_game_agrees_with_a_slow_learner(settings):
    weights = random_weights(5)
    learner = Learner(weights, **settings)
    slow = SlowLearner(weights, **settings)
    before = weights.weights.astype(float)
    slow.learn(*learner.play())
    expected = np.array(list(slow.theta.values()))
    assert np.abs(expected - before).max() > 1e-3
    assert learner.classes.weights == pytest.approx(expected, abs=1e-6)


def test_after_every_game_the_tables_equal_the_weights():
    learner = Learner(ShapeWeights(shape_set(5), np.zeros(shape_set(5).weights, np.float32)))
    for _ in range(20):
        learner.play()
    shown = learner.policy.shapes.copy()
    learnt = ShapeWeights(learner.weights.shapes, learner.classes.weights.copy())
    assert np.abs(learnt.weights).max() > 0.01
    codes = len(learnt.shapes.local_class)
    assert (shown.local[:codes] == learnt.shared.local[:codes]).all()
    codes = len(learnt.shapes.common_class)
    assert (shown.common[:codes] == learnt.shared.common[:codes]).all()
    show_all_weights(learner.classes, learner.policy.shapes)
    assert (learner.policy.shapes.local == shown.local).all()
