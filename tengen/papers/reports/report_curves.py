"""Curves of a figure: one per series and variant over the horizontal axis."""

from collections.abc import Sequence
from typing import Any

from tengen.papers.experiment import OURS
from tengen.papers.quantities import Z
from tengen.papers.reports.report_cells import Row
from tengen.papers.reports.report_look import MARKERS, Look, draw_published, errors, legend_text, open_ends

MOST_CURVES = 24
"""Most curves of a panel; the table has all rows."""
SHIFT = 1.6
"""Points between the error bars of two series at the same place."""


def row_of_curve(row: Row) -> bool:
    return row["x"] is not None and bool(row["series"])


def draw_curves(axes: Any, rows: Sequence[Row], series: Sequence[str], form: dict[str, Any], look: Look) -> None:
    """Draw the curves of a panel; `series` are those of the whole figure, so that colours agree between panels.

    Rows without a place on the axis are horizontal lines.
    """
    from matplotlib.transforms import ScaledTranslation

    if form["log_x"]:
        axes.set_xscale("log")
    if form["log_y"]:
        axes.set_yscale("log", nonpositive="clip")
    curves = _by_curve(rows)
    for place, ((name, variant), points) in enumerate(curves.items()):
        colour = look.colour(series.index(name))
        at_place = sorted((row for row in points if _has_place(row, form)), key=lambda row: float(row["x"]))
        move = (place - (len(curves) - 1) / 2) * SHIFT / 72
        shift = axes.transData + ScaledTranslation(move, 0, axes.figure.dpi_scale_trans)
        _draw_points(axes, at_place, shift, look, **_style(series.index(name), variant, look))
        for row in points:
            if not _has_place(row, form):
                _draw_level(axes, row, colour)
            elif row["published"] is not None:
                half = Z * (row["published_error"] or 0.0)
                draw_published(axes, look, row["x"], row["published"], colour, yerr=half)
    if form["reference"] is not None:
        axes.axhline(form["reference"], color=look.faint, linestyle=":", linewidth=1.2, zorder=0.5)
    look.format_axis(axes.xaxis, sorted({float(row["x"]) for row in rows if _has_place(row, form)}))
    look.format_axis(axes.yaxis)


def legend_of_curves(panels: Sequence[Sequence[Row]], series: Sequence[str], look: Look) -> list[Any]:
    """Return the entries of the legend: one per named curve of the figure."""
    from matplotlib.lines import Line2D

    curves = dict.fromkeys(key for rows in panels for key in _by_curve(rows))
    several = len({name for name, _ in curves}) < len(curves)
    return [
        Line2D([], [], label=legend_text(f"{name} ({variant})" if several else name),
               **_style(series.index(name), variant, look))
        for name, variant in curves
        if name
    ]  # fmt: skip


def _by_curve(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    curves: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        curves.setdefault((row["series"], row["variant"]), []).append(row)
    return dict(list(curves.items())[:MOST_CURVES])


def _has_place(row: Row, form: dict[str, Any]) -> bool:
    return row["x"] is not None and (row["x"] > 0 or not form["log_x"])


def _style(place: int, variant: str, look: Look) -> dict[str, Any]:
    return {
        "color": look.colour(place),
        "marker": MARKERS[place % len(MARKERS)],
        "markersize": 5.5,
        "linestyle": "--" if variant == OURS else "-",
        "linewidth": 1.6,
    }


def _draw_points(axes: Any, rows: Sequence[Row], shift: Any, look: Look, **style: Any) -> None:
    known = [row for row in rows if row["value"] is not None]
    places, values = [row["x"] for row in known], [row["value"] for row in known]
    if known:
        axes.errorbar(
            places, values, yerr=errors(known), capsize=2.5, elinewidth=1.0, transform=shift, zorder=2.5, **style
        )
        axes.update_datalim(
            [(row["x"], end) for row in known for end in (row["value"], row["low"], row["high"]) if end is not None]
        )
    for row in rows:
        if row["value"] is None:
            for end, marker in open_ends(row, "v^"):
                axes.plot(row["x"], end, marker=marker, markersize=8, color=style["color"], linestyle="")


def _draw_level(axes: Any, row: Row, colour: str) -> None:
    """Draw a row without a place on the axis as a horizontal line with its interval."""
    if row["value"] is not None:
        axes.axhline(row["value"], color=colour, linestyle="-.", linewidth=1.3, zorder=1)
    if row["low"] is not None and row["high"] is not None:
        axes.axhspan(row["low"], row["high"], color=colour, alpha=0.1, linewidth=0, zorder=0.4)
