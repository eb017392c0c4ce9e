"""The solver: wins, draws and losses that are proved, carried up the tree.

A move is proved when the game ends with it, or when the node it leads to is. A node is won if one of its moves is, and
otherwise, once all its moves are proved, worth the best of them. A proved move is closed: no simulation needs to try it
again; so while a drawn move is known, the node's mean is that of the others. What is proved holds for the moves that
the search considers (`is_candidate`).
"""

import numpy as np

from tengen.jit import kernel, record
from tengen.search.tree import CLOSED, ILLEGAL, ROOT, padded

UNKNOWN, LOST, DRAWN, WON = 0, 1, 2, 3
"""As the side to move at the node sees it; the other side sees 4 less that."""


def proof_record(slots: int) -> np.dtype:
    wide = padded(slots)
    return record(f"proofs_{wide}", [("moves", np.uint8, (wide,)), ("node", np.uint8)])


@kernel(inline=True)
def is_solved(memory):
    """Whether nothing is left to search."""
    return memory.proofs.size > 1 and memory.proofs[ROOT].node != UNKNOWN


@kernel(private=True)
def prove(memory, result):
    """The simulation's last move has ended the game with a result, as the side that made it sees it: carry it up."""
    carry_up(memory, WON if result == 1.0 else DRAWN if result == 0.5 else LOST)


@kernel(private=True)
def settle(memory, node):
    """Prove the node that the path leads to, if all its moves are closed; return whether they are.

    If not, no open move has a value that compares: one is not a number.
    """
    proof = proved_value(memory.tree[node], memory.proofs[node])
    if proof == UNKNOWN:
        return False
    memory.proofs[node].node = proof
    carry_up(memory, 4 - proof)
    return True


@kernel(private=True)
def carry_up(memory, proof):
    """The last move of the path is proved: tell the nodes above, as far as that proves them."""
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
    """What a node is worth if that is proved by its moves, else UNKNOWN."""
    best, all_known = LOST, True
    for slot in range(row.visits.size):
        best = max(best, np.int64(proofs.moves[slot]))
        all_known &= row.wins[slot] <= CLOSED
    return best if best == WON or all_known else UNKNOWN
