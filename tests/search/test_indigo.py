"""The player indigo: ten preselected moves, compared by pseudo-random games with progressive pruning."""

import pytest

from tengen import Go
from tengen.players import parse_player
from tengen.search.flat_config import FlatConfig
from tengen.search.flat_player import FlatPlayer

pytestmark = pytest.mark.long

FEW = "first_games=2,most_games=3"


def indigo(size: int, settings: str = FEW) -> FlatPlayer:
    player = parse_player(f"indigo:{settings}").make(Go(size))
    assert isinstance(player, FlatPlayer)
    return player


@pytest.mark.parametrize(
    "size", [9, pytest.param(13, marks=pytest.mark.long), pytest.param(19, marks=pytest.mark.long)]
)
def test_ten_moves_and_the_pass_are_compared_on_every_board(size):
    player, position = indigo(size), Go(size).start().play("C3").play("D4").play("C4")
    move = player.choose_number(position)
    games = {found.number: found.visits for found in player.search.moves() if found.visits}
    assert move in games
    assert len(games) == 11
    assert 0 in games
    assert 2 <= min(games.values()) <= max(games.values()) <= 3


def test_it_compares_mean_scores_by_the_hand_made_urgencies():
    config = parse_player("indigo").config
    assert isinstance(config, FlatConfig)
    assert (config.policy, config.urgencies, config.preselect) == ("urgency", "manual", 10)
    assert (config.objective, config.selection, config.most_games) == ("score", "pruning", 500)


@pytest.mark.parametrize(
    "settings", [f"amaf=true,{FEW}", "selection=ucb,simulations=50", f"preselect=0,{FEW}", f"urgencies=rlpr,{FEW}"]
)
def test_its_options_choose_legal_moves(settings):
    position = Go(9).start().play("C3").play("D4").play("C4")
    assert position.is_legal(indigo(9, settings).choose_number(position))


def test_without_preselection_all_moves_are_compared():
    player = indigo(9, f"preselect=0,{FEW}")
    player.choose_number(Go(9).start())
    assert len([found for found in player.search.moves() if found.visits]) == 82
