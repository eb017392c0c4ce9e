"""The contract of a player: a position in, the number of a move out."""

from abc import ABC, abstractmethod

from tengen.games.clock import Clock
from tengen.games.game import Game, Position

RESIGN = -1
"""Returned in place of a move's number by a player that gives up."""


def choice_name(game: Game, choice: int) -> str:
    """A move in the game's notation, or 'resign'."""
    return "resign" if choice == RESIGN else game.format_move(choice)


class Player(ABC):
    """Chooses moves. Inside the program moves are numbers; `choose` is for people."""

    @abstractmethod
    def choose_number(self, position: Position, clock: Clock | None = None) -> int:
        """Return the number of the move to play, or RESIGN. `clock` is that of the side to move."""

    def choose(self, position: Position, clock: Clock | None = None) -> str:
        """Return the move to play in the game's notation, or 'resign'. `clock` is that of the side to move."""
        return choice_name(position.game, self.choose_number(position, clock))

    @abstractmethod
    def new_game(self, seed: int | None = None) -> None:
        """Get ready for a new game; with a seed, begin the random numbers anew."""
