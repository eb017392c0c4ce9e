"""`tengen results FILE`: show statistics of stored games, and export them."""

import json
from pathlib import Path
from typing import Annotated

import typer

from tengen.interfaces.cli.options import json_flag


def run(
    file: Annotated[Path, typer.Argument(help="File of games, JSON lines, or CSV as written by --csv.")],
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER=ELO",
            help="Fix this player's rating, instead of the tournament's anchors. May be repeated.",
        ),
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw ratings and win rates: .png or .svg.")] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write one line per game, without moves.")] = None,
    lines: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all games as JSON lines.")] = None,
    sgf: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write one record per game: SGF for Go, JSON for other games."),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Add the games to this file of games; it is created if it does not exist."),
    ] = None,
    games: Annotated[int, typer.Option(min=0, max=10**9, metavar="N", help="List the last N games.")] = 0,
    as_json: Annotated[bool, json_flag("Print standings and pairings as one JSON object.")] = False,
) -> None:
    """Show standings with ratings, pairings, a cross table and faults of stored games, and export the games.

    The file may be read while games are still being added to it.
    """
    from tengen.arena.exports import write_csv, write_lines, write_records
    from tengen.arena.imports import read_store
    from tengen.arena.live import line_of
    from tengen.arena.plots import plot as draw
    from tengen.arena.store import Store
    from tengen.arena.tables import parse_anchors, report, report_json, standings_of
    from tengen.errors import TengenError, shortened

    with read_store(file) as kept:
        if not kept.has_records and (lines or sgf or store):
            raise TengenError(
                f"{shortened(file, 160)} is CSV, which has no moves; --lines, --sgf and --store need them"
            )
        anchors = parse_anchors(anchor, kept) if anchor else kept.anchors()
        if as_json:
            print(json.dumps(report_json(kept, anchors)))
        else:
            print(report(kept, anchors))
            for played in kept.games(last=games) if games else ():
                print(line_of(played))
        if csv:
            write_csv(kept, csv)
        if lines:
            write_lines(kept, lines)
        if sgf:
            write_records(kept, sgf)
        if plot:
            draw(kept, standings_of(kept, anchors), plot)
        if store:
            with Store(store) as other:
                other.reserve()
                other.add_lines(kept.lines(), str(file))
