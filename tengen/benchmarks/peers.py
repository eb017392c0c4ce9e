"""The same work in other programs, for comparison in the same run."""

from collections.abc import Callable

from tengen.errors import TengenError
from tengen.games.game import Game
from tengen.games.go.game import Go
from tengen.games.havannah.game import Havannah
from tengen.games.othello.game import Othello

PEERS = ("open_spiel",)


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
    """Return OpenSpiel's name of a game."""
    match game:
        case Go():
            return f"go(board_size={game.size},komi={game.komi})"
        case Othello(size=8):
            return "othello"
        case Havannah():
            return f"havannah(board_size={game.base},swap={game.swap})"
    raise MissingPeer(f"OpenSpiel does not play {game}")


def no_work(peer: str) -> Callable[[int], object]:
    """Raise MissingPeer, for rows without a peer."""
    raise MissingPeer(f"{peer} does not do this work")


def playout_work(peer: str, game: Game) -> Callable[[int], object]:
    """Return work of random playouts in OpenSpiel's C++: one simulation whose leaf is evaluated by `count` playouts.

    Its random players of Go fill their own eyes and stop at another length, so the games differ from ours.
    """
    check_peer(peer)
    import pyspiel

    theirs = pyspiel.load_game(open_spiel_name(game))
    state = theirs.new_initial_state()

    def work(count: int) -> object:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=count, seed=1)
        bot = pyspiel.MCTSBot(theirs, evaluator, 1.0, 1, 100, False, 1, False)
        return bot.step(state)

    return work


def search_work(peer: str, game: Game) -> Callable[[int], object]:
    """Return work of simulations of OpenSpiel's C++ search, with one random playout per leaf, in one fresh tree."""
    check_peer(peer)
    import pyspiel

    theirs = pyspiel.load_game(open_spiel_name(game))
    state = theirs.new_initial_state()

    def work(count: int) -> object:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
        bot = pyspiel.MCTSBot(theirs, evaluator, 1.0, count, 1000, False, 1, False)
        return bot.step(state)

    return work
