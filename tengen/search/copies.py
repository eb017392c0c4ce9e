"""Thread-local copies of often visited nodes, so that threads seldom write to the same cache lines.

Near the root all threads pass the same nodes. If every simulation updated the shared rows there, each thread would
wait for cache lines that another thread has just written, several times per simulation. Instead, a thread works on a
copy of such a node: it selects by the copy, counts in the copy, and exchanges it with the shared row from time to
time. An exchange adds to the shared row what the thread has counted since the last exchange, and reads the row again.

The copies of a thread are rows of `tree` behind those of the nodes, from `work.copies` on: first COPIES rows to work
on, then COPIES rows with the contents of the shared rows at the last exchange. A node has one possible place, given by
the low bits of its number.

The virtual loss of a thread on a copy is visible to the other threads only after the next exchange. The lag is a small
share of the node's visits, so one simulation hardly changes the value of a move there; nodes without copies show a
virtual loss at once.
"""

import numpy as np

from tengen.jit import fetch_add, fetch_add_field, kernel
from tengen.search.tree import CLOSED, COPIES, close

FREE = -1
"""In `work.copied`: the place holds no copy."""
SHORTEST_LAG, LONGEST_LAG = 8, 256
"""Simulations of a thread between two exchanges of a copy. Nodes that would need a shorter lag are not copied."""
PATIENCE = 8
"""A node gets a place after this many requests in a row, without a request of another node between them."""


def lag_share(threads: int) -> float:
    """Share of a node's visits that each of `threads` threads may withhold: an eighth for all of them together."""
    return 1.0 / (8 * threads)


@kernel(inline=True)
def place_of(node):
    """The one place that a copy of `node` may take."""
    return node & (COPIES - 1)


@kernel(inline=True)
def own_row(work, node):
    """The index of the row in which this thread counts visits of `node`: its copy if there is one, else `node`."""
    if work.copies > 0 and work.copied[place_of(node)] == node:
        return work.copies + place_of(node)
    return node


@kernel(private=True)
def requested_row(options, tree, work, node):
    """Like `own_row`, but make a copy if the node is visited often enough. Called once per node and simulation."""
    place = place_of(node)
    if work.copied[place] == node:
        work.requests[place] = 0
        return work.copies + place
    if work.requests[place] == 0 or work.candidate[place] != node:
        work.candidate[place], work.requests[place] = node, 1
        return node
    work.requests[place] += 1
    if work.requests[place] < PATIENCE or tree[node].total * options.lag < SHORTEST_LAG:
        return node
    if work.copied[place] != FREE:
        hand_in(tree, work, place)
    work.copied[place] = node
    renew(tree, work, place)
    return work.copies + place


@kernel(private=True)
def count_simulation(options, tree, work, node):
    """Count a simulation that has passed `node`; exchange the node's copy, if there is one, when its lag is over."""
    place = place_of(node)
    if work.copied[place] == node:
        work.pending[place] += 1
        if work.pending[place] >= min(tree[work.copies + place].total * options.lag, np.float64(LONGEST_LAG)):
            hand_in(tree, work, place)
            renew(tree, work, place)


@kernel(private=True)
def hand_in(tree, work, place):
    """Add to a node what its copy has counted since the last exchange. Additions are atomic, so that none is lost."""
    row, own, seen = tree[work.copied[place]], tree[work.copies + place], tree[work.copies + COPIES + place]
    for slot in range(row.visits.size):
        if own.wins[slot] <= CLOSED:
            if row.wins[slot] > CLOSED:
                close(row, slot)
        elif own.visits[slot] != seen.visits[slot] or own.wins[slot] != seen.wins[slot]:
            fetch_add(row.visits, slot, own.visits[slot] - seen.visits[slot])
            fetch_add(row.wins, slot, own.wins[slot] - seen.wins[slot])
    fetch_add_field(row, "total", own.total - seen.total)
    if row.rave_visits.size > 1:
        for slot in range(row.rave_visits.size):
            if own.rave_visits[slot] != seen.rave_visits[slot]:
                fetch_add(row.rave_visits, slot, own.rave_visits[slot] - seen.rave_visits[slot])
                fetch_add(row.rave_wins, slot, own.rave_wins[slot] - seen.rave_wins[slot])


@kernel(private=True)
def renew(tree, work, place):
    """Make a copy equal to its node. Both rows get the same numbers even if other threads are writing to the node."""
    tree[work.copies + COPIES + place] = tree[work.copied[place]]
    tree[work.copies + place] = tree[work.copies + COPIES + place]
    work.pending[place] = 0


@kernel(private=True)
def hand_in_all(tree, work):
    """Add all copies to their nodes at the end of a run, and free them."""
    for place in range(COPIES):
        if work.copied[place] != FREE:
            hand_in(tree, work, place)
            work.copied[place] = FREE
        work.requests[place] = 0
