"""Kernels for Q-learning of pattern values by epsilon-greedy programs."""

import math

import numpy as np

from tengen.games.go.go_record import PASS, U0, U1, u64
from tengen.games.interface import is_candidate, is_over, play, score
from tengen.jit import kernel, record
from tengen.policies.go.urgency import pattern_at
from tengen.rng import below, uniform

GREEDY = record(
    "greedy_learning",
    [
        ("epsilon", np.float64),  # probability of a random move
        ("trace_decay", np.float64),  # lambda of the targets: 0 for Q-learning, 1 for the result of the game
        ("step", np.float64),  # alpha = step / sqrt(visits)
    ],
)


@kernel
def learn_greedily(learning, policy, values, visits, classes, states, rng, game_arrays, games):
    """Play epsilon-greedy games from states[0] against itself, and update the values and visits of classes after each.

    `policy` is used only by `pattern_at`. `game_arrays` is (classes of the moves, best values before them), whose
    length limits that of games. Returns the number of moves.
    """
    played, bests = game_arrays
    moves = 0
    for _ in range(games):
        states[1] = states[0]
        state = states[1]
        length = 0
        while not is_over(state) and length < played.size:
            move, number, best = greedy_move(learning, policy, values, classes, state, rng)
            played[length], bests[length] = number, best
            play(state, move)
            length += 1
        learn_from_end(learning, values, visits, played, bests, length, score(state))
        moves += length
    return moves


@kernel
def greedy_move(learning, policy, values, classes, state, rng):
    """With probability epsilon any candidate move, else one whose pattern has the highest value.

    Returns (move, class of its pattern, highest value); for a pass, if there is no candidate, (PASS, -1, 0).
    """
    colour = u64(state.to_play)
    explores = uniform(rng) < learning.epsilon
    best, chosen, number, ties, count = -math.inf, PASS, np.int64(-1), U0, U0
    drawn, drawn_number = PASS, np.int64(-1)
    for i in range(state.empty_count):
        point = u64(state.empty[u64(i)])
        if not is_candidate(state, point):
            continue
        here = np.int64(classes[colour, pattern_at(policy, state, point)])
        count += U1
        if below(rng, count) == U0:
            drawn, drawn_number = point, here
        ties = ties + U1 if values[here] == best else ties
        if values[here] > best:
            best, chosen, number, ties = values[here], point, here, U1
        elif values[here] == best and below(rng, ties) == U0:
            chosen, number = point, here
    if count == U0:
        return PASS, np.int64(-1), 0.0
    if explores:
        return drawn, drawn_number, best
    return chosen, number, best


@kernel
def learn_from_end(learning, values, visits, played, bests, length, margin):
    """Q(a_t) += alpha (G_t - Q(a_t)), G_t = -((1 - lambda) max_b Q(s_(t+1), b) + lambda G_(t+1)), G_T = +1 or -1.

    Black, who wins by `margin`, plays the moves with even t. alpha = step / sqrt(visits). A pass has no value of its
    own: where the next move is a pass, G_t = -G_(t+1).
    """
    result = 1.0 if margin > 0.0 else (-1.0 if margin < 0.0 else 0.0)
    target = result if (length - 1) & 1 == 0 else -result
    for back in range(length):
        t = length - 1 - back
        if back > 0:
            kept = 1.0 if played[t + 1] < 0 else learning.trace_decay
            target = -((1.0 - kept) * bests[t + 1] + kept * target)
        number = played[t]
        if number >= 0:
            visits[number] += 1
            values[number] += learning.step / math.sqrt(visits[number]) * (target - values[number])
