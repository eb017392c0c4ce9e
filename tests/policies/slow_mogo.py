"""MoGo's rules in the plainest Python, to hold the policy against. Slow, and obvious."""

from tests.games.go import reference
from tests.games.go.reference import EMPTY, Board, Point
from tests.games.go.slow_patterns import Around, is_match


def in_atari(board: Board, colour: int) -> list[tuple[set[Point], Point]]:
    """The chains of a colour that have one liberty, with it."""
    return [
        (stones, next(iter(liberties)))
        for stones, liberties in reference.chains(board)
        if len(liberties) == 1 and board[next(iter(stones))] == colour
    ]


def liberties_after(board: Board, point: Point, colour: int) -> int:
    """How many liberties the chain of a new stone has when all that it captures is gone; 0 if it is suicide."""
    played, _, suicide = reference.after(board, point, colour)
    return 0 if suicide else len(reference.chain(played, point)[1])


def saving_moves(board: Board, last: Point, colour: int) -> set[Point]:
    """What saves own chains beside the last move: an extension to two liberties, or a capture beside them."""
    moves = set()
    for stones, liberty in in_atari(board, colour):
        if any(stone in reference.neighbours(board, last) for stone in stones):
            if liberties_after(board, liberty, colour) >= 2:
                moves.add(liberty)
            border = reference.region(board, next(iter(stones)))[1]
            moves |= {taken for enemies, taken in in_atari(board, 1 - colour) if enemies & border and taken != liberty}
    return moves


def around(board: Board, point: Point, colour: int) -> Around:
    """The eight points around one, seen by the side to move."""
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


def capturing_moves(board: Board, colour: int) -> set[Point]:
    return {liberty for _, liberty in in_atari(board, 1 - colour)}


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
