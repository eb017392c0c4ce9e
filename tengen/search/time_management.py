"""Time management: the time for a move from the clock, extended while the best move is unclear, and early stops."""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from tengen.games.clock import Clock
from tengen.games.game import Position
from tengen.search.move_statistics import MoveStatistics

SLICE = 0.02
"""Seconds of simulations between two looks at the clock and at interrupts; with little time left, less."""
FIRST_SLICE = 16
"""Simulations before anything is known about their speed."""
LAG = 0.01
"""Seconds of the clock that are never planned with: what operating system, protocol and network may take of a move."""
OPEN_DECISION = 3.0
"""A decision that is open may take this many times as long as planned."""


def never() -> bool:
    """Nobody wants a search to stop."""
    return False


class Deliberation(ABC):
    """A search of a position, of whatever kind, that can take a longer or a shorter time."""

    seconds: float
    """Spent in simulations of this position."""
    now: Callable[[], float]
    """Tells the time in seconds, by which `seconds` are counted."""

    @abstractmethod
    def set_position(self, position: Position) -> None:
        """Make a position the one to search."""

    @abstractmethod
    def run(self, simulations: int) -> int:
        """Run up to `simulations` simulations, fewer if no more are of use; return how many were run."""

    @abstractmethod
    def is_open(self) -> bool:
        """Whether another move than the best one so far may turn out better."""

    @abstractmethod
    def is_settled(self, simulations_left: float) -> bool:
        """Whether this many simulations more cannot change which move is best."""

    @abstractmethod
    def moves(self, untried: bool = True) -> list[MoveStatistics]:
        """The moves of the position, the one to play first; those that no simulation has tried may be left out."""

    @abstractmethod
    def values(self) -> dict[int, float]:
        """The values of the moves that were tried often enough to compare."""

    @abstractmethod
    def value(self) -> float | None:
        """The value of the position for the side to move; None before the first simulation."""

    def best_move(self) -> int:
        """The number of the move to play."""
        return self.moves(untried=False)[0].number

    def run_for(
        self, seconds: float, stopped: Callable[[], bool] = never, now: Callable[[], float] | None = None
    ) -> bool:
        """Search for a time, or until stopped; return False if there is nothing more to find out.

        `now` tells the time in seconds, by default as for the search itself.
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
    """Seconds for a move: what is planned, and what it may take at most. Without a limit, simulations alone count."""

    planned: float = math.inf
    limit: float = math.inf

    @property
    def is_limited(self) -> bool:
        return self.limit < math.inf


def allot(clock: Clock, moves_to_go: int, overhead: float = 0.0) -> Allowance:
    """What a move may take of a clock, if about so many are to come and each costs an overhead outside the search."""
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
    """Search the root for so many simulations or as long as allowed, whatever ends first.

    A search that is interrupted or stopped knows what it has seen so far. `now` tells the time in seconds.
    """
    began, done = now(), 0
    while done < simulations and not stopped():
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
        if ran == 0:  # solved, or the tree can count no more
            return
