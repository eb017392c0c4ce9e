"""`tengen gtp`: the engine for other programs, by the Go Text Protocol."""

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
        player_argument("Who plays, as 'tengen players' describes them; if not said, one that is good at the game."),
    ] = "",
    level: Level = None,
    game: GameName = DEFAULT_GAME,
    size: Size = None,
    komi: Komi = None,
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
