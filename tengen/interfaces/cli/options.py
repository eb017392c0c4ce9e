"""Options that several commands share, and the values that travel together.

A shared option has the same name, limits and meaning everywhere; its default is up to the command.
"""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tengen.errors import TengenError
from tengen.games.catalogue import DEFAULT_GAME as DEFAULT_GAME
from tengen.games.catalogue import game_names
from tengen.interfaces.cli.completion import games, player_names
from tengen.levels import LEVELS_PER_GAME

if TYPE_CHECKING:
    from tengen.parallel import Backend

DEFAULT_SECONDS = 2
"""For a move, where nothing else limits a search."""


def player_argument(help: str, **details: Any) -> Any:
    """An argument that describes a player, with completion of names."""
    return typer.Argument(help=help, autocompletion=player_names, **details)


def player_option(help: str, **details: Any) -> Any:
    """An option that describes a player, with completion of names."""
    return typer.Option(help=help, autocompletion=player_names, **details)


def json_flag(help: str) -> Any:
    """The option --json."""
    return typer.Option("--json", help=help)


def game_name(given: str) -> str:
    """Return the name of a game, also of one that is given by a Python file."""
    if not given.endswith(".py"):
        return given
    from tengen.plugins import game_of_plugin

    return game_of_plugin(given)


GameName = Annotated[
    str,
    typer.Option(
        help=f"The game: {', '.join(game_names())}, or a Python file that defines one.",
        autocompletion=games,
        callback=game_name,
    ),
]
Size = Annotated[int | None, typer.Option(help="Size of the board, as the game counts it; by default, its usual one.")]
Komi = Annotated[float | None, typer.Option(help="Points that White gets for moving second, in games that have komi.")]
Level = Annotated[
    int | None,
    typer.Option(min=1, max=LEVELS_PER_GAME, help="Strength from 1 (weakest) to 10, instead of a player."),
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the random numbers; another seed gives other games.")]
RandomMoves = Annotated[int, typer.Option(min=0, help="Random moves before each pair of games.")]
Workers = Annotated[int, typer.Option(min=0, help="Number of worker processes; 0: one per core.")]
BackendName = Annotated[str, typer.Option(help="Where workers run: processes, or ray for several machines.")]
Address = Annotated[str, typer.Option(help="Address of a Ray cluster; without one, Ray runs on this machine.")]


@dataclass(frozen=True)
class Pool:
    """Worker processes: the backend, their number (0: one per core), and the address of a cluster."""

    backend: str = "processes"
    workers: int = 0
    address: str = ""

    def start(self) -> "AbstractContextManager[Backend]":
        from tengen import parallel

        return parallel.start(self.backend, self.workers, self.address)


def check_player_or_level(player: str, level: int | None, name: str) -> None:
    """Raise TengenError if both a player, by the parameter `name`, and a level are given."""
    if player and level is not None:
        raise TengenError(f"{name} and --level exclude each other")
