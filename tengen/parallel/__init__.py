"""Many cores and machines behind one interface.

A worker is made once in each process, by calling `make`; it is then called with task after task, so that what it holds
(engines, trees, compiled kernels) stays warm. Tasks are drawn only as workers become free, and results come as they
complete. A worker that dies costs its task in progress, which another one gets.

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
"""Workers that may die of a task before it is given up."""

Worker = Callable[[Any], Any]
"""Does a task. If it has a method `kill`, that is called when its process must end in the middle of one."""


class WorkerError(RuntimeError):
    """Workers that cannot even be made."""


@dataclass(frozen=True)
class Done:
    """A task that is finished: its result, or what went wrong."""

    task: Any
    result: Any = None
    error: str = ""
    attempts: int = 1


class Backend(Protocol):
    """Where tasks are done."""

    workers: int

    def run(self, make: Callable[[], Worker], tasks: Iterable[Any], keep: bool = False) -> Iterator[Done]:
        """Do tasks in any order. Closing the iterator ends the workers, tasks in progress included.

        `keep` lets them stay when all tasks are done, for the next run with the same `make`.
        """


def start(name: str = "processes", workers: int = 0, address: str = "") -> AbstractContextManager[Backend]:
    """A backend by its name: processes on this machine, or Ray, on the cluster at an address or on this machine.

    Without a number, there is a worker for every core.
    """
    if name == "processes":
        from tengen.parallel.processes import Processes

        if address:
            raise TengenError("an address is for the backend ray: processes run on this machine")
        return Processes(workers or cores())
    if name == "ray":
        try:
            from tengen.parallel.ray import Ray
        except ImportError:
            raise TengenError("Ray is not installed: pip install 'tengen[ray]'") from None
        return Ray(workers, address)
    raise TengenError(f"there is no backend {shortened(name)}: there is {', '.join(BACKENDS)}")


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
