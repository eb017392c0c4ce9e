"""The rows of `tengen bench`: the computation of rates from pieces of work."""

from pathlib import Path

import pytest

from tengen.benchmarks import gpu_rows, peers, rows
from tengen.games.catalogue import make_game
from tengen.games.othello.game import Othello
from tengen.plugins import game_of_plugin
from tests.test_plugins import registered  # noqa: F401 - a fixture


class Clock:
    """Wall-clock and CPU time that advance only when work is done."""

    def __init__(self) -> None:
        self.wall = self.cpu = 0.0
        self.timers = (lambda: self.wall, lambda: self.cpu)

    def work(self, pieces):
        """Return work whose pieces take these (wall, CPU) seconds in order; the last one is repeated."""
        left = list(pieces)

        def work(count):
            wall, cpu = left.pop(0) if len(left) > 1 else left[0]
            self.wall += wall
            self.cpu += cpu

        return work


@pytest.fixture
def clock():
    return Clock()


WARM_UP = [(1.0, 1.0)] * 2
"""The pieces that compile the work and measure its duration."""


def row_of(threads, work, beside):
    return rows.Row(
        "name",
        "units",
        lambda: work,
        peers.no_work,
        batch=100,
        threads=threads,
        beside=("other", lambda: beside),
    )


def test_one_thread_is_measured_by_its_best_pieces(clock):
    work = clock.work([*WARM_UP, (1.0, 0.5), (2.0, 0.25), (4.0, 4.0)])
    beside = clock.work([*WARM_UP, (4.0, 1.0)])
    found = rows.measure(row_of(1, work, beside), seconds=7.0, timers=clock.timers)
    assert (found.per_second, found.per_cpu_second) == (100.0, 400.0)
    assert found.ratio == 4.0


def test_threads_that_ran_alternately_do_not_count_as_efficient(clock):
    """The second piece had one CPU for two threads, so that they did not contend for cache lines."""
    work = clock.work([*WARM_UP, (1.0, 2.0), (1.5, 1.5)])
    beside = clock.work([*WARM_UP, (0.8, 1.6), (1.5, 1.5)])
    found = rows.measure(row_of(2, work, beside), seconds=4.0, timers=clock.timers)
    assert (found.per_second, found.per_cpu_second) == (100.0, 50.0)
    assert found.ratio == pytest.approx(0.8)


@pytest.mark.parametrize("player", ["mc-rave", "tengen"])
def test_the_efficiency_of_two_threads_is_measured_beside_separate_trees(player):
    (row,) = rows.matching(f"threads/go9/{player}/2")
    assert row.threads == 2
    assert row.beside is not None
    assert row.beside[0] == "separate"
    assert row.batch == 2 * rows.FRESH_TREE


def test_games_of_users_have_the_names_of_open_spiels_games():
    pytest.importorskip("pyspiel")
    examples = Path(__file__).parent.parent / "examples"
    connect_four, hexagons = (make_game(game_of_plugin(examples / f"{name}.py")) for name in ("connect_four", "hex"))
    assert peers.open_spiel_name(connect_four) == "connect_four"
    assert peers.open_spiel_name(hexagons) == "hex(board_size=11)"
    assert [row.name for row in rows.rows_of(hexagons)] == ["playouts/hex11/uniform", "search/hex11/uct"]
    with pytest.raises(peers.MissingPeer, match="OpenSpiel does not play"):
        peers.open_spiel_name(Othello(6))


# --- Rows of a GPU ----------------------------------------------------------------------------------------------------


class ManyUnits:
    """Work for many trees whose launches take these seconds in order; the last one is repeated."""

    def __init__(self, clock, at_once, launches, grows=False):
        self.at_once, self.units = at_once, at_once
        self._clock, self._left, self._grows = clock, list(launches), grows

    def prepare(self):
        self._clock.wall += 100.0

    def launch(self):
        self._clock.wall += self._left.pop(0) if len(self._left) > 1 else self._left[0]
        return self.units

    def grow(self):
        self.units *= 2 if self._grows else 1
        return self._grows


def test_the_fastest_launch_counts_without_its_preparation_and_the_number_of_trees_that_fit_is_told(clock):
    work = ManyUnits(clock, 60, [9.0, 2.0, 3.0, 1.5, 4.0])
    row = gpu_rows.GpuRow("name", "units", lambda trees, device: work)
    found = gpu_rows.measure(row, seconds=7.0, trees=100, clock=lambda: clock.wall)
    assert found.to_json() == {"name": "name", "unit": "units", "per_second": 40.0, "at_once": 60}


def test_playouts_are_doubled_until_a_launch_takes_long_enough(clock):
    work = ManyUnits(clock, 1, [9.0, 0.125, 0.25, 0.5], grows=True)
    row = gpu_rows.GpuRow("name", "units", lambda trees, device: work)
    assert gpu_rows.measure(row, seconds=1.0, clock=lambda: clock.wall).per_second == 4 / 0.5


def test_the_same_work_is_measured_on_the_cpu_only_if_that_is_wanted(clock):
    works = {"gpu": ManyUnits(clock, 100, [1.0]), "cpu": ManyUnits(clock, 4, [2.0])}
    row = gpu_rows.GpuRow("name", "units", lambda trees, device: works[device])
    found = gpu_rows.measure(row, seconds=2.0, with_cpu=True, clock=lambda: clock.wall)
    assert (found.per_second, found.cpu_per_second, found.ratio) == (100.0, 2.0, 50.0)


def test_the_rows_of_a_gpu_work_on_the_cpu_too(registered):  # noqa: F811
    """The kernels are the same on both."""
    game = make_game(game_of_plugin(Path(__file__).parent.parent / "examples" / "tic_tac_toe.py"))
    playouts, search = gpu_rows.gpu_rows_of(game)
    assert (playouts.name, search.name) == ("gpu/playouts/tic-tac-toe/uniform", "gpu/search/tic-tac-toe/uct")
    work = playouts.make(2, "cpu")
    assert (work.at_once, work.launch(), work.grow(), work.launch()) == (8, 8, True, 16)
    trees = search.make(2, "cpu")
    for _ in range(2):
        trees.prepare()
        assert (trees.at_once, trees.launch(), trees.grow()) == (2, 2 * gpu_rows.SIMULATIONS, False)
    assert [row.name for row in rows.matching("gpu/playouts/*", gpu_rows.GPU_ROWS)] == [
        "gpu/playouts/go9/uniform",
        "gpu/playouts/othello8/uniform",
    ]
