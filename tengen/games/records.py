"""The interface of record formats: reading and writing of games in files."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tengen.games.position import Position


@dataclass(frozen=True)
class Variation:
    """Alternative moves to one of the game, with a comment at the first of them."""

    colour: str
    """The comment of the first move."""
    moves: tuple[str, ...]
    comment: str


@dataclass(frozen=True)
class RecordFormat:
    """The functions that read and write a game's records."""

    name: str
    """The name of the format: 'SGF'."""
    suffix: str
    """The suffix of file names: '.sgf'."""
    read: "Callable[..., Position]"
    """read(source, rules=None, moves=None): return the position at the end of a record, or after its first `moves`
    moves, with the options of the game `rules` (default: those of a new game) if the moves are legal under them, else
    with the most permissive ones. `source` is a Path, or the record itself as bytes. Raises BadRecord."""
    write: Callable[..., bytes]
    """write(position, comments=None, black="", white="", result=None): return a position's game as a record, with
    comments by move number, the players' names, and a result."""
    annotate: Callable[..., bytes]
    """annotate(source, remarks, rates, bad, variations=None): return a record with remarks, Black's win rates, bad
    moves and instances of Variation added, each by the number of the move in the main line."""
