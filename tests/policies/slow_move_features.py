"""Features of moves in plain Python, as a reference for the kernels; boards as in tests/games/go/reference.py."""

from tests.games.go import reference, slow_tactics
from tests.games.go.reference import EMPTY, Board, Point

STEPS = tuple((up, right) for up in (1, 0, -1) for right in (-1, 0, 1) if up or right)


def seen(board: Board, point: Point, colour: int, steps=STEPS) -> dict[Point, str]:
    """Return what is around a point by step: X own, O enemy, . empty, # off the board."""
    symbols = {colour: "X", 1 - colour: "O", EMPTY: ".", None: "#"}
    return {step: symbols[board.get((point[0] + step[0], point[1] + step[1]))] for step in steps}


def lowest_view(around: dict[Point, str]) -> tuple:
    """Return the least of the eight views of what is around a point."""
    views = []
    for _ in range(2):
        around = {(up, -right): what for (up, right), what in around.items()}
        for _ in range(4):
            around = {(-right, up): what for (up, right), what in around.items()}
            views.append(tuple(sorted(around.items())))
    return min(views)


def shape(board: Board, point: Point, colour: int) -> tuple:
    """Return the same value for moves with the same 3x3 pattern, where ! marks neighbours in atari."""
    around = seen(board, point, colour)
    for up, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        place = point[0] + up, point[1] + right
        if board.get(place, EMPTY) != EMPTY and len(reference.chain(board, place)[1]) == 1:
            around[up, right] += "!"
    return lowest_view(around)


def diamond(board: Board, point: Point, colour: int) -> tuple:
    """Return the same value for moves with the same pattern of the twelve points within two steps."""
    return lowest_view(seen(board, point, colour, (*STEPS, (2, 0), (0, 2), (-2, 0), (0, -2))))


def chains_beside(board: Board, point: Point, colour: int) -> list[tuple[set[Point], set[Point]]]:
    """Return the chains of a colour beside a point, as stones and liberties."""
    near = set(reference.neighbours(board, point))
    return [chain for chain in slow_tactics.chains_of(board, colour) if chain[0] & near]


def capture(board: Board, point: Point, colour: int) -> int:
    taken = slow_tactics.captured(board, point, colour)
    if not taken:
        return 0
    beside_taken = {place for stone in taken for place in reference.neighbours(board, stone)}
    rescues = any(stones & beside_taken for stones, _ in slow_tactics.in_atari(board, colour))
    return (1 if len(taken) == 1 else 2) + 2 * rescues


def escape(board: Board, point: Point, colour: int) -> int:
    saved = [stones for stones, liberties in chains_beside(board, point, colour) if liberties == {point}]
    if not saved or slow_tactics.liberties_after(board, point, colour) < 2:
        return 0
    return min(max(map(len, saved)), 2)


def self_atari(board: Board, point: Point, colour: int) -> int:
    if slow_tactics.liberties_after(board, point, colour) > 1:
        return 0
    return min(len(reference.chain({**board, point: colour}, point)[0]), 3)


def atari(board: Board, point: Point, colour: int, last: Point | None) -> int:
    attacked = [c[0] for c in chains_beside(board, point, 1 - colour) if len(c[1]) == 2]
    if not attacked:
        return 0
    return min(sum(map(len, attacked)), 2) + 2 * any(last in stones for stones in attacked)


def line(board: Board, point: Point) -> int:
    """Return the line up to 5, and 5 more if no stone is around."""
    size = round(len(board) ** 0.5)
    near: int = min(*point, size - 1 - point[0], size - 1 - point[1]) + 1
    is_open = all(board.get((point[0] + up, point[1] + right), EMPTY) == EMPTY for up, right in STEPS)
    return min(near, 5) + 5 * is_open


def distance(point: Point, other: Point | None) -> int:
    """Return the distance |dx| + |dy| + max(|dx|, |dy|) from 1 to 17; 0 to no point."""
    if other is None:
        return 0
    up, right = abs(point[0] - other[0]), abs(point[1] - other[1])
    return max(1, min(up + right + max(up, right), 17))


def levels(board: Board, point: Point, colour: int, last: Point | None, earlier: Point | None) -> dict[str, int]:
    """Return the levels of a move in the groups without patterns; 0 for none."""
    two = slow_tactics.two_liberty_moves(board, last, colour) if last else set()
    vital = slow_tactics.nakade_moves(board, last, colour) if last else set()
    return {
        "capture": capture(board, point, colour),
        "escape": escape(board, point, colour),
        "self_atari": self_atari(board, point, colour),
        "atari": atari(board, point, colour, last),
        "two_liberties": int(point in two),
        "nakade": int(point in vital),
        "line": line(board, point),
        "last": distance(point, last),
        "earlier": distance(point, earlier),
    }
