"""MoGo's 3x3 patterns on bitboards, as formulas that evaluate all points around the last move at once.

The same patterns as in `patterns.py`, without a table: threads of a GPU read different entries of a table one after
another. The 5x5 points around the last move, its window, are 25 bits in rows of five, from below and from the left;
points outside the board are marked as stones of both colours. The lower half of a uint64 has the own stones, the upper
half those of the enemy. Each formula is written for one assignment of the colours, and the halves are the two
assignments: in the lower half "a" is an own stone, in the upper half "a" is an enemy's.
"""

from tengen.games.go.go_record import U1, U4, U5, U6, U32, u64
from tengen.games.go.point_sets import ONE, TEN, TWO, Z, place_of, u32
from tengen.jit import kernel

FIVE, FIFTEEN, TWENTY = u32(5), u32(15), u32(20)
ROW_OF_WINDOW, NEXT_TO_CENTRE = u32(0x1F), u32(7)
WALLS = u32(0x80200802)
"""The guard bits of a word that is shifted by two, and the bit to the left of its first column."""
WALLS_BELOW, WALLS_ABOVE = u32(0xFFF), u32(0xFFC00000)
A_IS_OWN, A_IS_ENEMY = u64(0xFFFFFFFF), u64(0xFFFFFFFF << 32)

# --- The window ------------------------------------------------------------------------------------------------------


@kernel(inline=True, private=True)
def pick(word, a, b, c):
    """Return `a`, `b` or `c` for the words 0, 1 and 2."""
    return u32(a if word == Z else b if word == ONE else c)


@kernel(inline=True, private=True)
def five_from(row, bit):
    """Return five bits of a row of points, from the one two columns to the left of `bit`; `row` is shifted by two."""
    return u32(u32(row >> bit) & ROW_OF_WINDOW)


@kernel(inline=True, private=True)
def window(a, word, bit):
    """Return the 5x5 bits around the point at a bit of a word; two columns or rows outside the board are undefined."""
    p0, p1, p2 = u32(u32(a[0] << TWO) | WALLS), u32(u32(a[1] << TWO) | WALLS), u32(u32(a[2] << TWO) | WALLS)
    below_p1, below_p2 = u32(u32(p1 << TEN) | WALLS_BELOW), u32(u32(p2 << TEN) | WALLS_BELOW)
    above_p0, above_p1 = u32(u32(p0 >> TEN) | WALLS_ABOVE), u32(u32(p1 >> TEN) | WALLS_ABOVE)
    first = five_from(pick(word, below_p1, below_p2, p0), bit)
    second = five_from(pick(word, below_p2, p0, p1), bit)
    third = five_from(pick(word, p0, p1, p2), bit)
    fourth = five_from(pick(word, p1, p2, above_p0), bit)
    fifth = five_from(pick(word, p2, above_p0, above_p1), bit)
    lower = u32(u32(first | u32(second << FIVE)) | u32(third << TEN))
    return u32(lower | u32(u32(fourth << FIFTEEN) | u32(fifth << TWENTY)))


@kernel(inline=True, private=True)
def centre_row(found, row, bit):
    """Return the three bits in the middle of a window's row at their columns, around `bit`."""
    return u32(u32(u32(u32(found >> u32(row * FIVE + ONE)) & NEXT_TO_CENTRE) << bit) >> ONE)


@kernel(inline=True, private=True)
def placed(found, word, bit):
    """Return the points of a window's inner 3x3 bits as a set; bits outside the board must be 0."""
    below, here, above = centre_row(found, ONE, bit), centre_row(found, TWO, bit), centre_row(found, u32(3), bit)
    return (
        pick(word, here, below, u32(above << TEN)),
        pick(word, above, here, below),
        pick(word, u32(below >> TEN), above, here),
    )


# --- Formulas --------------------------------------------------------------------------------------------------------


@kernel(inline=True, private=True)
def other(a):
    """Return stones with the colours exchanged."""
    return (a >> U32) | (a << U32)


@kernel(inline=True, private=True)
def neither(a):
    """Return the points that are of neither colour: the empty ones."""
    return ~(a | other(a))


@kernel(inline=True, private=True)
def beside_one(n, ne, e, se, s, sw, w, nw):
    """Return the matches of patterns that are symmetrical to the axis through `n`: HANE_1, 2 and 4, and CUT_2.

    The arguments are the stones on the eight points around, clockwise.
    """
    hane_2 = (nw & neither(ne)) | (ne & neither(nw))
    hane_4 = A_IS_OWN & ((nw & other(ne)) | (ne & other(nw)))
    hane = other(n) & neither(w) & neither(e) & ((nw & ne) | (neither(s) & (hane_2 | hane_4)))
    cut_2 = n & other(w & e) & ~other(sw | s | se)
    return hane | cut_2


@kernel(inline=True, private=True)
def beside_corner(nw, n, w, e, s):
    """Return the matches of patterns that are symmetrical to the diagonal through `nw`: HANE_3 and CUT_1."""
    hane_3 = neither(e) & neither(s) & ((other(n) & w) | (n & other(w)))
    connected_already = (other(e) & neither(s)) | (neither(e) & other(s))
    cut_1 = other(n & w) & ~connected_already
    return nw & (hane_3 | cut_1)


@kernel(inline=True, private=True)
def at_edge(wall, n, ne, e, w, nw):
    """Return the matches of the edge patterns, EDGE_1 to 5, on points beside a wall opposite to `n`."""
    edge_1 = neither(n) & ((nw & other(w)) | (ne & other(e)))
    edge_2 = n & ((other(e) & ~w) | (other(w) & ~e))
    edge_3 = A_IS_OWN & n & other(ne | nw)
    edge_4 = (other(ne) & ~e) | (other(nw) & ~w)
    edge_5 = (other(ne) & e & other(w)) | (other(nw) & w & other(e))
    found = edge_1 | edge_2 | edge_3 | (A_IS_ENEMY & n & (edge_4 | edge_5))
    return found & walls(wall) & ~(walls(e) | walls(w))


@kernel(inline=True, private=True)
def walls(a):
    """Return the points that are marked as stones of both colours."""
    return a & other(a)


@kernel(inline=True)
def matches_in(stones):
    """Return the inner 3x3 points of a window where an own move matches a pattern; other bits are undefined."""
    n, e, s, w = stones >> U5, stones >> U1, stones << U5, stones << U1
    ne, se, sw, nw = stones >> U6, stones << U4, stones << U6, stones >> U4
    found = beside_one(n, ne, e, se, s, sw, w, nw) | beside_one(e, se, s, sw, w, nw, n, ne)
    found |= beside_one(s, sw, w, nw, n, ne, e, se) | beside_one(w, nw, n, ne, e, se, s, sw)
    found |= beside_corner(nw, n, w, e, s) | beside_corner(ne, n, e, w, s)
    found |= beside_corner(se, s, e, w, n) | beside_corner(sw, s, w, e, n)
    found &= ~(walls(n) | walls(e) | walls(s) | walls(w))
    found |= at_edge(s, n, ne, e, w, nw) | at_edge(w, e, se, s, n, ne)
    found |= at_edge(n, s, sw, w, e, se) | at_edge(e, w, nw, n, s, sw)
    found &= neither(stones)
    return u32(u32(found & A_IS_OWN) | u32(found >> U32))


@kernel(inline=True)
def patterns_around(own, enemy, last):
    """Return the empty ones of the eight points around the last move, a set, where an own move matches a pattern."""
    word, bit = place_of(last)
    stones = u64(window(own, word, bit)) | (u64(window(enemy, word, bit)) << U32)
    return placed(matches_in(stones), word, bit)
