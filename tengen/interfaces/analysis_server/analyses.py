"""Analyses in the order of their priorities, several at a time, on the lanes of a scheduler."""

import heapq
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tengen.errors import TengenError
from tengen.interfaces.analysis_server.query import Query
from tengen.interfaces.analysis_server.reports import Report, without_results
from tengen.interfaces.scheduler import Lane, Scheduler
from tengen.players import PlayerSpec
from tengen.search.search_player import Limits, SearchingPlayer, SearchPlayer

Send = Callable[[dict[str, Any]], None]

LEAST_SEARCH = 4.0
"""Least search time between two reports, as a multiple of a report's own time."""


@dataclass(eq=False)
class Request:
    """The analysis of one turn of a query."""

    query: Query
    turn: int
    is_terminated: bool = field(default=False)

    @property
    def priority(self) -> int:
        return self.query.priorities[self.turn]


class Bench:
    """The player of one lane, kept from one position to the next."""

    def __init__(self, spec: PlayerSpec, send: Send, now: Callable[[], float]):
        self._spec, self._send, self._now = spec, send, now
        self._player: SearchingPlayer | None = None

    def analyse(self, request: Request) -> Iterator[None]:
        """Search and report in slices of a few milliseconds; the last response ends the analysis, whatever happens."""
        try:
            yield from self._search(request)
        except Exception as error:  # the client waits for a response, and the other analyses must go on
            self._player = None
            reason = str(error)
            if not isinstance(error, TengenError):
                traceback.print_exc()
                reason = f"internal error: {error!r}"
            self._send({"id": request.query.id, "turnNumber": request.turn, "error": reason})

    def _search(self, request: Request) -> Iterator[None]:
        query, now, began = request.query, self._now, self._now()
        position = query.position(request.turn)
        player = self._ready(query)
        player.search.set_position(position)
        if banned := query.banned(position):
            assert isinstance(player, SearchPlayer)
            player.search.ban(banned)
        report, due = Report(query, request.turn, player, position), began + query.first_report
        has_begun = False
        for _ in player.search_slices(position):
            if request.is_terminated or (has_begun and now() - began >= query.seconds):
                break
            if has_begun and (reported := now()) >= due:
                self._send(report.response(is_during_search=True))
                due = now() + max(query.report_every, LEAST_SEARCH * (now() - reported))
            has_begun = True
            yield
        if has_begun:
            self._send(report.response(is_during_search=False))
        else:
            self._send(without_results(query, request.turn))
        player.new_game(player.config.seed)  # frees the memory of the tree

    def _ready(self, query: Query) -> SearchingPlayer:
        """Return a player of the query's game without a tree, whose random numbers start anew."""
        if self._player is None or self._player.game != query.game:
            self._player = self._spec.make_searcher(query.game)
        self._player.now = self._player.search.now = self._now
        self._player.limits = Limits(simulations=query.visits)
        return self._player


class Analyses:
    """The analyses that wait or run."""

    def __init__(
        self,
        scheduler: Scheduler,
        spec: PlayerSpec,
        send: Send,
        *,
        lanes: int,
        now: Callable[[], float] = time.perf_counter,
    ):
        self._send = send
        self._changed = threading.Condition()
        self._idle = [(scheduler.lane(), Bench(spec, send, now)) for _ in range(lanes)]
        self._waiting: list[tuple[int, int, Request]] = []
        self._open: dict[Request, None] = {}
        self._count = 0

    @property
    def open_count(self) -> int:
        """The number of analyses that wait or run."""
        return len(self._open)

    def add(self, requests: Iterable[Request]) -> None:
        """Analyse positions: those of the highest priority first, and of equal ones the earliest."""
        with self._changed:
            for request in requests:
                self._count += 1
                heapq.heappush(self._waiting, (-request.priority, self._count, request))
                self._open[request] = None
            for lane, bench in self._idle[: len(self._waiting)]:
                lane.start(self._serve(lane, bench))
            del self._idle[: len(self._waiting)]

    def _serve(self, lane: Lane, bench: Bench) -> Iterator[None]:
        """Work through the analyses until none waits."""
        while (request := self._next(lane, bench)) is not None:
            yield from bench.analyse(request)
            self._close(request)
            yield

    def _next(self, lane: Lane, bench: Bench) -> Request | None:
        with self._changed:
            if self._waiting:
                return heapq.heappop(self._waiting)[2]
            self._idle.append((lane, bench))
            return None

    def _close(self, request: Request) -> None:
        with self._changed:
            self._open.pop(request, None)
            self._changed.notify_all()

    def terminate(self, matches: Callable[[Request], bool]) -> None:
        """End analyses early: running ones report what they have, waiting ones that there is nothing."""
        with self._changed:
            ended = [request for request in self._open if matches(request) and not request.is_terminated]
            for request in ended:
                request.is_terminated = True
            is_ended = set(ended)
            waiting = [entry[2] for entry in sorted(self._waiting, key=lambda entry: entry[:2]) if entry[2] in is_ended]
            self._waiting = [entry for entry in self._waiting if entry[2] not in is_ended]
            heapq.heapify(self._waiting)
        for request in waiting:
            self._send(without_results(request.query, request.turn))
            self._close(request)

    def wait(self, is_over: Callable[[], bool], pause: float = 0.1) -> None:
        """Wait until no analysis is open, or `is_over` returns True."""
        with self._changed:
            while self._open and not is_over():
                self._changed.wait(pause)
