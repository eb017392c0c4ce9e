"""What a command says on standard error while it works. Losing it must never end the work: the disk may be full."""

import sys
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from rich.console import Console


class LossyStream:
    """A text stream that drops what cannot be written."""

    def __init__(self, stream: IO[str]):
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def lossy_stderr() -> IO[str]:
    """Return standard error as a stream that drops what cannot be written."""
    return cast(IO[str], LossyStream(sys.stderr))


def progress_console() -> "Console":
    """Return a console for bars, tables and remarks on standard error."""
    from rich.console import Console

    return Console(file=lossy_stderr())


def say(text: str) -> None:
    """Print a line on standard error, if that can be written."""
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)
