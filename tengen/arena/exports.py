"""Export of stored games: JSON lines, CSV, and one game record per game."""

import csv
import io
import re
from pathlib import Path

from tengen import files
from tengen.arena.store import Store
from tengen.errors import TengenError, shortened
from tengen.files import write_whole

CSV_COLUMNS = (
    "id", "pairing", "number", "black", "white", "winner", "reason", "margin", "moves", "seed", "opening", "started",
    "seconds", "black_seconds", "white_seconds", "black_version", "white_version", "detail",
)  # fmt: skip


def write_lines(store: Store, path: Path) -> None:
    """Write a whole store as JSON lines, atomically: a kill or a full disk leaves the old file or the new one."""
    files.write_lines(path, store.lines())


def write_csv(store: Store, path: Path) -> None:
    """Write a CSV file with a header and one line per game."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(CSV_COLUMNS)
    for played in store.games():
        writer.writerow(getattr(played, column) for column in CSV_COLUMNS)
    write_whole(path, text.getvalue())


def write_records(store: Store, folder: Path) -> None:
    """Write one file per game, named by its pairing and number: SGF for Go, JSON for other games."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TengenError(f"the folder {shortened(folder, 160)} cannot be created: {error.strerror}") from None
    for played in store.games():
        suffix = "sgf" if played.record.startswith("(") else "json"
        name = re.sub(r"[^\w.=-]+", "_", played.pairing)[:120]
        write_whole(folder / f"{name}-{played.number:05}.{suffix}", played.record)
