"""Compilation of the kernels of the usual commands, by calling each once."""

import fnmatch
from collections.abc import Callable
from functools import partial

from tengen.benchmarks.rows import GAMES, playout_work
from tengen.games.game import Game
from tengen.games.go.game import Go, GoPosition
from tengen.games.havannah.game import Havannah
from tengen.players import parse_player

PLAYERS = ("uct", "mc-rave", "mc-rave:policy=mogo,prior=mogo", "tengen")
BOARDS_OF_GUIS = ("go13", "go19")
"""Board sizes at which GTP clients start the default player; otherwise its first move would wait for the compiler."""
OTHER_GAMES: dict[str, Game] = {"go of other sizes": Go(5), "havannah with swap": Havannah(4, swap=True)}


def warm_up(say: Callable[[str], object], only: str = "*") -> None:
    """Compile kernels: a few moves and a playout of every game, and a move of the usual players.

    The usual players move on 9x9, the default player also on larger boards. `say` is called with the name of each
    step; `only` is a pattern for these names.
    """
    steps: dict[str, Callable[[], None]] = {}
    for label, game in {**GAMES, **OTHER_GAMES}.items():
        steps[label] = partial(use_game, game)
    for player in PLAYERS:
        steps[f"go9 {player}"] = partial(use_player, player, GAMES["go9"])
    for label in BOARDS_OF_GUIS:
        steps[f"{label} tengen"] = partial(use_player, "tengen", GAMES[label])
    for label, step in steps.items():
        if fnmatch.fnmatchcase(label, only):
            say(label)
            step()


def use_player(player: str, game: Game) -> None:
    """Let a player choose a move."""
    parse_player(f"{player}{',' if ':' in player else ':'}simulations=10,memory=1").make(game).choose(game.start())


def use_game(game: Game) -> None:
    """Call the methods of a Position and a playout once."""
    playout_work(game)(1)
    position = game.start()
    for _ in range(2):
        position.play(position.legal_moves()[0])
    game.from_diagram(position.diagram())
    _ = position.is_over, position.winner, position.score
    if isinstance(position, GoPosition):
        position.atari(position.history[0].notation)
