"""Indigo's pseudo-random player: the probability of a move is proportional to its urgency.

The urgency of a point is the sum of the urgency of its pattern and, for each chain whose last liberty it is, an urgency
proportional to the size of the chain. Urgencies are whole numbers, so that sums are exact in any order.

Both colours' urgencies are packed into one word, Black's in the lower half and White's in the upper half: one addition
updates both. The sum of a half is at most MOST_URGENCY for each point of the board, so that it never overflows.
A point is drawn by the sums of rows: first its row, then its column.
"""

import numpy as np

from tengen.games.go.go_board import occupy, only_if, place
from tengen.games.go.go_record import (
    EMPTY,
    LARGEST_SIZE,
    PASS,
    U0,
    U1,
    U2,
    U3,
    U4,
    U8,
    in_atari,
    is_in_atari,
    last_liberty,
    neighbours_in_atari,
    point_count,
    stride_of,
    u64,
)
from tengen.games.go.playout import LENGTH_FACTOR, take_if_sensible
from tengen.jit import keep_alive, kernel, record, temporary_like, trailing_zeros, verb
from tengen.policies.playout import play_out
from tengen.rng import mix, scale

CODES, DISPOSITIONS = 3**8, 25
PATTERNS = DISPOSITIONS * CODES
"""Number of 3x3 patterns: codes of the surroundings times dispositions to the edge; see pattern_classes.py."""
MOST_URGENCY = 2**22
"""Largest urgency of a pattern, or of one stone of a chain in atari: 25 x 25 times it is below 2^32."""
HALF = u64(0xFFFFFFFF)
"""Mask of Black's half of a word."""
POINTS = point_count(LARGEST_SIZE)
ROWS = LARGEST_SIZE + 2

URGENCIES = record(
    "urgencies",
    [
        ("patterns", np.uint64, (POINTS,)),  # urgency of the pattern at each empty point, 0 elsewhere
        ("points", np.uint64, (POINTS,)),  # urgency of each empty point: its pattern and the chains in atari beside it
        ("rows", np.uint64, (ROWS,)),  # sums of `points` by row, where row = point // stride
        ("total", np.uint64),  # sum of `rows`
        ("counted", np.uint16, (POINTS,)),  # the last liberty where a chain in atari, by its head, is counted; else 0
        ("rejected", np.uint16, (POINTS,)),  # points drawn for this move that are not candidates
        ("hidden", np.uint64, (POINTS,)),  # their urgencies, which they lose until the move is chosen
    ],
)
POLICY_FIELDS = [
    ("chains", np.uint64, (2,)),  # urgency of one stone of a chain in atari, by the colour of the chain
    ("blank", URGENCIES, (1,)),  # never written to; defines the type of the scratch copy
]
"""Fields of the record of every policy by urgencies, besides `table`, by pattern: Black's urgency | White's << 32."""
URGENCY = record(
    "urgency",
    [
        *POLICY_FIELDS,
        ("bases", np.int32, (POINTS,)),  # from the code of a point's surroundings to its pattern: see pattern_classes
        ("table", np.uint64, (PATTERNS,)),
    ],
)


# --- Urgencies of points ---------------------------------------------------------------------------------------------

PAIRS, NIBBLES, BYTES = u64(0x3333), u64(0x0F0F), u64(0xFF)
U5, U9, U81 = u64(5), u64(9), u64(81)


@kernel(inline=True)
def base_3(surroundings):
    """Convert eight digits of two bits each to a number to base 3: sum_k d_k 3^k."""
    pairs = (surroundings & PAIRS) + U3 * ((surroundings >> U2) & PAIRS)
    quarters = (pairs & NIBBLES) + U9 * ((pairs >> U4) & NIBBLES)
    return (quarters & BYTES) + U81 * (quarters >> U8)


@verb
def pattern_at(policy, state, point):
    """Return the number of the pattern at an empty point, with Black to move: an index of `policy.table`."""


@verb
def refresh_far(policy, urgencies, state, point):
    """Update the patterns that include a point and are not around it."""


@verb
def note_atari(policy, urgencies, state, point):
    """Update the pattern at an empty point that is, or was, the last liberty of a chain, if it shows ataris."""


@pattern_at.implement(URGENCY)
@kernel(inline=True)
def square_at(policy, state, point):
    return u64(np.int64(policy.bases[point]) + np.int64(base_3(u64(state.surroundings[point]))))


@kernel(inline=True, private=True)
def refresh_pattern(policy, urgencies, state, point):
    """Update the urgency of the pattern at a point; return the change."""
    is_empty = u64(state.colour[point]) == EMPTY
    new = only_if(is_empty, policy.table[pattern_at(policy, state, point)])
    change = new - urgencies.patterns[point]
    urgencies.patterns[point] = new
    urgencies.points[point] += change
    return change


@kernel(inline=True, private=True)
def refresh_row(policy, urgencies, state, point):
    """Update the patterns at a point and at its left and right neighbours."""
    change = refresh_pattern(policy, urgencies, state, point - U1)
    change += refresh_pattern(policy, urgencies, state, point)
    change += refresh_pattern(policy, urgencies, state, point + U1)
    urgencies.rows[point // stride_of(state)] += change
    urgencies.total += change


@kernel(inline=True, private=True)
def refresh_around(policy, urgencies, state, point):
    """Update all patterns that include a point."""
    w = stride_of(state)
    refresh_row(policy, urgencies, state, point - w)
    refresh_row(policy, urgencies, state, point)
    refresh_row(policy, urgencies, state, point + w)
    refresh_far(policy, urgencies, state, point)


@refresh_far.otherwise
@note_atari.otherwise
@kernel(inline=True, private=True)
def nothing_to_refresh(policy, urgencies, state, point):
    pass


@kernel(inline=True, private=True)
def add_urgency(urgencies, state, point, change):
    """Add a word to the urgency of a point and to the sums."""
    urgencies.points[point] += change
    urgencies.rows[point // stride_of(state)] += change
    urgencies.total += change


# --- Chains in atari -------------------------------------------------------------------------------------------------


@kernel(inline=True, private=True)
def chain_urgency(policy, state, head, colour):
    """urgency = weight * stones, of a chain's last liberty                            [BouzyChaslot2006, section III.C]

    Both weights are in one word of `policy.chains`: escape for the chain's colour, capture for the other.
    """
    return policy.chains[colour] * u64(state.chain_size[head])


@kernel(inline=True, private=True)
def count_chain(policy, urgencies, state, stone, colour):
    """Count a stone's chain, which is in atari, at its last liberty, unless it is counted already."""
    head = u64(state.chain[stone])
    if urgencies.counted[head] == 0:
        point = last_liberty(u64(state.liberties[head]))
        urgencies.counted[head] = point
        add_urgency(urgencies, state, point, chain_urgency(policy, state, head, colour))
        note_atari(policy, urgencies, state, point)


@kernel(inline=True, private=True)
def discount_chain(policy, urgencies, state, stone, colour):
    """If a stone of `colour` belongs to a chain that is counted as in atari, remove its urgency."""
    head = u64(state.chain[stone])
    point = u64(urgencies.counted[head])
    if point != U0 and u64(state.colour[stone]) == colour:
        urgencies.counted[head] = 0
        add_urgency(urgencies, state, point, U0 - chain_urgency(policy, state, head, colour))
        note_atari(policy, urgencies, state, point)


@kernel(inline=True, private=True)
def count_new_ataris(policy, urgencies, state, point, colour):
    """Count the chains that came into atari by a stone: enemy chains beside it, and its own chain."""
    enemies = neighbours_in_atari(state, point, colour ^ U1)
    while enemies != U0:
        count_chain(policy, urgencies, state, point + state.offsets[trailing_zeros(enemies)], colour ^ U1)
        enemies &= enemies - U1
    if is_in_atari(state, point, colour):
        count_chain(policy, urgencies, state, point, colour)


@kernel(private=True)
def follow_captures(policy, urgencies, state, first, last, colour):
    """Update urgencies after captures by `colour`: empty points `first` to `last` of the list are the captured stones.

    Chains beside them that were in atari have more liberties now.
    """
    w = stride_of(state)
    for i in range(first, last):
        point = u64(state.empty[u64(i)])
        discount_chain(policy, urgencies, state, point - w, colour)
        discount_chain(policy, urgencies, state, point - U1, colour)
        discount_chain(policy, urgencies, state, point + U1, colour)
        discount_chain(policy, urgencies, state, point + w, colour)
        refresh_around(policy, urgencies, state, point)


# --- Following a game ------------------------------------------------------------------------------------------------


@kernel
def begin(policy, urgencies, state):
    """Compute all urgencies of a position."""
    w = stride_of(state)
    urgencies.total = U0
    for i in range(urgencies.rows.size):
        urgencies.rows[i] = U0
    for i in range(state.colour.size):
        urgencies.patterns[i], urgencies.points[i], urgencies.counted[i] = U0, U0, 0
    for i in range(state.empty_count):
        point = u64(state.empty[u64(i)])
        change = refresh_pattern(policy, urgencies, state, point)
        urgencies.rows[point // w] += change
        urgencies.total += change
    for i in range(state.colour.size):
        stone = u64(i)
        colour = u64(state.colour[stone])
        if colour < EMPTY and u64(state.chain[stone]) == stone and in_atari(u64(state.liberties[stone])):
            count_chain(policy, urgencies, state, stone, colour)


@kernel(inline=True)
def leave_point(urgencies, state, point):
    """Remove the urgency of a point that is about to be occupied. All chains counted there are beside it."""
    w = stride_of(state)
    urgencies.counted[u64(state.chain[point - w])] = 0
    urgencies.counted[u64(state.chain[point - U1])] = 0
    urgencies.counted[u64(state.chain[point + U1])] = 0
    urgencies.counted[u64(state.chain[point + w])] = 0
    add_urgency(urgencies, state, point, U0 - urgencies.points[point])
    urgencies.patterns[point] = U0


@kernel(inline=True)
def follow(policy, urgencies, state, point, colour, first, last):
    """Update the urgencies after a stone was placed and the empty points `first` to `last` of the list were captured.

    Call `leave_point` before the stone is placed.
    """
    refresh_around(policy, urgencies, state, point)
    if first != last:
        follow_captures(policy, urgencies, state, first, last, colour)
    count_new_ataris(policy, urgencies, state, point, colour)


# --- Choosing moves --------------------------------------------------------------------------------------------------


@kernel(inline=True)
def half_of(word, colour):
    """Return the half of a word that belongs to a colour."""
    return (word >> (colour << U5)) & HALF


@kernel(inline=True, private=True)
def point_below(urgencies, state, colour, rest):
    """Return the point at which the running sum of a colour's urgencies exceeds `rest`, less than the total."""
    w = stride_of(state)
    row = U1
    here = half_of(urgencies.rows[row], colour)
    while rest >= here:
        rest -= here
        row += U1
        here = half_of(urgencies.rows[row], colour)
    point = row * w + U1
    here = half_of(urgencies.points[point], colour)
    while rest >= here:
        rest -= here
        point += U1
        here = half_of(urgencies.points[point], colour)
    return point


@kernel(inline=True)
def take_urgent_point(urgencies, state, colour, ko, position, gamma, word):
    """P(point) = urgency / sum of urgencies, over candidate moves      [BouzyChaslot2006, section III.C]

    Takes the point as `take_if_sensible` does. A point that is not a candidate loses its urgency and the draw is
    repeated; afterwards it gets it back. A probability is exact to 2^-32.
    Returns the point (PASS if there is no candidate), and the generator's position with its next word.
    """
    own_half = HALF << (colour << U5)
    point, count = PASS, U0
    while half_of(urgencies.total, colour) != U0:
        drawn = point_below(urgencies, state, colour, scale(word, half_of(urgencies.total, colour)))
        position += gamma
        word = mix(position)
        if take_if_sensible(state, drawn, colour, ko):
            point = drawn
            break
        count = hide_point(urgencies, state, drawn, count, own_half)
    show_points(urgencies, state, count)
    return point, position, word


@kernel(inline=True)
def play_urgent_move(policy, urgencies, state, colour, ko, empty_count, position, gamma, word):
    """Draw a move and play it, or pass; returns (point, number of empty points, ko, position, word)."""
    point, position, word = take_urgent_point(urgencies, state, colour, ko, position, gamma, word)
    empty_count, ko = play_taken_point(policy, urgencies, state, point, colour, empty_count)
    return point, empty_count, ko, position, word


@kernel(inline=True)
def play_taken_point(policy, urgencies, state, point, colour, empty_count):
    """Play a point that was taken, or pass; returns (number of empty points, ko)."""
    if point == PASS:
        return empty_count, U0
    leave_point(urgencies, state, point)
    first = occupy(state, point, empty_count)
    empty_count, ko = place(state, point, colour, first)
    follow(policy, urgencies, state, point, colour, first, empty_count)
    return empty_count, ko


@kernel(inline=True)
def hide_point(urgencies, state, point, count, own_half):
    """Take a drawn point's urgency for one colour from it, until `show_points`; returns the number of such points."""
    hidden = urgencies.points[point] & own_half
    urgencies.rejected[count], urgencies.hidden[count] = point, hidden
    add_urgency(urgencies, state, point, U0 - hidden)
    return count + U1


@kernel(inline=True)
def show_points(urgencies, state, count):
    """Give the urgencies that `hide_point` took back to their points."""
    while count != U0:
        count -= U1
        add_urgency(urgencies, state, u64(urgencies.rejected[count]), urgencies.hidden[count])


@play_out.implement(URGENCY)
@kernel(allocates=True)
def urgency(policy, state, rng, trace, length):
    buffer = temporary_like(policy.blank)
    begin(policy, buffer[0], state)
    length = play_on(policy, buffer[0], state, rng, trace, length)
    keep_alive(buffer)
    return length


@kernel(private=True)
def play_on(policy, urgencies, state, rng, trace, length):
    """Play from a position whose urgencies are known to the end of the game; return the new length."""
    empty_count, ko = u64(state.empty_count), u64(state.ko)
    colour, passes = u64(state.to_play), u64(state.passes)
    gamma = rng[1]
    position = rng[0] + gamma
    word = mix(position)
    end = length + LENGTH_FACTOR * state.side * state.side
    while passes < U2 and length < end:
        point, empty_count, ko, position, word = play_urgent_move(
            policy, urgencies, state, colour, ko, empty_count, position, gamma, word
        )
        passes = passes + U1 if point == PASS else U0
        trace[length] = point
        length += 1
        colour ^= U1
    state.empty_count, state.ko, state.to_play, state.passes = empty_count, ko, colour, passes
    rng[0] = position
    return length
