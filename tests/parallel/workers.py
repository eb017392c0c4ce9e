"""Workers for the tests of backends, in a separate module because worker processes import them by name."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from tengen.errors import TengenError


class Counter:
    """Returns how often it was called, and in which process."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, task: Any) -> tuple[Any, int, int]:
        self.calls += 1
        time.sleep(0.01)
        return task, self.calls, os.getpid()


def process_of() -> Any:
    """Make a worker that returns its process id."""
    return _process


def _process(task: Any) -> int:
    return os.getpid()


class Mortal:
    """Dies at a task that is the path of a missing file, after creating it; at the task 'fatal', always."""

    def __call__(self, task: Any) -> Any:
        if isinstance(task, Path) and not task.exists():
            task.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if task == "fatal":
            os.kill(os.getpid(), signal.SIGKILL)
        if task == "mistake":
            raise TengenError("this cannot be done")
        if task == "bug":
            raise ZeroDivisionError
        return task


def unmakable() -> Counter:
    raise TengenError("there is no such worker")


def exiting_at_start() -> Counter:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


class Sleeper:
    """Writes its process id into a file, and sleeps."""

    def __call__(self, task: Path) -> None:
        task.write_text(str(os.getpid()))
        time.sleep(600)
