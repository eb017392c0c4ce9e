"""The interface of players: from a position to the number of a move."""

from abc import ABC, abstractmethod

from tengen.games.clock import Clock
from tengen.games.game import Game, Position

RESIGN = -1
"""Returned instead of a move's number by a player that resigns."""


def choice_name(game: Game, choice: int) -> str:
    """Return a move in the game's notation, or 'resign'."""
    return "resign" if choice == RESIGN else game.format_move(choice)


class Player(ABC):
    """Chooses moves: `choose_number` as numbers, `choose` in the game's notation."""

    @abstractmethod
    def choose_number(self, position: Position, clock: Clock | None = None) -> int:
        """Return the number of the move to play, or RESIGN. `clock` is that of the side to move."""

    def choose(self, position: Position, clock: Clock | None = None) -> str:
        """Return the move to play in the game's notation, or 'resign'. `clock` is that of the side to move."""
        return choice_name(position.game, self.choose_number(position, clock))

    @abstractmethod
    def new_game(self, seed: int | None = None) -> None:
        """Prepare for a new game; with a seed, reseed the random numbers."""
