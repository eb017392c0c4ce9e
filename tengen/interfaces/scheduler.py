"""A scheduler that shares a few worker threads fairly between boards or positions.

The work of a board, or of a position that is analysed, is a `Lane`: calls, which are done in their order, and jobs,
which are iterators whose every step is a slice of a few milliseconds. One thread at a time works for a lane, so that a
lane's code needs no locks. The lanes with work take turns, one call or one slice each.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any, TypeVar

from tengen.errors import TengenError
from tengen.jit import let_numbers_wrap

T = TypeVar("T")
_log = logging.getLogger(__name__)


class Stopped(TengenError):
    """Work for a scheduler that has ended."""


class Lane:
    """The work of one board or position."""

    def __init__(self, scheduler: "Scheduler"):
        self._scheduler = scheduler
        self._calls: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._jobs: deque[Iterator[Any]] = deque()
        self._is_waiting = False

    def call(self, work: Callable[[], T]) -> "Future[T]":
        """Do some work before the next slice of the lane's jobs; return the future of its result."""
        future: Future[T] = Future()
        with self._scheduler.changed:
            if self._scheduler.is_closed:
                future.set_exception(Stopped("the server is ending"))
                return future
            self._calls.append((work, future))
            self._scheduler.wake(self)
        return future

    def start(self, job: Iterator[Any]) -> None:
        """Run an iterator to its end, one step at a time. An exception ends it and is logged."""
        with self._scheduler.changed:
            if not self._scheduler.is_closed:
                self._jobs.append(job)
                self._scheduler.wake(self)

    def stop(self, job: Iterator[Any]) -> None:
        """Let a job do no further step. Only calls and jobs of the same lane may use this."""
        with self._scheduler.changed:
            self._jobs = deque(one for one in self._jobs if one is not job)

    @property
    def has_work(self) -> bool:
        return bool(self._calls or self._jobs)

    def take(self) -> Callable[[], None]:
        """Return the next unit of work; the scheduler calls this, with its lock."""
        if self._calls:
            work, future = self._calls.popleft()
            return lambda: _do(work, future)
        job = self._jobs[0]
        self._jobs.rotate(-1)
        return lambda: self._step(job)

    def _step(self, job: Iterator[Any]) -> None:
        try:
            next(job)
        except StopIteration:
            self.stop(job)
        except Exception:  # a job reports its own errors; anything else must not end the thread
            _log.exception("a job failed")
            self.stop(job)


def _do(work: Callable[[], T], future: "Future[T]") -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(work())
    except BaseException as error:  # belongs to the caller that waits for the result
        future.set_exception(error)


class Scheduler:
    """Worker threads, and the lanes that wait for one."""

    def __init__(self, workers: int):
        """Start `workers` threads; with 0, `run_next` does the work, as in tests."""
        self.changed = threading.Condition()
        self.is_closed = False
        self._waiting: deque[Lane] = deque()
        self._busy: set[Lane] = set()
        self._threads = [
            threading.Thread(target=self._work, name=f"tengen-lanes-{number}", daemon=True) for number in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def lane(self) -> Lane:
        return Lane(self)

    def wake(self, lane: Lane) -> None:
        """Put a lane that has work at the end of the queue; the caller has the lock."""
        if lane not in self._busy and lane not in self._waiting and lane.has_work:
            self._waiting.append(lane)
            self.changed.notify()

    def run_next(self) -> bool:
        """Do one unit of the work of the lane whose turn it is; return False if there is none."""
        with self.changed:
            if not self._waiting:
                return False
            lane, unit = self._take()
        self._run(lane, unit)
        return True

    def close(self) -> None:
        """End the threads after their present units; calls that wait fail."""
        with self.changed:
            self.is_closed = True
            for lane in self._waiting:
                for _, future in lane._calls:
                    future.cancel()
            self._waiting.clear()
            self.changed.notify_all()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(timeout=5.0)

    def _work(self) -> None:
        let_numbers_wrap()
        while True:
            with self.changed:
                while not self._waiting and not self.is_closed:
                    self.changed.wait()
                if self.is_closed:
                    return
                lane, unit = self._take()
            self._run(lane, unit)

    def _take(self) -> tuple[Lane, Callable[[], None]]:
        lane = self._waiting.popleft()
        self._busy.add(lane)
        return lane, lane.take()

    def _run(self, lane: Lane, unit: Callable[[], None]) -> None:
        unit()
        with self.changed:
            self._busy.discard(lane)
            if not self.is_closed:
                self.wake(lane)
