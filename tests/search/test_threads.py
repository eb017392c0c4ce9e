"""Several threads on one tree: nothing is lost, nothing is torn, and the moves stay good."""

import os
import signal
import threading
from typing import Any

import numpy as np
import pytest

from tengen import Go, Othello, TengenError, jit
from tengen.jit import fetch_add, fetch_add_field, kernel
from tengen.players import parse_player, parse_search
from tengen.search.copies import LONGEST_LAG, PATIENCE, count_simulation, hand_in_all, requested_row
from tengen.search.saved import load_tree, save_tree
from tengen.search.search import RESERVED_ROWS, Search
from tengen.search.simulate import reserve, simulate
from tengen.search.tree import CLOSED, COPIES, NO_CHILD
from tests.search.tiny_games import best_moves, position_after


def check_invariants(search: Search) -> None:
    """Check the invariants of a tree with the mean backup while no search runs."""
    used = int(search.memory.used[0])
    tree = search.memory.tree[:used]  # the nodes, and a few rows that threads have reserved for later nodes
    is_open = tree["wins"] > CLOSED
    visits, wins = np.where(is_open, tree["visits"], 0), np.where(is_open, tree["wins"], 0)
    assert (visits.sum(axis=1, dtype=np.float64) == tree["total"]).all()
    assert ((wins >= 0) & (wins <= visits)).all()
    nodes, slots = np.nonzero(tree["child"] != NO_CHILD)
    children = tree["child"][nodes, slots]
    assert ((nodes < children) & (children < used)).all()
    assert is_open[nodes, slots].all()
    counted_at_once = search.config.expand == "episode" or search.config.new_node_visit
    first_visit = not counted_at_once  # it is made before the node exists, so the node does not count it
    assert (tree["total"][children] <= visits[nodes, slots] - first_visit).all()
    parents = np.bincount(children, minlength=used)[1:]
    assert (parents <= 1).all(), "every node was added once"
    assert (parents == 1).sum() + 1 == search.nodes, "no node was lost"
    assert used - search.nodes < search.config.threads * RESERVED_ROWS
    assert (tree["total"][1:][parents == 0] == 0).all(), "reserved rows are empty"
    assert tree["total"][0] == search.simulations


def check_rave_counts(search: Search) -> None:
    """Each visit also counts for RAVE, and a simulation counts at most once per move: m(s,a) <= n(s) + 1.

    Slot 0 is the pass, which has no RAVE value. At nodes with few visits, threads may overwrite each other's RAVE
    updates, so a small share may be missing.
    """
    tree = search.memory.tree[: search.memory.used[0]]
    played = np.where(tree["wins"] > CLOSED, tree["visits"], 0)[:, 1:]
    assert (tree["rave_visits"] <= tree["total"][:, np.newaxis] + 1).all()
    assert (tree["rave_wins"] >= 0).all()
    tolerance = 50 + 0.01 * played.sum()
    assert np.maximum(played - tree["rave_visits"][:, 1:], 0).sum() <= tolerance
    assert np.maximum(tree["rave_wins"] - tree["rave_visits"], 0).sum() <= tolerance


@pytest.mark.parametrize(
    ("player", "game", "simulations"),
    [
        ("mc-rave", Go(5, 0.5), 60_000),
        ("uct", Go(9), 30_000),
        ("uct:expand=episode", Othello(4), 3_000),
        ("mc-rave:new_node_visit=true", Go(5, 0.5), 30_000),
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
    """The second thread is blocked until the interrupt has arrived in the first."""
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


@pytest.mark.long
@pytest.mark.plain
def test_a_million_simulations_by_more_threads_than_cores_keep_the_tree_consistent():
    """Most useful with bounds checks; uncompiled, fewer simulations are run."""
    game = Go(5, 0.5)
    search = Search(parse_search(f"mc-rave:threads={2 + 2 * (os.cpu_count() or 1)},memory=100"), game)
    search.set_position(game.start())
    simulations = 1_000_000 if jit.COMPILED else 100
    for _ in range(10):
        search.run(simulations // 10)
        check_invariants(search)
        check_rave_counts(search)
    assert search.simulations == simulations
    assert search.is_full == jit.COMPILED


def test_a_tree_filled_by_threads_is_consistent():
    search = Search(parse_search("uct:threads=4,memory=1"), Go(9))
    search.set_position(Go(9).start())
    search.run(20_000)
    assert search.is_full
    assert int(search.memory.used[0]) == search.capacity
    check_invariants(search)


def test_a_subtree_reused_by_several_threads_is_consistent():
    game = Go(5, 0.5)
    search = Search(parse_search("mc-rave:threads=4,memory=50"), game)
    position = game.start()
    for move in ("c3", "c4", "b3"):
        search.set_position(position)
        search.run(5_000)
        check_invariants(search)
        position.play(move)
    search.set_position(position)
    assert 1 < search.nodes == int(search.memory.used[0])
    check_invariants(search)


def test_a_tree_of_several_threads_can_be_saved_and_loaded(tmp_path):
    game = Go(5, 0.5)
    search = Search(parse_search("mc-rave:threads=4,memory=20"), game)
    search.set_position(game.start())
    search.run(5_000)
    save_tree(search, tmp_path / "tree")
    loaded = load_tree(tmp_path / "tree")
    assert loaded.row().visits.tolist() == search.row().visits.tolist()
    loaded.run(5_000)
    assert loaded.row().total == 10_000


# --- Copies of nodes --------------------------------------------------------------------------------------------------

MANY_VISITS = 1_000_000.0
CORNER = Go(5, 0.5).parse_move("a1")


def in_threads(work, *arguments_of_each) -> None:
    """Call `work` in one thread for each tuple of arguments."""
    threads = [threading.Thread(target=work, args=arguments) for arguments in arguments_of_each]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def often_visited_root(threads: int) -> Search:
    """A search whose root has enough visits to be copied."""
    game = Go(5, 0.5)
    search = Search(parse_search(f"mc-rave:threads={threads},memory=5"), game)
    search.set_position(game.start())
    search.row().total = MANY_VISITS
    return search


@kernel
def visit_root(options, tree, work, times):
    """Count wins of CORNER, at the root or in a copy of it; return how often in a copy."""
    copied, slot = 0, CORNER
    for _ in range(times):
        row = requested_row(options, tree, work, np.int64(0))
        if row == 0:
            fetch_add(tree[0].visits, slot, np.float32(1.0))
            fetch_add(tree[0].wins, slot, np.float32(1.0))
            fetch_add(tree[0].rave_visits, slot, np.float32(1.0))
            fetch_add(tree[0].rave_wins, slot, np.float32(0.5))
            fetch_add_field(tree[0], "total", 1.0)
        else:
            tree[row].visits[slot] += np.float32(1.0)
            tree[row].wins[slot] += np.float32(1.0)
            tree[row].rave_visits[slot] += np.float32(1.0)
            tree[row].rave_wins[slot] += np.float32(0.5)
            tree[row].total += 1.0
            copied += 1
        count_simulation(options, tree, work, np.int64(0))
    return copied


@kernel
def end_run(tree, work):
    hand_in_all(tree, work)


@pytest.mark.plain
def test_no_visit_and_no_rave_value_is_lost_by_copies():
    search = often_visited_root(threads=8)
    options, memories = search.algorithm.options, [search.memory, *search._team]
    times = 1_000_000 if jit.COMPILED else 1_000
    visit_root(options, search.memory.tree, search.memory.work, 0)  # compiled before the threads start

    def work(memory):
        visit_root(options, memory.tree, memory.work, times)
        end_run(memory.tree, memory.work)

    in_threads(work, *((memory,) for memory in memories))
    row = search.row()
    assert row.visits[CORNER] == row.wins[CORNER] == 8 * times
    assert row.rave_visits[CORNER] == 2 * row.rave_wins[CORNER] == 8 * times
    assert row.total == MANY_VISITS + 8 * times


@pytest.mark.plain
def test_a_copy_is_exchanged_after_its_lag_and_not_before():
    search = often_visited_root(threads=2)
    options, tree, work = search.algorithm.options, search.memory.tree, search.memory.work
    assert visit_root(options, tree, work, PATIENCE + LONGEST_LAG - 2) == LONGEST_LAG - 1
    assert search.row().total == MANY_VISITS + PATIENCE - 1
    visit_root(options, tree, work, 1)
    assert search.row().total == MANY_VISITS + PATIENCE - 1 + LONGEST_LAG


@pytest.mark.plain
def test_an_exchange_adds_the_counts_of_other_threads():
    search = often_visited_root(threads=2)
    options, tree = search.algorithm.options, search.memory.tree
    first, second = search.memory.work, search._team[0].work
    for work in (first, second):
        visit_root(options, tree, work, PATIENCE + 10)
        assert work.copied[0] == 0
    before = tree[second.copies].total
    end_run(tree, first)
    assert tree[second.copies].total == before
    visit_root(options, tree, second, LONGEST_LAG - 11)
    assert tree[second.copies].total == search.row().total == MANY_VISITS + 2 * PATIENCE + 9 + LONGEST_LAG


@kernel
def request(options, tree, work, node):
    return requested_row(options, tree, work, node)


@pytest.mark.plain
def test_a_copy_is_replaced_only_after_consecutive_requests_for_another_node():
    search = often_visited_root(threads=2)
    options, tree, work = search.algorithm.options, search.memory.tree, search.memory.work
    rivals = np.int64(COPIES), np.int64(2 * COPIES)
    for node in rivals:
        tree[node] = tree[0]
    for _ in range(PATIENCE):
        row = request(options, tree, work, np.int64(0))
    assert row == work.copies
    for _ in range(3 * PATIENCE):
        assert [request(options, tree, work, node) for node in rivals] == list(rivals)
    for _ in range(PATIENCE - 1):
        assert request(options, tree, work, rivals[0]) == rivals[0]
    assert request(options, tree, work, rivals[0]) == work.copies
    assert work.copied[0] == rivals[0]


# --- Reserved rows ----------------------------------------------------------------------------------------------------


@kernel
def reserve_all(used, capacity, count, taken):
    """Reserve rows in blocks until none are left, and count how often each is reserved."""
    while True:
        first, end = reserve(used, capacity, count)
        if first == end:
            return
        for row in range(first, end):
            fetch_add(taken, row, 1)


@pytest.mark.plain
def test_each_row_is_reserved_once_and_the_counter_ends_at_the_capacity():
    used, taken = np.zeros(1, np.int64), np.zeros(100_003 if jit.COMPILED else 1_003, np.int64)
    reserve_all(used, np.int64(0), np.int64(16), taken)  # compiled before the threads start
    in_threads(reserve_all, *((used, np.int64(taken.size), np.int64(count), taken) for count in (16, 16, 1, 7)))
    assert (taken == 1).all()
    assert used[0] == taken.size


def test_superko_is_obeyed_and_loses_no_visit():
    game = Go(2, 0.5)
    search = Search(parse_search("uct:threads=4,memory=20"), game)
    search.set_position(game.start())
    search.run(20_000)
    check_invariants(search)


def searched_with_weights(backup: str) -> Search:
    game = Othello(4)
    search = Search(parse_search(f"uct:backup={backup},decay=0.999,threads=4,memory=50"), game)
    search.set_position(game.start())
    search.run(20_000)
    return search


@pytest.mark.parametrize("backup", ["accelerated", "discounted"])
def test_weighted_backups_keep_their_sums_with_threads(backup):
    row = searched_with_weights(backup).row()
    is_open = (row.wins > CLOSED) & (row.visits > 0)
    values = row.wins[is_open] / row.visits[is_open]
    assert ((values >= 0) & (values <= 1)).all()
    weights = row.visits[is_open].sum(dtype=np.float64) * row.scale
    assert weights == pytest.approx(row.total, rel=1e-4)


def test_the_accelerated_backup_keeps_its_sum_of_ratios_with_threads():
    search = searched_with_weights("accelerated")
    row = search.row()
    is_open = (row.wins > CLOSED) & (row.visits > 0)
    notes = search.memory.notes[0].moves[: row.visits.size][is_open]
    assert row.ratio_sum == pytest.approx(float((notes[:, 0] * notes[:, 1]).sum()), rel=1e-6)


def test_the_solver_proves_with_threads_what_it_proves_with_one():
    game = Othello(4)
    position = game.start()
    for move in position.legal_moves()[:1]:
        position.play(move)
    found = []
    for threads in (1, 4):
        player = parse_player(f"uct:solver=true,simulations=300000,threads={threads}").make_searcher(game)
        found.append(player.analyse(position).proof)
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
    player = parse_player("uct:simulations=1000000000,threads=2").make_searcher(game)
    answer: list[int] = []
    has_begun = threading.Event()

    def stopped() -> bool:
        """Return False, and notify the main thread when a slice of the search is over."""
        if player.search.seconds > 0.0:
            has_begun.set()
        return False

    thinking = threading.Thread(
        target=lambda: answer.append(player.choose_number(game.start(), stopped=stopped)), daemon=True
    )
    thinking.start()
    assert has_begun.wait(timeout=300)
    player.stop()
    thinking.join(timeout=300)
    assert not thinking.is_alive()
    assert game.start().is_legal(answer[0])


def test_discounting_the_whole_tree_needs_a_single_thread():
    with pytest.raises(TengenError, match="threads=1"):
        parse_player("discounted-uct:discount=tree,threads=2")


def test_rows_left_reserved_by_an_interrupted_search_are_not_cleared_in_the_next_tree():
    """An interrupt between two assignments leaves a range of reserved rows that begins at the root."""
    position = Go(5, komi=0.5).start()
    search = Search(parse_search("mc-rave:memory=2"), position.game)
    search.set_position(position)
    search.run(50)
    search.memory.work.reserved, search.memory.work.reserved_end = 0, 40
    search.forget()
    search.set_position(position)
    assert (search.row().wins > CLOSED).sum() == 26
    assert search.run(50) == 50
