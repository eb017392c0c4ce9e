"""The records of a Go board: points, chains and liberties, and the additional fields of tactical records.

A point is a number: (row + 1) * stride + column + 1, rows from the bottom and columns from the left, both from 0. Each
row ends in one wall point, which is also the wall to the left of the next row. Point 0, never on the board, is the
pass. Black is 0, White is 1, an empty point 2, a wall 3.

The same source serves two kinds of record, distinguished by the verb `liberty` and the verbs for notes below:
- LIGHT keeps for each chain the number of its pseudo-liberties (a liberty counts once for each stone that touches it);
- TACTICAL keeps their number, sum and sum of squares in one word. A chain is in atari exactly if all its
  pseudo-liberties are one point, that is if count * squares == sum * sum, and that point is then sum / count.
  It also keeps lists of the chains in atari, and the colours around each point as one number for pattern tables.
It also serves every board size: the common sizes have their own records, in which the stride is a compile-time
constant; the others share a record with a field for it.
"""

import numpy as np

from tengen.jit import kernel, record, trailing_zeros, verb

u64 = np.uint64

BLACK, WHITE, EMPTY, WALL = u64(0), u64(1), u64(2), u64(3)
PASS = u64(0)
U0, U1, U2, U3, U4, U5, U6, U7, U8 = (u64(n) for n in range(9))
U10, U12, U14, U15, U32, U63 = (u64(n) for n in (10, 12, 14, 15, 32, 63))
ONE_EMPTY = u64(0x100)
"""An empty neighbour in the packed neighbour count: Black's stones | White's << 4 | empty points << 8."""
ONE_WALL = u64(0x11)
"""A wall counts as a neighbour of both colours, so that a point surrounded by one colour has a count of 4."""
PLENTY = u64(0x4000)
"""The liberties of empty and wall points: each is a chain that can never be captured."""
COUNT_BITS, SUM_BITS = u64(0xFFF), u64(0xFFFFF)

COMMON_SIZES = (9, 13, 19)
LARGEST_SIZE = 25


def point_count(size: int) -> int:
    """Return the number of points of a board with walls, which is also the number of move slots."""
    return (size + 1) * (size + 2) + 1


def _board_record(name: str, size: int, own_stride: bool, tactical: bool) -> np.dtype:
    """Return the record type for a board of `size`, or, without `own_stride`, for any size up to it."""
    points = point_count(size)
    index = np.uint8 if points <= 256 else np.uint16
    liberties = np.uint64 if tactical else np.uint16
    knowledge = [
        ("around", np.uint64, (8,)),  # from a point to the eight around it, in the order of AROUND
        ("atari_count", np.uint32, (2,)),  # by colour: the length of the list in `atari`
        ("surroundings", np.uint16, (points,)),  # the colours of the eight points around: two bits each, see AROUND
        (
            "atari",
            index,
            (2, points),
        ),  # heads of all chains in atari, by colour; some entries may be stale: see `in_atari`
        ("listed", np.uint8, (points,)),  # the lists that contain a head: Black's 1, White's 2
        ("candidates", index, (points,)),  # scratch buffer for a list of moves
    ]
    return record(
        name,
        [
            ("komi", np.float64),
            ("offsets", np.uint64, (4,)),  # from a point to its neighbours: below, left, right, above
            ("liberties", liberties, (points,)),  # of the chain whose head this point is
            ("side", np.uint32),  # points along each edge
            ("stride", np.uint32),
            ("to_play", np.uint32),
            ("ko", np.uint32),  # the point where a ko may not be recaptured now, else 0
            ("last_move", np.uint32),  # 0 if it was a pass or there was none
            ("earlier_move", np.uint32),  # the one before the last move; playouts do not keep it
            ("passes", np.uint32),  # number of consecutive passes so far
            ("empty_count", np.uint32),
            ("suicide", np.uint32),  # 1 if it is allowed
            (
                "superko",
                np.uint32,
            ),  # forbidden repetitions: 0 none, 1 a board, 2 a board with the same side to move
            ("neighbours", np.uint16, (points,)),  # packed counts
            ("chain", index, (points,)),  # the head of the chain that a stone belongs to
            ("next", index, (points,)),  # the chain's stones as a ring
            ("chain_size", index, (points,)),  # stones in the chain, at its head
            ("empty", index, (size * size,)),  # the empty points, unordered
            ("where", index, (points,)),  # an empty point's index in `empty`
            ("colour", np.uint8, (points,)),
            ("own_stride", np.uint8, (size + 1 if own_stride else 1,)),  # its length is known at compile time
            *(knowledge if tactical else []),
        ],
    )


def _records(kind: str, tactical: bool) -> dict[int, np.dtype]:
    own = {size: _board_record(f"go_{kind}_{size}", size, True, tactical) for size in COMMON_SIZES}
    shared = _board_record(f"go_{kind}_any", LARGEST_SIZE, False, tactical)
    return {size: own.get(size, shared) for size in range(1, LARGEST_SIZE + 1)}


LIGHT = _records("light", tactical=False)
TACTICAL = _records("tactical", tactical=True)
LIGHT_RECORDS = [*dict.fromkeys(LIGHT.values())]
TACTICAL_RECORDS = [*dict.fromkeys(TACTICAL.values())]


def implements(rule):
    """Register one kernel as the body of a verb of the interface for every Go record."""

    def register(body):
        for state_record in LIGHT_RECORDS + TACTICAL_RECORDS:
            rule.implement(state_record)(body)
        return body

    return register


# --- Liberties -------------------------------------------------------------------------------------------------------


@verb
def liberty(state, point):
    """Return the contribution of one pseudo-liberty at a point to the liberties of a chain."""


@kernel(inline=True)
def counted_liberty(state, point):
    return U1


@kernel(inline=True)
def located_liberty(state, point):
    """Count (12 bits) | sum of points (20) | sum of their squares (32)"""
    return U1 | (point << U12) | ((point * point) << U32)


for _light in LIGHT_RECORDS:
    liberty.implement(_light)(counted_liberty)
for _tactical in TACTICAL_RECORDS:
    liberty.implement(_tactical)(located_liberty)


@kernel(inline=True)
def in_atari(liberties):
    """Whether a chain with these liberties, of a TACTICAL record, has exactly one."""
    total = (liberties >> U12) & SUM_BITS
    return (liberties & COUNT_BITS) * (liberties >> U32) == total * total


@kernel(inline=True)
def last_liberty(liberties):
    """Return the last liberty of a chain in atari, from the liberties of a TACTICAL record."""
    return ((liberties >> U12) & SUM_BITS) // (liberties & COUNT_BITS)


# --- Points ----------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def stride_of(state):
    """Return the distance from a point to the one above it; a compile-time constant for the common sizes."""
    if state.own_stride.size > 1:
        return u64(state.own_stride.size)
    return u64(state.stride)


@kernel(inline=True)
def one_stone(colour):
    """Return the value of one stone of a colour in the packed neighbour count."""
    return U1 << (colour << U2)


@kernel(inline=True)
def neighbours_of_colour(packed, colour):
    """Return the number of neighbours that are stones of a colour or walls, from the packed neighbour count."""
    return (packed >> (colour << U2)) & U15


@kernel(inline=True)
def add_to_neighbours(state, point, packed):
    """Add `packed` to the packed neighbour counts of the four neighbours of a point."""
    w = stride_of(state)
    state.neighbours[point - w] = u64(state.neighbours[point - w]) + packed
    state.neighbours[point - U1] = u64(state.neighbours[point - U1]) + packed
    state.neighbours[point + U1] = u64(state.neighbours[point + U1]) + packed
    state.neighbours[point + w] = u64(state.neighbours[point + w]) + packed


@kernel(inline=True)
def add_to_liberties(state, point, liberties):
    """Add `liberties` to the chains of the four neighbours of a point, once for each neighbour."""
    w = stride_of(state)
    i = u64(state.chain[point - w])
    state.liberties[i] = u64(state.liberties[i]) + liberties
    i = u64(state.chain[point - U1])
    state.liberties[i] = u64(state.liberties[i]) + liberties
    i = u64(state.chain[point + U1])
    state.liberties[i] = u64(state.liberties[i]) + liberties
    i = u64(state.chain[point + w])
    state.liberties[i] = u64(state.liberties[i]) + liberties


@kernel(inline=True)
def liberties_at(state, point):
    """Return the liberties of a point's chain."""
    return u64(state.liberties[u64(state.chain[point])])


# --- Additional fields of tactical records ----------------------------------------------------------------------------


@verb
def clear_notes(state):
    """Reset the tactical fields for a board of walls only."""


@verb
def note_colour(state, point, change):
    """Update the tactical fields after a point's colour has changed by `change`."""


@verb
def note_place(state, point, place):
    """Store the new index of a point in the list of empty points, in records that need it during playouts."""


@verb
def note_ataris(state, point, colour):
    """After a move, list the chains that are now in atari; return whether an enemy chain is among them."""


@kernel(inline=True)
def nothing_to_clear(state):
    pass


@kernel(inline=True)
def nothing_to_note(state, point, value):
    return False


for _light in LIGHT_RECORDS:
    clear_notes.implement(_light)(nothing_to_clear)
    for _note in (note_colour, note_place, note_ataris):
        _note.implement(_light)(nothing_to_note)

AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
"""The eight points around a point as steps (up, right), in the order of their bits in `surroundings`, lowest first."""


@kernel(inline=True)
def clear_tactics(state):
    for i in range(state.surroundings.size):
        state.surroundings[i], state.listed[i] = 0xFFFF, 0
    state.atari_count[0], state.atari_count[1] = 0, 0
    w = stride_of(state)
    state.around[0], state.around[1], state.around[2] = U0 - w - U1, U0 - w, U1 - w
    state.around[3], state.around[4] = U0 - U1, U1
    state.around[5], state.around[6], state.around[7] = w - U1, w, w + U1


@kernel(inline=True)
def add_to_surroundings(state, point, value):
    state.surroundings[point] = u64(state.surroundings[point]) + value


@kernel(inline=True)
def change_surroundings(state, point, change):
    """Seen from the k-th point around it, a point is the (7 - k)-th."""
    w = stride_of(state)
    add_to_surroundings(state, point - w - U1, change << U14)
    add_to_surroundings(state, point - w, change << U12)
    add_to_surroundings(state, point - w + U1, change << U10)
    add_to_surroundings(state, point - U1, change << U8)
    add_to_surroundings(state, point + U1, change << U6)
    add_to_surroundings(state, point + w - U1, change << U4)
    add_to_surroundings(state, point + w, change << U2)
    add_to_surroundings(state, point + w + U1, change)


@kernel(inline=True)
def keep_place(state, point, place):
    state.where[point] = place


@kernel(inline=True)
def list_atari(state, point, colour):
    """Add the chain at a point to the list of its colour's chains in atari."""
    head, bit = u64(state.chain[point]), U1 << colour
    listed = u64(state.listed[head])
    if listed & bit == U0:
        state.listed[head] = listed | bit
        state.atari[colour, u64(state.atari_count[colour])] = head
        state.atari_count[colour] += np.uint32(1)


@kernel(inline=True)
def is_in_atari(state, point, colour):
    """Whether a point has a stone of a colour whose chain is in atari."""
    return (u64(state.colour[point]) == colour) & in_atari(liberties_at(state, point))


@kernel(inline=True)
def neighbours_in_atari(state, point, colour):
    """Return which of the four neighbours are stones of a colour in atari, as four bits in the order of `offsets`."""
    w = stride_of(state)
    return (
        u64(is_in_atari(state, point - w, colour))
        | (u64(is_in_atari(state, point - U1, colour)) << U1)
        | (u64(is_in_atari(state, point + U1, colour)) << U2)
        | (u64(is_in_atari(state, point + w, colour)) << U3)
    )


@kernel(inline=True)
def list_ataris(state, point, colour):
    """List the new ataris: only chains beside the new stone, and its own chain, can come into atari."""
    enemies = neighbours_in_atari(state, point, colour ^ U1)
    own = is_in_atari(state, point, colour)
    if (enemies == U0) & (not own):
        return False
    if own:
        list_atari(state, point, colour)
    threat = enemies != U0
    while enemies != U0:
        list_atari(state, point + state.offsets[trailing_zeros(enemies)], colour ^ U1)
        enemies &= enemies - U1
    return threat


for _tactical in TACTICAL_RECORDS:
    clear_notes.implement(_tactical)(clear_tactics)
    note_colour.implement(_tactical)(change_surroundings)
    note_place.implement(_tactical)(keep_place)
    note_ataris.implement(_tactical)(list_ataris)
