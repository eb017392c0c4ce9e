"""Players as bots of OpenSpiel: numbers of moves in random games, and games against OpenSpiel's own bots."""

import random

import numpy as np
import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
import pyspiel
from open_spiel.python.algorithms import evaluate_bots

from tengen import Go, Havannah, Othello, TengenError
from tengen.adapters.open_spiel_bot import TengenBot
from tengen.adapters.open_spiel_game import OpenSpielGame
from tengen.adapters.open_spiel_names import action_of, game_for, move_of, name_in_open_spiel
from tengen.games.player import RESIGN

NATIVE = {
    "go(board_size=5)": Go(5, ko="simple"),
    "go(board_size=9,komi=5.5)": Go(9, 5.5, ko="simple"),
    "othello": Othello(8),
    "havannah(board_size=4)": Havannah(4),
    "havannah(board_size=4,swap=true)": Havannah(4, swap=True),
}
RESULTS = {"black": 1.0, "white": -1.0, "draw": 0.0, None: None}


def mcts(game, simulations=30):
    return pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 7), 1.4, simulations, 100, False, 7, False)


@pytest.mark.parametrize("name", NATIVE)
def test_actions_and_moves_are_the_same_in_whole_random_games(name):
    """Some games of Go are cut at OpenSpiel's limit, at which ours are not over."""
    theirs, chance, finished = pyspiel.load_game(name), random.Random(name), 0
    game = game_for(theirs)
    assert game == NATIVE[name]
    for _ in range(12):
        state, position = theirs.new_initial_state(), game.start()
        while not state.is_terminal():
            moves = [int(move) for move in position.legal_move_numbers()]
            actions = [action_of(position, move) for move in moves]
            assert sorted(actions) == state.legal_actions()
            assert [move_of(position, action) for action in actions] == moves
            action = chance.choice(actions)
            position.play(move_of(position, action))
            state.apply_action(action)
        finished += position.is_over
        assert RESULTS[position.winner] in (None, state.returns()[0])
    assert finished > 6


def test_a_game_without_rules_of_ours_is_played_by_those_of_open_spiel():
    for name in ("connect_four", "go(board_size=5,handicap=2)", "dots_and_boxes"):
        assert isinstance(game_for(pyspiel.load_game(name)), OpenSpielGame)
    game = game_for(pyspiel.load_game("breakthrough(rows=6,columns=6)"))
    assert name_in_open_spiel(game) == "breakthrough(columns=6,rows=6)"


@pytest.mark.parametrize(
    ("name", "player"),
    [
        ("go(board_size=9)", "mc-rave:simulations=60,memory=5"),
        pytest.param("othello", "uct:simulations=60,memory=5", marks=pytest.mark.long),
        pytest.param("havannah(board_size=4)", "mc-rave:simulations=60,memory=5", marks=pytest.mark.long),
        ("othello", "random"),
        ("havannah(board_size=4)", "random"),
    ],
)
def test_bots_play_whole_games_against_the_search_of_open_spiel(name, player):
    """As either side; OpenSpiel plays its moves to the end, and refuses those that are not legal."""
    game = pyspiel.load_game(name)
    bot, states = TengenBot(game, player, seed=1), [game.new_initial_state() for _ in range(2)]
    first = evaluate_bots.evaluate_bots(states[0], [bot, mcts(game)], np.random.RandomState(1))
    second = pyspiel.evaluate_bots(states[1], [mcts(game), bot], 1)
    assert states[0].is_terminal()
    assert {*first, *second} <= {-1.0, 0.0, 1.0}
    assert sum(first) == sum(second) == 0
    assert bot.position.moves_played > 5


@pytest.mark.parametrize("name", ["connect_four", "dots_and_boxes"])
def test_bots_play_games_without_rules_of_ours(name):
    """In Dots and Boxes a side that completes a box moves again."""
    game = pyspiel.load_game(name)
    bots = [TengenBot(game, "random", seed=1), TengenBot(game, "random", seed=2)]
    state = game.new_initial_state()
    assert evaluate_bots.evaluate_bots(state, bots, np.random.RandomState(1)) == state.returns()
    assert state.is_terminal()


def test_the_same_seed_gives_the_same_game():
    game, histories = pyspiel.load_game("othello"), []
    for seed in (1, 1, 2):
        state = game.new_initial_state()
        bots = [TengenBot(game, "random", seed=seed), TengenBot(game, "random", seed=5)]
        evaluate_bots.evaluate_bots(state, bots, np.random.RandomState(1))
        histories.append(state.history())
    assert histories[0] == histories[1] != histories[2]


def test_a_bot_can_be_asked_about_any_state():
    game = pyspiel.load_game("othello")
    bot = TengenBot(game, "uct:simulations=20,memory=5")
    state = game.new_initial_state()
    for action in (19, 18, 17):
        state.apply_action(action)
    assert bot.step(state) in state.legal_actions()
    assert [played.move for played in bot.position.history] == [19, 18, 17]
    other = game.new_initial_state()
    assert bot.step(other) in other.legal_actions()
    assert bot.position.moves_played == 0


def test_actions_of_others_are_noted():
    game = pyspiel.load_game("havannah(board_size=4,swap=true)")
    bot, state = TengenBot(game, "random"), game.new_initial_state()
    bot.inform_action(state, 0, 24)
    state.apply_action(24)
    assert bot.provides_force_action()
    bot.force_action(state, 24)
    assert [played.notation for played in bot.position.history] == ["d4", "swap"]
    bot.restart()
    assert bot.position.moves_played == 0
    bot.restart_at(state)
    assert bot.position.moves_played == 1


def test_our_players_do_not_resign_and_an_engine_that_does_is_an_error(monkeypatch):
    game = pyspiel.load_game("othello")
    bot = TengenBot(game, "uct:simulations=10,memory=5,resign=1")
    assert bot.step(game.new_initial_state()) in (19, 26, 37, 44)
    monkeypatch.setattr(bot.player, "choose_number", lambda position: RESIGN)
    with pytest.raises(TengenError, match="the player of othello resigned, which bots of OpenSpiel cannot"):
        bot.step(game.new_initial_state())


def test_an_action_that_is_no_move_is_an_error():
    with pytest.raises(TengenError, match="'224' is not an action of havannah"):
        move_of(Havannah(4).start(), 224)
