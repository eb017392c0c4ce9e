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
from tengen.jit.devices import Device, open_device
from tengen.policies.playout import BadPlayout, named_in_errors
from tengen.rng import seeded
from tengen.search import priors
from tengen.search.batches import BatchBuffers, Wave
from tengen.search.config import DEFAULT_SIMULATIONS, SearchConfig
from tengen.search.copies import FREE
from tengen.search.forest import NOT_KEPT, Batch, Forest, PartArrays, fetch_root, search_tree
from tengen.search.root_search import RootSearch
from tengen.search.search import MOST_SIMULATIONS, Search, compose, nodes_within, row_types
from tengen.search.simulate import Algorithm
from tengen.search.tree import work_record

USABLE_MEMORY = 0.92
"""Share of the device's free memory that the trees may take; the rest is for batches and the device itself."""
SCRATCH_FIELD = "blank"
"""The field of a part's record that defines the type of its scratch buffer."""
REUSE_FACTOR = 3
"""With subtree reuse, a tree has memory for this many times the nodes that one search adds."""


class ManySearch:
    """Searches of many positions at once, one tree each, all with one configuration.

    `set_position` for each tree, `start`, which on a GPU returns at once, `finish`, then read `search(tree)`.
    """

    def __init__(
        self,
        config: SearchConfig,
        game: Game,
        trees: int,
        device: str = "gpu",
        lanes: int = 0,
        at_once: int = 0,
        crowd: int = 0,
    ):
        """Reserve memory for `trees` trees, or, without subtree reuse, for as many as the device has memory for.

        `lanes` is the number of GPU threads whose place a tree takes, 0 for a number that suits `trees`. Without
        subtree reuse, memory is reserved for at most `at_once` trees, if it is not 0. `crowd` is the number of trees
        that all searches on the device search at the same time, if there are others. Raises TengenError if trees to be
        reused do not fit, or if the game does not run on the device.
        """
        if config.threads > 1:
            raise TengenError(f"many trees are searched with one thread each: use threads=1, not {config.threads}")
        if device == "gpu" and not game.runs_on_gpu:
            raise TengenError(f"{game.board_text} cannot be played on a GPU: its rules are in Python")
        self.config, self.game, self.trees = config, game, trees
        self._device, self._lanes, self._crowd = open_device(device), lanes, crowd
        self._counts_visits = np.uint8(config.part("backup").needs.counts_visits)
        self._record = config.compact_record(game)
        self._algorithm = compose(config, game)
        self._together = local_bytes(self._algorithm) == 0  # else each lane would have a scratch buffer of its own
        self._parts = PartArrays(*(self._device.copy_of(np.array([one], one.dtype)) for one in self._algorithm))
        self._forest = self._plant(trees if config.reuse else min(trees, at_once or trees))
        self._rngs = np.array([seeded(config.seed) for _ in range(trees)])
        self._positions: list[Position | None] = [None] * trees
        self._roots: list[tuple[list[int], bytes] | None] = [None] * trees
        self._searches: list[RootSearch | None] = [None] * trees
        self._changed: set[int] = set()
        self._tree_at = np.full(self.at_once, NOT_KEPT)
        """The tree whose nodes each place of the forest holds."""
        self._buffers: list[BatchBuffers] = []
        self._waves: list[Wave] = []
        self._prepared: Wave | None = None

    def _plant(self, wanted: int) -> Forest:
        """Allocate the arrays of as many trees as wanted, or as fit."""
        config, game, make = self.config, self.game, self._device.empty
        rows = row_types(config, game)
        nodes = nodes_per_tree(config, game)
        states = priors.SEARCH_STATES + config.part("prior").needs.scratch_states
        work = work_record(game.move_slots, game.longest_playout)
        places = nodes if config.reuse else 1
        size = bytes_per_tree(config, game)
        fitting = int(usable_memory(self._device, local_bytes(self._algorithm)) / size)
        if fitting < 1 or (config.reuse and fitting < self.trees):
            raise TengenError(
                f"{self.trees} trees of {nodes:,} nodes need {self.trees * size / 1e9:.1f} GB,"
                f" and the device has memory for {fitting}: use fewer trees or simulations"
                f"{', or reuse=false' if config.reuse else ''}"
            )
        count = min(wanted, fitting)
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
        self._drop_prepared()
        self._rngs[tree] = seeded(seed)

    def forget(self, tree: int) -> None:
        """Discard a tree, so that its next position is searched from scratch."""
        self._drop_prepared()
        self._roots[tree] = None

    def set_position(self, tree: int, position: Position) -> None:
        """Make a position the root of a tree; its subtree is reused if moves lead to it from the last position."""
        self._drop_prepared()
        self._positions[tree] = position.copy()
        self._changed.add(tree)

    def prepare(self, trees: Sequence[int]) -> None:
        """Send the positions of up to `at_once` trees to the device, so that `start` of the same trees is quick."""
        self._check_finished()
        if len(trees) > self.at_once:
            raise TengenError(f"{len(trees)} trees cannot be prepared: {self.at_once} fit at once")
        self._drop_prepared()
        self._prepared = self._sent(list(trees), number=0)

    def _drop_prepared(self) -> None:
        """Undo `prepare`: its positions will not be searched, so nothing can be reused after them."""
        if self._prepared is not None:
            for tree in self._prepared.trees:
                self._roots[tree] = None
            self._prepared = None

    def start(self, trees: Sequence[int], simulations: int) -> None:
        """Begin `simulations` simulations in each of these trees. A GPU works on while Python goes on.

        Raises BadPlayout if a playout policy is faulty; for a GPU, `finish` raises it.
        """
        self._check_finished()
        if not 0 <= simulations <= MOST_SIMULATIONS:
            raise TengenError(f"simulations must be from 0 to {MOST_SIMULATIONS:,}, not {simulations}")
        chosen = list(trees)
        for tree in chosen:
            self._position(tree)  # before any search has begun
        if self._prepared is not None and self._prepared.trees != chosen:
            self._drop_prepared()
        prepared, self._prepared = self._prepared, None
        try:
            with named_in_errors(self.config.policy):  # raised here by the CPU, and by `finish` for a GPU
                for number, first in enumerate(range(0, len(chosen), self.at_once)):
                    if self._waves:
                        self._copy_roots(self._waves[-1])  # before others take the place of its trees
                    now = chosen[first : first + self.at_once]
                    wave = prepared or self._sent(now, number)
                    self._waves.append(wave)
                    self._launch(search_tree, wave, self._parts, wave.batch, simulations, self._counts_visits)
        except BadPlayout:
            self._waves = []
            raise

    def _launch(self, kernel: Any, wave: Wave, *arguments: Any) -> None:
        """Call a kernel for each tree of a wave, with the forest as first argument."""
        count = len(wave.trees)
        lanes = self._lanes or self._device.lanes_for(max(count, self._crowd), self._together)
        self._device.launch(
            kernel, count, self._forest, *arguments, lanes=lanes, together=self._together, crowd=self._crowd
        )

    def _sent(self, trees: list[int], number: int) -> Wave:
        """Send the positions of trees to the device, by the buffers of a wave with this number."""
        places = trees if self.at_once == self.trees else range(len(trees))
        self._tree_at[np.isin(self._tree_at, trees)] = NOT_KEPT
        self._tree_at[places] = trees
        while len(self._buffers) <= number:
            self._buffers.append(BatchBuffers(self._device, self._forest, self.at_once))
        buffers = self._buffers[number]
        moves = [self._moves_since(tree) for tree in trees]
        positions = [self._position(tree) for tree in trees]
        histories = [position.situations for position in positions]
        roots = np.zeros(len(trees), self._record)
        for row, position in enumerate(positions):
            roots[row] = position.state_as(self._record)
        nothing = np.zeros((0, 0))
        batch = Batch(
            trees=np.array(places, np.int64),
            rngs=self._rngs[trees],
            roots=roots,
            moves=nothing,
            move_counts=np.array([NOT_KEPT if one is None else len(one) for one in moves], np.int64),
            histories=nothing,
            history_sizes=np.array([len(one) for one in histories], np.int64),
        )
        return Wave(trees, buffers, buffers.send(batch, [one or [] for one in moves], histories))

    def _copy_roots(self, wave: Wave) -> None:
        """Copy the roots of a wave's trees to its buffers, on the device."""
        self._launch(fetch_root, wave, wave.batch.trees, wave.buffers.roots)

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
            is_same = self._key(position.state_after(len(root[0]))) == root[1]
            since = moves[len(root[0]) :] if is_same else None
        self._roots[tree] = moves, self._key(position.state)
        return since

    def _key(self, state: Any) -> bytes:
        """Return the key of a state; without subtree reuse, a tree has only one position."""
        return self.game.key(state) if self.config.reuse else b""

    def _check_finished(self) -> None:
        if self._waves:
            raise TengenError("a search is under way: call finish first")

    def finish(self, read: bool = True) -> None:
        """Wait for the searches and, with `read`, fetch the roots of their trees. Raises BadPlayout; see `start`."""
        waves, self._waves = self._waves, []
        if waves:
            self._copy_roots(waves[-1])
        for wave in waves:
            self._rngs[wave.trees] = wave.buffers.rngs(len(wave.trees))
            if not read:
                for tree in wave.trees:
                    self._searches[tree] = None
                continue
            roots = wave.buffers.fetch_roots(len(wave.trees))
            for row, tree in enumerate(wave.trees):
                search = self._searches[tree] or RootSearch(self.config, self.game, self._algorithm)
                search.read(roots, row, self._position(tree), self._rngs[tree])
                self._searches[tree] = search

    @property
    def is_done(self) -> bool:
        """Whether `finish` would not have to wait for the device."""
        return self._device.is_done

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


def usable_memory(device: Device, local: int) -> float:
    """Return the bytes of a device that trees may take if a thread uses `local` bytes of temporary arrays."""
    return (device.free_bytes() - device.bytes_for_local(local)) * USABLE_MEMORY


def local_bytes(algorithm: Algorithm) -> int:
    """Return the size of the scratch buffers for which a thread uses `temporary_like`: of all fields named `blank`."""
    types: list[np.dtype] = [one.dtype for one in algorithm]
    return sum(part[SCRATCH_FIELD].itemsize for part in types if SCRATCH_FIELD in (part.names or ()))


def nodes_per_tree(config: SearchConfig, game: Game) -> int:
    """Return the number of nodes for which a tree has memory: enough for a search of the configured simulations."""
    wanted = (config.simulations or DEFAULT_SIMULATIONS) * (REUSE_FACTOR if config.reuse else 1) + 2
    return min(nodes_within(config, row_types(config, game)), wanted)


def bytes_per_tree(config: SearchConfig, game: Game) -> int:
    """Return the memory of a tree and of everything that its search needs on a device."""
    nodes, record = nodes_per_tree(config, game), config.compact_record(game)
    states = priors.SEARCH_STATES + config.part("prior").needs.scratch_states
    work = work_record(game.move_slots, game.longest_playout)
    places = nodes if config.reuse else 1
    of_nodes = nodes * row_types(config, game).bytes_per_node
    return int(of_nodes + states * record.itemsize + work.itemsize + 4 * places + 8)
