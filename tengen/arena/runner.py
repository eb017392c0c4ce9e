"""Playing of pairings into a store: stored games are not played again, and a decided SPRT ends the match."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tengen.arena.exports import write_lines
from tengen.arena.imports import add_lines
from tengen.arena.many_games import ManyGames
from tengen.arena.match import PlayedGame
from tengen.arena.plans import Pairing, Plan
from tengen.arena.sprt import Sprt, Verdict
from tengen.arena.store import Store
from tengen.arena.worker import GameWorker, prepare
from tengen.errors import TengenError
from tengen.parallel import Backend, Done
from tengen.progress import lossy_stderr


@dataclass
class Run:
    """The progress of a run."""

    total: int
    before: int
    """Games that were in the store at the start."""
    played: int = 0
    failures: list[tuple[Plan, str]] = field(default_factory=list)
    verdict: Verdict = Verdict.OPEN
    ratio: float = 0.0
    """The test's log-likelihood ratio."""

    @property
    def done(self) -> int:
        return self.before + self.played

    def is_decided(self) -> bool:
        """Whether there is a test and it is decided."""
        return self.verdict is not Verdict.OPEN


GamesBackend = Backend | ManyGames
"""What plays games: workers, each of which plays one game after the other, or a device that plays many at once."""

Watcher = Callable[[Run, PlayedGame | None], None]
"""Called before the first game and after each, with the game, or None if it failed."""


def ignore(run: Run, played: PlayedGame | None) -> None:
    """A watcher that does nothing."""


def start_and_run(
    pairings: list[Pairing],
    store: Store,
    start: Callable[[], AbstractContextManager[GamesBackend]],
    *,
    sprt: Sprt | None = None,
    view: AbstractContextManager[Watcher] | None = None,
) -> Run:
    """Start a backend and play pairings into a store, like `run_pairings`, with a view of the progress.

    Output of the backend goes to standard error, since only results go to standard output.
    """
    store.reserve()
    with redirect_stdout(lossy_stderr()), start() as backend, view or nullcontext(ignore) as watch:
        return run_pairings(pairings, store, backend, sprt, watch)


def run_pairings(
    pairings: list[Pairing],
    store: Store,
    backend: GamesBackend,
    sprt: Sprt | None = None,
    watch: Watcher = ignore,
) -> Run:
    """Play all games of the pairings that the store does not have.

    With a test, which applies to the first pairing, no more games are started once it is decided. Its verdict depends
    on the games in the order of their numbers, as if they had been played one after the other.
    """
    store.reserve()
    for pairing in pairings:
        store.add_pairing(pairing)
    there = {pairing.name: store.numbers(pairing.name) for pairing in pairings}
    before = sum(number < pairing.games for pairing in pairings for number in there[pairing.name])
    run = Run(total=sum(pairing.games for pairing in pairings), before=before)
    monitor = None if sprt is None else SprtMonitor(run, sprt, pairings[0])
    if monitor is not None:
        for number, points in store.points(pairings[0].name):
            monitor.observe(number, points)
    watch(run, None)
    if run.done == run.total or run.is_decided():
        return run
    for done in _played(pairings, backend, _missing(pairings, there)):
        if done.error:
            run.failures.append((done.task, done.error))
            watch(run, None)
            continue
        store.add(done.result)
        run.played += 1
        if monitor is not None:
            monitor.observe_game(done.result)
        watch(run, done.result)
        if run.is_decided():
            break
    return run


def _played(pairings: list[Pairing], backend: GamesBackend, plans: Iterator[Plan]) -> Iterator[Done]:
    """Play games on a backend and yield them as they end."""
    if isinstance(backend, ManyGames):
        return backend.play(plans)
    prepare(pairings)
    return backend.run(GameWorker, plans)


@contextmanager
def kept_in_lines(store: Store, path: Path | None) -> Iterator[None]:
    """Add the games of a file of JSON lines to a store; at the end, also after an error, write all games to the file.

    So a run whose lines are under version control can be continued in a fresh clone.
    """
    if path is None:
        yield
        return
    if os.path.exists(path):
        add_lines(store, path)
    try:
        yield
    except TengenError:
        with suppress(TengenError):  # the first error is the one to report
            write_lines(store, path)
        raise
    except BaseException:
        write_lines(store, path)
        raise
    write_lines(store, path)


def _missing(pairings: list[Pairing], there: dict[str, set[int]]) -> Iterator[Plan]:
    """Yield the missing games, pair by pair over all pairings, so that all pairings progress equally."""
    for pair in range(0, max(pairing.games for pairing in pairings), 2):
        for pairing in pairings:
            for number in range(pair, min(pair + 2, pairing.games)):
                if number not in there[pairing.name]:
                    yield pairing.plan(number)


class SprtMonitor:
    """Updates a sequential test after every game, or every pair with the same opening, in the order of game numbers.

    A game counts only when all games before it have ended; otherwise short games would be overrepresented.
    """

    def __init__(self, run: Run, sprt: Sprt, pairing: Pairing):
        self.run, self.sprt, self.pairing = run, sprt, pairing
        self.step = 2 if pairing.conditions.are_paired else 1
        self.counts = [0] * (2 * self.step + 1)
        self.next = 0
        self.waiting: dict[int, float] = {}

    def observe(self, number: int, points: float) -> None:
        """Count the first player's points of a game, and update the test if that completes a pair."""
        self.waiting[number] = points
        while self.run.verdict is Verdict.OPEN and all(self.next + more in self.waiting for more in range(self.step)):
            total = sum(self.waiting.pop(self.next + more) for more in range(self.step))
            self.counts[round(2 * total)] += 1
            self.next += self.step
            self.run.ratio = self.sprt.ratio(self.counts)
            self.run.verdict = self.sprt.judge(self.run.ratio)

    def observe_game(self, played: PlayedGame) -> None:
        if played.pairing == self.pairing.name:
            first = "black" if played.black == self.pairing.first.name else "white"
            self.observe(played.number, 0.5 if played.winner == "draw" else float(played.winner == first))
