"""Reading and writing of text diagrams of boards, shared by the games."""

from collections.abc import Iterable

from tengen.errors import shortened
from tengen.games.game import BadNotation, Cell

SYMBOLS = "XO."
"""The symbols of black, white and empty points, by colour number."""
READ_AS = {"X": 0, "#": 0, "O": 1, ".": 2, "+": 2, ",": 2}


def draw_row(cells: Iterable[Cell | None], marks: dict[str, str]) -> str:
    """Return the symbols of a row's cells, separated by blanks; `marks` replaces the symbols of empty cells by name."""
    return " ".join(
        marks.get(cell.name, SYMBOLS[2]) if cell.colour == 2 else SYMBOLS[cell.colour]
        for cell in cells
        if cell is not None
    )


def rows_of(text: str, what: str) -> list[list[int]]:
    """Return the rows of a diagram, from the top, as colour numbers; coordinates are skipped."""
    rows = []
    for line in text.splitlines():
        cells = [word for word in line.split() if not word.isdigit()]
        if len(cells) == 1 and len(cells[0]) > 1 and all(symbol in READ_AS for symbol in cells[0]):
            cells = list(cells[0])
        letters = "".join(cells).upper()
        if not cells or (letters[0] not in SYMBOLS and letters.isalpha()):
            continue
        while cells and cells[-1].isalpha() and cells[-1] not in READ_AS:
            cells.pop()  # a column's letter at the end of a slanted row
        for cell in cells:
            if cell not in READ_AS:
                raise BadNotation(f"{shortened(cell)} is not a symbol of a diagram of {what}: use X, O and .")
        rows.append([READ_AS[cell] for cell in cells])
    return rows


def check_shape(rows: list[list[int]], lengths: list[int], what: str) -> None:
    """Raise BadNotation if a diagram does not have rows of these lengths."""
    if len(rows) != len(lengths):
        raise BadNotation(f"the diagram of {what} has {len(rows)} rows instead of {len(lengths)}")
    for number, (row, length) in enumerate(zip(rows, lengths, strict=True), 1):
        if len(row) != length:
            raise BadNotation(f"row {number} of the diagram of {what} has {len(row)} points instead of {length}")
