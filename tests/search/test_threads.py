"""Several threads on one tree: nothing is lost, nothing is torn, and the moves stay good."""

import os
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest

from tengen import Go, Othello, TengenError, jit
from tengen.players import parse_player, parse_search
from tengen.search.search import Search
from tengen.search.simulate import simulate
from tengen.search.tree import CLOSED, NO_CHILD
from tests.search.tiny_games import best_moves, position_after


def check_invariants(search: Search) -> None:
    """All that must hold of a tree of the mean at rest."""
    used = int(search.memory.used[0])
    tree = search.memory.tree[:used]
    is_open = tree["wins"] > CLOSED
    visits, wins = np.where(is_open, tree["visits"], 0), np.where(is_open, tree["wins"], 0)
    assert (visits.sum(axis=1, dtype=np.float64) == tree["total"]).all()
    assert ((wins >= 0) & (wins <= visits)).all()
    nodes, slots = np.nonzero(tree["child"] != NO_CHILD)
    children = tree["child"][nodes, slots]
    assert ((nodes < children) & (children < used)).all()
    assert is_open[nodes, slots].all()
    first_visit = search.config.expand != "episode"  # is made before there is a node, so the node does not know of it
    assert (tree["total"][children] <= visits[nodes, slots] - first_visit).all()
    assert (np.bincount(children, minlength=used)[1:] == 1).all(), "every node was added once"
    assert tree["total"][0] == search.simulations


@pytest.mark.parametrize(
    ("player", "game", "simulations"),
    [
        ("mc-rave", Go(5, 0.5), 60_000),
        ("uct", Go(9), 30_000),
        ("uct:expand=episode", Othello(4), 3_000),
        ("uct:expand=threshold,expand_visits=3", Go(5, 0.5), 30_000),
    ],
    ids=str,
)
def test_more_threads_than_cores_lose_no_visit(player, game, simulations):
    search = Search(parse_search(player + ("," if ":" in player else ":") + "threads=8,memory=50"), game)
    search.set_position(game.start())
    for _ in range(5):
        search.run(simulations // 5)
    assert search.simulations == simulations
    check_invariants(search)


def test_an_interrupt_is_raised_when_all_threads_have_finished(monkeypatch):
    """The second thread is held up until the interrupt has arrived in the first."""
    game, arrived, finished = Go(5, 0.5), threading.Event(), []
    search = Search(parse_search("uct:threads=2,memory=20"), game)
    search.set_position(game.start())

    def simulate_slowly(algorithm: Any, memory: Any, count: int) -> None:
        if threading.current_thread() is threading.main_thread():
            signal.raise_signal(signal.SIGINT)
            arrived.set()
        else:
            assert arrived.wait(60)
        simulate(algorithm, memory, count)
        finished.append(threading.current_thread())

    monkeypatch.setattr("tengen.search.search.simulate", simulate_slowly)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            search.run(200)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(finished) == 2
    assert search.simulations == 200
    check_invariants(search)


@pytest.mark.plain
def test_a_million_simulations_by_more_threads_than_cores_keep_the_tree_whole():
    """Above all with bounds checks; uncompiled, a few have to do."""
    game = Go(5, 0.5)
    search = Search(parse_search(f"mc-rave:threads={2 + 2 * (os.cpu_count() or 1)},memory=100"), game)
    search.set_position(game.start())
    simulations = 1_000_000 if jit.COMPILED else 100
    for _ in range(10):
        search.run(simulations // 10)
        check_invariants(search)
    assert search.simulations == simulations
    assert search.is_full == jit.COMPILED


def test_a_tree_that_threads_have_filled_stays_whole():
    search = Search(parse_search("uct:threads=4,memory=1"), Go(9))
    search.set_position(Go(9).start())
    search.run(20_000)
    assert search.is_full
    assert int(search.memory.used[0]) == search.memory.tree.size
    check_invariants(search)


def test_superko_is_kept_and_takes_no_visit_with_it():
    game = Go(2, 0.5)
    search = Search(parse_search("uct:threads=4,memory=20"), game)
    search.set_position(game.start())
    search.run(20_000)
    check_invariants(search)


@pytest.mark.parametrize("backup", ["accelerated", "discounted"])
def test_weighted_backups_keep_their_sums_with_threads(backup):
    game = Othello(4)
    search = Search(parse_search(f"uct:backup={backup},decay=0.999,threads=4,memory=50"), game)
    search.set_position(game.start())
    search.run(20_000)
    row = search.row()
    is_open = (row.wins > CLOSED) & (row.visits > 0)
    values = row.wins[is_open] / row.visits[is_open]
    assert ((values >= 0) & (values <= 1)).all()
    weights = row.visits[is_open].sum(dtype=np.float64) * row.scale
    assert weights == pytest.approx(row.total, rel=1e-4)
    if backup == "accelerated":
        notes = search.memory.notes[0].moves[: row.visits.size][is_open]
        assert row.ratio_sum == pytest.approx(float((notes[:, 0] * notes[:, 1]).sum()), rel=1e-6)


def test_the_solver_proves_with_threads_what_it_proves_with_one():
    game = Othello(4)
    position = game.start()
    for move in position.legal_moves()[:1]:
        position.play(move)
    found = []
    for threads in (1, 4):
        player = parse_player(f"uct:solver=true,simulations=300000,threads={threads}").make(game)
        found.append(player.analyse(position).proof)  # type: ignore[attr-defined]
    assert found[0] is not None
    assert found[0] == found[1]


@pytest.mark.parametrize("player", ["uct:exploration=1", "uct-rave:exploration=0.5"])
@pytest.mark.parametrize("threads", [2, 4])
def test_several_threads_find_the_one_winning_reply(player, threads):
    game = Othello(4)
    (winning,) = best_moves(game, "b1")
    chosen = parse_player(f"{player},simulations=30000,threads={threads}").make(game).choose(position_after(game, "b1"))
    assert chosen == winning


def test_a_search_in_another_thread_can_be_stopped():
    game = Go(9)
    player = parse_player("uct:seconds=60,threads=2").make(game)
    answer: list[str] = []
    thinking = threading.Thread(target=lambda: answer.append(player.choose(game.start())))
    began = time.monotonic()
    thinking.start()
    while not player.search.simulations and time.monotonic() - began < 60:  # type: ignore[attr-defined]
        time.sleep(0.01)
    player.stop()  # type: ignore[attr-defined]
    thinking.join(timeout=30)
    assert answer
    assert game.start().is_legal(answer[0])
    assert time.monotonic() - began < 60


def test_discounting_the_whole_tree_is_for_one_thread():
    with pytest.raises(TengenError, match="threads=1"):
        parse_player("discounted-uct:discount=tree,threads=2")
