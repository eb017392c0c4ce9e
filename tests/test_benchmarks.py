"""The rows of `tengen bench`: how pieces of work become figures."""

from pathlib import Path

import pytest

from tengen.benchmarks import peers, rows
from tengen.games.catalogue import make_game
from tengen.games.othello.game import Othello
from tengen.plugins import game_of_plugin
from tests.test_plugins import registered  # noqa: F401 - a fixture


class Clock:
    """Wall-clock and processor time that only move when work is done."""

    def __init__(self) -> None:
        self.wall = self.cpu = 0.0
        self.timers = (lambda: self.wall, lambda: self.cpu)

    def work(self, pieces):
        """Work whose pieces take these (wall, processor) seconds in turn; the last one again and again."""
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
"""The pieces that compile the work and find out how long it takes."""


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


def test_threads_that_ran_in_turns_do_not_count_as_efficient(clock):
    """The second piece had one processor for two threads, so that they did not contend for cache lines."""
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
