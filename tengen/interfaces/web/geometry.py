"""The form of a board and its stones, for pages: everything comes from the game."""

import math
from functools import cache
from typing import Any, Literal

from tengen.games.game import Game, GameError
from tengen.games.grid import GridGame
from tengen.games.hexagons import HexGame
from tengen.interfaces.web.replies import Cell, Geometry

LETTERS = "bw."
"""The letters of cells in `stones`, by colour."""
ROW_HEIGHT = math.sqrt(3) / 2
"""Distance of the rows of hexagons, in units of the distance of two neighbours."""


@cache
def geometry_of(game: Game) -> Geometry:
    """Return the form of a game's board."""
    named = list(game.named_moves) if isinstance(game, GridGame) else []
    try:
        rows = game.rows(game.start().state)
    except GameError:
        return Geometry(kind="diagram", style="diagram", rows=0, columns=0, cells=[], stars=[], named_moves=named)
    places = [
        (cell.name, row, column)
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
        if cell is not None
    ]
    kind: Literal["grid", "hexagons"] = "hexagons" if game.board_style == "hexagons" else "grid"
    lean = 0.0 if kind == "grid" else 0.5 if getattr(game, "leans_right", HexGame.leans_right) else -0.5
    left = min((column + lean * row for _, row, column in places), default=0.0)
    height = 1.0 if kind == "grid" else ROW_HEIGHT
    return Geometry(
        kind=kind,
        style=game.board_style,
        rows=len(rows),
        columns=max((len(row) for row in rows), default=0),
        cells=[
            Cell(name=name, row=row, column=column, x=column + lean * row - left, y=row * height)
            for name, row, column in places
        ],
        stars=list(getattr(game, "star_points", ())),
        named_moves=named,
    )


def stones_of(game: Game, state: Any) -> str:
    """Return a letter for each cell, in the order of the geometry; empty if the game defines no cells."""
    try:
        rows = game.rows(state)
    except GameError:
        return ""
    return "".join(LETTERS[cell.colour] for row in rows for cell in row if cell is not None)
