"""Positions with a known winner, on which the accuracy of playouts is measured.

The package's file, `tengen/data/positions-9.jsonl`, has 200 positions on 9x9 with komi 7.5 and area scoring. They are
from games between GNU Go at levels 0 and 5 and two other programs with 300 to 500 playouts per move, with up to six
random moves at the beginning, stopped after 10 to 48 moves. Two strong programs, Fuego and Pachi, then searched each
with 20,000 simulations, and those positions were kept in which both gave the same side a win rate above 0.8. So only
decided positions are labelled, by the agreement of two programs and not by hand as in the paper; 77 are won by Black.

Each line is a JSON object: `moves` from the empty board ("B E5"), and the label `black_wins`, 1 or 0.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tengen.errors import TengenError, shortened
from tengen.games.game import Position
from tengen.games.go.game import Go
from tengen.learning.valued_positions import positions_in, vertices_of

KOMI = 7.5
OF_THE_PACKAGE = Path(__file__).parent.parent / "data" / "positions-9.jsonl"


@dataclass(frozen=True)
class LabelledPosition:
    """The moves that lead to a position, and its label."""

    moves: tuple[str, ...]
    """In the notation of Go, colours alternating from Black; passes included."""
    black_wins: float
    """The label: 1 or 0."""

    def position(self, size: int = 9) -> Position:
        """Return the position, played from the empty board."""
        position = Go(size, komi=KOMI, ko="simple").start()
        for move in self.moves:
            position.play(move)
        return position

    @property
    def opening(self) -> str:
        """The moves as an opening of the arena."""
        return " ".join(self.moves)


@cache
def labelled_positions(path: Path | None = None) -> tuple[LabelledPosition, ...]:
    """Read the positions of a file, or those of the package. Raises Unreadable if the file is not valid."""
    return positions_in(path or OF_THE_PACKAGE, _labelled)


def _labelled(described: Any) -> LabelledPosition:
    """Return the position of a line; raise TengenError if it is not valid."""
    if not isinstance(described, dict):
        raise TengenError("it is not an object")
    moves, label = described.get("moves"), described.get("black_wins")
    if label not in (0, 1) or isinstance(label, bool):
        raise TengenError(f"black_wins is {shortened(label)}, not 1 or 0")
    found = LabelledPosition(vertices_of(moves), float(label))
    if found.position().is_over:
        raise TengenError("the game is over after these moves")
    return found
