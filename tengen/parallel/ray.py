"""Workers on a Ray cluster, of this machine or of many: an actor each, which keeps its worker warm.

Tengen must be installed on every machine. A worker or a machine that dies costs its task in progress, which a new actor
gets, on whatever machine has room.
"""

import logging
import os
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import ray
from ray.exceptions import RayActorError, RayError

from tengen.games.game import GameError
from tengen.parallel import ATTEMPTS, Done, Worker, WorkerError, cores


class _ActorBody:
    """A worker behind Ray's interface. It is made at the first task, so that what goes wrong then is an answer too."""

    def __init__(self, make: Callable[[], Worker]):
        os.environ["TENGEN_QUIET"] = "1"
        self.make = make
        self.worker: Worker | None = None

    def process_id(self) -> int:
        return os.getpid()

    def work(self, task: Any) -> tuple[str, Any]:
        try:
            self.worker = self.worker or self.make()
            return "result", self.worker(task)
        except GameError as error:
            return "error", str(error)
        except Exception:
            return "error", traceback.format_exc()


_Actor: Any = ray.remote(num_cpus=1, max_restarts=0)(_ActorBody)


@dataclass
class _Seat:
    """An actor, and what it is doing."""

    actor: Any
    task: Any
    attempts: int


class Ray:
    """A backend of actors: on the cluster at an address, or on one of this machine that ends with it."""

    def __init__(self, workers: int = 0, address: str = ""):
        self.workers, self.address = workers, address
        self._actors: list[Any] = []
        self._started = False

    def __enter__(self) -> Self:
        if not ray.is_initialized():
            options: dict[str, Any] = {"address": self.address} if self.address else {
                "num_cpus": max(self.workers, cores()), "include_dashboard": False,
            }  # fmt: skip
            try:
                ray.init(log_to_driver=False, logging_level=logging.ERROR, **options)
            except (ConnectionError, RayError, ValueError, RuntimeError) as error:
                where = f"the Ray cluster at {self.address}" if self.address else "Ray"
                raise GameError(f"{where} cannot be used: {error}") from None
            self._started = True
        self.workers = self.workers or int(ray.cluster_resources().get("CPU", 1))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
        if self._started:
            ray.shutdown()

    @property
    def process_ids(self) -> list[int]:
        """The workers that are running, by their numbers on their own machines."""
        return list(ray.get([actor.process_id.remote() for actor in self._actors]))

    def run(self, make: Callable[[], Worker], tasks: Iterable[Any]) -> Iterator[Done]:
        """Do tasks in any order, as they complete."""
        waiting, again = iter(tasks), deque[tuple[Any, int]]()
        busy: dict[Any, _Seat] = {}
        in_a_row = 0
        try:
            self._actors = [_Actor.remote(make) for _ in range(self.workers)]
            idle = list(self._actors)
            while True:
                while idle and (given := _next(waiting, again)) is not None:
                    actor = idle.pop()
                    busy[actor.work.remote(given[0])] = _Seat(actor, given[0], given[1] + 1)
                if not busy:
                    return
                [finished], _ = ray.wait(list(busy), num_returns=1)
                seat = busy.pop(finished)
                try:
                    kind, value = ray.get(finished)
                except RayActorError as error:
                    in_a_row += 1
                    if in_a_row > ATTEMPTS * self.workers:
                        raise WorkerError(f"no Ray worker stays alive: {error}") from None
                    self._actors.remove(seat.actor)
                    self._actors.append(_Actor.remote(make))
                    idle.append(self._actors[-1])
                    if seat.attempts < ATTEMPTS:
                        again.append((seat.task, seat.attempts))
                    else:
                        yield Done(seat.task, error=f"{seat.attempts} workers died of it", attempts=seat.attempts)
                    continue
                in_a_row = 0
                if (given := _next(waiting, again)) is not None:
                    busy[seat.actor.work.remote(given[0])] = _Seat(seat.actor, given[0], given[1] + 1)
                else:
                    idle.append(seat.actor)
                yield Done(seat.task, **{kind: value}, attempts=seat.attempts)
        finally:
            self._end()

    def _end(self) -> None:
        for actor in self._actors:
            ray.kill(actor)
        self._actors = []


def _next(waiting: Iterator[Any], again: deque[tuple[Any, int]]) -> tuple[Any, int] | None:
    """The next task and how often it was tried; those that died with another worker first."""
    if again:
        return again.popleft()
    try:
        return next(waiting), 0
    except StopIteration:
        return None
