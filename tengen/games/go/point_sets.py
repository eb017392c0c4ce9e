"""Sets of points of a 9x9 board as bitboards: three 30-bit words, and operations on all points at once.

Row r is in word r % 3, in slot r // 3 of ten bits: nine columns and a guard bit, which is 0 in every set. Consecutive
rows are in different words, so the points above and below most rows are the same bits of another word: the neighbours
of a whole set take eight shifts. A set is a tuple of three uint32, so that it stays in registers.

Numba computes with 64 bits unless each result is converted back: hence `u32` around every operation.
"""

import numpy as np

from tengen.games.go.go_record import PASS, u64
from tengen.jit import kernel, nth_bit, population, trailing_zeros

u32 = np.uint32

SIDE = 9
SLOT = 0x1FF
"""The nine columns of a row in the lowest slot."""
Z, ONE, TWO, THREE, TEN, ELEVEN, TWENTY = (u32(n) for n in (0, 1, 2, 3, 10, 11, 20))
ROWS = u32(SLOT | SLOT << 10 | SLOT << 20)
SIDES = 0x101 | 0x101 << 10 | 0x101 << 20
"""The first and the last column of three rows."""
NOWHERE = (Z, Z, Z)
EVERYWHERE = (ROWS, ROWS, ROWS)
EDGE = (u32(SIDES | SLOT), u32(SIDES), u32(SIDES | SLOT << 20))
FIRST_POINT, LAST_POINT = ELEVEN, u32(99)

# --- Sets ------------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def union(a, b):
    """Return the points in `a` or in `b`."""
    return u32(a[0] | b[0]), u32(a[1] | b[1]), u32(a[2] | b[2])


@kernel(inline=True)
def common(a, b):
    """Return the points in both `a` and `b`."""
    return u32(a[0] & b[0]), u32(a[1] & b[1]), u32(a[2] & b[2])


@kernel(inline=True)
def without(a, b):
    """Return the points in `a` that are not in `b`."""
    return u32(a[0] & ~b[0]), u32(a[1] & ~b[1]), u32(a[2] & ~b[2])


@kernel(inline=True)
def is_none(a):
    """Whether a set is empty."""
    return u32(u32(a[0] | a[1]) | a[2]) == Z


@kernel(inline=True)
def meets(a, b):
    """Whether two sets have a point in common."""
    return not is_none(common(a, b))


@kernel(inline=True)
def are_equal(a, b):
    return u32(u32(u32(a[0] ^ b[0]) | u32(a[1] ^ b[1])) | u32(a[2] ^ b[2])) == Z


@kernel(inline=True)
def choice(condition, a, b):
    """Return `a` if `condition` holds, else `b`."""
    return a[0] if condition else b[0], a[1] if condition else b[1], a[2] if condition else b[2]


@kernel(inline=True)
def bits_in(word):
    """Return the number of set bits of a uint32."""
    return u32(population(u64(word)))


@kernel(inline=True)
def size(a):
    """Return the number of points in a set."""
    return u32(u32(bits_in(a[0]) + bits_in(a[1])) + bits_in(a[2]))


@kernel(inline=True)
def is_single(a):
    """Whether a set has exactly one point."""
    return size(a) == ONE


@kernel(inline=True)
def is_several(a):
    """Whether a set has more than one point."""
    return size(a) > ONE


@kernel(inline=True)
def nth_point(a, n):
    """Return the set of the n-th point of `a` (n from 0); the order is that of words and bits."""
    first = bits_in(a[0])
    second = u32(first + bits_in(a[1]))
    word, before = a[0], Z
    if n >= first:
        word, before = a[1], first
    if n >= second:
        word, before = a[2], second
    bit = u32(nth_bit(u64(word), u64(u32(n - before))))
    return bit if n < first else Z, bit if first <= n and n < second else Z, bit if n >= second else Z


@kernel(inline=True)
def first_point(a):
    """Return the set of one point of `a`; empty if `a` is."""
    w = Z if a[0] != Z else ONE if a[1] != Z else TWO
    return (
        u32(a[0] & u32(Z - a[0])),
        u32(a[1] & u32(Z - a[1])) if w == ONE else Z,
        u32(a[2] & u32(Z - a[2])) if w == TWO else Z,
    )


# --- Numbers of points -----------------------------------------------------------------------------------------------


@kernel(inline=True)
def is_on_board(move):
    """Whether a move number is that of a point."""
    return move >= FIRST_POINT and move <= LAST_POINT and move % 10 != 0


@kernel(inline=True)
def set_of(move):
    """Return the set of one point, given by its number; empty for the pass and for numbers outside the board."""
    if not is_on_board(move):
        return NOWHERE
    place = u32(u32(move) - ELEVEN)
    row = u32(place // TEN)
    slot = u32(row // THREE)
    word = u32(row - u32(slot * THREE))
    bit = u32(ONE << u32(u32(place - u32(row * TEN)) + u32(slot * TEN)))
    return bit if word == Z else Z, bit if word == ONE else Z, bit if word == TWO else Z


@kernel(inline=True)
def number_at(word, bit):
    """Return the number of the point at a bit of a word, both as uint32."""
    slots = u32(u32(bit >= TEN) + u32(bit >= TWENTY))
    return u32(u32(bit + u32(slots * TWENTY)) + u32(u32(word * TEN) + ELEVEN))


@kernel(inline=True)
def place_of(a):
    """Return the word and the bit of the only point of a set; undefined if the set is empty."""
    word = Z if a[0] != Z else ONE if a[1] != Z else TWO
    return u32(word), u32(trailing_zeros(u64(u32(u32(a[0] | a[1]) | a[2]))))


@kernel(inline=True)
def number_of(a):
    """Return the number of the only point of a set; PASS if the set is empty."""
    if is_none(a):
        return u32(PASS)
    word, bit = place_of(a)
    return number_at(word, bit)


@kernel(inline=True)
def write_points(a, moves):
    """Write the numbers of all points of a set into the array `moves`; return how many there are."""
    count = 0
    for k in range(3):
        word = a[k]
        while word != Z:
            moves[count] = number_at(u32(k), u32(trailing_zeros(u64(word))))
            word = u32(word & u32(word - ONE))
            count += 1
    return count


# --- Neighbours ------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def beside(a):
    """Return the points with a neighbour in `a`; bits that are no points of the board are undefined."""
    return (
        u32(u32(u32(a[0] << ONE) | u32(a[0] >> ONE)) | u32(a[1] | u32(a[2] << TEN))),
        u32(u32(u32(a[1] << ONE) | u32(a[1] >> ONE)) | u32(a[0] | a[2])),
        u32(u32(u32(a[2] << ONE) | u32(a[2] >> ONE)) | u32(a[1] | u32(a[0] >> TEN))),
    )


@kernel(inline=True)
def several_around(word, above, below):
    """Return the bits of a word with two marked neighbours; `above` and `below` are the marks in these rows."""
    left, right = u32(word << ONE), u32(word >> ONE)
    pairs = u32(u32(left & right) | u32(above & below))
    return u32(pairs | u32(u32(left | right) & u32(above | below)))


@kernel(inline=True)
def beside_several(a):
    """Return the points with two or more neighbours in `a`; bits that are no points of the board are undefined."""
    return (
        several_around(a[0], a[1], u32(a[2] << TEN)),
        several_around(a[1], a[2], a[0]),
        several_around(a[2], u32(a[0] >> TEN), a[1]),
    )


@kernel(inline=True)
def in_row(word):
    """Return the bits of a word and those beside them in the row."""
    return u32(u32(word | u32(word << ONE)) | u32(word >> ONE))


@kernel(inline=True)
def grown_up(a, region):
    """Return `a` and its neighbours within `region`; a row takes into account how those below have grown already."""
    g0 = u32(region[0] & u32(in_row(a[0]) | u32(a[1] | u32(a[2] << TEN))))
    g1 = u32(region[1] & u32(in_row(a[1]) | u32(g0 | a[2])))
    g2 = u32(region[2] & u32(in_row(a[2]) | u32(g1 | u32(g0 >> TEN))))
    return g0, g1, g2


@kernel(inline=True)
def grown_down(a, region):
    """Return `a` and its neighbours within `region`; a row takes into account how those above have grown already."""
    g2 = u32(region[2] & u32(in_row(a[2]) | u32(a[1] | u32(a[0] >> TEN))))
    g1 = u32(region[1] & u32(in_row(a[1]) | u32(g2 | a[0])))
    g0 = u32(region[0] & u32(in_row(a[0]) | u32(g1 | u32(g2 << TEN))))
    return g0, g1, g2


@kernel(inline=True)
def grown(a, region):
    """Return `a` with its neighbours within `region`, and some of the points connected to them."""
    return grown_down(grown_up(a, region), region)


@kernel(inline=True)
def connected(a, region):
    """Return the points of `region` that are connected to `a`, a subset of it, within `region`."""
    while meets(beside(a), without(region, a)):
        a = grown(a, region)
    return a


@kernel(inline=True)
def crowded_diagonals(above, below, edge):
    """Return the points of a word with two marked diagonal points, or with one at the edge.

    `above` and `below` are the marks in the words of the rows above and below.
    """
    a, b, c, d = u32(above << ONE), u32(above >> ONE), u32(below << ONE), u32(below >> ONE)
    three = u32(u32(a | b) | c)
    two = u32(u32(u32(a & b) | u32(c & u32(a | b))) | u32(d & three))
    return u32(two | u32(edge & u32(three | d)))


@kernel(inline=True)
def diagonally_crowded(a):
    """Return the points with two diagonal points in `a`, or with one at the edge of the board."""
    return (
        crowded_diagonals(a[1], u32(a[2] << TEN), EDGE[0]),
        crowded_diagonals(a[2], a[0], EDGE[1]),
        crowded_diagonals(u32(a[0] >> TEN), a[1], EDGE[2]),
    )
