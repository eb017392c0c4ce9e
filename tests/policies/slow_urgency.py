"""The pseudo-random player's urgencies in plain Python, by comparison of neighbourhoods, as a reference for the policy.

Works on boards of tests/games/go/reference.py. It has no numbers of patterns: a neighbourhood is eight letters and the
place of its middle on the board, and neighbourhoods are equal if a symmetry of the square makes them equal.
"""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from tests.games.go import reference
from tests.games.go.reference import EMPTY, Board, Point

STEPS = tuple((up, right) for up in (1, 0, -1) for right in (-1, 0, 1) if up or right)
"""The eight points around a point as (up, right): row by row from the upper left."""
OFF_BOARD = "#"

Place = tuple[int, int]
"""Where a point is, by row and column: -2 and -1 on the first and second line of the low edge, 2 and 1 on those of the
high edge, else 0."""
Neighbourhood = tuple[Place, str]
"""The place of a point, and the letters around it in the order of STEPS: X own, O enemy, . empty, # off the board."""


def place_on_line(coordinate: int, size: int) -> int:
    """Return the place of a coordinate, by the nearer edge, or by the low edge if both are as near."""
    low, high = coordinate, size - 1 - coordinate
    if min(low, high) > 1:
        return 0
    return low - 2 if low <= high else 2 - high


def neighbourhood(board: Board, point: Point, colour: int) -> Neighbourhood:
    """Return the neighbourhood of a point as `colour` sees it."""
    size = round(len(board) ** 0.5)
    row, column = point
    symbols = {colour: "X", 1 - colour: "O", EMPTY: ".", None: OFF_BOARD}
    letters = "".join(symbols[board.get((row + up, column + right))] for up, right in STEPS)
    return (place_on_line(row, size), place_on_line(column, size)), letters


def rotated(vector: tuple[int, int]) -> tuple[int, int]:
    """Turn a vector (up, right) by 90 degrees."""
    return -vector[1], vector[0]


def views(seen: Neighbourhood) -> Iterator[Neighbourhood]:
    """Yield a neighbourhood in its eight symmetries; a place moves as the vector from the middle of the board does."""
    place, letters = seen
    at = dict(zip(STEPS, letters, strict=True))
    for mirrored in (False, True):
        if mirrored:
            place = place[0], -place[1]
            at = {(up, -right): letter for (up, right), letter in at.items()}
        for _ in range(4):
            place = rotated(place)
            at = {rotated(step): letter for step, letter in at.items()}
            yield place, "".join(at[step] for step in STEPS)


@cache
def canonical(seen: Neighbourhood) -> Neighbourhood:
    """Return the same neighbourhood for all symmetries of one."""
    return min(views(seen))


def exchanged(seen: Neighbourhood) -> Neighbourhood:
    """Return a neighbourhood as the other colour sees it."""
    return seen[0], seen[1].translate(str.maketrans("XO", "OX"))


def all_neighbourhoods() -> Iterator[Neighbourhood]:
    """Yield every neighbourhood of a board of five or more lines."""
    for place in ((row, column) for row in range(-2, 3) for column in range(-2, 3)):
        walls = [any(side in (-2, 2) and 2 * way == side for side, way in zip(place, s, strict=True)) for s in STEPS]
        for letters in itertools.product(*(OFF_BOARD if is_wall else "XO." for is_wall in walls)):
            yield place, "".join(letters)


@dataclass(frozen=True)
class SlowTable:
    """Urgencies in the whole numbers of the policy."""

    patterns: Mapping[Neighbourhood, int]
    """By canonical neighbourhood."""
    capture: int
    """Per stone."""
    escape: int
    """Per stone."""


@dataclass(frozen=True)
class SlowUrgencies:
    """Urgencies of one position for one colour."""

    patterns: dict[Point, int]
    """Of the neighbourhood of each empty point; 0 for own eyes."""
    points: dict[Point, int]
    """Of each empty point, with the chains in atari."""

    def row(self, row: int) -> int:
        return sum(urgency for point, urgency in self.points.items() if point[0] == row)

    @property
    def total(self) -> int:
        return sum(self.points.values())


def urgencies(board: Board, table: SlowTable, colour: int) -> SlowUrgencies:
    """Return the urgencies of the moves of a colour: pattern, and size of the chains that it captures or saves."""
    patterns = {
        point: 0
        if reference.is_eye(board, point, colour)
        else table.patterns[canonical(neighbourhood(board, point, colour))]
        for point, occupant in board.items()
        if occupant == EMPTY
    }
    points = dict(patterns)
    for stones, liberties in reference.chains(board):
        if len(liberties) == 1:
            per_stone = table.escape if board[next(iter(stones))] == colour else table.capture
            points[next(iter(liberties))] += per_stone * len(stones)
    return SlowUrgencies(patterns, points)


def probabilities(board: Board, table: SlowTable, colour: int, ko: Point | None) -> dict[Point, float]:
    """Return the probability of each move: its urgency divided by the sum over legal moves that fill no own eye."""
    found = urgencies(board, table, colour).points
    allowed = {point: found[point] for point in reference.sensible_moves(board, colour, ko)}
    return {point: urgency / sum(allowed.values()) for point, urgency in allowed.items()}
