"""Kernels for benchmarks."""

from tengen.games.interface import outcome, uniform_results
from tengen.jit import kernel
from tengen.policies.playout import play_out


@kernel
def repeat_playouts(policy, states, rng, trace, count):
    """Play playouts of a policy from states[0], in states[1]; return the sum of Black's results and the moves made."""
    results = 0.0
    moves = 0
    for _ in range(count):
        states[1] = states[0]
        moves += play_out(policy, states[1], rng, trace, 0)
        results += outcome(states[1])
    return results, moves


@kernel
def sum_uniform_results(index, root, states, rngs, traces, results, count):
    """Play `count` uniform playouts from root[0]; write the sum of Black's results to results[index].

    Each index has a scratch state, a random generator and a trace of its own.
    """
    results[index] = uniform_results(root[0], states[index], rngs[index], traces[index], count)
