"""Subtree reuse: after a move is played, the subtree below it becomes the tree."""

from tengen.jit import copy_record, join_lanes, kernel, lane, lanes
from tengen.search.tree import NO_CHILD, ROOT


@kernel
def keep_subtree(memory, new_root, places):
    """Make a node the root: move its subtree to the front of the memory and discard all other nodes.

    Children have greater numbers than their parents. So one pass in increasing order finds the whole subtree, and no
    row is overwritten before it is moved. `places` is a scratch buffer with one integer per node.
    """
    tree, used = memory.tree, memory.used[0]
    for node in range(lane(), used, lanes()):
        places[node] = -1
    join_lanes()
    places[new_root] = ROOT
    count = 1
    for node in range(new_root, used):
        if places[node] >= 0:
            mark_children(tree[node].child, places)
    for node in range(new_root + 1, used):
        if places[node] >= 0:
            places[node] = count
            count += 1
    for node in range(new_root, used):
        if places[node] >= 0:
            move_row(memory, node, places[node])
            row = tree[places[node]]
            for slot in range(lane(), row.child.size, lanes()):
                if row.child[slot] != NO_CHILD:
                    row.child[slot] = places[row.child[slot]]
            join_lanes()
    memory.used[0] = count
    memory.work.full = 0


@kernel(inline=True, private=True)
def mark_children(child, places):
    """Mark the nodes in `child`, a node's children, as nodes to keep. Four are read before one is marked."""
    for slot in range(0, child.size, 4):
        a, b, c, d = child[slot], child[slot + 1], child[slot + 2], child[slot + 3]
        if a | b | c | d != NO_CHILD:
            for one in (a, b, c, d):
                if one != NO_CHILD:
                    places[one] = 1


@kernel
def move_row(memory, source, target):
    """Copy all statistics of a node to another row."""
    if source != target:
        copy_record(memory.tree, target, memory.tree, source)
        if memory.notes.size > 1:
            copy_record(memory.notes, target, memory.notes, source)
        if memory.priors.size > 1:
            copy_record(memory.priors, target, memory.priors, source)
        if memory.proofs.size > 1:
            copy_record(memory.proofs, target, memory.proofs, source)
