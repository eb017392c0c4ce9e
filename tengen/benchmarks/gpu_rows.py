"""The rows of `tengen bench --backend gpu`: playouts in many threads, and searches of many trees at once, on one GPU.

A launch does a fixed number of units of work in every thread or tree. Its time runs from the call to the end of the
work on the device; results are not read. The fastest launch counts, since other programs can only slow it down.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

import numpy as np

from tengen.benchmarks.batch_learning import batch_learning_work
from tengen.benchmarks.kernels import sum_uniform_results
from tengen.benchmarks.rows import GAMES
from tengen.games.catalogue import make_game
from tengen.games.game import Game
from tengen.jit.devices import DEVICES, open_device
from tengen.players import PolicyConfig, parse_search
from tengen.rng import seeded
from tengen.search.many import ManySearch

DEFAULT_TREES = 32_768
THREADS_PER_TREE = 4
"""Threads of the rows of playouts for each tree of the others: a playout needs less memory than a tree."""
SIMULATIONS = 1_000
"""Simulations in each fresh tree from the start of a game."""
BATCH = 1_024
"""Games of a batch in the row of learning, as by default in training: larger batches learn less from a game."""
LEAST_LAUNCH = 0.5
"""Seconds that a launch of playouts takes at least."""
TREES_OF_CPU = 16
"""Threads or trees with which the same work is measured on one thread of the CPU."""


class Work(Protocol):
    """Work for many threads or trees at once on a device."""

    at_once: int
    """The number of threads or trees."""

    def prepare(self) -> None:
        """Do what a launch needs; its time does not count."""

    def launch(self) -> int:
        """Do the work and wait for its end; return the number of units."""

    def grow(self) -> bool:
        """Double the work of a launch; return whether that is possible."""


class Playouts:
    """Uniform playouts from the start of a game, in threads with a random generator each."""

    def __init__(self, game: Game, threads: int, device: str):
        self.at_once, self._count, self._device = threads, 1, open_device(device)
        record = PolicyConfig(policy="uniform").compact_record(game)
        root = np.zeros(1, record)
        root[0] = game.start().state_as(record)
        traces = np.dtype(np.uint16)
        self._arrays = (
            self._device.copy_of(root),
            self._device.empty((threads, 1), record),
            self._device.copy_of(np.array([seeded(thread + 1) for thread in range(threads)])),
            self._device.empty((threads, game.longest_playout + 2), traces),
            self._device.empty((threads,), np.dtype(np.float64)),
        )

    def prepare(self) -> None:
        pass  # each launch begins with the state of the generators that the last one has left

    def launch(self) -> int:
        self._device.launch(sum_uniform_results, self.at_once, *self._arrays, self._count)
        self._device.wait()
        return self.at_once * self._count

    def grow(self) -> bool:
        self._count *= 2
        return True


class Trees:
    """Searches of the start of a game in fresh trees: as many as wanted, or as the device has memory for."""

    def __init__(self, player: str, game: Game, trees: int, device: str):
        config = parse_search(player, game).replaced(simulations=SIMULATIONS, reuse=False)
        self._many, self._start = ManySearch(config, game, trees, device), game.start()
        self.at_once = self._many.at_once
        for tree in range(self.at_once):
            self._many.reseed(tree, tree + 1)

    def prepare(self) -> None:
        for tree in range(self.at_once):
            self._many.forget(tree)
            self._many.set_position(tree, self._start)
        self._many.prepare(range(self.at_once))

    def launch(self) -> int:
        self._many.start(range(self.at_once), SIMULATIONS)
        self._many.finish(read=False)
        return self.at_once * SIMULATIONS

    def grow(self) -> bool:
        return False


class Learning:
    """Self-play games with learning, a batch of them at once, starting from the package's weights."""

    def __init__(self, size: int, device: str):
        self.at_once, self._batches = BATCH, 1
        self._learn = batch_learning_work(size, BATCH, device)

    def prepare(self) -> None:
        pass  # each launch goes on with the weights that the last one has left

    def launch(self) -> int:
        games = self.at_once * self._batches
        self._learn(games)
        return games

    def grow(self) -> bool:
        self._batches *= 2
        return True


@dataclass(frozen=True)
class GpuRow:
    """One thing to measure."""

    name: str
    unit: str
    make: Callable[[int, str], Work]
    """Return the work for a number of trees, on a device."""


@dataclass(frozen=True)
class GpuMeasurement:
    """A measured row: units of work per second of wall-clock time on a GPU, and on one thread of the CPU."""

    name: str
    unit: str
    per_second: float
    at_once: int
    """The number of trees, of games of a batch, or of threads of a row of playouts."""
    cpu_per_second: float | None = None
    ratio: float | None = None

    def to_json(self) -> dict[str, object]:
        return {key: value for key, value in asdict(self).items() if value is not None}


def _playout_row(label: str, game: Game) -> GpuRow:
    return GpuRow(
        f"gpu/playouts/{label}/uniform",
        "playouts",
        lambda trees, device: Playouts(game, THREADS_PER_TREE * trees, device),
    )


def _search_row(label: str, game: Game, name: str, player: str) -> GpuRow:
    return GpuRow(f"gpu/search/{label}/{name}", "simulations", lambda trees, device: Trees(player, game, trees, device))


GPU_ROWS = [
    _playout_row("go9", GAMES["go9"]),
    _playout_row("othello8", GAMES["othello8"]),
    _search_row("go9", GAMES["go9"], "uct", "uct"),
    _search_row("go9", GAMES["go9"], "mc-rave", "mc-rave"),
    _search_row("go9", GAMES["go9"], "mc-rave-mogo", "mc-rave:policy=mogo,prior=mogo"),
    _search_row("othello8", GAMES["othello8"], "uct", "uct"),
    _search_row("havannah4", make_game("havannah", 4), "uct", "uct"),
    GpuRow("gpu/learning/go9/td", "games", lambda trees, device: Learning(9, device)),
]


def gpu_rows_of(game: Game) -> list[GpuRow]:
    """Return the rows of a game that is not among those above, such as one of a plugin."""
    label = f"{game.name}{game.size_value or ''}"
    return [_playout_row(label, game), _search_row(label, game, "uct", "uct")]


@dataclass
class _Launches:
    """Launches of the same work, of which the fastest counts."""

    work: Work
    clock: Callable[[], float]
    per_second: float = field(default=0.0, init=False)

    def begin(self) -> None:
        """Compile, and determine the work of a launch."""
        self.run()
        while self.run() < LEAST_LAUNCH and self.work.grow():
            pass
        self.per_second = 0.0

    def run(self) -> float:
        """Launch the work and return the time it took."""
        self.work.prepare()
        started = self.clock()
        units = self.work.launch()
        seconds = self.clock() - started
        self.per_second = max(self.per_second, units / seconds)
        return seconds

    def run_for(self, seconds: float) -> None:
        spent = 0.0
        while spent < seconds:
            spent += self.run()


def measure(
    row: GpuRow,
    seconds: float,
    trees: int = DEFAULT_TREES,
    with_cpu: bool = False,
    devices: tuple[str, str] = (DEVICES[1], DEVICES[0]),
    clock: Callable[[], float] = time.perf_counter,
) -> GpuMeasurement:
    """Measure a row for `seconds` seconds; `with_cpu` then also on one thread of the CPU, for as long again."""
    ours = _Launches(row.make(trees, devices[0]), clock)
    ours.begin()
    ours.run_for(seconds)
    found: dict[str, Any] = {"at_once": ours.work.at_once, "per_second": ours.per_second}
    if with_cpu:
        theirs = _Launches(row.make(TREES_OF_CPU, devices[1]), clock)
        theirs.begin()
        theirs.run_for(seconds)
        found |= {"cpu_per_second": theirs.per_second, "ratio": ours.per_second / theirs.per_second}
    return GpuMeasurement(name=row.name, unit=row.unit, **found)
