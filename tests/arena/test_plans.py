"""Plans: a game is determined by its pairing and number."""

import os

import pytest

from tengen.arena.plans import Conditions, Entrant, Pairing, read_openings, seed_of
from tengen.errors import TengenError
from tengen.games.clock import TimeControl
from tengen.games.go.game import Go
from tengen.games.havannah.game import Havannah
from tengen.games.othello.game import Othello
from tests.arena.conftest import quick_pairing


def test_colours_alternate_and_pairs_of_games_share_an_opening():
    plans = list(quick_pairing(games=5).plans())
    assert [(plan.black.name, plan.white.name) for plan in plans] == [("a", "b"), ("b", "a")] * 2 + [("a", "b")]
    assert plans[0].opening == plans[1].opening
    assert plans[2].opening == plans[3].opening
    assert len({plan.opening for plan in plans}) > 1
    assert len({plan.seed for plan in plans}) == len({plan.id for plan in plans}) == 5


def test_a_plan_follows_from_its_number_alone():
    assert quick_pairing(games=5).plan(3) == quick_pairing(games=50).plan(3)
    assert quick_pairing(seed=1).plan(3).seed != quick_pairing(seed=2).plan(3).seed


def test_seeds_are_those_of_earlier_versions():
    """So that runs begun with an earlier version can be continued."""
    assert seed_of(1, "a v b", 0) == 701595332
    assert quick_pairing().plan(0).seed == seed_of(1, "a v b", 0)
    assert quick_pairing().plan(0).player_seed("black") == seed_of(701595332, "black")


def test_random_openings_are_legal_and_leave_a_game_to_play():
    for game, moves in ((Go(9), 6), (Othello(), 8), (Havannah(4), 5)):
        for number in range(10):
            position = game.start()
            opening = Conditions(game, random_moves=moves).opening(number)
            assert len(opening) == moves
            for move in opening:
                position.play(move)
            assert not position.is_over
    with pytest.raises(TengenError, match="random moves always end the game"):
        Conditions(Havannah(3), random_moves=30).opening(0)
    with pytest.raises(TengenError, match="random moves always end the game"):
        Conditions(Othello(4), random_moves=12).opening(0)  # twelve moves fill the board


def test_openings_are_read_from_a_file_and_used_in_turn(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("# two of them\nE5 C3\n\nG7 C7 # the second\n")
    openings = read_openings(file)
    assert openings == ("E5 C3", "G7 C7")
    conditions = Conditions(Go(9), openings=openings)
    assert [conditions.opening(number)[0] for number in range(6)] == ["E5", "E5", "G7", "G7", "E5", "E5"]
    assert conditions.are_paired


@pytest.mark.parametrize("opening", ["E5 E5", "Z1", "pass pass"])
def test_an_opening_that_cannot_be_played_is_refused(opening):
    with pytest.raises(TengenError):
        Conditions(Go(9), openings=(opening,))


def test_a_file_without_openings_is_refused(tmp_path):
    (tmp_path / "empty").write_text("# nothing\n")
    os.mkfifo(tmp_path / "fifo")
    for name, words in (("empty", "contains no opening"), ("missing", "No such file"), ("fifo", "not a regular file")):
        with pytest.raises(TengenError, match=words):
            read_openings(tmp_path / name)


def test_conditions_survive_a_round_trip_through_json():
    conditions = Conditions(Go(9, 5.5), TimeControl.parse("1m+2s"), ("D4",), referee="gnugo:level=0", seed=9)
    assert Conditions.from_json(conditions.to_json()) == conditions
    pairing = Pairing(Entrant.of("uct:simulations=5"), Entrant.of("random"), conditions, 2)
    assert pairing.settings()["first"]["config"]["first_play"] == "inf"
    assert pairing.settings()["second"]["spec"] == "random"


def test_settings_are_those_on_the_board_that_is_played_on():
    pairing = Pairing(Entrant.of("tengen:simulations=5"), Entrant.of("random"), Conditions(Go(19)), 2)
    assert pairing.settings()["first"]["spec"] == "tengen-19:simulations=5"
    assert pairing.settings()["first"]["config"]["expand"] == "threshold"
    assert pairing.name == "tengen:simulations=5 v random"


def test_two_players_of_one_name_are_refused():
    with pytest.raises(TengenError, match="both players are named"):
        Pairing(Entrant.of("uct"), Entrant.of("uct"), Conditions(Go(9)), 2)
