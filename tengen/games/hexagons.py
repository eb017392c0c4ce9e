"""Games on boards of hexagonal cells, each with six neighbours."""

from typing import Any, ClassVar

from tengen.games.diagrams import draw_row
from tengen.games.grid import GridGame


class HexGame(GridGame):
    """A game on rows of cells, each row shifted by half a cell from the row above it.

    The board is a rhombus of the game's `shape`, without the cells that `has_place` excludes.
    """

    place_word: ClassVar[str] = "cell"
    gogui_board: ClassVar[str] = "hex"
    board_style: ClassVar[str] = "hexagons"
    leans_right: ClassVar[bool] = True
    """Whether lower rows are shifted to the right; if not, to the left."""

    def neighbours(self, row: int, column: int) -> list[tuple[int, int]]:
        """Return the neighbours of a cell, in cyclic order: six, or fewer at the edge of the board."""
        side = 1 if self.leans_right else -1
        steps = ((-1, 0), (-1, side), (0, side), (1, 0), (1, -side), (0, -side))
        around = [(row + down, column + right) for down, right in steps]
        return [cell for cell in around if self.has_place(*cell)]

    @property
    def _extent(self) -> str:
        return f" of {self.board_text}"

    def _indent(self, row: int) -> int:
        """Return the blanks before the first cell of a row: two per missing cell, and one per row of shift."""
        first = next(column for column in range(self.shape[1]) if self.has_place(row, column))
        return 2 * first + (row if self.leans_right else -row)

    def map_diagram(self, state: Any, marks: dict[str, str]) -> str:
        """Return the board with row 1 at the top.

        A column's letter is where the column begins: above the first row, or, where rows become longer, at the end of
        the row above.
        """
        indents = [self._indent(row) for row in range(self.shape[0])]
        rows, width = self.rows(state), len(str(max(10, self.shape[0])))
        ends = [max(column for column, cell in enumerate(row) if cell is not None) for row in rows]
        above = width + 1 + indents[0] - min(indents) + (-1 if self.leans_right else 1)
        lines = [" " * above + " ".join(self.letters[: ends[0] + 1])]
        for number, row in enumerate(rows):
            grows = not self.leans_right and number + 1 < len(rows) and ends[number + 1] > ends[number]
            letter = f" {self.letters[ends[number] + 1]}" if grows else ""
            blanks = " " * (indents[number] - min(indents))
            lines.append(f"{number + 1:>{width}} {blanks}{draw_row(row, marks)}{letter}")
        return "\n".join(lines)

    def _gtp_row(self, row: int) -> int:
        """Convert a row to GoGui's: from the bottom, each half a cell to the left of the one below it.

        Rows that shift right are therefore counted from the last one; the others keep their numbers, so that the board
        appears upside down.
        """
        return self.shape[0] - 1 - row if self.leans_right else row
