"""A page of pictures of patterns, as SVG or as PNG.

A page is a list of shapes, which each format draws in its own way, so that both look alike. Coordinates are those of
games/svg.py, with y downwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from tengen.errors import TengenError
from tengen.figures import check_format, new_figure
from tengen.files import replacing, write_whole
from tengen.games.svg import FILLS, LABEL, LINE, MARKS, STONE_RADIUS, UNIT, WOOD
from tengen.interfaces.pattern_text import Ranking, UrgentPattern, shown_urgency
from tengen.policies.go.pattern_classes import LETTERS, PLACES
from tengen.policies.go.urgency import CODES

COLUMNS = 6
"""Pictures in a row."""
TILE, TILE_HEIGHT = 4.2 * UNIT, 5.1 * UNIT
"""Width of a picture with its margin; height of it with the urgency and the place below."""
MARGIN, HEADING = 0.5 * UNIT, 1.1 * UNIT
SMALL_SIZE, TEXT_SIZE, TITLE_SIZE = 0.45 * UNIT, 0.55 * UNIT, 0.65 * UNIT
PAPER, SHADOW = "#ffffff", "#efe9dc"
"""Of the page, and of the part of a picture that is off the board."""
REACH = 1.46
"""How far a line that goes on reaches from the middle of a picture, in lines; its cap then ends with the board."""
LONGEST_TITLE = 75
"""Characters of a line above the pictures."""
THIN, THICK = 1.2, 2.6
"""Widths of lines inside the board and along its edge."""
INCHES = 0.22 / UNIT
"""Inches of a PNG per unit of the coordinates."""
DOTS_PER_INCH = 150
HIGHEST_PNG = 30_000
"""Most pixels of the height of a PNG."""


@dataclass(frozen=True)
class Box:
    """A part of the board, or of a picture."""

    left: float
    top: float
    right: float
    bottom: float
    fill: str


@dataclass(frozen=True)
class Line:
    """A horizontal or vertical line of the board."""

    start: tuple[float, float]
    end: tuple[float, float]
    width: float


@dataclass(frozen=True)
class Disc:
    """A stone, or the ring on the move, which has no fill."""

    x: float
    y: float
    radius: float
    fill: str
    edge: str
    edge_width: float


@dataclass(frozen=True)
class Label:
    """A text; `anchor` is start or middle."""

    x: float
    y: float
    text: str
    size: float
    anchor: str = "middle"


Shape = Box | Line | Disc | Label


@dataclass(frozen=True)
class Page:
    """Shapes on a white page."""

    width: float
    height: float
    shapes: list[Shape]
    title: str


# --- Patterns as shapes ----------------------------------------------------------------------------------------------


def _lines_end(place: int) -> tuple[float, float]:
    """Return how far the lines of an axis reach from the middle: to the edge of the board, else beyond the picture."""
    return {0: 0.0, 1: -1.0}.get(place, -REACH), {PLACES - 1: 0.0, PLACES - 2: 1.0}.get(place, REACH)


def _board(pattern: int, x: float, y: float) -> list[Shape]:
    """Return the board and the lines around the middle of a pattern; the lines of the edge are thick."""
    rows, columns = (_lines_end(place) for place in divmod(pattern // CODES, PLACES))
    below, above = max(-1.5, rows[0] - 0.5), min(1.5, rows[1] + 0.5)
    left, right = max(-1.5, columns[0] - 0.5), min(1.5, columns[1] + 0.5)
    shapes: list[Shape] = [
        Box(x - 1.5 * UNIT, y - 1.5 * UNIT, x + 1.5 * UNIT, y + 1.5 * UNIT, SHADOW),
        Box(x + left * UNIT, y - above * UNIT, x + right * UNIT, y - below * UNIT, WOOD),
    ]
    for step in (-1, 0, 1):
        if rows[0] <= step <= rows[1]:
            start, end = ((x + at * UNIT, y - step * UNIT) for at in columns)
            shapes.append(Line(start, end, THICK if step in rows else THIN))
        if columns[0] <= step <= columns[1]:
            start, end = ((x + step * UNIT, y - at * UNIT) for at in rows)
            shapes.append(Line(start, end, THICK if step in columns else THIN))
    return shapes


def _stones(drawing: str, x: float, y: float) -> list[Shape]:
    """Return the stones of a pattern, the side to move in black, and a ring on the move."""
    stones: list[Shape] = [Disc(x, y, 0.22 * UNIT, "none", MARKS[2], 0.09 * UNIT)]
    for row, line in enumerate(drawing.split("\n")):
        for column, letter in enumerate(line.split()):
            if letter in LETTERS[:2]:
                place = x + (column - 1) * UNIT, y + (row - 1) * UNIT
                stones.append(Disc(*place, STONE_RADIUS["lines"], FILLS[LETTERS.index(letter)], "#000000", 1.0))
    return stones


def _tile(one: UrgentPattern, x: float, y: float) -> list[Shape]:
    """Return a pattern around the middle (x, y), with its urgency and its place below."""
    urgency = Label(x, y + 2.0 * UNIT, shown_urgency(one.urgency), TEXT_SIZE)
    place = Label(x, y + 2.6 * UNIT, one.place, SMALL_SIZE)
    return [*_board(one.pattern, x, y), *_stones(one.drawing, x, y), urgency, place]


def _section(heading: str, found: Sequence[UrgentPattern], top: float) -> tuple[list[Shape], float]:
    """Return a heading with pictures in rows below it, and where they end."""
    shapes: list[Shape] = [Label(MARGIN, top + 0.5 * HEADING, heading, TITLE_SIZE, "start")]
    top += HEADING
    for number, one in enumerate(found):
        row, column = divmod(number, COLUMNS)
        shapes += _tile(one, MARGIN + (column + 0.5) * TILE, top + row * TILE_HEIGHT + 1.6 * UNIT)
    return shapes, top + -(-len(found) // COLUMNS) * TILE_HEIGHT


def page_of(ranking: Ranking, count: int) -> Page:
    """Return the most and the least urgent patterns of a ranking as a page."""
    lines = [*ranking.summary(), "a ring marks Black's move; thick lines are edges of the board"]
    shapes: list[Shape] = []
    bottom = MARGIN
    for line in lines:
        shown = line if len(line) <= LONGEST_TITLE else f"{line[:LONGEST_TITLE]} ..."
        shapes.append(Label(MARGIN, bottom + 0.5 * TEXT_SIZE, shown, TEXT_SIZE, "start"))
        bottom += 1.6 * TEXT_SIZE
    bottom += 0.2 * HEADING
    for heading, found in ranking.sections(count).items():
        added, bottom = _section(f"{heading} moves", found, bottom)
        shapes += added
    return Page(2 * MARGIN + COLUMNS * TILE, bottom + MARGIN, shapes, lines[0])


# --- Formats ---------------------------------------------------------------------------------------------------------


def _element(shape: Shape) -> str:
    """Return a shape as an element of SVG."""
    match shape:
        case Box(left, top, right, bottom, fill):
            return (
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}" '
                f'fill="{fill}"/>'
            )
        case Line((x, y), (to_x, to_y), width):
            return (
                f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="{LINE}" stroke-width="{width:g}" '
                'stroke-linecap="square"/>'
            )
        case Disc(x, y, radius, fill, edge, width):
            return (
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{fill}" stroke="{edge}" '
                f'stroke-width="{width:g}"/>'
            )
        case Label(x, y, text, size, anchor):
            return (
                f'<text x="{x:.1f}" y="{y:.1f}" dy=".35em" fill="{LABEL}" font-family="sans-serif" '
                f'font-size="{size:g}" text-anchor="{anchor}">{escape(text)}</text>'
            )


def page_svg(page: Page) -> str:
    """Return a page as an SVG document."""
    size = f'width="{page.width / 2:.0f}" height="{page.height / 2:.0f}"'
    begin = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {page.width:.1f} {page.height:.1f}" {size} '
        f'role="img" aria-label="{escape(page.title)}">'
    )
    paper = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
    return "\n".join([begin, paper, *map(_element, page.shapes), "</svg>\n"])


def _add_to(axes: Any, shape: Shape) -> None:
    """Draw a shape with matplotlib, on axes whose data coordinates are those of the page."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle, Rectangle

    points = 72 * INCHES  # per unit of the coordinates
    match shape:
        case Box(left, top, right, bottom, fill):
            axes.add_patch(Rectangle((left, top), right - left, bottom - top, facecolor=fill, linewidth=0, zorder=1))
        case Line((x, y), (to_x, to_y), width):
            drawn = Line2D([x, to_x], [y, to_y], color=LINE, linewidth=width * points, zorder=2)
            axes.add_line(drawn)
        case Disc(x, y, radius, fill, edge, width):
            axes.add_patch(Circle((x, y), radius, facecolor=fill, edgecolor=edge, linewidth=width * points, zorder=3))
        case Label(x, y, text, size, anchor):
            align = {"start": "left", "middle": "center"}[anchor]
            axes.text(x, y, text, color=LABEL, fontsize=size * points, ha=align, va="center", parse_math=False)


def _write_png(page: Page, path: Path) -> None:
    if page.height * INCHES * DOTS_PER_INCH > HIGHEST_PNG:
        raise TengenError("too many patterns for a PNG picture; draw fewer (--count) or an SVG picture")
    figure = new_figure(
        page.width * INCHES, page.height * INCHES, who="PNG pictures need", hint="; SVG pictures do not"
    )
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0, page.width), ylim=(page.height, 0))
    axes.axis("off")
    for shape in page.shapes:
        _add_to(axes, shape)
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=DOTS_PER_INCH)


def draw_patterns(ranking: Ranking, count: int, path: Path) -> None:
    """Draw the most and the least urgent patterns into a file.

    Raises TengenError if its format is unknown, for a PNG without matplotlib, and if the file cannot be written.
    """
    check_format(path)
    page = page_of(ranking, count)
    if path.suffix.lower() == ".svg":
        write_whole(path, page_svg(page))
    else:
        _write_png(page, path)
