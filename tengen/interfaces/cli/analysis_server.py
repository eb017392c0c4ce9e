"""`tengen analysis-server`: analyse many positions for other programs, over KataGo's JSON protocol."""

import sys
from typing import Annotated

import typer

from tengen.interfaces.cli.options import player_option


def run(
    player: Annotated[
        str, player_option("The player that searches ('tengen players' lists the names). Default: that of the game.")
    ] = "",
    threads: Annotated[
        int, typer.Option(min=0, max=256, help="Number of positions that are searched at once; 0: one per core.")
    ] = 0,
    visits: Annotated[
        int,
        typer.Option(
            min=0, max=10**9, help="Visits of a query without maxVisits; 0: those of the player's settings, or 3000."
        ),
    ] = 0,
    winrates_as: Annotated[
        str,
        typer.Option(
            metavar="SIDE", help="The side whose win rates and scores are reported: black, white or sidetomove."
        ),
    ] = "black",
    convert_rules: Annotated[
        bool,
        typer.Option(
            "--convert-rules",
            help="Replace rules that are not supported, such as japanese, by area scoring, with a warning.",
        ),
    ] = False,
    quit_without_waiting: Annotated[
        bool,
        typer.Option(
            "--quit-without-waiting", "-quit-without-waiting", help="At the end of the input, drop open analyses."
        ),
    ] = False,
) -> None:
    """Analyse positions of Go for other programs, over KataGo's JSON protocol.

    KaTrain and tools for reviews start this command and send one query a line on standard input; the responses are
    lines on standard output, in the order in which the analyses end. At the end of the input, open analyses are
    finished.

    Examples: tengen analysis-server

    tengen analysis-server --player tengen:simulations=20000 --threads 2 --convert-rules
    """
    from tengen.errors import TengenError, shortened
    from tengen.games.catalogue import make_game
    from tengen.interfaces.analysis_server.query_reader import VIEWPOINTS
    from tengen.interfaces.analysis_server.running import Settings, serve
    from tengen.parallel import cores
    from tengen.players import parse_player

    if winrates_as.lower() not in VIEWPOINTS:
        raise TengenError(f"--winrates-as must be black, white or sidetomove, not {shortened(winrates_as)}")
    settings = Settings(
        spec=parse_player(player or make_game().default_player),
        threads=threads or cores(),
        visits=visits,
        viewpoint=VIEWPOINTS[winrates_as.lower()],
        converts_rules=convert_rules,
        waits=not quit_without_waiting,
    )
    sys.exit(serve(settings))
