"""Deferred interrupts, for code that must not be interrupted half-way, or in which the exception would be lost.

Python runs signal handlers in the main thread only, between two instructions of Python code. Where that code is called
by a library written in C, the KeyboardInterrupt that a handler raises may be dropped or replaced by another exception.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class _Recorder:
    """Replaces the handler of SIGINT and records the interrupts that arrive."""

    def __init__(self, handler: Callable[[int, FrameType | None], object]):
        self.handler = handler
        self._arrived: list[FrameType | None] = []

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self._arrived.append(frame)

    def deliver(self) -> None:
        """Call the handler for each interrupt that has arrived, until it raises."""
        while self._arrived:
            self.handler(signal.SIGINT, self._arrived.pop(0))


@contextmanager
def deferred_interrupts() -> Iterator[None]:
    """Hold back SIGINT until the end of the block, then call the handler that was installed before.

    Nested blocks have no further effect. Does nothing in threads other than the main one, and where SIGINT has no
    handler in Python. Takes about 5 microseconds.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
    elif isinstance(handler, _Recorder):
        yield
    else:
        recorder = _Recorder(handler)
        signal.signal(signal.SIGINT, recorder)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, handler)
            recorder.deliver()


def raise_deferred_interrupt() -> None:
    """Call the handler for interrupts deferred so far, at a place inside a block that may be interrupted."""
    handler = signal.getsignal(signal.SIGINT)
    if isinstance(handler, _Recorder) and threading.current_thread() is threading.main_thread():
        handler.deliver()
