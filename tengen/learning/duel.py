"""Kernel for games between a policy over local shapes and any other policy, to measure the learnt value."""

import numpy as np

from tengen.games.go.go_record import PASS, u64
from tengen.games.interface import is_over, outcome, play
from tengen.jit import keep_alive, kernel
from tengen.policies.go.shapes import evaluate, follow
from tengen.policies.go.stochastic import choose
from tengen.policies.playout import play_out


@kernel(allocates=True)
def duel(policy, other, states, rng, trace, games):
    """Play games from states[0] with alternating colours; return the sum of the first policy's results.

    The other policy plays the first move of its playout from the position. states[1] and states[2] are scratch states;
    a game is cut off at the length of `trace` minus 2.
    """
    buffer = np.empty_like(policy.blank)
    evaluation = buffer[0]
    won = 0.0
    for game in range(games):
        states[1] = states[0]
        state = states[1]
        evaluate(policy.shapes, evaluation, state)
        length = 0
        while not is_over(state) and length < trace.size - 2:
            colour, captured = u64(state.to_play), np.int64(state.empty_count) - 1
            if colour == u64(game & 1):
                move = choose(policy, evaluation, state, rng)
            else:
                states[2] = state
                play_out(other, states[2], rng, trace, np.int64(0))
                move = u64(trace[0])
            play(state, move)
            if move != PASS:
                follow(policy.shapes, evaluation, state, move, colour, captured)
            length += 1
        result = outcome(state)
        won += result if game & 1 == 0 else 1.0 - result
    keep_alive(buffer)
    return won
