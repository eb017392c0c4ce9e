"""Kernels for learning at the Monte-Carlo level: games with evaluated candidate moves, and the update of pairs."""

import math

import numpy as np

from tengen.games.go.go_board import play
from tengen.games.go.go_record import PASS, u64
from tengen.games.interface import is_over, score
from tengen.jit import keep_alive, kernel, record
from tengen.policies.go.urgency import begin, half_of, pattern_at
from tengen.policies.playout import play_out
from tengen.search.preselection import list_candidates, preselect

EVALUATION = record(
    "urgency_evaluation",
    [
        ("games", np.int64),  # random games for each candidate
        ("preselect", np.int64),  # candidates that the prior preselects
        ("others", np.int64),  # candidates drawn from the other moves
        ("longest", np.int64),  # moves after which a game ends
    ],
)


@kernel(allocates=True)
def evaluated_game(policy, prior, scratch, evaluation, classes, states, rng, buffers, lesson):
    """Play a game of MC(p) against itself from states[0]; write its candidates to the lesson; return its length.

    At each move the candidates are evaluated by random games of the policy, and the best one is played. The lesson has
    for each move and candidate: the class of its pattern in lesson[0], the mean margin of its games for the side to
    move in lesson[1], the win rate in lesson[2], and the standard deviation of the margins in lesson[3].
    The class is -1 where there is no candidate, and for the last liberties of chains, if these have an urgency of their
    own. `buffers` is (candidate moves, all moves, values, moves of a playout); states[1] and states[2] are scratch.
    """
    candidates, moves, values, line = buffers
    buffer = np.empty_like(policy.blank)
    urgencies = buffer[0]
    state = states[1]
    states[1] = states[0]
    length = 0
    while not is_over(state) and length < evaluation.longest:
        count = list_candidates(state, moves, rng)
        count = choose_candidates(prior, scratch, evaluation, state, moves[:count], candidates, values)
        begin(policy, urgencies, state)
        lesson[0, length, :] = -1.0
        best, highest = np.int64(PASS), -math.inf
        for i in range(count):
            move = np.int64(candidates[i])
            mean, won, spread = evaluate_move(policy, evaluation, states, rng, line, move)
            lesson[0, length, i] = comparable_class(policy, urgencies, classes, state, u64(move))
            lesson[1, length, i], lesson[2, length, i], lesson[3, length, i] = mean, won, spread
            if mean > highest:
                best, highest = move, mean
        play(state, best)
        length += 1
    keep_alive(buffer)
    return length


@kernel(private=True)
def choose_candidates(prior, scratch, evaluation, state, moves, candidates, values):
    """Write the preselected moves and some others, in random order, to `candidates`; return their number.

    The pass is not a candidate.
    """
    chosen = candidates[: moves.size]
    for i in range(moves.size):
        chosen[i] = moves[i]
    count = preselect(prior, scratch, state, chosen, values, evaluation.preselect, np.int64(PASS))
    if count > 0 and u64(chosen[count - 1]) == PASS:
        count -= 1
    most = count + evaluation.others
    for i in range(moves.size):
        if count == most:
            break
        if u64(moves[i]) != PASS and not is_among(chosen[:count], moves[i]):
            chosen[count] = moves[i]
            count += 1
    return count


@kernel(private=True)
def is_among(moves, move):
    """Whether a move is in a list."""
    found = False
    for i in range(moves.size):
        found |= moves[i] == move
    return found


@kernel(private=True)
def evaluate_move(policy, evaluation, states, rng, line, move):
    """Play random games after a move; return the mean margin and win rate of its side, and the deviation."""
    total, squares, won = 0.0, 0.0, 0.0
    sign = -1.0 if states[1].to_play else 1.0
    for _ in range(evaluation.games):
        states[2] = states[1]
        play(states[2], move)
        if not is_over(states[2]):
            play_out(policy, states[2], rng, line, np.int64(0))
        margin = sign * score(states[2])
        total += margin
        squares += margin * margin
        won += 1.0 if margin > 0.0 else (0.5 if margin == 0.0 else 0.0)
    mean = total / evaluation.games
    return mean, won / evaluation.games, math.sqrt(max(squares / evaluation.games - mean * mean, 0.0))


@kernel(private=True)
def comparable_class(policy, urgencies, classes, state, point):
    """The class of the pattern at a candidate; -1 if a chain in atari adds its urgency there."""
    colour = u64(state.to_play)
    if half_of(urgencies.points[point], colour) != half_of(urgencies.patterns[point], colour):
        return -1.0
    return float(classes[colour, pattern_at(policy, state, point)])


@kernel
def learn_pairs(log_urgencies, matches, classes, values, constant, step):
    """delta = Q_a - Q_b - C (V_a - V_b);  Q_a -= alpha delta,  Q_b += alpha delta    [BouzyChaslot2006, section V.B]

    Q = log u by class, alpha = step / sqrt(N_i) with N_i = matches[i], for all pairs of the candidates of one move,
    which have these classes (int64, -1 for none) and values V.

    Differs: N_i is the number of times that the pattern was a candidate; in the paper, that it matched. The paper does
    not say which pairs it updates.
    """
    for i in range(classes.size):
        if classes[i] >= 0:
            matches[classes[i]] += 1
    for i in range(classes.size):
        for j in range(i):
            a, b = classes[i], classes[j]
            if a >= 0 and b >= 0 and a != b:
                delta = log_urgencies[a] - log_urgencies[b] - constant * (values[i] - values[j])
                log_urgencies[a] -= step / math.sqrt(matches[a]) * delta
                log_urgencies[b] += step / math.sqrt(matches[b]) * delta
