"""Options shared by several commands.

A shared option has the same name, limits and meaning everywhere; each command sets its own default.
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tengen.errors import TengenError, shortened
from tengen.games.catalogue import DEFAULT_GAME as DEFAULT_GAME
from tengen.games.catalogue import game_names
from tengen.interfaces.cli.completion import games, player_names
from tengen.levels import LEVELS_PER_GAME

if TYPE_CHECKING:
    from tengen.arena.runner import GamesBackend
    from tengen.parallel import Backend

DEFAULT_SECONDS = 2
"""Seconds per move if nothing else limits a search."""


def player_argument(help: str, **details: Any) -> Any:
    """Return an argument that describes a player, with completion of names."""
    return typer.Argument(help=help, autocompletion=player_names, **details)


def player_option(help: str, **details: Any) -> Any:
    """Return an option that describes a player, with completion of names."""
    return typer.Option(help=help, autocompletion=player_names, **details)


def json_flag(help: str) -> Any:
    """Return the option --json."""
    return typer.Option("--json", help=help)


def game_name(given: str) -> str:
    """Return the name of a game, given by its name or by a Python file that defines it."""
    if not given.endswith(".py"):
        return given
    from tengen.plugins import game_of_plugin

    return game_of_plugin(given)


GameName = Annotated[
    str,
    typer.Option(
        help=f"Game: {', '.join(game_names())}, a Python file that defines one, or open_spiel:NAME.",
        autocompletion=games,
        callback=game_name,
    ),
]
Size = Annotated[int | None, typer.Option(help="Board size; its unit and default depend on the game.")]
Komi = Annotated[
    float | None, typer.Option(help="Komi: points for White, in games that have komi. Default: that of the game.")
]
Level = Annotated[
    int | None,
    typer.Option(min=1, max=LEVELS_PER_GAME, help="Strength from 1 (weakest) to 10 (strongest), instead of a player."),
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the random numbers.")]
RandomMoves = Annotated[
    int, typer.Option(min=0, help="Number of random opening moves; both games of a pair get the same.")
]
GPU = "gpu"
"""Name of the backend that plays many games at once on a GPU."""
GamesWorkers = Annotated[
    int,
    typer.Option(
        min=0,
        help="Number of worker processes, 0: one per core; with the backend gpu, of games at once, 0: as many as fit.",
    ),
]
GamesBackendName = Annotated[
    str,
    typer.Option(
        help="What plays the games: processes (this machine), ray (a cluster), or gpu (searches limited by simulations,"
        " many games at once)."
    ),
]
Workers = Annotated[int, typer.Option(min=0, help="Number of worker processes; 0: one per core.")]
BackendName = Annotated[str, typer.Option(help="Backend of the workers: processes (this machine) or ray (a cluster).")]
Address = Annotated[str, typer.Option(help="Address of a Ray cluster. Default: start Ray on this machine.")]


@dataclass(frozen=True)
class Pool:
    """A backend: its name, the number of workers (0: one per core), and the address of a cluster."""

    backend: str = "processes"
    workers: int = 0
    address: str = ""

    def start(self) -> "AbstractContextManager[Backend]":
        from tengen import parallel

        return parallel.start(self.backend, self.workers, self.address)

    def open(self) -> "AbstractContextManager[Backend]":
        """Start the backend; a single worker on this machine works in this process."""
        from tengen.parallel.in_process import InProcess

        return InProcess() if self.workers == 1 and self.backend == "processes" else self.start()

    def start_games(self) -> "AbstractContextManager[GamesBackend]":
        """Start the backend of games, which may be a GPU: `workers` is then the number of games at once."""
        from tengen.parallel import BACKENDS

        if self.backend not in (*BACKENDS, GPU):
            raise TengenError(f"unknown backend {shortened(self.backend)}; choose from: {', '.join((*BACKENDS, GPU))}")
        if self.backend != GPU:
            return self.start()
        from tengen.arena.many_games import ManyGames

        if self.address:
            raise TengenError("the backend 'gpu' runs on this machine: an address needs the backend 'ray'")
        return nullcontext(ManyGames(self.workers))


def check_player_or_level(player: str, level: int | None, name: str) -> None:
    """Raise TengenError if both a player, by the parameter `name`, and a level are given."""
    if player and level is not None:
        raise TengenError(f"{name} and --level exclude each other")
