"""The arrays by which a device gets the positions of a batch of trees and returns their roots.

They are allocated once: while a GPU frees memory, it waits for all searches that are under way.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tengen.jit.devices import Device
from tengen.search.forest import COUNTS, Batch, Forest, Roots

WIDTH = 64
"""Moves and superko hashes are sent in rows of a multiple of this length."""


class BatchBuffers:
    """Arrays in a device's memory for up to `capacity` trees of a forest."""

    def __init__(self, device: Device, forest: Forest, capacity: int):
        self._device, self._capacity = device, capacity
        integers = np.dtype(np.int64)
        self._batch = Batch(
            trees=device.empty((capacity,), integers),
            rngs=device.empty((capacity, 2), np.dtype(np.uint64)),
            roots=device.empty((capacity,), forest.states.dtype),
            moves=device.empty((capacity, WIDTH), integers),
            move_counts=device.empty((capacity,), integers),
            histories=device.empty((capacity, WIDTH), np.dtype(np.uint64)),
            history_sizes=device.empty((capacity,), integers),
        )
        self.roots = Roots(
            rows=device.empty((capacity,), forest.tree.dtype),
            priors=device.empty((capacity,), forest.priors.dtype),
            proofs=device.empty((capacity,), forest.proofs.dtype),
            counts=device.empty((capacity, len(COUNTS) + 1), integers),
        )

    def send(self, batch: Batch, moves: Sequence[list[int]], histories: Sequence[list[int]]) -> Batch:
        """Write a batch to the device and return its arrays there. `moves` and `histories` replace those in `batch`."""
        for name, rows in (("moves", moves), ("histories", histories)):
            batch = batch._replace(**{name: self._padded(name, rows)})
        for array, values in zip(self._batch, batch, strict=True):
            self._device.write(array, values)
        return self._batch

    def _padded(self, name: str, rows: Sequence[list[int]]) -> np.ndarray:
        """Return rows of different lengths as one array as wide as the device's, which is made wide enough."""
        array = getattr(self._batch, name)
        longest = max(map(len, rows), default=0)
        if longest > array.shape[1]:
            wider = self._device.empty((self._capacity, -(-longest // WIDTH) * WIDTH), array.dtype)
            self._batch = self._batch._replace(**{name: wider})
        padded = np.zeros((len(rows), getattr(self._batch, name).shape[1]), array.dtype)
        for index, row in enumerate(rows):
            padded[index, : len(row)] = row
        return padded

    def rngs(self, count: int) -> np.ndarray:
        """Wait for the device and return the random generators of the first `count` trees."""
        return self._device.fetch(self._batch.rngs[:count])

    def fetch_roots(self, count: int) -> Roots:
        """Wait for the device and return the roots of the first `count` trees."""
        return Roots(*(self._device.fetch(array[:count]) for array in self.roots))


class Wave:
    """A batch of trees that are searched at the same time: their numbers, buffers, and arrays on the device."""

    def __init__(self, trees: list[int], buffers: BatchBuffers, batch: Any):
        self.trees, self.buffers, self.batch = trees, buffers, batch
