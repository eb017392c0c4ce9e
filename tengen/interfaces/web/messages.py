"""The messages of a page to the server, one JSON object each, with the field `type`.

Every message may have `request`, a number that the direct reply repeats. The server's messages are in `replies`.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from tengen.errors import TengenError, shortened

Colour = Literal["black", "white"]
OptionValue = bool | int | float | str
"""The value of an option of a game or of a player."""
MoveText = Annotated[str, Field(min_length=1, max_length=40)]
"""A move in the game's own notation, such as "E5", "d3" or "pass"."""
Name = Annotated[str, Field(min_length=1, max_length=100)]
BoardId = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
LONGEST_RECORD = 500_000
"""Maximum number of characters of a record that is loaded."""
MOST_PLAYOUTS = 2000
"""Playouts of one estimate, which is one slice of a board's work: about half a second on 19x19."""
LONGEST_PATH = 500
"""Maximum number of moves of a path in a tree."""


class Strict(BaseModel):
    """A JSON object without unknown fields and without conversions of types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True)


class PlayerChoice(Strict):
    """A player: the name of a preset, options that differ from it, and limits."""

    player: Annotated[str, Field(min_length=1, max_length=2000)]
    """The name of a preset of the catalogue, or a description such as "mc-rave:bias=0.05"."""
    options: Annotated[dict[Name, OptionValue], Field(max_length=100)] = {}
    """Options of the player by name, as in the catalogue; those left out have the values of the preset."""
    simulations: Annotated[int, Field(ge=0)] = 0
    """Simulations per move; 0: those of the options."""
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """Seconds per move; 0: those of the options."""


class GameChoice(Strict):
    """A game and its options."""

    name: Name
    """The name of a game of the catalogue."""
    size: int | None = None
    """Board size, one of the catalogue's `sizes`; default: that of the game."""
    options: Annotated[dict[Name, OptionValue], Field(max_length=100)] = {}
    """Other options of the game by name, such as komi, as in the catalogue."""


class StoredGame(Strict):
    """A game of an arena store."""

    store: Annotated[str, Field(min_length=1, max_length=500)]
    """The name of the store, as in the list of stores."""
    id: Annotated[str, Field(min_length=1, max_length=500)]
    """The id of the game, as in the list of games."""


class Message(Strict):
    """A message of the page."""

    request: Annotated[int, Field(ge=0, le=2**53)] | None = None
    """A number that the direct reply to this message repeats, also if the reply is an error."""


# Boards


class NewBoard(Message):
    """Create a board, leaving the present one. Reply: `board`, then `position`.

    A side without a player is played by the person. With `record` or `stored`, the game comes from there and `handicap`
    must be 0; `game` says of which game a record is.
    """

    type: Literal["new_board"]
    game: GameChoice
    handicap: Annotated[int, Field(ge=0, le=100)] = 0
    """Number of handicap stones on the customary points; 0: none."""
    black: PlayerChoice | None = None
    """The player of Black; null: a person."""
    white: PlayerChoice | None = None
    """The player of White; null: a person."""
    record: Annotated[str, Field(max_length=LONGEST_RECORD)] | None = None
    """The text of a record to load, such as SGF, for games that have a record format."""
    stored: StoredGame | None = None
    """A stored game to load."""


class OpenBoard(Message):
    """Open a board that exists, after a reload or a restart of the server. Reply: `board`, then `position`.

    A board is open in one page at a time: an earlier page with this board gets an error with the code `moved`.
    """

    type: Literal["open_board"]
    board: BoardId


class DeleteBoard(Message):
    """Delete the open board and its file. Reply: `deleted`."""

    type: Literal["delete_board"]


class SetSides(Message):
    """Change who plays the sides. Reply: `board`, then `position`; a player to move then searches."""

    type: Literal["set_sides"]
    black: PlayerChoice | None = None
    """The player of Black; null: a person."""
    white: PlayerChoice | None = None
    """The player of White; null: a person."""


# The game


class Play(Message):
    """Play a move for the side to move. Reply: `position`.

    After `goto`, moves later than the shown one are removed first. Then a player whose turn it is searches and moves.
    """

    type: Literal["play"]
    move: MoveText


class Pass(Message):
    """Play the move "pass". Reply: `position`."""

    type: Literal["pass"]


class Undo(Message):
    """Take moves back. Reply: `position`. After a resignation, only that is taken back."""

    type: Literal["undo"]
    count: Annotated[int, Field(ge=1, le=10_000)] | None = None
    """Number of moves; default: until a person is to move."""


class Resign(Message):
    """Resign for the side to move, or for the person if only one side is a person's. Reply: `position`."""

    type: Literal["resign"]


class MoveNow(Message):
    """Let a player move for the side to move. Reply: `thinking`, then `position`.

    If a player is searching already, it ends its search and plays the best move so far. If the side to move is a
    person's, the player of the other side moves for it, else the game's default player.
    """

    type: Literal["move_now"]


class Goto(Message):
    """Show the position after the first `move` moves; the game keeps its later moves. Reply: `position`."""

    type: Literal["goto"]
    move: Annotated[int, Field(ge=0, le=100_000)]


class Hint(Message):
    """Ask a player for the best move of the shown position. Reply: `hint`."""

    type: Literal["hint"]
    player: PlayerChoice | None = None
    """The player asked; default: the player of the other side, else the game's default player."""


class Score(Message):
    """Estimate the score and the ownership of the shown position by playouts. Reply: `score`."""

    type: Literal["score"]
    playouts: Annotated[int, Field(ge=1, le=MOST_PLAYOUTS)] = 500


class SaveRecord(Message):
    """Ask for the game as a record, such as SGF. Reply: `record`; an error for games without a record format."""

    type: Literal["save_record"]


# The search


class StartAnalysis(Message):
    """Search the shown position with one or two players. Reply: `analysis`, several times a second while they search.

    Two players get the same budget and grow together: neither is ahead by more than one slice of simulations. The
    searches go on until the budget is spent; `goto`, `play` and `undo` continue them at the new position.
    """

    type: Literal["start_analysis"]
    players: Annotated[list[PlayerChoice], Field(min_length=1, max_length=2)]
    """The players; each needs `searches` in the catalogue. Their own limits are ignored."""
    simulations: Annotated[int, Field(ge=0)] = 10_000
    """Simulations of each player; 0: none, so that `step` begins with an empty tree."""
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """Seconds of computation of each player; 0: limited by `simulations` alone."""
    share: Literal["simulations", "seconds"] = "simulations"
    """What two players have the same amount of while they grow together."""
    updates: Annotated[float, Field(ge=0.1, le=10, allow_inf_nan=False)] = 4.0
    """Maximum number of `analysis` messages per second."""
    playouts: Annotated[int, Field(ge=0, le=MOST_PLAYOUTS)] = 0
    """If not 0: also send a `score` with ownership by this number of playouts, for every position."""


class StopAnalysis(Message):
    """Stop the simulations; the trees stay for `tree` and `step`. Reply: `analysis`."""

    type: Literal["stop_analysis"]


class Tree(Message):
    """Ask for the moves of a node of a player's tree. Reply: `tree`."""

    type: Literal["tree"]
    panel: Annotated[int, Field(ge=0, le=1)] = 0
    """Which player of the analysis: 0 or 1."""
    path: Annotated[list[MoveText], Field(max_length=LONGEST_PATH)] = []
    """The moves from the root to the node; none: the root."""
    most: Annotated[int, Field(ge=1, le=500)] = 30
    """Maximum number of moves in the reply, the best first."""


class Step(Message):
    """Run exactly one simulation of a player's tree and show its phases. Reply: `step`, then `analysis`.

    A running analysis is stopped first. Only for players with `has_tree` in the catalogue.
    """

    type: Literal["step"]
    panel: Annotated[int, Field(ge=0, le=1)] = 0
    """Which player of the analysis: 0 or 1."""


# The review


class StartReview(Message):
    """Review the whole game. Replies: `review` with `done` below 1 several times, then with 1."""

    type: Literal["start_review"]
    player: PlayerChoice | None = None
    """The reviewing player; default: the game's default player. Its own limits are ignored."""
    simulations: Annotated[int, Field(ge=0)] = 0
    """Mean number of simulations per position; 0: limited by the seconds."""
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """Mean seconds per position; 0: limited by the simulations. With both 0: 0.5 seconds."""
    blunder: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0.1
    """Loss of win rate from which a move counts as a blunder."""


class StopReview(Message):
    """Stop a review. Reply: `review` without moves and with `done` 0."""

    type: Literal["stop_review"]


ClientMessage = Annotated[
    NewBoard
    | OpenBoard
    | DeleteBoard
    | SetSides
    | Play
    | Pass
    | Undo
    | Resign
    | MoveNow
    | Goto
    | Hint
    | Score
    | SaveRecord
    | StartAnalysis
    | StopAnalysis
    | Tree
    | Step
    | StartReview
    | StopReview,
    Field(discriminator="type"),
]
_ADAPTER: TypeAdapter[Any] = TypeAdapter(ClientMessage)


class BadMessage(TengenError):
    """A message that is not JSON, of an unknown type, or with a wrong field."""


def parse_message(text: str | bytes) -> Any:
    """Return the message of a JSON text, as one of the classes above. Raises BadMessage."""
    try:
        return _ADAPTER.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    reason = shortened(first["msg"], 200)[1:-1]
    raise BadMessage(
        f"malformed message: {shortened(place, 80)[1:-1]}: {reason}" if place else f"malformed message: {reason}"
    )
