"""`RootSearch`: the root of a tree in the memory of a device, read like any other search."""

import time

import numpy as np

from tengen.errors import TengenError
from tengen.games.game import Game, Position
from tengen.jit import new
from tengen.policies.playout import FAULTS, BadPlayout
from tengen.search.config import SearchConfig
from tengen.search.forest import COUNTS, Roots
from tengen.search.search import Search, row_types
from tengen.search.simulate import Algorithm
from tengen.search.tree import Memory, work_record


class RootSearch(Search):
    """The root of a tree in the memory of a device: it can be read like any search, but not run."""

    def __init__(self, config: SearchConfig, game: Game, algorithm: Algorithm):
        self.config, self.game, self.algorithm, self.now = config, game, algorithm, time.perf_counter
        self.seconds, self._banned, self._team = 0.0, frozenset(), []

    def run(self, simulations: int) -> int:
        raise TengenError("the root of a tree on a device cannot be searched here")

    def read(self, roots: Roots, row: int, position: Position, rng: np.ndarray) -> None:
        """Take over the root in a row. Raises BadPlayout if the search has ended by a fault."""
        work = new(work_record(self.game.move_slots, 0))
        for name, count in zip(COUNTS, roots.counts[row], strict=False):
            work[name] = count
        if work.fault:
            raise BadPlayout(f"{FAULTS[int(work.fault)]} (policy={self.config.policy})")
        state = np.zeros(1, self.config.state_record(self.game))
        state[0] = position.state_as(state.dtype)
        one, rows = slice(row, row + 1), row_types(self.config, self.game)
        self.position = position
        self.memory = Memory(
            states=state,
            tree=roots.rows[one],
            used=roots.counts[row, -1:],
            notes=np.zeros(1, np.uint8),
            priors=np.repeat(roots.priors[one], 1 + rows.has_priors),  # one row means that there are none
            proofs=np.repeat(roots.proofs[one], 1 + rows.has_proofs),
            history=np.zeros(0, np.uint64),
            work=work,
            rng=rng,
        )

    def take_rows(self, *, tree: np.ndarray, notes: np.ndarray, priors: np.ndarray, proofs: np.ndarray) -> None:
        """Replace the root by the rows of all nodes; see Memory."""
        self.memory = self.memory._replace(tree=tree, notes=notes, priors=priors, proofs=proofs)
