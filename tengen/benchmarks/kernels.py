"""Kernels for benchmarks."""

from tengen.games.interface import outcome
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
