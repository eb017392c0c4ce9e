"""The ten levels of every game."""

from itertools import pairwise

import pytest
from tic_tac_toe import TicTacToe

from tengen import Go, Havannah, Othello
from tengen.errors import TengenError
from tengen.games.clock import Clock, TimeControl
from tengen.games.go.go_levels import GO_LEVELS
from tengen.levels import LEVELS_PER_GAME, level_player
from tengen.players import PRESETS, PolicyConfig, parse_player
from tengen.search.config import SearchConfig

LEVELS = range(1, LEVELS_PER_GAME + 1)
BOARDS = [Go(9), Go(13), Go(19), Othello(), Havannah()]


def no_time() -> Clock:
    """Return a clock with time for the first few simulations only."""
    clock = Clock(TimeControl(1.0))
    clock.set_left(0.0)
    return clock


@pytest.mark.parametrize("game", BOARDS, ids=str)
def test_every_level_is_a_player_that_can_play_the_game(game):
    for number in LEVELS:
        spec = parse_player(f"level:number={number}").on(game)
        assert isinstance(spec.config, SearchConfig | PolicyConfig)
        assert game.start().is_legal(spec.make(game).choose(game.start(), no_time()))


@pytest.mark.parametrize("size", GO_LEVELS)
def test_a_higher_level_of_go_has_more_simulations_and_no_higher_temperature(size):
    assert len(GO_LEVELS[size]) == LEVELS_PER_GAME - 1
    for (fewer, hotter), (more, colder) in pairwise(GO_LEVELS[size]):
        assert fewer < more
        assert hotter >= colder >= 0


@pytest.mark.parametrize(("size", "table"), [(5, 9), (9, 9), (10, 13), (13, 13), (14, 19), (19, 19), (25, 19)])
def test_a_board_of_go_has_the_levels_of_the_next_larger_table(size, table):
    simulations, temperature = GO_LEVELS[table][2]
    config = parse_player("level:number=3").on(Go(size)).config
    assert isinstance(config, SearchConfig)
    assert (config.simulations, config.temperature) == (simulations, temperature)


def test_the_levels_of_go_keep_the_knowledge_of_the_strongest_player():
    strongest, weakest = PRESETS["tengen"].config, parse_player("level:number=1").on(Go(9)).config
    for key in ("policy", "prior", "nakade", "two_liberties", "tree_policy"):
        assert getattr(weakest, key) == getattr(strongest, key)


@pytest.mark.parametrize("game", [*BOARDS, TicTacToe()], ids=str)
def test_the_highest_of_ten_levels_is_the_default_player_of_the_game(game):
    assert len(game.levels) == LEVELS_PER_GAME
    assert level_player(game, LEVELS_PER_GAME) == game.default_player
    assert parse_player("level").on(game).name == parse_player(game.default_player).on(game).name


def test_a_level_keeps_its_seed_and_resignation():
    config = parse_player("level:number=4,seed=7,resign=0.1").on(Go(9)).config
    assert isinstance(config, SearchConfig)
    assert (config.seed, config.resign) == (7, 0.1)


def test_an_unknown_level_is_refused():
    with pytest.raises(TengenError, match="unknown level 11: choose from 1"):
        level_player(Go(9), 11)
    with pytest.raises(TengenError, match="number is from 1 to 10"):
        parse_player("level:number=0")
