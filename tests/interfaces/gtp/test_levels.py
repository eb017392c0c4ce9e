"""The ten strengths to choose from."""

from dataclasses import replace
from itertools import pairwise

import pytest

from tengen.games.catalogue import make_game
from tengen.interfaces.cli.play import DEFAULT_PLAYERS
from tengen.interfaces.gtp.levels import LEVELS
from tengen.players import parse_player
from tengen.search.config import SearchConfig


@pytest.mark.parametrize("game", DEFAULT_PLAYERS)
def test_every_game_has_ten_levels_of_players_that_can_play_it(game):
    assert len(LEVELS[game]) == 10
    for player in LEVELS[game]:
        parse_player(player).make(make_game(game, 9 if game == "go" else None))


@pytest.mark.parametrize("game", DEFAULT_PLAYERS)
def test_of_the_same_player_the_higher_level_has_more_simulations(game):
    configs = [parse_player(player).config for player in LEVELS[game][:-1]]
    for weaker, stronger in pairwise(configs):
        assert isinstance(stronger, SearchConfig)
        if isinstance(weaker, SearchConfig) and replace(weaker, simulations=stronger.simulations) == stronger:
            assert weaker.simulations < stronger.simulations
    assert LEVELS[game][-1] == DEFAULT_PLAYERS[game]
