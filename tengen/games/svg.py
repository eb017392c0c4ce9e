"""Boards as SVG pictures, for notebooks, web pages and files.

Generic: the cells come from `Game.rows`, and three attributes of a game change how they are drawn.

    board_style   'squares' (default): stones stand in squares; 'lines': on the crossings of lines; 'hexagons'
    leans_right   hexagons: True (default) if each row lies half a cell to the right of the row above it, False if to
                  the left
    star_points   names of cells that are marked by a dot; none by default

A picture refers to nothing outside itself, and all text in it is escaped.
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape

from tengen.errors import TengenError, shortened
from tengen.games.game import Cell, GameError, Position

UNIT = 40.0
"""Distance between the centres of two neighbouring cells, in the picture's own coordinates."""
MARGIN = 0.7 * UNIT
"""Space between the centres of the outermost labels and the edge of the picture."""
STONE_RADIUS = {"lines": 0.47 * UNIT, "squares": 0.41 * UNIT, "hexagons": 0.41 * UNIT}
"""By board style."""
WOOD, LINE, LABEL = "#dcb35c", "#6b4f1d", "#4a3510"
FILLS = ("#151515", "#fafafa")
"""Of the stones, by colour."""
MARKS = ("#ffffff", "#000000", "#b00020")
"""Of the last move, by the colour of the stone there; the third where the cell is empty."""
SHADE = "#c2003a"
"""Of the heat map."""
STYLE_OF_LABELS = f'fill="{LABEL}" font-family="sans-serif" font-size="{0.48 * UNIT:g}" text-anchor="middle"'

Place = tuple[int, int]
"""Row and column of a cell in `Game.rows`."""


def board_svg(
    position: Position,
    *,
    shades: Mapping[str, float] | None = None,
    titles: Mapping[str, str] | None = None,
    width: int = 400,
) -> str:
    """Return a position as an SVG element `width` pixels wide, with a mark on the last move.

    `shades` has numbers from 0 to 1 by the names of cells: empty cells are coloured by them, as in a heat map. `titles`
    has texts by the names of cells, which a browser shows under the pointer; the others show their names. Raises
    GameError if the game does not define the cells of its board.
    """
    drawing = _Drawing.of(position)
    left, top, right, bottom = drawing.extent()
    across, down = right - left, bottom - top
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.1f} {top:.1f} {across:.1f} {down:.1f}" '
        f'width="{width}" height="{round(width * down / across)}" style="max-width:100%" role="img" '
        f'aria-label="{escape(repr(position))}">',
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{across:.1f}" height="{down:.1f}" rx="6" fill="{WOOD}"/>',
        f'<path d="{drawing.grid()}" fill="none" stroke="{LINE}" stroke-width="1.2" stroke-linecap="square"/>',
        *drawing.stars(getattr(position.game, "star_points", ())),
        *drawing.shaded(shades or {}),
        *drawing.stones(titles or {}),
        *drawing.last_move(position),
        *drawing.labels(),
        "</svg>",
    ]
    return "\n".join(parts)


def board_html(
    position: Position, shades: Mapping[str, float] | None = None, titles: Mapping[str, str] | None = None
) -> str:
    """Return the picture of a position, or its diagram in text if the game does not define the cells of its board."""
    try:
        return board_svg(position, shades=shades, titles=titles)
    except GameError:
        return f"<pre>{escape(position.diagram())}</pre>"


def cell_centres(position: Position) -> dict[Place, tuple[float, float]]:
    """Return the centres of the cells, to the right and down, in units of the distance between neighbours in a row.

    Raises GameError if the game does not define the cells of its board.
    """
    drawing = _Drawing.of(position)
    centres = {place: drawing.centre(place) for place in drawing.cells}
    return {place: (x / UNIT, y / UNIT) for place, (x, y) in centres.items()}


@dataclass(frozen=True)
class _Drawing:
    """The cells of a position, and where they are in the picture."""

    cells: dict[Place, Cell]
    style: str
    shift: float
    """Cells by which a row lies to the right of the row above it."""

    @staticmethod
    def of(position: Position) -> "_Drawing":
        game = position.game
        style = getattr(game, "board_style", "squares")
        if style not in STONE_RADIUS:
            raise TengenError(f"unknown board_style {shortened(style)} of {game.name}: use {', '.join(STONE_RADIUS)}")
        shift = (0.5 if getattr(game, "leans_right", True) else -0.5) if style == "hexagons" else 0.0
        cells = {
            (row, column): cell
            for row, line in enumerate(game.rows(position.state))
            for column, cell in enumerate(line)
            if cell is not None
        }
        return _Drawing(cells, style, shift)

    def centre(self, place: Place) -> tuple[float, float]:
        """Return the coordinates of the middle of a cell, which need not be on the board."""
        row, column = place
        height = math.sqrt(0.75) if self.style == "hexagons" else 1.0
        return UNIT * (column + self.shift * row), UNIT * height * row

    def extent(self) -> tuple[float, float, float, float]:
        """Return the left, top, right and bottom ends of the picture, with space for the labels."""
        places = [self.centre(place) for place in [*self.cells, *(place for place, _ in self._labelled())]]
        left, right = (end(x for x, _ in places) for end in (min, max))
        top, bottom = (end(y for _, y in places) for end in (min, max))
        return left - MARGIN, top - MARGIN, right + MARGIN, bottom + MARGIN

    def grid(self) -> str:
        """Return the path of all lines of the board."""
        if self.style != "lines":
            return "".join(self._outline(place) for place in self.cells)
        path = ""
        for row, column in self.cells:
            x, y = self.centre((row, column))
            path += f"M{x:g} {y:g}h{UNIT:g}" if (row, column + 1) in self.cells else ""
            path += f"M{x:g} {y:g}v{UNIT:g}" if (row + 1, column) in self.cells else ""
        return path

    def _outline(self, place: Place) -> str:
        """Return the path around a cell."""
        x, y = self.centre(place)
        if self.style == "hexagons":
            radius = UNIT / math.sqrt(3.0)
            angles = [math.radians(60 * corner + 30) for corner in range(6)]
            corners = [f"{x + radius * math.cos(angle):.2f} {y + radius * math.sin(angle):.2f}" for angle in angles]
            return f"M{'L'.join(corners)}z"
        return f"M{x - UNIT / 2:g} {y - UNIT / 2:g}h{UNIT:g}v{UNIT:g}h{-UNIT:g}z"

    def _circle(self, place: Place, radius: float, *, attributes: str = "", title: str = "") -> str:
        x, y = self.centre(place)
        begin = f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:g}"{attributes}'
        return f"{begin}><title>{escape(title)}</title></circle>" if title else f"{begin}/>"

    def stars(self, names: Iterable[str]) -> list[str]:
        marked = set(names)
        fill = f' fill="{LINE}"'
        return [
            self._circle(place, 0.09 * UNIT, attributes=fill)
            for place, cell in self.cells.items()
            if cell.name in marked
        ]

    def shaded(self, shades: Mapping[str, float]) -> list[str]:
        """Colour the empty cells; the square root makes small shares visible."""
        found = []
        for place, cell in self.cells.items():
            share = min(1.0, max(0.0, shades.get(cell.name, 0.0)))
            if cell.colour == 2 and share > 0.0:
                attributes = f' fill="{SHADE}" fill-opacity="{0.9 * math.sqrt(share):.3f}"'
                if self.style == "lines":
                    found.append(self._circle(place, STONE_RADIUS[self.style], attributes=attributes))
                else:
                    found.append(f'<path d="{self._outline(place)}"{attributes}/>')
        return found

    def stones(self, titles: Mapping[str, str]) -> list[str]:
        """Draw the stones, and an invisible circle on each empty cell, which has the cell's title."""
        found = []
        radius = STONE_RADIUS[self.style]
        for place, cell in self.cells.items():
            attributes = ' fill="#000" fill-opacity="0"'
            if cell.colour < 2:
                attributes = f' fill="{FILLS[cell.colour]}" stroke="#000000" stroke-width="1"'
            found.append(self._circle(place, radius, attributes=attributes, title=titles.get(cell.name, cell.name)))
        return found

    def last_move(self, position: Position) -> list[str]:
        name = position.history[-1].notation if position.history else None
        found = []
        for place, cell in self.cells.items():
            if cell.name == name:
                attributes = f' fill="none" stroke="{MARKS[cell.colour]}" stroke-width="{0.07 * UNIT:g}"'
                found.append(self._circle(place, 0.2 * UNIT, attributes=attributes))
        return found

    def labels(self) -> list[str]:
        """Write the names of rows and columns beside the board."""
        found = []
        for place, label in self._labelled():
            x, y = self.centre(place)
            found.append(f'<text x="{x:.2f}" y="{y:.2f}" dy=".35em" {STYLE_OF_LABELS}>{escape(label)}</text>')
        return found

    def _labelled(self) -> list[tuple[Place, str]]:
        """Return the places of labels, as cells next to the board, and their texts.

        A column's label is the letters that the names of all its cells begin with, a row's label the digits that they
        end in. They stand before the first cell of each row and column; on boards with straight sides, also after the
        last.
        """
        named = {place: re.fullmatch(r"(\D+)(\d+)", cell.name) for place, cell in self.cells.items()}
        found = []
        for axis, group in ((1, 1), (0, 2)):  # the columns, then the rows
            step = (1, 0) if axis == 1 else (0, 1)
            for index in sorted({place[axis] for place in self.cells}):
                line = sorted(place for place in self.cells if place[axis] == index)
                texts = {match[group] if (match := named[place]) else "" for place in line}
                if len(texts) == 1 and (label := texts.pop()):
                    found.append(((line[0][0] - step[0], line[0][1] - step[1]), label))
                    if self.style != "hexagons":
                        found.append(((line[-1][0] + step[0], line[-1][1] + step[1]), label))
        return found
