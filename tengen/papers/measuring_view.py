"""Display of measurements in progress: a bar on a terminal, plain lines elsewhere."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tengen.progress import clock_time, progress_console

PLAIN_SECONDS = 10.0
"""Seconds between two plain lines."""


class MeasuringView:
    """Shows on standard error how many parts are measured, and the time left."""

    def __init__(self, console: Console | None = None, now: Callable[[], float] = time.monotonic):
        self._console, self._now = console or progress_console(), now
        columns = (TextColumn("parts measured"), BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=self._console, transient=True)
        self._task = self._progress.add_task("", total=None)
        self._first: tuple[float, int] | None = None
        self._said = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._console.is_terminal:
            self._progress.stop()

    def __call__(self, done: int, total: int) -> None:
        """Show the number of parts that are done."""
        if self._console.is_terminal:
            self._progress.update(self._task, completed=done, total=total)
            (self._progress.start if done < total else self._progress.stop)()
            return
        now = self._now()
        if self._first is None:
            self._first, self._said = (now, done), now
        elif now - self._said >= PLAIN_SECONDS or done == total:
            self._said = now
            began, before = self._first
            left = (total - done) * (now - began) / max(1, done - before)
            self._console.print(f"{done}/{total} parts measured, {clock_time(left)} left", highlight=False)
