"""The figure of a reproduced experiment: bars for tables, curves over an axis, or one quantity over another."""

import textwrap
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen.figures import check_format, new_figure, plot_style, save_figure
from tengen.papers.experiment import OURS, PRINTED
from tengen.papers.quantities import Z
from tengen.papers.reports import report_cells as cells
from tengen.papers.reports.report_cells import Row
from tengen.papers.reports.report_curves import draw_curves, legend_of_curves, row_of_curve
from tengen.papers.reports.report_look import DARK, LIGHT, Look, draw_published, errors, legend_text, open_ends
from tengen.papers.reports.report_scatter import draw_scatter
from tengen.papers.reports.results_file import Result

MOST_BARS = 120
"""Most bars of a panel; the table has all rows."""
MOST_PANELS = 12
WIDTH = 8.0
"""Inches; a grid of curves is wider."""
GRID_WIDTH = 11.0
BAR_HEIGHT = 0.36
"""Inches of a bar with its distance to the next."""
CURVE_HEIGHT = 3.9
CHARACTERS_OF_LABEL = 40


def draw(result: Result, path: Path, *, dark: bool = False) -> None:
    """Draw a result into a PNG or SVG file, for a light or a dark page. The same result gives the same file.

    Raises TengenError for another suffix, or without matplotlib.
    """
    check_format(path)
    look = DARK if dark else LIGHT
    with plot_style(look.settings()), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # glyphs that a font lacks; ranges that an axis cannot show
        scatter = result["figure"].get("scatter")
        title = title_of(result)
        figure = draw_scatter(result, look, scatter, title) if scatter else _draw_panels(result, look, title)
        save_figure(figure, path)


def title_of(result: Result) -> str:
    title = "\n".join(textwrap.wrap(result["title"], 90))
    return f"{title}\n{result['source']}, scale {result['scale']}"


@dataclass(frozen=True)
class Panel:
    """The rows of one quantity, as bars or curves."""

    heading: str
    unit: str
    rows: list[Row]

    @property
    def is_curve(self) -> bool:
        return any(row["x"] is not None for row in self.rows)


def panels(result: Result) -> list[Panel]:
    """Return the panels of a figure. If some rows belong to curves, points without a curve are left to the table."""
    has_curves = any(row_of_curve(row) for row in result["rows"])
    shown = [row for row in result["rows"] if row["x"] is None or row["series"] or not has_curves]
    groups = cells.by_quantity(shown).items()
    return [Panel(cells.heading(*key), key[1], rows) for key, rows in groups][:MOST_PANELS]


def _draw_panels(result: Result, look: Look, title: str) -> Any:
    found = panels(result)
    columns = 2 if len(found) > 2 and all(panel.is_curve for panel in found) else 1
    lines = -(-len(found) // columns)
    heights = [max(_height(panel) for panel in found[columns * line :][:columns]) for line in range(lines)] or [1.0]
    figure = new_figure(WIDTH if columns == 1 else GRID_WIDTH, sum(heights) + 1.1, layout="constrained")
    look.write_title(figure, title)
    if not found:
        return figure
    every = figure.subplots(lines, columns, squeeze=False, height_ratios=heights).flatten()
    series = list(dict.fromkeys(row["series"] for panel in found if panel.is_curve for row in panel.rows))
    for place, (axes, panel) in enumerate(zip(every, found, strict=False)):
        form = result["figure"]
        if panel.unit != found[0].unit:
            form = {**form, "reference": None}
        if panel.is_curve:
            draw_curves(axes, panel.rows, series, form, look)
            axes.set_xlabel(form["x"])
        else:
            _draw_bars(axes, panel, form, look)
        _name(axes, panel, form["y"] if len(found) == 1 else panel.heading)
        _bound(axes, panel)
        axes.set_title(f"({chr(ord('a') + place)})" if len(found) > 1 else "", loc="left", fontsize=9)
    for axes in every[len(found) :]:
        axes.set_axis_off()
    _legend(figure, found, series, look)
    return figure


def _height(panel: Panel) -> float:
    """Return the height of a panel in inches."""
    if panel.is_curve:
        return CURVE_HEIGHT
    lines = sum(max(1, _label(row).count("\n")) for row in panel.rows[:MOST_BARS])
    return BAR_HEIGHT * lines + 0.9


def _name(axes: Any, panel: Panel, name: str) -> None:
    """Name the axis of the values."""
    (axes.set_ylabel if panel.is_curve else axes.set_xlabel)("\n".join(textwrap.wrap(name, 60)))


def _bound(axes: Any, panel: Panel) -> None:
    """End the axis of percentages soon after 0 and 100."""
    if panel.unit == "%":
        low, high = axes.get_ylim() if panel.is_curve else axes.get_xlim()
        room = 2.0 if panel.is_curve else 0.0
        (axes.set_ylim if panel.is_curve else axes.set_xlim)(max(low, -room), min(high, 100.0 + room))


# --- Bars -------------------------------------------------------------------------------------------------------------


def _label(row: Row) -> str:
    lines = textwrap.wrap(cells.short_label(row), CHARACTERS_OF_LABEL, max_lines=3, placeholder=" …")
    return "\n".join(lines) or row["label"][:CHARACTERS_OF_LABEL]


def _draw_bars(axes: Any, panel: Panel, form: dict[str, Any], look: Look) -> None:
    """Draw a horizontal bar per row with its interval, and the published value as a hollow marker."""
    rows = panel.rows[:MOST_BARS]
    if form["log_y"]:
        axes.set_xscale("log", nonpositive="clip")
    are_bars = not form["log_y"] and _has_room_from_zero(rows)
    for place, row in enumerate(rows):
        colour = look.ours if row["variant"] == OURS else look.printed
        if row["value"] is not None:
            if are_bars:
                axes.barh(place, row["value"], height=0.62, color=colour, alpha=look.alpha)
            axes.errorbar(
                row["value"],
                place - 0.09 * are_bars,
                xerr=errors([row]),
                fmt="none" if are_bars else "o",
                color=look.ink if are_bars else colour,
                capsize=2.5,
                linewidth=1.1,
            )
        else:
            for end, marker in open_ends(row, "<>"):
                axes.plot(end, place, marker=marker, markersize=8, color=colour)
        if row["published"] is not None:
            half = Z * (row["published_error"] or 0.0)
            draw_published(axes, look, row["published"], place + 0.13, xerr=half)
    axes.set_yticks(range(len(rows)), [_label(row) for row in rows])
    axes.set_ylim(len(rows) - 0.45, -0.55)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    _write_numbers(axes, rows, look)
    look.format_axis(axes.xaxis)
    if form["reference"] is not None:
        axes.axvline(form["reference"], color=look.faint, linestyle=":", linewidth=1.2, zorder=0.5)
    if len(panel.rows) > len(rows):
        axes.set_xlabel(f"{len(panel.rows) - len(rows):,} more rows are in the table")


def _has_room_from_zero(rows: Sequence[Row]) -> bool:
    """Whether bars from zero show the differences: the range of the values is not small beside their size."""
    ends = [row[key] for row in rows for key in ("value", "published") if row[key] is not None]
    return not ends or min(ends) <= 0 or rows[0]["unit"] == "%" or max(ends) > 1.8 * min(ends) or len(rows) == 1


def _write_numbers(axes: Any, rows: Sequence[Row], look: Look) -> None:
    """Write each row's value to the right of the panel, in a column."""
    for place, row in enumerate(rows):
        axes.annotate(
            cells.number(row["value"], row["decimals"]),
            (1.0, place),
            xycoords=("axes fraction", "data"),
            xytext=(8, 0),
            textcoords="offset points",
            va="center",
            annotation_clip=False,
            fontsize=9,
            color=look.ink,
        )


def _legend(figure: Any, found: Sequence[Panel], series: Sequence[str], look: Look) -> None:
    """Name the colours and markers below the panels."""
    from matplotlib.patches import Patch

    handles = legend_of_curves([panel.rows for panel in found if panel.is_curve], series, look)
    bars = [row for panel in found if not panel.is_curve for row in panel.rows]
    variants = {row["variant"] for row in bars}
    names = {PRINTED: (look.printed, "as printed"), OURS: (look.ours, "our variant")}
    handles += [
        Patch(color=colour, alpha=look.alpha, label=legend_text(f"{name}, with 95 % interval"))
        for variant, (colour, name) in names.items()
        if variant in variants
    ]
    if any(row["published"] is not None for panel in found for row in panel.rows):
        handles.append(look.published_handle())
    if handles:
        figure.legend(handles=handles, loc="outside lower center", ncols=min(4, len(handles)), frameon=False)
