"""Kernels for self-play games, with or without learning."""

import numpy as np

from tengen.games.interface import outcome
from tengen.jit import keep_alive, kernel
from tengen.learning.td import learn_from_game
from tengen.policies.go.shapes import evaluate
from tengen.policies.go.stochastic import play_on


@kernel(allocates=True)
def learn_games(policy, td, classes, lesson, states, rng, trace, count):
    """Play `count` games from states[0] in states[1] and learn from each; return Black's points and the moves played.

    Both sides use the policy, whose tables are updated. Exploratory moves are learnt from like all others.
    """
    buffer = np.empty_like(policy.blank)
    evaluation = buffer[0]
    results, moves = 0.0, 0
    for _ in range(count):
        states[1] = states[0]
        evaluate(policy.shapes, evaluation, states[1])
        moves += play_on(policy, evaluation, states[1], rng, trace, np.int64(0))
        result = outcome(states[1])
        learn_from_game(td, classes, policy.shapes, evaluation, lesson, result)
        results += result
    keep_alive(buffer)
    return results, moves


@kernel(allocates=True)
def play_games(policy, states, rng, trace, count):
    """Play `count` games from states[0] in states[1]; return the sum of Black's results and the number of moves."""
    buffer = np.empty_like(policy.blank)
    evaluation = buffer[0]
    results, moves = 0.0, 0
    for _ in range(count):
        states[1] = states[0]
        evaluate(policy.shapes, evaluation, states[1])
        moves += play_on(policy, evaluation, states[1], rng, trace, np.int64(0))
        results += outcome(states[1])
    keep_alive(buffer)
    return results, moves
