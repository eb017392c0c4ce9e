"""The limits of the server, and how much of each is in use."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from tengen.errors import TengenError
from tengen.interfaces.web import replies


class LimitReached(TengenError):
    """A limit of the server that a request would exceed."""


@dataclass(frozen=True, kw_only=True)
class ServerLimits:
    """Everything that is limited."""

    boards: int = 16
    """Boards open at the same time."""
    kept_boards: int = 1000
    """Boards kept in files."""
    simulations: int = 1_000_000
    """Simulations of one move, one analysis, or one position of a review."""
    seconds: float = 600.0
    """Seconds of the same."""
    tree_memory: int = 250
    """Megabytes of one tree."""
    all_trees: int = 2000
    """Megabytes of all trees."""
    message: int = 600_000
    """Bytes of one message; a record of 500,000 characters fits."""
    messages: float = 20.0
    """Messages per second of one connection, on average."""
    burst: int = 60
    """Messages of one connection at once."""
    refused: int = 200
    """Messages refused in a row before a connection is closed."""
    connections: int = 64
    """WebSockets at the same time."""

    def described(self) -> replies.Limits:
        return replies.Limits(
            boards=self.boards,
            simulations=self.simulations,
            seconds=self.seconds,
            memory=self.tree_memory,
            message=self.message,
            messages=self.messages,
            connections=self.connections,
        )


class MemoryBudget:
    """The memory of all trees."""

    def __init__(self, total: int):
        """`total` is in megabytes."""
        self.total, self.used = total, 0
        self._lock = threading.Lock()

    def take(self, amount: int) -> None:
        """Reserve megabytes for a tree. Raises LimitReached if too few are free."""
        with self._lock:
            if self.used + amount > self.total:
                raise LimitReached(
                    f"a tree of {amount} MB does not fit: {self.used} of the {self.total} MB for trees are in use; "
                    "close a board, or choose less memory"
                )
            self.used += amount

    def give_back(self, amount: int) -> None:
        with self._lock:
            self.used -= amount


class RateLimit:
    """A token bucket: `rate` messages per second on average, at most `burst` at once."""

    def __init__(self, rate: float, burst: int, now: Callable[[], float] = time.monotonic):
        self._rate, self._burst, self._now = rate, burst, now
        self._left, self._last = float(burst), now()

    def allows(self) -> bool:
        """Count a message; return whether it is within the limit."""
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._last) * self._rate)
        self._last = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
