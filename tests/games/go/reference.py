"""The rules of Go in simple, slow Python, as a reference for the kernels.

A board is a dict from (row, column), both from 0 at the lower left, to 0 (Black), 1 (White) or 2 (empty).
"""

import numpy as np

from tengen import Go
from tengen.games.go import go_record

BLACK, WHITE, EMPTY = 0, 1, 2
RECORDS = {"light": go_record.LIGHT, "tactical": go_record.TACTICAL}

Point = tuple[int, int]
Board = dict[Point, int]


def board_of(game: Go, state) -> Board:
    """Return the colours of a state's points."""
    return {game.row_and_column(point): int(state.colour[point]) for point in game.points()}


def neighbours(board: Board, point: Point) -> list[Point]:
    row, column = point
    around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [place for place in around if place in board]


def diagonals(board: Board, point: Point) -> list[Point]:
    row, column = point
    around = [(row + up, column + right) for up in (-1, 1) for right in (-1, 1)]
    return [place for place in around if place in board]


def region(board: Board, point: Point) -> tuple[set[Point], set[Point]]:
    """Return the points connected to a point of its colour, and the points of other colours around them."""
    inside, border, waiting = {point}, set(), [point]
    while waiting:
        for place in neighbours(board, waiting.pop()):
            if board[place] != board[point]:
                border.add(place)
            elif place not in inside:
                inside.add(place)
                waiting.append(place)
    return inside, border


def chain(board: Board, point: Point) -> tuple[set[Point], set[Point]]:
    """Return the stones of a chain and its liberties."""
    stones, border = region(board, point)
    return stones, {place for place in border if board[place] == EMPTY}


def chains(board: Board) -> list[tuple[set[Point], set[Point]]]:
    """Return all chains of the board."""
    found: list[tuple[set[Point], set[Point]]] = []
    seen: set[Point] = set()
    for point, colour in board.items():
        if colour != EMPTY and point not in seen:
            found.append(chain(board, point))
            seen |= found[-1][0]
    return found


def after(board: Board, point: Point, colour: int) -> tuple[Board, set[Point], bool]:
    """Return the board after a move, the captured stones, and whether it was suicide."""
    board = {**board, point: colour}
    captured: set[Point] = set()
    for place in neighbours(board, point):
        if board[place] == 1 - colour and place not in captured:
            stones, liberties = chain(board, place)
            if not liberties:
                captured |= stones
    board |= dict.fromkeys(captured, EMPTY)
    stones, liberties = chain(board, point)
    if not liberties:
        board |= dict.fromkeys(stones, EMPTY)
    return board, captured, not liberties


def ko_point(board: Board, point: Point, colour: int) -> Point | None:
    """Return the point that simple ko forbids after a move that captured one stone and has one liberty as one stone."""
    board, captured, _ = after(board, point, colour)
    stones, liberties = chain(board, point)
    return next(iter(captured)) if len(captured) == len(stones) == len(liberties) == 1 else None


def area(board: Board) -> int:
    """Return Black's stones and territory minus White's, by the Tromp-Taylor rules, without komi."""
    total = sum((colour == BLACK) - (colour == WHITE) for colour in board.values())
    seen: set[Point] = set()
    for point, colour in board.items():
        if colour == EMPTY and point not in seen:
            points, border = region(board, point)
            seen |= points
            reached = {board[place] for place in border}
            total += len(points) * ((reached == {BLACK}) - (reached == {WHITE}))
    return total


def is_eye(board: Board, point: Point, colour: int) -> bool:
    """Whether a point has only own neighbours, and at most one enemy stone on its diagonals, none at the edge."""
    if any(board[place] != colour for place in neighbours(board, point)):
        return False
    corners = diagonals(board, point)
    enemies = sum(board[place] == 1 - colour for place in corners)
    return enemies <= (1 if len(corners) == 4 else 0)


def sensible_moves(board: Board, colour: int, ko: Point | None) -> list[Point]:
    """Return the candidate moves of a playout: legal, and filling no own eye."""
    return [
        point
        for point, occupant in board.items()
        if occupant == EMPTY and point != ko and not is_eye(board, point, colour) and not after(board, point, colour)[2]
    ]


def state_from(diagram: str, kind: str = "light", to_play: int = BLACK, komi: float = 0.0, suicide: bool = False):
    """Return the game and a state of either kind of record for a diagram."""
    game = Go(len(diagram.split("\n")), komi, "simple", suicide)
    state = np.zeros(1, RECORDS[kind][game.size])[0]
    game.set_up(state, diagram)
    state.to_play = to_play
    return game, state


def picture(game: Go, state) -> str:
    """Return the diagram of a state without coordinates."""
    rows = reversed(range(game.size))
    return "\n".join(
        " ".join("XO."[state.colour[game.point(row, column)]] for column in range(game.size)) for row in rows
    )


def drawn(diagram: str) -> str:
    """Return an indented diagram of a test in the form of `picture`."""
    return "\n".join(" ".join(line.split()) for line in diagram.strip().splitlines())
