"""Backups: update the statistics of the nodes on a simulation's path with its result. One function per formula.

A backup is a record of its constants, with verbs that are called for each move of the path, the last one first. It may
keep further statistics of a node in `memory.notes`. Tree policies read `visits` and `wins` only: a backup whose value
of a move is not the mean writes wins = visits * value.
"""

from dataclasses import dataclass

import numpy as np

from tengen.jit import compare_exchange, fetch_add, fetch_add_field, kernel, record, store_release, verb
from tengen.options import option
from tengen.registry import BACKUP, Needs, register
from tengen.search.tree import CLOSED, NO_CHILD, padded

f32 = np.float32


@verb
def update(backup, memory, node, slot, result):
    """Add a result, from the point of view of the side to move at the node, to the statistics of the selected move."""


@verb
def enter(backup, memory, node, slot):
    """Record for other threads that a simulation has selected a move and has no result yet (virtual loss)."""


@verb
def leave(backup, memory, node, slot):
    """Undo `enter` for a simulation that was abandoned."""


@verb
def refresh(backup, memory, node):
    """Update a node's statistics before a move is selected there."""


WEIGHT, RATIO = 0, 1
"""Columns of `notes.moves`: a move's discounted visits or velocity, and the weighted mean of its results."""


def notes_record(slots: int) -> np.dtype:
    """Return the record of the weights of a node's moves, in double precision: 1 - decay may be as small as 1e-7.

    The weight and ratio of an unvisited move are undefined, so that a new node need not be cleared.
    """
    wide = padded(slots)
    return record(
        f"notes_{wide}",
        [
            ("moves", np.float64, (wide, 2)),  # WEIGHT and RATIO of each move, adjacent in memory
            ("lock", np.int64, (1,)),  # spin lock: 1 while a thread changes the node
        ],
    )


@refresh.otherwise
@kernel(inline=True, private=True)
def nothing_to_refresh(backup, memory, node):
    pass


@enter.otherwise
@kernel(inline=True, private=True)
def nothing_to_enter(backup, memory, node, slot):
    pass


@leave.otherwise
@kernel(inline=True, private=True)
def nothing_to_leave(backup, memory, node, slot):
    pass


@kernel(inline=True, private=True)
def lock(backup, notes):
    """Acquire the node's spin lock. Weighted sums cannot tolerate lost updates."""
    if backup.shared:
        while not compare_exchange(notes.lock, 0, 0, 1):
            pass


@kernel(inline=True, private=True)
def unlock(backup, notes):
    if backup.shared:
        store_release(notes.lock, 0, 0)


@kernel(inline=True, private=True)
def prior_of(memory, node, slot):
    """The prior's share of `visits` and `wins` of a move: its equivalent experience and the wins in it."""
    if memory.priors.size > 1:
        prior = memory.priors[node]
        return prior.visits[slot], prior.wins[slot]
    return f32(0.0), f32(0.0)


@kernel(inline=True, private=True)
def is_first_visit(memory, node, slot):
    """Whether a move has no visits other than those of the prior."""
    return memory.tree[node].visits[slot] == prior_of(memory, node, slot)[0]


@kernel(inline=True, private=True)
def is_copy(memory, node):
    """Whether a row is a thread-local copy of a node."""
    return node >= memory.work.capacity


# --- The mean --------------------------------------------------------------------------------------------------------

MEAN = record("mean", [("shared", np.uint8)])  # 1 if several threads search the tree
register(
    BACKUP, "mean", "the mean of all results [GellySilver2007, eq. 1 and 2]", record=MEAN, needs=Needs(additive=True)
)


@update.implement(MEAN)
@kernel(inline=True)
def mean(backup, memory, node, slot, result):
    """n(s,a) <- n(s,a) + 1,  Q(s,a) <- Q(s,a) + (R - Q(s,a)) / n(s,a)               [GellySilver2007, eq. 1 and 2]"""
    row = memory.tree[node]
    if not backup.shared:
        row.visits[slot] += f32(1.0)
        row.wins[slot] += f32(result)
        row.total += 1.0
    elif is_copy(memory, node):  # with several threads, `enter` has counted the visit
        row.wins[slot] += f32(result)
    else:
        fetch_add(row.wins, slot, f32(result))


@enter.implement(MEAN)
@kernel(inline=True, private=True)
def enter_virtual_loss(backup, memory, node, slot):
    """Count the visit before the result is known: until then the move counts as lost, which spreads the threads."""
    count_visit(backup, memory, node, slot, 1.0)


@leave.implement(MEAN)
@kernel(inline=True, private=True)
def take_back_virtual_loss(backup, memory, node, slot):
    count_visit(backup, memory, node, slot, -1.0)


@kernel(inline=True, private=True)
def count_visit(backup, memory, node, slot, count):
    row = memory.tree[node]
    if backup.shared:
        if is_copy(memory, node):
            row.visits[slot] += f32(count)
            row.total += count
        else:
            fetch_add(row.visits, slot, f32(count))
            fetch_add_field(row, "total", count)


# --- Discounted UCT --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DecayOptions:
    """Options of the backups that weigh results by their age."""

    decay: float = option(0.9999, "lambda, the weight of the next older result", low=1e-3, high=1)


@dataclass(frozen=True)
class DiscountedOptions(DecayOptions):
    """Options of discounted."""

    discount: str = option("path", "what a simulation discounts: its path or the whole tree", ("path", "tree"))

    @property
    def whole_tree(self) -> bool:
        return self.discount == "tree"


DISCOUNTED = record(
    "discounted",
    [
        ("shared", np.uint8),
        ("decay", np.float64),
        ("whole_tree", np.uint8),  # 1 if every simulation discounts every node, 0 if only those on its path
    ],
)
register(
    BACKUP,
    "discounted",
    "the mean with older results discounted [Hashimoto2011, section 3]",
    options=DiscountedOptions,
    record=DISCOUNTED,
    needs=Needs(notes=notes_record, counts_visits=False),
)
LIGHTEST = 1e-30
"""A node with a smaller `scale` is rescaled: single precision ends at 1e-38."""


@kernel(inline=True, private=True)
def discount(memory, node, factor):
    """Multiply all visits and wins of a node by a factor, in O(1) by its `scale`."""
    row = memory.tree[node]
    row.scale *= factor
    row.total *= factor
    if row.scale < LIGHTEST:
        rescale(memory, node)


@kernel(private=True)
def rescale(memory, node):
    """Multiply a node's numbers by its `scale`, and set `scale` to 1."""
    row, notes = memory.tree[node], memory.notes[node]
    for i in range(row.visits.size):
        if row.wins[i] > CLOSED:
            notes.moves[i, WEIGHT] *= row.scale
            row.visits[i] *= f32(row.scale)
            row.wins[i] *= f32(row.scale)
            if memory.priors.size > 1:
                memory.priors[node].visits[i] *= f32(row.scale)
                memory.priors[node].wins[i] *= f32(row.scale)
    row.scale = 1.0


@refresh.implement(DISCOUNTED)
@kernel(inline=True, private=True)
def discount_for_simulations_elsewhere(backup, memory, node):
    """With `whole_tree`: discount the node for the simulations since its last visit."""
    if backup.whole_tree:
        row, now = memory.tree[node], memory.work.clock + 1.0
        if row.newest > 0.0 and now - row.newest > 1.0:
            discount(memory, node, backup.decay ** (now - row.newest - 1.0))
        row.newest = now


@update.implement(DISCOUNTED)
@kernel(inline=True)
def discounted(backup, memory, node, slot, result):
    """n_j <- lambda n_j + I(j),  r_j <- (lambda n_j r_j + R(j)) / (lambda n_j + I(j))   [Hashimoto2011, eq. 3 and 4]

    for every move j of the node; I(j) is 1 for the selected one, R(j) its result. s = sum n_j  (eq. 2).
    In O(1): the node's scale is multiplied by lambda, and the new visit is added as 1 / scale. A prior's equivalent
    experience is discounted in the same way.
    """
    row, notes = memory.tree[node], memory.notes[node]
    lock(backup, notes)
    discount(memory, node, backup.decay)
    visits, ratio = notes.moves[slot, WEIGHT], notes.moves[slot, RATIO]
    if is_first_visit(memory, node, slot):
        visits = np.float64(row.visits[slot])
        ratio = np.float64(row.wins[slot]) / max(visits, 1e-300)
    visits += 1.0 / row.scale
    ratio += (result - ratio) / (visits * row.scale)
    notes.moves[slot, WEIGHT], notes.moves[slot, RATIO] = visits, ratio
    row.visits[slot], row.wins[slot] = f32(visits), f32(visits * ratio)
    row.total += 1.0
    unlock(backup, notes)


# --- Accelerated UCT -------------------------------------------------------------------------------------------------

ACCELERATED = record("accelerated", [("shared", np.uint8), ("decay", np.float64)])
register(
    BACKUP,
    "accelerated",
    "the mean of the moves' values, recently selected moves weighted more [Hashimoto2011, section 4]",
    options=DecayOptions,
    record=ACCELERATED,
    needs=Needs(notes=notes_record),
)
HEAVIEST = 1e100
"""When a visit has a greater weight, all weights of the node are scaled down: only their ratios matter."""


@kernel(private=True)
def add_virtual_child(backup, row, playouts, ratio):
    """Add a virtual child for the playouts from a node before it had children.           [Hashimoto2011, section 4]

    Its ratio is that of the T playouts, and its velocity that of a child selected T times in a row before all others:
    1 + lambda + ... + lambda^(T - 1), which is T if lambda = 1.
    """
    velocity = playouts
    if backup.decay < 1.0:
        velocity = (1.0 - backup.decay**playouts) / (1.0 - backup.decay)
    row.weight_sum += velocity
    row.ratio_sum += velocity * ratio


@kernel(private=True)
def scale_down(row, notes):
    """Divide all weights of a node by that of the newest visit."""
    for i in range(notes.moves.shape[0]):
        notes.moves[i, WEIGHT] /= row.newest
    row.weight_sum /= row.newest
    row.ratio_sum /= row.newest
    row.newest = 1.0


@update.implement(ACCELERATED)
@kernel(inline=True)
def accelerated(backup, memory, node, slot, result):
    """v_j <- lambda v_j + I(j),  r_i = sum_j v_j r_j / sum_j v_j                     [Hashimoto2011, eq. 6 and 7]

    In O(1): instead of reducing all velocities, each visit has 1 / lambda times the weight of the one before; and in
    sum v_j r_j only the term of the selected move changes. The value of a move without a node is the mean of its
    playouts. The sums of a child are from the other side's point of view, so the move's own ratio is 1 - r_i.
    """
    row, notes = memory.tree[node], memory.notes[node]
    lock(backup, notes)
    prior_visits, prior_wins = prior_of(memory, node, slot)
    velocity, before = notes.moves[slot, WEIGHT], notes.moves[slot, RATIO]
    if is_first_visit(memory, node, slot):
        velocity, before = 0.0, 0.0
    row.visits[slot] += f32(1.0)
    row.total += 1.0
    visits = np.float64(row.visits[slot]) - prior_visits
    ratio = before + (result - before) / visits
    child = row.child[slot]
    if child > NO_CHILD:
        below = memory.tree[child]
        lock(backup, memory.notes[child])  # another thread may have changed only one of the two sums
        if below.weight_sum == 0.0:
            add_virtual_child(backup, below, visits, 1.0 - ratio)
        elif below.weight_sum == below.newest and visits > 1.0:  # only this simulation has visited a child
            add_virtual_child(backup, below, visits - 1.0, 1.0 - before)
        ratio = 1.0 - below.ratio_sum / below.weight_sum
        unlock(backup, memory.notes[child])
    row.newest = (row.newest if row.newest > 0.0 else 1.0) / backup.decay
    row.weight_sum += row.newest
    row.ratio_sum += (velocity + row.newest) * ratio - velocity * before
    notes.moves[slot, WEIGHT], notes.moves[slot, RATIO] = velocity + row.newest, ratio
    row.wins[slot] = f32(ratio * visits) + prior_wins
    if row.newest > HEAVIEST:
        scale_down(row, notes)
    unlock(backup, notes)
