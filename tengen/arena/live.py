"""Display of a run: progress, time left, standings and last games on a terminal; plain lines elsewhere."""

import time
from collections import deque
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from tengen.arena.limits import MOST_GAMES
from tengen.arena.match import PlayedGame
from tengen.arena.match_result import tally_of
from tengen.arena.plans import Pairing
from tengen.arena.runner import Run
from tengen.arena.scores import Tally
from tengen.arena.sprt import Sprt
from tengen.arena.tables import percent, signed, sprt_line, standings, standings_rows
from tengen.progress import clock_time, progress_console

LAST_GAMES = 6
PLAIN_SECONDS = 10.0
"""Seconds between two plain lines, so that a long run does not fill a log."""


class LiveView:
    """Shows a run on standard error, so that only results go to standard output."""

    def __init__(
        self,
        pairings: list[Pairing],
        tallies: Mapping[str, Tally],
        sprt: Sprt | None = None,
        anchors: Mapping[str, float] | None = None,
        console: Console | None = None,
    ):
        self.console = console or progress_console()
        self.sprt, self.anchors = sprt, anchors
        self._names = {pairing.name: (pairing.first.name, pairing.second.name) for pairing in pairings}
        self._tallies = {name: tallies.get(name, Tally()) for name in self._names}
        self._last: deque[PlayedGame] = deque(maxlen=LAST_GAMES)
        self._run = Run(0, 0)
        self._began = self._said = time.monotonic()
        columns = (TextColumn("games"), BarColumn(None), MofNCompleteColumn(), TimeElapsedColumn())
        self._progress = Progress(*columns, TextColumn("{task.fields[left]}"), console=self.console)
        self._bar = self._progress.add_task("games", total=None, left="")
        self._live = Live(console=self.console, refresh_per_second=4, get_renderable=self._screen, transient=True)

    def __enter__(self) -> Self:
        self._began = self._said = time.monotonic()
        if self.console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.console.is_terminal:
            self._live.stop()

    def __call__(self, run: Run, played: PlayedGame | None) -> None:
        """Update the display at the start of a run, and after a game or a failure."""
        self._run = run
        if played is not None:
            self._last.append(played)
            self._tallies[played.pairing] += tally_of(played, self._names[played.pairing][0])
        self._progress.update(self._bar, total=self._total(), completed=run.done, left=self._time_left())
        now = time.monotonic()
        if not self.console.is_terminal and (now - self._said >= PLAIN_SECONDS or (run.done == run.total and played)):
            self._said = now
            self.console.print(self._line(), highlight=False, soft_wrap=True)

    def _total(self) -> int | None:
        """The number of games to play, or None if only the test decides when to stop."""
        return None if self.sprt and self._run.total >= MOST_GAMES else self._run.total

    def _games_per_second(self) -> float:
        return self._run.played / max(1e-9, time.monotonic() - self._began)

    def _time_left(self) -> str:
        if not self._run.played:
            return ""
        if self._total() is None:
            return f"{self._games_per_second():.2f} per second"
        left = (self._run.total - self._run.done) / self._games_per_second()
        return f"{self._games_per_second():.2f} per second, {clock_time(left)} left"

    def _line(self) -> str:
        run = self._run
        games = f"{run.done} games" if self._total() is None else f"{run.done}/{run.total} games"
        parts = [games, self._time_left()]
        if len(self._tallies) == 1:
            [tally] = self._tallies.values()
            low, high = tally.interval()
            parts.append(f"win rate {percent(tally.rate)} ({percent(low)} to {percent(high)})")
        parts += [f"{len(run.failures)} failed"] if run.failures else []
        parts += [f"log-likelihood ratio {signed(run.ratio, 2)}"] if self.sprt else []
        return ", ".join(filter(None, parts))

    def _screen(self) -> Group:
        parts: list[Progress | Table | Text] = [self._progress]
        header, rows = standings_rows(standings(self._tallies, self._names, self.anchors))
        table = Table(box=None, pad_edge=False)
        for column in header:
            table.add_column(column, justify="left" if column == "player" else "right")
        for row in rows:
            table.add_row(*row)
        parts.append(table)
        if self.sprt:
            parts.append(Text(sprt_line(self.sprt, self._run.ratio, self._run.verdict).strip()))
        if self._run.failures:
            parts.append(Text(f"{len(self._run.failures)} failed, the last one: {self._run.failures[-1][1][-200:]}"))
        parts += [Text(line_of(played), style="dim") for played in reversed(self._last)]
        return Group(*parts)


def line_of(played: PlayedGame) -> str:
    """Return a game in one line."""
    how = f"by {abs(played.margin):g}" if played.margin is not None else f"({played.reason})"
    won = "draw" if played.winner == "draw" else f"{played.winner} wins {how}"
    return (
        f"#{played.number} {played.black} (b) v {played.white} (w): {won}, {played.moves} moves, {played.seconds:.1f} s"
    )
