"""Our controller and our engine: every registered game is played over the protocol to its end."""

import sys

import pytest

from tengen.engines.gtp_player import GtpPlayer
from tengen.games.catalogue import game_names, make_game

SIZES = {"go": 5}
"""Boards smaller than the usual ones, so that a game of random moves soon ends."""


@pytest.mark.parametrize("name", game_names())
def test_our_engine_plays_both_colours_of_a_whole_game_for_our_controller(name):
    game = make_game(name, SIZES.get(name))
    command = f"{sys.executable} -m tengen gtp random --game {name}"
    players = {colour: GtpPlayer(command, game, timeout=300.0) for colour in ("black", "white")}
    position = game.start()
    try:
        for number, player in enumerate(players.values()):
            player.new_game(seed=number)
        while not position.is_over:
            position.play(players[position.to_play].choose(position))
        for player in players.values():
            player._follow(position)
            shown = position.diagram().split()
            assert player._ask("showboard").split()[: len(shown)] == shown
    finally:
        for player in players.values():
            player.close()
    assert position.winner in ("black", "white", "draw")
