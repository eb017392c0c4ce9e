"""The Python layer over the kernels: `Game` is a set of rules, `Position` a game in progress.

    >>> from tengen import Go
    >>> position = Go(size=5, komi=0.5).start()
    >>> print(position.play("C3").play("B3"))
    5 . . . . .
    4 . . . . .
    3 . O X . .
    2 . . . . .
    1 . . . . .
      A B C D E
    >>> position
    <GoPosition: Go(size=5, komi=0.5, ko='positional', suicide=False), 2 moves, last B3, black to play>
    >>> position.undo().legal_moves()[:3]
    ['A1', 'B1', 'C1']

Invalid calls raise GameError with a one-line message and leave the position unchanged.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from tengen.errors import shortened
from tengen.games.errors import BadNotation as BadNotation
from tengen.games.errors import BadRecord as BadRecord
from tengen.games.errors import GameError as GameError
from tengen.games.errors import IllegalMove as IllegalMove
from tengen.games.position import COLOURS as COLOURS
from tengen.games.position import PlayedMove as PlayedMove
from tengen.games.position import Position as Position
from tengen.games.position import colour_index as colour_index

if TYPE_CHECKING:
    from tengen.games.records import RecordFormat


class Cell(NamedTuple):
    """A cell of a board: its name in the game's notation, and 0 (black), 1 (white) or 2 (empty)."""

    name: str
    colour: int


class BoardSize(NamedTuple):
    """The option of a game that sets the size of its board."""

    values: Sequence[int]
    """The accepted sizes, in ascending order."""
    field: str = "size"
    """The field of the game's class that holds the size."""
    form: str = "{0}x{0}"
    """A board in text: '{0}x{0}' gives '9x9'."""

    def check(self, board: str, value: object) -> None:
        """Raise GameError if `value` is not an accepted size; `board` names the kind of board in the message."""
        if not isinstance(value, int) or value not in self.values:
            raise GameError(f"{self.field} of {board} must be {_listed(self.values)}, not {shortened(value)}")


def _listed(values: Sequence[int]) -> str:
    """Return accepted numbers in words: 'from 1 to 25', or '4, 6 or 8'."""
    if len(values) > 2 and values[-1] - values[0] == len(values) - 1:
        return f"from {values[0]} to {values[-1]}"
    *others, last = map(str, values)
    return f"{', '.join(others)} or {last}" if others else last


def graded_levels(player: str, *simulations: int) -> tuple[str, ...]:
    """Return players of rising strength: random moves, `player` limited to each number of simulations, `player`."""
    joint = "," if ":" in player else ":"
    return ("random", *(f"{player}{joint}simulations={count}" for count in simulations), player)


@dataclass(frozen=True)
class Game(ABC):
    """The rules of a game, its options, and every other fact about it; immutable, comparable, and quick to create.

    A game on a board of rows and columns derives from GridGame or HexGame, which define its notation and diagrams.
    """

    name: ClassVar[str]
    meaning: ClassVar[str] = ""
    """The game in one line, for lists of games."""
    board_size: ClassVar[BoardSize | None] = None
    """The option for the size of the board; None if there is only one board."""
    default_player: ClassVar[str] = "uct"
    """The description of the default player."""
    has_komi: ClassVar[bool] = False
    """Whether the game has the option `komi`: points for White."""
    runs_on_gpu: ClassVar[bool] = True
    """Whether the bodies of the verbs are kernels that call nothing in Python."""
    has_handicap: ClassVar[bool] = False
    """Whether positions implement `place_handicap` and `place_fixed_handicap`."""
    suits_go_clients: ClassVar[bool] = False
    """Whether clients and servers for Go can play the game: stones may be set up, either side may move at any time,
    dead stones are removed at the end, and the game has the options `ko` and `suicide`."""
    gogui_board: ClassVar[str] = "rect"
    """The kind of GoGui's board that shows the game: 'rect', or 'hex' for cells with six neighbours."""
    board_style: ClassVar[str] = "squares"
    """How pictures show the board: stones in 'squares' or 'hexagons', or on the crossings of 'lines'."""

    def __post_init__(self) -> None:
        """Check the options. Raises GameError if one is not accepted."""
        if self.board_size is not None:
            self.board_size.check(self._a_board, getattr(self, self.board_size.field))

    # For the kernels.

    @property
    @abstractmethod
    def state_record(self) -> np.dtype:
        """The record type of a state, which chooses the body of every verb."""

    @property
    def tactical_record(self) -> np.dtype:
        """The record type of states with the additional fields that this game's own policies and priors need."""
        raise GameError(f"{self.name} has no tactical record for policies and priors")

    @property
    def compact_record(self) -> np.dtype | None:
        """The record type of small states for searches of many trees at once; None if there is no smaller one.

        Move numbers, results and superko hashes are those of `state_record`; `Position.state_as` converts a state.
        """
        return None

    @property
    @abstractmethod
    def move_slots(self) -> int:
        """The number of move slots: moves are numbers below this."""

    @property
    @abstractmethod
    def longest_playout(self) -> int:
        """The maximum number of moves of a playout."""

    @abstractmethod
    def reset(self, state: Any) -> None:
        """Set a state to the start of the game."""

    @property
    def untracked_move(self) -> int:
        """The move without a place on the board, such as a pass, which gets no RAVE values; -1 if there is none."""
        return -1

    @property
    def has_margin(self) -> bool:
        """Whether the score counts points; if not, only its sign matters."""
        return True

    def forbid(self, state: Any, move: int) -> None:
        """Mark a move as illegal in a state of a simulation, if only the history of the position forbids it."""
        raise GameError(f"{self.name} has no rule that forbids a move because of the history")

    def reviewed(self, position: Position, ranking: list[int], values: dict[int, float]) -> int:
        """Return the move to play, given a search's `ranking`, the best first; a game may choose when to end itself.

        `values` has the win rates of the well explored moves, for the side to move.
        """
        return ranking[0]

    def reviewed_by_margin(self, position: Position, ranking: list[int], values: dict[int, float]) -> int:
        """Return the move to play for a player that maximises the margin; a won game need not be ended."""
        return self.reviewed(position, ranking, values)

    def moves_to_go(self, position: Position) -> int:
        """Estimate the number of moves that the side to move still has to make, for time management."""
        return 25

    # Notation and diagrams.

    @abstractmethod
    def parse_move(self, text: str) -> int:
        """Return the number of a move, legal or not. Raises BadNotation if the text is not a move."""

    @abstractmethod
    def format_move(self, move: int) -> str:
        """Return a move in the game's notation."""

    @abstractmethod
    def map_diagram(self, state: Any, marks: dict[str, str]) -> str:
        """Return a text diagram of a state, with `marks` (by the names of places) on empty places."""

    def rows(self, state: Any) -> list[list[Cell | None]]:
        """Return the cells of the board by row and column, the top row first; None where there is no cell.

        All rows have the same length. `Position.board` and `Position.colour_at` need this method.
        """
        raise GameError(f"{self.name} does not define the cells of its board: its class needs the method 'rows'")

    def diagram(self, state: Any) -> str:
        """Return a text diagram of a state."""
        return self.map_diagram(state, {})

    def places(self) -> dict[int, str]:
        """Return the slots and names of the places that are owned at the end; empty in games without ownership."""
        return {}

    @abstractmethod
    def set_up(self, state: Any, picture: Any) -> None:
        """Set a fresh state to the position of a text diagram, or of another description that the game accepts."""

    @abstractmethod
    def key(self, state: Any) -> bytes:
        """Return bytes that are equal for equal states."""

    def start(self) -> Position:
        """Return the position at the start of the game."""
        return Position(self)

    def from_diagram(self, text: str, to_play: str = "black") -> Position:
        """Return the position of a text diagram, without history."""
        return self.start()._begin_at(text, colour_index(to_play))

    def explain_illegal(self, state: Any, move: int) -> str:
        """Return why a move is not legal, as the end of a sentence."""
        return "it is not legal here"

    # Sizes of the board

    @property
    def _a_board(self) -> str:
        """Return the kind of board, with its article, for messages."""
        kind = type(self).__name__
        return f"{'an' if kind[0] in 'AEIOU' else 'a'} {kind} board"

    @property
    def size_value(self) -> int:
        """The value of the option for the board's size; 0 if there is only one board."""
        return 0 if self.board_size is None else int(getattr(self, self.board_size.field))

    @property
    def full_name(self) -> str:
        """The name by which `make_game` and the option --game create a game of this kind, but for its other options."""
        return self.name

    @property
    def board_text(self) -> str:
        """A short name of the board: '9x9', 'base 8', or the game's name if there is only one board."""
        return self.name if self.board_size is None else self.board_size.form.format(self.size_value)

    # Players

    @property
    def levels(self) -> tuple[str, ...]:
        """The players of `--level` on this board, the weakest first; the last one is the default player.

        The default numbers of simulations are not measured; a game with measured levels overrides this.
        """
        return graded_levels(self.default_player, 5, 20, 40, 100, 300, 1_000, 3_000, 10_000)

    # The Go Text Protocol

    @property
    def gtp_board_size(self) -> int:
        """The argument of `boardsize` for this board; 0 if the board is not one of rows and columns."""
        return self.size_value

    def with_gtp_board_size(self, size: int) -> Self:
        """Return the game with the board of `boardsize`. Raises GameError for an unknown size."""
        games = [self]
        if self.board_size is not None:
            games = [replace(self, **{self.board_size.field: value}) for value in self.board_size.values]
        by_size = {game.gtp_board_size: game for game in games}
        if size not in by_size:
            raise GameError(f"size of {self._a_board} must be {_listed(list(by_size))}, not {shortened(size)}")
        return by_size[size]

    def gtp_rules(self) -> list[str]:
        """Return the commands that set the game's options in an engine, after `boardsize` and `clear_board`."""
        return []

    def format_vertex(self, move: int) -> str:
        """Return a move in the protocol's notation. Default: the game's notation."""
        return self.format_move(move)

    def parse_vertex(self, text: str) -> int:
        """Return the number of the move at a vertex, in letters of either case. Raises BadNotation."""
        return self.parse_move(text)

    # Records and JSON

    @classmethod
    def records(cls) -> "RecordFormat | None":
        """Return the game's record format; None if games are stored as lists of moves only."""
        return None

    def with_rules_of(self, other: "Game") -> "Game":
        """Return this game with the rules of `other`, for a record that is continued. Default: unchanged."""
        return self

    def to_json(self) -> dict[str, Any]:
        """Return the name and all options as JSON values."""
        return {"name": self.name, **asdict(self)}
