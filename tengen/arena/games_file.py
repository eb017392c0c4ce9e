"""The SQLite file of a store: opening, locking and closing it, and translating its errors.

Every statement is executed by `_execute` or `_select`, which turn all errors of SQLite into StoreError.
"""

import contextlib
import os
import shutil
import sqlite3
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tengen.errors import TengenError, shortened
from tengen.files import Busy, Lock, Unreadable, reading

REASONS = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_CORRUPT": "the file is damaged",
    "SQLITE_NOTADB": "it is not a file of games, or damaged",
    "SQLITE_READONLY": "it cannot be written",
    "SQLITE_IOERR": "reading or writing it failed",
    "SQLITE_CANTOPEN": "it cannot be opened for writing",
    "SQLITE_BUSY": "another process holds it",
}
"""Message for each prefix of SQLite's error names."""
UNWRITABLE = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_IOERR")
"""Prefixes of the error names that reading in write-ahead mode raises where nothing can be written."""


class StoreError(TengenError):
    """A file of games that cannot be used."""


class GamesFile(ABC):
    """An open SQLite file, or a database in memory if there is no file."""

    def __init__(self, path: str | Path = ":memory:"):
        """Open a file of games for reading and writing; create it if it does not exist."""
        self.path = str(path)
        self._lock: Lock | None = None
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        if self.path != ":memory:" and os.path.exists(self.path):
            self._check_kind()
        self._open(self.path)

    @classmethod
    def to_read(cls, path: str | Path) -> Self:
        """Open an existing file of games for reading, also on a full disk or a read-only file system."""
        store = cls.__new__(cls)
        store.path, store._lock, store._copy = str(path), None, None
        store._check_kind()
        try:
            store._open(store.path)
        except StoreError as error:
            if not _name(error.__cause__).startswith(UNWRITABLE):
                raise
            store._open_unwritable()
        return store

    def _check_kind(self) -> None:
        """Refuse a file that is missing or not regular (SQLite might block on a FIFO)."""
        try:
            with reading(self.path):
                pass
        except Unreadable as error:
            raise StoreError(str(error)) from None

    def _open(self, path: str, uri: bool = False) -> None:
        with self._translated():
            self._database = sqlite3.connect(path, isolation_level=None, timeout=30.0, uri=uri)
        try:
            self._prepare()
        except BaseException:
            self._database.close()
            raise

    def _open_unwritable(self) -> None:
        """Open a file in a folder that cannot be written: in place, or as a copy if it has a write-ahead log."""
        log = Path(f"{self.path}-wal")
        try:
            if not log.exists() or not log.stat().st_size:
                self._open(f"{Path(self.path).resolve().as_uri()}?immutable=1", uri=True)
                return
            self._copy = tempfile.TemporaryDirectory(prefix="tengen-")
            copy = Path(self._copy.name) / "games"
            shutil.copyfile(self.path, copy)
            shutil.copyfile(log, f"{copy}-wal")
        except OSError as error:
            raise StoreError(f"{shortened(self.path, 160)} cannot be read: {error.strerror or error}") from None
        self._open(str(copy))

    @abstractmethod
    def _prepare(self) -> None:
        """Create the tables of a new file, or check those of an old one."""

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn all exceptions of `sqlite3` about a file or a value into StoreError."""
        try:
            yield
        except (sqlite3.Error, OverflowError, ValueError) as error:
            if isinstance(error, TengenError):
                raise
            raise StoreError(f"{shortened(self.path, 160)} cannot be used: {_reason(error)}") from error

    def _execute(self, sql: str, *values: Any) -> int:
        """Execute a statement that returns nothing; return the number of rows it changed."""
        with self._translated():
            return self._database.execute(sql, values).rowcount

    def _select(self, sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query."""
        with self._translated():
            yield from map(tuple, self._database.execute(sql, values))  # a bare cursor might be closed late

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """Commit the statements of the block, or roll all of them back if it raises."""
        self._execute("BEGIN IMMEDIATE")
        try:
            yield
            self._execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:  # SQLite itself rolls back after some errors
                with contextlib.suppress(sqlite3.Error):
                    self._database.execute("ROLLBACK")
            raise

    @contextlib.contextmanager
    def _checking(self, what: str) -> Iterator[None]:
        """Turn a TengenError about a row into a StoreError that names the row by `what`."""
        try:
            yield
        except StoreError:
            raise
        except TengenError as error:
            raise self._damaged(f"in {what}, {error}") from None

    def _damaged(self, how: str) -> StoreError:
        return StoreError(f"{shortened(self.path, 160)} is damaged: {how}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. A failed checkpoint of the write-ahead log is ignored: its games are already saved."""
        with contextlib.suppress(sqlite3.Error):
            self._database.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None

    def reserve(self) -> None:
        """Lock the file for playing games into it; raise StoreError if another process has the lock.

        Without file locks (Windows), two processes may play the same game, but only the first is stored: the id is
        unique. The whole file is checked, since writing to a damaged one may destroy games that can still be read;
        this takes 0.5 s for 60,000 games.
        """
        if self.path == ":memory:" or self._lock is not None:
            return
        try:
            self._lock = Lock(self.path, "playing games into")
        except Busy as busy:
            raise StoreError(str(busy)) from None
        for (found,) in self._select("PRAGMA integrity_check(1)"):
            if found != "ok":
                raise self._damaged(shortened(found, 120)[1:-1])


def _reason(error: Exception) -> str:
    """Describe an error of SQLite in one line."""
    said = shortened(error, 120)[1:-1]
    meaning = next((meaning for start, meaning in REASONS.items() if _name(error).startswith(start)), "")
    return f"{meaning} ({said})" if meaning else said


def _name(error: BaseException | None) -> str:
    """Return SQLite's name of an error; empty for other exceptions."""
    return getattr(error, "sqlite_errorname", None) or ""
