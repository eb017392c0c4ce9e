"""Tasks in this process, one after the other: for small runs, for which starting workers would take longer."""

import traceback
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Self

from tengen.errors import TengenError
from tengen.parallel import Done, Worker


class InProcess:
    """A backend without worker processes. The worker is closed after each run."""

    workers = 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def run(self, make: Callable[[], Worker], tasks: Iterable[Any], keep: bool = False) -> Iterator[Done]:
        """Do tasks and yield them as they complete; a worker is made for each run, whatever `keep` is."""
        worker = make()
        try:
            for task in tasks:
                try:
                    done = Done(task, worker(task))
                except TengenError as error:
                    done = Done(task, error=str(error))
                except Exception:
                    done = Done(task, error=traceback.format_exc())
                yield done
        finally:
            if hasattr(worker, "close"):
                worker.close()
