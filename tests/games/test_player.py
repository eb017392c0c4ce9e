"""The interface of players: `choose_number` and `choose`."""

import pytest

from tengen.errors import TengenError
from tengen.games.go.game import PASS, Go
from tengen.games.player import RESIGN, Player, choice_name
from tengen.players import parse_player


class Fixed(Player):
    """A player that always makes the same choice."""

    def __init__(self, choice):
        self.choice = choice

    def choose_number(self, position, clock=None):
        return self.choice

    def new_game(self, seed=None):
        pass


@pytest.mark.plain
def test_a_choice_is_named_in_the_notation_of_the_game():
    game = Go(9)
    assert choice_name(game, game.parse_move("E5")) == "E5"
    assert choice_name(game, PASS) == "pass"
    assert choice_name(game, RESIGN) == "resign"


@pytest.mark.plain
def test_choose_formats_what_choose_number_returns():
    start = Go(9).start()
    assert Fixed(start.game.parse_move("C3")).choose(start) == "C3"
    assert Fixed(RESIGN).choose(start) == "resign"


@pytest.mark.plain
def test_resign_is_not_a_move():
    with pytest.raises(TengenError, match="is not a move"):
        Go(9).start().play(RESIGN)


@pytest.mark.parametrize("name", ["random", "uct:simulations=5", "flat-mc:simulations=50", "amaf:simulations=50"])
def test_both_ways_to_choose_give_the_same_move(name):
    start = Go(5).start()
    number, text = parse_player(name).make(start.game), parse_player(name).make(start.game)
    assert start.game.format_move(number.choose_number(start)) == text.choose(start)
