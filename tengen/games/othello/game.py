"""Othello for people: coordinates and diagrams."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tengen.errors import shortened
from tengen.games.diagrams import check_shape, draw_row, rows_of
from tengen.games.game import BadNotation, Cell, Game, GameError, Position
from tengen.games.othello import othello_board

SIZES = (4, 6, 8)
PASS = int(othello_board.PASS)


@dataclass(frozen=True)
class Othello(Game):
    """Othello: a disc turns over all enemy discs that it encloses; who has more at the end wins.

    size     of the board: 4, 6 or 8
    """

    size: int = 8

    name: ClassVar[str] = "othello"

    def __post_init__(self) -> None:
        if not isinstance(self.size, int) or self.size not in SIZES:
            raise GameError(f"an Othello board has size {', '.join(map(str, SIZES))}, not {shortened(self.size)}")

    @property
    def state_record(self) -> np.dtype:
        return othello_board.STATE

    @property
    def move_slots(self) -> int:
        return PASS + 1

    @property
    def longest_playout(self) -> int:
        """Each disc may be followed by one pass."""
        return 2 * self.size * self.size

    @property
    def untracked_move(self) -> int:
        return PASS

    def reset(self, state: Any) -> None:
        othello_board.reset(state, self.size)

    def moves_to_go(self, position: Position) -> int:
        """A game fills the board."""
        return max(1, (self.size * self.size - 4 - len(position.history) + 1) // 2)

    def parse_move(self, text: str) -> int:
        written = text.strip().lower()
        if written == "pass":
            return PASS
        letters, digits = "abcdefgh"[: self.size], "12345678"[: self.size]
        if len(written) != 2 or written[0] not in letters or written[1] not in digits:
            raise BadNotation(f"{shortened(text)} is no square: they go from a1 to {letters[-1]}{digits[-1]}")
        return digits.index(written[1]) * 8 + letters.index(written[0])

    def format_move(self, move: int) -> str:
        if move == PASS:
            return "pass"
        row, column = divmod(move, 8)
        if max(row, column) >= self.size or move < 0:
            raise BadNotation(f"{move} is the number of no square of this board")
        return f"{'abcdefgh'[column]}{row + 1}"

    def rows(self, state: Any) -> list[list[Cell | None]]:
        """Return the squares by row and column, a1 first."""
        black, white = int(state.black), int(state.white)

        def cell(square: int) -> Cell:
            return Cell(self.format_move(square), 0 if black >> square & 1 else 1 if white >> square & 1 else 2)

        return [[cell(8 * row + column) for column in range(self.size)] for row in range(self.size)]

    def map_diagram(self, state: Any, marks: dict[str, str]) -> str:
        lines = [f"{number} {draw_row(row, marks)}" for number, row in enumerate(self.rows(state), 1)]
        return "\n".join(["  " + " ".join("abcdefgh"[: self.size]), *lines])

    def set_up(self, state: Any, picture: str) -> None:
        rows = rows_of(picture, "the board")
        check_shape(rows, [self.size] * self.size, "the board")
        discs = [0, 0, 0]
        for row, line in enumerate(rows):
            for column, colour in enumerate(line):
                discs[colour] |= 1 << (8 * row + column)
        self.reset(state)
        state.black, state.white = discs[0], discs[1]

    def key(self, state: Any) -> bytes:
        return np.array([state.black, state.white, state.to_play], np.uint64).tobytes()

    def explain_illegal(self, state: Any, move: int) -> str:
        if move == PASS:
            return "there is a disc to turn over, so passing is not allowed"
        if (int(state.black) | int(state.white)) >> move & 1:
            return "there is a disc already"
        return "it turns over no disc"
