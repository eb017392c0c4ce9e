"""The memory of the search tree.

A node is a position; its statistics are vectors with a slot for every move. All values are from the point of view of
the side to move at that node: `wins` is the sum of that side's results, and 1 - value is the value for the other side.
This convention holds everywhere in the search.

Node 0 is the root. A child always has a greater number than its parent. Slots that are not legal moves are marked by
`wins` far below zero.
"""

from typing import NamedTuple

import numpy as np

from tengen.games.interface import candidate_moves
from tengen.jit import join_lanes, kernel, lane, lanes, on_gpu, put_four, record

f32 = np.float32

ILLEGAL = f32(-1e30)
"""The `wins` of a slot that must not be selected. Its visits are 1, so that its value is equally low."""
CLOSED = f32(-1e29)
"""Slots with `wins` below this are closed."""
NO_CHILD = 0
CLAIMED = -1
"""In `child`: a thread is about to add this child. No slot has this value after a run."""
ROOT = 0
LONGEST_PATH = 500
"""Greatest depth of the tree in moves; deeper moves of a simulation are chosen by the playout policy."""
COPIES = 64
"""Number of nodes of which a thread has copies at once; a power of two."""
VECTOR = 16
"""Vectors are padded to a multiple of this many slots, so that they fill vector registers."""
LINE = 256
"""The longest playout is rounded up to a multiple of this, so that boards of several sizes share compiled kernels."""
VECTOR_BYTES = 16
"""Rows begin at multiples of this many bytes, so that a GPU reads four numbers of a vector at once."""


def padded(slots: int) -> int:
    return -(-slots // VECTOR) * VECTOR


def node_record(slots: int, rave: bool) -> np.dtype:
    """Return the record of a node for a game with `slots` move slots, with or without RAVE statistics."""
    wide = padded(slots)
    rave_wide = wide if rave else 1
    return record(
        f"node_{wide}_{'rave' if rave else 'plain'}",
        [
            ("visits", np.float32, (wide,)),  # n(s, a), exact below 2**24; with a prior, its equivalent experience too
            ("wins", np.float32, (wide,)),  # visits times value
            ("child", np.int32, (wide,)),  # the node after a move, NO_CHILD or CLAIMED
            ("rave_visits", np.float32, (rave_wide,)),  # m(s, a)
            ("rave_wins", np.float32, (rave_wide,)),
            ("total", np.float64),  # n(s), the sum of the visits
            ("scale", np.float64),  # factor of `visits` and `wins`; 1 unless visits are discounted
            ("newest", np.float64),  # of the newest visit: its weight (accelerated), or its number (discounted)
            ("weight_sum", np.float64),  # sum of the moves' weights (accelerated)
            ("ratio_sum", np.float64),  # sum of weight times ratio (accelerated)
            ("situation", np.uint64),  # superko hash of the position
        ],
        align=VECTOR_BYTES,
    )


def work_record(slots: int, longest: int) -> np.dtype:
    """Return the record of a thread's working memory: the path of its simulation, scratch buffers, and counts."""
    wide, rounded = padded(slots), -(-longest // LINE) * LINE
    return record(
        f"work_{wide}_{rounded}",
        [
            ("depth", np.int64),  # of the simulation, in moves selected in the tree
            ("leaf", np.int64),  # the node added by the simulation, or NO_CHILD
            ("simulations", np.int64),  # from the present root
            ("clock", np.int64),  # simulations since the search was created
            ("deepest", np.int64),  # greatest depth of a simulation
            ("depth_sum", np.int64),  # sum of the depths of `depth_count` simulations
            ("depth_count", np.int64),
            ("capacity", np.int64),  # greatest number of nodes
            ("block", np.int64),  # rows of the tree that this thread reserves at once
            ("reserved", np.int64),  # the first row reserved but not used yet
            ("reserved_end", np.int64),  # the row after the last one reserved
            ("copies", np.int64),  # index of the first row for copies of nodes; 0: this search makes no copies
            ("copied", np.int64, (COPIES,)),  # for each place, the node of which it holds a copy, or FREE
            ("pending", np.int64, (COPIES,)),  # simulations counted in the copy since its last exchange
            ("candidate", np.int64, (COPIES,)),  # the last node without a copy that requested the place
            ("requests", np.int64, (COPIES,)),  # its number of requests in a row; 0 after a use of the copied node
            ("values", np.float32, (wide,)),  # scratch buffer for the values of the moves
            ("played", np.float32, (2, wide)),  # by colour: 1 for the moves credited with the result for RAVE
            ("full", np.uint8),  # 1 once a node could not be added because the tree was full
            ("fault", np.uint8),  # on a GPU: the fault of the playout policy that ended the search, or 0
            ("path", np.int32, (LONGEST_PATH + 1,)),  # the nodes at which moves were selected
            ("line", np.uint16, (LONGEST_PATH + rounded + 2,)),  # the moves of the whole simulation
            ("moves", np.uint16, (wide,)),  # scratch buffer for the moves of a position
            ("marks", np.uint8, (wide,)),  # scratch buffer in which a prior marks moves
        ],
        align=VECTOR_BYTES,
    )


OPTIONS = record(
    "options",
    [
        ("expand_visits", np.float64),  # a node for a move is added at this visit of the move
        ("whole_episode", np.uint8),  # 1 to add a node for every state of the episode
        ("new_node_visit", np.uint8),  # 1 to count the first move of the playout at the node added
        ("rave_first_either", np.uint8),  # 1 if a point counts only for the side that plays there first
        ("lag", np.float64),  # with copies: share of a node's visits that a thread may withhold
        ("untracked_slot", np.int64),  # a move without RAVE values and superko checks: the pass
    ],
)


class Memory(NamedTuple):
    """All arrays that a search writes to."""

    states: np.ndarray  # [root, state of the simulation, scratch state to replay it]
    tree: np.ndarray  # `work.capacity` nodes, then rows for the threads' copies of nodes
    used: np.ndarray  # number of rows that are nodes or reserved for nodes, in an array of one for atomic operations
    notes: np.ndarray  # statistics of a weighted backup for each node; one row if the backup needs none
    priors: np.ndarray  # experience and values given by the prior to each node; one row without a prior
    proofs: np.ndarray  # results proved by the solver at each node; one row without the solver
    history: np.ndarray  # superko hashes of the game so far
    work: np.record
    rng: np.ndarray


@kernel(inline=True)
def clear_node(node):
    """Make a row a node without moves: all slots closed."""
    for i in range(node.visits.size):
        node.visits[i] = f32(1.0)
        node.wins[i] = ILLEGAL
    for i in range(node.child.size):
        node.child[i] = NO_CHILD
    for i in range(node.rave_visits.size):
        node.rave_visits[i] = f32(0.0)
        node.rave_wins[i] = f32(0.0)
    clear_sums(node)


@kernel(inline=True, private=True)
def clear_sums(node):
    node.total, node.scale = 0.0, 1.0
    node.newest, node.weight_sum, node.ratio_sum = 0.0, 0.0, 0.0
    node.situation = 0


@on_gpu(clear_node)
@kernel(inline=True)
def clear_node_on_gpu(node):
    """Like `clear_node`, for a single thread or for the lanes of a warp."""
    if lanes() > 1:
        clear_node_by_lanes(node)
    else:
        clear_node_by_fours(node)


@kernel(inline=True, private=True)
def clear_node_by_lanes(node):
    """Like `clear_node`: each lane clears every 32nd slot."""
    for i in range(lane(), node.visits.size, lanes()):
        node.visits[i], node.wins[i], node.child[i] = f32(1.0), ILLEGAL, NO_CHILD
    for i in range(lane(), node.rave_visits.size, lanes()):
        node.rave_visits[i], node.rave_wins[i] = f32(0.0), f32(0.0)
    join_lanes()
    clear_sums(node)


@kernel(inline=True, private=True)
def clear_node_by_fours(node):
    for i in range(0, node.visits.size, 4):
        put_four(node.visits, i, f32(1.0), f32(1.0), f32(1.0), f32(1.0))
        put_four(node.wins, i, ILLEGAL, ILLEGAL, ILLEGAL, ILLEGAL)
        put_four(node.child, i, np.int32(NO_CHILD), np.int32(NO_CHILD), np.int32(NO_CHILD), np.int32(NO_CHILD))
    if node.rave_visits.size == 1:
        node.rave_visits[0], node.rave_wins[0] = f32(0.0), f32(0.0)
    else:
        for i in range(0, node.rave_visits.size, 4):
            put_four(node.rave_visits, i, f32(0.0), f32(0.0), f32(0.0), f32(0.0))
            put_four(node.rave_wins, i, f32(0.0), f32(0.0), f32(0.0), f32(0.0))
    clear_sums(node)


@kernel
def open_node(node, state, moves):
    """Make a row a new node: candidate moves unvisited, all other slots closed. Return the number of candidates.

    `moves` is a scratch buffer, which holds the candidates afterwards.
    """
    clear_node(node)
    count = candidate_moves(state, moves)
    for i in range(lane(), count, lanes()):
        slot = np.uint64(moves[i])
        node.visits[slot] = f32(0.0)
        node.wins[slot] = f32(0.0)
    join_lanes()
    return count


@kernel
def close(node, slot):
    """Mark a move that must not be selected. Wins first: until the visits follow, other threads see an untried move."""
    node.wins[slot] = ILLEGAL
    node.visits[slot] = f32(1.0)
