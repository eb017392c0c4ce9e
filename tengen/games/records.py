"""Records of games in files: the functions of a game that has a format for them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tengen.games.position import Position


@dataclass(frozen=True)
class Variation:
    """Moves that could have been played in place of one of the game, with a comment at the first of them."""

    colour: str
    """Of the first move."""
    moves: tuple[str, ...]
    comment: str


@dataclass(frozen=True)
class RecordFormat:
    """How a game's records are read and written."""

    name: str
    """As people call the format: 'SGF'."""
    suffix: str
    """The ending of file names: '.sgf'."""
    read: "Callable[..., Position]"
    """read(source, rules=None, moves=None): the position at the end of a record, or after its first `moves` moves, by
    the options of the game `rules` (default: the usual ones) if the record follows them, else by any that it follows.
    `source` is a Path, or the record itself as bytes. Raises BadRecord."""
    write: Callable[..., bytes]
    """write(position, comments=None, black="", white="", result=None): a position's game as a record, with comments by
    the number of the move, the players' names, and a result."""
    annotate: Callable[..., bytes]
    """annotate(source, remarks, rates, bad, variations=None): a record with remarks, Black's win rates, bad moves and
    instances of Variation, each by the number of the move in the main line."""
