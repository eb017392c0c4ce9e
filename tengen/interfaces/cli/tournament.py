"""`tengen tournament FILE.toml`: play a tournament between several players."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from tengen.arena.limits import MOST_GAMES
from tengen.interfaces.cli.options import Address, GamesBackendName, GamesWorkers, Pool, json_flag


def _show_example(wanted: bool) -> None:
    if wanted:
        from tengen.arena.tournament import EXAMPLE

        print(EXAMPLE, end="")
        raise typer.Exit


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="Tournament file: players, game and pairings.")],
    games: Annotated[
        int,
        typer.Option(min=0, max=MOST_GAMES, help="Games per pairing; 0: as in the tournament file."),
    ] = 0,
    store: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File for the games. Default: as in the tournament file.")
    ] = None,
    workers: GamesWorkers = 0,
    backend: GamesBackendName = "processes",
    address: Address = "",
    example: Annotated[
        bool,
        typer.Option(
            "--example", callback=_show_example, is_eager=True, help="Print a tournament file with every key and exit."
        ),
    ] = False,
    as_json: Annotated[bool, json_flag("Print standings and pairings as one JSON object.")] = False,
) -> None:
    """Play a tournament: a round robin, a gauntlet, or a playoff of matchups.

    The file describes the players, the game and the pairings; tengen tournament --example prints one with every key.

    Every game is stored as it ends: if the tournament is interrupted or killed, the same command continues it.
    """
    from dataclasses import replace

    from tengen.arena.live import LiveView
    from tengen.arena.runner import kept_in_lines, start_and_run
    from tengen.arena.store import Store
    from tengen.arena.tables import report, report_json
    from tengen.arena.tournament import read_tournament

    planned = read_tournament(file)
    planned = planned.with_games(games) if games else planned
    planned = replace(planned, store=store) if store else planned
    with Store(planned.store) as kept, kept_in_lines(kept, planned.lines):
        kept.reserve()
        kept.set_anchors(planned.anchors)
        view = LiveView(planned.pairings, kept.tallies(), anchors=planned.anchors)
        done = start_and_run(planned.pairings, kept, Pool(backend, workers, address).start_games, view=view)
        if as_json:
            print(json.dumps({**report_json(kept, planned.anchors), "failed": len(done.failures)}))
        else:
            print(report(kept, planned.anchors))
            print(f"\nGames in {planned.store}; tengen results {planned.store} shows and exports them.")
    if done.failures:
        sys.exit(f"tengen: {len(done.failures)} games failed, the last one: {done.failures[-1][1].strip()}")
