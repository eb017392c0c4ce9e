"""Other programs doing the same work, for comparison in the same run."""

from collections.abc import Callable
from typing import Any

from tengen.errors import TengenError
from tengen.games.game import Game
from tengen.games.go.game import Go
from tengen.games.havannah.game import Havannah
from tengen.games.othello.game import Othello

PYTHON = "open_spiel_python"
PEERS = ("open_spiel", PYTHON)
"""OpenSpiel's search in C++, and the one in Python."""
PYTHON_TREE = 500
"""Simulations in each fresh tree of the search in Python."""


class MissingPeer(TengenError):
    """A peer that is not installed, or not known."""


def check_peer(peer: str) -> None:
    """Complain if a peer cannot be measured here."""
    if peer not in PEERS:
        raise MissingPeer(f"'{peer}' is no peer to measure against: there is {', '.join(PEERS)}")
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        raise MissingPeer("OpenSpiel is not installed: pip install 'tengen[open-spiel]' adds it") from None


def open_spiel_name(game: Game) -> str:
    """How OpenSpiel calls a game of ours."""
    match game:
        case Go():
            return f"go(board_size={game.size},komi={game.komi})"
        case Othello(size=8):
            return "othello"
        case Havannah():
            return f"havannah(board_size={game.base},swap={game.swap})"
    return _name_of_other(game)


def _name_of_other(game: Game) -> str:
    """Return OpenSpiel's name of a game that has the same name there, with the size of its board."""
    import pyspiel

    name = game.name.replace("-", "_")
    if name in pyspiel.registered_names():
        if game.board_size is None:
            return name
        if "board_size" in pyspiel.load_game(name).get_parameters():
            return f"{name}(board_size={game.size_value})"
    raise MissingPeer(f"OpenSpiel does not play {game}")


def no_work(peer: str) -> Callable[[int], object]:
    """For work that is measured beside other work of ours."""
    raise MissingPeer(f"{peer} does not do this work")


def playout_work(peer: str, game: Game) -> Callable[[int], object]:
    """Random playouts in OpenSpiel: in its C++, one simulation of its search, whose leaf is valued by so many playouts.

    Its random players of Go fill their own eyes and stop at a length of their own, so the games are not the same.
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
    """Simulations of OpenSpiel's search with random playouts, one a leaf, in one fresh tree."""
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
