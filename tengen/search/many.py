"""`ManySearch`: searches of many positions at once, one tree each, on a GPU or on this processor.

    >>> from tengen.games.catalogue import make_game
    >>> from tengen.players import parse_search
    >>> game = make_game("othello", 8)
    >>> many = ManySearch(parse_search("uct:simulations=100,reuse=false", game), game, trees=2, device="cpu")
    >>> for tree in range(2):
    ...     many.reseed(tree, seed=tree)
    ...     many.set_position(tree, game.start())
    >>> many.start([0, 1], simulations=100)
    >>> many.finish()
    >>> [many.search(tree).simulations for tree in range(2)]
    [100, 100]

With the same seed, a tree is the same as that of `Search`, if it works on the same kind of states: searches of many
trees use the game's compact states, where it has them and all parts work on them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tengen.errors import TengenError
from tengen.games.game import Game, Position
from tengen.jit.devices import open_device
from tengen.policies.playout import BadPlayout, named_in_errors
from tengen.rng import seeded
from tengen.search import priors
from tengen.search.config import DEFAULT_SIMULATIONS, SearchConfig
from tengen.search.copies import FREE
from tengen.search.forest import COUNTS, NOT_KEPT, Batch, Forest, PartArrays, Roots, fetch_root, search_tree
from tengen.search.root_search import RootSearch
from tengen.search.search import MOST_SIMULATIONS, Search, compose, nodes_within, row_types
from tengen.search.tree import work_record

USABLE_MEMORY = 0.92
"""Share of the device's free memory that the trees may take; the rest is for batches and the device itself."""
REUSE_FACTOR = 3
"""With subtree reuse, a tree has memory for this many times the nodes that one search adds."""
WIDTH = 64
"""Moves and superko hashes are sent in rows of a multiple of this length."""


class ManySearch:
    """Searches of many positions at once, one tree each, all with one configuration.

    `set_position` for each tree, `start`, which on a GPU returns at once, `finish`, then read `search(tree)`.
    """

    def __init__(
        self, config: SearchConfig, game: Game, trees: int, device: str = "gpu", lanes: int = 0, share: float = 1.0
    ):
        """Reserve memory for `trees` trees, or, without subtree reuse, for as many as the device has memory for.

        `lanes` is the number of GPU threads whose place a tree takes, 0 for a number that suits `trees`; `share` is
        the part of the device's free memory that the trees may take. Raises TengenError if trees to be reused do not
        fit.
        """
        if config.threads > 1:
            raise TengenError(f"many trees are searched with one thread each: use threads=1, not {config.threads}")
        self.config, self.game, self.trees = config, game, trees
        self._device, self._lanes = open_device(device), lanes
        self._counts_visits = config.part("backup").needs.counts_visits
        self._record = config.compact_record(game)
        self._algorithm = compose(config, game)
        self._parts = PartArrays(*(self._device.copy_of(np.array([one], one.dtype)) for one in self._algorithm))
        self._forest = self._plant(share)
        self._rngs = np.array([seeded(config.seed) for _ in range(trees)])
        self._positions: list[Position | None] = [None] * trees
        self._roots: list[tuple[list[int], bytes] | None] = [None] * trees
        self._searches: list[RootSearch | None] = [None] * trees
        self._changed: set[int] = set()
        self._tree_at = np.full(self.at_once, NOT_KEPT)
        """The tree whose nodes each place of the forest holds."""
        self._waves: list[tuple[Batch, Roots, list[int]]] = []

    def _plant(self, share: float) -> Forest:
        """Allocate the arrays of as many trees as wanted, or as fit."""
        config, game, make = self.config, self.game, self._device.empty
        rows = row_types(config, game)
        nodes = nodes_per_tree(config, game)
        states = priors.SEARCH_STATES + config.part("prior").needs.scratch_states
        work = work_record(game.move_slots, game.longest_playout)
        places = nodes if config.reuse else 1
        size = nodes * rows.bytes_per_node + states * self._record.itemsize + work.itemsize + 4 * places + 8
        fitting = int(self._device.free_bytes() * USABLE_MEMORY * share / size)
        if fitting < 1 or (config.reuse and fitting < self.trees):
            raise TengenError(
                f"{self.trees} trees of {nodes:,} nodes need {self.trees * size / 1e9:.1f} GB,"
                f" and the device has memory for {fitting}: use fewer trees or simulations"
                f"{', or reuse=false' if config.reuse else ''}"
            )
        count = min(self.trees, fitting)
        works = np.zeros(count, work)
        works["capacity"], works["copied"], works["block"] = nodes, FREE, 1
        return Forest(
            states=make((count, states), self._record),
            tree=make((count, nodes), rows.tree),
            used=self._device.copy_of(np.zeros((count, 1), np.int64)),
            notes=make((count, nodes if rows.has_notes else 1), rows.notes),
            priors=make((count, nodes if rows.has_priors else 1), rows.priors),
            proofs=make((count, nodes if rows.has_proofs else 1), rows.proofs),
            works=self._device.copy_of(works),
            places=make((count, places), np.dtype(np.int32)),
        )

    @property
    def at_once(self) -> int:
        """Number of trees that are searched at once; more are searched in waves."""
        return int(self._forest.used.shape[0])

    def reseed(self, tree: int, seed: int) -> None:
        """Restart the random numbers of a tree from a seed, as `Search.reseed` does."""
        self._rngs[tree] = seeded(seed)

    def forget(self, tree: int) -> None:
        """Discard a tree, so that its next position is searched from scratch."""
        self._roots[tree] = None

    def set_position(self, tree: int, position: Position) -> None:
        """Make a position the root of a tree; its subtree is reused if moves lead to it from the last position."""
        self._positions[tree] = position.copy()
        self._changed.add(tree)

    def start(self, trees: Sequence[int], simulations: int) -> None:
        """Begin `simulations` simulations in each of these trees. A GPU works on while Python goes on.

        Raises BadPlayout if a playout policy is faulty; for a GPU, `finish` raises it.
        """
        self._check_finished()
        if not 0 <= simulations <= MOST_SIMULATIONS:
            raise TengenError(f"simulations must be from 0 to {MOST_SIMULATIONS:,}, not {simulations}")
        chosen = list(trees)
        try:
            with named_in_errors(self.config.policy):  # raised here by the CPU, and by `finish` for a GPU
                for first in range(0, len(chosen), self.at_once):
                    self._start_wave(chosen[first : first + self.at_once], simulations)
        except BadPlayout:
            self._waves = []
            raise

    def _start_wave(self, trees: list[int], simulations: int) -> None:
        places = trees if self.at_once == self.trees else range(len(trees))
        self._tree_at[np.isin(self._tree_at, trees)] = NOT_KEPT
        self._tree_at[places] = trees
        device, count = self._device, len(trees)
        batch = Batch(*map(device.copy_of, self._batch(trees, np.array(places, np.int64))))
        lanes = self._lanes or device.lanes_for(count)
        flags = np.uint8(self._counts_visits)
        device.launch(search_tree, count, self._forest, self._parts, batch, simulations, flags, lanes=lanes)
        forest = self._forest
        roots = Roots(
            rows=device.empty((count,), forest.tree.dtype),
            priors=device.empty((count,), forest.priors.dtype),
            proofs=device.empty((count,), forest.proofs.dtype),
            counts=device.empty((count, len(COUNTS) + 1), np.dtype(np.int64)),
        )
        device.launch(fetch_root, count, forest, batch.trees, roots, lanes=lanes)
        self._waves.append((batch, roots, trees))

    def _batch(self, trees: list[int], places: np.ndarray) -> Batch:
        """Return the positions of trees as arrays; `places` are the rows of the forest that they take."""
        moves = [self._moves_since(tree) for tree in trees]
        positions = [self._position(tree) for tree in trees]
        histories = [position.situations for position in positions]
        roots = np.zeros(len(trees), self._record)
        for row, position in enumerate(positions):
            roots[row] = position.state_as(self._record)
        return Batch(
            trees=places,
            rngs=self._rngs[trees],
            roots=roots,
            moves=_padded([one or [] for one in moves], np.int64),
            move_counts=np.array([NOT_KEPT if one is None else len(one) for one in moves], np.int64),
            histories=_padded(histories, np.uint64),
            history_sizes=np.array([len(one) for one in histories], np.int64),
        )

    def _position(self, tree: int) -> Position:
        position = self._positions[tree]
        if position is None:
            raise TengenError(f"tree {tree} has no position: call set_position first")
        return position

    def _moves_since(self, tree: int) -> list[int] | None:
        """Return the moves from the last position of a tree to the present one; None if it is not reused.

        Without `reuse`, a tree is kept only while its position is not set again.
        """
        position, root = self._position(tree), self._roots[tree]
        moves = [played.move for played in position.history]
        is_new = tree in self._changed
        self._changed.discard(tree)
        kept = self.at_once == self.trees and root is not None and (self.config.reuse or not is_new)
        since = None
        if kept and root is not None and moves[: len(root[0])] == root[0]:
            past = position.copy()
            while len(past.history) > len(root[0]):
                past.undo()
            since = moves[len(root[0]) :] if self._key(past) == root[1] else None
        self._roots[tree] = moves, self._key(position)
        return since

    def _key(self, position: Position) -> bytes:
        """Return the key of a position's state; without subtree reuse, a tree has only one position."""
        return self.game.key(position.state) if self.config.reuse else b""

    def _check_finished(self) -> None:
        if self._waves:
            raise TengenError("a search is under way: call finish first")

    def finish(self, read: bool = True) -> None:
        """Wait for the searches and, with `read`, fetch the roots of their trees. Raises BadPlayout; see `start`."""
        waves, self._waves = self._waves, []
        for batch, roots, trees in waves:
            self._rngs[trees] = self._device.fetch(batch.rngs)
            if not read:
                for tree in trees:
                    self._searches[tree] = None
                continue
            fetched = Roots(*map(self._device.fetch, roots))
            for row, tree in enumerate(trees):
                search = self._searches[tree] or RootSearch(self.config, self.game, self._algorithm)
                search.read(fetched, row, self._position(tree), self._rngs[tree])
                self._searches[tree] = search

    def search(self, tree: int) -> Search:
        """Return the last search of a tree, of which the root can be read; it cannot be run."""
        return self._read_search(tree)

    def _read_search(self, tree: int) -> RootSearch:
        search = self._searches[tree]
        if search is None:
            raise TengenError(f"tree {tree} was not searched: call start and finish first")
        return search

    def fetch_tree(self, tree: int) -> Search:
        """Return the last search of a tree, with all nodes of the tree, so that its variations can be read too.

        Raises TengenError if another tree has taken its memory, which happens if not all trees fit at once.
        """
        self._check_finished()
        search = self._read_search(tree)
        places = np.flatnonzero(self._tree_at == tree)
        if not places.size:
            raise TengenError(
                f"tree {tree} is not in memory any more: {self.at_once} of {self.trees} trees fit at once"
            )
        forest, place, nodes = self._forest, int(places[0]), search.nodes
        search.take_rows(
            tree=self._device.fetch(forest.tree[place, :nodes]),
            notes=self._device.fetch(forest.notes[place, :nodes]),
            priors=self._device.fetch(forest.priors[place, : max(2, nodes)]),  # one row means that there are none
            proofs=self._device.fetch(forest.proofs[place, : max(2, nodes)]),
        )
        return search


def nodes_per_tree(config: SearchConfig, game: Game) -> int:
    """Return the number of nodes for which a tree has memory: enough for a search of the configured simulations."""
    wanted = (config.simulations or DEFAULT_SIMULATIONS) * (REUSE_FACTOR if config.reuse else 1) + 2
    return min(nodes_within(config, row_types(config, game)), wanted)


def _padded(rows: list[Any], dtype: Any) -> np.ndarray:
    """Return rows of different lengths as one array whose width is a multiple of WIDTH."""
    longest = max((len(row) for row in rows), default=0)
    array = np.zeros((len(rows), max(1, -(-longest // WIDTH)) * WIDTH), dtype)
    for index, row in enumerate(rows):
        array[index, : len(row)] = row
    return array
