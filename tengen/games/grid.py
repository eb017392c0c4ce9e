"""Games on boards of rows and columns: notation, diagrams and GTP vertices, derived from the shape of the board.

A place has a row and a column, both counted from 0, and a number, its point; the move at a place has the same number.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from tengen.errors import shortened
from tengen.games import interface
from tengen.games.diagrams import check_shape, draw_row, rows_of
from tengen.games.game import BadNotation, Cell, Game

GTP_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""The letters of the protocol's columns, without I."""


class GridGame(Game):
    """A game of stones on a board of rows and columns, whose places have names of a letter and a number.

    A game defines `name`, `state_record`, and `board_size` or `shape`. The defaults of the other methods fit a game
    that starts with a state of zeros, whose moves each add a stone, and whose record has the field `stones` (two
    integers with one bit per point, for Black's and for White's stones) or `colour` (one colour per point).
    """

    letters: ClassVar[str] = "abcdefghijklmnopqrstuvwxyz"
    """The names of the columns, from the left."""
    is_numbered_from_below: ClassVar[bool] = False
    """Whether row 1, the row of index 0, is the bottom row of the diagram. If not, it is the top row."""
    place_word: ClassVar[str] = "square"
    stride: ClassVar[int] = 0
    """If not 0: the distance between points of a column; the board then has a frame, so that point 0 is above and to
    the left of it, and kernels find neighbours without checks for the edge."""

    # The board

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns. Default: both are the size of the board."""
        return self.size_value, self.size_value

    def has_place(self, row: int, column: int) -> bool:
        """Return whether the board has a place in a row and column. Default: all within its shape."""
        return 0 <= row < self.shape[0] and 0 <= column < self.shape[1]

    def point(self, row: int, column: int) -> int:
        """Return the number of a place. Default: places are counted row by row, with a frame if `stride` is not 0."""
        return (row + 1) * self.stride + column + 1 if self.stride else row * self.shape[1] + column

    def row_and_column(self, point: int) -> tuple[int, int]:
        """Return the row and column of a point: the inverse of `point`."""
        if self.stride:
            return point // self.stride - 1, point % self.stride - 1
        return divmod(point, self.shape[1])

    @property
    def named_moves(self) -> dict[str, int]:
        """Return the moves that are not places, by their names in lower case, such as {'pass': 64}."""
        return {}

    def place_name(self, row: int, column: int) -> str:
        return f"{self.letters[column]}{row + 1}"

    # The stones

    @property
    def move_slots(self) -> int:
        """The number of move slots. Default: one more than the number of the last place."""
        return self.point(self.shape[0] - 1, self.shape[1] - 1) + 1

    @property
    def longest_playout(self) -> int:
        """The maximum number of moves of a playout. Default: the number of moves."""
        return self.move_slots

    def reset(self, state: Any) -> None:
        """Set a state to the start of the game. Default: all zeros."""
        for field in state.dtype.names:
            state[field] = 0

    def key(self, state: Any) -> bytes:
        """Return bytes that are equal for equal states. Default: the stones and the side to move."""
        return bytes(self.colours(state)) + bytes((int(state.to_play),))

    def colours(self, state: Any) -> Sequence[int]:
        """Return the colours of the places by their points: 0 (black), 1 (white) or 2 (empty)."""
        if "colour" in state.dtype.names:
            found: list[int] = state.colour.tolist()
            return found
        black, white = (int(stones) for stones in state.stones)
        return [0 if black >> point & 1 else 1 if white >> point & 1 else 2 for point in range(self.move_slots)]

    def clear(self, state: Any) -> None:
        """Set a state to an empty board, Black to move. Default: the start of the game."""
        self.reset(state)

    def put_stone(self, state: Any, point: int, colour: int) -> None:
        """Put a stone of colour 0 or 1 on an empty place. Default: a move of that side."""
        state.to_play = colour
        interface.play(state, point)

    # Notation

    def parse_move(self, text: str) -> int:
        return self._parsed(text, self.letters)

    def _parsed(self, text: str, letters: str, is_vertex: bool = False) -> int:
        """Parse a move with these letters for columns."""
        written = text.strip()
        if written.lower() in self.named_moves:
            return self.named_moves[written.lower()]
        written = written.upper() if letters.isupper() else written.lower()
        letter, digits = written[:1], written[1:]
        if not letter or letter not in letters or not (digits.isascii() and digits.isdigit()) or len(digits) > 2:
            example = self.place_name(self.shape[0] // 2, self.shape[1] // 2)
            without = ", columns without I" if is_vertex and "i" in self.letters else ""
            raise BadNotation(
                f"{shortened(text)} is not a {self.place_word}: "
                f"write the letter of a column and the number of a row, as in {example}{without}"
            )
        row, column = int(digits) - 1, letters.index(letter)
        row = self._gtp_row(row) if is_vertex else row
        if not self.has_place(row, column):
            raise BadNotation(f"{written} is off the board{self._extent}")
        return self.point(row, column)

    @property
    def _extent(self) -> str:
        """Return the end of the message about a place off the board."""
        rows, columns = self.shape
        return f": it ends at {self.place_name(rows - 1, columns - 1)}"

    def format_move(self, move: int) -> str:
        for name, number in self.named_moves.items():
            if move == number:
                return name
        return self.place_name(*self._place(move))

    def _place(self, move: int) -> tuple[int, int]:
        row, column = self.row_and_column(move)
        if not self.has_place(row, column):
            raise BadNotation(f"{move} is not the number of a {self.place_word} of this board")
        return row, column

    # Diagrams

    def _rows_downwards(self) -> Sequence[int]:
        """Return the rows in the order of the diagram."""
        rows = range(self.shape[0])
        return rows[::-1] if self.is_numbered_from_below else rows

    def rows(self, state: Any) -> list[list[Cell | None]]:
        """Return the places by row and column, the top row of the diagram first."""
        colours = self.colours(state)
        return [
            [
                Cell(self.place_name(row, column), colours[self.point(row, column)])
                if self.has_place(row, column)
                else None
                for column in range(self.shape[1])
            ]
            for row in self._rows_downwards()
        ]

    def map_diagram(self, state: Any, marks: dict[str, str]) -> str:
        """Return the board with a number before each row, and the columns' letters on the side of row 1."""
        rows, columns = self.shape
        width = len(str(rows))
        lines = [
            f"{number + 1:>{width}} {draw_row(cells, marks)}"
            for number, cells in zip(self._rows_downwards(), self.rows(state), strict=True)
        ]
        letters = f"{'':>{width}} {' '.join(self.letters[:columns])}"
        return "\n".join([*lines, letters] if self.is_numbered_from_below else [letters, *lines])

    def set_up(self, state: Any, picture: Any) -> None:
        stones = self.read_diagram(picture)
        self.clear(state)
        for point, colour in stones:
            self.put_stone(state, point, colour)

    def read_diagram(self, picture: str) -> list[tuple[int, int]]:
        """Return the stones of a diagram as (point, colour). Raises BadNotation if it does not fit this board."""
        columns = {
            row: [column for column in range(self.shape[1]) if self.has_place(row, column)]
            for row in self._rows_downwards()
        }
        lines = rows_of(picture, "the board")
        check_shape(lines, [len(places) for places in columns.values()], "the board")
        return [
            (self.point(row, column), colour)
            for (row, places), line in zip(columns.items(), lines, strict=True)
            for column, colour in zip(places, line, strict=True)
            if colour < 2
        ]

    # The Go Text Protocol

    @property
    def gtp_board_size(self) -> int:
        return max(self.shape)

    def _gtp_row(self, row: int) -> int:
        """Convert a row of this board, from 0, to the protocol's, and back: the function is its own inverse."""
        return row

    def format_vertex(self, move: int) -> str:
        """Return a move in the protocol's notation: a capital letter (without I) and a number, or the move's name."""
        if move in self.named_moves.values():
            return self.format_move(move)
        row, column = self._place(move)
        return f"{GTP_COLUMNS[column]}{self._gtp_row(row) + 1}"

    def parse_vertex(self, text: str) -> int:
        return self._parsed(text, GTP_COLUMNS, is_vertex=True)
