"""The SQLite file under a store: how it is opened, locked and closed, and what its errors mean to a user.

Every statement is executed by `_execute` or `_select`, which raise StoreError for what SQLite says about the file, the
disk or a value.
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
"""What the names of SQLite's errors begin with, and what they mean to a user."""
UNWRITABLE = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_IOERR")
"""How the names of errors begin that reading in write-ahead mode raises where nothing can be written."""


class StoreError(TengenError):
    """A file of games that cannot be used."""


class GamesFile(ABC):
    """An open SQLite file, or a database in memory if there is no file."""

    def __init__(self, path: str | Path = ":memory:"):
        """Open a file of games to play into, and create it if it does not exist."""
        self.path = str(path)
        self._lock: Lock | None = None
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        if self.path != ":memory:" and os.path.exists(self.path):
            self._check_kind()
        self._open(self.path)

    @classmethod
    def to_read(cls, path: str | Path) -> Self:
        """Open a file of games that must exist. It may be on a full disk or on a file system that is read-only."""
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
        """Refuse a file that is missing or not regular, for which SQLite might wait."""
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
        """Open a file beside which SQLite cannot write, in place, or if it has a write-ahead log in a copy of both."""
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
        """Raise StoreError for all that SQLite and its adapter in Python raise about a file or a value."""
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
            yield from map(
                tuple, self._database.execute(sql, values)
            )  # not the cursor: that would be closed, perhaps late

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """All of it or nothing, whatever happens."""
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
        """Raise StoreError, saying where it is, for a row that is not as it should be."""
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
        """Close the file. All games are in it before; moving them from the log into the file proper may fail."""
        with contextlib.suppress(sqlite3.Error):
            self._database.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None

    def reserve(self) -> None:
        """Be the only one who plays games into this file; StoreError if another process already does.

        Where there are no locks, no game is written twice either: its id is there already. The whole file is checked,
        since writing to a damaged one may cost games that can still be read; 0.5 s for 60,000 games.
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
    """What an error of SQLite's means, in one line."""
    said = shortened(error, 120)[1:-1]
    meaning = next((meaning for start, meaning in REASONS.items() if _name(error).startswith(start)), "")
    return f"{meaning} ({said})" if meaning else said


def _name(error: BaseException | None) -> str:
    """SQLite's name for an error, or nothing if it is not SQLite's."""
    return getattr(error, "sqlite_errorname", None) or ""
