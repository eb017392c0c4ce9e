"""Speed of search players at the start of a game, measured in alternation so that other load affects all alike."""

import time
from collections.abc import Callable, Mapping

from tengen.games.catalogue import make_game
from tengen.papers.experiment import Result
from tengen.players import parse_search
from tengen.search.search import Search

ROUNDS = 3


def simulations_per_second(
    part: int,
    *,
    players: Mapping[str, str],
    game: str,
    size: int,
    simulations: int,
    now: Callable[[], float] = time.process_time,
) -> Result:
    """Return for each label the simulations per second of processor time in a new tree, the best of three rounds.

    `part` only numbers the repetition.
    """
    rules = make_game(game, size)
    searches = {label: Search(parse_search(player, rules), rules) for label, player in players.items()}
    best = dict.fromkeys(players, 0.0)
    for search in searches.values():
        search.set_position(rules.start())
        search.run(1)  # compile
    for _ in range(ROUNDS):
        for label, search in searches.items():
            search.forget()
            search.set_position(rules.start())
            began = now()
            search.run(simulations)
            best[label] = max(best[label], simulations / max(now() - began, 1e-9))
    return best
