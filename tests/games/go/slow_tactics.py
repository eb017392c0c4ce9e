"""Tactics of Go in simple, slow Python, as a reference for the kernels."""

from tests.games.go import reference
from tests.games.go.reference import EMPTY, Board, Point


def chains_of(board: Board, colour: int) -> list[tuple[set[Point], set[Point]]]:
    """Return the chains of a colour: stones and liberties."""
    return [chain for chain in reference.chains(board) if board[next(iter(chain[0]))] == colour]


def in_atari(board: Board, colour: int) -> list[tuple[set[Point], Point]]:
    """Return the chains of a colour in atari, each with its last liberty."""
    return [(stones, next(iter(liberties))) for stones, liberties in chains_of(board, colour) if len(liberties) == 1]


def captured(board: Board, point: Point, colour: int) -> set[Point]:
    """Return the stones that a move captures."""
    return reference.after(board, point, colour)[1]


def liberties_after(board: Board, point: Point, colour: int) -> int:
    """Return the number of liberties of a new stone's chain after its captures; 0 if it is suicide."""
    played, _, suicide = reference.after(board, point, colour)
    return 0 if suicide else len(reference.chain(played, point)[1])


def gives_atari(board: Board, point: Point, colour: int) -> bool:
    """Whether a move leaves an enemy chain that had more liberties with one."""
    return any(len(liberties) == 2 and point in liberties for _, liberties in chains_of(board, 1 - colour))


def saving_moves(board: Board, last: Point, colour: int) -> set[Point]:
    """Return the moves that save own chains beside the last move: extensions to two liberties, and captures."""
    moves = set()
    for stones, liberty in in_atari(board, colour):
        if any(stone in reference.neighbours(board, last) for stone in stones):
            if liberties_after(board, liberty, colour) >= 2:
                moves.add(liberty)
            border = reference.region(board, next(iter(stones)))[1]
            moves |= {taken for enemies, taken in in_atari(board, 1 - colour) if enemies & border and taken != liberty}
    return moves


def capturing_moves(board: Board, colour: int) -> set[Point]:
    return {liberty for _, liberty in in_atari(board, 1 - colour)}


def gains(board: Board, point: Point, owner: int) -> bool:
    """Whether a stone of a chain's owner on a liberty would give it three or more, without counting captures."""
    return len(reference.chain({**board, point: owner}, point)[1]) >= 3


def two_liberty_moves(board: Board, last: Point, colour: int) -> set[Point]:
    """Return the liberties that decide chains with two: the last move's, and own ones beside it."""
    near = reference.neighbours(board, last)
    watched = [chain for chain in chains_of(board, 1 - colour) if last in chain[0]]
    watched += [chain for chain in chains_of(board, colour) if any(stone in near for stone in chain[0])]
    return {
        liberty
        for stones, liberties in watched
        if len(liberties) == 2
        for liberty in liberties
        if gains(board, liberty, board[next(iter(stones))]) and liberties_after(board, liberty, colour) >= 2
    }


def nakade_moves(board: Board, last: Point, colour: int) -> set[Point]:
    """Return the middles of regions of three empty points beside the last move that only the enemy surrounds."""
    middles = set()
    for place in reference.neighbours(board, last):
        if board[place] == EMPTY:
            points, border = reference.region(board, place)
            if len(points) == 3 and all(board[stone] == 1 - colour for stone in border):
                middles |= {point for point in points if len(points & set(reference.neighbours(board, point))) == 2}
    return middles


def common_fate(board: Board, start: Point) -> dict[Point, int]:
    """Return the distance of every point from a stone in the common fate graph, where a chain is one node."""
    distances = dict.fromkeys(reference.region(board, start)[0] if board[start] != EMPTY else {start}, 0)
    distance, ring = 0, set(distances)
    while ring:
        distance += 1
        touched = {place for point in ring for place in reference.neighbours(board, point)} - set(distances)
        ring = set()
        for place in touched:
            ring |= reference.region(board, place)[0] if board[place] != EMPTY else {place}
        distances |= dict.fromkeys(ring, distance)
    return distances


def is_caught(board: Board, stone: Point, ko: Point | None, moves: int) -> bool:
    """Whether a chain in atari, to move, is captured by ataris; one that can capture an adjacent chain counts as free.

    `moves` limits how often it may run. Of the attacker's ataris, those count that leave his stone two liberties.
    """
    owner = board[stone]
    (liberty,) = reference.chain(board, stone)[1]
    border = reference.region(board, stone)[1]
    if any(enemies & border and taken != liberty for enemies, taken in in_atari(board, 1 - owner)):
        return False
    if liberties_after(board, liberty, owner) < 2:
        return True
    if moves == 1:
        return False
    ko = reference.ko_point(board, liberty, owner)
    board = reference.after(board, liberty, owner)[0]
    liberties = reference.chain(board, stone)[1]
    if len(liberties) != 2:
        return False
    return any(
        is_caught(reference.after(board, atari, 1 - owner)[0], stone, None, moves - 1)
        for atari in liberties
        if atari != ko and liberties_after(board, atari, 1 - owner) >= 2
    )
