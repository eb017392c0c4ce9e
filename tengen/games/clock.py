"""Time controls and clocks: the time that a side has for its moves.

    10m            absolute: ten minutes for all moves
    1m+5x10s       byo-yomi: then five periods of ten seconds; a period is used up only if a move exceeds it
    1m+25/300s     Canadian: then 25 moves in every 300 seconds
    1m+2s          Fischer: two seconds are added after every move

Times are in seconds unless a unit (ms, s, m, h) is given.

    >>> clock = Clock(TimeControl.parse("1m+2s"))
    >>> clock.spend(10.0), clock.main_left
    (True, 52.0)
    >>> clock.spend(53.0)
    False
"""

import math
import re
from dataclasses import dataclass, replace
from typing import Self

from tengen.errors import shortened
from tengen.games.errors import BadNotation

UNITS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
DURATION = r"(?:\d+(?:\.\d*)?|\.\d+)\s*(?:ms|s|m|h)?"
FORMS = re.compile(
    rf"(?P<main>{DURATION})\s*(?:\+\s*(?:(?P<periods>\d+)\s*x\s*(?P<byoyomi>{DURATION})"
    rf"|(?P<stones>\d+)\s*/\s*(?P<canadian>{DURATION})|(?P<increment>{DURATION})))?"
)
LONGEST = 1e7
"""Seconds: about four months."""


def _seconds(text: str) -> float:
    number = text.strip().rstrip("msh ")
    return float(number) * UNITS[text.strip()[len(number) :].strip()]


@dataclass(frozen=True)
class TimeControl:
    """The time of each side: a main time, and an overtime or increment."""

    main: float
    """Seconds before any overtime."""
    period: float = 0.0
    """Seconds in a period of overtime; 0 if there is none."""
    periods: int = 1
    """Byo-yomi: the number of periods."""
    stones: int = 1
    """Canadian: the number of moves in each period."""
    increment: float = 0.0
    """Fischer: seconds added after each move."""

    def __post_init__(self) -> None:
        times = (self.main, self.period, self.increment)
        if not all(math.isfinite(time) and 0 <= time <= LONGEST for time in times):
            raise BadNotation(f"times must be from 0 to {LONGEST:,.0f} seconds, not {times}")
        if self.periods < 1 or self.stones < 1:
            raise BadNotation("overtime must have at least one period, and at least one move per period")
        if self.main + self.period + self.increment == 0:
            raise BadNotation("a time control must have some time")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a time control. Raises BadNotation."""
        found = FORMS.fullmatch(text.strip().lower())
        if not found:
            raise BadNotation(
                f"{shortened(text)} is not a time control: write 10m, 1m+5x10s (byo-yomi), 1m+25/5m (Canadian) or "
                "1m+2s (Fischer)"
            )
        main = _seconds(found["main"])
        if found["byoyomi"]:
            return cls(main, period=_seconds(found["byoyomi"]), periods=int(found["periods"]))
        if found["canadian"]:
            return cls(main, period=_seconds(found["canadian"]), stones=int(found["stones"]))
        return cls(main, increment=_seconds(found["increment"]) if found["increment"] else 0.0)

    def __str__(self) -> str:
        if self.period:
            overtime = f"{self.stones}/{self.period:g}s" if self.stones > 1 else f"{self.periods}x{self.period:g}s"
            return f"{self.main:g}s+{overtime}"
        return f"{self.main:g}s" + (f"+{self.increment:g}s" if self.increment else "")


@dataclass
class Clock:
    """One side's clock in a game."""

    control: TimeControl
    main_left: float = math.nan
    periods_left: int = 0
    period_left: float = math.nan
    stones_left: int = 0

    def __post_init__(self) -> None:
        if math.isnan(self.main_left):
            self.main_left = self.control.main
            self._begin_overtime()

    def _begin_overtime(self) -> None:
        self.periods_left = self.control.periods
        self.period_left, self.stones_left = self.control.period, self.control.stones

    @property
    def in_overtime(self) -> bool:
        return self.main_left <= 0 and self.control.period > 0

    @property
    def most(self) -> float:
        """Seconds that the next move may take before the clock runs out."""
        overtime = self.period_left + (self.periods_left - 1) * self.control.period if self.control.period else 0.0
        return max(0.0, self.main_left) + overtime

    def spend(self, seconds: float) -> bool:
        """Charge the time of one move; return False if the time is up."""
        if seconds > self.most:
            self.main_left, self.period_left, self.periods_left = 0.0, 0.0, 1
            return False
        over = seconds - self.main_left
        begun = self.in_overtime or over > 0
        self.main_left = max(0.0, -over) + self.control.increment
        if self.control.period and begun:
            self._spend_overtime(over)
        return True

    def _spend_overtime(self, seconds: float) -> None:
        """Charge time to the overtime: byo-yomi restores the period in which a move ends, Canadian does not."""
        while seconds > self.period_left and self.periods_left > 1:
            seconds -= self.period_left
            self.periods_left -= 1
            self.period_left = self.control.period
        self.period_left -= seconds
        self.stones_left -= 1
        if self.stones_left == 0:
            self.period_left, self.stones_left = self.control.period, self.control.stones

    def set_left(self, seconds: float, stones: int = 0) -> None:
        """Set the remaining time as sent by a server: main time, or with `stones` > 0 the time of the period."""
        if stones > 0 and self.control.period:
            self.main_left, self.period_left = 0.0, seconds
            if self.control.stones > 1:
                self.stones_left = stones
            else:
                self.periods_left = stones
        else:
            self.main_left = seconds

    def copy(self) -> Self:
        return replace(self)
