"""Spearman's rank correlation with its p-value by permutations."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

PERMUTATIONS = 20_000


def ranks(values: Sequence[float]) -> NDArray[np.float64]:
    """Return the ranks of values, from 1; equal values have the mean of their ranks."""
    given = np.asarray(values, dtype=np.float64)
    below = (given[:, None] > given[None, :]).sum(axis=1)
    equal = (given[:, None] == given[None, :]).sum(axis=1)
    found: NDArray[np.float64] = below + (equal + 1) / 2
    return found


def spearman(first: Sequence[float], second: Sequence[float]) -> tuple[float, float] | None:
    """Return the correlation of the ranks and its two-sided p-value.

    The p-value is the share of random permutations of one side, with a fixed seed, that correlate as strongly. None
    for fewer than three pairs, or if all values of a side are equal.
    """
    one, other = (ranks(values) - (len(values) + 1) / 2 for values in (first, second))
    scale = float(np.sqrt((one @ one) * (other @ other)))
    if len(one) < 3 or not scale:
        return None
    correlation = float(one @ other) / scale
    shuffled = np.random.default_rng(1).permuted(np.tile(other, (PERMUTATIONS, 1)), axis=1)
    as_strong = np.abs(shuffled @ one) / scale >= abs(correlation) - 1e-12
    return correlation, (1 + int(as_strong.sum())) / (1 + PERMUTATIONS)
