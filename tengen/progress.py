"""Progress messages on standard error. A failed write, as on a full disk, never ends the command."""

import sys
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from rich.console import Console


class LossyStream:
    """A text stream that ignores failed writes."""

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
    """Return standard error as a stream that ignores failed writes."""
    return cast(IO[str], LossyStream(sys.stderr))


def progress_console() -> "Console":
    """Return a console for progress bars, tables and messages on standard error."""
    from rich.console import Console

    return Console(file=lossy_stderr())


def say(text: str) -> None:
    """Print a line on standard error; ignore a failed write."""
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def clock_time(seconds: float) -> str:
    """Format a duration as 1:02:03 or 2:03."""
    hours, minutes = divmod(int(seconds) // 60, 60)
    return f"{hours}:{minutes:02}:{int(seconds) % 60:02}" if hours else f"{minutes}:{int(seconds) % 60:02}"
