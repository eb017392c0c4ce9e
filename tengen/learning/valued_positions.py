"""Files of positions with values: what simulation balancing learns from.

Each line is a JSON object: `moves` from the empty board ("B E5"), and `value`, Black's expected result from 0 to 1, or
`black_wins`, 1 or 0. Other keys are ignored. A line with `made_by` describes the file, and has no position.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from tengen.errors import TengenError, shortened
from tengen.files import Unreadable, parse_json, read_lines
from tengen.games.game import Position
from tengen.games.go.game import Go

MOST_POSITIONS = 100_000
One = TypeVar("One")


@dataclass(frozen=True)
class ValuedPosition:
    """The moves that lead to a position, and its value."""

    moves: tuple[str, ...]
    """In the notation of Go, colours alternating from Black; passes included."""
    value: float
    """Black's expected result, from 0 to 1."""

    def position(self, size: int, komi: float) -> Position:
        """Return the position, played from the empty board."""
        return position_after(self.moves, size, komi)


def board_of(size: int, komi: float) -> Go:
    """Return the game whose positions these are."""
    return Go(size, komi=komi, ko="simple")


def position_after(moves: tuple[str, ...], size: int, komi: float) -> Position:
    """Return the position after moves from the empty board; raise TengenError if they are not legal."""
    position = board_of(size, komi).start()
    for move in moves:
        position.play(move)
    return position


@lru_cache(maxsize=MOST_POSITIONS)
def tactical_state(moves: tuple[str, ...], size: int, komi: float) -> Any:
    """Return the state after moves as a tactical record."""
    return position_after(moves, size, komi).tactical_state()  # type: ignore[attr-defined]


def digest_of(positions: tuple[ValuedPosition, ...]) -> str:
    """Return a checksum of all positions and their values."""
    found = hashlib.sha256()
    for one in positions:
        found.update(f"{' '.join(one.moves)} {one.value!r}\n".encode())
    return found.hexdigest()[:16]


def read_positions(path: Path, size: int, komi: float) -> tuple[ValuedPosition, ...]:
    """Read the positions of a file. Raises Unreadable if it is not valid, or if a position is not one of the board."""

    def position_of(described: Any) -> ValuedPosition | None:
        is_heading = isinstance(described, dict) and "made_by" in described
        return None if is_heading else valued_position(described, size, komi)

    return positions_in(path, position_of)


def positions_in(path: Path, position_of: Callable[[Any], One | None]) -> tuple[One, ...]:
    """Return what `position_of` makes of each line of a file of JSON lines; None is left out.

    Raises Unreadable, with the number of the line, if it raises TengenError, or if there is no position or too many.
    """
    found: list[One] = []
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        try:
            position = position_of(parse_json(line))
        except TengenError as error:
            raise Unreadable(f"line {number:,} of {shortened(path, 160)}: {error}") from None
        if position is not None:
            found.append(position)
        if len(found) > MOST_POSITIONS:
            raise Unreadable(f"{shortened(path, 160)} has more than {MOST_POSITIONS:,} positions")
    if not found:
        raise Unreadable(f"{shortened(path, 160)} contains no position")
    return tuple(found)


def valued_position(described: Any, size: int, komi: float) -> ValuedPosition:
    """Return the position of a line; raise TengenError if it is not valid."""
    if not isinstance(described, dict):
        raise TengenError("it is not an object")
    value: Any = described.get("value", described.get("black_wins"))
    if type(value) not in (int, float) or not 0 <= value <= 1:  # NaN is not in the range
        raise TengenError(f"its value is {shortened(value)}, not a number from 0 to 1")
    found = ValuedPosition(vertices_of(described.get("moves")), float(value))
    if found.position(size, komi).is_over:
        raise TengenError("the game is over after these moves")
    return found


def vertices_of(moves: Any) -> tuple[str, ...]:
    """Return the vertices of moves such as 'B E5'; raise TengenError unless their colours alternate from Black."""
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise TengenError('moves must be a list of texts, as in ["B E5", "W C3"]')
    return tuple(_vertex(number, move) for number, move in enumerate(moves))


def _vertex(number: int, move: str) -> str:
    colour, _, vertex = move.strip().partition(" ")
    if colour.upper() != "BW"[number % 2]:
        raise TengenError(f"move {number + 1} is {shortened(move)}, but colours alternate from Black")
    return vertex


def moves_in_words(moves: tuple[str, ...]) -> list[str]:
    """Return vertices as the moves of a line: the inverse of `vertices_of`."""
    return [f"{'BW'[number % 2]} {vertex}" for number, vertex in enumerate(moves)]
