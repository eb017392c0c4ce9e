"""MoGo's rules in plain Python, as a reference for the policy."""

from tests.games.go import reference
from tests.games.go.reference import EMPTY, Board, Point
from tests.games.go.slow_patterns import Around, is_match
from tests.games.go.slow_tactics import capturing_moves, saving_moves


def around(board: Board, point: Point, colour: int) -> Around:
    """The eight points around a point, from the point of view of the side to move."""
    symbols = {colour: "X", 1 - colour: "O", EMPTY: "."}
    row, column = point
    return {
        (up, right): symbols[board[row + up, column + right]] if (row + up, column + right) in board else "#"
        for up in (-1, 0, 1)
        for right in (-1, 0, 1)
        if up or right
    }


def pattern_moves(board: Board, last: Point, colour: int) -> set[Point]:
    near = {(last[0] + up, last[1] + right) for up in (-1, 0, 1) for right in (-1, 0, 1)}
    return {point for point in near if board.get(point) == EMPTY and is_match(around(board, point, colour))}


def rule(board: Board, colour: int, ko: Point | None, last: Point | None) -> tuple[str, set[Point]]:
    """The first rule that has moves, and its moves: legal ones that fill no own eye."""
    sensible = set(reference.sensible_moves(board, colour, ko))
    rules = {
        "save": lambda: saving_moves(board, last, colour) if last else set(),
        "pattern": lambda: pattern_moves(board, last, colour) if last else set(),
        "capture": lambda: capturing_moves(board, colour),
        "random": lambda: sensible,
    }
    for name, moves in rules.items():
        if found := moves() & sensible:
            return name, found
    return "pass", set()
