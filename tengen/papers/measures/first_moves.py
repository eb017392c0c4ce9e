"""Kernels for measurements."""

from tengen.jit import kernel
from tengen.policies.playout import play_out


@kernel
def count_first_moves(policy, states, rng, trace, counts, samples):
    """Play out states[0], in states[1], `samples` times, and count the first moves in `counts`, by their numbers."""
    for _ in range(samples):
        states[1] = states[0]
        play_out(policy, states[1], rng, trace, 0)
        counts[trace[0]] += 1
