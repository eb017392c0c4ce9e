"""Workers on a Ray cluster of one or more machines: one actor per worker.

Tengen must be installed on every machine, and plugins must have the same path there. A cluster that is started here
listens on loopback only and requires a token (ray_security). If a worker or a machine dies, its task is given to a new
actor, on any machine with a free core.
"""

import logging
import os
import pickle
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

from tengen.errors import TengenError
from tengen.parallel import ATTEMPTS, Done, Worker, WorkerError, cores
from tengen.parallel.ray_security import end_private_cluster, start_private_cluster
from tengen.plugins import load_plugin, loaded_plugins


class _ActorBody:
    """A worker as a Ray actor. It is made at the first task, so that an error in making it is reported like others."""

    def __init__(self, plugins: list[str], pickled_make: bytes):
        os.environ["TENGEN_QUIET"] = "1"
        self.plugins, self.pickled_make = plugins, pickled_make
        self.worker: Worker | None = None

    def process_id(self) -> int:
        return os.getpid()

    def work(self, pickled_task: bytes) -> tuple[str, Any]:
        try:
            if self.worker is None:
                for plugin in self.plugins:  # before anything that may name their parts is unpickled
                    load_plugin(plugin)
                self.worker = pickle.loads(self.pickled_make)()
            return "result", self.worker(pickle.loads(pickled_task))
        except TengenError as error:
            return "error", str(error)
        except Exception:
            return "error", traceback.format_exc()


_Actor: Any = ray.remote(num_cpus=1, max_restarts=0)(_ActorBody)


@dataclass
class _WorkerSlot:
    """An actor and its current task."""

    actor: Any
    task: Any
    attempts: int


class Ray:
    """A backend of actors, on the cluster at `address`, or without one on a new cluster of this machine."""

    def __init__(self, workers: int = 0, address: str = ""):
        self.workers, self.address = workers, address
        self._actors: list[Any] = []
        self._working: dict[Any, _WorkerSlot] = {}
        self._starting: dict[Any, Any] = {}
        self._idle: list[Any] = []
        self._make: Callable[[], Worker] | None = None
        self._started = False

    def __enter__(self) -> Self:
        if not ray.is_initialized():
            options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
            try:
                if self.address:
                    ray.init(address=self.address, **options)
                else:
                    start_private_cluster(num_cpus=max(self.workers, cores()), **options)
            except TengenError:
                raise
            except (ConnectionError, RayError, ValueError, RuntimeError) as error:
                where = f"the Ray cluster at {self.address}" if self.address else "Ray"
                raise TengenError(f"{where} cannot be used: {error}") from None
            self._started = True
        self.workers = self.workers or int(ray.cluster_resources().get("CPU", 1))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
        if self._started and self.address:
            ray.shutdown()
        elif self._started:
            end_private_cluster()

    def run(self, make: Callable[[], Worker], tasks: Iterable[Any], keep: bool = False) -> Iterator[Done]:
        """Do tasks and yield them as they complete.

        An actor gets a task only once it runs: if no machine has a free core, it may wait for ever, and so would the
        task.
        """
        waiting, again = iter(tasks), deque[tuple[Any, int]]()
        deaths, is_done = 0, False
        if make is not self._make:
            self._end()
        self._make, idle = make, self._idle
        try:
            for _ in range(self.workers - len(idle) - len(self._starting)):
                self._spawn(make)
            while True:
                while idle and (given := _next(waiting, again)) is not None:
                    self._give(idle.pop(), *given)
                if not self._working and idle:
                    is_done = True
                    return
                [finished], _ = ray.wait([*self._working, *self._starting], num_returns=1)
                try:
                    answer = ray.get(finished)
                except RayActorError as error:
                    deaths += 1
                    if deaths > ATTEMPTS * self.workers:
                        raise WorkerError(f"no Ray worker stays alive: {error}") from None
                    slot = self._working.pop(finished, None)
                    self._starting.pop(finished, None)
                    self._spawn(make)
                    if slot is not None and slot.attempts < ATTEMPTS:
                        again.append((slot.task, slot.attempts))
                    elif slot is not None:
                        died = f"{slot.attempts} workers died during this task"
                        yield Done(slot.task, error=died, attempts=slot.attempts)
                    continue
                if finished in self._starting:
                    idle.append(self._starting.pop(finished))
                    continue
                deaths = 0
                slot = self._working.pop(finished)
                if (given := _next(waiting, again)) is not None:
                    self._give(slot.actor, *given)
                else:
                    idle.append(slot.actor)
                kind, value = answer
                yield Done(slot.task, **{kind: value}, attempts=slot.attempts)
        finally:
            if not (keep and is_done):
                self._end()

    def _spawn(self, make: Callable[[], Worker]) -> None:
        actor = _Actor.remote(loaded_plugins(), pickle.dumps(make))
        self._actors.append(actor)
        self._starting[actor.process_id.remote()] = actor

    def _give(self, actor: Any, task: Any, attempts: int) -> None:
        self._working[actor.work.remote(pickle.dumps(task))] = _WorkerSlot(actor, task, attempts + 1)

    def _end(self) -> None:
        for actor in self._actors:
            ray.kill(actor)
        self._actors, self._idle, self._working, self._starting = [], [], {}, {}


def _next(waiting: Iterator[Any], again: deque[tuple[Any, int]]) -> tuple[Any, int] | None:
    """Return the next task and how often it was tried, or None; tasks of dead workers come first."""
    if again:
        return again.popleft()
    try:
        return next(waiting), 0
    except StopIteration:
        return None
