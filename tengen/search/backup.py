"""Backups: what a result changes at the nodes it passes. One function a formula.

A backup is a record of its constants with verbs that are called for each move on a simulation's path, the last one
first, and with a record of `notes` in which it may keep more about a node than the tree does. Tree policies read
`visits` and `wins` only: a backup that values moves otherwise writes wins = visits * value.
"""

import numpy as np

from tengen.jit import kernel, record, verb
from tengen.search.tree import CLOSED, NO_CHILD, padded

f32 = np.float32


@verb
def update(backup, memory, node, slot, result):
    """Take a result, as the side to move at the node sees it, into the statistics of the move chosen there."""


@verb
def refresh(backup, memory, node):
    """Bring a node's statistics up to date before a move is selected by them."""


@verb
def clear_notes(backup, notes):
    """Make a backup's notes those of a fresh node."""


@refresh.otherwise
@kernel(inline=True, private=True)
def nothing_to_refresh(backup, memory, node):
    pass


@kernel(inline=True, private=True)
def prior_of(memory, node, slot):
    """The equivalent experience and wins that a prior has put into `visits` and `wins`."""
    if memory.priors.size > 1:
        prior = memory.priors[node]
        return prior.visits[slot], prior.wins[slot]
    return f32(0.0), f32(0.0)


@kernel(inline=True, private=True)
def is_first_visit(memory, node, slot):
    """Whether a move has no visits but those that a prior gave it."""
    return memory.tree[node].visits[slot] == prior_of(memory, node, slot)[0]


# --- The mean --------------------------------------------------------------------------------------------------------

MEAN = record("mean", [("unused", np.uint8)])


def mean_notes(slots: int) -> np.dtype:
    return record("mean_notes", [("unused", np.uint8)])


@clear_notes.implement(MEAN)
@kernel(inline=True, private=True)
def clear_mean_notes(backup, notes):
    pass


@update.implement(MEAN)
@kernel(inline=True)
def mean(backup, memory, node, slot, result):
    """n(s,a) <- n(s,a) + 1,  Q(s,a) <- Q(s,a) + (R - Q(s,a)) / n(s,a)               [GellySilver2007, eq. 1 and 2]"""
    row = memory.tree[node]
    row.visits[slot] += f32(1.0)
    row.wins[slot] += f32(result)
    row.total += 1.0


# --- Discounted UCT --------------------------------------------------------------------------------------------------

DISCOUNTED = record(
    "discounted",
    [
        ("decay", np.float64),
        ("whole_tree", np.uint8),  # 1 if every simulation discounts every node, 0 if only those on its path
    ],
)
LIGHTEST = 1e-30
"""When old visits count for less than this, the node is rescaled: single precision ends at 1e-38."""


def discounted_notes(slots: int) -> np.dtype:
    """The discounted visits and wins in double precision: 1 - decay may be as small as 1e-7.

    In units of the node's `scale`. Those of a move never visited mean nothing: a new node need not be cleared.
    """
    wide = padded(slots)
    return record(
        f"discounted_notes_{wide}",
        [("visits", np.float64, (wide,)), ("wins", np.float64, (wide,)), ("simulation", np.int64)],
    )


@clear_notes.implement(DISCOUNTED)
@kernel(inline=True, private=True)
def clear_discounted_notes(backup, notes):
    notes.simulation = -1


@kernel(private=True)
def discount(memory, node, factor):
    """Let all that a node has seen count for less: one number does it for all moves."""
    row, notes = memory.tree[node], memory.notes[node]
    row.scale *= factor
    row.total *= factor
    if row.scale < LIGHTEST:
        for i in range(row.visits.size):
            if row.wins[i] > CLOSED:
                notes.visits[i] *= row.scale
                notes.wins[i] *= row.scale
                row.visits[i], row.wins[i] = f32(notes.visits[i]), f32(notes.wins[i])
        row.scale = 1.0


@refresh.implement(DISCOUNTED)
@kernel(private=True)
def discount_for_simulations_elsewhere(backup, memory, node):
    """With `whole_tree`: discount the node for the simulations that have not come by since the last one that did."""
    if backup.whole_tree:
        notes = memory.notes[node]
        missed = memory.work.simulations - notes.simulation - 1
        if notes.simulation >= 0 and missed > 0:
            discount(memory, node, backup.decay**missed)
        notes.simulation = memory.work.simulations


@update.implement(DISCOUNTED)
@kernel
def discounted(backup, memory, node, slot, result):
    """n_j <- lambda n_j + I(j),  r_j <- (lambda n_j r_j + R(j)) / (lambda n_j + I(j))   [Hashimoto2011, eq. 3 and 4]

    for every move j of the node; I(j) is 1 for the chosen one, R(j) its result. s = sum n_j  (eq. 2).
    In O(1): the node's scale takes the factor lambda, and the new visit is entered as 1 / scale. A prior's equivalent
    experience is discounted like any other.
    """
    discount(memory, node, backup.decay)
    row, notes = memory.tree[node], memory.notes[node]
    if is_first_visit(memory, node, slot):
        notes.visits[slot], notes.wins[slot] = np.float64(row.visits[slot]), np.float64(row.wins[slot])
    notes.visits[slot] += 1.0 / row.scale
    notes.wins[slot] += result / row.scale
    row.visits[slot], row.wins[slot] = f32(notes.visits[slot]), f32(notes.wins[slot])
    row.total += 1.0


# --- Accelerated UCT -------------------------------------------------------------------------------------------------

ACCELERATED = record("accelerated", [("decay", np.float64)])
HEAVIEST = 1e100
"""When a visit weighs more than this, all weights of the node are scaled down: their ratios are all that matters."""


def accelerated_notes(slots: int) -> np.dtype:
    wide = padded(slots)
    return record(
        f"accelerated_notes_{wide}",
        [
            ("velocity", np.float64, (wide,)),  # v_j, in units in which the newest visit weighs `weight`
            ("ratio", np.float64, (wide,)),  # r_j, the accelerated winning ratio; both mean nothing before a visit
            ("weight", np.float64),
            ("velocity_sum", np.float64),  # sum v_k, the virtual child included
            ("ratio_sum", np.float64),  # sum v_k r_k
        ],
    )


@clear_notes.implement(ACCELERATED)
@kernel(inline=True, private=True)
def clear_accelerated_notes(backup, notes):
    notes.weight, notes.velocity_sum, notes.ratio_sum = 1.0, 0.0, 0.0


@kernel(private=True)
def add_virtual_child(backup, notes, playouts, ratio):
    """Let a new node remember the playouts made from it before it had children.          [Hashimoto2011, section 4]

    The virtual child's ratio is theirs, and its velocity what a child would have that was chosen each time:
    1 + lambda + ... + lambda^(T - 1), which is T if lambda = 1.
    """
    velocity = playouts
    if backup.decay < 1.0:
        velocity = (1.0 - backup.decay**playouts) / (1.0 - backup.decay)
    notes.velocity_sum, notes.ratio_sum = velocity, velocity * ratio


@kernel(private=True)
def scale_down(notes):
    for i in range(notes.velocity.size):
        notes.velocity[i] /= notes.weight
    notes.velocity_sum /= notes.weight
    notes.ratio_sum /= notes.weight
    notes.weight = 1.0


@update.implement(ACCELERATED)
@kernel
def accelerated(backup, memory, node, slot, result):
    """v_j <- lambda v_j + I(j)                                                             [Hashimoto2011, eq. 6]
    r_i = sum_j v_j r_j / sum_j v_j                                                                       [eq. 7]

    In O(1): instead of making all velocities smaller, each visit weighs 1 / lambda times the one before; and of
    sum v_j r_j only the chosen move's part changes. A move without a node is worth the mean of its playouts. The sums
    are seen by the side to move below, so the move's own ratio is 1 - r_i.
    """
    row, notes = memory.tree[node], memory.notes[node]
    prior_visits, prior_wins = prior_of(memory, node, slot)
    if is_first_visit(memory, node, slot):
        notes.velocity[slot], notes.ratio[slot] = 0.0, 0.0
    row.visits[slot] += f32(1.0)
    row.total += 1.0
    visits = np.float64(row.visits[slot]) - prior_visits
    before = notes.ratio[slot]
    ratio = before + (result - before) / visits
    child = row.child[slot]
    if child != NO_CHILD:
        below = memory.notes[child]
        if below.velocity_sum == 0.0:
            add_virtual_child(backup, below, visits, 1.0 - ratio)
        ratio = 1.0 - below.ratio_sum / below.velocity_sum
    notes.weight /= backup.decay
    velocity = notes.velocity[slot] + notes.weight
    notes.ratio_sum += velocity * ratio - notes.velocity[slot] * before
    notes.velocity_sum += notes.weight
    notes.velocity[slot], notes.ratio[slot] = velocity, ratio
    row.wins[slot] = f32(ratio * visits) + prior_wins
    if notes.weight > HEAVIEST:
        scale_down(notes)
