"""The same work in other programs, for comparison in the same run."""

from collections.abc import Callable
from typing import Any

from tengen.adapters.open_spiel_names import name_in_open_spiel
from tengen.errors import TengenError
from tengen.games.game import Game

PYTHON = "open_spiel_python"
PEERS = ("open_spiel", PYTHON)
"""OpenSpiel's search in C++, and the one in Python."""
PYTHON_TREE = 500
"""Simulations in each fresh tree of the search in Python."""


class MissingPeer(TengenError):
    """A peer that is unknown or not installed."""


def check_peer(peer: str) -> None:
    """Raise MissingPeer if a peer is unknown or not installed."""
    if peer not in PEERS:
        raise MissingPeer(f"unknown peer '{peer}'; choose from: {', '.join(PEERS)}")
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        raise MissingPeer("OpenSpiel is not installed: pip install 'tengen[open-spiel]'") from None


def open_spiel_name(game: Game) -> str:
    """Return OpenSpiel's name of a game. Raises MissingPeer if it does not play the game."""
    name = name_in_open_spiel(game)
    if name is None:
        raise MissingPeer(f"OpenSpiel does not play {game}")
    return name


def no_work(peer: str) -> Callable[[int], object]:
    """Raise MissingPeer, for rows without a peer."""
    raise MissingPeer(f"{peer} does not do this work")


def playout_work(peer: str, game: Game) -> Callable[[int], object]:
    """Return work of random playouts in OpenSpiel.

    In its C++, one simulation of a search whose leaf is evaluated by that many playouts. Its random players of Go fill
    their own eyes and stop at another length, so the games differ from ours.
    """
    check_peer(peer)
    import pyspiel

    theirs = pyspiel.load_game(open_spiel_name(game))
    state = theirs.new_initial_state()
    if peer == PYTHON:
        return lambda count: _python_evaluator(count).evaluate(state)

    def work(count: int) -> object:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=count, seed=1)
        bot = pyspiel.MCTSBot(theirs, evaluator, 1.0, 1, 100, False, 1, False)
        return bot.step(state)

    return work


def search_work(peer: str, game: Game) -> Callable[[int], object]:
    """Return work of simulations of OpenSpiel's search, with one random playout per leaf, in one fresh tree."""
    check_peer(peer)
    import pyspiel

    theirs = pyspiel.load_game(open_spiel_name(game))
    state = theirs.new_initial_state()
    if peer == PYTHON:
        return lambda count: _python_search(theirs, count).step(state)

    def work(count: int) -> object:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
        bot = pyspiel.MCTSBot(theirs, evaluator, 1.0, count, 1000, False, 1, False)
        return bot.step(state)

    return work


def _python_evaluator(rollouts: int) -> Any:
    import numpy as np
    from open_spiel.python.algorithms import mcts

    return mcts.RandomRolloutEvaluator(rollouts, np.random.RandomState(1))


def _python_search(game: Any, simulations: int) -> Any:
    import numpy as np
    from open_spiel.python.algorithms import mcts

    return mcts.MCTSBot(
        game, 1.0, simulations, _python_evaluator(1), solve=False, random_state=np.random.RandomState(1)
    )
