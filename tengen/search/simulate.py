"""The simulation: select, expand, play out, back up. The same loop for every game and every algorithm."""

from typing import NamedTuple

import numpy as np

from tengen.games.interface import is_candidate, is_over, outcome, play, situation
from tengen.jit import (
    compare_exchange,
    copy_record,
    fetch_add,
    four_at,
    holds_in_a_lane,
    join_lanes,
    kernel,
    lane,
    lanes,
    load_acquire,
    on_gpu,
    prefetch_record,
    prefetch_write,
    put_four,
    store_release,
)
from tengen.policies.playout import play_out
from tengen.search.backup import enter, leave, prior_of, refresh, update
from tengen.search.copies import count_simulation, hand_in_all, own_row, requested_row
from tengen.search.priors import give_prior
from tengen.search.selection import NOTHING_OPEN, select
from tengen.search.solver import is_solved, prove, settle
from tengen.search.tree import CLAIMED, CLOSED, LONGEST_PATH, NO_CHILD, ROOT, clear_node, close, open_node

f32 = np.float32


class Algorithm(NamedTuple):
    """A search algorithm: a composition of records, each of which chooses the bodies of its verbs."""

    tree_policy: np.record
    backup: np.record
    prior: np.record
    policy: np.record
    options: np.record


@kernel
def simulate(algorithm, memory, count):
    """Run `count` simulations from the root, fewer if it is solved.                   [GellySilver2011, Algorithm 2]

    Differs: the first move of the playout counts at the node that the simulation has added only with `new_node_visit`.
    """
    work = memory.work
    if memory.used[0] == 0:
        memory.used[0], work.depth, work.leaf = 1, 0, NO_CHILD
        begin_node(
            algorithm.prior, algorithm.options, memory, np.int64(ROOT), memory.states[0], situation(memory.states[0])
        )
    for _ in range(count):
        if is_solved(memory):
            break
        while not descend(algorithm, memory):
            if is_solved(memory):
                return
        state = memory.states[1]
        ended_in_tree = is_over(state)
        length = work.depth
        if not ended_in_tree:
            length = play_out(algorithm.policy, state, memory.rng, work.line, work.depth)
            if length < work.depth:
                work.fault = -length
                return
        result = outcome(state)
        if work.leaf != NO_CHILD and (algorithm.options.whole_episode or algorithm.options.new_node_visit):
            extend_path(algorithm.backup, algorithm.prior, algorithm.options, memory, length)
        back_up(algorithm, memory, length, result)
        note_depth(work)
        if ended_in_tree and memory.proofs.size > 1:
            prove(memory, result if (memory.states[0].to_play + work.depth) & 1 else 1.0 - result)
        work.simulations += 1
        work.clock += 1
    if work.copies > 0:
        hand_in_all(memory.tree, work)
    for row in range(work.reserved, work.reserved_end):  # all rows of the tree must be valid after a run
        clear_node(memory.tree[row])


@kernel(inline=True, private=True)
def note_depth(work):
    """Update the statistics of depths."""
    work.depth_sum += work.depth
    work.depth_count += 1
    work.deepest = max(work.deepest, work.depth)


@kernel(private=True)
def descend(algorithm, memory):
    """Play the moves that the tree policy selects, from the root to a leaf of the tree, and add a node there.

    Returns False if the last move repeats a position (superko) or leads to one in which all moves are closed: that
    move is then closed, and the caller descends again.
    """
    work = memory.work
    copy_record(memory.states, 1, memory.states, 0)
    state = memory.states[1]
    work.depth, work.leaf = 0, NO_CHILD
    node = np.int64(ROOT)
    while not is_over(state) and work.depth < LONGEST_PATH:
        refresh(algorithm.backup, memory, node)
        own = node
        if work.copies > 0:
            own = requested_row(algorithm.options, memory.tree, work, node)
        slot = choose(algorithm, memory.tree[own], state, work.values, memory.rng)
        if slot == NOTHING_OPEN:
            if memory.proofs.size == 1 or not settle(memory, node):
                break
            turn_back(algorithm.backup, memory, work.depth)
            return False
        if work.copies > 0:  # `enter` writes there after the move is played
            prefetch_write(memory.tree[own].visits, slot)
        play(state, slot)
        work.path[work.depth], work.line[work.depth] = node, slot
        work.depth += 1
        child = np.int64(load_acquire(memory.tree[node].child, slot))
        if child <= NO_CHILD:
            now = situation(state)
            if slot != algorithm.options.untracked_slot and is_repetition(memory, now):
                close(memory.tree[own], slot)
                turn_back(algorithm.backup, memory, work.depth - 1)
                return False
            if not is_over(state) and is_due(algorithm.options, memory, node, own, slot):
                add_node(algorithm.prior, algorithm.options, memory, node, slot, state, now)
        enter(algorithm.backup, memory, own, slot)
        if child <= NO_CHILD:
            break
        node = child
        prefetch_record(memory.tree, node)
    return True


@kernel(private=True)
def turn_back(backup, memory, depth):
    """Abandon a simulation that has entered `depth` moves."""
    for t in range(depth):
        own = own_row(memory.work, np.int64(memory.work.path[t]))
        leave(backup, memory, own, np.int64(memory.work.line[t]))


@kernel(inline=True, private=True)
def is_due(options, memory, node, own, slot):
    """Whether this visit of a move adds a node for it. The experience of a prior does not count as visits."""
    row = memory.tree[own]
    return (row.visits[slot] - prior_of(memory, node, slot)[0]) * row.scale + 1.0 >= options.expand_visits


@kernel(inline=True, private=True)
def is_candidate_known(row, slot):
    """Whether a move is open and was visited, so that `is_candidate` need not be called again."""
    return row.visits[slot] > f32(0.0) and row.wins[slot] > CLOSED


@kernel(private=True)
def choose(algorithm, row, state, values, rng):
    """Select a move; on its first selection, close it if it is not a candidate, and select again.

    This includes a move that another thread has just closed: its visits no longer show that it was tested.
    """
    while True:
        slot = select(algorithm.tree_policy, row, values, rng, algorithm.options.untracked_slot)
        if slot == NOTHING_OPEN or is_candidate_known(row, slot) or is_candidate(state, slot):
            return slot
        close(row, slot)


@kernel(inline=True, private=True)
def is_repetition(memory, now):
    """Whether the superko hash `now` occurred before in the game or on the path."""
    if now == np.uint64(0):
        return False
    repeated = False
    for i in range(lane(), memory.history.size, lanes()):
        repeated |= memory.history[i] == now
    for t in range(lane(), memory.work.depth, lanes()):
        repeated |= memory.tree[memory.work.path[t]].situation == now
    return holds_in_a_lane(repeated)


@kernel(inline=True)
def add_node(prior, options, memory, parent, slot, state, now):
    """Add a node for a state with superko hash `now` as child of `parent`, unless the tree is full.

    The thread that claims the slot writes the node completely before it stores its index; other threads do not wait.
    """
    work, child = memory.work, memory.tree[parent].child
    if not compare_exchange(child, slot, np.int32(NO_CHILD), np.int32(CLAIMED)):
        return
    leaf = take_row(memory.used, work, parent)
    if leaf == NO_CHILD:
        store_release(child, slot, np.int32(NO_CHILD))
        work.full = 1
        return
    begin_node(prior, options, memory, leaf, state, now)
    store_release(child, slot, np.int32(leaf))
    work.leaf = leaf


@kernel(inline=True, private=True)
def take_row(used, work, parent):
    """Return the index of a free row, greater than that of the parent, or NO_CHILD if the tree is full.

    Threads reserve rows in blocks, so that the cache line of the counter is seldom written. A reserved row whose index
    is less than the parent's is kept for another node.
    """
    if work.reserved == work.reserved_end:
        work.reserved, work.reserved_end = reserve(used, work.capacity, work.block)
    if parent < work.reserved < work.reserved_end:
        work.reserved += 1
        return work.reserved - 1
    first, end = reserve(used, work.capacity, np.int64(1))
    return first if first < end else np.int64(NO_CHILD)


@kernel(private=True)
def reserve(used, capacity, count):
    """Take up to `count` free rows; return the first one and the one after the last."""
    first = fetch_add(used, 0, count)
    surplus = min(max(first + count - capacity, 0), count)
    if surplus > 0:
        fetch_add(used, 0, -surplus)
    return first, first + count - surplus


@kernel(inline=True, private=True)
def begin_node(prior, options, memory, node, state, now):
    """Initialise a row of the tree as the node of a state."""
    row = memory.tree[node]
    count = open_node(row, state, memory.work.moves)
    row.situation = now
    if memory.proofs.size > 1:
        for i in range(row.visits.size):
            memory.proofs[node].moves[i] = 0
        memory.proofs[node].node = 0
    if memory.priors.size > 1:
        give_prior(prior, memory, node, state, count, options.untracked_slot)


@kernel(private=True)
def extend_path(backup, prior, options, memory, length):
    """Add a node for every state of the playout too.                                   [GellySilver2007, section 3]

    Without `whole_episode`, add none, so that only the first move of the playout is counted, at the node that the
    simulation has added: N(s_T, a_T) <- N(s_T, a_T) + 1. Moves that the search may not select are not counted.
    """
    work = memory.work
    copy_record(memory.states, 2, memory.states, 0)
    state = memory.states[2]
    for t in range(work.depth):
        play(state, np.int64(work.line[t]))
    while work.leaf != NO_CHILD and work.depth < min(length, LONGEST_PATH):
        node, slot = np.int64(work.leaf), np.int64(work.line[work.depth])
        if memory.tree[node].wins[slot] <= CLOSED or not is_candidate(state, slot):
            break
        play(state, slot)
        now = situation(state)
        if slot != options.untracked_slot and is_repetition(memory, now):
            break
        work.path[work.depth], work.leaf = node, NO_CHILD
        work.depth += 1
        refresh(backup, memory, node)
        enter(backup, memory, node, slot)
        if options.whole_episode and not is_over(state):
            add_node(prior, options, memory, node, slot, state, now)


@kernel(inline=True, private=True)
def back_up(algorithm, memory, length, result):
    """Add the result, which is Black's, to every node of the simulation's path, from the last to the root."""
    work = memory.work
    first = np.int64(memory.states[0].to_play)
    for t in range(work.depth - 1, -1, -1):
        own, slot = own_row(work, np.int64(work.path[t])), np.int64(work.line[t])
        update(algorithm.backup, memory, own, slot, result if (first + t) & 1 == 0 else 1.0 - result)
    if memory.tree[ROOT].rave_visits.size > 1:
        credit_moves(algorithm.options, memory.tree, work, first, length, result)
    if work.copies > 0:
        for t in range(work.depth):
            count_simulation(algorithm.options, memory.tree, work, np.int64(work.path[t]))


@kernel(private=True)
def credit_moves(options, tree, work, first, length, result):
    """Add a result to the RAVE values of the nodes on the path and of the node that the simulation has added."""
    begin_played(work, options, first, length)
    if work.leaf != NO_CHILD:
        colour = (first + work.depth) & 1
        add_rave(tree[work.leaf], work.played[colour], result if colour == 0 else 1.0 - result)
    for t in range(work.depth - 1, -1, -1):
        colour = (first + t) & 1
        mark_played(work, options, np.int64(work.line[t]), colour)
        row = tree[own_row(work, np.int64(work.path[t]))]
        add_rave(row, work.played[colour], result if colour == 0 else 1.0 - result)


@kernel(private=True)
def begin_played(work, options, first, length):
    """Clear the RAVE credits, then credit the moves of the playout, the last one first."""
    for i in range(lane(), work.played.shape[1], lanes()):
        work.played[0, i] = f32(0.0)
        work.played[1, i] = f32(0.0)
    join_lanes()
    for t in range(length - 1, work.depth - 1, -1):
        mark_played(work, options, np.int64(work.line[t]), (first + t) & 1)


@kernel(inline=True, private=True)
def mark_played(work, options, slot, colour):
    """Credit `slot` to `colour` for RAVE, unless it is untracked. Moves are marked from the last to the first.

    A move counts if its own side has not played it earlier after the node             [GellySilver2011, Algorithm 2]
    and with `rave_first_either` if neither side has: the opponent's credit for the same point is removed
                                                                                       [GellySilver2007, section 6]
    """
    if slot != options.untracked_slot:
        work.played[colour, slot] = f32(1.0)
        if options.rave_first_either:
            work.played[1 - colour, slot] = f32(0.0)


@kernel(private=True)
def add_rave(row, played, result):
    """m(s,a) <- m(s,a) + 1,  Q~(s,a) <- Q~(s,a) + (R - Q~(s,a)) / m(s,a)               [GellySilver2007, section 6]

    for every later move a of the side to move that counts: those marked 1 in `played`.
    """
    for i in range(row.rave_visits.size):
        row.rave_visits[i] += played[i]
        row.rave_wins[i] += played[i] * f32(result)


@on_gpu(add_rave)
@kernel(private=True)
def add_rave_on_gpu(row, played, result):
    """Like `add_rave`, for a single thread or for the lanes of a warp."""
    if lanes() > 1:
        add_rave_by_lanes(row, played, result)
    else:
        add_rave_by_fours(row, played, result)


@kernel(inline=True, private=True)
def add_rave_by_lanes(row, played, result):
    """Like `add_rave`: each lane adds to every 32nd slot."""
    for i in range(lane(), row.rave_visits.size, lanes()):
        row.rave_visits[i] += played[i]
        row.rave_wins[i] += played[i] * f32(result)
    join_lanes()


@kernel(inline=True, private=True)
def add_rave_by_fours(row, played, result):
    """Like `add_rave`, with the reads of several slots under way at once."""
    won = f32(result)
    for i in range(0, row.rave_visits.size, 4):
        a, b, c, d = four_at(played, i)
        add_to_four(row.rave_visits, i, a, b, c, d)
        add_to_four(row.rave_wins, i, a * won, b * won, c * won, d * won)


@kernel(inline=True, private=True)
def add_to_four(vector, i, a, b, c, d):
    """Add four numbers to the elements of a vector from index `i` on."""
    e, f, g, h = four_at(vector, i)
    put_four(vector, i, e + a, f + b, g + c, h + d)
