"""What the playouts say of a position as a whole: who owns what in the end, and by how much the game is won."""

import numpy as np

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


def estimate(policy, states, rng, trace, slots: int, playouts: int) -> tuple[np.ndarray, np.ndarray]:
    """Ownership by slot, from 1 (Black's) to -1 (White's), and the scores, of so many playouts."""
    sums, scores = np.zeros(slots, np.int64), np.zeros(playouts)
    sample_playouts(policy, states, rng, trace, sums, scores)
    return sums / playouts, scores
