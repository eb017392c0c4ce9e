"""Kernels for the effects of a move on the chains around it: captures, ataris, self-ataris and saving moves.

They need TACTICAL records, which list the chains in atari and their last liberties.
"""

from tengen.games.go.go_board import liberties_around, only_if, own_neighbours
from tengen.games.go.go_record import (
    COUNT_BITS,
    EMPTY,
    LIGHT_RECORDS,
    ONE_EMPTY,
    TACTICAL_RECORDS,
    U0,
    U1,
    U2,
    U3,
    U8,
    WALL,
    add_to_liberties,
    in_atari,
    is_in_atari,
    last_liberty,
    liberty,
    neighbours_in_atari,
    stride_of,
    u64,
)
from tengen.jit import kernel, population, trailing_zeros, verb

OPEN = u64(0xAAAA)
"""The surroundings of a point with eight empty points around it."""

NEIGHBOURS = u64(0x1144)
"""The lower bits of the four neighbours in the surroundings of a point."""

# --- One move --------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def captured_neighbours(state, point, colour):
    """Return which of the four neighbours a stone of a colour would capture, as four bits in the order of `offsets`.

    An enemy chain in atari beside an empty point has no liberty other than this point.
    """
    return neighbours_in_atari(state, point, colour ^ U1)


@kernel(inline=True, private=True)
def distinct_heads(state, point, colour):
    """Return the heads of the different chains of a colour around a point: four numbers, padded with 0."""
    w = stride_of(state)
    below = only_if(u64(state.colour[point - w]) == colour, u64(state.chain[point - w]))
    left = only_if(u64(state.colour[point - U1]) == colour, u64(state.chain[point - U1]))
    right = only_if(u64(state.colour[point + U1]) == colour, u64(state.chain[point + U1]))
    above = only_if(u64(state.colour[point + w]) == colour, u64(state.chain[point + w]))
    left = only_if(left != below, left)
    right = only_if((right != below) & (right != left), right)
    above = only_if((above != below) & (above != left) & (above != right), above)
    return below, left, right, above


@kernel(inline=True, private=True)
def liberties_of(state, head):
    """Return the liberties of the chain with this head; 0 if `head` is 0."""
    return only_if(head != U0, u64(state.liberties[head]))


@kernel(inline=True, private=True)
def liberties_after(state, point, colour):
    """Return the liberties of a stone with the chains that it joins, without those gained by captures."""
    below, left, right, above = distinct_heads(state, point, colour)
    joined = liberties_of(state, below) + liberties_of(state, left)
    joined += liberties_of(state, right) + liberties_of(state, above)
    touching = population(own_neighbours(state, point, colour))
    return joined - touching * liberty(state, point) + liberties_around(state, point)


@kernel(inline=True, private=True)
def touches_own(state, point, a, b, c, d):
    """Whether a point is beside a stone of one of the chains with these heads."""
    w = stride_of(state)
    found = False
    for neighbour in (point - w, point - U1, point + U1, point + w):
        head = u64(state.chain[neighbour])
        found |= (head == a) | (head == b) | (head == c) | (head == d)
    return found


@kernel(private=True)
def frees_only(state, point, captured, colour):
    """Whether a stone gains only one liberty, the neighbour's point, by capturing the neighbour's chain.

    Precondition: the stone and the chains that it joins have no other liberty, and no other neighbour is captured.
    """
    below, left, right, above = distinct_heads(state, point, colour)
    stone = u64(state.next[captured])
    while stone != captured:
        if touches_own(state, stone, below, left, right, above):
            return False
        stone = u64(state.next[stone])
    return True


@kernel(inline=True)
def is_self_atari(state, point, colour):
    """Whether a stone on an empty point would belong to a chain with at most one liberty."""
    if u64(state.neighbours[point]) >= ONE_EMPTY + ONE_EMPTY:
        return False
    liberties = liberties_after(state, point, colour)
    if not in_atari(liberties):
        return False
    captured = captured_neighbours(state, point, colour)
    if captured == U0:
        return True
    if liberties != U0 or captured & (captured - U1) != U0:
        return False
    return frees_only(state, point, point + state.offsets[trailing_zeros(captured)], colour)


@verb
def risks(state, point, colour, stones):
    """Whether a move is a self-atari of `stones` or more stones; always False for LIGHT records."""


@kernel(inline=True, private=True)
def cannot_tell(state, point, colour, stones):
    return False


@kernel(inline=True, private=True)
def risks_chain(state, point, colour, stones):
    return is_self_atari(state, point, colour) and (stones < 2 or stones_after(state, point, colour) >= u64(stones))


@kernel(private=True)
def stones_after(state, point, colour):
    """Return the size of the chain that a stone on a point would belong to."""
    count = U1
    for head in distinct_heads(state, point, colour):
        count += only_if(head != U0, u64(state.chain_size[head]))
    return count


for _light in LIGHT_RECORDS:
    risks.implement(_light)(cannot_tell)
for _tactical in TACTICAL_RECORDS:
    risks.implement(_tactical)(risks_chain)


@kernel(inline=True)
def gives_atari(state, point, colour):
    """Whether a stone of a colour would leave an adjacent enemy chain with one liberty.

    Checked by removing the point from the liberties of the chains around it; captured chains were in atari before.
    """
    before = captured_neighbours(state, point, colour)
    add_to_liberties(state, point, U0 - liberty(state, point))
    after = captured_neighbours(state, point, colour)
    add_to_liberties(state, point, liberty(state, point))
    return after != before


@kernel(inline=True)
def captures_several(state, point, captured):
    """Whether the captured neighbours, as four bits, are more than one stone in total."""
    neighbour = point + state.offsets[trailing_zeros(captured)]
    return captured & (captured - U1) != U0 or state.chain_size[u64(state.chain[neighbour])] > 1


# --- Chains with two liberties ---------------------------------------------------------------------------------------


@kernel(inline=True, private=True)
def touching_stones(state, point, head):
    """Return the number of the four neighbours that are stones of the chain with this head."""
    w = stride_of(state)
    touching = u64(u64(state.chain[point - w]) == head) + u64(u64(state.chain[point - U1]) == head)
    return touching + u64(u64(state.chain[point + U1]) == head) + u64(u64(state.chain[point + w]) == head)


@kernel(inline=True, private=True)
def empty_neighbour(state, point):
    """Return an empty neighbour of a point that has one, from the colours around it."""
    around = u64(state.surroundings[point])
    empty = (around >> U1) & ~around & NEIGHBOURS
    return point + state.around[trailing_zeros(empty) >> U1]


@kernel(inline=True, private=True)
def any_liberty(state, head):
    """Return a liberty of the chain with this head, which must have one."""
    stone = head
    while u64(state.neighbours[stone]) < ONE_EMPTY:
        stone = u64(state.next[stone])
    return empty_neighbour(state, stone)


@kernel(inline=True, private=True)
def may_have_two_liberties(state, head):
    """Quick necessary check: two points touch at most eight stones, and of a chain of one or two stones, one each."""
    touching = u64(state.liberties[head]) & COUNT_BITS
    return touching == U2 or (touching <= U8 and u64(state.chain_size[head]) > U2)


@kernel
def two_liberties(state, head):
    """Return both liberties of a chain that has exactly two; else two zeros."""
    if not may_have_two_liberties(state, head) or in_atari(u64(state.liberties[head])):
        return U0, U0
    first = any_liberty(state, head)
    others = u64(state.liberties[head]) - touching_stones(state, first, head) * liberty(state, first)
    return (first, last_liberty(others)) if in_atari(others) else (U0, U0)


@kernel(private=True)
def gains_liberties(state, point, kept, head):
    """Whether a chain with the liberties `point` and `kept` would have three or more with a stone of its own on one.

    Liberties gained by captures are not counted.
    """
    colour = u64(state.colour[head])
    below, left, right, above = distinct_heads(state, point, colour)
    w = stride_of(state)
    touching = u64(0)
    for neighbour in (kept - w, kept - U1, kept + U1, kept + w):
        chain = u64(state.chain[neighbour])
        touching += u64((neighbour == point) | (chain == below) | (chain == left) | (chain == right) | (chain == above))
    return not in_atari(liberties_after(state, point, colour) - touching * liberty(state, kept))


# --- Lists of moves --------------------------------------------------------------------------------------------------


@kernel(inline=True, private=True)
def add_candidate(state, point, count):
    """Append a move to the list of `count` moves in `candidates` unless it is there; return the new count."""
    for i in range(count):
        if u64(state.candidates[i]) == point:
            return count
    state.candidates[count] = point
    return count + U1


@kernel
def saving_moves(state, last, colour):
    """Write the moves that save a chain beside the last move from atari to `candidates`; return their number.

    A chain is saved by an extension on its last liberty, if it then has two or more, counting captures there; or by
    capturing an adjacent chain elsewhere.                                    [Fuego 0.4.1: atari defence]
    """
    count = U0
    for head in distinct_heads(state, last, colour):
        if head != U0 and in_atari(u64(state.liberties[head])):
            count = add_saving_moves(state, head, colour, count)
    return count


@kernel(inline=True, private=True)
def add_saving_moves(state, head, colour, count):
    """Append the moves that save the chain with this head to the list in `candidates`; return the new count."""
    extension = last_liberty(u64(state.liberties[head]))
    if not is_self_atari(state, extension, colour):
        count = add_candidate(state, extension, count)
    return add_captures_beside(state, head, colour, extension, count)


@kernel(inline=True, private=True)
def add_captures_beside(state, head, colour, extension, count):
    """Append captures of chains adjacent to the chain with this head, except on `extension`; return the new count."""
    enemy = colour ^ U1
    for i in range(state.atari_count[enemy]):
        other = u64(state.atari[enemy, i])
        if is_listed_chain(state, other, enemy):
            capture = last_liberty(u64(state.liberties[other]))
            if capture != extension and are_beside(state, head, other):
                count = add_candidate(state, capture, count)
    return count


@kernel(inline=True, private=True)
def capture_of(state, point):
    """Write the move that captures a stone's chain, if it is in atari, to `candidates`; return their number."""
    liberties = u64(state.liberties[u64(state.chain[point])])
    return add_candidate(state, last_liberty(liberties), U0) if in_atari(liberties) else U0


@kernel(inline=True, private=True)
def is_listed_chain(state, head, colour):
    """Whether an entry in the list of a colour's chains in atari is still valid."""
    return (u64(state.chain[head]) == head) & is_in_atari(state, head, colour)


@kernel(private=True)
def are_beside(state, a, b):
    """Whether two chains, given by their heads, touch each other."""
    if state.chain_size[a] > state.chain_size[b]:
        a, b = b, a
    stone = a
    while True:
        if touching_stones(state, stone, b) != U0:
            return True
        stone = u64(state.next[stone])
        if stone == a:
            return False


@kernel
def capturing_moves(state, colour):
    """Write the capturing moves to `candidates`; return their number."""
    enemy = colour ^ U1
    count = U0
    for i in range(state.atari_count[enemy]):
        head = u64(state.atari[enemy, i])
        if is_listed_chain(state, head, enemy):
            count = add_candidate(state, last_liberty(u64(state.liberties[head])), count)
    return count


@kernel
def two_liberty_moves(state, last, colour):
    """Write the moves that attack or defend chains with two liberties to `candidates`; return their number.

    The last move's chain is attacked, own chains beside it are defended: on the liberties by which the chain would get
    three or more, unless that is self-atari.                                    [Fuego 0.4.1: low liberty moves]
    """
    count = add_two_liberty_moves(state, u64(state.chain[last]), colour, U0)
    for head in distinct_heads(state, last, colour):
        if head != U0:
            count = add_two_liberty_moves(state, head, colour, count)
    return count


@kernel(private=True)
def add_two_liberty_moves(state, head, colour, count):
    """Append the liberties that decide the chain with this head, if it has exactly two; return the new count."""
    first, second = two_liberties(state, head)
    if first == U0:
        return count
    if gains_liberties(state, first, second, head) and not is_self_atari(state, first, colour):
        count = add_candidate(state, first, count)
    if gains_liberties(state, second, first, head) and not is_self_atari(state, second, colour):
        count = add_candidate(state, second, count)
    return count


# --- Places ----------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def line_of(state, point):
    """Return the line of a point, its distance from the nearest edge: 1 on the edge."""
    w = stride_of(state)
    row, column = point // w, point % w
    return min(min(row, w - row), min(column, w - column))


@kernel(inline=True, private=True)
def is_lonely(state, point):
    """Whether none of the eight points around a point is a stone; empty and wall points have the higher bit set."""
    return u64(state.surroundings[point]) & OPEN == OPEN


@kernel
def mark_common_fate(state, point, reach, marks):
    """Add to `marks` the distance from a stone, up to `reach`, in the common fate graph.

    In this graph a chain is a single node.                                 [Graepel et al. 2001]
    The stone's own chain gets no mark. Uses `candidates`.
    """
    start = u64(state.chain[point])
    count = visit_chain(state, start, U0)
    first = U0
    for distance in range(1, reach + 1):
        end = count
        while first < end:
            here = u64(state.candidates[first])
            first += U1
            for k in range(4):
                neighbour = here + state.offsets[k]
                head = u64(state.chain[neighbour])
                if u64(state.colour[neighbour]) != WALL and head != start and u64(marks[neighbour]) & U3 == U0:
                    before = count
                    count = visit_chain(state, head, count)
                    while before < count:
                        marks[u64(state.candidates[before])] += distance
                        before += U1


@kernel(inline=True, private=True)
def visit_chain(state, head, count):
    """Append the stones of a chain, or an empty point, to the list in `candidates`; return the new count."""
    stone = head
    while True:
        state.candidates[count] = stone
        count += U1
        if u64(state.colour[head]) == EMPTY:
            return count
        stone = u64(state.next[stone])
        if stone == head:
            return count
