"""Compilation of the kernels of the usual commands, by calling each once."""

import fnmatch
from collections.abc import Callable
from functools import partial

from tengen import jit
from tengen.benchmarks.rows import GAMES, playout_work
from tengen.errors import TengenError
from tengen.games.game import Game
from tengen.games.go.game import Go, GoPosition
from tengen.games.havannah.game import Havannah
from tengen.jit.cache import why_not_kept
from tengen.parallel import cores
from tengen.parallel.in_process import InProcess
from tengen.parallel.processes import Processes
from tengen.players import parse_player

PLAYERS = ("uct", "mc-rave", "mc-rave:policy=mogo,prior=mogo", "tengen")
BOARDS_OF_GUIS = ("go13", "go19")
"""Board sizes at which GTP clients start the default player; otherwise its first move would wait for the compiler."""
OTHER_GAMES: dict[str, Game] = {"go of other sizes": Go(5), "havannah with swap": Havannah(4, swap=True)}


def steps() -> dict[str, Callable[[], None]]:
    """Return by name: a few moves and a playout of every game, and a move of the usual players.

    The usual players move on 9x9, the default player also on larger boards.
    """
    found: dict[str, Callable[[], None]] = {}
    for label, game in {**GAMES, **OTHER_GAMES}.items():
        found[label] = partial(use_game, game)
    for player in PLAYERS:
        found[f"go9 {player}"] = partial(use_player, player, GAMES["go9"])
    for label in BOARDS_OF_GUIS:
        found[f"{label} tengen"] = partial(use_player, "tengen", GAMES[label])
    return found


def warm_up(only: str = "*") -> None:
    """Compile the kernels of the steps whose names match a pattern, in this process."""
    for label, step in steps().items():
        if fnmatch.fnmatchcase(label, only):
            step()


def warm_up_in_processes(say: Callable[[str], object]) -> int:
    """Compile the kernels of all steps in worker processes, one for each core; return the number of kernels.

    The steps of one board share kernels, so they are one task. `say` is called with the name of each step that is done.
    Kernels that cannot be cached are compiled in this process, which says so.
    """
    boards: dict[str, list[str]] = {}
    for label in steps():
        boards.setdefault(label.partition(" ")[0], []).append(label)
    workers, compiled = min(cores(), len(boards)), 0
    with InProcess() if why_not_kept() else Processes(workers, imports_main=False) as backend:
        for done in backend.run(_Compiler, boards.values()):
            if done.error:
                raise TengenError(done.error)
            compiled += done.result
            for label in done.task:
                say(label)
    return compiled


class _Compiler:
    """A worker that does steps and returns the number of kernels compiled meanwhile."""

    def __call__(self, labels: list[str]) -> int:
        before, known = len(jit.compilations()), steps()
        for label in labels:
            known[label]()
        return sum(not compilation.nested for compilation in jit.compilations()[before:])


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
