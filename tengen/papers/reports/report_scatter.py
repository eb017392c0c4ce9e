"""A figure of one quantity over another: a point per label, with both intervals and the label beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tengen.figures import new_figure
from tengen.papers.experiment import OURS, PRINTED
from tengen.papers.reports import report_cells as cells
from tengen.papers.reports.correlation import spearman
from tengen.papers.reports.report_cells import Row
from tengen.papers.reports.report_look import Look, errors
from tengen.papers.reports.results_file import Result

MOST_POINTS = 200
MOST_LABELS = 60
"""Most points that get their label; more could not be read."""
PLACES = ((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 2), (1, -2), (-1, 2), (-1, -2), (1, 3), (-1, 3), (1, -3), (-1, -3))
"""Where a label may stand, in units of the distance from its point."""
DISTANCE = 6.0
"""Points from a marker to its label."""


Box = tuple[float, float, float, float]
"""Left, bottom, right and top in pixels."""


@dataclass(frozen=True)
class Point:
    """One player or policy with its two rows."""

    name: str
    x: Row
    y: Row

    @property
    def place(self) -> tuple[float, float]:
        return self.x["value"], self.y["value"]


def points(result: Result, quantities: Sequence[str]) -> list[Point]:
    """Return the points: rows of both quantities whose labels agree up to the first ': ' and whose variants agree."""
    sides: list[dict[tuple[str, str], Row]] = [{}, {}]
    for row in result["rows"]:
        for side, quantity in zip(sides, quantities, strict=True):
            if row["quantity"] == quantity and row["value"] is not None:
                side.setdefault((str(row["label"]).partition(": ")[0], row["variant"]), row)
    first, second = sides
    return [Point(key[0], row, second[key]) for key, row in first.items() if key in second][:MOST_POINTS]


def draw_scatter(result: Result, look: Look, quantities: Sequence[str], title: str) -> Any:
    """Return a figure of the second quantity over the first, with their rank correlation below its title."""
    figure = new_figure(8.0, 6.4, layout="constrained")
    look.write_title(figure, title)
    axes = figure.subplots()
    every, form = points(result, quantities), result["figure"]
    found = [point for point in every if _has_place(point, form)]
    if form["log_x"]:
        axes.set_xscale("log", nonpositive="clip")
    if form["log_y"]:
        axes.set_yscale("log", nonpositive="clip")
    for variant, colour in ((PRINTED, look.printed), (OURS, look.ours)):
        shown = [point for point in found if point.x["variant"] == variant]
        if shown:
            axes.errorbar(
                *zip(*(point.place for point in shown), strict=True),
                xerr=errors([point.x for point in shown]),
                yerr=errors([point.y for point in shown]),
                fmt="o",
                color=colour,
                ecolor=_pale(colour),
                elinewidth=1.0,
                label="as printed" if variant == PRINTED else "our variant",
            )
    if form["reference"] is not None:
        axes.axhline(form["reference"], color=look.faint, linestyle=":", linewidth=1.2, zorder=0.5)
    axes.margins(0.12)
    axes.set(xlabel=form["x"] or _heading(result, quantities[0]), ylabel=form["y"] or _heading(result, quantities[1]))
    axes.set_title(correlation_text(every), loc="left", fontsize=10)
    if len({point.x["variant"] for point in found}) > 1:
        axes.legend(frameon=False)
    for axis in (axes.xaxis, axes.yaxis):
        look.format_axis(axis)
    _write_names(figure, axes, found)
    return figure


def _has_place(point: Point, form: dict[str, Any]) -> bool:
    x, y = point.place
    return (x > 0 or not form["log_x"]) and (y > 0 or not form["log_y"])


def _pale(colour: str) -> tuple[str, float]:
    return colour, 0.5


def _heading(result: Result, quantity: str) -> str:
    unit = next((row["unit"] for row in result["rows"] if row["quantity"] == quantity), "")
    return cells.heading(quantity, unit)


def correlation_text(found: Sequence[Point]) -> str:
    """Return Spearman's correlation of the points, with its p-value, as text."""
    correlation = spearman([point.x["value"] for point in found], [point.y["value"] for point in found])
    if correlation is None:
        return f"no correlation from {len(found)} points"
    rho, p = correlation
    shown = cells.p_text(p)
    equals = shown if shown.startswith("<") else f"= {shown}"
    return f"Spearman's ρ = {cells.number(rho, 2)}, p {equals}, {len(found)} points"


def _write_names(figure: Any, axes: Any, found: Sequence[Point]) -> None:
    """Write each label where it covers the fewest points and other labels."""
    figure.draw_without_rendering()  # the layout is known from here on
    figure.set_layout_engine("none")
    centres = [axes.transData.transform(point.place) for point in found]
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in centres]
    taken += [_bar(axes, point, centre) for point, centre in zip(found, centres, strict=True)]
    for point, centre in list(zip(found, centres, strict=True))[:MOST_LABELS]:
        text = axes.annotate(point.name[:40], point.place, textcoords="offset points", xytext=(0, 0), fontsize=8.5)
        extent = text.get_window_extent()
        scale = figure.dpi / 72 * DISTANCE
        boxes = [_box(centre, extent.width, extent.height, (scale * right, scale * up)) for right, up in PLACES]
        inside = axes.get_window_extent()
        costs = [
            sum(_overlap(box, other) for other in taken) + 1e6 * (box[2] > inside.x1 or box[0] < inside.x0)
            for box in boxes
        ]
        best = costs.index(min(costs))
        taken.append(boxes[best])
        right, up = PLACES[best]
        text.set(position=(DISTANCE * right, DISTANCE * up), ha="left" if right > 0 else "right", va="center")


def _bar(axes: Any, point: Point, centre: Sequence[float]) -> Box:
    """Return the box of a point's horizontal error bar."""
    (lower,), (upper,) = errors([point.x])
    x, y = point.place
    (left, _), (right, _) = axes.transData.transform([(x - lower, y), (x + upper, y)])
    return left, centre[1] - 1, right, centre[1] + 1


def _box(centre: Sequence[float], width: float, height: float, move: tuple[float, float]) -> Box:
    """Return the box of a text that is aligned to a point moved from `centre`."""
    x, y = centre[0] + move[0], centre[1] + move[1]
    left = x if move[0] > 0 else x - width
    return left, y - height / 2, left + width, y + height / 2


def _overlap(one: Box, other: Box) -> float:
    """Return the area that two boxes share."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, width) * max(0.0, height)
