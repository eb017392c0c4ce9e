"""The deceptive tree of Hashimoto et al. 2011, figure 1, as a game; how long it deceives a search; given simulations.

The first player moves at A and G, the second at B and C. After A - B, two of three moves win for the first player, but
the second has F; after A - C - G, the first has H.
"""

import numpy as np

from tengen.games import interface
from tengen.jit import kernel, record, table
from tengen.search.backup import update
from tengen.search.simulate import add_node, simulate

A, B, C, D, E, F, G, H, LOST = range(9)
"""The places of the tree; LOST is I in the figure."""
CHILDREN = table([[B, C, 0], [D, E, F], [G, 0, 0], [0] * 3, [0] * 3, [0] * 3, [H, LOST, 0], [0] * 3, [0] * 3], np.uint8)
CHILD_COUNT = table([2, 3, 1, 0, 0, 0, 2, 0, 0], np.uint8)
FIRST_PLAYER_WINS = table([0, 0, 0, 1, 1, 0, 0, 1, 0], np.uint8)
TRAP, RIGHT = 0, 1
"""The moves at A: to B, which loses, and to C, which wins."""

DECEPTIVE_STATE = record("deceptive", [("to_play", np.uint32), ("place", np.uint32)])


@interface.play.implement(DECEPTIVE_STATE)
@kernel
def play(state, move):
    state.place = CHILDREN[state.place, np.int64(move)]
    state.to_play = 1 - state.to_play


@interface.is_legal.implement(DECEPTIVE_STATE)
@kernel
def is_legal(state, move):
    return move < CHILD_COUNT[state.place]


@interface.legal_moves.implement(DECEPTIVE_STATE)
@kernel
def legal_moves(state, moves):
    for move in range(CHILD_COUNT[state.place]):
        moves[move] = move
    return np.int64(CHILD_COUNT[state.place])


@interface.is_over.implement(DECEPTIVE_STATE)
@kernel
def is_over(state):
    return CHILD_COUNT[state.place] == 0


@interface.score.implement(DECEPTIVE_STATE)
@kernel
def score(state):
    return 2.0 * FIRST_PLAYER_WINS[state.place] - 1.0


@interface.outcome.implement(DECEPTIVE_STATE)
@kernel
def outcome(state):
    return float(FIRST_PLAYER_WINS[state.place])


@kernel
def last_time_wrong(algorithm, memory, most):
    """Run `most` simulations; return the last after which the trap has at least the value of the right move."""
    row, last = memory.tree[0], 0
    for count in range(1, most + 1):
        simulate(algorithm, memory, 1)
        trap, right = row.visits[TRAP], row.visits[RIGHT]
        if min(trap, right) == 0 or row.wins[RIGHT] / right <= row.wins[TRAP] / trap:
            last = count
    return last


@kernel
def add_simulation(algorithm, memory, moves, nodes, result):
    """Update a tree as a simulation with these moves from the root, and this result of the first player, would do.

    Nodes are added after the first `nodes` moves where the tree has none.
    """
    work = memory.work
    memory.states[1] = memory.states[0]
    node = np.int64(0)
    for depth in range(moves.size):
        slot = np.int64(moves[depth])
        work.path[depth] = node
        play(memory.states[1], slot)
        if depth < nodes:
            add_node(algorithm.prior, algorithm.options, memory, node, slot, memory.states[1], np.uint64(0))
        node = np.int64(memory.tree[node].child[slot])
    for depth in range(moves.size - 1, -1, -1):
        own = result if depth % 2 == 0 else 1.0 - result
        update(algorithm.backup, memory, np.int64(work.path[depth]), np.int64(moves[depth]), own)
