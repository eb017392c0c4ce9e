"""A game in progress: its state, its history, and the moves that may follow."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from tengen.errors import shortened
from tengen.games import interface
from tengen.games.errors import BadNotation, GameError, IllegalMove

if TYPE_CHECKING:
    from tengen.games.game import Game

COLOURS = ("black", "white")
BOARD_VALUES = (1, 2, 0)
"""The values of black, white and empty cells in `Position.board`, by colour number."""
OUTSIDE = -1
"""The value in `Position.board` of places outside the board."""


def colour_index(colour: str) -> int:
    """Return 0 for black, 1 for white, in the spellings of people and protocols. Raises BadNotation."""
    match str(colour).strip().lower():
        case "black" | "b":
            return 0
        case "white" | "w":
            return 1
    raise BadNotation(f"{shortened(colour)} is not a colour: use black or white")


@dataclass(frozen=True)
class PlayedMove:
    """One move of a game's history."""

    colour: str
    move: int
    notation: str


MoveLike = str | int | PlayedMove
"""The accepted forms of a move: its notation, its number, or an entry of `Position.history`."""


class Position:
    """A game in progress: its state and its history. Moves are played in place.

    Positions are equal if their games and states are, whatever their histories.
    """

    def __init__(self, game: "Game"):
        self.game = game
        self._states = np.zeros(2, game.state_record)  # the state, and a second one to try a move in
        self._setup: tuple[Any, int] | None = None
        self._past: list[tuple[np.ndarray, PlayedMove]] = []
        game.reset(self.state)

    def _begin_at(self, picture: Any, to_play: int) -> Self:
        """Restart from the position of a diagram."""
        self.game.set_up(self.state, picture)
        self.state.to_play = to_play
        self._setup = (picture, to_play)
        self._past = []
        return self

    @property
    def state(self) -> Any:
        """The record for kernels; a view, so that changes to it change the position."""
        return self._states[0]

    def state_as(self, record: np.dtype) -> Any:
        """Return the state as another record type of the game."""
        return self.state

    @property
    def to_play(self) -> str:
        return COLOURS[self.state.to_play]

    @property
    def is_over(self) -> bool:
        return bool(interface.is_over(self.state))

    @property
    def score(self) -> float:
        """Black's margin in the present position."""
        return float(interface.score(self.state))

    @property
    def winner(self) -> str | None:
        """The winner or 'draw'; None if the game is not over."""
        if not self.is_over:
            return None
        return {1.0: "black", 0.0: "white"}.get(float(interface.outcome(self.state)), "draw")

    @property
    def situations(self) -> list[int]:
        """The superko hashes of the game so far; empty in games without superko."""
        return []

    @property
    def history(self) -> list[PlayedMove]:
        """The moves played so far, in order."""
        return [played for _, played in self._past]

    @property
    def moves_played(self) -> int:
        """The number of moves in `history`."""
        return len(self._past)

    def state_after(self, moves: int) -> Any:
        """Return the state after so many of the moves of `history`."""
        return self._past[moves][0][0] if moves < len(self._past) else self.state

    def move(self, move: MoveLike) -> int:
        """Return the number of a move, from its notation, its number or an entry of `history`.

        An entry is converted by its notation, which names the same place on boards of other sizes.
        """
        if isinstance(move, PlayedMove):
            move = move.notation
        if isinstance(move, str):
            return self.game.parse_move(move)
        if not isinstance(move, int | np.integer) or not 0 <= move < self.game.move_slots:
            raise BadNotation(f"{shortened(move)} is not a move: numbers are from 0 to {self.game.move_slots - 1}")
        return int(move)

    def is_legal(self, move: MoveLike) -> bool:
        """Return whether the side to move may play a move; an entry of `history` must have that side's colour."""
        return self._allows(self.move(move)) and not (isinstance(move, PlayedMove) and move.colour != self.to_play)

    def _allows(self, move: int) -> bool:
        """Whether the rules allow a move; games with rules about their history override this."""
        return bool(interface.is_legal(self.state, move))

    def legal_move_numbers(self) -> np.ndarray:
        """Return the legal moves as numbers, in ascending order."""
        moves = np.zeros(self.game.move_slots, np.uint16)
        count = interface.legal_moves(self.state, moves)
        return np.sort(moves[:count])

    def legal_moves(self) -> list[str]:
        """Return the legal moves in the game's notation."""
        return [self.game.format_move(int(move)) for move in self.legal_move_numbers()]

    def play(self, move: MoveLike, colour: str | None = None) -> Self:
        """Play a move for the side to move, and return the position itself.

        `move` is its notation, its number or an entry of `history`. `colour`, by default that of the entry, must be the
        side to move. Raises IllegalMove or BadNotation without changing anything.
        """
        number = self.move(move)
        if isinstance(move, PlayedMove) and colour is None:
            colour = move.colour
        notation = self.game.format_move(number)
        if self.is_over:
            raise IllegalMove(f"{notation} cannot be played: the game is over")
        if colour is not None and colour_index(colour) != self.state.to_play:
            raise IllegalMove(
                f"{notation} cannot be played by {COLOURS[colour_index(colour)]}: it is {self.to_play}'s turn"
            )
        if not self._allows(number):
            raise IllegalMove(f"{notation} cannot be played by {self.to_play}: {self._why_not(number)}")
        self._past.append((self._states[:1].copy(), PlayedMove(self.to_play, number, notation)))
        interface.play(self.state, number)
        self._after_move()
        return self

    def _why_not(self, move: int) -> str:
        return self.game.explain_illegal(self.state, move)

    def _after_move(self) -> None:
        """Called after each move, for games that store more than the state."""

    def undo(self) -> Self:
        """Take back the last move."""
        if not self._past:
            raise GameError("there is no move to take back")
        before, _ = self._past.pop()
        self._states[:1] = before
        return self

    def give_turn(self, colour: str) -> Self:
        """Make `colour` the side to move. Raises IllegalMove if the rules do not allow it.

        By default this is possible only if the other side must pass or the game is over.
        """
        if colour_index(colour) != self.state.to_play and not self.is_over:
            if self.legal_moves() != ["pass"]:
                raise IllegalMove(f"it is {self.to_play}'s turn")
            self.play("pass")
        return self

    def set_up_stones(self, black: list[str], white: list[str], empty: list[str], to_play: str | None = None) -> Self:
        """Place and remove stones, and clear the history. Raises GameError if the game does not allow it."""
        raise GameError(f"{self.game.name} does not support setting up single stones")

    @property
    def most_handicap(self) -> int:
        """The largest number of handicap stones that have customary points; 0 if the game has none."""
        return 0

    def place_handicap(self, stones: list[str]) -> Self:
        """Place handicap stones on the points given. Raises GameError if the game has none."""
        raise GameError(f"{self.game.name} has no handicap stones")

    def place_fixed_handicap(self, count: int) -> list[str]:
        """Place `count` handicap stones on customary points and return these. Raises GameError if the game has none."""
        raise GameError(f"{self.game.name} has no handicap stones")

    def statuses(self, tactical: dict[str, float], uniform: dict[str, float]) -> dict[str, str]:
        """Return 'alive', 'dead' or 'seki' for each stone. Raises GameError if the game has no dead stones.

        The arguments have the mean owner of each place at the end of playouts by a tactical and by the uniform policy.
        """
        raise GameError(f"{self.game.name} has no dead stones")

    def score_without(self, dead: list[str]) -> float:
        """Return Black's margin after removing dead stones. Raises GameError if the game has none."""
        raise GameError(f"{self.game.name} has no dead stones")

    def chains_of(self, stones: list[str]) -> list[list[str]]:
        """Return stones grouped by chain. Raises GameError if the game has no chains."""
        raise GameError(f"{self.game.name} has no chains of stones")

    def diagram(self) -> str:
        return self.game.diagram(self.state)

    @property
    def board(self) -> np.ndarray:
        """The stones as a new int8 array of rows and columns: 0 empty, 1 black, 2 white, -1 outside the board.

        Row 0 is the top row of `diagram()` and column 0 is the leftmost column. Changing the array does not change the
        position.
        """
        return np.array(
            [
                [OUTSIDE if cell is None else BOARD_VALUES[cell.colour] for cell in row]
                for row in self.game.rows(self.state)
            ],
            np.int8,
        )

    def colour_at(self, place: MoveLike) -> str | None:
        """Return 'black', 'white' or, for an empty place, None; `place` is a name such as 'E5', or a move there."""
        colours = {cell.name: cell.colour for row in self.game.rows(self.state) for cell in row if cell is not None}
        name = place if isinstance(place, str) and place in colours else self.game.format_move(self.move(place))
        if name not in colours:
            raise BadNotation(f"{shortened(name)} is not a place on the board")
        return COLOURS[colours[name]] if colours[name] < 2 else None

    def copy(self) -> Self:
        """Return an independent copy."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._states = self._states.copy()
        other._past = list(self._past)
        return other

    def under(self, game: "Game") -> "Position":
        """Return the same game under other rules. Raises GameError if these do not allow its moves."""
        return _replayed(game, self._setup, [played.move for played in self.history])

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict) -> Self:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and self.game.key(self.state) == self.game.key(other.state)

    def __hash__(self) -> int:
        return hash((self.game, self.game.key(self.state)))

    def __reduce__(self) -> tuple:
        """Pickle the game, its setup and its moves, so that pickles do not depend on the layout of records."""
        return _replayed, (self.game, self._setup, [played.move for played in self.history])

    def __str__(self) -> str:
        return self.diagram()

    def __repr__(self) -> str:
        count = len(self._past)
        moves = f"{count} move{'' if count == 1 else 's'}"
        moves += f", last {self._past[-1][1].notation}" if count else ""
        state = f"over, winner {self.winner}" if self.is_over else f"{self.to_play} to play"
        return f"<{type(self).__name__}: {self.game}, {moves}, {state}>"

    def svg(self, width: int = 400) -> str:
        """Return the board as an SVG picture `width` pixels wide, with a mark on the last move."""
        from tengen.games.svg import board_svg

        return board_svg(self, width=width)

    def _repr_html_(self) -> str:
        """Return the picture that notebooks show."""
        from tengen.games.svg import board_html

        return board_html(self)

    def __iter__(self) -> Iterator[PlayedMove]:
        return iter(self.history)


def _replayed(game: "Game", setup: tuple[Any, int] | None, moves: list[int]) -> Position:
    position = game.start()
    if setup is not None:
        position._begin_at(*setup)
    for move in moves:
        position.play(move)
    return position
