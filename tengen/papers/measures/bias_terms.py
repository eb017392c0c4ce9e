"""The exploration terms of UCB1 at the root, C sqrt(log s / n_j), by search players on the same random positions."""

import random
from collections.abc import Mapping

import numpy as np

from tengen.games.catalogue import game_from_json
from tengen.games.game import Game, Position
from tengen.papers.experiment import Result
from tengen.players import parse_search
from tengen.search.search import Search

WEIGHTED = " by visits"
"""Ends the name of the mean in which each move counts with its share of the visits."""


def bias_terms(part: int, *, players: Mapping[str, str], game: Mapping[str, object], most_moves: int) -> Result:
    """Return for each label the mean exploration term of the moves of one position, and their mean by visits.

    The position is after 0 to `most_moves` random moves. Moves that the search never selected have no term. With
    Discounted UCT, n_j and s are the discounted numbers.
    """
    rules = game_from_json(dict(game))
    position = random_position(rules, part, most_moves)
    result: Result = {}
    for label, player in players.items():
        search = Search(parse_search(player, rules), rules)
        search.reseed(part)
        search.set_position(position)
        search.run(search.config.simulations)
        result[label], result[label + WEIGHTED] = mean_terms(search)
    return result


def random_position(game: Game, seed: int, most_moves: int) -> Position:
    """Return a position after 0 to `most_moves` random moves, fewer if the game would be over."""
    rng = random.Random(seed)
    position = game.start()
    for _ in range(rng.randint(0, most_moves)):
        position.play(rng.choice(position.legal_moves()))
        if position.is_over:
            position.undo()
            break
    return position


def mean_terms(search: Search) -> tuple[float, float]:
    """Return the mean of the terms at the root, and their mean weighted by visits."""
    root = search.root()
    visits = root.experience()
    visits = visits[visits > 0]
    terms = search.config.settings()["exploration"] * np.sqrt(np.log(max(root.total, 1.0)) / visits)
    return float(terms.mean()), float(np.average(terms, weights=visits))
