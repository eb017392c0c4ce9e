"""MoGo's patterns as rules, point by point, independent of the engine's diagrams and tables.

A neighbourhood is a dict from (up, right), each -1, 0 or 1, to "X" for the side to move, "O" for the other, "." for an
empty point, "#" beyond the board.
"""

from collections.abc import Callable, Iterator

Around = dict[tuple[int, int], str]
View = Callable[[int, int], str]


def views(around: Around) -> Iterator[View]:
    """Yield the eight symmetries of the neighbourhood, each a function from (up, right) to the point's content."""

    def seen(a: int, b: int, c: int, d: int) -> View:
        return lambda up, right: around[a * up + b * right, c * up + d * right]

    for flip in (1, -1):
        for a, b, c, d in ((1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0)):
            yield seen(a, b * flip, c, d * flip)


def is_match(around: Around) -> bool:
    """Whether a move of X in the middle of this neighbourhood matches a pattern."""
    beyond = [place for place, what in around.items() if what == "#"]
    if not beyond:
        return any(centre_match(view, own, other) for view in views(around) for own, other in ("XO", "OX"))
    if len(beyond) == 3 and (len({up for up, _ in beyond}) == 1 or len({right for _, right in beyond}) == 1):
        return any(edge_match(view, own, other) for view in views(around) for own, other in ("XO", "OX"))
    return False


def centre_match(at: View, x: str, o: str) -> bool:
    """Whether a centre pattern matches in this symmetry; x and o are its colours, X is to move."""
    above, left, right, below = at(1, 0), at(0, -1), at(0, 1), at(-1, 0)
    corner, other_corner = at(1, -1), at(1, 1)
    if corner == x and above == o and left == "." and right == ".":
        if other_corner == x:
            return True  # hane 1: between two stones
        if other_corner == "." and below == ".":
            return True  # hane 2: an open hane
        if other_corner == o and below == "." and x == "X":
            return True  # hane 4: against two stones, only for the one
    if corner == x and above == o and left == x and right == "." and below == ".":
        return True  # hane 3: from a stone beside
    if corner == x and above == o and left == o:  # cut 1, unless one of the two is already connected around
        connected = (right == o and below == ".") or (right == "." and below == o)
        return not connected
    low = [at(-1, -1), below, at(-1, 1)]
    return above == x and left == o and right == o and all(what in (x, ".") for what in low)  # cut 2


def edge_match(at: View, x: str, o: str) -> bool:
    """Whether an edge pattern, with the edge below, matches in this symmetry; x and o are its colours, X is to move."""
    if at(-1, 0) != "#":
        return False
    above, left, right = at(1, 0), at(0, -1), at(0, 1)
    if at(1, -1) == x and above == "." and left == o:
        return True  # edge 1: a chase along the edge
    if above == x and right == o and left != x:
        return True  # edge 2: a block of a side cut, or a connection
    if above == x and at(1, 1) == o:
        if x == "X":
            return True  # edge 3: a descent, for the one
        if right != x:
            return True  # edge 4: a hane on the edge, for the other
        return left == o  # edge 5: a cut below, for the other
    return False
