"""The options that say which game is played, shared by the commands that take one."""

from typing import Annotated

import typer

from tengen.games.catalogue import DEFAULT_GAME as DEFAULT_GAME
from tengen.games.catalogue import game_names

GAMES = ", ".join(game_names())
GameOption = Annotated[str, typer.Option("--game", help=f"The game: {GAMES}.")]
SizeOption = Annotated[
    int | None,
    typer.Option("--size", help="Size of the board, as the game counts it; by default, its usual one."),
]
KomiOption = Annotated[
    float | None, typer.Option("--komi", help="Points that White gets for moving second, in games that have komi.")
]
