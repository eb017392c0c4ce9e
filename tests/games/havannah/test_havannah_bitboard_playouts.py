"""The compact record of Havannah: playouts against those on the ordinary record, and searches of many trees."""

import numpy as np
import pytest
from scipy import stats

from tengen.games import interface
from tengen.games.havannah import havannah_bitboard
from tengen.games.havannah.game import Havannah
from tengen.games.position import Position
from tengen.jit import kernel
from tengen.players import parse_search
from tengen.rng import seeded
from tengen.search.forest import search_tree
from tengen.search.many import ManySearch
from tests.games.havannah.test_havannah import moves_in
from tests.games.havannah.test_havannah_bitboard import BASES, check_equal, compact
from tests.games.playout_statistics import Sample, first_moves

# --- Playouts --------------------------------------------------------------------------------------------------------


STARTS: dict[str, tuple[Havannah, list[str]]] = {
    "base 3": (Havannah(3), []),
    "base 4": (Havannah(4), []),
    "base 3, a swap is allowed": (Havannah(3, swap=True), ["b2"]),
    "base 4, white to play in a middle game": (Havannah(4), ["d4", "c3", "e4", "d5", "b2"]),
}


def after_moves(game: Havannah, moves: list[str]) -> Position:
    position = game.start()
    for move in moves:
        position.play(move)
    return position


def compare(name: str, count: int) -> None:
    """Compare playouts on both records: results and lengths, and the first moves also with equal probabilities."""
    position = after_moves(*STARTS[name])
    board, bits = Sample(position.state, count, seed=1), Sample(compact(position), count, seed=2)
    assert max(bits.distances(board)) < 4
    counts = first_moves(board, bits)
    assert stats.chi2_contingency(counts).pvalue > 1e-4
    assert np.flatnonzero(bits.firsts).tolist() == moves_in(position.state)
    assert stats.chisquare(counts[1]).pvalue > 1e-4


@pytest.mark.parametrize("name", STARTS)
def test_playouts_have_the_distribution_of_those_on_the_ordinary_record(name):
    compare(name, 100_000)


@pytest.mark.long
@pytest.mark.parametrize("name", STARTS)
def test_many_playouts_have_the_distribution_of_those_on_the_ordinary_record(name):
    compare(name, 10_000_000)


def check_playout(base: int, swap: bool, opening: list[str], seed: int) -> bool:
    """Replay a playout on both records, and return whether it began with a swap."""
    game = Havannah(base, swap)
    position = after_moves(game, opening)
    state, board, trace = compact(position), position.state, np.full(64, 999, np.uint16)
    ended = state.copy()
    length = interface.uniform_playout(ended, seeded(seed), trace, 5)
    assert (trace[:5] == 999).all()
    assert (trace[length:] == 999).all()
    for move in trace[5:length].tolist():
        assert interface.is_legal(state, move)
        interface.play(state, move)
        interface.play(board, move)
    check_equal(state, board, base)
    assert interface.is_over(state)
    assert ended == state
    return bool(trace[5] == game.cells)


@pytest.mark.plain
@pytest.mark.parametrize("base", BASES)
def test_the_moves_of_a_playout_lead_to_its_end_on_both_records(base):
    assert not any(check_playout(base, False, [], seed) for seed in range(3))
    check_playout(base, True, ["c3"], seed=3)


def test_playouts_with_and_without_a_swap_lead_to_their_ends_on_both_records():
    assert 5 < sum(check_playout(3, True, ["c3"], seed) for seed in range(400)) < 50
    assert not any(check_playout(4, True, ["c3", "d4"], seed) for seed in range(100))


@kernel
def count_faults(states, boards, rng, trace, count):
    """Replay playouts from states[0] on the ordinary record, boards[0]; return how many do not end there as here."""
    faults = 0
    for _ in range(count):
        states[1], boards[1] = states[0], boards[0]
        length = interface.uniform_playout(states[1], rng, trace, 0)
        ended_early = False
        for i in range(length):
            ended_early |= interface.is_over(boards[1])
            interface.play(boards[1], trace[i])
        same = interface.is_over(boards[1]) and states[1].winner == boards[1].winner
        faults += ended_early or not same or states[1].to_play != boards[1].to_play
    return faults


def check_endings(name: str, count: int) -> None:
    position = after_moves(*STARTS[name])
    states, boards = np.array([compact(position)] * 2), np.array([position.state] * 2)
    assert count_faults(states, boards, seeded(6), np.zeros(64, np.uint16), count) == 0


@pytest.mark.parametrize("name", STARTS)
def test_playouts_end_with_the_same_move_and_winner_as_on_the_ordinary_record(name):
    check_endings(name, 100_000)


@pytest.mark.long
@pytest.mark.parametrize("name", STARTS)
def test_many_playouts_end_with_the_same_move_and_winner_as_on_the_ordinary_record(name):
    check_endings(name, 10_000_000)


@pytest.mark.plain
def test_a_playout_from_a_won_game_adds_no_move():
    position = after_moves(Havannah(3), ["a1", "c3", "b1", "c4", "c1"])
    state, rng, trace = compact(position), seeded(1), np.zeros(64, np.uint16)
    assert interface.uniform_playout(state, rng, trace, 7) == 7
    assert interface.outcome(state) == 1.0


# --- Searches of many trees ------------------------------------------------------------------------------------------


def search_of(player: str, position: Position, seeds: list[int]) -> ManySearch:
    """Return a search of many trees on the CPU, one tree per seed, with the position set."""
    many = ManySearch(parse_search(player, position.game), position.game, trees=len(seeds), device="cpu")
    for tree, seed in enumerate(seeds):
        many.reseed(tree, seed)
        many.set_position(tree, position)
    return many


def moves_found(many: ManySearch, trees: int) -> list:
    """Search the trees and return the statistics of the moves of each."""
    many.start(range(trees), simulations=300)
    many.finish()
    return [many.search(tree).moves() for tree in range(trees)]


@pytest.mark.parametrize(
    "player", ["uct:simulations=300,reuse=false", pytest.param("mc-rave:simulations=300", marks=pytest.mark.long)]
)
def test_a_tree_of_a_search_of_many_is_determined_by_its_seed(player):
    position = Havannah(4, swap=True).start().play("c3")
    trees = moves_found(search_of(player, position, [5, 6, 5]), 3)
    assert trees[0] == trees[2] != trees[1]
    assert trees == moves_found(search_of(player, position, [5, 6, 5]), 3)
    assert sum(move.visits for move in trees[0]) == 300
    assert {move.number for move in trees[0]} == set(moves_in(position.state))


def test_a_search_of_many_trees_finds_a_win_on_compact_states():
    position = after_moves(Havannah(4), ["a1", "c3", "b1", "c4", "c1", "c5"])
    many = search_of("uct:simulations=300,reuse=false", position, [1, 2])
    assert many._record == havannah_bitboard.BITBOARD
    for moves in moves_found(many, 2):
        assert moves[0].number == position.move("d1")
        assert moves[0].value == 1.0


@pytest.mark.long
@pytest.mark.parametrize("player", ["uct:simulations=300,reuse=false", "mc-rave:simulations=300"])
def test_a_search_of_many_trees_compiles_for_a_gpu(player):
    pytest.importorskip("numba_cuda")
    from tengen.jit import gpu

    many = search_of(player, Havannah(4).start(), [1, 2])
    batch = many._sent([0, 1], 0).batch
    code = gpu.ptx(search_tree, (many._forest, many._parts, batch, 300, np.uint8(1)))
    assert "search_tree" in code
    assert "__local_depot" not in code  # all of a thread's values are in registers
