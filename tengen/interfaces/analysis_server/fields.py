"""Fields of queries: values of the expected types within their limits."""

from typing import Any

from tengen.errors import TengenError, shortened
from tengen.games.errors import BadNotation
from tengen.games.game import Game
from tengen.games.position import COLOURS, colour_index


class FieldError(TengenError):
    """A wrong value of a field."""

    def __init__(self, field: str, message: str):
        super().__init__(message)
        self.field = field


class Fields:
    """The fields of a query. The methods raise FieldError for wrong values, and return the default for missing ones."""

    def __init__(self, values: dict[str, Any]):
        self.values = values

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def integer(self, name: str, default: int, low: int, high: int) -> int:
        value = self.values.get(name, default)
        if type(value) is not int or not low <= value <= high:
            raise FieldError(name, f"must be an integer from {low} to {high}")
        return value

    def number(self, name: str, default: float, low: float, high: float) -> float:
        value = self.values.get(name, default)
        if type(value) not in (int, float) or not low <= value <= high:
            raise FieldError(name, f"must be a number from {low:g} to {high:g}")
        return float(value)

    def truth(self, name: str) -> bool:
        value = self.values.get(name, False)
        if not isinstance(value, bool):
            raise FieldError(name, "must be true or false")
        return value

    def integers(self, name: str, default: list[int]) -> list[int]:
        value = self.values.get(name, default)
        if not isinstance(value, list) or any(type(one) is not int for one in value):
            raise FieldError(name, "must be an array of integers")
        return value

    def colour(self, name: str) -> str | None:
        return colour_of(self.values[name], name) if name in self.values else None


def colour_of(value: object, field: str) -> str:
    """Return 'black' or 'white'."""
    if isinstance(value, str):
        try:
            return COLOURS[colour_index(value)]
        except BadNotation:
            pass
    raise FieldError(field, f"{shortened(value)} is not a player: use 'B' or 'W'")


def move_of(value: object, game: Game, field: str) -> int:
    """Return the number of a move: a vertex such as 'Q4', '(15,15)' counted from the top left, or 'pass'."""
    if not isinstance(value, str):
        raise FieldError(field, f"{shortened(value)} is not a vertex such as 'Q4', or 'pass'")
    try:
        return game.parse_move(_vertex(value, game))
    except BadNotation as error:
        raise FieldError(field, str(error)) from None


def _vertex(text: str, game: Game) -> str:
    """Return a vertex; of a pair of coordinates, the name of its place."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    numbers = [part.strip() for part in text[1:-1].split(",")]
    if len(numbers) != 2 or not all(part.isascii() and part.isdigit() and len(part) <= 2 for part in numbers):
        return text
    column, row = map(int, numbers)
    rows = game.rows(game.start().state)
    cell = rows[row][column] if row < len(rows) and column < len(rows[row]) else None
    return text if cell is None else cell.name


def coloured_moves(values: Any, game: Game, field: str, *, most: int) -> list[tuple[str, int]]:
    """Return the colours and numbers of an array of pairs of a player and a vertex."""
    if not isinstance(values, list):
        raise FieldError(field, "must be an array of pairs of a player and a vertex, such as ['B','Q4']")
    if len(values) > most:
        raise FieldError(field, f"must have at most {most} entries, not {len(values)}")
    found = []
    for value in values:
        if not isinstance(value, list) or len(value) != 2:
            raise FieldError(field, f"{shortened(value)} is not a pair of a player and a vertex, such as ['B','Q4']")
        found.append((colour_of(value[0], field), move_of(value[1], game, field)))
    return found
