"""The backups' formulas, against arithmetic by hand and against each other."""

import math

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen import Go, TengenError
from tengen.games.interface import outcome
from tengen.jit import record_of
from tengen.players import parse_player
from tengen.search.backup import ACCELERATED, DISCOUNTED, FULL_MEMORY, HEAVIEST, MEAN, RATIO, update
from tengen.search.config import SearchConfig
from tengen.search.search import Search
from tengen.search.simulate import add_node, simulate


def fresh(game, **settings):
    search = Search(SearchConfig(memory=20, **settings), game)
    search.set_position(game.start())
    return search


def with_decay(search, decay):
    """The search's backup with another decay; 1, too."""
    if search.config.backup == "accelerated":
        return record_of(ACCELERATED, fixed_decay=decay)
    return record_of(DISCOUNTED, decay=decay, whole_tree=search.config.discount == "tree")


@pytest.mark.plain
def test_the_mean_is_the_sum_of_results_over_visits():
    search = fresh(TicTacToe())
    for result in (1.0, 0.5, 0.0, 1.0):
        update(search.algorithm.backup, search.memory, 0, 4, result)
    row = search.row()
    assert (row.visits[4], row.wins[4], row.total) == (4, 2.5, 4)


@pytest.mark.plain
def test_the_virtual_child_counts_the_playouts_before_a_node_had_children():
    """Figure 2 of Hashimoto et al.: two of three playouts at a were won; then d wins, e loses: 3/5 with lambda = 1."""
    search = fresh(TicTacToe(), backup="accelerated")
    memory, backup = search.memory, record_of(ACCELERATED, fixed_decay=1.0)
    move_a, move_d, move_e = 0, 1, 2
    for result in (1.0, 1.0):
        update(backup, memory, 0, move_a, result)
    add_node(search.algorithm.prior, search.algorithm.options, memory, 0, move_a, memory.states[0], np.uint64(0))
    node_a = 1
    update(backup, memory, 0, move_a, 0.0)
    assert memory.notes[0].moves[move_a, RATIO] == pytest.approx(2 / 3, abs=1e-12)
    for move, result in ((move_d, 1.0), (move_e, 0.0)):  # as the root's player sees it
        update(backup, memory, node_a, move, 1.0 - result)
        update(backup, memory, 0, move_a, result)
    assert memory.notes[0].moves[move_a, RATIO] == pytest.approx(3 / 5, abs=1e-12)
    assert search.row().wins[move_a] / search.row().visits[move_a] == pytest.approx(3 / 5, abs=1e-6)


@pytest.mark.plain
def test_recent_visits_weigh_more_in_the_accelerated_ratio():
    """Lambda = 1/2 at node a: virtual child 1 (ratio of the first playout: 0), then d, e, d.

    Velocities: a' 1/8, d 1/4 + 1, e 1/2; ratios for a's player: a' 1, d 0.75 (won once, then half), e 0.
    """
    search = fresh(TicTacToe(), backup="accelerated")
    memory, backup = search.memory, record_of(ACCELERATED, fixed_decay=0.5)
    add_node(search.algorithm.prior, search.algorithm.options, memory, 0, 0, memory.states[0], np.uint64(0))
    update(backup, memory, 0, 0, 0.0)
    for move, result in ((1, 1.0), (2, 0.0), (1, 0.5)):
        update(backup, memory, 1, move, result)
        update(backup, memory, 0, 0, 1.0 - result)
    expected = (1 / 8 * 1.0 + 5 / 4 * 0.75 + 1 / 2 * 0.0) / (1 / 8 + 5 / 4 + 1 / 2)
    assert memory.notes[0].moves[0, RATIO] == pytest.approx(1 - expected, abs=1e-12)


@pytest.mark.plain
def test_the_virtual_child_is_older_than_a_visit_counted_when_the_node_is_added():
    """With new_node_visit, lambda = 1/2: two playouts at a (velocity 1/4 + 1/2, ratio 1/2), then d and e (lost)."""
    search = fresh(TicTacToe(), backup="accelerated")
    memory, backup = search.memory, record_of(ACCELERATED, fixed_decay=0.5)
    for result in (1.0, 0.0):
        update(backup, memory, 0, 0, result)
    add_node(search.algorithm.prior, search.algorithm.options, memory, 0, 0, memory.states[0], np.uint64(0))
    expected = [(3 / 4 * 1 / 2 + 1) / (3 / 4 + 1), (3 / 8 * 1 / 2 + 1 / 2) / (3 / 8 + 1 / 2 + 1)]
    for move, result, ratio in zip((1, 2), (1.0, 0.0), expected, strict=True):
        update(backup, memory, 1, move, result)
        update(backup, memory, 0, 0, 1.0 - result)
        assert memory.notes[0].moves[0, RATIO] == pytest.approx(1 - ratio, abs=1e-12)


@pytest.mark.plain
def test_velocities_are_rescaled_before_they_overflow():
    """Each visit has 1 / lambda times the weight of the one before: 2 ** 400 is beyond the limit; ratios are kept."""
    search = fresh(TicTacToe(), backup="accelerated")
    memory, backup = search.memory, record_of(ACCELERATED, fixed_decay=0.5)
    for turn in range(400):
        update(backup, memory, 0, turn % 2, float(turn % 2))
    row = search.row()
    assert np.isfinite(row.weight_sum)
    assert row.newest < 1e100
    assert row.ratio_sum / row.weight_sum == pytest.approx(2 / 3, abs=1e-9)  # 1 + 1/4 + 1/16 ... against 1/2 + 1/8


@pytest.mark.plain
def test_discounted_visits_and_ratios_follow_their_equations():
    search = fresh(TicTacToe(), backup="discounted")
    memory, backup = search.memory, with_decay(search, 0.5)
    visits, wins = np.zeros(9), np.zeros(9)
    for move, result in ((0, 1.0), (1, 0.0), (0, 0.0), (2, 0.5), (0, 1.0)):
        update(backup, memory, 0, move, result)
        visits, wins = 0.5 * visits, 0.5 * wins
        visits[move] += 1
        wins[move] += result
        row = search.row()
        np.testing.assert_allclose(row.visits[:9] * row.scale, visits, rtol=1e-6)
        np.testing.assert_allclose(row.wins[:9] * row.scale, wins, rtol=1e-6)
        assert row.total == pytest.approx(visits.sum(), rel=1e-12)


@pytest.mark.plain
def test_discounting_is_rescaled_before_it_underflows():
    search = fresh(TicTacToe(), backup="discounted")
    backup = with_decay(search, 0.5)
    for turn in range(300):
        update(backup, search.memory, 0, turn % 2, float(turn % 2))
    row = search.row()
    assert row.scale > 1e-31
    assert row.visits[1] * row.scale == pytest.approx(4 / 3, rel=1e-6)
    assert row.total == pytest.approx(2.0, rel=1e-9)


def test_with_whole_tree_a_node_is_discounted_for_simulations_elsewhere():
    """After other branches were searched, a node that is visited again has been discounted for all simulations."""
    search = fresh(TicTacToe(), backup="discounted", discount="tree", decay=0.99)
    search.run(2000)
    row = search.row()
    assert row.total == pytest.approx((1 - 0.99**2000) / (1 - 0.99), rel=1e-6)
    for slot in range(9):
        child = int(row.child[slot])
        seen = search.row(child).newest
        assert search.row(child).total * 0.99 ** (2000 - seen) <= row.visits[slot] * row.scale + 1e-3


def recorded_simulations(game, count):
    """Paths, results and new nodes of a plain UCT search."""
    search = fresh(game, seed=3)
    steps = []
    for _ in range(count):
        before = int(search.memory.used[0])
        simulate(search.algorithm, search.memory, 1)
        work = search.memory.work
        path = [(int(work.path[t]), int(work.line[t])) for t in range(int(work.depth))]
        steps.append((path, float(outcome(search.memory.states[1])), int(search.memory.used[0]) > before))
    return search, steps


@pytest.mark.parametrize("backup", ["accelerated", "discounted"])
@pytest.mark.parametrize("game", [TicTacToe(), Go(5, komi=0.5)], ids=["tic-tac-toe", "go5"])
def test_with_a_decay_of_one_every_backup_is_the_mean(backup, game):
    """One recorded sequence of paths and results, replayed through both: all values agree within 1e-9."""
    plain, steps = recorded_simulations(game, 600)
    other = fresh(game, backup=backup)
    kind = with_decay(other, 1.0)
    memory = other.memory
    for path, result, is_new in steps:
        if is_new:
            node, slot = path[-1]
            add_node(other.algorithm.prior, other.algorithm.options, memory, node, slot, memory.states[0], np.uint64(0))
        for t in reversed(range(len(path))):
            update(kind, memory, *path[t], result if t % 2 == 0 else 1.0 - result)
    compared = 0
    for node in range(int(plain.memory.used[0])):
        row, notes = plain.row(node), memory.notes[node]
        for slot in np.flatnonzero((row.visits > 0) & (row.wins >= 0)):
            mean = float(row.wins[slot]) / float(row.visits[slot])
            assert notes.moves[slot, RATIO] == pytest.approx(mean, abs=1e-9)
            assert other.row(node).visits[slot] == row.visits[slot]
            compared += 1
    assert compared > 500


def weights_of_visits(decay, count):
    """The weights of the visits of a node, the oldest first: all are reduced by lambda before each visit (eq. 6)."""
    weights: list[float] = []
    for _ in range(count):
        factor = 1.0 - 1.0 / (sum(weights) + FULL_MEMORY) if decay == "auto" else decay
        weights = [*(factor * weight for weight in weights), 1.0]
    return weights


def slow_ratio(decay, visits, playouts, line):
    """Eq. 6 and 7 of Hashimoto et al. from scratch: the ratio of the last move of `line`, for its player.

    `visits` has the moves selected after each line, `playouts` the results of those that began there.
    """
    own, below = playouts.get(line, []), visits.get(line, [])
    if not below:
        return sum(own) / len(own)
    of_moves = {move: slow_ratio(decay, visits, playouts, (*line, move)) for move in set(below)}
    ratios = [1.0 - sum(own) / len(own) for _ in own] + [of_moves[move] for move in below]
    return 1.0 - np.average(ratios, weights=weights_of_visits(decay, len(ratios)))


@pytest.mark.parametrize("decay", [0.9, "auto"])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"expand": "threshold", "expand_visits": 4},
        {"expand": "threshold", "expand_visits": 4, "new_node_visit": True},
        {"prior": "even", "new_node_visit": True},
    ],
    ids=str,
)
def test_accelerated_ratios_are_those_of_plain_python(decay, settings):
    search = fresh(TicTacToe(), backup="accelerated", decay=decay, seed=2, **settings)
    visits: dict[tuple[int, ...], list[int]] = {}
    playouts: dict[tuple[int, ...], list[float]] = {}
    for _ in range(400):
        simulate(search.algorithm, search.memory, 1)
        work, black_wins = search.memory.work, float(outcome(search.memory.states[1]))
        line = tuple(int(move) for move in work.line[: work.depth])
        for t, move in enumerate(line):
            visits.setdefault(line[:t], []).append(move)
        playouts.setdefault(line, []).append(black_wins if len(line) % 2 else 1.0 - black_wins)
    for line, moves in visits.items():
        node = 0
        for move in line:
            node = int(search.row(node).child[move])
        for move in set(moves):
            expected = slow_ratio(decay, visits, playouts, (*line, move))
            assert search.memory.notes[node].moves[move, RATIO] == pytest.approx(expected, abs=1e-9)
    assert len(visits) == int((search.memory.tree["newest"][: search.nodes] > 0).sum()) > 20


@pytest.mark.parametrize("count", [20, 3_000, 100_000])
def test_with_decay_auto_the_memory_of_a_node_grows_as_the_root_of_its_visits(count):
    """From M <- lambda M + 1 follows about M^2 / 2 K + M = n; the weights stay finite."""
    search = fresh(TicTacToe(), backup="accelerated", decay="auto")
    search.run(count)
    memory = search.row().weight_sum / search.row().newest
    assert memory == pytest.approx(FULL_MEMORY * (math.sqrt(1 + 2 * count / FULL_MEMORY) - 1), rel=0.02)
    assert search.row().newest < HEAVIEST


def test_decay_auto_is_a_setting_of_the_accelerated_backup_only():
    assert str(parse_player("accelerated-uct:decay=auto")) == "accelerated-uct:decay=auto"
    with pytest.raises(TengenError, match="decay is a number, not 'auto'"):
        parse_player("discounted-uct:decay=auto")


def test_a_prior_does_not_count_in_the_value_of_the_parent():
    """Only visited moves have a velocity, so the value of an accelerated parent is that of its playouts."""
    search = fresh(TicTacToe(), backup="accelerated", prior="even", prior_weight=50.0)
    search.run(500)
    memory = search.memory
    for slot in range(9):
        child = int(search.row().child[slot])
        below = search.row(child)
        assert memory.notes[0].moves[slot, RATIO] == pytest.approx(1 - below.ratio_sum / below.weight_sum, abs=1e-12)
        prior = memory.priors[0]
        visits = search.row().visits[slot] - prior.visits[slot]
        expected = memory.notes[0].moves[slot, RATIO] * visits + 25.0
        assert search.row().wins[slot] == pytest.approx(expected, rel=1e-5)


@pytest.mark.plain
def test_the_mean_backup_allocates_no_weights():
    assert fresh(TicTacToe()).memory.notes.size == 1
    assert MEAN.itemsize <= 8
