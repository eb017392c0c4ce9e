"""Kernels for the rules of Go: the empty board, moves with captures and ko, whole boards and their hashes."""

import numpy as np

from tengen.games import interface
from tengen.games.go.go_record import (
    EMPTY,
    LARGEST_SIZE,
    ONE_EMPTY,
    ONE_WALL,
    PASS,
    PLENTY,
    U0,
    U1,
    U2,
    U3,
    U4,
    WALL,
    add_to_liberties,
    add_to_neighbours,
    clear_notes,
    implements,
    liberties_at,
    liberty,
    neighbours_of_colour,
    note_ataris,
    note_colour,
    one_stone,
    point_count,
    stride_of,
    u64,
)
from tengen.jit import kernel, table, trailing_zeros
from tengen.rng import mix_integer


@kernel
def reset(state, size, komi, suicide, superko):
    """Set a state to the empty board, Black to move."""
    stride = size + 1
    state.side, state.stride, state.komi = size, stride, komi
    state.suicide, state.superko = suicide, superko
    state.to_play, state.ko, state.passes, state.last_move, state.earlier_move = 0, 0, 0, 0, 0
    state.offsets[0], state.offsets[1] = U0 - u64(stride), U0 - U1
    state.offsets[2], state.offsets[3] = U1, u64(stride)
    for i in range(state.colour.size):
        state.colour[i], state.neighbours[i], state.chain_size[i] = 3, 0, 0
        state.chain[i], state.next[i], state.liberties[i], state.where[i] = i, i, PLENTY, 0
    clear_notes(state)
    count = 0
    for row in range(size):
        for column in range(size):
            point = (row + 1) * stride + column + 1
            state.colour[point] = 2
            note_colour(state, u64(point), EMPTY - WALL)
            state.empty[count] = point
            state.where[point] = count
            count += 1
    state.empty_count = count
    for i in range(count):
        point = u64(state.empty[i])
        packed = U0
        for k in range(4):
            is_wall = u64(state.colour[point + state.offsets[k]]) == WALL
            packed += ONE_WALL if is_wall else ONE_EMPTY
        state.neighbours[point] = packed


# --- Playing ---------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def saves_or_captures(state, neighbour, colour):
    """After a liberty was removed: whether the neighbour is an own chain with liberties, or an enemy chain without."""
    owner = u64(state.colour[neighbour])
    taken = liberties_at(state, neighbour) == U0
    return ((owner == colour) & (not taken)) | ((owner == (colour ^ U1)) & taken)


@kernel(inline=True)
def is_suicide(state, point, colour):
    """Whether a stone on a point without empty neighbours is suicide; the point's liberties are already removed."""
    w = stride_of(state)
    return not (
        saves_or_captures(state, point - w, colour)
        | saves_or_captures(state, point - U1, colour)
        | saves_or_captures(state, point + U1, colour)
        | saves_or_captures(state, point + w, colour)
    )


@kernel(inline=True)
def occupy(state, point, empty_count):
    """Remove a point from the list of empty points, filling the gap with the last one; return the new length."""
    empty_count -= U1
    i, last = u64(state.where[point]), u64(state.empty[empty_count])
    state.empty[i], state.where[last] = last, i
    return empty_count


@kernel
def remove_chain(state, head, colour, empty_count):
    """Remove a chain from the board, appending its points to the list of empty points; return the new length."""
    change = ONE_EMPTY - one_stone(colour)
    point = head
    while True:
        state.colour[point] = EMPTY
        note_colour(state, point, EMPTY - colour)
        state.where[point] = empty_count
        state.empty[empty_count] = point
        empty_count += U1
        add_to_neighbours(state, point, change)
        add_to_liberties(state, point, liberty(state, point))
        following = u64(state.next[point])
        state.chain[point] = point
        point = following
        if point == head:
            break
    state.liberties[head] = PLENTY
    return empty_count


@kernel(inline=True)
def capture(state, neighbour, colour, empty_count):
    """Remove the neighbour's chain if it has this colour and no liberties; return the new number of empty points."""
    if u64(state.colour[neighbour]) == colour and liberties_at(state, neighbour) == U0:
        empty_count = remove_chain(state, u64(state.chain[neighbour]), colour, empty_count)
    return empty_count


@kernel(inline=True)
def merge(state, a, b):
    """Merge two chains under the head of the larger; return this head."""
    if state.chain_size[a] < state.chain_size[b]:
        a, b = b, a
    state.liberties[a] = u64(state.liberties[a]) + u64(state.liberties[b])
    state.chain_size[a] = u64(state.chain_size[a]) + u64(state.chain_size[b])
    stone = b
    while True:
        state.chain[stone] = a
        stone = u64(state.next[stone])
        if stone == b:
            break
    after_a = u64(state.next[a])
    state.next[a], state.next[b] = state.next[b], after_a
    state.liberties[b] = PLENTY
    return a


@kernel(inline=True)
def only_if(condition, word):
    """Return `word` if `condition` holds, else 0, without a branch, since it would often be mispredicted."""
    return word & (U0 - u64(condition))


@kernel(inline=True)
def liberties_around(state, point):
    """Return the liberties of a single stone on a point."""
    w = stride_of(state)
    liberties = only_if(u64(state.colour[point - w]) == EMPTY, liberty(state, point - w))
    liberties += only_if(u64(state.colour[point - U1]) == EMPTY, liberty(state, point - U1))
    liberties += only_if(u64(state.colour[point + U1]) == EMPTY, liberty(state, point + U1))
    liberties += only_if(u64(state.colour[point + w]) == EMPTY, liberty(state, point + w))
    return liberties


@kernel(inline=True)
def own_neighbours(state, point, colour):
    """Return which of the four neighbours are stones of a colour, as four bits in the order of `offsets`."""
    w = stride_of(state)
    return (
        u64(u64(state.colour[point - w]) == colour)
        | (u64(u64(state.colour[point - U1]) == colour) << U1)
        | (u64(u64(state.colour[point + U1]) == colour) << U2)
        | (u64(u64(state.colour[point + w]) == colour) << U3)
    )


@kernel(inline=True)
def connect(state, point, colour):
    """Set the chain of a new stone: its own, or the merged chains of its neighbours."""
    liberties = liberties_around(state, point)
    own = own_neighbours(state, point, colour)
    if own == U0:
        state.chain[point], state.next[point] = point, point
        state.chain_size[point], state.liberties[point] = 1, liberties
        return
    head = u64(state.chain[point + state.offsets[trailing_zeros(own)]])
    state.chain[point], state.next[point], state.next[head] = head, state.next[head], point
    state.liberties[head] = u64(state.liberties[head]) + liberties
    state.chain_size[head] = u64(state.chain_size[head]) + U1
    own &= own - U1
    while own != U0:
        other = u64(state.chain[point + state.offsets[trailing_zeros(own)]])
        if other != head:
            head = merge(state, head, other)
        own &= own - U1


@kernel(inline=True)
def place(state, point, colour, empty_count):
    """Put a stone on a point already removed from the empty points and from its neighbours' liberties, and capture.

    Returns (number of empty points, ko point or 0).
    """
    w = stride_of(state)
    enemy = colour ^ U1
    packed = u64(state.neighbours[point])
    state.colour[point] = colour
    note_colour(state, point, colour - EMPTY)
    add_to_neighbours(state, point, one_stone(colour) - ONE_EMPTY)
    connect(state, point, colour)
    ko = U0
    if (
        (liberties_at(state, point - w) == U0)
        | (liberties_at(state, point - U1) == U0)
        | (liberties_at(state, point + U1) == U0)
        | (liberties_at(state, point + w) == U0)
    ):
        before = empty_count
        empty_count = capture(state, point - w, enemy, empty_count)
        empty_count = capture(state, point - U1, enemy, empty_count)
        empty_count = capture(state, point + U1, enemy, empty_count)
        empty_count = capture(state, point + w, enemy, empty_count)
        if neighbours_of_colour(packed, enemy) == U4 and empty_count == before + U1:
            ko = u64(state.empty[before])
    return empty_count, ko


@implements(interface.play)
@kernel
def play(state, move):
    point, colour = u64(move), u64(state.to_play)
    state.to_play, state.earlier_move, state.last_move = colour ^ U1, state.last_move, point
    if point == PASS:
        state.ko = 0
        state.passes += np.uint32(1)
        return
    add_to_liberties(state, point, U0 - liberty(state, point))
    empty_count = occupy(state, point, u64(state.empty_count))
    empty_count, ko = place(state, point, colour, empty_count)
    if liberties_at(state, point) == U0:  # suicide, if it is allowed
        empty_count = remove_chain(state, u64(state.chain[point]), colour, empty_count)
    note_ataris(state, point, colour)
    state.empty_count, state.ko, state.passes = empty_count, ko, 0


@implements(interface.is_over)
@kernel(inline=True)
def is_over(state):
    return state.passes >= 2


@implements(interface.is_legal)
@kernel
def is_legal(state, move):
    point = u64(move)
    if point == PASS:
        return not is_over(state)
    if point >= u64(state.colour.size) or u64(state.colour[point]) != EMPTY:
        return False
    if is_over(state) or point == u64(state.ko):
        return False
    if u64(state.neighbours[point]) >= ONE_EMPTY or state.suicide != 0:
        return True
    one = liberty(state, point)
    add_to_liberties(state, point, U0 - one)
    suicide = is_suicide(state, point, u64(state.to_play))
    add_to_liberties(state, point, one)
    return not suicide


@implements(interface.legal_moves)
@kernel
def legal_moves(state, moves):
    count = 0
    if is_over(state):
        return count
    for i in range(state.empty_count):
        if is_legal(state, state.empty[i]):
            moves[count] = state.empty[i]
            count += 1
    moves[count] = PASS
    return count + 1


# --- Whole boards ----------------------------------------------------------------------------------------------------


@implements(interface.situation)
@kernel
def situation(state):
    """Hash the board (positional superko), or the board and the side to move (situational superko)."""
    if state.superko == 0:
        return U0
    stones = board_hash(state)
    return stones ^ u64(state.to_play) if state.superko == 2 else stones


EMPTY_HASH = u64(mix_integer(0x7E46E4))
"""Not 0, which means that repetitions are allowed."""
STONE_HASHES = table(
    [[mix_integer(2 * p + colour) for p in range(point_count(LARGEST_SIZE))] for colour in (1, 2)], np.uint64
)


@kernel
def board_hash(state):
    """Return a hash of the stones on the board, independent of the rest of the state."""
    total = EMPTY_HASH
    for p in range(state.colour.size):
        total ^= STONE_HASHES[0, p] if state.colour[p] == 0 else U0
        total ^= STONE_HASHES[1, p] if state.colour[p] == 1 else U0
    return total


@kernel
def situations_after(states, moves, count, situations):
    """Write the superko hash after each of `moves` in states[0] to `situations`. Uses states[1] as scratch."""
    for i in range(count):
        states[1] = states[0]
        play(states[1], moves[i])
        situations[i] = situation(states[1])


@kernel
def set_up(state, colours):
    """Put the stones of a whole board on an empty one; return a point of a chain without liberties, or 0.

    `colours` has one colour per point number. Stones are placed without captures; a board with a chain without
    liberties is illegal.
    """
    empty_count = u64(state.empty_count)
    for number in range(colours.size):
        point, colour = u64(number), u64(colours[number])
        if colour < EMPTY:
            empty_count = occupy(state, point, empty_count)
            add_to_liberties(state, point, U0 - liberty(state, point))
            state.colour[point] = colour
            note_colour(state, point, colour - EMPTY)
            add_to_neighbours(state, point, one_stone(colour) - ONE_EMPTY)
            connect(state, point, colour)
    state.empty_count = empty_count
    dead = 0
    for number in range(colours.size):
        point, colour = u64(number), u64(state.colour[number])
        if colour < EMPTY:
            note_ataris(state, point, colour)
            if liberties_at(state, point) == U0:
                dead = number
    return dead
