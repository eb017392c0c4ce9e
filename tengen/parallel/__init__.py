"""Tasks on many cores or machines behind one interface.

A worker is made once in each process, by calling `make`, and then called with one task after another, so that its
engines, trees and compiled kernels are reused. Tasks are drawn only when workers become free, and results are returned
in the order of completion. If a worker dies, its task is given to another one.

    with start("processes", workers=2) as backend:
        for done in backend.run(make, tasks):
            ...
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from tengen.errors import TengenError, shortened

BACKENDS = ("processes", "ray")

ATTEMPTS = 3
"""A task during which this many workers died is reported as failed."""

Worker = Callable[[Any], Any]
"""A callable that does a task. Its method `kill`, if any, is called when the process must end during a task."""


class WorkerError(RuntimeError):
    """Worker processes cannot be started."""


@dataclass(frozen=True)
class Done:
    """A finished task: its result, or an error message."""

    task: Any
    result: Any = None
    error: str = ""
    attempts: int = 1


class Backend(Protocol):
    """Runs tasks in worker processes."""

    workers: int

    def run(self, make: Callable[[], Worker], tasks: Iterable[Any], keep: bool = False) -> Iterator[Done]:
        """Do tasks and yield them as they complete. Closing the iterator ends the workers and their tasks.

        With `keep`, the workers stay alive after the last task, for the next run with the same `make`.
        """


def start(name: str = "processes", workers: int = 0, address: str = "") -> AbstractContextManager[Backend]:
    """Return a backend: "processes" on this machine, or "ray" on the cluster at `address` or on this machine.

    `workers` = 0 means one worker per core.
    """
    if name == "processes":
        from tengen.parallel.processes import Processes

        if address:
            raise TengenError("the backend 'processes' runs on this machine: an address needs the backend 'ray'")
        return Processes(workers or cores())
    if name == "ray":
        try:
            from tengen.parallel.ray import Ray
        except ImportError:
            raise TengenError("Ray is not installed: pip install 'tengen[ray]'") from None
        return Ray(workers, address)
    raise TengenError(f"unknown backend {shortened(name)}; choose from: {', '.join(BACKENDS)}")


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
