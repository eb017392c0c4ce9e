"""`tengen patterns TABLE`: show the most and the least urgent patterns of a table of urgencies."""

import json
import shutil
from pathlib import Path
from typing import Annotated

import typer

from tengen.interfaces.cli.completion import urgency_tables
from tengen.interfaces.cli.options import json_flag

NARROWEST, WIDEST = 40, 160
"""Limits of the width of the output, in columns; between them it is that of the terminal."""


def run(
    table: Annotated[
        str,
        typer.Argument(
            metavar="TABLE",
            help="Table: zero (all equal), manual (hand-made), rlpr (learnt), or a file.",
            autocompletion=urgency_tables,
        ),
    ],
    count: Annotated[
        int, typer.Option(min=1, max=10_000, help="Number of most urgent and of least urgent patterns.")
    ] = 12,
    place: Annotated[
        str, typer.Option(help="Place on the board: all, inside, second-line, first-line or corner.")
    ] = "all",
    size: Annotated[
        int | None,
        typer.Option(min=2, max=25, help="With rlpr: board size; the table of the nearest size is shown. Default: 9."),
    ] = None,
    image: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the patterns as boards into this file: .svg or .png.")
    ] = None,
    as_json: Annotated[bool, json_flag("Print the patterns and the table's description as one JSON object.")] = False,
) -> None:
    """Show the most and the least urgent 3x3 patterns of a table of the playout policy urgency.

    The policy chooses a move with a probability proportional to its urgency: that of the pattern around the point,
    which rotations and reflections share, and for each chain whose last liberty it is, an urgency per stone. Moves
    that fill an own eye are never chosen and are not listed.

    Show a place:    tengen patterns manual --place first-line

    Draw boards:     tengen patterns manual --count 24 --image manual.svg

    Play by it:      tengen match urgency:urgencies=manual urgency:urgencies=zero --games 100
    """
    from tengen.errors import TengenError
    from tengen.interfaces.pattern_text import Ranking
    from tengen.policies.go.urgency_table import LEARNT, urgency_table

    if size is not None and table != LEARNT:
        raise TengenError(f"--size has an effect only with the table {LEARNT}")
    ranking = Ranking.of(table, urgency_table(table, size or 9), place)
    if image:
        from tengen.interfaces.pattern_images import draw_patterns

        draw_patterns(ranking, count, image)
    if as_json:
        print(json.dumps(ranking.to_json(count)))
    else:
        print(ranking.to_text(count, min(WIDEST, max(NARROWEST, shutil.get_terminal_size().columns))))
