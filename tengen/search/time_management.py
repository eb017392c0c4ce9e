"""Time management: the time for a move from the clock, extended while the best move is unclear, and early stops."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from tengen.games.clock import Clock
from tengen.games.game import Position

SLICE = 0.02
"""Seconds of simulations between two looks at the clock and at interrupts; with little time left, less."""
FIRST_SLICE = 16
"""Simulations before anything is known about their speed."""
LAG = 0.01
"""Seconds of the clock that are never planned with: what operating system, protocol and network may take of a move."""
OPEN_DECISION = 3.0
"""A decision that is open may take this many times as long as planned."""


class Deliberation(Protocol):
    """A search of a position, of whatever kind, that can take a longer or a shorter time."""

    seconds: float
    """Spent in simulations of this position."""

    def set_position(self, position: Position) -> None:
        """Make a position the one to think about."""

    def run(self, simulations: int) -> int:
        """Run so many simulations, fewer if no more are of use; return how many."""

    def is_open(self) -> bool:
        """Whether another move than the best one so far may turn out better."""

    def is_settled(self, simulations_left: float) -> bool:
        """Whether so many simulations more cannot change which move is best."""


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


def think(
    search: Deliberation, simulations: int, allowance: Allowance, stopped: Callable[[], bool] = lambda: False
) -> None:
    """Search the root for so many simulations or as long as allowed, whatever ends first.

    A search that is interrupted or stopped knows what it has seen so far.
    """
    began, done = time.perf_counter(), 0
    while done < simulations and not stopped():
        elapsed = time.perf_counter() - began
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
