"""Import of games from every file format that the arena writes: a store, JSON lines, and CSV."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tengen.arena.exports import CSV_COLUMNS
from tengen.arena.plans import fingerprint
from tengen.arena.store import Store, StoreError
from tengen.errors import TengenError, shortened
from tengen.files import Unreadable, read_lines, reading

SQLITE = b"SQLite format 3\0"
NUMBERS = {"number": int, "moves": int, "seed": int, "margin": float,
           **dict.fromkeys(("started", "seconds", "black_seconds", "white_seconds"), float)}  # fmt: skip
"""The numeric columns of CSV."""


def read_store(path: Path) -> Store:
    """Open a file of games for reading; one of JSON lines or CSV is read into a store in memory.

    Raises StoreError if the file is none of these or damaged.
    """
    header = ",".join(CSV_COLUMNS).encode()
    try:
        with reading(path) as file:
            start = file.read(3 + len(header)).removeprefix(b"\xef\xbb\xbf")
    except Unreadable as error:
        raise StoreError(str(error)) from None
    if start.startswith(SQLITE):
        return Store.to_read(path)
    store = Store()
    if start.startswith(header):
        _add_csv(store, path)
    else:
        add_lines(store, path)
    return store


def add_lines(store: Store, path: Path) -> int:
    """Add the games in a file of JSON lines; return how many were new.

    Raises StoreError, and adds nothing, if a line is wrong.
    """
    try:
        return store.add_lines(read_lines(path), str(path))
    except Unreadable as error:
        raise StoreError(str(error)) from None


def _add_csv(store: Store, path: Path) -> None:
    """Add the results in a CSV file that `write_csv` wrote. They have no moves and no settings."""
    store.has_records = False
    try:
        store.add_objects(_csv_objects(path), str(path))
    except Unreadable as error:
        raise StoreError(str(error)) from None


def _csv_objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number, object for `Store.add_objects`) for the results in a CSV file."""
    pairings: dict[str, dict[str, Any]] = {}
    for number, row in _csv_rows(path):
        players = row["black"], row["white"]
        first, second = players if row["number"] % 2 == 0 else players[::-1]
        settings = {"first": {"name": first}, "second": {"name": second}}
        if pairings.get(row["pairing"]) != settings:
            pairings[row["pairing"]] = settings
            yield number, {"pairing": row["pairing"], "settings": settings}
        game = {**row, "game": row["id"], "times": [], "record": ""}
        for colour in ("black", "white"):
            described = {"name": row[colour], "spec": "", "config": {}, "version": row[f"{colour}_version"]}
            key = game[f"{colour}_player"] = fingerprint(described)
            yield number, {"player": key, **described}
        yield number, game


def _csv_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number, row) for a CSV file, with the numeric columns converted."""
    reader = csv.reader(read_lines(path), strict=True)
    try:
        next(reader)
        for row in reader:
            if len(row) != len(CSV_COLUMNS):
                raise TengenError(f"it has {len(row)} columns, not {len(CSV_COLUMNS)}")
            yield reader.line_num, {name: _value(name, text) for name, text in zip(CSV_COLUMNS, row, strict=True)}
    except (csv.Error, TengenError) as error:
        if isinstance(error, Unreadable):
            raise
        raise StoreError(f"line {reader.line_num:,} of {shortened(path, 160)}: {error}") from None


def _value(name: str, text: str) -> Any:
    if name == "margin" and not text:
        return None
    try:
        return NUMBERS[name](text) if name in NUMBERS else text
    except ValueError:
        raise TengenError(f"{name} is {shortened(text)}, not a number") from None
