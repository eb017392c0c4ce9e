"""The randomness of playout policies: the entropy of their move, as a share of that of a uniform choice.

The entropy is estimated from moves drawn at a position, for any policy, with the correction of Miller and Madow:
H = -sum_i f_i log f_i + (K - 1) / (2 N), for N moves of K kinds with frequencies f_i. Without the correction the
estimate is too low by about that term.
"""

import math
from pathlib import Path

import numpy as np

from tengen.games.game import Position
from tengen.papers.experiment import Measurement, Result, Settings
from tengen.papers.labelled_positions import labelled_positions
from tengen.papers.measures.first_moves import count_first_moves
from tengen.papers.measures.playout_error import made_policy
from tengen.papers.quantities import mean_of, ratio_of
from tengen.rng import seeded
from tengen.search.preselection import list_candidates

ENTROPY_SHARE = ratio_of("entropy", "uniform", "entropy of the move", "% of uniform", 1, factor=100.0)
MOST_PROBABLE = mean_of("most_probable", "share of the most frequent move", "%", 1, factor=100.0)


def entropy_of_counts(counts: np.ndarray) -> float:
    """Return the entropy, in nats, of the distribution from which kinds were drawn so many times each."""
    seen = counts[counts > 0]
    total = int(seen.sum())
    shares = seen / total
    return float(-(shares * np.log(shares)).sum()) + (len(seen) - 1) / (2 * total)


def move_counts(policy: str, position: Position, samples: int, seed: int) -> np.ndarray:
    """Return how often each move, by its number, is the first of playouts of a policy.

    `policy` describes a player without search.
    """
    record, kind = made_policy(policy, position.game)
    states = np.zeros(2, kind)
    states[0] = position.state_as(kind)
    trace = np.zeros(position.game.longest_playout + 2, np.uint16)
    counts = np.zeros(position.game.move_slots, np.int64)
    count_first_moves(record, states, seeded(seed), trace, counts, samples)
    return counts


def first_move_entropy(part: int, *, policy: str, samples: int, positions: str) -> Result:
    """Return the entropy of a policy's move at a labelled position, and that of a uniform choice of its candidates.

    Candidates are the legal moves that fill no own eye, without the pass, which policies play only if there are none.
    `positions` is a file, or empty for that of the package.
    """
    position = labelled_positions(Path(positions) if positions else None)[part].position()
    counts = move_counts(policy, position, samples, seed=part)
    listed = np.zeros(position.game.move_slots, np.uint16)
    listed = listed[: list_candidates(position.state, listed, seeded(part))]
    candidates = int((listed != position.game.untracked_move).sum())
    return {
        "entropy": entropy_of_counts(counts),
        "uniform": math.log(max(1, candidates)),
        "most_probable": float(counts.max()) / samples,
    }


def randomness_of(policy: str, settings: Settings, samples: int, seconds: float = 0.05) -> Measurement:
    """Return the measurement of a policy on `settings.samples` labelled positions, `samples` moves on each."""
    return Measurement(
        f"randomness of {policy}",
        first_move_entropy,
        min(settings.samples, len(labelled_positions(settings.positions))),
        {"policy": policy, "samples": samples, "positions": str(settings.positions or "")},
        seconds,
    )
