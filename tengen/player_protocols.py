"""The public types of players, for programs that accept any object with these methods.

The package's own players derive from the class in `games/player.py`, whose moves are numbers, and have these methods.
"""

from typing import Protocol, runtime_checkable

from tengen.games.clock import Clock
from tengen.games.game import Position
from tengen.search.analysis import Analysis


@runtime_checkable
class Player(Protocol):
    """Chooses moves."""

    def choose(self, position: Position, clock: Clock | None = None) -> str:
        """Return the move to play in the game's notation, or 'resign'. `clock` is that of the side to move."""

    def new_game(self, seed: int | None = None) -> None:
        """Get ready for a new game; with a seed, begin the random numbers anew."""


@runtime_checkable
class AnalysingPlayer(Player, Protocol):
    """Chooses moves by a search, and tells what the search has found."""

    def analyse(self, position: Position, playouts: int = 0) -> Analysis:
        """Search a position and return what was found; with playouts, also who owns what at the end."""
