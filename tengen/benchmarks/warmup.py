"""Compile what the usual commands need, by using it once."""

from collections.abc import Callable

from tengen.benchmarks.rows import GAMES, playout_work
from tengen.games.game import Game
from tengen.games.go.game import Go, GoPosition
from tengen.games.havannah.game import Havannah

OTHER_GAMES: dict[str, Game] = {"go of other sizes": Go(5), "havannah with swap": Havannah(4, swap=True)}


def warm_up(say: Callable[[str], object]) -> None:
    """Play a few moves and a playout of every game."""
    for label, game in {**GAMES, **OTHER_GAMES}.items():
        say(label)
        playout_work(game)(1)
        use_position(game)


def use_position(game: Game) -> None:
    """Use what a Position offers, once."""
    position = game.start()
    for _ in range(2):
        position.play(position.legal_moves()[0])
    game.from_diagram(position.diagram())
    _ = position.is_over, position.winner, position.score
    if isinstance(position, GoPosition):
        position.atari(position.history[0].notation)
