"""Observations and actions of environments, defined by the board of any game.

An action below rows * columns is the cell in row `action // columns` and column `action % columns` of `Position.board`,
row 0 at the top; it is a move where the cell's name is one. Then follow the moves without a cell, such as a pass.
"""

from typing import Any

import numpy as np

from tengen.errors import shortened
from tengen.games.errors import BadNotation, GameError, IllegalMove
from tengen.games.game import Game
from tengen.games.position import Position

PLANES = ("own stones", "the opponent's stones", "empty cells", "whether the observer is Black")
"""The last axis of an observation."""
NO_MOVE = -1


class BoardView:
    """The observations and actions of a game."""

    def __init__(self, game: Game):
        """Raises GameError if the game does not define the cells of its board."""
        self.game = game
        cells = game.rows(game.start().state)
        self.rows, self.columns = len(cells), len(cells[0])
        places = [self._move_at(cell.name) if cell is not None else NO_MOVE for row in cells for cell in row]
        others = [move for move in range(game.move_slots) if move not in places and self._is_move(move)]
        self.moves = np.array([*places, *others])
        """The move of each action; NO_MOVE for cells that are none."""
        self._action_of = {int(move): action for action, move in enumerate(self.moves) if move != NO_MOVE}

    @property
    def actions(self) -> int:
        """The number of actions."""
        return len(self.moves)

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of an observation."""
        return self.rows, self.columns, len(PLANES)

    def _move_at(self, name: str) -> int:
        try:
            return self.game.parse_move(name)
        except BadNotation:
            return NO_MOVE

    def _is_move(self, move: int) -> bool:
        try:
            self.game.format_move(move)
        except GameError:
            return False
        return True

    def move_of(self, action: Any) -> int:
        """Return the move of an action. Raises IllegalMove if it is the number of none."""
        if not 0 <= action < self.actions or self.moves[action] == NO_MOVE:
            raise IllegalMove(f"action {shortened(action)} is not a move of {self.game.name}")
        return int(self.moves[action])

    def action_of(self, move: int) -> int:
        """Return the action that plays a move."""
        return self._action_of[move]

    def planes(self, position: Position, colour: int) -> np.ndarray:
        """Return the board as `PLANES` of 0 and 1, as the side `colour` (0 Black, 1 White) sees it."""
        board = position.board
        found = np.empty(self.shape, np.int8)
        found[..., 0], found[..., 1] = board == 1 + colour, board == 2 - colour
        found[..., 2], found[..., 3] = board == 0, 1 - colour
        return found

    def mask(self, position: Position) -> np.ndarray:
        """Return 1 for each legal action and 0 for all others; only zeros after the end of the game."""
        mask = np.zeros(self.actions, np.int8)
        if not position.is_over:
            mask[[self._action_of[int(move)] for move in position.legal_move_numbers()]] = 1
        return mask

    def observation(self, position: Position, colour: int) -> dict[str, np.ndarray]:
        """Return what the side `colour` sees. The mask is empty unless it is to move."""
        is_to_move = position.state.to_play == colour
        mask = self.mask(position) if is_to_move else np.zeros(self.actions, np.int8)
        return {"observation": self.planes(position, colour), "action_mask": mask}

    def spaces(self, spaces: Any) -> tuple[Any, Any]:
        """Return the spaces of observations and of actions, made by the module `gymnasium.spaces`."""
        return (
            spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, self.shape, np.int8),
                    "action_mask": spaces.Box(0, 1, (self.actions,), np.int8),
                }
            ),
            spaces.Discrete(self.actions),
        )
