"""Accuracy of the players of stored games: the loss of win rate of their moves, by a review of each game.

Games are reviewed in segments, so that several workers share a long one. Each segment begins with an empty tree
and its own seed, so that a review limited by simulations does not depend on the number of workers.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from tengen.arena.exports import CSV_COLUMNS
from tengen.arena.game_review import Effort, ReviewedMove, analysing, is_blunder, review
from tengen.arena.imports import SQLITE
from tengen.arena.match import PlayedGame, after_moves, final_position
from tengen.arena.plans import fingerprint, seed_of
from tengen.arena.scores import wilson_interval
from tengen.arena.store import Store
from tengen.arena.tables import percent, signed
from tengen.errors import TengenError, shortened
from tengen.files import read_lines, reading, write_whole
from tengen.games.catalogue import game_from_json
from tengen.games.game import COLOURS, Game
from tengen.parallel import Backend
from tengen.players import PlayerSpec, parse_player
from tengen.search.config import SearchConfig
from tengen.search.search_player import SearchingPlayer

SEGMENT_MOVES = 24
"""Number of moves in a segment. Two more positions are searched for each segment: 8 % more work."""


@dataclass(frozen=True)
class Accuracy:
    """The moves of one player in one reviewed game; one line of CSV."""

    id: str
    """Id of the game in the store."""
    record: str
    """Hash of the game's record, to detect another game with the same id."""
    player: str
    colour: str
    moves: int
    """Number of moves that the player chose; opening moves are not counted."""
    loss: float
    """Sum of the losses of win rate of the moves; negative terms are gains."""
    blunders: int
    threshold: float
    """Smallest loss of win rate that counts as a blunder."""
    judge: str


COLUMNS = tuple(entry.name for entry in fields(Accuracy))


@dataclass(frozen=True)
class StoredGame:
    """A game of a store with its rules and its moves."""

    played: PlayedGame
    game: Game
    moves: tuple[str, ...]

    @property
    def record(self) -> str:
        return fingerprint({"record": self.played.record})

    @property
    def chosen(self) -> range:
        """The moves that the players chose, counted from 0: those after the opening."""
        return range(len(self.played.opening.split()), len(self.moves))

    def segments(self) -> list["Segment"]:
        starts = range(self.chosen.start, self.chosen.stop, SEGMENT_MOVES)
        return [
            Segment(self.played.id, self.game, self.moves, start, min(start + SEGMENT_MOVES, self.chosen.stop))
            for start in starts
        ]


@dataclass(frozen=True)
class Segment:
    """Moves `start` to `stop` - 1 of a game, counted from 0; the task of a worker."""

    id: str
    game: Game
    moves: tuple[str, ...]
    start: int
    stop: int


class Reviewer:
    """Reviews segments in a worker process, with one judge for each board."""

    def __init__(self, judge: str, seconds: float):
        """`judge` describes a player; `seconds` is the limit per position if the player has none."""
        self._spec, self._seconds = parse_player(judge), seconds
        self._judges: dict[Game, tuple[SearchingPlayer, Effort | None]] = {}

    def __call__(self, segment: Segment) -> list[ReviewedMove]:
        judge, effort = self._judge(segment.game)
        judge.new_game(seed_of(segment.id, segment.start))
        position = after_moves(segment.game, segment.moves)
        return review(position, judge, lambda done: None, effort, moves=range(segment.start, segment.stop))

    def _judge(self, game: Game) -> tuple[SearchingPlayer, Effort | None]:
        if game not in self._judges:
            spec = self._spec.on(game)
            self._judges[game] = analysing(spec.make(game), game), effort_of(spec, self._seconds)
        return self._judges[game]


def effort_of(spec: PlayerSpec, seconds: float) -> Effort | None:
    """Return the average effort for a position: the limits of the judge's own settings, or else `seconds`.

    None for a judge without a tree, which searches each position within its own settings.
    """
    if not isinstance(spec.config, SearchConfig):
        return None
    limits = Effort(spec.config.simulations, spec.config.seconds)
    return limits if limits != Effort() else Effort(seconds=seconds)


def is_games_file(path: Path) -> bool:
    """Whether a file holds games as the arena writes them, rather than the record of one game."""
    with reading(path) as file:
        start = file.read(100).removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith((SQLITE, b"{", ",".join(CSV_COLUMNS[:5]).encode()))


def first_games(store: Store, count: int = 0) -> list[StoredGame]:
    """Return the first `count` games of each pairing (0: all): the first game of each, then the second of each.

    Raises TengenError if a game has no moves, or a record that its rules do not allow.
    """
    if not store.has_records:
        raise TengenError(f"{shortened(store.path, 160)} is CSV, without the moves that a review needs")
    found = []
    for pairing, settings in store.pairings().items():
        played = list(store.games(pairing))
        found += list(enumerate(_stored(one, settings) for one in (played[:count] if count else played)))
    return [game for _, game in sorted(found, key=lambda entry: entry[0])]


def _stored(played: PlayedGame, settings: dict[str, Any]) -> StoredGame:
    try:
        game = game_from_json(settings.get("game"))
        return StoredGame(played, game, _moves_of(played.record, game))
    except TengenError as error:
        raise TengenError(f"the game {shortened(played.id, 80)} cannot be reviewed: {error}") from None


def _moves_of(record: str, game: Game) -> tuple[str, ...]:
    """Return the moves of a record in the game's own format, or of a list in JSON, after playing them by the rules."""
    return tuple(played.notation for played in final_position(record, game).history)


def review_games(
    games: Iterable[StoredGame], backend: Backend, make: Callable[[], Reviewer]
) -> Iterator[tuple[StoredGame, list[ReviewedMove] | str]]:
    """Yield each game as its review is complete, with its reviewed moves in order, or with an error message.

    A game whose players chose no move needs no review and is not yielded.
    """
    waiting = {game.played.id: game for game in games}
    parts = {name: len(game.segments()) for name, game in waiting.items()}
    found: dict[str, list[ReviewedMove]] = {name: [] for name in waiting}
    tasks = [segment for game in waiting.values() for segment in game.segments()]
    for done in backend.run(make, tasks):
        name = done.task.id
        if name not in waiting:  # an earlier segment of this game failed
            continue
        if done.error:
            yield waiting.pop(name), done.error.strip().splitlines()[-1]
            continue
        parts[name] -= 1
        found[name] += done.result
        if not parts[name]:
            yield waiting.pop(name), sorted(found.pop(name), key=lambda move: move.number)


def accuracies(game: StoredGame, moves: list[ReviewedMove], threshold: float, judge: str) -> list[Accuracy]:
    """Sum up a reviewed game, once for each player."""
    rows = []
    for colour, player in zip(COLOURS, (game.played.black, game.played.white), strict=True):
        own = [move for move in moves if move.colour == colour]
        rows.append(
            Accuracy(
                id=game.played.id,
                record=game.record,
                player=player,
                colour=colour,
                moves=len(own),
                loss=round(sum(move.loss for move in own), 4),
                blunders=sum(is_blunder(move, threshold) for move in own),
                threshold=threshold,
                judge=judge,
            )
        )
    return rows


def missing_games(games: list[StoredGame], rows: list[Accuracy], threshold: float, judge: str) -> list[StoredGame]:
    """Return the games that `rows` does not have.

    Raises TengenError for a row of another judge or threshold, or of another game under the same id.
    """
    for row in rows:
        if (row.judge, row.threshold) != (judge, threshold):
            before = f"{shortened(row.judge, 80)} with --blunder {row.threshold:g}"
            raise TengenError(f"the file has reviews by {before}: write these to another one")
    known = {row.id: row.record for row in rows}
    for game in games:
        if known.get(game.played.id, game.record) != game.record:
            name = shortened(game.played.id, 80)
            raise TengenError(f"the file has a review of another game {name}: write these to another one")
    return [game for game in games if game.played.id not in known]


def write_accuracies(path: Path, rows: list[Accuracy]) -> None:
    """Write a header and one line per game and player; a kill leaves the old file or the new one."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(astuple(row) for row in rows)
    write_whole(path, text.getvalue())


def read_accuracies(path: Path) -> list[Accuracy]:
    """Return the lines of a file that `write_accuracies` wrote; raise TengenError if the file is not a review."""
    reader = csv.reader(read_lines(path), strict=True)
    try:
        if tuple(next(reader, ())) != COLUMNS:
            raise ValueError("it does not begin with the columns of a review")
        return [_accuracy(row) for row in reader]
    except (csv.Error, ValueError, OverflowError) as error:
        if isinstance(error, TengenError):
            raise
        wrong = f"line {max(1, reader.line_num)} of {shortened(path, 160)} is not that of a review"
        raise TengenError(f"{wrong}: {shortened(error, 120)[1:-1]}") from None


def _accuracy(row: list[str]) -> Accuracy:
    if len(row) != len(COLUMNS):
        raise ValueError(f"it has {len(row)} columns, not {len(COLUMNS)}")
    kinds = {"moves": int, "blunders": int, "loss": float, "threshold": float}
    given = {name: kinds.get(name, str)(text) for name, text in zip(COLUMNS, row, strict=True)}
    return Accuracy(**given)


@dataclass(frozen=True)
class PlayerAccuracy:
    """The reviewed moves of one player, over all games."""

    player: str
    games: int
    moves: int
    loss: float
    blunders: int

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON values. The Wilson interval treats moves as independent."""
        low, high = wilson_interval(self.blunders, self.moves)
        return {
            "player": self.player,
            "games": self.games,
            "moves": self.moves,
            "mean_loss": self.loss / self.moves if self.moves else None,
            "blunders": self.blunders,
            "share": self.blunders / self.moves if self.moves else None,
            "low": low,
            "high": high,
        }


def _natural_order(name: str) -> list[tuple[int, str]]:
    """Return a sort key that puts 'level 10' after 'level 9'."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", name)]


def by_player(rows: list[Accuracy]) -> list[PlayerAccuracy]:
    """Return the totals of each player, in natural order of the names."""
    found = []
    for player in sorted({row.player for row in rows}, key=_natural_order):
        own = [row for row in rows if row.player == player]
        found.append(
            PlayerAccuracy(
                player=player,
                games=len(own),
                moves=sum(row.moves for row in own),
                loss=sum(row.loss for row in own),
                blunders=sum(row.blunders for row in own),
            )
        )
    return found


def accuracy_rows(players: list[PlayerAccuracy]) -> tuple[list[str], list[list[str]]]:
    """Return a header and one row per player; the mean loss is in percentage points of win rate."""
    rows = []
    for place, player in enumerate(players, 1):
        found = player.to_json()
        loss = "-" if found["mean_loss"] is None else signed(100 * found["mean_loss"], 2)
        interval = f"{percent(found['low'])} to {percent(found['high'])}"
        rows.append(
            [str(place), player.player, str(player.games), str(player.moves), loss, percent(found["share"]), interval]
        )
    return ["", "player", "games", "moves", "mean loss", "blunders", "95 %"], rows
