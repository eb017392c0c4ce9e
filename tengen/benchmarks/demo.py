"""A random game to show."""

import numpy as np

from tengen.games.game import Game
from tengen.games.interface import uniform_playout
from tengen.rng import seeded


def random_game(game: Game, seed: int) -> list[int]:
    """The moves of a game between two random players, who fill no eyes of their own."""
    states = np.zeros(1, game.state_record)
    game.reset(states[0])
    trace = np.zeros(game.longest_playout + 2, np.uint16)
    length = uniform_playout(states[0], seeded(seed), trace, 0)
    return [int(move) for move in trace[:length]]
