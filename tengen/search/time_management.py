"""Time management: the time for a move from the clock, extended while the best move is unclear, and early stops."""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tengen.games.clock import Clock
from tengen.games.game import Position
from tengen.search.move_statistics import MoveStatistics

SLICE = 0.02
"""Seconds of simulations between two checks of the clock and of interrupts; less with little time left."""
FIRST_SLICE = 16
"""Number of simulations before their speed is known."""
LAG = 0.01
"""Seconds of the clock that are never used, for delays of the operating system, the protocol and the network."""
OPEN_DECISION = 3.0
"""Factor by which an open decision may exceed the planned time."""


def never() -> bool:
    """Return False: the default of `stopped`."""
    return False


class Deliberation(ABC):
    """A search of a position that can be run for any time: with a tree or by flat sampling."""

    seconds: float
    """Seconds spent in simulations of this position."""
    now: Callable[[], float]
    """Returns the time in seconds, for `seconds`."""

    @abstractmethod
    def set_position(self, position: Position) -> None:
        """Set the position to search."""

    @abstractmethod
    def run(self, simulations: int) -> int:
        """Run up to `simulations` simulations, fewer if more are useless; return how many were run."""

    @abstractmethod
    def is_open(self) -> bool:
        """Whether a move other than the best one so far may turn out better."""

    @abstractmethod
    def is_settled(self, simulations_left: float) -> bool:
        """Whether the simulations left cannot change the best move."""

    @abstractmethod
    def moves(self, untried: bool = True) -> list[MoveStatistics]:
        """Return the moves of the position, the one to play first; without `untried`, untried ones may be omitted."""

    @abstractmethod
    def values(self) -> dict[int, float]:
        """Return the values of the moves with enough visits to compare."""

    @abstractmethod
    def value(self) -> float | None:
        """The value of the position for the side to move; None before the first simulation."""

    def best_move(self) -> int:
        """Return the number of the move to play."""
        return self.moves(untried=False)[0].number

    def run_for(
        self, seconds: float, stopped: Callable[[], bool] = never, now: Callable[[], float] | None = None
    ) -> bool:
        """Search for `seconds` or until stopped; return False if the search is complete.

        `now` returns the time in seconds; default: the search's own.
        """
        now = now or self.now
        began, done = now(), 0
        while (elapsed := now() - began) < seconds:
            count = int(done / elapsed * min(SLICE, seconds - elapsed)) if done else FIRST_SLICE
            ran = self.run(max(1, count))
            done += ran
            if ran == 0:
                return False
            if stopped():
                break
        return True


@dataclass(frozen=True)
class Allowance:
    """The planned and the maximum seconds for a move; without a limit, only the number of simulations counts."""

    planned: float = math.inf
    limit: float = math.inf

    @property
    def is_limited(self) -> bool:
        return self.limit < math.inf


def allot(clock: Clock, moves_to_go: int, overhead: float = 0.0) -> Allowance:
    """Return the time for a move, if about `moves_to_go` follow and each has an overhead outside the search."""
    control, cost = clock.control, overhead + LAG / 10
    if clock.in_overtime:
        share = clock.period_left / clock.stones_left - LAG - overhead
        return Allowance(max(0.0, share), max(0.0, share))
    main = max(0.0, clock.main_left - LAG)
    later = control.period / control.stones if control.period else 0.0
    share = max(main / moves_to_go + control.increment, later) - cost
    most = main / 4 + control.increment if later == 0.0 else main / 4 + later - LAG
    limit = max(0.0, min(OPEN_DECISION * share, most - cost, clock.most - LAG - cost))
    return Allowance(min(max(0.0, share), limit), limit)


def search_within(
    search: Deliberation,
    simulations: int,
    allowance: Allowance,
    *,
    stopped: Callable[[], bool] = never,
    now: Callable[[], float] = time.perf_counter,
) -> None:
    """Search the root for `simulations` simulations or the allowed time, whichever ends first.

    An interrupted or stopped search keeps its results so far. `now` returns the time in seconds.
    """
    for _ in search_slices(search, simulations, allowance, now=now):
        if stopped():
            return


def search_slices(
    search: Deliberation, simulations: int, allowance: Allowance, *, now: Callable[[], float] = time.perf_counter
) -> Iterator[None]:
    """Search as `search_within`, and yield before each slice, so that the caller can stop or do other work between.

    Time that the caller takes between two slices counts.
    """
    began, done = now(), 0
    while done < simulations:
        yield
        elapsed = now() - began
        if done and (elapsed >= allowance.limit or (elapsed >= allowance.planned and not search.is_open())):
            return
        speed = done / elapsed if done else 0.0
        if done and allowance.is_limited and search.is_settled(speed * (allowance.planned - elapsed)):
            return
        until = allowance.planned - elapsed if elapsed < allowance.planned else allowance.limit - elapsed
        count = int(speed * min(SLICE, until)) if done else FIRST_SLICE
        ran = search.run(min(max(1, count), simulations - done))
        done += ran
        if ran == 0:  # solved, or the maximum number of simulations is reached
            return
