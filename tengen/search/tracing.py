"""One simulation of a search, phase by phase: selection, expansion, playout and backup.

The simulation is run by the same kernels as all others. What it did is read from their records: the moves of the whole
simulation (those that RAVE values are updated by), the nodes of its path, and the difference of the tree.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tengen.errors import TengenError
from tengen.games import interface
from tengen.search.move_statistics import MoveStatistics
from tengen.search.node_view import NodeView
from tengen.search.search import Search
from tengen.search.tree import Memory

UNUSED = np.iinfo(np.uint16).max
"""Marks entries of the record of moves that the simulation has not written."""


@dataclass(frozen=True)
class SelectedMove:
    """A move that the tree policy selected at a node of the tree."""

    number: int
    is_black: bool
    has_child: bool
    """Whether the tree had a node after the move before the simulation."""
    moves: list[MoveStatistics]
    """The open moves of the node before the simulation."""
    selection_values: dict[int, float]
    """Their values in the formula of the tree policy, which selects the highest."""


@dataclass(frozen=True)
class NodeUpdate:
    """The change of a node on the path."""

    path: tuple[int, ...]
    """The moves from the root to the node."""
    before: MoveStatistics
    """The statistics of the move played there; without visits if the node is new."""
    after: MoveStatistics
    rave_moves: tuple[int, ...]
    """The moves of the node whose RAVE values have changed."""


@dataclass(frozen=True)
class SimulationTrace:
    """One simulation."""

    number: int
    """Simulations through the root, with this one."""
    selection: list[SelectedMove]
    """The moves selected in the tree as it was before, from the root."""
    expanded: tuple[int, ...] | None
    """The moves from the root to the first node that was added; None if none was."""
    playout: list[int]
    """The moves after those of the selection, to the end of the game."""
    outcome: float
    """Black's result: 1, 0.5 or 0."""
    score: float
    """Black's margin at the end."""
    final_state: Any
    """The state at the end, as a record of the game."""
    updates: list[NodeUpdate]
    """The changes of the nodes on the path, from the last to the root."""


def trace_simulation(search: Search) -> SimulationTrace:
    """Run one simulation of a search and return what it did.

    The used part of the tree is copied for it. Raises TengenError with several threads, and if no simulation can be
    run because the position is proved or the tree counts no more.
    """
    if search.config.threads > 1:
        raise TengenError(f"single simulations are traced with threads=1, not {search.config.threads}")
    before, work = _copied(search.memory), search.memory.work
    work.line[:] = UNUSED
    if search.run(1) != 1:
        raise TengenError("no simulation is run: the position is proved, or the tree has its most simulations")
    selected = _selected_count(before, search.memory)
    moves, final_state = _moves_of(search, int(work.depth))
    is_expanded = search.memory.used[0] > before.used[0]
    black_first = int(search.memory.states[0].to_play) == 0
    return SimulationTrace(
        number=search.simulations,
        selection=[
            _selection(search, before, move=moves[depth], depth=depth, is_black=black_first == (depth % 2 == 0))
            for depth in range(selected)
        ],
        expanded=tuple(moves[:selected]) if is_expanded else None,
        playout=moves[selected:],
        outcome=float(interface.outcome(search.memory.states[1])),
        score=float(interface.score(search.memory.states[1])),
        final_state=final_state,
        updates=[_update(search.memory, before, moves, depth) for depth in reversed(range(int(work.depth)))],
    )


def _copied(memory: Memory) -> Memory:
    """Return the memory with copies of the nodes in use, for reading."""
    used = int(memory.used[0])

    def of(rows: np.ndarray) -> np.ndarray:
        return rows[:used].copy() if rows.size > 1 else rows.copy()

    return memory._replace(
        tree=of(memory.tree), used=memory.used.copy(), priors=of(memory.priors), proofs=of(memory.proofs)
    )


def _selected_count(before: Memory, after: Memory) -> int:
    """Return the number of moves selected at nodes that existed before; later ones of the path are of the playout."""
    path = after.work.path[: after.work.depth]
    return int((path < before.used[0]).sum())


def _moves_of(search: Search, depth: int) -> tuple[list[int], Any]:
    """Return the moves that the kernels recorded, at least `depth`, and the state after them.

    The record has no length. It ends with the game, or, where a playout policy stops before that, at the first entry
    that was not written.
    """
    state = search.position.copy().state
    line = search.memory.work.line
    moves: list[int] = []
    while len(moves) < depth or not (interface.is_over(state) or line[len(moves)] == UNUSED):
        moves.append(int(line[len(moves)]))
        interface.play(state, moves[-1])
    return moves, state


def _selection(search: Search, before: Memory, *, move: int, depth: int, is_black: bool) -> SelectedMove:
    node = NodeView(before, int(search.memory.work.path[depth]))
    return SelectedMove(
        number=move,
        is_black=is_black,
        has_child=node.child(move) is not None,
        moves=node.moves(node.open_moves()),
        selection_values=node.selection_values(search.algorithm.tree_policy, search.game.untracked_move),
    )


def _update(memory: Memory, before: Memory, moves: list[int], depth: int) -> NodeUpdate:
    """Return the change of the node at a depth of the path."""
    number, move = int(memory.work.path[depth]), moves[depth]
    after = NodeView(memory, number)
    old = NodeView(before, number) if number < before.used[0] else None
    rave_before = {} if old is None else {one.number: one.rave_visits for one in old.moves(old.known_moves())}
    changed = [one.number for one in after.moves(after.known_moves()) if one.rave_visits != rave_before.get(one.number)]
    if old is None:
        changed = [one.number for one in after.moves(after.known_moves()) if one.rave_visits]
    return NodeUpdate(
        path=tuple(moves[:depth]),
        before=MoveStatistics(number=move, visits=0.0, value=None) if old is None else old.moves([move])[0],
        after=after.moves([move])[0],
        rave_moves=tuple(changed),
    )
