"""Kernels for many trees at once: the arrays of all trees, and the work on one of them.

The kernels take the index of a task in a batch; `trees` has the number of the tree for each index.
"""

from typing import NamedTuple

import numpy as np

from tengen.jit import copy_record, kernel
from tengen.search.reuse import keep_subtree
from tengen.search.simulate import Algorithm, simulate
from tengen.search.tree import NO_CHILD, ROOT, Memory

NOT_KEPT = -1
"""In place of a number of moves or of a node: the tree is not reused."""
COUNTS = ("simulations", "clock", "deepest", "depth_sum", "depth_count", "full", "fault")
"""The fields of `work` that are fetched after a search, in the order of their columns."""


class Forest(NamedTuple):
    """The arrays of all trees, each with one row per tree; see Memory for the rows."""

    states: np.ndarray  # (trees, states of a search)
    tree: np.ndarray  # (trees, nodes)
    used: np.ndarray  # (trees, 1)
    notes: np.ndarray  # (trees, nodes or 1)
    priors: np.ndarray  # (trees, nodes or 1)
    proofs: np.ndarray  # (trees, nodes or 1)
    works: np.ndarray  # (trees,)
    places: np.ndarray  # (trees, nodes or 1): scratch buffers for the reuse of subtrees


class PartArrays(NamedTuple):
    """The records of an Algorithm, each as an array of one."""

    tree_policy: np.ndarray
    backup: np.ndarray
    prior: np.ndarray
    policy: np.ndarray
    options: np.ndarray


class Batch(NamedTuple):
    """The trees to search and their positions, one row per index."""

    trees: np.ndarray  # (count,): numbers of trees
    rngs: np.ndarray  # (count, 2): the random generators, which are updated
    roots: np.ndarray  # (count,): states of the positions
    moves: np.ndarray  # (count, most): the moves from the tree's last position to this one
    move_counts: np.ndarray  # (count,): their numbers; NOT_KEPT to begin a new tree
    histories: np.ndarray  # (count, longest): superko hashes of the games so far
    history_sizes: np.ndarray  # (count,)


class Roots(NamedTuple):
    """The roots of the trees of a batch, one row per index."""

    rows: np.ndarray  # (count,): nodes
    priors: np.ndarray  # (count,)
    proofs: np.ndarray  # (count,)
    counts: np.ndarray  # (count, len(COUNTS) + 1): COUNTS, and the number of nodes


@kernel
def search_tree(index, forest, parts, batch, simulations, counts_visits):
    """Set the position of a tree, keeping the subtree of the moves since the last one, and run simulations in it."""
    t = batch.trees[index]
    memory = Memory(
        forest.states[t],
        forest.tree[t],
        forest.used[t],
        forest.notes[t],
        forest.priors[t],
        forest.proofs[t],
        batch.histories[index, : batch.history_sizes[index]],
        forest.works[t],
        batch.rngs[index],
    )
    algorithm = Algorithm(parts.tree_policy[0], parts.backup[0], parts.prior[0], parts.policy[0], parts.options[0])
    memory.work.fault = 0
    kept = node_after(memory, batch.moves[index], batch.move_counts[index])
    copy_record(memory.states, 0, batch.roots, index)
    if kept == NOT_KEPT:
        memory.used[0], memory.work.full = 0, 0
    elif kept != ROOT:
        keep_subtree(memory, kept, forest.places[t])
    if kept != ROOT:
        restart_counts(memory, kept != NOT_KEPT and counts_visits)
    simulate(algorithm, memory, simulations)


@kernel(private=True)
def node_after(memory, moves, count):
    """Return the node after `count` moves from the root; NOT_KEPT if the tree does not have it."""
    if count == NOT_KEPT or memory.used[0] == 0:
        return np.int64(NOT_KEPT)
    node = np.int64(ROOT)
    for i in range(count):
        node = np.int64(memory.tree[node].child[moves[i]])
        if node == NO_CHILD:
            return np.int64(NOT_KEPT)
    return node


@kernel(private=True)
def restart_counts(memory, has_visits):
    """Begin the counts of a position: no simulations, or those through the root of a kept subtree."""
    work, simulations = memory.work, 0.0
    if has_visits:
        simulations = memory.tree[ROOT].total
        if memory.priors.size > 1:
            for i in range(memory.priors[ROOT].visits.size):
                simulations -= np.float64(memory.priors[ROOT].visits[i])
    work.simulations = np.int64(simulations)
    work.deepest, work.depth_sum, work.depth_count = 0, 0, 0


@kernel
def fetch_root(index, forest, trees, roots):
    """Copy the root of a tree, without its children, and the counts of its search to the row `index` of `roots`."""
    t = trees[index]
    copy_record(roots.rows, index, forest.tree[t], ROOT)
    for slot in range(roots.rows[index].child.size):
        roots.rows[index].child[slot] = NO_CHILD
    copy_record(roots.priors, index, forest.priors[t], ROOT)
    copy_record(roots.proofs, index, forest.proofs[t], ROOT)
    work, counts = forest.works[t], roots.counts[index]
    counts[0], counts[1], counts[2], counts[3] = work.simulations, work.clock, work.deepest, work.depth_sum
    counts[4], counts[5], counts[6], counts[7] = work.depth_count, work.full, work.fault, forest.used[t, 0]
