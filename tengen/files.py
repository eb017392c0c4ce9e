"""Files that are there whole or not at all: written under another name, then put in their place."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tengen.games.errors import GameError, shortened


class Unwritable(GameError):
    """A file that cannot be written."""


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A name beside a file, to write to; if that goes well, what was written takes the file's place.

    A kill at any moment leaves the old file or the new one.
    """
    target = Path(path)
    temporary = target.with_name(f".{target.stem}.{os.getpid()}{target.suffix}")
    try:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        raise Unwritable(f"{shortened(target, 160)} cannot be written: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file so that a kill leaves the old one or the new one."""
    with replacing(path) as temporary:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)
