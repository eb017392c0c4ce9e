"""Standard input and output of programs that talk to a client in lines."""

import contextlib
import os
import select
import sys
from collections.abc import Callable, Iterator

READ_AT_ONCE = 65536
PAUSE = 0.25
"""Seconds without input after which `standard_input` yields None."""


def private_output(closed: type[Exception]) -> Callable[[str], None]:
    """Return a function that writes to standard output, and redirect all other output to standard error.

    The function raises `closed` when nobody reads the output any more.
    """
    sys.stdout.flush()
    private = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    def write(text: str) -> None:
        rest = text.encode(errors="backslashreplace")
        try:
            while rest:
                rest = rest[os.write(private, rest) :]
        except OSError:
            raise closed from None

    return write


def standard_input() -> Iterator[bytes | None]:
    """Yield bytes as they arrive, and None after PAUSE seconds without any.

    Python's buffered input is not used: the program could not exit while a thread waits in it.
    """
    with contextlib.suppress(OSError):
        while True:
            if sys.platform != "win32" and not select.select([0], [], [], PAUSE)[0]:
                yield None
            piece = os.read(0, READ_AT_ONCE)
            if not piece:
                return
            yield piece
