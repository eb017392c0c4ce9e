"""The rows of `tengen bench`: each has a name and a function that does a number of units of work, also in a peer."""

import fnmatch
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from tengen.benchmarks import peers
from tengen.benchmarks.kernels import repeat_playouts
from tengen.games.game import Game
from tengen.games.go.game import Go
from tengen.games.havannah.game import Havannah
from tengen.games.othello.game import Othello
from tengen.learning.learner import Learner
from tengen.learning.selfplay import play_games
from tengen.learning.training_settings import TrainingSettings
from tengen.players import PolicyConfig, parse_search
from tengen.policies.go.shape_weights import shape_policy, weights_for
from tengen.rng import seeded
from tengen.search.search import Search

Work = Callable[[int], object]
"""A function that does a number of units of work."""
Timers = tuple[Callable[[], float], Callable[[], float]]
"""Wall-clock time and processor time, in seconds."""


@dataclass(frozen=True)
class Row:
    """One thing to measure."""

    name: str
    unit: str
    prepare: Callable[[], Work]
    peer_work: Callable[[str], Work]
    """The same work in a peer, by the peer's name."""
    batch: int = 1
    """The number of units is a multiple of this."""
    peer_batch: int = 1
    threads: int = 1
    beside: tuple[str, Callable[[], Work]] | None = None
    """Work that is always measured in alternation with this row; the ratio of work per CPU second is reported."""


@dataclass(frozen=True)
class Measurement:
    """A measured row: units of work per second of wall-clock time and of CPU time, and those of a peer."""

    name: str
    unit: str
    per_second: float
    per_cpu_second: float
    threads: int
    peer: str | None = None
    peer_per_second: float | None = None
    ratio: float | None = None

    def to_json(self) -> dict[str, object]:
        return {key: value for key, value in asdict(self).items() if value is not None}


GAMES: dict[str, Game] = {
    "go9": Go(9),
    "go13": Go(13),
    "go19": Go(19),
    "othello8": Othello(8),
    "havannah8": Havannah(8),
}


def playout_work(game: Game, policy: str = "uniform") -> Work:
    """Return work of playouts of a policy from the start of a game."""
    config = PolicyConfig(policy=policy)
    states = np.zeros(2, config.state_record(game))
    game.reset(states[0])
    record, rng = config.make_part("policy", game), seeded(config.seed)
    trace = np.zeros(game.longest_playout + 2, np.uint16)
    return lambda count: repeat_playouts(record, states, rng, trace, count)


def _playout_row(label: str, policy: str = "uniform", game: Game | None = None) -> Row:
    rules = game or GAMES[label]
    return Row(
        f"playouts/{label}/{policy}",
        "playouts",
        lambda: playout_work(rules, policy),
        lambda peer: peers.playout_work(peer, rules),
    )


FRESH_TREE = 20_000
"""Simulations in each fresh tree from the start of a game."""
PEER_TREE = 4_000


def search_work(player: str, game: Game) -> Work:
    """Return work of simulations in fresh trees."""
    search, start = Search(parse_search(player, game), game), game.start()

    def work(count: int) -> None:
        for _ in range(count // FRESH_TREE):
            search.forget()
            search.set_position(start)
            search.run(FRESH_TREE)

    return work


def _search_row(label: str, name: str, player: str, game: Game | None = None) -> Row:
    rules = game or GAMES[label]
    return Row(
        f"search/{label}/{name}",
        "simulations",
        lambda: search_work(player, rules),
        lambda peer: peers.search_work(peer, rules),
        batch=FRESH_TREE,
        peer_batch=PEER_TREE,
    )


def separate_trees_work(player: str, game: Game, threads: int) -> Work:
    """Return work of simulations by `threads` threads, each in its own fresh tree."""
    works = [search_work(f"{player}:seed={seed}", game) for seed in range(1, threads + 1)]
    pool = ThreadPoolExecutor(threads)
    return lambda count: list(pool.map(lambda work: work(count // threads), works))


def _threads_row(label: str, player: str, threads: int) -> Row:
    """Return the row of several threads on one tree, compared with as many threads on separate trees of the same size.

    The ratio is the efficiency of sharing a tree: both sides use the same number of processors and the same memory
    bandwidth, so only waiting for shared data and the cost of sharing it make a difference.
    """
    return replace(
        _search_row(label, player, f"{player}:threads={threads}"),
        name=f"threads/{label}/{player}/{threads}",
        threads=threads,
        batch=threads * FRESH_TREE,
        beside=("separate", lambda: separate_trees_work(player, GAMES[label], threads)),
    )


def self_play_work(game: Go, fused: bool) -> Work:
    """Return work of self-play games of the epsilon-greedy policy with the package's weights."""
    policy = shape_policy(weights_for("", game), epsilon=0.1, fused=fused)
    states = np.zeros(2, game.tactical_record)
    game.reset(states[0])
    rng, trace = seeded(1), np.zeros(game.longest_playout + 2, np.uint16)
    return lambda count: play_games(policy, states, rng, trace, count)


def learning_work(game: Go) -> Work:
    """Return work of self-play games with learning, starting from the package's weights."""
    learner = Learner(TrainingSettings(game.size), weights_for("", game))
    return learner.learn


def _rlgo_row(name: str, prepare: Callable[[], Work]) -> Row:
    """Return a row compared with uniform playouts: the cost of games whose moves maximise a learnt value."""
    return Row(name, "games", prepare, peers.no_work, beside=("uniform", lambda: playout_work(GAMES["go9"])))


ROWS = [
    *(_playout_row(label) for label in GAMES),
    _playout_row("go9", "mogo"),
    _playout_row("go19", "mogo"),
    _playout_row("go9", "urgency"),
    _playout_row("go19", "urgency"),
    _search_row("go9", "uct", "uct"),
    _search_row("go9", "mc-rave", "mc-rave"),
    _search_row("go9", "mc-rave-mogo", "mc-rave:policy=mogo,prior=mogo"),
    _search_row("go9", "tengen", "tengen"),
    _search_row("go9", "uct-accelerated", "uct:backup=accelerated"),
    _search_row("go9", "uct-discounted", "uct:backup=discounted"),
    _search_row("go19", "mc-rave", "mc-rave"),
    _search_row("go19", "tengen", "tengen"),
    _search_row("othello8", "uct", "uct"),
    _search_row("havannah8", "uct", "uct"),
    _rlgo_row("selfplay/go9/rlgo", lambda: self_play_work(Go(9), fused=False)),
    _rlgo_row("selfplay/go9/rlgo-fused", lambda: self_play_work(Go(9), fused=True)),
    _rlgo_row("learning/go9/td", lambda: learning_work(Go(9))),
    _threads_row("go9", "mc-rave", 2),
    _threads_row("go9", "tengen", 2),
]


def rows_of(game: Game) -> list[Row]:
    """Return the rows of a game that is not among those above, such as one of a plugin."""
    label = f"{game.name}{game.size_value or ''}"
    return [_playout_row(label, game=game), _search_row(label, "uct", "uct", game)]


def matching(pattern: str, rows: Sequence[Any] = ROWS) -> list[Any]:
    """Return the rows whose names match a shell pattern."""
    return [row for row in rows if fnmatch.fnmatchcase(row.name, pattern)]


@dataclass
class _Clocked:
    """Runs work in pieces of about 0.1 s and keeps the rate of the fastest piece, since other load only slows down.

    With several threads, the rate per CPU second is that of the piece with the best rate per second. On a busy machine
    the threads of other pieces have run alternately, without contention, which would hide its cost.
    """

    work: Work
    piece: int
    threads: int = 1
    timers: Timers = (time.perf_counter, time.process_time)
    per_second: float = 0.0
    per_cpu_second: float = 0.0

    def begin(self) -> None:
        """Compile, and determine the number of units per piece."""
        self.work(self.piece)
        while self.run() < 0.05:
            self.piece *= 2
        self.per_second = self.per_cpu_second = 0.0

    def run(self) -> float:
        """Do one piece and return the time it took."""
        wall_time, cpu_time = self.timers
        wall, cpu = wall_time(), cpu_time()
        self.work(self.piece)
        wall, cpu = wall_time() - wall, cpu_time() - cpu
        per_second, per_cpu_second = self.piece / wall, self.piece / max(cpu, 1e-9)
        if self.threads == 1:
            self.per_cpu_second = max(self.per_cpu_second, per_cpu_second)
        elif per_second > self.per_second:
            self.per_cpu_second = per_cpu_second
        self.per_second = max(self.per_second, per_second)
        return wall


def measure(
    row: Row,
    seconds: float,
    peer: str | None = None,
    timers: Timers = (time.perf_counter, time.process_time),
) -> Measurement:
    """Measure a row for `seconds` seconds; with a peer, alternating with the same work there, for as long again."""
    ours = _Clocked(row.prepare(), row.batch, row.threads, timers)
    theirs: _Clocked | None
    if row.beside:
        peer, theirs = row.beside[0], _Clocked(row.beside[1](), row.batch, row.threads, timers)
    else:
        batch = min(row.peer_batch, peers.PYTHON_TREE) if peer == peers.PYTHON else row.peer_batch
        theirs = _Clocked(row.peer_work(peer), batch, timers=timers) if peer else None
    for clocked in filter(None, (ours, theirs)):
        clocked.begin()
    spent = 0.0
    while spent < seconds:
        spent += ours.run()
        if theirs:
            theirs.run()
    ratio = None
    if theirs:
        ratio = ours.per_second / theirs.per_second
        if row.beside:
            ratio = ours.per_cpu_second / theirs.per_cpu_second
    return Measurement(
        name=row.name,
        unit=row.unit,
        per_second=ours.per_second,
        per_cpu_second=ours.per_cpu_second,
        threads=row.threads,
        peer=peer,
        peer_per_second=theirs.per_second if theirs else None,
        ratio=ratio,
    )
