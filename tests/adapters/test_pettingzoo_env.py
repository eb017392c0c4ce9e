"""Every game as an environment of PettingZoo, by PettingZoo's own checks and beside the rules."""

import random

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
from pettingzoo.test import api_test, seed_test

from tengen import Go, Havannah, IllegalMove, Othello, TengenError
from tengen.adapters import MissingPackage, pettingzoo_env, require
from tengen.adapters.board_view import BoardView
from tests.adapters.some_games import GAMES, NAMES, drawn_action

of_every_game = pytest.mark.parametrize("game", GAMES, ids=NAMES)


@of_every_game
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning")
def test_the_environment_passes_the_checks_of_pettingzoo(game):
    """Warnings: an observation is a dictionary, and the mask is empty after the end, as in its own board games."""
    api_test(pettingzoo_env.env(game), num_cycles=150)
    seed_test(lambda: pettingzoo_env.env(game), num_cycles=60)


@of_every_game
def test_masks_planes_and_rewards_follow_the_rules_in_random_games(game):
    chance, view, results = random.Random(1), BoardView(game), set()
    for _ in range(4):
        env, position = pettingzoo_env.raw_env(game), game.start()
        env.reset()
        while not position.is_over:
            agent = env.agent_selection
            assert agent == f"{position.to_play}_0"
            seen, own = env.observe(agent), 1 if agent == "black_0" else 2
            assert set(view.moves[seen["action_mask"] == 1]) == set(position.legal_move_numbers())
            planes = np.moveaxis(seen["observation"], 2, 0)
            assert (planes[0] == (position.board == own)).all()
            assert (planes[1] == (position.board == 3 - own)).all()
            assert (planes[2] == (position.board == 0)).all()
            assert (planes[3] == (own == 1)).all()
            other = next(name for name in env.agents if name != agent)
            assert not env.observe(other)["action_mask"].any()
            action = drawn_action(chance, seen["action_mask"])
            env.step(action)
            position.play(int(view.moves[action]))
        expected = {"black": (1.0, -1.0), "white": (-1.0, 1.0), "draw": (0.0, 0.0)}[position.winner]
        assert (env.rewards["black_0"], env.rewards["white_0"]) == expected
        assert all(env.terminations.values())
        results.add(expected)
    assert results


@of_every_game
def test_an_action_below_the_number_of_cells_is_the_cell_in_its_row_and_column(game):
    env = pettingzoo_env.raw_env(game)
    env.reset()
    cell = next(action for action in np.flatnonzero(env.observe("black_0")["action_mask"]))
    before = env.observe("black_0")["observation"]
    assert cell < before.shape[0] * before.shape[1]
    env.step(cell)
    assert env.position.board[divmod(cell, before.shape[1])] == 1


def test_a_pass_is_an_action_without_a_cell_and_two_passes_end_a_game_of_go():
    env = pettingzoo_env.env("go", 5, komi=0.5)
    env.reset()
    for _ in range(2):
        assert env.last()[0]["action_mask"][25] == 1
        env.step(25)
    assert env.terminations == {"black_0": True, "white_0": True}
    assert env.rewards == {"black_0": -1.0, "white_0": 1.0}


def test_an_illegal_action_ends_the_game_as_pettingzoo_defines_it():
    env = pettingzoo_env.env(Othello(4))
    env.reset()
    env.step(0)
    assert env.rewards == {"black_0": -1.0, "white_0": 0}
    assert all(env.terminations.values())


def test_without_wrappers_an_illegal_action_is_an_error_and_changes_nothing():
    env = pettingzoo_env.raw_env(Havannah(3))
    env.reset()
    with pytest.raises(IllegalMove, match="action '3' is not a move of havannah"):
        env.step(3)  # outside the hexagon
    assert env.position.moves_played == 0
    assert env.agent_selection == "black_0"


def test_a_game_longer_than_its_longest_playout_is_truncated(monkeypatch):
    monkeypatch.setattr(Go, "longest_playout", 3)
    env = pettingzoo_env.env(Go(5))
    env.reset()
    for action in range(3):
        env.step(action)
    assert env.truncations == {"black_0": True, "white_0": True}
    assert not any(env.terminations.values())


@of_every_game
def test_boards_are_shown_as_text_and_as_pixels(game):
    env = pettingzoo_env.raw_env(game, render_mode="ansi")
    env.reset()
    assert env.render() == env.position.diagram()
    env = pettingzoo_env.raw_env(game, render_mode="rgb_array")
    env.reset()
    empty = env.render()
    env.step(int(np.flatnonzero(env.observe("black_0")["action_mask"])[0]))
    picture = env.render()
    assert (picture.dtype, picture.ndim, picture.shape[2]) == (np.uint8, 3, 3)
    changed = (picture != empty).any(axis=2)
    assert 0 < changed.sum() < changed.size / 4


def test_a_board_is_printed_after_each_move(capsys):
    env = pettingzoo_env.env(Othello(4), render_mode="human")
    env.reset()
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert capsys.readouterr().out == env.unwrapped.position.diagram() + "\n\n"


def test_an_unknown_render_mode_and_an_unknown_game_are_errors():
    with pytest.raises(TengenError, match="unknown render mode 'svg'; choose from: ansi, human, rgb_array"):
        pettingzoo_env.env("go", render_mode="svg")
    with pytest.raises(TengenError, match="unknown game 'chess'"):
        pettingzoo_env.env("chess")


def test_a_missing_package_is_named_with_the_extra_that_has_it():
    with pytest.raises(MissingPackage, match=r"nopackage is not installed: pip install 'tengen\[environments\]'"):
        require("nopackage.module", "environments")
