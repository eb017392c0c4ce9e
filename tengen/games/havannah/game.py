"""Havannah for people: coordinates and diagrams.

A cell is a column's letter and a row's number, as on game servers: a1 and the cell opposite are corners.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tengen.errors import shortened
from tengen.games.diagrams import check_shape, draw_row, rows_of
from tengen.games.game import BadNotation, Cell, Game, GameError, Position
from tengen.games.havannah import havannah_board

LETTERS = "abcdefghijklmnopqrs"


@dataclass(frozen=True)
class Havannah(Game):
    """Havannah: make a ring, a bridge between two corners, or a fork between three edges.

    base     cells along each edge of the hexagon, from 3 to 10
    swap     whether the second player may take over the first stone instead of moving
    """

    base: int = 8
    swap: bool = False

    name: ClassVar[str] = "havannah"

    def __post_init__(self) -> None:
        smallest, largest = havannah_board.SMALLEST_BASE, havannah_board.LARGEST_BASE
        if not isinstance(self.base, int) or not smallest <= self.base <= largest:
            raise GameError(f"a Havannah board has a base from {smallest} to {largest}, not {shortened(self.base)}")
        if not isinstance(self.swap, bool):
            raise GameError(f"the swap rule is played or not, True or False, not {shortened(self.swap)}")

    @property
    def state_record(self) -> np.dtype:
        return havannah_board.STATE

    @property
    def cells(self) -> int:
        return havannah_board.cell_count(self.base)

    @property
    def move_slots(self) -> int:
        return self.cells + 1

    @property
    def longest_playout(self) -> int:
        return self.cells + 1

    @property
    def untracked_move(self) -> int:
        return self.cells

    @property
    def has_margin(self) -> bool:
        return False

    def reset(self, state: Any) -> None:
        havannah_board.reset(state, self.base, int(self.swap))

    def moves_to_go(self, position: Position) -> int:
        """Few games fill more than half of the board."""
        cells = 3 * self.base * (self.base - 1) + 1
        return max(8, (cells // 2 - len(position.history)) // 2)

    def parse_move(self, text: str) -> int:
        written = text.strip().lower()
        if written == "swap":
            return self.cells
        letter, digits = written[:1], written[1:]
        if not letter or letter not in LETTERS or not digits.isascii() or not digits.isdigit() or len(digits) > 2:
            raise BadNotation(f"{shortened(text)} is no cell: write a column's letter and a row's number, as in e5")
        cell = (int(digits) - 1, LETTERS.index(letter))
        if cell not in self._moves():
            raise BadNotation(f"{written} is off the board of base {self.base}")
        return self._moves()[cell]

    def _moves(self) -> dict[tuple[int, int], int]:
        return {cell: move for move, cell in enumerate(havannah_board.cells_of(self.base))}

    def format_move(self, move: int) -> str:
        if move == self.cells:
            return "swap"
        if not 0 <= move < self.cells:
            raise BadNotation(f"{move} is the number of no cell of this board")
        row, column = havannah_board.cells_of(self.base)[move]
        return f"{LETTERS[column]}{row + 1}"

    def _rows(self) -> list[list[int]]:
        """The numbers of the cells, row by row from row 1 on."""
        rows: list[list[int]] = [[] for _ in range(2 * self.base - 1)]
        for row, column in havannah_board.cells_of(self.base):
            rows[row].append(havannah_board.point_of(row, column))
        return rows

    def rows(self, state: Any) -> list[list[Cell | None]]:
        """Return the cells in a square of side 2 * base - 1, by row number and column letter; two corners are None.

        The neighbours of the cell in row r and column c are (r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c),
        (r - 1, c - 1) and (r + 1, c + 1).
        """
        side = 2 * self.base - 1
        found: list[list[Cell | None]] = [[None] * side for _ in range(side)]
        for row, column in havannah_board.cells_of(self.base):
            found[row][column] = Cell(
                f"{LETTERS[column]}{row + 1}", int(state.colour[havannah_board.point_of(row, column)])
            )
        return found

    def map_diagram(self, state: Any, marks: dict[str, str]) -> str:
        """Row 1 at the top; a column's letter stands where the column, which runs down to the left, begins."""
        lines = [" " * (self.base + 3) + " ".join(LETTERS[: self.base])]
        for number, row in enumerate(self.rows(state)):
            letter = f" {LETTERS[self.base + number]}" if number < self.base - 1 else ""
            lines.append(f"{number + 1:>2} " + " " * abs(self.base - 1 - number) + draw_row(row, marks) + letter)
        return "\n".join(lines)

    def set_up(self, state: Any, picture: str) -> None:
        rows = rows_of(picture, "the board")
        check_shape(rows, [len(points) for points in self._rows()], "the board")
        self.reset(state)
        for points, line in zip(self._rows(), rows, strict=True):
            for point, colour in zip(points, line, strict=True):
                if colour < 2:
                    havannah_board.put_stone(state, np.uint64(point), np.uint64(colour))

    def key(self, state: Any) -> bytes:
        return bytes(state.colour) + bytes((int(state.to_play), int(state.winner)))

    def explain_illegal(self, state: Any, move: int) -> str:
        if move == self.cells:
            return "only the first stone can be taken over, at once, and where that rule is played"
        return "there is a stone already"
