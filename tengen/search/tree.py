"""The search tree's memory.

A node is a position; its statistics are vectors with a slot for every move. All values are seen by the side to move
at that node: `wins` is the sum of that side's results, and 1 - value is what the other side sees. Nowhere else is a
viewpoint chosen.

Node 0 is the root. A child has a greater number than its parent, always. Slots that are no legal move are marked by
`wins` far below zero.
"""

from typing import NamedTuple

import numpy as np

from tengen.games.interface import candidate_moves
from tengen.jit import kernel, record

f32 = np.float32

ILLEGAL = f32(-1e30)
"""The `wins` of a slot that is not to be chosen. Its visits are 1, so that its value is as low."""
CLOSED = f32(-1e29)
"""Slots with `wins` below this are closed."""
NO_CHILD = 0
CLAIMED = -1
"""In place of a child that a thread is about to add; none is left when the threads are done."""
ROOT = 0
LONGEST_PATH = 500
"""A simulation does not go deeper in the tree; it plays on from there by its policy."""
COPIES = 64
"""Number of nodes of which a thread has copies at once; a power of two."""
VECTOR = 16
"""Vectors are padded to a multiple of this many slots, so that they fill vector registers."""


def padded(slots: int) -> int:
    return -(-slots // VECTOR) * VECTOR


def node_record(slots: int, rave: bool) -> np.dtype:
    """A node for a game with so many move slots, with or without room for rapid action values."""
    wide = padded(slots)
    rave_wide = wide if rave else 1
    return record(
        f"node_{wide}_{'rave' if rave else 'plain'}",
        [
            ("visits", np.float32, (wide,)),  # n(s, a), exact below 2**24; with a prior, its equivalent experience too
            ("wins", np.float32, (wide,)),  # visits times value
            ("rave_visits", np.float32, (rave_wide,)),  # m(s, a)
            ("rave_wins", np.float32, (rave_wide,)),
            ("child", np.int32, (wide,)),  # the node after a move, or NO_CHILD
            ("total", np.float64),  # n(s), the sum of the visits
            ("scale", np.float64),  # what one unit of `visits` and `wins` counts for; 1 unless visits are discounted
            ("newest", np.float64),  # of the newest visit: its weight (accelerated), or its number (discounted)
            ("weight_sum", np.float64),  # of the moves' weights (accelerated)
            ("ratio_sum", np.float64),  # of weight times ratio (accelerated)
            ("situation", np.uint64),  # what superko remembers of this position
        ],
    )


def work_record(slots: int, longest: int) -> np.dtype:
    """What a search needs besides the tree: the path of its simulation, room to compute in, and its counts."""
    wide = padded(slots)
    return record(
        f"work_{wide}_{longest}",
        [
            ("depth", np.int64),  # of the simulation, in moves chosen by the tree
            ("leaf", np.int64),  # the node added by the simulation, or NO_CHILD
            ("simulations", np.int64),  # that the root has seen
            ("clock", np.int64),  # simulations ever
            ("deepest", np.int64),
            ("depth_sum", np.int64),  # of so many simulations:
            ("depth_count", np.int64),
            ("capacity", np.int64),  # nodes that the tree has room for
            ("block", np.int64),  # rows of the tree that this thread reserves at once
            ("reserved", np.int64),  # the first row reserved but not used yet
            ("reserved_end", np.int64),  # the row after the last one reserved
            ("copies", np.int64),  # index of the first row for copies of nodes; 0: this search makes no copies
            ("copied", np.int64, (COPIES,)),  # for each place, the node of which it holds a copy, or FREE
            ("pending", np.int64, (COPIES,)),  # simulations counted in the copy since its last exchange
            ("candidate", np.int64, (COPIES,)),  # the last node without a copy that asked for the place
            ("requests", np.int64, (COPIES,)),  # how often it asked in a row; 0 if the copied node came between
            ("full", np.uint8),  # 1 once a node was wanted for which there was no room
            ("path", np.int32, (LONGEST_PATH + 1,)),  # the nodes at which the tree chose
            ("line", np.uint16, (LONGEST_PATH + longest + 2,)),  # the moves of the whole simulation
            ("moves", np.uint16, (wide,)),
            ("marks", np.uint8, (wide,)),  # room for a prior to mark moves in
            ("values", np.float32, (wide,)),
            ("played", np.float32, (2, wide)),  # 1 for the moves that count for each side's rapid action values
        ],
    )


OPTIONS = record(
    "options",
    [
        ("expand_visits", np.float64),  # a move gets a node of its own at this visit
        ("whole_episode", np.uint8),  # 1 to add a node for every state of the episode
        ("rave_first_either", np.uint8),  # 1 if a point counts only for the side that plays there first
        ("lag", np.float64),  # with copies: share of a node's visits that a thread may withhold
        ("untracked_slot", np.int64),  # a move that gives no rapid values and repeats nothing: the pass
    ],
)


class Memory(NamedTuple):
    """All that a search writes to."""

    states: np.ndarray  # [root, the simulation's, room to replay it]
    tree: np.ndarray  # `work.capacity` nodes, then rows for the threads' copies of nodes
    used: np.ndarray  # number of rows that are nodes or reserved for nodes, in an array of one for atomic operations
    notes: np.ndarray  # what the backup keeps for each node
    priors: np.ndarray  # what the prior put into each node, if there is one
    proofs: np.ndarray  # what the solver has proved at each node, if it is on
    history: np.ndarray  # situations of the game so far
    work: np.record
    rng: np.ndarray


@kernel(inline=True)
def clear_node(node):
    """Make a row a node without moves."""
    for i in range(node.visits.size):
        node.visits[i] = f32(1.0)
        node.wins[i] = ILLEGAL
    for i in range(node.child.size):
        node.child[i] = NO_CHILD
    for i in range(node.rave_visits.size):
        node.rave_visits[i] = f32(0.0)
        node.rave_wins[i] = f32(0.0)
    node.total, node.scale = 0.0, 1.0
    node.newest, node.weight_sum, node.ratio_sum = 0.0, 0.0, 0.0
    node.situation = 0


@kernel
def open_node(node, state, moves):
    """Make a fresh node of a row: its candidate moves unvisited, all other slots closed. Returns how many there are."""
    clear_node(node)
    count = candidate_moves(state, moves)
    for i in range(count):
        slot = np.uint64(moves[i])
        node.visits[slot] = f32(0.0)
        node.wins[slot] = f32(0.0)
    return count


@kernel
def close(node, slot):
    """Mark a move that must not be chosen. Wins first: until the visits follow, other threads see an untried move."""
    node.wins[slot] = ILLEGAL
    node.visits[slot] = f32(1.0)
