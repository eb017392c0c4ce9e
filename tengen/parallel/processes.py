"""Worker processes on this machine.

They are spawned, not forked: a fork of a process with threads and compiled code is not safe, and a spawned one finds
its kernels in the cache, compiled by the parent, within a second. A worker ends with its parent, however that ended.
"""

import contextlib
import multiprocessing
import os
import pickle
import queue
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Self

from tengen.errors import TengenError
from tengen.parallel import ATTEMPTS, Done, Worker, WorkerError
from tengen.plugins import load_plugin, loaded_plugins


@dataclass
class _Seat:
    """A process, its pipe, and what it is doing."""

    process: BaseProcess
    pipe: Connection
    task: Any = None
    attempts: int = 0
    busy: bool = False
    ready: bool = False


class Processes:
    """A backend of processes on this machine."""

    def __init__(self, workers: int):
        if workers < 1:
            raise TengenError(f"there must be at least one worker, not {workers}")
        self.workers = workers
        self._context = multiprocessing.get_context("spawn")
        self._seats: list[_Seat] = []
        self._make: Callable[[], Worker] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def run(self, make: Callable[[], Worker], tasks: Iterable[Any], keep: bool = False) -> Iterator[Done]:
        """Do tasks in any order, as they complete."""
        waiting, again = iter(tasks), deque[tuple[Any, int]]()
        deaths, is_done = 0, False
        if make is not self._make:
            self._end()
        self._make = make
        try:
            self._seats = self._seats or [self._hire(make) for _ in range(self.workers)]
            for seat in self._seats:
                _give(seat, waiting, again)
            while any(seat.busy for seat in self._seats):
                pipes = {seat.pipe: seat for seat in self._seats if seat.busy}
                for pipe in wait(list(pipes)):
                    seat = pipes[pipe]  # type: ignore[index]
                    try:
                        kind, value = seat.pipe.recv()
                    except (EOFError, OSError):
                        if not seat.ready:
                            deaths, seat.attempts = deaths + 1, seat.attempts - 1
                        if deaths == ATTEMPTS:
                            raise WorkerError("workers end before they begin; their complaints stand above") from None
                        done = _bury(seat, again)
                        self._seats[self._seats.index(seat)] = seat = self._hire(make)
                        _give(seat, waiting, again)
                        if done is not None:
                            yield done
                        continue
                    if kind == "ready":
                        seat.ready, deaths = True, 0
                        continue
                    if kind == "unmade":
                        raise value if isinstance(value, TengenError) else WorkerError(value)
                    done = Done(seat.task, **{kind: value}, attempts=seat.attempts)
                    _give(seat, waiting, again)
                    yield done
                for seat in self._seats:  # a task that a death gave back may find somebody idle
                    if not seat.busy and again:
                        _give(seat, waiting, again)
            is_done = True
        finally:
            if not (keep and is_done):
                self._end()

    def _hire(self, make: Callable[[], Worker]) -> _Seat:
        ours, theirs = self._context.Pipe()
        arguments = (theirs, loaded_plugins(), pickle.dumps(make))
        process = self._context.Process(target=_work, args=arguments, daemon=True)
        process.start()
        theirs.close()
        return _Seat(process, ours)

    def _end(self) -> None:
        """Close the pipes, at which workers end; end those that do not."""
        for seat in self._seats:
            seat.pipe.close()
        for seat in self._seats:
            seat.process.join(timeout=2.0)
            if seat.process.is_alive():
                seat.process.kill()
                seat.process.join()
        self._seats = []


def _give(seat: _Seat, waiting: Iterator[Any], again: deque[tuple[Any, int]]) -> None:
    """Give a worker the next task, if there is one; those that died with another worker first."""
    seat.busy = False
    if again:
        seat.task, seat.attempts = again.popleft()
    else:
        try:
            seat.task, seat.attempts = next(waiting), 0
        except StopIteration:
            return
    seat.attempts += 1
    seat.busy = True
    with contextlib.suppress(OSError):  # if it has died, its pipe will say so
        seat.pipe.send(seat.task)


def _bury(seat: _Seat, again: deque[tuple[Any, int]]) -> Done | None:
    """Put a dead worker's task back, or give it up after too many deaths."""
    seat.pipe.close()
    seat.process.join()
    if seat.attempts < ATTEMPTS:
        again.append((seat.task, seat.attempts))
        return None
    error = f"{seat.attempts} workers died of it, the last with exit code {seat.process.exitcode}"
    return Done(seat.task, error=error, attempts=seat.attempts)


def _work(pipe: Connection, plugins: list[str], pickled_make: bytes) -> None:
    """A worker's life. A thread of its own reads the pipe, so that its end is noticed in the middle of a task."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the parent's to handle
    os.environ["TENGEN_QUIET"] = "1"  # and so are messages
    with contextlib.suppress(OSError):  # the parent is gone
        try:
            for plugin in plugins:  # before anything that may name their parts is unpickled
                load_plugin(plugin)
            worker = pickle.loads(pickled_make)()
        except TengenError as error:
            return pipe.send(("unmade", error))
        except Exception:
            return pipe.send(("unmade", traceback.format_exc()))
        pipe.send(("ready", None))
        tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(pipe, tasks, worker), daemon=True).start()
        while True:
            task = tasks.get()
            try:
                answer = ("result", worker(task))
            except TengenError as error:
                answer = ("error", str(error))
            except Exception:
                answer = ("error", traceback.format_exc())
            pipe.send(answer)


def _listen(pipe: Connection, tasks: "queue.SimpleQueue[Any]", worker: Worker) -> None:
    """Hand on tasks; when the parent is gone, end at once, and what the worker has started with it."""
    try:
        while True:
            tasks.put(pipe.recv())
    except (EOFError, OSError):
        if hasattr(worker, "kill"):
            worker.kill()
        os._exit(0)
