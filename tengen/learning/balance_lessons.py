"""Kernels of simulation balancing: playouts that record the features of their moves, and gradients of their mean."""

from typing import NamedTuple

import numpy as np

from tengen.games.go.go_record import PASS, U0, U1, U2, add_to_liberties, liberty, u64
from tengen.games.go.playout import LENGTH_FACTOR, take
from tengen.games.interface import outcome
from tengen.jit import keep_alive, kernel, temporary_like
from tengen.policies.go.learnt_policy import clear_answers, play_learnt_point, take_learnt_point
from tengen.policies.go.move_features import features_of, mark_rules
from tengen.policies.go.urgency import begin
from tengen.policies.playout import play_out
from tengen.rng import mix, start_stream

HALVES = 2
"""The playouts from a position are two independent samples of the same size."""


class BalanceScratch(NamedTuple):
    """Scratch buffers for the playouts of one position."""

    marks: np.ndarray  # uint8, by point
    seen: np.ndarray  # int32 (most,): the features of a playout's moves, negative where they are subtracted
    directions: np.ndarray  # float64 (HALVES, features): sums over playouts of psi
    products: np.ndarray  # float64 (HALVES, features): sums over playouts of psi times the result


@kernel(inline=True, private=True)
def record_features(view, is_kept, state, point, sign, scratch, count):
    """Append the features of a move that the policy has, with a sign, to `scratch.seen`; return the new count."""
    for feature in features_of(view, state, point, scratch.marks):
        if is_kept[feature]:
            scratch.seen[count] = sign * feature
            count += 1
    return count


@kernel(inline=True, private=True)
def drawn_point(policy, urgencies, answers, state, position, gamma, word):
    """Draw a move without playing it; returns (point, position, word)."""
    point, position, word = take_learnt_point(
        policy,
        urgencies,
        answers,
        state,
        u64(state.to_play),
        u64(state.ko),
        u64(state.last_move),
        position,
        gamma,
        word,
    )
    if point != PASS:
        add_to_liberties(state, point, liberty(state, point))
    return point, position, word


@kernel(private=True)
def play_recorded(policy, urgencies, answers, view, is_kept, state, rng, scratch):
    """psi(s, a) = phi(s, a) - phi(s, b)                                           [SilverTesauro2009, policy gradient]

    Plays to the end of the game and records psi of each move a; b is another draw. Returns the number of entries in
    `scratch.seen`.
    Differs: b stands for the mean over all moves in the derivative of log P(a | s), phi(s, a) - sum_b P(b | s)
    phi(s, b). The expectation is the same, and no sum over all moves is needed.
    """
    begin(policy, urgencies, state)
    count, length = 0, 0
    gamma = rng[1]
    position = rng[0] + gamma
    word = mix(position)
    while u64(state.passes) < U2 and length < LENGTH_FACTOR * state.side * state.side:
        point, position, word = drawn_point(policy, urgencies, answers, state, position, gamma, word)
        other, position, word = drawn_point(policy, urgencies, answers, state, position, gamma, word)
        if point != other:
            mark_rules(state, scratch.marks)
            count = record_features(view, is_kept, state, point, 1, scratch, count)
            count = record_features(view, is_kept, state, other, -1, scratch, count)
        colour = u64(state.to_play)
        if point != PASS:
            take(state, point)
        empty_count, ko = play_learnt_point(policy, urgencies, state, point, colour, u64(state.empty_count))
        state.passes = u64(state.passes) + U1 if point == PASS else U0
        state.empty_count, state.ko, state.to_play = empty_count, ko, colour ^ U1
        state.earlier_move, state.last_move = state.last_move, point
        length += 1
    rng[0] = position
    return count


@kernel(inline=True, private=True)
def add_playout(scratch, half, count, result):
    """Add psi of a playout, and psi times its result, to the sums of its half."""
    for i in range(count):
        feature = np.int64(scratch.seen[i])
        sign = 1.0 if feature > 0 else -1.0
        scratch.directions[half, abs(feature)] += sign
        scratch.products[half, abs(feature)] += sign * result


@kernel(private=True)
def add_gradient(scratch, first, second, value, playouts, gradient):
    """gradient += ((V* - V_1) g_2 + (V* - V_2) g_1) / 2                           [SilverTesauro2009, policy gradient]

    V_h is the mean result of half h, g_h = mean of (result - V_k) psi with the mean V_k of the other half.
    Differs: both halves estimate V and g; V_k, independent of g_h, is subtracted as a baseline, since psi has mean 0.
    """
    for i in range(gradient.size):
        one = scratch.products[0, i] - second * scratch.directions[0, i]
        two = scratch.products[1, i] - first * scratch.directions[1, i]
        gradient[i] += 0.5 * ((value - first) * two + (value - second) * one) / playouts


@kernel(allocates=True)
def learn_positions(policy, view, is_kept, states, values, streams, seed_word, playouts, scratch, gradient):
    """Add the gradients of positions to `gradient`, float64 (features,).

    `states` are the positions and a scratch state, `values` Black's expected results, and `streams` the numbers of
    their random generators. Returns the sums over positions of (V* - V_1)(V* - V_2), which estimates the squared error
    of the expected result without bias, and of V - V*.
    """
    buffer, answers = temporary_like(policy.blank), temporary_like(policy.no_answers)
    clear_answers(answers[0])
    rng = np.zeros(2, np.uint64)
    state = states[values.size]
    squared, error = 0.0, 0.0
    for i in range(values.size):
        start_stream(rng, seed_word, streams[i])
        scratch.directions[:] = 0.0
        scratch.products[:] = 0.0
        first, second = 0.0, 0.0
        for half in range(HALVES):
            total = 0.0
            for _ in range(playouts):
                states[values.size] = states[i]
                count = play_recorded(policy, buffer[0], answers[0], view, is_kept, state, rng, scratch)
                result = outcome(state)
                add_playout(scratch, half, count, result)
                total += result
            first, second = second, total / playouts
        add_gradient(scratch, first, second, values[i], playouts, gradient)
        squared += (values[i] - first) * (values[i] - second)
        error += 0.5 * (first + second) - values[i]
    keep_alive(buffer)
    keep_alive(answers)
    return squared, error


@kernel
def mean_results(policy, states, streams, seed_word, rng, trace, playouts, means):
    """Write Black's mean result of `playouts` playouts from each position to `means`; arguments as above."""
    state = states[means.size]
    for i in range(means.size):
        start_stream(rng, seed_word, streams[i])
        total = 0.0
        for _ in range(playouts):
            states[means.size] = states[i]
            play_out(policy, state, rng, trace, 0)
            total += outcome(state)
        means[i] = total / playouts
