"""Policies over a value of local shapes: greedy, epsilon-greedy, with Gaussian noise, and softmax.

They choose by Q(s,a), the mover's win probability after the move, among the candidate moves (legal moves that fill no
own eye). A pass is played only if there is no candidate.
"""

import math

import numpy as np

from tengen.games.go.go_record import PASS, U0, U1, WHITE, u64
from tengen.games.go.playout import LENGTH_FACTOR
from tengen.games.interface import is_candidate, is_over, play
from tengen.jit import keep_alive, kernel, record, temporary_like
from tengen.policies.go.shapes import (
    account_for_captures,
    evaluate,
    follow,
    forget_captures,
    note_move,
    outlook,
)
from tengen.policies.playout import play_out
from tengen.rng import below, gaussian, uniform

f32 = np.float32

CHANCE_FIELDS = [
    ("epsilon", np.float64),  # the probability of a random move
    ("sigma", np.float64),  # the standard deviation of Gaussian noise on Q
    ("tau", np.float64),  # the temperature of a softmax over Q
]


def stochastic_record(name: str, shapes: np.dtype, evaluation: np.dtype) -> np.dtype:
    """Make the record of a policy for shapes and evaluations of these types, and implement its verb."""
    blank = ("blank", evaluation, (1,))  # never written to; defines the type of the scratch copy
    made = record(name, [*CHANCE_FIELDS, blank, ("shapes", shapes)])
    play_out.implement(made)(stochastic)
    return made


@kernel(allocates=True)
def stochastic(policy, state, rng, trace, length):
    buffer = temporary_like(policy.blank)
    evaluate(policy.shapes, buffer[0], state)
    length = play_on(policy, buffer[0], state, rng, trace, length)
    keep_alive(buffer)
    return length


@kernel(private=True)
def play_on(policy, evaluation, state, rng, trace, length):
    """Play from an evaluated position to the end of the game; return the new length."""
    end = length + LENGTH_FACTOR * state.side * state.side
    while not is_over(state) and length < end:
        colour, captured = u64(state.to_play), np.int64(state.empty_count) - 1
        move = choose(policy, evaluation, state, rng)
        play(state, move)
        if move != PASS:
            follow(policy.shapes, evaluation, state, move, colour, captured)
        note_move(evaluation)
        trace[length] = move
        length += 1
    return length


@kernel(inline=True, private=True)
def choose(policy, evaluation, state, rng):
    """The next move of a policy.

    pi_epsilon(s,a): with probability epsilon any candidate move, else argmax_a Q(s,a)   [GellySilver2007, section 5]
    """
    if policy.epsilon > 0.0 and uniform(rng) < policy.epsilon:
        return random_move(evaluation, state, rng)
    count = account_for_captures(policy.shapes, evaluation, state, u64(state.to_play))
    if policy.sigma > 0.0 or policy.tau > 0.0:
        move = best_noisy_move(policy, evaluation, state, rng)
    else:
        move = best_move(evaluation, state, rng)
    forget_captures(evaluation, state, u64(state.to_play), count)
    return move


@kernel(private=True)
def random_move(evaluation, state, rng):
    """A candidate move, each equally likely; a pass if there is none."""
    count = U0
    for i in range(state.empty_count):
        point = u64(state.empty[u64(i)])
        if is_candidate(state, point):
            evaluation.moves[count] = point
            count += U1
    return u64(evaluation.moves[below(rng, count)]) if count > U0 else PASS


@kernel(private=True)
def best_move(evaluation, state, rng):
    """argmax_a Q(s,a), ties broken at random                                            [GellySilver2007, section 5]

    This is the move with the greatest change of the value in the mover's favour.
    """
    colour = u64(state.to_play)
    sign = f32(-1.0) if colour == WHITE else f32(1.0)
    best, choice, ties = f32(-math.inf), PASS, U0
    for i in range(state.empty_count):
        point = u64(state.empty[u64(i)])
        value = sign * evaluation.changes[colour, point]
        if value >= best and is_candidate(state, point):
            if value > best:
                best, choice, ties = value, point, U1
            else:
                ties += U1
                choice = point if below(rng, ties) == U0 else choice
    return choice


@kernel(private=True)
def best_noisy_move(policy, evaluation, state, rng):
    """pi_sigma(s,a): argmax_a Q(s,a) + eta(s,a), eta ~ N(0, sigma^2)                   [GellySilver2007, section 5]

    pi_tau(s,a) = exp(Q(s,a) / tau) / sum_b exp(Q(s,b) / tau), drawn as argmax_a Q(s,a) + tau g(s,a), where
    g = -log(-log(u)) for a uniform u: each sum is the largest with exactly that probability.
    """
    colour = u64(state.to_play)
    best, choice = -math.inf, PASS
    for i in range(state.empty_count):
        point = u64(state.empty[u64(i)])
        value = outlook(evaluation.total + evaluation.changes[colour, point], colour)
        if policy.sigma > 0.0:
            value += policy.sigma * gaussian(rng)
        if policy.tau > 0.0:
            value -= policy.tau * math.log(-math.log(1.0 - uniform(rng)))
        if value > best and is_candidate(state, point):
            best, choice = value, point
    return choice
