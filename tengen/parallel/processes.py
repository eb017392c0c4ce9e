"""Worker processes on this machine.

They are spawned, not forked: forking a process with threads and compiled code is not safe, and a spawned one loads the
kernels that the parent compiled from the cache within a second. A worker ends when its parent ends or is killed.
"""

import contextlib
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import ModuleType, TracebackType
from typing import Any, Self

from tengen.errors import TengenError
from tengen.parallel import ATTEMPTS, Done, Worker, WorkerError
from tengen.plugins import load_plugin, loaded_plugins


@dataclass
class _WorkerSlot:
    """A worker process, its pipe, and its current task."""

    process: BaseProcess
    pipe: Connection
    task: Any = None
    attempts: int = 0
    busy: bool = False
    ready: bool = False


class Processes:
    """A backend of processes on this machine."""

    def __init__(self, workers: int, imports_main: bool = True):
        """`imports_main`: whether workers import the program's main module, as tasks with classes of it require.

        A script that starts workers is run again by each worker that imports it, unless it does so only under
        `if __name__ == "__main__":`.
        """
        if workers < 1:
            raise TengenError(f"workers must be >= 1, not {workers}")
        self.workers, self.imports_main = workers, imports_main
        self._context = multiprocessing.get_context("spawn")
        self._slots: list[_WorkerSlot] = []
        self._make: Callable[[], Worker] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def run(self, make: Callable[[], Worker], tasks: Iterable[Any], keep: bool = False) -> Iterator[Done]:
        """Do tasks and yield them as they complete."""
        waiting, again = iter(tasks), deque[tuple[Any, int]]()
        deaths, is_done = 0, False
        if make is not self._make:
            self._end()
        self._make = make
        try:
            self._slots = self._slots or [self._spawn(make) for _ in range(self.workers)]
            for slot in self._slots:
                _give(slot, waiting, again)
            while any(slot.busy for slot in self._slots):
                pipes = {slot.pipe: slot for slot in self._slots if slot.busy}
                for pipe in wait(list(pipes)):
                    slot = pipes[pipe]  # type: ignore[index]
                    try:
                        kind, value = slot.pipe.recv()
                    except (EOFError, OSError):
                        if not slot.ready:
                            deaths, slot.attempts = deaths + 1, slot.attempts - 1
                        if deaths == ATTEMPTS:
                            raise WorkerError("worker processes exit during start-up; see their output above") from None
                        done = _reap(slot, again)
                        self._slots[self._slots.index(slot)] = slot = self._spawn(make)
                        _give(slot, waiting, again)
                        if done is not None:
                            yield done
                        continue
                    if kind == "ready":
                        slot.ready, deaths = True, 0
                        continue
                    if kind == "unmade":
                        raise value if isinstance(value, TengenError) else WorkerError(value)
                    done = Done(slot.task, **{kind: value}, attempts=slot.attempts)
                    _give(slot, waiting, again)
                    yield done
                for slot in self._slots:  # a dead worker's task may go to an idle one
                    if not slot.busy and again:
                        _give(slot, waiting, again)
            is_done = True
        finally:
            if not (keep and is_done):
                self._end()

    def _spawn(self, make: Callable[[], Worker]) -> _WorkerSlot:
        ours, theirs = self._context.Pipe()
        arguments = (theirs, loaded_plugins(), pickle.dumps(make))
        process = self._context.Process(target=_work, args=arguments, daemon=True)
        with contextlib.nullcontext() if self.imports_main else _hidden_main():
            process.start()
        theirs.close()
        return _WorkerSlot(process, ours)

    def _end(self) -> None:
        """Close the pipes, upon which workers end; kill those that do not end within 2 seconds."""
        for slot in self._slots:
            slot.pipe.close()
        for slot in self._slots:
            slot.process.join(timeout=2.0)
            if slot.process.is_alive():
                slot.process.kill()
                slot.process.join()
        self._slots = []


@contextlib.contextmanager
def _hidden_main() -> Iterator[None]:
    """Let processes that are started meanwhile not import the main module, which multiprocessing finds by its name."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _give(slot: _WorkerSlot, waiting: Iterator[Any], again: deque[tuple[Any, int]]) -> None:
    """Give a worker the next task, if there is one; tasks of dead workers come first."""
    slot.busy = False
    if again:
        slot.task, slot.attempts = again.popleft()
    else:
        try:
            slot.task, slot.attempts = next(waiting), 0
        except StopIteration:
            return
    slot.attempts += 1
    slot.busy = True
    with contextlib.suppress(OSError):  # a dead worker is noticed when its pipe is read
        slot.pipe.send(slot.task)


def _reap(slot: _WorkerSlot, again: deque[tuple[Any, int]]) -> Done | None:
    """Clean up after a dead worker: queue its task again, or return it as failed after `ATTEMPTS` deaths."""
    slot.pipe.close()
    slot.process.join()
    if slot.attempts < ATTEMPTS:
        again.append((slot.task, slot.attempts))
        return None
    error = f"{slot.attempts} workers died during this task, the last with exit code {slot.process.exitcode}"
    return Done(slot.task, error=error, attempts=slot.attempts)


def _work(pipe: Connection, plugins: list[str], pickled_make: bytes) -> None:
    """Run a worker process. A separate thread reads the pipe, so that its end is noticed during a task."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles interrupts
    os.environ["TENGEN_QUIET"] = "1"  # and prints messages
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
    """Pass on tasks; when the parent is gone, end this process and everything the worker has started at once."""
    try:
        while True:
            tasks.put(pipe.recv())
    except (EOFError, OSError):
        if hasattr(worker, "kill"):
            worker.kill()
        os._exit(0)
