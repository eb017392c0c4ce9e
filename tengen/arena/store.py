"""The store of games: one SQLite file with one row per game, written when the game ends.

The file is in write-ahead mode: games written before a kill are kept, and other processes can read while one writes.
A store can be exported to JSON lines and rebuilt from them.

Every row read is checked by the functions in rows.py: a damaged file raises a one-line error.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from tengen.arena.games_file import GamesFile
from tengen.arena.games_file import StoreError as StoreError
from tengen.arena.match import PlayedGame
from tengen.arena.plans import Pairing, fingerprint
from tengen.arena.rows import ANCHOR, PAIRING, PLAYER, WINNERS, checked, checked_game, checked_settings, json_column
from tengen.arena.scores import Margins, Tally
from tengen.errors import TengenError, shortened
from tengen.files import parse_json

VERSION = 1
"""Version of the tables below, stored in the file; files of other versions are refused."""

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

PLAYED = tuple(entry.name for entry in fields(PlayedGame))
COLUMNS = tuple(name.replace("_version", "_player") for name in PLAYED)
JSON_COLUMNS = ("times", "analysis")
ANCHORS = "CREATE TABLE IF NOT EXISTS anchors (player TEXT PRIMARY KEY, elo REAL NOT NULL) WITHOUT ROWID"
"""Fixed ratings of a tournament. Not in SCHEMA: files of version 1 without this table have no anchors."""


class Store(GamesFile):
    """A file of games, or a store in memory."""

    has_records = True
    """Whether the games have their moves and settings; False for games read from CSV."""

    def _prepare(self) -> None:
        [(version,)] = self._select("PRAGMA user_version")
        [(tables,)] = self._select("SELECT count(*) FROM sqlite_master")
        if version == 0 and tables == 0:
            self._execute("PRAGMA journal_mode = WAL")
            with self._transaction():
                for statement in SCHEMA.split(";\n"):
                    self._execute(statement)
                self._execute(f"PRAGMA user_version = {VERSION}")
        elif version != VERSION:
            about = f"its tables are of version {version}, not {VERSION}"
            raise StoreError(f"{shortened(self.path, 160)} is not a file of games: {about}")
        self._execute("PRAGMA synchronous = NORMAL")

    # Writing

    def add_pairing(self, pairing: Pairing) -> None:
        """Add a pairing; raise StoreError if the store has it with other settings."""
        settings = pairing.settings()
        known = self._settings(pairing.name)
        if known is None:
            self._insert("pairings", name=pairing.name, first=pairing.first.name, second=pairing.second.name,
                         settings=json.dumps(settings))  # fmt: skip
        elif difference := _difference(known, settings):
            raise StoreError(
                f"{shortened(self.path, 160)} has games of {shortened(pairing.name, 80)} with {difference}: "
                "use another file or another name"
            )

    def add(self, played: PlayedGame) -> bool:
        """Store a game; return False if one with the same id exists. Raises StoreError with its id if that fails."""
        described = self._settings(played.pairing)
        if described is None:
            raise StoreError(f"{shortened(self.path, 160)} has no pairing {shortened(played.pairing, 80)}")
        row = played.to_json()
        try:
            with self._transaction():
                for colour in ("black", "white"):
                    sides = (described["first"], described["second"])
                    player = next(side for side in sides if side["name"] == row[colour])
                    row[f"{colour}_player"] = self._add_player(player, row.pop(f"{colour}_version"))
                return self._insert_game(row)
        except StoreError as error:
            raise StoreError(f"game {shortened(played.id, 120)} was not saved, all before it were: {error}") from None

    def _add_player(self, described: dict[str, Any], version: str) -> str:
        """Insert a player if it is new; return its key."""
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
        """Insert a row unless one with its key exists; return whether it was inserted."""
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        return (
            self._execute(f"INSERT INTO {table} ({names}) VALUES ({marks}) ON CONFLICT DO NOTHING", *row.values()) > 0
        )

    def set_anchors(self, anchors: Mapping[str, float]) -> None:
        """Replace the fixed ratings of the tournament."""
        if anchors == self.anchors():
            return
        with self._transaction():
            self._execute(ANCHORS)
            self._execute("DELETE FROM anchors")
            for player, elo in anchors.items():
                self._insert("anchors", **checked({"player": player, "elo": float(elo)}, ANCHOR))

    # Reading

    def __len__(self) -> int:
        [(count,)] = self._select("SELECT count(*) FROM games")
        return int(count)

    def numbers(self, pairing: str) -> set[int]:
        """Return the numbers of a pairing's stored games."""
        found = {number for (number,) in self._select("SELECT number FROM games WHERE pairing = ?", pairing)}
        if not all(type(number) is int for number in found):
            raise self._damaged(f"a game of {shortened(pairing, 80)} has no number")
        return found

    def pairings(self) -> dict[str, dict[str, Any]]:
        """Return the settings of all pairings by name, sorted by name."""
        rows = self._select("SELECT name, settings FROM pairings ORDER BY name")
        return {name: self._parsed_settings(name, settings) for name, settings in rows}

    def _settings(self, pairing: str) -> dict[str, Any] | None:
        """Return the settings of a pairing, or None if it is not stored."""
        rows = list(self._select("SELECT name, settings FROM pairings WHERE name = ?", pairing))
        return self._parsed_settings(*rows[0]) if rows else None

    def _parsed_settings(self, name: Any, settings: Any) -> dict[str, Any]:
        with self._checking(f"the pairing {shortened(name, 80)}"):
            found = checked({"name": name, "settings": json_column(settings)}, PAIRING)["settings"]
            checked_settings(found)
        return dict(found)

    def names(self) -> dict[str, tuple[str, str]]:
        """Return the names of the (first, second) player of each pairing."""
        return {name: checked_settings(settings) for name, settings in self.pairings().items()}

    def anchors(self) -> dict[str, float]:
        """Return the fixed ratings of the tournament."""
        if not list(self._select("SELECT 1 FROM sqlite_master WHERE name = 'anchors'")):
            return {}
        with self._checking("the anchors"):
            rows = self._select("SELECT player, elo FROM anchors ORDER BY player")
            found = [checked({"player": player, "elo": elo}, ANCHOR) for player, elo in rows]
        return {row["player"]: row["elo"] for row in found}

    def games(self, pairing: str | None = None, last: int | None = None) -> Iterator[PlayedGame]:
        """Yield the games, or those of one `pairing`, by pairing and number; with `last`, only the last n to end.

        With `last`, the most recent game comes first.
        """
        names = ", ".join(f"games.{name}" for name in COLUMNS).replace("games.black_player", "b.version")
        sql = f"SELECT {names.replace('games.white_player', 'w.version')} FROM games"
        sql += " JOIN players b ON b.key = black_player JOIN players w ON w.key = white_player"
        sql += " WHERE pairing = ?" if pairing is not None else ""
        sql += " ORDER BY games.rowid DESC LIMIT ?" if last is not None else " ORDER BY pairing, number"
        for row in self._select(sql, *(value for value in (pairing, last) if value is not None)):
            yield PlayedGame(**self._checked_game(PLAYED, row))

    def _checked_game(self, names: tuple[str, ...], row: tuple[Any, ...]) -> dict[str, Any]:
        with self._checking(f"the game {shortened(row[0], 80)}"):
            values = dict(zip(names, row, strict=True))
            return checked_game(values | {key: json_column(values[key]) for key in JSON_COLUMNS}, names)

    def tallies(self) -> dict[str, Tally]:
        """Return the results of each pairing from its first player's side."""
        return {pairing: black + white for pairing, (black, white) in self.by_colour().items()}

    def by_colour(self) -> dict[str, tuple[Tally, Tally]]:
        """Return the first player's results as (Black, White) for each pairing."""
        names = self.names()
        rows = self._select(
            """SELECT pairing, black, winner, count(*), count(margin), total(margin), total(margin * margin)
            FROM games INDEXED BY games_summary GROUP BY pairing, black, winner"""
        )
        found: dict[str, list[Tally]] = {}
        for pairing, black, winner, count, counted, margin, squares in rows:
            if black not in names.get(pairing, ()) or winner not in WINNERS:
                raise self._damaged(f"a game of {shortened(pairing, 80)} has no players or no result")
            won = {"black": (count, 0, 0), "draw": (0, count, 0), "white": (0, 0, count)}[winner]
            tally = Tally(*won, Margins(counted, margin, squares))
            is_black = black == names[pairing][0]
            sides = found.setdefault(pairing, [Tally(), Tally()])
            sides[0 if is_black else 1] += tally if is_black else tally.reversed()
        return {pairing: (sides[0], sides[1]) for pairing, sides in found.items()}

    def reasons(self) -> dict[tuple[str, str], int]:
        """Return the number of lost games by (player, reason), without the reasons score, resign and length."""
        rows = self._select(
            """SELECT CASE winner WHEN 'black' THEN white ELSE black END, reason, count(*)
            FROM games INDEXED BY games_summary WHERE reason NOT IN ('score', 'resign', 'length')
            GROUP BY 1, 2 ORDER BY 1, 2"""
        )
        return {(str(loser), str(reason)): count for loser, reason, count in rows}

    def points(self, pairing: str) -> list[tuple[int, float]]:
        """Return (number, first player's points) of each game of a pairing, in order of number."""
        rows = self._select(
            """SELECT number, CASE WHEN winner = 'draw' THEN 0.5 ELSE (winner = 'black') = (black = first) END
            FROM games INDEXED BY games_summary JOIN pairings ON pairings.name = pairing
            WHERE pairing = ? ORDER BY number""",
            pairing,
        )
        found = list(rows)
        if not all(type(number) is int and points is not None for number, points in found):
            raise self._damaged(f"a game of {shortened(pairing, 80)} has no number or no result")
        return [(number, float(points)) for number, points in found]

    # Lines of JSON

    def lines(self) -> Iterator[str]:
        """Yield the whole store as JSON lines: the pairings, the players, the anchors, and one line per game."""
        for name, settings in self.pairings().items():
            yield json.dumps({"pairing": name, "settings": settings})
        for key, name, spec, config, version in self._select("SELECT * FROM players ORDER BY key"):
            with self._checking(f"the player {shortened(name, 80)}"):
                described = {"name": name, "spec": spec, "config": json_column(config), "version": version}
                checked({"key": key, **described}, PLAYER)
            yield json.dumps({"player": key, **described})
        for player, elo in self.anchors().items():
            yield json.dumps({"anchor": player, "elo": elo})
        for row in self._select(f"SELECT {', '.join(COLUMNS)} FROM games ORDER BY pairing, number"):
            game = self._checked_game(COLUMNS, row)
            if game["analysis"] is None:
                del game["analysis"]
            yield json.dumps({"game" if key == "id" else key: value for key, value in game.items()}, ensure_ascii=False)

    def add_lines(self, lines: Iterable[str], source: str = "the lines") -> int:
        """Add the content of JSON lines; games that exist are not changed. Returns the number of new games."""
        return self.add_objects(((number, line) for number, line in enumerate(lines, 1) if line.strip()), source)

    def add_objects(self, objects: Iterable[tuple[int, Any]], source: str) -> int:
        """Add (line number in `source`, object) pairs; an object is a line as `lines` yields it, or that line parsed.

        Returns the number of new games. Raises StoreError, and adds nothing, if one is wrong.
        """
        new = 0
        names = self.names()
        players = {key for (key,) in self._select("SELECT key FROM players")}
        with self._transaction():
            for number, line in objects:
                try:
                    new += self._add_object(parse_json(line) if isinstance(line, str) else line, names, players)
                except TengenError as error:
                    raise StoreError(f"line {number:,} of {shortened(source, 160)}: {error}") from None
        return new

    def _add_object(self, line: Any, names: dict[str, tuple[str, str]], players: set[str]) -> bool:
        """Add one object and update `names` and `players`, which mirror the store; return whether it is a new game."""
        if not isinstance(line, dict):
            raise TengenError(f"{shortened(json.dumps(line))} is not an object")
        if "game" in line:
            return self._add_game({"analysis": None, **line, "id": line["game"]}, names, players)
        if "player" in line:
            row = checked({**line, "key": line["player"]}, PLAYER)
            players.add(row["key"])
            self._insert("players", **{**row, "config": json.dumps(row["config"])})
        elif "anchor" in line:
            self._execute(ANCHORS)
            self._insert("anchors", **checked({**line, "player": line["anchor"]}, ANCHOR))
        elif "pairing" in line:
            row = checked({**line, "name": line["pairing"]}, PAIRING)
            name, settings = row["name"], row["settings"]
            names[name] = checked_settings(settings)
            known = self._settings(name)
            if known is not None and (difference := _difference(known, settings)):
                raise TengenError(f"the store has {shortened(name, 80)} with {difference}")
            first, second = names[name]
            self._insert("pairings", name=name, first=first, second=second, settings=json.dumps(settings))
        else:
            raise TengenError("it is not a game, player, pairing or anchor")
        return False

    def _add_game(self, line: dict[str, Any], names: dict[str, tuple[str, str]], players: set[str]) -> bool:
        row = checked_game(line, COLUMNS)
        if row["pairing"] not in names:
            raise TengenError(f"the pairing {shortened(row['pairing'], 80)} of this game is missing before this line")
        if {row["black"], row["white"]} != set(names[row["pairing"]]):
            raise TengenError(f"the players of this game are not those of {shortened(row['pairing'], 80)}")
        for colour in ("black_player", "white_player"):
            if row[colour] not in players:
                raise TengenError(f"the {colour} {shortened(row[colour])} of this game is missing before this line")
        return self._insert_game(row)


def _difference(before: Any, now: Any, at: str = "") -> str:
    """Describe the first key that both settings have with different values; empty if there is none.

    Keys that only one of them has are ignored, so that a newer version with more settings can continue a run.
    """
    if isinstance(before, dict) and isinstance(now, dict):
        before, now = _current(before), _current(now)
        found = (_difference(before[key], now[key], f"{at}.{key}" if at else key) for key in before if key in now)
        return next(filter(None, found), "")
    return "" if before == now else f"{at} = {shortened(json.dumps(before))}, not {shortened(json.dumps(now))}"


def _current(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings under the present keys. A player's full config is compared, not its shortest description.

    Earlier versions had a setting `prior_experience` with the value that `prior_weight` has now.
    """
    current = dict(settings)
    if current.pop("prior_experience", None) == "variance":
        current["prior_weight"] = "variance"
    if "config" in current:
        current.pop("spec", None)
    return current
