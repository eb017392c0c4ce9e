"""Every game as an environment of Gymnasium with an opponent, by Gymnasium's own checks and beside the rules."""

import itertools
import random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="Gymnasium is not installed")
import gymnasium
from gymnasium.utils.env_checker import check_env

from tengen import Go, Havannah, IllegalMove, Othello, TengenError
from tengen.adapters import gymnasium_env
from tengen.adapters.gymnasium_env import GameEnv
from tengen.games.catalogue import game_class
from tengen.games.player import RESIGN
from tests.adapters.some_games import GAMES, NAMES, drawn_action


def played(env, chance, seed):
    """Play a game of random legal actions; return the moves, and the last step."""
    _, info = env.reset(seed=seed)
    while True:
        action = drawn_action(chance, info["action_mask"])
        last = env.step(action)
        info = last[4]
        if last[2] or last[3]:
            return [move.notation for move in env.position.history], last


@pytest.mark.parametrize("colour", ["black", "white", "random"])
@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes:UserWarning")
def test_the_environment_passes_the_check_of_gymnasium(game, colour):
    check_env(GameEnv(game, colour=colour, render_mode="rgb_array"))


@pytest.mark.parametrize("identity", ["tengen/Go-5-v0", "tengen/Othello-4-v0", "tengen/Havannah-3-v0"])
@pytest.mark.filterwarnings("ignore:.*different from the unwrapped version:UserWarning")
def test_a_registered_environment_passes_the_check_in_all_render_modes(identity, capsys):
    check_env(gymnasium.make(identity).unwrapped)


def test_every_game_of_the_package_is_registered_with_each_size_of_its_board():
    ids = {identity for identity in gymnasium.registry if identity.startswith("tengen/")}
    for name in ("go", "othello", "havannah"):
        kind, board = game_class(name), game_class(name).board_size
        assert board is not None
        assert f"tengen/{kind.__name__}-v0" in ids
        assert {f"tengen/{kind.__name__}-{size}-v0" for size in board.values} <= ids
    assert gymnasium_env.register_games() == []
    made: Any = gymnasium.make("tengen/Havannah-v0", size=4).unwrapped
    assert made.game == Havannah(4)


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_rewards_are_those_of_the_agent_on_either_side(game):
    chance, seen = random.Random(5), set()
    for colour, seed in itertools.product(("black", "white"), range(6)):
        env = GameEnv(game, colour=colour)
        _, (observation, reward, terminated, truncated, info) = played(env, chance, seed)
        assert (terminated, truncated, info["colour"]) == (True, False, colour)
        expected = 0.0 if env.position.winner == "draw" else 1.0 if env.position.winner == colour else -1.0
        assert reward == expected
        assert not observation["action_mask"].any()
        seen.add((colour, reward))
    assert {reward for _, reward in seen} >= {-1.0, 1.0}


def test_the_opponent_answers_and_moves_first_against_white():
    env = GameEnv(Othello(6), colour="white", opponent="uct:simulations=30,memory=5")
    _, info = env.reset(seed=1)
    assert [move.colour for move in env.position.history] == ["black"]
    env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert [move.colour for move in env.position.history] == ["black", "white", "black"]


def test_a_seed_determines_colours_and_the_opponents_moves():
    env = GameEnv(Othello(6), colour="random", opponent="uct:simulations=30,memory=5")
    games = [played(env, random.Random(3), seed)[0] for seed in (1, 2, 1)]
    assert games[0] == games[2] != games[1]
    assert {played(env, random.Random(3), seed)[1][4]["colour"] for seed in range(10)} == {"black", "white"}


def test_the_agent_passes_by_an_action_when_it_must():
    """In Othello a pass is the only action where there is no other move."""
    chance, passes = random.Random(1), 0
    for _ in range(20):
        env = GameEnv(Othello(6), colour="white")
        _, info = env.reset(seed=chance.randrange(1000))
        done = False
        while not done:
            legal = np.flatnonzero(info["action_mask"]).tolist()
            passes += legal == [36]
            _, _, done, _, info = env.step(chance.choice(legal))
    assert passes > 0


def test_an_illegal_action_loses_the_game_or_is_an_error():
    env = GameEnv(Othello(4))
    env.reset()
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated, info["illegal_move"]) == (-1.0, True, False, True)
    with pytest.raises(TengenError, match="the game is over: call reset"):
        env.step(0)
    strict = GameEnv(Othello(4), illegal="error")
    strict.reset()
    with pytest.raises(IllegalMove, match="it turns over no disc"):
        strict.step(0)
    assert strict.position.moves_played == 0


def test_an_opponent_that_resigns_has_lost(monkeypatch):
    env = GameEnv(Go(5))
    monkeypatch.setattr(env.opponent, "choose_number", lambda position: RESIGN)
    env.reset()
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["resigned"]) == (1.0, True, True)


def test_a_long_game_is_truncated(monkeypatch):
    """The opponent is made before the limit changes: its playouts have room for the true number of moves."""
    env = GameEnv(Go(5))
    monkeypatch.setattr(Go, "longest_playout", 4)
    *_, (_, reward, terminated, truncated, _) = played(env, random.Random(1), 1)
    assert (reward, terminated, truncated) == (0.0, False, True)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"colour": "red"}, "unknown colour 'red'; choose from: black, white, random"),
        ({"illegal": "ignore"}, "illegal cannot be 'ignore'; choose from: loss, error"),
        ({"opponent": "nobody"}, "unknown player 'nobody'"),
        ({"render_mode": "svg"}, "unknown render mode 'svg'"),
    ],
)
def test_a_wrong_option_is_an_error_in_one_sentence(wrong, why):
    with pytest.raises(TengenError, match=why):
        GameEnv("go", 5, **wrong)
