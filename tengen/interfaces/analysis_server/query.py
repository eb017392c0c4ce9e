"""A query: a game, the turns of it to analyse, and what to report."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from tengen.errors import TengenError
from tengen.games.errors import GameError, IllegalMove
from tengen.games.game import Game, Position


class BadTurn(TengenError):
    """A move of a query that cannot be played."""


@dataclass(frozen=True)
class Restriction:
    """Moves of a side that are not to be searched: those listed, or with `allows` all others."""

    colour: str
    moves: frozenset[int]
    allows: bool


@dataclass(frozen=True)
class Query:
    """What a client asks for, checked."""

    id: str
    game: Game
    black: tuple[str, ...]
    """The points of the initial stones of Black."""
    white: tuple[str, ...]
    to_play: str
    """The side to move at turn 0."""
    moves: tuple[tuple[str, int], ...]
    """The colours and the numbers of the moves."""
    turns: tuple[int, ...]
    priorities: dict[int, int]
    """The priority of each turn to analyse."""
    visits: int
    seconds: float = math.inf
    viewpoint: str | None = "black"
    """The side whose win rates are reported; None for the side to move."""
    longest_variation: int = 15
    ownership: bool = False
    moves_ownership: bool = False
    policy: bool = False
    variation_visits: bool = False
    first_report: float = math.inf
    """Seconds before the first report during the search."""
    report_every: float = math.inf
    restrictions: tuple[Restriction, ...] = ()

    def positions(self) -> Iterator[Position]:
        """Yield the position of each turn; the next step changes it. Raises BadTurn for a move that is illegal."""
        position = self.game.start()
        if self.black or self.white:
            position.set_up_stones(list(self.black), list(self.white), [], self.to_play)
        elif self.to_play != position.to_play:
            position.give_turn(self.to_play)
        yield position
        for number, (colour, move) in enumerate(self.moves):
            try:
                position = after(position, colour, move)
            except GameError as error:
                raise BadTurn(f"Illegal move {number}: {error}") from None
            yield position

    def position(self, turn: int) -> Position:
        """Return the position of a turn. A game that was ended by passes continues."""
        position = next(islice(self.positions(), turn, None))
        return position.give_turn(position.to_play)

    def banned(self, position: Position) -> list[int]:
        """Return the legal moves of a position that are not to be searched."""
        legal, banned = {int(move) for move in position.legal_move_numbers()}, set[int]()
        for restriction in self.restrictions:
            if restriction.colour == position.to_play:
                banned |= legal - restriction.moves if restriction.allows else restriction.moves
        return sorted(banned & legal)


def after(position: Position, colour: str, move: int) -> Position:
    """Return the position after a move of either side, which a record may have in spite of the rules of ko and suicide.

    After such a move, the game continues from the board alone.
    """
    try:
        return position.give_turn(colour).play(move)
    except IllegalMove:
        lenient = replace(position.game, ko="simple", suicide=True)  # type: ignore[call-arg]
        free = lenient.from_diagram(position.diagram(), colour).play(move)
        return position.game.from_diagram(free.diagram(), free.to_play)
