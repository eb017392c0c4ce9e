"""`tengen gtp`: run as an engine for other programs, over the Go Text Protocol."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tengen.interfaces.cli.options import (
    DEFAULT_GAME,
    DEFAULT_SECONDS,
    GameName,
    Komi,
    Level,
    Size,
    check_player_or_level,
    player_argument,
)


def run(
    player: Annotated[
        str,
        player_argument("The player ('tengen players' lists the names). Default: the game's default player."),
    ] = "",
    level: Level = None,
    game: GameName = DEFAULT_GAME,
    size: Size = None,
    komi: Komi = None,
    seconds: Annotated[
        float,
        typer.Option(min=0.01, max=1e6, help="Seconds per move if neither a clock nor the player's settings limit it."),
    ] = DEFAULT_SECONDS,
    resign: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="Resign when the best move's win rate is below this; 0: never."),
    ] = None,
    ponder: Annotated[bool, typer.Option("--ponder", help="Also search during the opponent's turn.")] = False,
    compat: Annotated[
        str,
        typer.Option(metavar="CLIENT", help="Work around a client: 'lizzie' reports a version that Lizzie accepts."),
    ] = "",
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Append all commands and answers to this file.")
    ] = None,
) -> None:
    """Run as an engine for other programs, over the Go Text Protocol.

    Sabaki, GoGui, Lizzie and the clients of KGS, CGOS and OGS start this command and talk to it on standard input and
    output. The GTP command 'list_commands' lists the commands.

    Examples: tengen gtp

    tengen gtp mc-rave:simulations=20000 --resign 0.1

    tengen gtp --game othello --level 5 --ponder
    """
    from tengen.errors import TengenError
    from tengen.games.catalogue import check_game_name
    from tengen.interfaces.gtp.serve import Settings, serve

    check_game_name(game)
    if compat not in ("", "lizzie"):
        raise TengenError(f"unknown client '{compat}' for --compat; choose from: lizzie")
    check_player_or_level(player, level, "a player")
    settings = Settings(
        game=game,
        size=size,
        komi=komi,
        player=player or ("" if level is None else f"level:number={level}"),
        seconds=seconds,
        resign=resign,
        ponder=ponder,
        compat=compat,
    )
    sys.exit(serve(settings, log))
