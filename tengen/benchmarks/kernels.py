"""The work that is measured."""

from tengen.games.interface import outcome, uniform_playout
from tengen.jit import kernel


@kernel
def uniform_playouts(states, rng, trace, count):
    """Play uniform playouts from states[0], in states[1]; return the sum of Black's results and the moves made."""
    results = 0.0
    moves = 0
    for _ in range(count):
        states[1] = states[0]
        moves += uniform_playout(states[1], rng, trace, 0)
        results += outcome(states[1])
    return results, moves
