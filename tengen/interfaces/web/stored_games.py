"""Arena stores below a folder, read-only: standings, lists of games, and replays."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tengen.arena.imports import read_store
from tengen.arena.match import PlayedGame, final_position
from tengen.arena.store import Store
from tengen.arena.tables import standings_of
from tengen.errors import TengenError, shortened
from tengen.games.catalogue import game_from_json
from tengen.games.game import Game, Position
from tengen.interfaces.web.geometry import geometry_of, stones_of
from tengen.interfaces.web.played_game import choice_of
from tengen.interfaces.web.replies import PlayedMove
from tengen.interfaces.web.resources import (
    GameRow,
    Games,
    PairingEntry,
    Replay,
    ReplayPosition,
    Standing,
    Standings,
    Stores,
)

SUFFIXES = (".sqlite", ".db", ".jsonl", ".csv", ".gz")
MOST_STORES = 500
DEEPEST = 4
"""Levels of folders that are searched for stores."""
MOST_GAMES = 200
"""Games in one part of a list."""


class UnknownStore(TengenError):
    """A store or a game that does not exist."""


class StoredGames:
    """The stores below one folder. No other file is opened, whatever a name says."""

    def __init__(self, folder: Path):
        """Raises TengenError if there is no such folder."""
        if not folder.is_dir():
            raise TengenError(f"there is no folder {shortened(folder, 160)}")
        self._folder = folder.resolve()

    def names(self) -> list[str]:
        """Return the names of the stores: their paths below the folder."""
        return sorted(self._files())

    def _files(self) -> dict[str, Path]:
        """Return the files of stores by name. Links, and files that they lead to, are left out."""
        found: dict[str, Path] = {}
        level = [self._folder]
        for _ in range(DEEPEST):
            entries = [path for folder in level for path in _entries(folder) if not path.is_symlink()]
            for path in entries:
                if path.suffix in SUFFIXES and path.is_file() and len(found) < MOST_STORES:
                    found[path.relative_to(self._folder).as_posix()] = path
            level = [path for path in entries if path.is_dir() and not path.name.startswith(".")]
        return found

    @contextmanager
    def _opened(self, name: str) -> Iterator[Store]:
        """Open a store for reading. Only listed names are accepted, so that no path leads outside."""
        files = self._files()
        if name not in files:
            listed = ", ".join(sorted(files)[:10]) or "none"
            raise UnknownStore(f"there is no store {shortened(name, 80)}; choose from: {listed}")
        with read_store(files[name]) as store:
            yield store

    def stores(self) -> Stores:
        return Stores(stores=self.names())

    def standings(self, name: str) -> Standings:
        with self._opened(name) as store:
            tallies, names = store.tallies(), store.names()
            rows = standings_of(store, store.anchors(), tallies).to_json() if tallies else []
            return Standings(
                store=name,
                has_records=store.has_records,
                standings=[
                    Standing(**{key: value for key, value in row.items() if key in Standing.model_fields})
                    for row in rows
                ],
                pairings=[
                    PairingEntry(
                        pairing=pairing,
                        first=names[pairing][0],
                        second=names[pairing][1],
                        games=tally.games,
                        wins=tally.wins,
                        draws=tally.draws,
                        losses=tally.losses,
                        rate=tally.rate,
                    )
                    for pairing, tally in tallies.items()
                ],
            )

    def games(self, name: str, pairing: str | None = None, offset: int = 0, most: int = 50) -> Games:
        """Return a part of the list of games, of one pairing or of all."""
        with self._opened(name) as store:
            rows, total = [], 0
            for played in store.games(pairing):
                if offset <= total < offset + min(most, MOST_GAMES):
                    rows.append(_row(played))
                total += 1
            return Games(store=name, games=rows, total=total, offset=offset)

    def _found(self, name: str, game: str) -> tuple[PlayedGame, Position]:
        """Return a stored game and its last position."""
        with self._opened(name) as store:
            if not store.has_records:
                raise UnknownStore(f"{shortened(name, 80)} is CSV, without the moves of games")
            pairing = game.rpartition(" #")[0]
            settings = store.pairings().get(pairing)
            played = next((one for one in store.games(pairing) if one.id == game), None) if settings else None
            if settings is None or played is None:
                raise UnknownStore(f"there is no game {shortened(game, 80)} in {shortened(name, 80)}")
            rules: Game = game_from_json(settings.get("game"))
            return played, final_position(played.record, rules)

    def position(self, name: str, game: str) -> Position:
        """Return the last position of a stored game."""
        return self._found(name, game)[1]

    def replay(self, name: str, game: str) -> Replay:
        played, position = self._found(name, game)
        going, positions = position.copy(), []
        while True:
            stones = stones_of(going.game, going.state)
            positions.append(ReplayPosition(stones=stones, to_play="black" if going.to_play == "black" else "white"))
            if not going.history:
                break
            going.undo()
        return Replay(
            store=name,
            row=_row(played),
            game=choice_of(position.game),
            geometry=geometry_of(position.game),
            moves=[
                PlayedMove(colour="black" if move.colour == "black" else "white", move=move.notation)
                for move in position.history
            ],
            positions=positions[::-1],
            black_win_rates=_rates(played, position),
        )


def _entries(folder: Path) -> list[Path]:
    """Return what is in a folder; nothing if it cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _row(played: PlayedGame) -> GameRow:
    return GameRow(
        id=played.id,
        pairing=played.pairing,
        number=played.number,
        black=played.black,
        white=played.white,
        winner=played.winner,  # type: ignore[arg-type]
        reason=played.reason,
        margin=played.margin,
        moves=played.moves,
    )


def _rates(played: PlayedGame, position: Position) -> list[float | None] | None:
    """Return Black's win rate by number of moves, as the players' stored analyses have it."""
    if not played.analysis:
        return None
    history = position.history
    rates: list[float | None] = [None] * (len(history) + 1)
    for number, found in enumerate(played.analysis, len(played.opening.split())):
        value = found.get("value") if isinstance(found, dict) else None
        if isinstance(value, int | float) and number < len(history):
            rates[number] = float(value) if history[number].colour == "black" else 1.0 - float(value)
    return rates
