"""The JSON documents that a page reads over HTTP: the catalogue, the boards, stored games and reports.

Fields that are null are left out, as in the server's messages.
"""

from typing import Literal

from tengen.interfaces.web.messages import Colour, GameChoice, OptionValue
from tengen.interfaces.web.replies import Geometry, PlayedMove, Reply


class Condition(Reply):
    """A condition on another option, without which an option has no effect."""

    option: str
    values: list[OptionValue] | None = None
    """The option has one of these values."""
    at_least: float | None = None
    """Or: the option is at least this."""


class Option(Reply):
    """An option of a game, a player or a part of a player."""

    name: str
    type: Literal["boolean", "integer", "number", "text"]
    default: OptionValue
    """Infinite numbers are the texts "inf" and "-inf"."""
    meaning: str
    """One line; may be empty for games of plugins."""
    low: float | None = None
    """The smallest value."""
    high: float | None = None
    """The largest value."""
    choices: list[str] | None = None
    """All values of a text option."""
    words: list[str] | None = None
    """Texts that are accepted in place of a number."""
    part: str | None = None
    """The option chooses a part of this kind by its name: see `Catalogue.parts`. The part's options then apply, too."""
    needs: tuple[Condition, ...] = ()
    """Conditions; the option has an effect only if all of them hold."""


class GameEntry(Reply):
    """A game."""

    name: str
    meaning: str
    """The game in one line."""
    sizes: list[int]
    """The sizes of the board in ascending order; empty if there is only one board."""
    size: int | None = None
    """The default size."""
    size_texts: list[str]
    """The name of the board of each size, such as "9x9" or "base 8"."""
    options: list[Option]
    """The options of the game without the size."""
    handicaps: list[int]
    """The largest number of handicap stones for each size (in the order of `sizes`); 0: none."""
    records: str | None = None
    """The name of the record format, such as "SGF"; null: none."""
    record_suffix: str | None = None
    default_player: str
    levels: int
    """Number of levels; a level is the player "level" with the option `number`."""


class Part(Reply):
    """A part of a player, such as a tree policy."""

    name: str
    meaning: str
    game: str | None = None
    """The only game that the part can be used for; null: any game."""
    options: list[Option]


class Family(Reply):
    """A kind of player with its own options; those of the parts that it uses come in addition."""

    name: str
    options: list[Option]
    unused: list[str]
    """Options of parts that have no effect in this kind of player."""


class Preset(Reply):
    """A named player."""

    name: str
    meaning: str
    family: str
    """The name of its `Family`."""
    searches: bool
    """Whether it can be analysed; levels cannot."""
    has_tree: bool
    """Whether it has a tree, for `tree` and `step`."""
    game: str | None = None
    """The only game that its parts can be used for; null: any game."""
    settings: dict[str, OptionValue]
    """The values of all its options that have an effect."""
    defaults: dict[str, OptionValue]
    """Values of options of other parts, once such a part is chosen, in place of the parts' defaults."""


class Catalogue(Reply):
    """Everything that forms are made of: GET /api/catalogue."""

    games: list[GameEntry]
    presets: list[Preset]
    families: list[Family]
    parts: dict[str, list[Part]]
    """The parts of each kind, such as "tree policy" or "playout policy"."""
    default_game: str
    arena: bool
    """Whether the server has stored games."""
    reports: bool
    """Whether the server has reports."""


class BoardEntry(Reply):
    """A board that can be opened."""

    board: str
    title: str
    moves: int
    """Number of moves of the game."""
    changed: float
    """Time of the last change in seconds since 1970."""
    black: str
    """The player of Black, or "person"."""
    white: str
    is_over: bool


class Boards(Reply):
    """The boards, the last changed first: GET /api/boards."""

    boards: list[BoardEntry]


class Stores(Reply):
    """The files of stored games: GET /api/arena."""

    stores: list[str]
    """Their names, which are paths below the folder of stores."""


class Standing(Reply):
    """The results of one player."""

    player: str
    games: int
    wins: int
    draws: int
    losses: int
    rate: float | None = None
    """Points per game, a draw counting half."""
    elo: float | None = None
    """The rating; null if some players are not connected by games."""
    elo_low: float | None = None
    """The ends of its 95 % interval."""
    elo_high: float | None = None


class PairingEntry(Reply):
    """The results of a pairing from its first player's side."""

    pairing: str
    first: str
    second: str
    games: int
    wins: int
    draws: int
    losses: int
    rate: float | None = None


class Standings(Reply):
    """The standings of a store: GET /api/arena/standings?store=NAME."""

    store: str
    has_records: bool
    """Whether the games have moves; false for CSV."""
    standings: list[Standing]
    """In order of rank."""
    pairings: list[PairingEntry]


class GameRow(Reply):
    """One stored game, without its moves."""

    id: str
    pairing: str
    number: int
    black: str
    white: str
    winner: Literal["black", "white", "draw"]
    reason: str
    margin: float | None = None
    """Black's."""
    moves: int


class Games(Reply):
    """A part of the list of games: GET /api/arena/games?store=NAME&pairing=NAME&offset=0&most=50."""

    store: str
    games: list[GameRow]
    total: int
    """Number of games in the list."""
    offset: int
    """Number of games before the first one here."""


class ReplayPosition(Reply):
    """The position after a move of a replay."""

    stones: str
    """As in `position`."""
    to_play: Colour


class Replay(Reply):
    """A stored game, move by move: GET /api/arena/game?store=NAME&id=ID."""

    store: str
    row: GameRow
    game: GameChoice
    geometry: Geometry
    moves: list[PlayedMove]
    positions: list[ReplayPosition]
    """The positions after 0, 1, 2 ... moves."""
    black_win_rates: list[float | None] | None = None
    """Black's win rate by number of moves, if the players' analyses were stored."""


class ReportEntry(Reply):
    """A page of a report."""

    path: str
    """Its address below /reports/."""
    title: str


class Reports(Reply):
    """The pages of reports: GET /api/reports. The index, if there is one, is the first."""

    reports: list[ReportEntry]


class Refusal(Reply):
    """The body of every HTTP answer with an error status."""

    error: str
    """One sentence."""
