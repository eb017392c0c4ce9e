"""A game on a board: its moves, the shown position, who plays, and what is kept of it in a file."""

from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import Field

from tengen.errors import TengenError, shortened
from tengen.games.catalogue import game_from_json, game_names, make_game
from tengen.games.game import COLOURS, Game, Position
from tengen.interfaces.board_text import outcome
from tengen.interfaces.web import replies
from tengen.interfaces.web.geometry import stones_of
from tengen.interfaces.web.messages import Colour, GameChoice, PlayerChoice, Strict

LONGEST_GAME = 5000
"""Maximum number of moves of a game."""


class StoredBoard(Strict):
    """A board as it is kept in a file."""

    version: Literal[1] = 1
    game: dict[str, Any]
    """The game, as `Game.to_json` describes it."""
    start: str | None = None
    """The diagram of the first position; null: the start of the game."""
    start_to_play: Colour = "black"
    moves: list[str] = Field(max_length=LONGEST_GAME)
    black: PlayerChoice | None = None
    white: PlayerChoice | None = None
    resigned: Colour | None = None
    black_win_rates: dict[str, float] = Field(default={}, max_length=LONGEST_GAME + 1)
    """Black's win rate by number of moves."""


def game_of(choice: GameChoice) -> Game:
    """Return the chosen game. Raises TengenError if it is unknown or an option is wrong.

    A page can only choose listed games, not those of other programs.
    """
    if choice.name not in game_names():
        raise TengenError(f"unknown game {shortened(choice.name)}; choose from: {', '.join(game_names())}")
    if "size" in choice.options and choice.size is not None:
        raise TengenError("the size of the board is given twice, as size and among the options")
    return game_from_json({**make_game(choice.name, choice.size).to_json(), **choice.options})


def choice_of(game: Game) -> GameChoice:
    """Return a game with all its options, as pages choose it."""
    size = game.board_size.field if game.board_size else None
    options = {key: value for key, value in game.to_json().items() if key not in ("name", size)}
    return GameChoice(name=game.name, size=game.size_value if size else None, options=options)


def title_of(game: Game) -> str:
    return game.name if game.board_size is None else f"{game.name} {game.board_text}"


@dataclass(frozen=True)
class Captures:
    """Stones captured up to a position, and its board as `stones_of` gives it."""

    stones: str
    black: int = 0
    white: int = 0

    def after(self, stones: str) -> "Captures":
        """Return the captures after a move that leads to another board: the stones that have left it."""
        left = [old for old, new in zip(self.stones, stones, strict=True) if new == "." != old]
        return Captures(stones, self.black + left.count("w"), self.white + left.count("b"))


@dataclass
class PlayedGame:
    """A game in progress. `position` has all moves; `shown` is after the first `cursor` of them."""

    position: Position
    players: dict[str, PlayerChoice | None] = field(default_factory=lambda: dict.fromkeys(COLOURS))
    """The players by colour; None: a person."""
    resigned: str | None = None
    rates: dict[int, float] = field(default_factory=dict)
    """Black's win rate by number of moves."""

    def __post_init__(self) -> None:
        self.cursor = len(self.position.history)
        self.shown = self.position.copy()
        self._captures: list[Captures] = []
        self._count_captures(0)

    @property
    def game(self) -> Game:
        return self.position.game

    @property
    def is_at_end(self) -> bool:
        return self.cursor == len(self.position.history)

    @property
    def is_over(self) -> bool:
        """Whether the game is over at the shown position."""
        return self.shown.is_over or (self.resigned is not None and self.is_at_end)

    @property
    def mover(self) -> PlayerChoice | None:
        """The player of the side to move; None if it is a person's or the game is over."""
        return None if self.is_over else self.players[self.shown.to_play]

    # Changes

    def play(self, move: str) -> None:
        """Play a move at the shown position; later moves are removed. Raises TengenError if it is illegal."""
        self._check_open()
        after = self.shown.copy().play(move)
        if len(after.history) > LONGEST_GAME:
            raise TengenError(f"a game has at most {LONGEST_GAME:,} moves on this page")
        self._take(after, known=len(after.history) - 1)

    def _check_open(self) -> None:
        if self.is_over:
            raise TengenError("the game is over: take a move back or start a new game")

    def _take(self, position: Position, known: int) -> None:
        """Make a position the end of the game and show it; its first `known` moves are those of the present game."""
        self.rates = {number: rate for number, rate in self.rates.items() if number <= known}
        self.position, self.shown, self.cursor, self.resigned = position, position.copy(), len(position.history), None
        self._count_captures(known + 1)

    def _count_captures(self, known: int) -> None:
        """Update the captures by number of moves, of which the first `known` entries stay."""
        del self._captures[known:]
        going, boards = self.position.copy(), list[str]()
        while len(going.history) >= known:
            boards.append(stones_of(self.game, going.state))
            if not going.history:
                break
            going.undo()
        for stones in reversed(boards):
            self._captures.append(self._captures[-1].after(stones) if self._captures else Captures(stones))

    def undo(self, count: int | None) -> None:
        """Take back `count` moves, by default until a person is to move; a resignation first."""
        if self.resigned is not None and self.is_at_end:
            self.resigned = None
            return
        after, left = self.shown.copy(), count or 1
        if len(after.history) < left:
            raise TengenError(f"{left} moves cannot be taken back: there are {len(after.history)}")
        while left:
            after.undo()
            left -= 1
            is_default = count is None and None in self.players.values()
            if left == 0 and is_default and after.history and self.players[after.to_play] is not None:
                left = 1
        self._take(after, known=len(after.history))

    def resign(self) -> None:
        """Resign for the side to move, or for the only person."""
        self._check_open()
        people = [colour for colour in COLOURS if self.players[colour] is None]
        side = people[0] if len(people) == 1 else self.shown.to_play
        self.resign_for(side)

    def resign_for(self, colour: str) -> None:
        """Let a side resign at the shown position; later moves are removed."""
        self._take(self.shown.copy(), known=self.cursor)
        self.resigned = colour

    def goto(self, number: int) -> None:
        """Show the position after some moves. Raises TengenError if there are fewer."""
        total = len(self.position.history)
        if number > total:
            raise TengenError(f"move {number} cannot be shown: the game has {total} moves")
        shown = self.position.copy()
        while len(shown.history) > number:
            shown.undo()
        self.cursor, self.shown = number, shown

    def note_rate(self, number: int, rate: float | None) -> None:
        """Keep Black's win rate after a number of moves, as a search has found it."""
        if rate is not None and number <= len(self.position.history):
            self.rates[number] = round(rate, 4)

    # Messages

    def message(self, request: int | None = None) -> replies.Position:
        """Return the shown position as a message."""
        shown, history = self.shown, self.position.history
        over, captured = self.is_over, self._captures[self.cursor]
        moves = [replies.PlayedMove(colour=_colour(played.colour), move=played.notation) for played in history]
        by_resignation = over and self.resigned is not None and not shown.is_over
        winner = _other(str(self.resigned)) if by_resignation else shown.winner if over else None
        return replies.Position(
            request=request,
            move_number=self.cursor,
            moves=moves,
            stones=stones_of(self.game, shown.state),
            to_play=_colour(shown.to_play),
            legal=[] if over else shown.legal_moves(),
            last_move=moves[self.cursor - 1] if self.cursor else None,
            captures=replies.Captures(black=captured.black, white=captured.white),
            score=shown.score if self.game.has_margin else None,
            is_over=over,
            winner=winner,  # type: ignore[arg-type]
            reason=("resign" if by_resignation else "score") if over else None,
            result=self.result() if over else None,
            turn=None if over else "person" if self.players[shown.to_play] is None else "player",
            black_win_rates=[self.rates.get(number) for number in range(len(history) + 1)],
            diagram=shown.diagram(),
        )

    def result(self) -> str:
        """Return a sentence with the result of a finished game."""
        if self.shown.is_over:
            return outcome(self.shown)
        loser = str(self.resigned)
        return f"{loser.capitalize()} resigns: {_other(loser).capitalize()} wins."

    # Files

    def stored(self) -> StoredBoard:
        """Return what is kept of the game in a file."""
        start = self.position.copy()
        while start.history:
            start.undo()
        is_usual = start == self.game.start()
        return StoredBoard(
            game=self.game.to_json(),
            start=None if is_usual else start.diagram(),
            start_to_play=_colour(start.to_play),
            moves=[played.notation for played in self.position.history],
            black=self.players["black"],
            white=self.players["white"],
            resigned=None if self.resigned is None else _colour(self.resigned),
            black_win_rates={str(number): rate for number, rate in self.rates.items()},
        )

    @staticmethod
    def of(stored: StoredBoard) -> "PlayedGame":
        """Return the game that is kept in a file. Raises TengenError if its rules do not allow it."""
        game = game_from_json(stored.game)
        position = game.start()
        if stored.start is not None:
            position = game.from_diagram(stored.start, stored.start_to_play)
        for move in stored.moves:
            position.play(move)
        rates = {}
        for number, rate in stored.black_win_rates.items():
            if not (number.isascii() and number.isdigit() and 0.0 <= rate <= 1.0):
                raise TengenError(f"the win rate of move {shortened(number)} is {shortened(rate)}")
            rates[int(number)] = rate
        return PlayedGame(position, {"black": stored.black, "white": stored.white}, stored.resigned, rates)


def _colour(name: str) -> Colour:
    return "black" if name == "black" else "white"


def _other(colour: str) -> Colour:
    return "white" if colour == "black" else "black"
