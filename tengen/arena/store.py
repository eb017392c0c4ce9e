"""Where games are kept: one SQLite file, a row a game, written as it ends.

The file is in write-ahead mode: a process that is killed leaves all games that it has written, and others may read
while it writes. Everything in it can be written out as lines of JSON, and a store rebuilt from them.
"""

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tengen.arena.match import Played
from tengen.arena.plans import Pairing, fingerprint
from tengen.arena.scores import Margins, Tally
from tengen.errors import TengenError, shortened
from tengen.files import Busy, Lock, write_whole
from tengen.search.config import current_settings

VERSION = 1
"""Of the tables below. A file says which it has; one of another version is refused."""

SCHEMA = """
CREATE TABLE pairings (
    name TEXT PRIMARY KEY, first TEXT NOT NULL, second TEXT NOT NULL,
    settings TEXT NOT NULL                          -- JSON: both players' full configs, rules, clock, openings, seed
) WITHOUT ROWID;
CREATE TABLE players (
    key TEXT PRIMARY KEY,                           -- a hash of the rest
    name TEXT NOT NULL, spec TEXT NOT NULL, config TEXT NOT NULL, version TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE games (
    id TEXT PRIMARY KEY,                            -- the pairing's name and the game's number
    pairing TEXT NOT NULL REFERENCES pairings, number INTEGER NOT NULL,
    black TEXT NOT NULL, white TEXT NOT NULL,       -- names
    black_player TEXT NOT NULL REFERENCES players, white_player TEXT NOT NULL REFERENCES players,
    winner TEXT NOT NULL CHECK (winner IN ('black', 'white', 'draw')),
    reason TEXT NOT NULL, margin REAL,              -- Black's, if the game was counted
    detail TEXT NOT NULL, seed INTEGER NOT NULL, opening TEXT NOT NULL, moves INTEGER NOT NULL,
    started REAL NOT NULL, seconds REAL NOT NULL, black_seconds REAL NOT NULL, white_seconds REAL NOT NULL,
    times TEXT NOT NULL, record TEXT NOT NULL, analysis TEXT,
    UNIQUE (pairing, number)
);
CREATE INDEX games_summary ON games (pairing, black, white, winner, reason, margin, number);
"""

PLAYED = tuple(entry.name for entry in fields(Played))
COLUMNS = tuple(name.replace("_version", "_player") for name in PLAYED)
JSON_COLUMNS = ("times", "analysis")


class StoreError(TengenError):
    """A file of games that cannot be used."""


class Store:
    """A file of games, or games in memory only if there is no file."""

    def __init__(self, path: str | Path = ":memory:", must_exist: bool = False):
        self.path = str(path)
        self._lock: Lock | None = None
        if must_exist and self.path != ":memory:" and not Path(self.path).is_file():
            raise StoreError(f"there is no file {shortened(self.path, 160)}")
        try:
            self._database = sqlite3.connect(self.path, isolation_level=None, timeout=30.0)
            self._prepare()
        except sqlite3.Error as error:
            raise StoreError(f"{shortened(self.path, 160)} cannot be used as a file of games: {error}") from None

    def _prepare(self) -> None:
        database = self._database
        (version,) = database.execute("PRAGMA user_version").fetchone()
        (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if version == 0 and tables == 0:
            database.execute("PRAGMA journal_mode = WAL")
            with self._transaction():
                for statement in SCHEMA.split(";\n"):
                    database.execute(statement)
                database.execute(f"PRAGMA user_version = {VERSION}")
        elif version != VERSION:
            raise sqlite3.DatabaseError(f"its tables are of version {version}, not {VERSION}")
        database.execute("PRAGMA synchronous = NORMAL")

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """All of it or nothing, whatever happens."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._database.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def reserve(self) -> None:
        """Be the only one who plays games into this file; StoreError if another process already does.

        Where there are no locks, no game is written twice either: its id is there already.
        """
        if self.path == ":memory:" or self._lock is not None:
            return
        try:
            self._lock = Lock(self.path, "playing games into")
        except Busy as busy:
            raise StoreError(str(busy)) from None

    # Writing

    def add_pairing(self, pairing: Pairing) -> None:
        """Make a pairing known. If it is known already with other settings, its games cannot go on: StoreError."""
        settings = pairing.settings()
        known = self._database.execute("SELECT settings FROM pairings WHERE name = ?", (pairing.name,)).fetchone()
        if known is None:
            self._insert("pairings", name=pairing.name, first=pairing.first.name, second=pairing.second.name,
                         settings=json.dumps(settings))  # fmt: skip
        elif difference := _difference(json.loads(known[0]), settings):
            raise StoreError(
                f"{shortened(self.path, 160)} has games of {shortened(pairing.name, 80)} with {difference}: "
                "use another file or another name"
            )

    def add(self, played: Played) -> bool:
        """Keep a game; False if there is one of the same id already."""
        (settings,) = self._database.execute(
            "SELECT settings FROM pairings WHERE name = ?", (played.pairing,)
        ).fetchone()
        described = json.loads(settings)
        with self._transaction():
            row = played.to_json()
            for colour in ("black", "white"):
                player = next(described[side] for side in ("first", "second") if described[side]["name"] == row[colour])
                row[f"{colour}_player"] = self._player(player, row.pop(f"{colour}_version"))
            return self._insert_game(row)

    def _player(self, described: dict[str, Any], version: str) -> str:
        """The key of a player, who is written down at the first time."""
        key = fingerprint({**described, "version": version})
        self._insert("players", key=key, name=described["name"], spec=described["spec"],
                     config=json.dumps(described["config"]), version=version)  # fmt: skip
        return key

    def _insert_game(self, row: dict[str, Any]) -> bool:
        written = {
            key: json.dumps(row[key]) if key in JSON_COLUMNS and row[key] is not None else row[key] for key in row
        }
        return self._insert("games", **written)

    def _insert(self, table: str, **row: Any) -> bool:
        """Insert a row, unless there is one with its key; whether it was inserted."""
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        sql = f"INSERT INTO {table} ({names}) VALUES ({marks}) ON CONFLICT DO NOTHING"
        return self._database.execute(sql, tuple(row.values())).rowcount > 0

    # Reading

    def __len__(self) -> int:
        (count,) = self._database.execute("SELECT count(*) FROM games").fetchone()
        return int(count)

    def numbers(self, pairing: str) -> set[int]:
        """The numbers of a pairing's games that are there."""
        return {
            number for (number,) in self._database.execute("SELECT number FROM games WHERE pairing = ?", (pairing,))
        }

    def pairings(self) -> dict[str, dict[str, Any]]:
        """All pairings by name, with their settings, in the order of names."""
        rows = self._database.execute("SELECT name, settings FROM pairings ORDER BY name")
        return {name: json.loads(settings) for name, settings in rows}

    def games(self, pairing: str | None = None, last: int | None = None) -> Iterator[Played]:
        """The games, of one pairing if it is named, in order of their ids; only those that ended last if so many are
        wanted, the very last one first.
        """
        names = ", ".join(f"games.{name}" for name in COLUMNS).replace("games.black_player", "b.version")
        sql = f"SELECT {names.replace('games.white_player', 'w.version')} FROM games"
        sql += " JOIN players b ON b.key = black_player JOIN players w ON w.key = white_player"
        sql += " WHERE pairing = ?" if pairing is not None else ""
        sql += " ORDER BY games.rowid DESC LIMIT ?" if last is not None else " ORDER BY pairing, number"
        wanted = tuple(value for value in (pairing, last) if value is not None)
        for row in self._database.execute(sql, wanted):
            values = dict(zip(PLAYED, row, strict=True))
            for key in JSON_COLUMNS:
                values[key] = None if values[key] is None else json.loads(values[key])
            yield Played(**values)

    def tallies(self) -> dict[str, Tally]:
        """What the games of each pairing say, from its first player's side."""
        return {pairing: black + white for pairing, (black, white) in self.by_colour().items()}

    def by_colour(self) -> dict[str, tuple[Tally, Tally]]:
        """The same, but the first player's games with Black and with White apart."""
        firsts = dict(self._database.execute("SELECT name, first FROM pairings"))
        rows = self._database.execute(
            """SELECT pairing, black, winner, count(*), count(margin), total(margin), total(margin * margin)
            FROM games INDEXED BY games_summary GROUP BY pairing, black, winner"""
        )
        found: dict[str, list[Tally]] = {}
        for pairing, black, winner, count, counted, margin, squares in rows:
            won = {"black": (count, 0, 0), "draw": (0, count, 0), "white": (0, 0, count)}[winner]
            tally = Tally(*won, Margins(counted, margin, squares))
            is_black = black == firsts[pairing]
            sides = found.setdefault(pairing, [Tally(), Tally()])
            sides[0 if is_black else 1] += tally if is_black else tally.reversed()
        return {pairing: (sides[0], sides[1]) for pairing, sides in found.items()}

    def reasons(self) -> dict[tuple[str, str], int]:
        """How many games each player lost for which reason, the usual ones left out."""
        rows = self._database.execute(
            """SELECT CASE winner WHEN 'black' THEN white ELSE black END, reason, count(*)
            FROM games INDEXED BY games_summary WHERE reason NOT IN ('score', 'resign', 'length')
            GROUP BY 1, 2 ORDER BY 1, 2"""
        )
        return {(loser, reason): count for loser, reason, count in rows}

    def points(self, pairing: str) -> list[tuple[int, float]]:
        """The number and the first player's points of each game of a pairing, in order."""
        rows = self._database.execute(
            """SELECT number, CASE WHEN winner = 'draw' THEN 0.5 ELSE (winner = 'black') = (black = first) END
            FROM games INDEXED BY games_summary JOIN pairings ON pairings.name = pairing
            WHERE pairing = ? ORDER BY number""",
            (pairing,),
        )
        return [(number, float(points)) for number, points in rows]

    # Lines of JSON

    def lines(self) -> Iterator[str]:
        """The whole store as lines of JSON: the pairings, the players, and a line a game."""
        database = self._database
        for name, settings in self.pairings().items():
            yield json.dumps({"pairing": name, "settings": settings})
        for key, name, spec, config, version in database.execute("SELECT * FROM players ORDER BY key"):
            described = {"player": key, "name": name, "spec": spec, "config": json.loads(config), "version": version}
            yield json.dumps(described)
        sql = f"SELECT {', '.join(COLUMNS)} FROM games ORDER BY pairing, number"
        for row in database.execute(sql):
            values = {"game" if key == "id" else key: value for key, value in zip(COLUMNS, row, strict=True)}
            for key in JSON_COLUMNS:
                values[key] = None if values[key] is None else json.loads(values[key])
            if values["analysis"] is None:
                del values["analysis"]
            yield json.dumps(values, ensure_ascii=False)

    def add_lines(self, lines: Iterable[str], source: str = "the lines") -> int:
        """Add what lines of JSON hold; games that are there already are left as they are. How many games were new."""
        new, number = 0, 1
        try:
            with self._transaction():
                for line in lines:
                    if line.strip():
                        new += self._add_line(json.loads(line))
                    number += 1
        except (ValueError, KeyError, TypeError, AttributeError, sqlite3.Error) as error:
            if isinstance(error, StoreError):
                raise
            reason = f"{type(error).__name__}: {error}"
            raise StoreError(f"line {number} of {shortened(source, 160)} is none of ours: {reason}") from None
        return new

    def _add_line(self, line: dict[str, Any]) -> bool:
        if "game" in line:
            row = {"id" if key == "game" else key: value for key, value in line.items()}
            return self._insert_game({key: row.get(key) if key == "analysis" else row[key] for key in COLUMNS})
        if "player" in line:
            row = {"key": line["player"], **{key: line[key] for key in ("name", "spec", "version")}}
            self._insert("players", **row, config=json.dumps(line["config"]))
            return False
        name, settings = line["pairing"], line["settings"]
        known = self.pairings().get(name)
        if known is not None and (difference := _difference(known, settings)):
            raise StoreError(f"{shortened(name, 80)} is there already with {difference}")
        row = {"first": settings["first"]["name"], "second": settings["second"]["name"]}
        self._insert("pairings", name=name, **row, settings=json.dumps(settings))
        return False


def _difference(before: Any, now: Any, at: str = "") -> str:
    """The first thing that two settings both have and say differently, in words; nothing if there is none.

    What only one of them has is no difference: a version that knows more must not stop what an older one began.
    """
    if isinstance(before, dict) and isinstance(now, dict):
        before, now = _current(before), _current(now)
        found = (_difference(before[key], now[key], f"{at}.{key}" if at else key) for key in before if key in now)
        return next(filter(None, found), "")
    return "" if before == now else f"{at} = {shortened(json.dumps(before))}, not {shortened(json.dumps(now))}"


def _current(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings under the present keys, without a description of a player that has older ones."""
    current = current_settings(settings)
    if "prior_experience=" in str(current.get("spec")):
        del current["spec"]
    return current


def read_store(path: Path) -> Store:
    """A store to look into: a file of games, or one built in memory from a file of JSON lines."""
    try:
        with path.open("rb") as file:
            is_database = file.read(16) == b"SQLite format 3\0"
    except OSError as error:
        raise StoreError(f"{shortened(path, 160)} cannot be read: {error.strerror}") from None
    if is_database:
        return Store(path, must_exist=True)
    store = Store()
    with path.open(encoding="utf-8", errors="replace") as lines:
        store.add_lines(lines, str(path))
    return store


def write_lines(store: Store, path: Path) -> None:
    """Write a store as lines of JSON, to another name first: a kill leaves the old file or the new one."""
    write_whole(path, "".join(f"{line}\n" for line in store.lines()))
