"""`tengen gtp`: the engine for other programs, by the Go Text Protocol."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tengen.interfaces.cli.game_options import DEFAULT_GAME, GameOption, KomiOption, SizeOption
from tengen.interfaces.cli.play import DEFAULT_SECONDS
from tengen.levels import LEVELS_PER_GAME

NAME = "gtp"


def run(
    player: Annotated[
        str,
        typer.Argument(
            help="Who plays, as 'tengen players' describes them; if not said, one that is good at the game."
        ),
    ] = "",
    level: Annotated[
        int | None,
        typer.Option(min=1, max=LEVELS_PER_GAME, help="Strength, from 1 (weakest) to 10, instead of a player."),
    ] = None,
    game: GameOption = DEFAULT_GAME,
    size: SizeOption = None,
    komi: KomiOption = None,
    seconds: Annotated[
        float,
        typer.Option(min=0.01, max=1e6, help="For a move, if neither a clock nor the player's settings limit it."),
    ] = DEFAULT_SECONDS,
    resign: Annotated[
        float | None, typer.Option(min=0.0, max=1.0, help="Give up when no move wins more often than this; 0: never.")
    ] = None,
    ponder: Annotated[bool, typer.Option("--ponder", help="Think in the other side's time, too.")] = False,
    compat: Annotated[
        str, typer.Option(metavar="CLIENT", help="Oblige a client: 'lizzie' gives the version that Lizzie insists on.")
    ] = "",
    log: Annotated[Path | None, typer.Option(metavar="FILE", help="Write down what is said on both sides.")] = None,
) -> None:
    """Let another program play with this engine, by the Go Text Protocol.

    Sabaki, GoGui, Lizzie, KGS, CGOS, OGS and others start it by this command, and talk to it on its standard input and
    output. 'list_commands' tells all that it knows.

    Examples: tengen gtp

    tengen gtp mc-rave:simulations=20000 --resign 0.1

    tengen gtp --game othello --level 5 --ponder
    """
    from tengen.errors import TengenError
    from tengen.games.catalogue import check_game_name
    from tengen.interfaces.gtp.serve import Settings, serve

    check_game_name(game)
    if compat not in ("", "lizzie"):
        raise TengenError(f"there is no client '{compat}' to oblige: there is lizzie")
    if player and level is not None:
        raise TengenError("a player and --level exclude each other")
    chosen = player or ("" if level is None else f"level:number={level}")
    sys.exit(serve(Settings(game, size, komi, chosen, seconds, resign, ponder, compat), log))
