"""Safe files: bounded reading of input files, atomic replacement of output files, and locks between processes.

Every file that a user names is read through `read_bytes`, `read_text` or `read_lines`, and JSON and TOML through
`parse_json` and `parse_toml`: a device, a FIFO, a huge file or deep nesting raises a one-line error.
"""

import gzip
import json
import os
import stat
import threading
import tomllib
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Self, cast

from tengen.errors import TengenError, shortened

MOST_BYTES = 64 * 1024 * 1024
"""Default size limit in bytes of an input file that is read whole."""
MOST_NESTING = 100
"""The deepest nesting of JSON and TOML values that is accepted."""
LONGEST_LINE = 16 * 1024 * 1024
"""Bytes in the longest line that `read_lines` accepts."""


class Unreadable(TengenError):
    """A file that cannot be read, or does not hold what it should."""


class Unwritable(TengenError):
    """A file that cannot be written."""


class Busy(TengenError):
    """A file that another process has locked."""


@contextmanager
def reading(path: str | Path) -> Iterator[IO[bytes]]:
    """Open an input file for reading; raise `Unreadable` if it is not a regular file or cannot be read.

    The file is opened without blocking, so that a FIFO is refused at once.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Unreadable(f"{shortened(path, 160)} cannot be read: it is not a regular file")
            yield file
    except OSError as error:
        raise Unreadable(f"{shortened(path, 160)} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        if isinstance(error, TengenError):
            raise
        raise Unreadable(f"{shortened(path, 160)} cannot be read: its name is not valid") from None


def read_bytes(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """Return the content of a regular file of at most `most` bytes."""
    with reading(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise Unreadable(f"{shortened(path, 160)} is larger than the limit of {most:,} bytes")
    return content


def read_text(path: str | Path, most: int = MOST_BYTES, errors: str = "strict") -> str:
    """Return the text of a UTF-8 file of at most `most` bytes; `errors` as in `bytes.decode`."""
    content = read_bytes(path, most)
    try:
        return content.decode("utf-8-sig", errors)
    except UnicodeDecodeError:
        raise Unreadable(f"{shortened(path, 160)} cannot be read: it is not UTF-8 text") from None


def read_lines(path: str | Path, most: int = LONGEST_LINE) -> Iterator[str]:
    """Yield the lines of a UTF-8 file with their line feeds; none may be longer than `most` bytes.

    Only one line at a time is held in memory, so the file may have any size. A file named .gz is decompressed.
    """
    with reading(path) as file:
        number = 0
        try:
            source = gzip.GzipFile(fileobj=file) if is_compressed(path) else file
            while line := source.readline(most + 1):
                number += 1
                if len(line) > most:
                    raise Unreadable(f"line {number:,} of {shortened(path, 160)} is longer than {most:,} bytes")
                yield _decoded(line, number, path)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise Unreadable(f"{shortened(path, 160)} is damaged after line {number:,}: {_reason(error)}") from None


def is_compressed(path: str | Path) -> bool:
    """Whether the name of a file of lines says that it is compressed by gzip."""
    return str(path).endswith(".gz")


def _decoded(line: bytes, number: int, path: str | Path) -> str:
    """Return the text of a line, without a byte order mark in the first one."""
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise Unreadable(f"line {number:,} of {shortened(path, 160)} is not UTF-8 text") from None


def write_lines(path: str | Path, lines: Iterable[str]) -> None:
    """Write lines, without their line feeds, to a file atomically; compressed if the file is named .gz."""
    with replacing(path) as temporary, temporary.open("wb") as file:
        target: IO[bytes] = file
        if is_compressed(path):
            target = cast(IO[bytes], gzip.GzipFile("", "wb", mtime=0, fileobj=file))
        for line in lines:
            target.write(f"{line}\n".encode())
        if target is not file:
            target.close()


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text; raise `Unreadable` if it is malformed or nested deeper than `MOST_NESTING`."""
    try:
        return _shallow(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not valid JSON: {_reason(error)}") from None


def parse_toml(text: str) -> dict[str, Any]:
    """Return the table of a TOML text; raise `Unreadable` if it is malformed or nested deeper than `MOST_NESTING`."""
    try:
        parsed: dict[str, Any] = _shallow(tomllib.loads(text))
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not valid TOML: {_reason(error)}") from None
    return parsed


def _shallow(value: Any) -> Any:
    """Return a parsed value, or raise RecursionError if it is nested too deeply. Iterative, so it cannot overflow."""
    level = [value]
    for _ in range(MOST_NESTING):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return value
    raise RecursionError


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return f"nested deeper than {MOST_NESTING} levels"
    return shortened(error, 160)[1:-1]


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside a file to write to; if the block succeeds, rename it to `path`.

    A kill at any moment leaves the old file or the new one. Raises `Unwritable` for an OSError in the block.
    """
    target = Path(path)
    if target.name in ("", ".."):
        raise Unwritable(f"{shortened(target, 160)} cannot be written: it is a folder")
    temporary = target.with_name(f".{target.stem[:50]}.{os.getpid()}-{threading.get_native_id()}{target.suffix}")
    try:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        raise Unwritable(f"{shortened(target, 160)} cannot be written: {error.strerror or error}") from None
    finally:
        with suppress(OSError):  # renamed already, or never created
            temporary.unlink()


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file atomically: a kill leaves the old content or the new one."""
    with replacing(path) as temporary:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)


class Lock:
    """An exclusive lock between processes, by the file `path`.lock. The system releases it when the process ends."""

    def __init__(self, path: str | Path, work: str):
        """Take the lock; raise `Busy` if another process has it.

        `work` describes in that message what the other process does, as in 'playing games into'.
        """
        self._file: IO[str] | None = None
        self._path = Path(f"{path}.lock")
        try:
            import fcntl
        except ImportError:  # no file locks on this system
            return
        while self._file is None:
            try:
                file = self._path.open("a")  # does not change an existing file
            except OSError as error:
                raise Unwritable(f"{shortened(self._path, 160)} cannot be written: {error.strerror}") from None
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.close()
                raise Busy(f"another process is {work} {shortened(path, 160)}") from None
            if self._is_there(file):
                self._file = file
            else:  # the previous holder has deleted the file meanwhile: other processes would lock a new one
                file.close()

    def _is_there(self, file: IO[str]) -> bool:
        """Whether an open file is still the one at the lock's path."""
        try:
            return os.path.samestat(os.fstat(file.fileno()), self._path.stat())
        except OSError:
            return False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *unused: object) -> None:
        self.release()

    def release(self) -> None:
        if self._file is not None:
            self._path.unlink(missing_ok=True)
            self._file.close()
            self._file = None
