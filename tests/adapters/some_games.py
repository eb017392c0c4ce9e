"""Games of several kinds for the tests of environments: those of the package, and one from a user's file."""

from random import Random

import numpy as np
from connect_four import ConnectFour

from tengen import Go, Havannah, Othello
from tengen.games.game import Game

GAMES: list[Game] = [Go(5, komi=-30.5), Othello(6), Havannah(4, swap=True), ConnectFour()]
"""With this komi Black always wins at Go, so that both results occur: a player of ours wins against random actions."""
NAMES = [game.name for game in GAMES]


def drawn_action(chance: Random, mask: np.ndarray) -> int:
    """Return a random legal action, one time in ten the last, which is the pass in Go, so that games are short."""
    legal: list[int] = np.flatnonzero(mask).tolist()
    return legal[-1] if chance.random() < 0.1 else chance.choice(legal)
