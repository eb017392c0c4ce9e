"""A clock for tests, by which time passes with simulations and readings, whatever the machine does meanwhile."""

from collections.abc import Callable


class FakeClock:
    """Tells the time in seconds from 0: each simulation takes `pace` seconds, each reading `tick` seconds."""

    def __init__(self, pace: float = 0.0, tick: float = 0.0):
        self.pace, self.tick = pace, tick
        self.seconds = 0.0
        self.readings = 0
        self._count: Callable[[], int] = lambda: 0
        self._counted = 0
        self._due: list[tuple[float, Callable[[], object]]] = []

    def watch(self, count: Callable[[], int]) -> None:
        """Let time pass with a number of simulations, which may fall when a search begins another position."""
        self._count, self._counted = count, count()

    def at(self, seconds: float, action: Callable[[], object]) -> None:
        """Call `action` once, at the first reading from `seconds` on."""
        self._due.append((seconds, action))

    def __call__(self) -> float:
        count = self._count()
        self.seconds += self.tick + self.pace * max(0, count - self._counted)
        self._counted = count
        self.readings += 1
        ready = [due for due in self._due if due[0] <= self.seconds]
        self._due = [due for due in self._due if due[0] > self.seconds]
        for _, action in ready:
            action()
        return self.seconds
