"""The class `Othello`: options, levels and notation."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tengen.games.game import BoardSize, Position, graded_levels
from tengen.games.grid import GridGame
from tengen.games.othello import othello_board
from tengen.options import option

PASS = int(othello_board.PASS)


@dataclass(frozen=True)
class Othello(GridGame):
    """Othello: a disc turns over all enemy discs that it encloses; the side with more discs at the end wins.

    size     board size: 4, 6 or 8
    """

    size: int = option(8, "squares on each side")

    name: ClassVar[str] = "othello"
    meaning: ClassVar[str] = (
        "turn over the opponent's discs by enclosing them; the side with more discs at the end wins"
    )
    board_size: ClassVar[BoardSize] = BoardSize((4, 6, 8))
    default_player: ClassVar[str] = "uct"

    @property
    def state_record(self) -> np.dtype:
        return othello_board.STATE

    @property
    def move_slots(self) -> int:
        return PASS + 1

    @property
    def longest_playout(self) -> int:
        """Each disc may be followed by a pass."""
        return 2 * self.size * self.size

    @property
    def untracked_move(self) -> int:
        return PASS

    def reset(self, state: Any) -> None:
        othello_board.reset(state, self.size)

    def moves_to_go(self, position: Position) -> int:
        """Estimate: a game fills the board."""
        return max(1, (self.size * self.size - 4 - len(position.history) + 1) // 2)

    @property
    def levels(self) -> tuple[str, ...]:
        return graded_levels(self.default_player, 5, 20, 40, 100, 300, 1_000, 3_000, 10_000)

    # The board: squares are numbered as on 8x8, row by row from the top

    def point(self, row: int, column: int) -> int:
        return 8 * row + column

    def row_and_column(self, point: int) -> tuple[int, int]:
        return divmod(point, 8)

    @property
    def named_moves(self) -> dict[str, int]:
        return {"pass": PASS}

    def colours(self, state: Any) -> list[int]:
        black, white = int(state.black), int(state.white)
        return [0 if black >> square & 1 else 1 if white >> square & 1 else 2 for square in range(64)]

    def clear(self, state: Any) -> None:
        self.reset(state)
        state.black = state.white = 0

    def put_stone(self, state: Any, point: int, colour: int) -> None:
        name = ("black", "white")[colour]
        state[name] = int(state[name]) | 1 << point

    def key(self, state: Any) -> bytes:
        return np.array([state.black, state.white, state.to_play], np.uint64).tobytes()

    def explain_illegal(self, state: Any, move: int) -> str:
        if move == PASS:
            return "a pass is not allowed while a move is possible"
        if (int(state.black) | int(state.white)) >> move & 1:
            return "there is a disc already"
        return "it turns over no disc"
