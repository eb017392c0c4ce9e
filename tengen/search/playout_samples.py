"""Playouts of one position: their scores, and who owns what at their ends."""

from tengen.games.interface import add_ownership, score
from tengen.jit import kernel
from tengen.policies.playout import play_out


@kernel
def sample_playouts(policy, states, rng, trace, sums, scores):
    """Play out states[0] once for every place in `scores`, and write the score there; add the owners up in `sums`."""
    for i in range(scores.size):
        states[1] = states[0]
        play_out(policy, states[1], rng, trace, 0)
        scores[i] = score(states[1])
        add_ownership(states[1], sums)
