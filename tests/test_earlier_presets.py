"""Presets of earlier versions never change: their settings are stated, and so is a tree."""

import math

import numpy as np
import pytest

from tengen import Go
from tengen.composed_config import settings_of
from tengen.players import parse_player, parse_search
from tengen.search.search import Search

TENGEN_1: dict[str, object] = {
    "simulations": 0, "seconds": 0.0, "threads": 1, "policy": "mogo", "nakade": True, "capture_last": False,
    "two_liberties": True, "save_probability": 1.0, "pattern_probability": 1.0, "capture_probability": 1.0,
    "fill_board": 0, "self_atari_refusal": 0.8, "random_self_atari_refusal": 0.4, "self_atari_stones": 1, "mercy": 0,
    "tree_policy": "mc-rave", "exploration": 0.0, "first_play": math.inf, "rave_first": "either", "bias": 0.02,
    "backup": "mean", "solver": False, "prior": "knowledge", "prior_weight": 5.0, "prior_on": "visits",
    "rule_wins": 1.0, "pattern_wins": 1.0, "capture_wins": 3.0, "large_capture_wins": 4.5, "atari_wins": 0.5,
    "self_atari_losses": 2.5, "near_wins_1": 2.4, "near_wins_2": 2.2, "near_wins_3": 0.8, "first_line_losses": 0.0,
    "low_line_losses": 2.5, "third_line_wins": 2.0, "ladder_wins": 3.0, "ladder_losses": 3.0, "new_node_visit": False,
    "final_move": "visits", "temperature": 0.0, "resign": 0.0, "reuse": True, "memory": 1000, "seed": 1,
}  # fmt: skip
EXPANSIONS: dict[int, dict[str, object]] = {
    9: {"expand": "first"},
    10: {"expand": "first"},
    11: {"expand": "threshold", "expand_visits": 2},
    13: {"expand": "threshold", "expand_visits": 2},
    15: {"expand": "threshold", "expand_visits": 2},
    16: {"expand": "threshold", "expand_visits": 3},
    19: {"expand": "threshold", "expand_visits": 3},
}


@pytest.mark.parametrize("size", EXPANSIONS)
def test_tengen_1_has_the_settings_of_version_0_1(size):
    """Options added later are not stated: that they are off is seen in the golden tree."""
    settings = settings_of(parse_player("tengen-1").on(Go(size)).config)
    stated = {**TENGEN_1, **EXPANSIONS[size]}
    assert {key: settings.get(key) for key in stated} == stated


def test_the_golden_tree_of_tengen_1():
    """For a fixed seed: detects any change of a formula, rule, prior or random number that the preset uses."""
    game = Go(9, 7.5)
    position = game.start()
    for move in ["E5", "C3", "G3", "C7", "D3", "D2", "C2", "E3", "D4", "E2", "C4", "B2"]:
        position.play(move)
    search = Search(parse_search("tengen-1:memory=20", game), game)
    search.set_position(position)
    search.run(1000)
    row = search.row()
    visits = np.where(row.wins >= 0, row.visits, 0)
    found = {game.format_move(int(slot)): int(visits[slot]) for slot in np.flatnonzero(visits > 20)}
    assert found == GOLDEN
    assert int(search.memory.used[0]) == GOLDEN_NODES


GOLDEN = {"A3": 34, "A4": 21, "B1": 36, "B3": 913, "B4": 29, "C1": 61, "D1": 27, "E1": 23, "E7": 32}
GOLDEN_NODES = 1001
