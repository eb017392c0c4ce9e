"""Validation of a tree that was loaded from a file, so that the kernels of a search can use it safely.

A search trusts its tree: it plays a move that has visits without testing it, follows children without a bounds check
and divides by sums. So every node is reached by playing its moves from the root, and checked against the position found
there. The walk is depth first, with one state for each depth: a node costs one move, and the whole inspection is linear
in the size of the tree. Superko and legality are tested as in the search, except for moves that the search tests itself
before it first plays them.
"""

import numpy as np

from tengen.games.interface import candidate_moves, is_legal, is_over, play, situation
from tengen.jit import kernel, record
from tengen.search.backup import HEAVIEST, LIGHTEST, RATIO, WEIGHT, is_first_visit, prior_of
from tengen.search.simulate import is_repetition
from tengen.search.solver import UNKNOWN, WON
from tengen.search.tree import CLOSED, LONGEST_PATH, NO_CHILD, ROOT

MOST_EXPERIENCE = 1e12
"""Limit of the visits and the RAVE visits of a move, and of the visits of a node, including those of a prior."""
MOST_UNSCALED = 1e37
"""Limit of numbers in `visits`: a discounted visit is stored as 1 / scale, and single precision ends at 3e38."""
MOST_VISITS = 2.0**24
"""Limit of the visits of a node, without those of a prior: single precision cannot count further."""
MOST_WEIGHT = 1e120
"""Limit of the sum of weights of an accelerated backup."""
SLACK = 1e-3
"""Relative error that rounding may leave in a sum."""

SOUND, CHILD, UNREACHED, DEEP, ENDED, REPEATED, HASH, MOVE = range(8)
VISITS, WINS, RAVE, TOTAL, WEIGHTS, LOCKED, PRIOR, PROOF = range(8, 16)
"""Faults of a node; FAULTS in saved.py describes them."""

INSPECTION = record(
    "inspection",
    [
        ("slots", np.int64),  # the game's move slots; those after them are padding
        ("untracked_slot", np.int64),  # as in OPTIONS
        ("discounted", np.uint8),  # 1 for the discounted backup
        ("accelerated", np.uint8),  # 1 for the accelerated backup
        ("shared", np.uint8),  # 1 if several threads search the tree
        ("depth", np.int64),  # of the present node; -1 when the inspection is complete
        ("reached", np.int64),  # number of nodes inspected so far
        ("node", np.int64),  # the node inspected last; after a fault, the faulty one
        ("slot", np.int64),  # the faulty slot; -1 if the fault concerns the whole node
        ("next_slot", np.int64, (LONGEST_PATH + 1,)),  # by depth: where the search for the next child continues
    ],
)


@kernel
def inspect(memory, inspection, has_parent, most):
    """Inspect up to `most` further nodes; return the first fault, or SOUND.

    `memory.states` has LONGEST_PATH + 1 states, the first of which is the root's position. `has_parent` has one entry
    per node, all zero before the first call. The inspection is complete when `inspection.depth` is -1.
    """
    work = memory.work
    if inspection.reached == 0:
        work.path[0] = ROOT
        if memory.tree[ROOT].situation != situation(memory.states[0]):
            return HASH
        fault = node_fault(memory, inspection, np.int64(ROOT), memory.states[0])
        if fault != SOUND:
            return fault
    for _ in range(most):
        while inspection.depth >= 0 and not find_child(memory, inspection):
            inspection.depth -= 1
        if inspection.depth < 0:
            is_complete = inspection.reached == memory.used[0] or inspection.shared  # threads leave reserved rows
            return SOUND if is_complete else UNREACHED
        fault = step_down(memory, inspection, has_parent)
        if fault != SOUND:
            return fault
    return SOUND


@kernel(private=True)
def find_child(memory, inspection):
    """Set `inspection.slot` to the next slot with a child at the present node; return whether there is one."""
    depth = inspection.depth
    child = memory.tree[memory.work.path[depth]].child
    for slot in range(inspection.next_slot[depth], child.size):
        if child[slot] != NO_CHILD:
            inspection.slot, inspection.next_slot[depth] = slot, slot + 1
            return True
    return False


@kernel(private=True)
def step_down(memory, inspection, has_parent):
    """Play the move at `inspection.slot`, which is known to be legal, and inspect its child."""
    work, depth, slot = memory.work, inspection.depth, inspection.slot
    node = np.int64(work.path[depth])
    child = np.int64(memory.tree[node].child[slot])
    inspection.node = node
    if child <= node or child >= memory.used[0] or has_parent[child] != 0:
        return CHILD
    has_parent[child] = 1
    if depth == LONGEST_PATH:
        return DEEP
    memory.states[depth + 1] = memory.states[depth]
    state = memory.states[depth + 1]
    play(state, slot)
    if is_over(state):
        return ENDED
    now = situation(state)
    work.depth = depth + 1
    if slot != inspection.untracked_slot and is_repetition(memory, now):
        return REPEATED
    if memory.tree[child].situation != now:
        return HASH
    inspection.depth = depth + 1
    work.path[depth + 1], inspection.next_slot[depth + 1] = child, 0
    return node_fault(memory, inspection, child, state)


@kernel(private=True)
def node_fault(memory, inspection, node, state):
    """Return the first fault of a node of this position, without its children, or SOUND."""
    inspection.reached += 1
    inspection.node = node
    fault = moves_fault(memory, inspection, node, state)
    if fault == SOUND:
        fault = statistics_fault(memory, inspection, node)
    if fault == SOUND:
        fault = totals_fault(memory, inspection, node)
    if fault == SOUND and memory.notes.size > 1:
        fault = weights_fault(memory, inspection, node)
    return fault


@kernel(private=True)
def moves_fault(memory, inspection, node, state):
    """Check that open slots are candidate moves, and that moves which the search does not test again are legal.

    These are moves with visits, a child or a proof. At the root the game may be over: no move is played there.
    """
    row, marks, moves = memory.tree[node], memory.work.marks, memory.work.moves
    for slot in range(marks.size):
        marks[slot] = 0
    for i in range(candidate_moves(state, moves)):
        marks[moves[i]] = 1
    ended = is_over(state)
    for slot in range(row.visits.size):
        inspection.slot = slot
        is_open, has_child, proof = row.wins[slot] > CLOSED, row.child[slot] != NO_CHILD, UNKNOWN
        if memory.proofs.size > 1:
            proof = np.int64(memory.proofs[node].moves[slot])
            if proof > WON:
                return PROOF
        if (has_child and ended) or (slot >= inspection.slots and (is_open or has_child or proof != UNKNOWN)):
            return MOVE
        if has_child or proof != UNKNOWN or (is_open and row.visits[slot] > 0.0 and not ended):
            if not is_legal(state, slot):
                return MOVE
        elif is_open and marks[slot] == 0:
            return MOVE
    inspection.slot = -1
    return PROOF if memory.proofs.size > 1 and memory.proofs[node].node > WON else SOUND


@kernel(inline=True, private=True)
def within(value, low, high):
    """Whether low <= value <= high; False for NaN."""
    return low <= value and value <= high


@kernel(inline=True, private=True)
def is_part(wins, visits):
    """Whether wins are between 0 and `visits`, up to rounding."""
    return within(wins, -SLACK * visits, (1.0 + SLACK) * visits)


@kernel(private=True)
def statistics_fault(memory, inspection, node):
    """Check the numbers of every slot. With several threads, an update of RAVE visits may have been lost."""
    row = memory.tree[node]
    if not within(row.scale, LIGHTEST if inspection.discounted else 1.0, 1.0):
        return TOTAL
    for slot in range(row.visits.size):
        inspection.slot = slot
        visits, wins = np.float64(row.visits[slot]), np.float64(row.wins[slot])
        if not within(visits, 0.0, MOST_UNSCALED):
            return VISITS
        if not np.isfinite(wins):
            return WINS
        if wins > CLOSED:
            if not is_part(wins, visits):
                return WINS
            if visits * row.scale > MOST_EXPERIENCE or visits < prior_of(memory, node, slot)[0]:
                return VISITS
    for slot in range(row.rave_visits.size):
        inspection.slot = slot
        visits, wins = np.float64(row.rave_visits[slot]), np.float64(row.rave_wins[slot])
        if not within(visits, 0.0, MOST_EXPERIENCE) or not within(wins, 0.0, MOST_EXPERIENCE):
            return RAVE
        if not inspection.shared and not is_part(wins, visits):
            return RAVE
    return priors_fault(memory, inspection, node) if memory.priors.size > 1 else SOUND


@kernel(private=True)
def priors_fault(memory, inspection, node):
    """Check the numbers of the prior at every slot."""
    prior = memory.priors[node]
    for slot in range(prior.value.size):
        inspection.slot = slot
        visits = np.float64(prior.visits[slot])
        if not within(visits, 0.0, MOST_UNSCALED) or not is_part(np.float64(prior.wins[slot]), visits):
            return PRIOR
        if not is_part(np.float64(prior.value[slot]), 1.0) or not within(prior.weight[slot], 0.0, MOST_EXPERIENCE):
            return PRIOR
    return SOUND


@kernel(private=True)
def totals_fault(memory, inspection, node):
    """Check n(s), which is at least the visits of the open moves; with discounting, only its range is checked."""
    inspection.slot = -1
    row = memory.tree[node]
    if not within(row.total, 0.0, MOST_EXPERIENCE) or not within(row.newest, 0.0, HEAVIEST):
        return TOTAL
    if inspection.discounted:
        return SOUND
    of_prior, of_moves = 0.0, 0.0
    for slot in range(row.visits.size):
        prior_visits = np.float64(prior_of(memory, node, slot)[0])
        of_prior += prior_visits
        if row.wins[slot] > CLOSED:
            of_moves += row.visits[slot] - prior_visits
    error = 1.0 + SLACK * row.total
    return SOUND if within(row.total - of_prior, of_moves - error, MOST_VISITS + error) else TOTAL


@kernel(private=True)
def weights_fault(memory, inspection, node):
    """Check the weights and weighted means that a discounted or accelerated backup keeps of the visited moves.

    The sums of an accelerated node are over its moves and its virtual child, whose mean is also between 0 and 1.
    """
    row, notes = memory.tree[node], memory.notes[node]
    if notes.lock[0] != 0:
        return LOCKED
    weights, ratios = 0.0, 0.0
    for slot in range(notes.moves.shape[0]):
        inspection.slot = slot
        weight, ratio = notes.moves[slot, WEIGHT], notes.moves[slot, RATIO]
        if not np.isfinite(weight) or not np.isfinite(ratio):
            return WEIGHTS
        if row.wins[slot] > CLOSED and not is_first_visit(memory, node, slot):
            if not within(weight, 0.0, MOST_WEIGHT if inspection.accelerated else MOST_UNSCALED):
                return WEIGHTS
            if not is_part(ratio, 1.0):
                return WEIGHTS
            weights, ratios = weights + weight, ratios + weight * ratio
    inspection.slot = -1
    if not within(row.weight_sum, 0.0, MOST_WEIGHT) or not is_part(row.ratio_sum, row.weight_sum):
        return WEIGHTS
    if inspection.accelerated:
        error = SLACK * row.weight_sum
        if weights > row.weight_sum + error:
            return WEIGHTS
        if not within(row.ratio_sum - ratios, -error, row.weight_sum - weights + error):
            return WEIGHTS
    return SOUND
