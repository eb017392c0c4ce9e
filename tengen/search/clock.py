"""How long to think: a share of the clock's time for a move, more of it where the decision is open, less where nothing
that is still to come could change it.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tengen.games.clock import Clock
from tengen.search.search import Search
from tengen.search.tree import CLOSED

SLICE = 0.02
"""Seconds of simulations between two looks at the clock and at interrupts; with little time left, less."""
FIRST_SLICE = 16
"""Simulations before anything is known about their speed."""
LAG = 0.01
"""Seconds of the clock that are never planned with: what operating system, protocol and network may take of a move."""
OPEN_DECISION = 3.0
"""A decision that is open may take this many times as long as planned."""
CONTESTED = 0.8
"""A decision is open if the runner-up has more than this share of the first move's visits."""


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


def think(search: Search, simulations: int, allowance: Allowance, stopped: Callable[[], bool] = lambda: False) -> None:
    """Search the root for so many simulations or as long as allowed, whatever ends first.

    A search that is interrupted or stopped leaves a tree that knows what it has seen so far.
    """
    began, done = time.perf_counter(), 0
    while done < simulations and not stopped():
        elapsed = time.perf_counter() - began
        if done and (elapsed >= allowance.limit or (elapsed >= allowance.planned and not is_open(search))):
            return
        speed = done / elapsed if done else 0.0
        if done and allowance.is_limited and is_settled(search, speed * (allowance.planned - elapsed)):
            return
        until = allowance.planned - elapsed if elapsed < allowance.planned else allowance.limit - elapsed
        count = int(speed * min(SLICE, until)) if done else FIRST_SLICE
        ran = search.run(min(max(1, count), simulations - done))
        done += ran
        if ran == 0:  # solved, or the tree can count no more
            return


def _two_most_visited(search: Search) -> tuple[int, float, float]:
    """The most visited move, its visits, and those of the next."""
    row = search.row()
    visits = np.where(row.wins > CLOSED, row.visits * row.scale, 0.0)
    best = int(visits.argmax())
    first, visits[best] = float(visits[best]), 0.0
    return best, first, float(visits.max())


def is_open(search: Search) -> bool:
    """Whether another move may turn out better: it has nearly as many visits, or more value than the most visited."""
    best, first, second = _two_most_visited(search)
    row = search.row()
    tried = (row.wins > CLOSED) & (row.visits * row.scale >= 0.1 * first) & (row.visits > 0)
    values = np.where(tried, row.wins / np.where(tried, row.visits, 1.0), -1.0)
    return second > CONTESTED * first or int(values.argmax()) != best


def is_settled(search: Search, simulations_left: float) -> bool:
    """Whether no move can overtake the most visited one any more, or there is only one."""
    if int((search.row().wins > CLOSED).sum()) <= 1:
        return True
    _, first, second = _two_most_visited(search)
    return search.config.final_move == "visits" and first - second > simulations_left >= 0.0
