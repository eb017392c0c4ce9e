"""The solver: propagate proved wins, draws and losses up the tree.

A move is proved when it ends the game, or when its child node is proved. A node is won if one of its moves is won;
otherwise, once all its moves are proved, it has the value of the best. A proved move is closed, since no simulation
needs to try it again; so a drawn move does not count in the node's mean. Proofs are relative to the moves that the
search considers (`is_candidate`).
"""

import numpy as np

from tengen.jit import kernel, record
from tengen.search.tree import CLOSED, ILLEGAL, ROOT, padded

UNKNOWN, LOST, DRAWN, WON = 0, 1, 2, 3
"""From the point of view of the side to move at the node; for the other side, 4 minus the value."""


def proof_record(slots: int) -> np.dtype:
    wide = padded(slots)
    return record(f"proofs_{wide}", [("moves", np.uint8, (wide,)), ("node", np.uint8)])


@kernel(inline=True)
def is_solved(memory):
    """Whether the root is proved."""
    return memory.proofs.size > 1 and memory.proofs[ROOT].node != UNKNOWN


@kernel(private=True)
def prove(memory, result):
    """Propagate the result of a simulation whose last tree move ended the game; `result` is that of its mover."""
    carry_up(memory, WON if result == 1.0 else DRAWN if result == 0.5 else LOST)


@kernel(private=True)
def settle(memory, node):
    """Prove the node at the end of the path if all its moves are closed; return whether it was proved.

    If it was not, some open move has the value NaN.
    """
    proof = proved_value(memory.tree[node], memory.proofs[node])
    if proof == UNKNOWN:
        return False
    memory.proofs[node].node = proof
    carry_up(memory, 4 - proof)
    return True


@kernel(private=True)
def carry_up(memory, proof):
    """Mark the last move of the path as proved, and the nodes above it as far as they are proved by that."""
    work = memory.work
    for t in range(work.depth - 1, -1, -1):
        node, slot = work.path[t], work.line[t]
        proofs = memory.proofs[node]
        proofs.moves[slot] = proof
        memory.tree[node].wins[slot] = ILLEGAL
        proofs.node = proved_value(memory.tree[node], proofs)
        if proofs.node == UNKNOWN:
            return
        proof = 4 - proofs.node


@kernel(private=True)
def proved_value(row, proofs):
    """The proved value of a node, from the proofs of its moves, or UNKNOWN."""
    best, all_known = LOST, True
    for slot in range(row.visits.size):
        best = max(best, np.int64(proofs.moves[slot]))
        all_known &= row.wins[slot] <= CLOSED
    return best if best == WON or all_known else UNKNOWN
