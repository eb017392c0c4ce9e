"""The messages of the server to a page, one JSON object each, with the field `type`: connection, board, review.

Those about searches are in `search_replies`.

Fields that are null are left out. Values of moves and positions are win rates from 0 to 1, from the view of the side to
move there; `black` in the name of a field says that it is Black's. `request` repeats the number of the page's message.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from tengen.interfaces.web.messages import Colour, GameChoice, PlayerChoice


class Reply(BaseModel):
    """A part of a message of the server."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class ServerMessage(Reply):
    """A message of the server."""

    request: int | None = None
    """The number of the page's message that this one answers."""

    def encoded(self) -> str:
        """Return the message as JSON, without fields that are null."""
        return self.model_dump_json(exclude_none=True)


# The connection


class Limits(Reply):
    """The limits of the server."""

    boards: int
    """Boards open at the same time."""
    simulations: int
    """Simulations of one move or one analysis."""
    seconds: float
    """Seconds of one move or one analysis."""
    memory: int
    """Megabytes of each tree."""
    message: int
    """Bytes of one message of the page."""
    messages: float
    """Messages per second of one page, on average."""
    connections: int
    """Connections at the same time."""


class Hello(ServerMessage):
    """The first message after the connection is made."""

    type: Literal["hello"] = "hello"
    version: str
    """The version of Tengen."""
    protocol: int = 1
    """The version of these messages; it changes if one of them changes its meaning."""
    limits: Limits


class Error(ServerMessage):
    """A request that was refused, as one sentence; the board is unchanged."""

    type: Literal["error"] = "error"
    message: str
    """What is wrong, the offending value, and what is accepted."""
    code: Literal["refused", "malformed", "rate", "limit", "unknown_board", "moved", "failed"] = "refused"
    """refused: not possible now, or a wrong value; malformed: not a message; rate: too many messages; limit: a limit of
    the server; unknown_board: no board of this id, or its file is damaged; moved: the board was opened in another
    page, and this connection has no board; failed: a defect of the server or of a plugin."""


class Notice(ServerMessage):
    """A remark for the person, such as that kernels are compiled before the first search."""

    type: Literal["notice"] = "notice"
    message: str


class Deleted(ServerMessage):
    """The board was deleted; the connection has no board."""

    type: Literal["deleted"] = "deleted"
    board: str


# The board


class Cell(Reply):
    """A cell of the board."""

    name: str
    """The name of the cell, which is also the move that is played there."""
    row: int
    """The row from the top, from 0."""
    column: int
    """The column from the left, from 0; on hexagons along the sheared axis."""
    x: float
    """The centre in units of the distance of two neighbours, from the left; 0 is the leftmost centre."""
    y: float
    """The same from the top."""


class Geometry(Reply):
    """The form of the board: the same for all positions of a board."""

    kind: Literal["grid", "hexagons", "diagram"]
    """grid: neighbours in four directions; hexagons: in six; diagram: no cells are known, show
    the text `diagram` only."""
    style: str
    """Stones stand in 'squares' or 'hexagons', or on the crossings of 'lines'."""
    rows: int
    columns: int
    cells: list[Cell]
    """All cells; strings with a letter for each cell (`stones`) are in this order."""
    stars: list[str]
    """The names of the cells that are marked by a dot."""
    named_moves: list[str]
    """Moves without a cell, such as "pass" or "swap"."""


class Side(Reply):
    """Who plays a side."""

    kind: Literal["person", "player"]
    player: PlayerChoice | None = None
    """The player as it was chosen."""
    description: str | None = None
    """The player in one line, such as "mc-rave:simulations=1000"."""


class Board(ServerMessage):
    """Facts about the board that do not change during a game."""

    type: Literal["board"] = "board"
    board: str
    """The id of the board; the page keeps it, in its address for instance, and sends it in `open_board`."""
    game: GameChoice
    """The game with all its options."""
    title: str
    """The game in a few words, such as "go 9x9"."""
    geometry: Geometry
    black: Side
    white: Side
    record_suffix: str | None = None
    """The suffix of files of the record format, such as ".sgf"; null: the game has none."""
    has_margin: bool
    """Whether the score counts points."""
    has_ownership: bool
    """Whether `score` has the ownership of cells."""


class PlayedMove(Reply):
    colour: Colour
    move: str


class Captures(Reply):
    """Stones that have left the board; turned discs do not count."""

    black: int
    """White stones captured by Black."""
    white: int
    """Black stones captured by White."""


class Position(ServerMessage):
    """The shown position, after each change."""

    type: Literal["position"] = "position"
    move_number: int
    """Number of moves before the shown position."""
    moves: list[PlayedMove]
    """All moves of the game, also those after the shown position."""
    stones: str
    """One letter for each of the board's cells: b, w or '.'."""
    to_play: Colour
    legal: list[str]
    """The legal moves; none if the game is over."""
    last_move: PlayedMove | None = None
    captures: Captures
    score: float | None = None
    """Black's margin if the game ended now; null for games without points."""
    is_over: bool
    """Whether the game is over at the shown position."""
    winner: Literal["black", "white", "draw"] | None = None
    reason: Literal["score", "resign"] | None = None
    """Why the game is over."""
    result: str | None = None
    """The result in words, if the game is over."""
    turn: Literal["person", "player"] | None = None
    """Who is to move at the shown position; null if the game is over. Players move only at the end of the game."""
    black_win_rates: list[float | None]
    """Black's win rate by number of moves, from 0 to the last move, as far as a search has found it; entries may be
    null."""
    diagram: str
    """The position as text, as an alternative to the picture."""


# Records and reviews


class Record(ServerMessage):
    """The game as a record."""

    type: Literal["record"] = "record"
    name: str
    """A name for the file, such as "go-9x9.sgf"."""
    text: str


class ReviewedMove(Reply):
    """A move of the game and what the review says about it."""

    number: int
    """The number of the move, from 1."""
    colour: Colour
    move: str
    black_before: float
    """Black's win rate before the move, if the best move is played there."""
    black_after: float
    loss: float
    """Loss of the mover's win rate by the move; negative for a gain."""
    best: str
    """The best move by the review."""
    variation: list[str]
    """The best move and the moves expected after it."""
    has_better: bool
    """Whether the review prefers another move, with enough visits."""
    is_blunder: bool


class Review(ServerMessage):
    """The review of the game, or how much of it is done."""

    type: Literal["review"] = "review"
    player: str
    """The reviewing player in one line."""
    done: float
    """Share of the work that is done, from 0 to 1."""
    moves: list[ReviewedMove]
    """All moves of the game when `done` is 1, none before."""
    annotated: str | None = None
    """The record with comments, win rates and variations, for games with a record format."""
