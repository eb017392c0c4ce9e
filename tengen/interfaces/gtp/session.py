"""A game as a controller sees it: moves in any order of colours, undo, setup, changing rules, clocks.

The Go Text Protocol allows more than a position does: one side may move twice, a finished game may continue, komi and
rules may change during a game. So the session stores the entries as received and derives the position from them. This
module is independent of the search.
"""

from dataclasses import dataclass, replace
from typing import Any

from tengen.errors import TengenError
from tengen.games.clock import Clock, TimeControl
from tengen.games.game import COLOURS, BadNotation, Game, IllegalMove, Position, colour_index
from tengen.interfaces.gtp.protocol import CommandError


@dataclass(frozen=True)
class Move:
    """A move as received: its colour, and whether it was that side's turn."""

    colour: str
    number: int
    in_turn: bool = True


@dataclass(frozen=True)
class Setup:
    """A position that was set up, as a diagram, and the side to move."""

    picture: str
    to_play: str


class Session:
    """The current game and its clocks."""

    def __init__(self, game: Game):
        self.game = game
        self.position = game.start()
        self.control: TimeControl | None = None
        self.clocks: dict[str, Clock] = {}
        self._entries: list[Move | Setup] = []

    # The game

    def begin(self, game: Game | None = None) -> None:
        """Start a new game on an empty board, with other rules if `game` is given."""
        self.game = game or self.game
        self.position, self._entries = self.game.start(), []
        self.set_control(self.control)

    def change(self, **options: Any) -> None:
        """Continue the same game with other options, such as another komi."""
        self._go_on(replace(self.game, **options), self._entries, self.position)

    def load(self, position: Position) -> None:
        """Continue from a position with its history, as loaded from a record, under this session's rules."""
        start = position.copy()
        while start.history:
            start.undo()
        entries: list[Move | Setup] = []
        if start != position.game.start():
            entries.append(Setup(start.diagram(), start.to_play))
        entries += [Move(played.colour, played.move) for played in position.history]
        self._go_on(position.game.with_rules_of(self.game), entries, position)
        self.set_control(self.control)

    def _go_on(self, game: Game, entries: list[Move | Setup], position: Position) -> None:
        """Replay the entries under other rules; if these forbid one, continue from the board of `position` alone."""
        try:
            followed = self._replayed(game, entries)
        except TengenError:
            entries = [Setup(position.diagram(), position.to_play)]
            followed = self._replayed(game, entries)
        self.game, self.position, self._entries = game, followed, entries

    def _replayed(self, game: Game, entries: list[Move | Setup]) -> Position:
        position = game.start()
        for entry in entries:
            if isinstance(entry, Setup):
                position = game.from_diagram(entry.picture, entry.to_play)
            else:
                give_turn(position, entry.colour)
                position.play(entry.number)
        return position

    # Moves

    def play(self, colour: str, vertex: str) -> None:
        """Play the move `vertex` for a side, in turn or not."""
        self.play_number(colour, self.number(vertex))

    def play_number(self, colour: str, move: int) -> None:
        """Play a move for a side, in turn or not."""
        side = colour_name(colour)
        in_turn = side == self.position.to_play and not self.position.is_over
        position = self.position if in_turn else self.position.copy()
        try:
            give_turn(position, side)
            position.play(move)
        except TengenError as error:
            raise CommandError(f"illegal move: {error}") from None
        self.position = position
        self._entries.append(Move(side, move, in_turn))

    def play_all(self, moves: list[tuple[str, str]]) -> None:
        """Play several moves, or none of them."""
        position, count = self.position.copy(), len(self._entries)
        try:
            for colour, vertex in moves:
                self.play(colour, vertex)
        except (CommandError, TengenError):
            self.position, self._entries = position, self._entries[:count]
            raise

    def undo(self, count: int = 1) -> None:
        """Take back the last `count` moves. Raises CommandError, and changes nothing, if there are fewer."""
        last = self._entries[len(self._entries) - count :] if count else []
        if count < 0 or len(last) < count or any(isinstance(entry, Setup) for entry in last):
            raise CommandError(f"cannot undo: not enough moves to take back ({count} requested)")
        del self._entries[len(self._entries) - count :]
        if all(isinstance(entry, Move) and entry.in_turn for entry in last):
            for _ in last:
                self.position.undo()
        else:
            self.position = self._replayed(self.game, self._entries)

    def set_up(self, position: Position) -> None:
        """Replace the board by that of a position."""
        self._entries.append(Setup(position.diagram(), position.to_play))
        self.position = self._replayed(self.game, self._entries[-1:])

    def undo_setup(self) -> None:
        """Take back the last setup."""
        if not self._entries or not isinstance(self._entries[-1], Setup):
            raise CommandError("cannot undo: there is no setup to take back")
        self.position = self._replayed(self.game, self._entries[:-1])
        del self._entries[-1]

    @property
    def is_untouched(self) -> bool:
        """Whether nothing has been played or set up."""
        return not self._entries

    def position_for(self, colour: str | None = None) -> Position:
        """Return a copy of the position with `colour` to move; a finished game continues if its rules allow it."""
        position = self.position.copy()
        give_turn(position, position.to_play if colour is None else colour_name(colour))
        return position

    def is_legal(self, colour: str, vertex: str) -> bool:
        """Whether `play` would accept a move."""
        position = self._position_if(colour)
        move = self.number(vertex)
        return position is not None and position.is_legal(move)

    def legal_points(self, colour: str) -> list[str]:
        """Return the moves that `play` would accept from a side, except passes; empty if the side may not move."""
        position = self._position_if(colour)
        if position is None:
            return []
        numbers = [int(move) for move in position.legal_move_numbers()]
        return [self.game.format_move(move) for move in numbers if move != self.game.untracked_move]

    def _position_if(self, colour: str) -> Position | None:
        """Return the position with a side to move; None if this side may not move now."""
        side = colour_name(colour)
        try:
            position = self.position_for(side)
        except CommandError:
            return None
        return None if position.is_over else position

    # Vertices: the protocol's notation of points, on every board

    def vertex(self, notation: str) -> str:
        """Return a move, or 'resign', in the protocol's notation."""
        return notation if notation == "resign" else self.game.format_vertex(self.game.parse_move(notation))

    def notation(self, vertex: str) -> str:
        """Return a move of the protocol in the game's own notation."""
        return self.game.format_move(self.game.parse_vertex(vertex))

    def number(self, vertex: str) -> int:
        """Return the number of a move in the protocol's notation."""
        return self.game.parse_move(self.notation(vertex))

    def stones(self) -> dict[str, int]:
        """Return the occupied points with the colour of their stones: 0 for Black, 1 for White."""
        cells = (cell for row in self.game.rows(self.position.state) for cell in row if cell is not None)
        return {cell.name: cell.colour for cell in cells if cell.colour < 2}

    # Clocks

    def set_control(self, control: TimeControl | None) -> None:
        """Reset both clocks; without a control, there is no time limit."""
        self.control = control
        self.clocks = {colour: Clock(control) for colour in COLOURS} if control else {}

    def set_left(self, colour: str, seconds: float, stones: int) -> None:
        """Set a side's remaining time to the controller's figure."""
        side = colour_name(colour)
        if side not in self.clocks:
            control = (
                TimeControl(0.0, max(seconds, 0.001), stones=stones) if stones else TimeControl(max(seconds, 0.001))
            )
            self.set_control(control)
        clock = self.clocks[side]
        counted = clock.copy()
        clock.set_left(max(0.0, seconds), stones)
        if stones == 0:
            clock.main_left = more_exact(seconds, counted.main_left)
        elif counted.in_overtime:
            clock.period_left = more_exact(seconds, counted.period_left)

    def clock(self, colour: str) -> Clock | None:
        return self.clocks.get(colour_name(colour))


def more_exact(told: float, counted: float) -> float:
    """Return the remaining seconds, from the controller's figure `told` and our own count.

    Most controllers send whole seconds, rounded up or down. Then our own count, if it is less by at most a second, is
    more exact.
    """
    return counted if told.is_integer() and 0 <= told - counted <= 1 else max(0.0, told)


def colour_name(colour: str) -> str:
    """Return 'black' or 'white' for any of the protocol's names of a colour."""
    try:
        return COLOURS[colour_index(colour)]
    except BadNotation as error:
        raise CommandError(f"invalid color: {error}") from None


def give_turn(position: Position, colour: str) -> None:
    """Give the turn to a side. Raises CommandError if the game does not allow it."""
    try:
        position.give_turn(colour)
    except IllegalMove as error:
        raise CommandError(str(error)) from None
