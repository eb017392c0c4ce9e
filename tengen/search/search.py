"""`Search`: the tree search of one position, composed from its config; its memory and its simulations."""

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tengen.games.game import Game, Position
from tengen.games.interface import is_candidate
from tengen.interrupts import deferred_interrupts
from tengen.jit import let_numbers_wrap, record_of
from tengen.policies.playout import named_in_errors
from tengen.rng import mix_integer, seeded
from tengen.search import backup, priors, solver
from tengen.search.config import SearchConfig
from tengen.search.copies import FREE, lag_share
from tengen.search.move_statistics import MoveStatistics
from tengen.search.node_view import NodeView, ranked
from tengen.search.reuse import keep_subtree
from tengen.search.simulate import Algorithm, simulate
from tengen.search.time_management import Deliberation
from tengen.search.tree import COPIES, NO_CHILD, OPTIONS, ROOT, Memory, close, node_record, work_record

MOST_SIMULATIONS = 2**23
"""Maximum of simulations in one tree: above it, single precision could not count every visit."""

CONTESTED = 0.8
"""A decision is open if the second most visited move has more than this share of the first one's visits."""

KEPT_BYTES = 64_000_000
"""Maximum memory that a search keeps from one game to the next; a larger tree is freed."""

RESERVED_ROWS = 16
"""Rows of the tree that each of several threads reserves at once."""

CACHE_LINE = 128
"""Size of a cache line in bytes, with the adjacent line that processors may prefetch."""


def compose(config: SearchConfig, game: Game) -> Algorithm:
    """Return the records of a configuration's parts."""
    return Algorithm(
        tree_policy=config.make_part("tree_policy", game),
        backup=config.make_part("backup", game, shared=config.threads > 1),
        prior=config.make_part("prior", game),
        policy=config.make_part("policy", game),
        options=record_of(
            OPTIONS,
            expand_visits=config.expand_visits if config.expand == "threshold" else 1,
            whole_episode=config.expand == "episode",
            new_node_visit=config.settings().get("new_node_visit", False),
            rave_first_either=config.settings().get("rave_first") == "either",
            lag=lag_share(config.threads),
            untracked_slot=game.untracked_move,
        ),
    )


class RowTypes(NamedTuple):
    """The record types of the rows of a tree, and which of them the configuration needs for every node."""

    tree: np.dtype
    notes: np.dtype
    priors: np.dtype
    proofs: np.dtype
    has_notes: bool
    has_priors: bool
    has_proofs: bool

    @property
    def bytes_per_node(self) -> int:
        """The memory of a node with everything that the configuration needs."""
        others = (self.notes, self.has_notes), (self.priors, self.has_priors), (self.proofs, self.has_proofs)
        return self.tree.itemsize + sum(kind.itemsize for kind, is_needed in others if is_needed)


def row_types(config: SearchConfig, game: Game) -> RowTypes:
    """Return the record types of the rows of a configuration's trees."""
    slots, make_notes = game.move_slots, config.part("backup").needs.notes
    return RowTypes(
        tree=node_record(slots, config.rave),
        notes=(make_notes or backup.notes_record)(slots),
        priors=priors.prior_row(slots),
        proofs=solver.proof_record(slots),
        has_notes=make_notes is not None,
        has_priors=config.prior != priors.NO_PRIOR,
        has_proofs=config.solver,
    )


def nodes_within(config: SearchConfig, rows: RowTypes) -> int:
    """Return the number of nodes that the memory limit of a configuration allows."""
    return int(max(2, config.memory * 1_000_000 // rows.bytes_per_node))


def _apart(count: int, dtype: Any) -> np.ndarray:
    """Return a zeroed array that shares no cache line with any other object."""
    dtype = np.dtype(dtype)
    room = np.zeros(count * dtype.itemsize + 2 * CACHE_LINE, np.uint8)
    first = -room.ctypes.data % CACHE_LINE
    return room[first : first + count * dtype.itemsize].view(dtype)


class Search(Deliberation):
    """A tree over the positions of one game. `set_position`, `run` or `run_for`, then `best_move` or `moves`."""

    def __init__(self, config: SearchConfig, game: Game, now: Callable[[], float] = time.perf_counter):
        self.config, self.game, self.now = config, game, now
        self.algorithm = compose(config, game)
        self.seconds = 0.0
        self.memory = self._allocate()
        self._most_nodes = 0
        self._team = [
            self.memory._replace(**self._memory_of_thread(thread, self.capacity)) for thread in range(1, config.threads)
        ]
        self._pool = ThreadPoolExecutor(max(1, len(self._team)), "tengen-search", let_numbers_wrap)
        self._root: list[int] | None = None
        self._banned: frozenset[int] = frozenset()
        self.position = game.start()

    def __repr__(self) -> str:
        return f"<Search: {self.game}, {self.simulations:,} simulations, {self.nodes:,} nodes, {self.config}>"

    def _allocate(self) -> Memory:
        """Allocate the arrays for all nodes; the system assigns the memory as it is used."""
        rows = row_types(self.config, self.game)
        nodes = nodes_within(self.config, rows)
        return Memory(
            tree=np.zeros(nodes + 2 * COPIES * self.config.threads * self._makes_copies, rows.tree),
            used=_apart(1, np.int64),
            notes=np.zeros(nodes if rows.has_notes else 1, rows.notes),
            priors=np.zeros(nodes if rows.has_priors else 1, rows.priors),
            proofs=np.zeros(nodes if rows.has_proofs else 1, rows.proofs),
            history=np.zeros(0, np.uint64),
            **self._memory_of_thread(0, nodes),
        )

    def _memory_of_thread(self, thread: int, nodes: int) -> dict[str, Any]:
        """Return a thread's own arrays; the tree is shared."""
        work = _apart(1, work_record(self.game.move_slots, self.game.longest_playout))[0]
        work.capacity, work.copied = nodes, FREE
        work.block = RESERVED_ROWS if self.config.threads > 1 else 1
        if self._makes_copies:
            work.copies = nodes + 2 * COPIES * thread
        rng = _apart(2, np.uint64)
        rng[:] = seeded(self.config.seed, thread)
        states = priors.SEARCH_STATES + self.config.part("prior").needs.scratch_states
        return {
            "states": _apart(states, self.config.state_record(self.game)),
            "work": work,
            "rng": rng,
        }

    @property
    def _makes_copies(self) -> bool:
        """Whether threads work on copies of nodes; possible only for plain sums and without proofs."""
        return self.config.threads > 1 and self.config.part("backup").needs.additive and not self.config.solver

    @property
    def capacity(self) -> int:
        """Maximum number of nodes."""
        return int(self.memory.work.capacity)

    @property
    def bytes_per_node(self) -> int:
        return row_types(self.config, self.game).bytes_per_node

    @property
    def nodes(self) -> int:
        """Number of nodes in the tree."""
        reserved = sum(memory.work.reserved_end - memory.work.reserved for memory in [self.memory, *self._team])
        return int(self.memory.used[0] - reserved)

    @property
    def simulations(self) -> int:
        """Simulations through the root, including those of a reused subtree."""
        return int(self.memory.work.simulations)

    @property
    def simulations_per_second(self) -> float:
        """Simulations per second since the position was set."""
        return int(self.memory.work.depth_count) / self.seconds if self.seconds else 0.0

    @property
    def mean_depth(self) -> float:
        """Mean number of moves that a simulation has selected in the tree since the position was set."""
        return int(self.memory.work.depth_sum) / max(1, int(self.memory.work.depth_count))

    @property
    def deepest(self) -> int:
        """Maximum number of moves that a simulation has selected in the tree since the position was set."""
        return int(self.memory.work.deepest)

    @property
    def is_full(self) -> bool:
        """Whether a node could not be added for lack of memory."""
        return bool(self.memory.work.full)

    @property
    def is_solved(self) -> bool:
        return bool(solver.is_solved(self.memory))

    def reseed(self, seed: int) -> None:
        """Restart the random numbers from a seed."""
        for thread, memory in enumerate([self.memory, *self._team]):
            memory.rng[:] = seeded(seed, thread)

    def forget(self) -> None:
        """Discard the tree, so that the next position is searched from scratch with all of its moves."""
        self._root, self._banned = None, frozenset()

    def ban(self, moves: Iterable[int]) -> None:
        """Exclude moves from the search of the current position, whose tree restarts from scratch.

        They stay excluded until another position is set or `forget` is called; no later position reuses the tree.
        """
        self.forget()
        self._banned = frozenset(moves)
        self.set_position(self.position)

    def release(self) -> None:
        """Discard the tree; free its memory if more than `KEPT_BYTES` of it were in use."""
        self.forget()
        self._note_nodes()
        if self._most_nodes * self.bytes_per_node <= KEPT_BYTES:
            return
        fresh, self._most_nodes = self._allocate(), 0
        rows = {name: getattr(fresh, name) for name in ("tree", "notes", "priors", "proofs")}
        self.memory = self.memory._replace(**rows)
        self._team = [memory._replace(**rows) for memory in self._team]
        self._drop_reserved_rows()
        self.memory.used[0] = self.memory.work.simulations = self.memory.work.full = 0
        simulate(self.algorithm, self.memory, 0)

    def _drop_reserved_rows(self) -> None:
        """Discard the rows that threads have reserved in the old tree."""
        for memory in [self.memory, *self._team]:
            memory.work.reserved = memory.work.reserved_end = 0

    def _note_nodes(self) -> None:
        """Update the largest number of nodes in use: their memory stays allocated when the tree shrinks."""
        self._most_nodes = max(self._most_nodes, int(self.memory.used[0]))

    def set_position(self, position: Position) -> None:
        """Make a position the root; reuse its subtree if moves lead to it from the last position."""
        if self._banned and position != self.position:
            self.forget()
        moves = [played.move for played in position.history]
        kept = self._known_node(moves, position)
        self._root = None  # until the end, since after an interrupt the tree and the position may not match
        self._note_nodes()
        history = np.array(position.situations, np.uint64)
        self.memory = self.memory._replace(history=history)
        self._team = [memory._replace(history=history) for memory in self._team]
        state = position.state_as(self.memory.states.dtype)
        for memory in [self.memory, *self._team]:
            memory.states[0] = state
        work = self.memory.work
        if kept != ROOT:
            self._drop_reserved_rows()
        if kept is None:
            self.memory.used[0], work.full = 0, 0
            simulate(self.algorithm, self.memory, 0)
        elif kept != ROOT:
            keep_subtree(self.memory, kept, np.zeros(self.memory.used[0], np.int32))
        if kept != ROOT:
            work.simulations = int(self._root_visits())
            for move in self._banned:
                close(self.row(), move)
            work.deepest = work.depth_sum = work.depth_count = 0
            self.seconds = 0.0
        self._root = moves
        self.position = position.copy()

    def _root_visits(self) -> float:
        """Return the number of simulations through the root; 0 if the backup does not count them."""
        return self.root().simulations if self.config.part("backup").needs.counts_visits else 0.0

    def _known_node(self, moves: list[int], position: Position) -> int | None:
        """Return the node of a position that later moves of the same game lead to; None if it is not in the tree."""
        if not self.config.reuse or self._root is None or moves[: len(self._root)] != self._root:
            return None
        if self.game.key(position.state_after(len(self._root))) != self.game.key(self.memory.states[0]):
            return None
        node = ROOT
        for move in moves[len(self._root) :]:
            node = int(self.memory.tree[node].child[move])
            if node == NO_CHILD:
                return None
        return node

    def run(self, simulations: int) -> int:
        """Run up to `simulations` simulations and return how many were run.

        Fewer are run if the root is solved or the tree has the maximum number of simulations.

        An interrupt is raised after all threads have finished, so that none writes to a tree that is used otherwise.
        """
        before = self.simulations
        started = self.now()
        count = min(simulations, MOST_SIMULATIONS - before)
        share = count // self.config.threads
        with named_in_errors(self.config.policy), deferred_interrupts():
            others = [self._pool.submit(simulate, self.algorithm, memory, share) for memory in self._team if share]
            try:
                simulate(self.algorithm, self.memory, count - share * len(others))
            finally:
                for other in others:
                    other.result()
                self._take_counts_of_others()
                self.seconds += self.now() - started
        return self.simulations - before

    def _take_counts_of_others(self) -> None:
        """Add the counts of the other threads to those of the first."""
        work = self.memory.work
        for memory in self._team:
            for count in ("simulations", "clock", "depth_sum", "depth_count"):
                work[count] += memory.work[count]
                memory.work[count] = 0
            work.deepest, work.full = max(work.deepest, memory.work.deepest), work.full | memory.work.full
            memory.work.deepest = memory.work.full = 0

    def is_open(self) -> bool:
        """Whether another move may be better: it has nearly as many visits, or a higher value than the most visited."""
        best, first, second = self._two_most_visited()
        return second > CONTESTED * first or self.root().has_better_value(best, 0.1 * first)

    def is_settled(self, simulations_left: float) -> bool:
        """Whether no move can overtake the most visited one in the simulations left, or there is only one move."""
        if len(self.root().open_moves()) <= 1:
            return True
        _, first, second = self._two_most_visited()
        return self.config.final_move == "visits" and first - second > simulations_left >= 0.0

    def _two_most_visited(self) -> tuple[int, float, float]:
        """Return the most visited move, its visits, and those of the second."""
        visits = self.root().experience()
        best = int(visits.argmax())
        first, visits[best] = float(visits[best]), 0.0
        return best, first, float(visits.max())

    def root(self) -> NodeView:
        """The node of the position."""
        return NodeView(self.memory)

    def moves(self, untried: bool = True) -> list[MoveStatistics]:
        """Return the moves of the position, the one to play first; see `ranked`.

        Moves without simulations come last, unless they have greedy values. Checking them takes time: with `untried`
        false, those without greedy values are omitted, unless fewer than two moves were tried.
        """
        root, final_move = self.root(), self.config.final_move
        greedy = root.greedy_values(self.algorithm.tree_policy) if final_move == "eval" else {}
        known, is_tried = root.known_moves(), root.visits() > 0
        all_untried = untried or sum(is_tried[known]) < 2
        listed = [
            move for move in known if is_tried[move] or ((all_untried or move in greedy) and self._is_playable(move))
        ]
        return ranked(
            root.moves(listed, greedy),
            final_move,
            tie_break=lambda number: mix_integer(int(self.memory.rng[0]) + number),
        )

    def _is_playable(self, move: int) -> bool:
        """Whether a move is legal and a candidate; for moves that no simulation has selected, and so checked, yet."""
        return bool(is_candidate(self.memory.states[0], move)) and self.position.is_legal(move)

    def values(self, share: float = 0.01) -> dict[int, float]:
        """Return the values of the moves that are proved or have at least this share of the visits."""
        return self.root().values(share)

    def value(self) -> float | None:
        """The value of the position: proved, or the mean of all results."""
        return self.root().value()

    def rave_weights(self, moves: Sequence[int]) -> list[float | None]:
        """Return the weights of the RAVE values in the values of moves; None for those without RAVE visits."""
        return self.root().rave_weights(self.algorithm.tree_policy, moves)

    def variation(self, move: int, longest: int) -> list[int]:
        """Return the principal variation that starts with a move: the most visited moves, at most `longest`."""
        found, node, expected = [move], self.root().child(move), None
        while node is not None and len(found) < longest and (expected := node.most_visited()) is not None:
            found.append(expected)
            node = node.child(expected)
        return found

    def save(self, path: str | Path) -> None:
        """Write the position, the tree and the random generator to a file, which `load` reads."""
        from tengen.search.saved import save_tree

        save_tree(self, path)

    @staticmethod
    def load(path: str | Path, game: Game | None = None) -> "Search":
        """Return the search that `save` wrote to a file; raise BadTree if the file does not hold a valid one.

        `game` is needed for a game that is not part of the package.
        """
        from tengen.search.saved import load_tree

        return load_tree(path, game)

    def row(self, node: int = ROOT) -> Any:
        """Return the statistics of a node."""
        return self.memory.tree[node]
