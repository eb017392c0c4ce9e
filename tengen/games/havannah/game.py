"""The class `Havannah`: options, levels and notation.

A cell is the letter of a column and the number of a row, as on game servers: a1 and the cell opposite are corners.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from tengen.errors import shortened
from tengen.games.game import BoardSize, GameError, Position, graded_levels
from tengen.games.havannah import havannah_bitboard, havannah_board
from tengen.games.hexagons import HexGame
from tengen.options import option

_cells = cache(havannah_board.cells_of)
"""By base: the cells as (row, column), by move number."""


@cache
def _moves(base: int) -> dict[tuple[int, int], int]:
    return {cell: move for move, cell in enumerate(_cells(base))}


@dataclass(frozen=True)
class Havannah(HexGame):
    """Havannah: make a ring, a bridge between two corners, or a fork between three edges.

    base     cells along each edge of the hexagon, from 3 to 10
    swap     whether the second player may take over the first stone instead of moving
    """

    base: int = option(8, "cells along each edge")
    swap: bool = option(False, "whether the second player may take over the first stone")

    name: ClassVar[str] = "havannah"
    meaning: ClassVar[str] = "make a ring, a bridge between two corners, or a fork between three edges"
    board_size: ClassVar[BoardSize] = BoardSize(
        range(havannah_board.SMALLEST_BASE, havannah_board.LARGEST_BASE + 1), "base", "base {0}"
    )
    default_player: ClassVar[str] = "mc-rave"
    leans_right: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.swap, bool):
            raise GameError(f"swap must be True or False, not {shortened(self.swap)}")

    @property
    def state_record(self) -> np.dtype:
        return havannah_board.STATE

    @property
    def compact_record(self) -> np.dtype | None:
        """The record type of bitboards, which exist for the bases whose sheared square fits into 64 bits."""
        return havannah_bitboard.BITBOARD if self.base in havannah_bitboard.BASES else None

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

    def start(self) -> "HavannahPosition":
        return HavannahPosition(self)

    def reset(self, state: Any) -> None:
        havannah_board.reset(state, self.base, int(self.swap))

    def moves_to_go(self, position: Position) -> int:
        """Estimate: few games fill more than half of the board."""
        return max(8, (self.cells // 2 - len(position.history)) // 2)

    @property
    def levels(self) -> tuple[str, ...]:
        return graded_levels(self.default_player, 5, 40, 100, 300, 1_000, 3_000, 10_000, 30_000)

    # The board: a hexagon in a sheared square, whose cells are numbered row by row

    @property
    def shape(self) -> tuple[int, int]:
        return 2 * self.base - 1, 2 * self.base - 1

    def has_place(self, row: int, column: int) -> bool:
        return super().has_place(row, column) and abs(row - column) < self.base

    def point(self, row: int, column: int) -> int:
        return _moves(self.base)[row, column]

    def row_and_column(self, point: int) -> tuple[int, int]:
        cells = _cells(self.base)
        return cells[point] if 0 <= point < len(cells) else (-1, -1)

    @property
    def named_moves(self) -> dict[str, int]:
        return {"swap": self.cells}

    def colours(self, state: Any) -> list[int]:
        return [int(state.colour[havannah_board.point_of(row, column)]) for row, column in _cells(self.base)]

    def put_stone(self, state: Any, point: int, colour: int) -> None:
        number = havannah_board.point_of(*self.row_and_column(point))
        havannah_board.put_stone(state, np.uint64(number), np.uint64(colour))

    def key(self, state: Any) -> bytes:
        return bytes(state.colour) + bytes((int(state.to_play), int(state.winner)))

    def explain_illegal(self, state: Any, move: int) -> str:
        if move == self.cells:
            return "a swap is allowed only at the second move, and with the swap rule"
        return "there is a stone already"


class HavannahPosition(Position):
    """A game of Havannah in progress."""

    def state_as(self, record: np.dtype) -> Any:
        if record != self.game.compact_record:
            return self.state
        state = np.zeros(1, record)[0]
        havannah_bitboard.copy_board(state, self.state)
        return state
