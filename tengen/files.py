"""Files that are there whole or not at all: written under another name, then put in their place; and files that one
process at a time works on.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Self

from tengen.games.errors import GameError, shortened


class Unwritable(GameError):
    """A file that cannot be written."""


class Busy(GameError):
    """A file that another process works on."""


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A name beside a file, to write to; if that goes well, what was written takes the file's place.

    A kill at any moment leaves the old file or the new one.
    """
    target = Path(path)
    temporary = target.with_name(f".{target.stem[:50]}.{os.getpid()}{target.suffix}")
    try:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        raise Unwritable(f"{shortened(target, 160)} cannot be written: {error.strerror or error}") from None
    finally:
        with suppress(OSError):  # it is mostly gone, and a name that is too long was never there
            temporary.unlink()


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file so that a kill leaves the old one or the new one."""
    with replacing(path) as temporary:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)


class Lock:
    """The right to be the only process that works on a file; Busy if another one has it.

    The system takes the lock away when the process ends, however it ends.
    """

    def __init__(self, path: str | Path, work: str):
        """`work` is what the other process would be doing, as in 'playing games into'."""
        self._file: IO[str] | None = None
        self._path = Path(f"{path}.lock")
        try:
            import fcntl
        except ImportError:  # no such locks on this system
            return
        while self._file is None:
            try:
                file = self._path.open("a")  # whatever stands there is not touched
            except OSError as error:
                raise Unwritable(f"{shortened(self._path, 160)} cannot be written: {error.strerror}") from None
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.close()
                raise Busy(f"another process is {work} {shortened(path, 160)}") from None
            if self._is_there(file):
                self._file = file
            else:  # who had it has just taken it away: what we have locked, nobody else would find
                file.close()

    def _is_there(self, file: IO[str]) -> bool:
        """Whether an open file is the one that has the lock's name."""
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
