"""The statistics of moves of a search, and banned moves."""

import pytest
from tic_tac_toe import TicTacToe

from tengen.players import parse_player, parse_search
from tengen.search.flat_config import FlatConfig
from tengen.search.sampling import Sampling
from tengen.search.search import Search
from tengen.search.search_player import SearchPlayer
from tests.search.tiny_games import position_after

GAME = TicTacToe()
WIN_IN_ONE = ("a1", "a2", "b1", "b2")
"""Moves after which c1 wins."""


def searched(player="uct", simulations=200, opening=()):
    search = Search(parse_search(f"{player}{',' if ':' in player else ':'}memory=2"), GAME)
    search.set_position(position_after(GAME, *opening))
    search.run(simulations)
    return search


def numbers(search):
    return [move.number for move in search.moves()]


def test_visits_add_up_to_the_simulations_and_the_best_move_comes_first():
    search = searched()
    moves = search.moves()
    assert sum(move.visits for move in moves) == search.simulations == 200
    assert search.best_move() == moves[0].number == max(moves, key=lambda move: move.visits).number
    assert sorted(numbers(search)) == list(range(9))


def test_a_prior_counts_in_values_but_not_in_visits():
    search = searched("uct:prior=even,prior_weight=10", simulations=30)
    assert sum(move.visits for move in search.moves()) == 30
    assert {(move.prior, move.prior_weight) for move in search.moves()} == {(0.5, 10.0)}
    assert search.root().experience().sum() == search.root().total == 30 + 9 * 10


def test_rave_values_are_given_if_the_tree_has_them():
    assert {move.rave_visits for move in searched("uct").moves()} == {None}
    assert all(move.rave_visits and 0 <= (move.rave_value or 0) <= 1 for move in searched("mc-rave").moves())


def test_a_proved_move_has_its_proof():
    search = searched("uct:solver=true", 400, WIN_IN_ONE)
    best = search.moves()[0]
    assert (GAME.format_move(best.number), best.proof, best.value) == ("c1", "win", 1.0)
    assert search.value() == 1.0
    assert search.root().proof == "win"


def test_the_variation_is_a_line_of_legal_moves():
    search = searched(simulations=2000)
    position = GAME.start()
    line = search.variation(search.best_move(), 5)
    assert len(line) == 5
    for move in line:
        position.play(move)


@pytest.mark.parametrize("reuse", ["true", "false"])
def test_banned_moves_are_not_searched_until_the_ban_is_lifted(reuse):
    search, start = searched(f"uct:reuse={reuse}"), GAME.start()
    search.ban([0, 4])
    assert search.simulations == 0
    search.run(200)
    assert sorted(numbers(search)) == [1, 2, 3, 5, 6, 7, 8]
    search.set_position(start)
    search.run(50)
    assert not {0, 4} & set(numbers(search)), "the position is still the same"
    search.forget()
    search.set_position(start)
    assert search.simulations == 0
    search.run(200)
    assert sorted(numbers(search)) == list(range(9))


def test_no_later_position_reuses_a_tree_with_banned_moves():
    search = searched()
    search.ban([0])
    search.run(500)
    later = GAME.start().play(search.best_move())
    search.set_position(later)
    assert search.simulations == 0
    search.run(100)
    assert 0 in numbers(search)


def test_a_player_keeps_to_the_moves_that_are_not_banned():
    player = parse_player("uct:simulations=100,memory=2").make(GAME)
    assert isinstance(player, SearchPlayer)
    search = player.search
    search.set_position(GAME.start())
    search.ban(range(8))
    assert player.choose_number(GAME.start()) == 8


def test_a_run_for_no_time_does_no_simulation_and_a_stopped_one_a_few():
    search = searched(simulations=0)
    assert search.run_for(0.0)
    assert search.simulations == 0
    assert search.run_for(3600.0, stopped=lambda: True)
    assert 0 < search.simulations < 1000


def test_a_run_ends_when_the_position_is_solved():
    search = searched("uct:solver=true", 0, WIN_IN_ONE)
    assert not search.run_for(3600.0)
    assert search.is_solved


def test_sampling_has_the_same_methods():
    sampling = Sampling(FlatConfig(), GAME)
    sampling.set_position(position_after(GAME, *WIN_IN_ONE))
    assert sampling.run_for(3600.0, stopped=lambda: True)
    sampling.run(500)
    best = sampling.moves()[0]
    assert sampling.best_move() == best.number == GAME.parse_move("c1")
    assert best.value == 1.0
    assert sum(move.visits for move in sampling.moves()) == sampling.simulations
