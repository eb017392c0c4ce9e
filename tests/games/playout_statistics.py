"""Statistics of uniform playouts, to compare the records of a game."""

import numpy as np

from tengen.games import interface
from tengen.jit import kernel
from tengen.rng import seeded


@kernel
def sum_playouts(states, rng, trace, count, sums, firsts):
    """Play out states[0] in states[1]; add results, scores, lengths and their squares to `sums`, first moves too."""
    for _ in range(count):
        states[1] = states[0]
        length = interface.uniform_playout(states[1], rng, trace, 0)
        result, margin = interface.outcome(states[1]), interface.score(states[1])
        sums[0] += result
        sums[1] += result * result
        sums[2] += margin
        sums[3] += margin * margin
        sums[4] += length
        sums[5] += length * length
        if length > 0:
            firsts[trace[0]] += 1


class Sample:
    """Statistics of playouts from a state."""

    def __init__(self, state, count: int, seed: int):
        self.states = np.zeros(2, state.dtype)
        self.states[0] = state
        self.count, self.rng, self.trace = count, seeded(seed), np.zeros(interface.MOST_MOVES, np.uint16)
        sums, self.firsts = np.zeros(6), np.zeros(interface.MOST_MOVES, np.int64)
        sum_playouts(self.states, self.rng, self.trace, count, sums, self.firsts)
        self.means = sums[::2] / count
        self.variances = sums[1::2] / count - self.means**2

    def distances(self, other: "Sample") -> list[float]:
        """Return the differences of mean result, score and length, in standard errors."""
        errors = np.sqrt(self.variances / self.count + other.variances / other.count)
        return [float(d) for d in np.abs(self.means - other.means) / np.maximum(errors, 1e-12)]


def first_moves(a: Sample, b: Sample) -> np.ndarray:
    """Return how often each first move was played in two samples, for moves that were played."""
    counts = np.array([a.firsts, b.firsts])
    assert ((counts[0] > 0) == (counts[1] > 0)).all()
    return counts[:, counts[0] > 0]
