"""Colours and common marks of the figures of experiments, for light and for dark pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tengen.papers.reports.report_cells import Row


@dataclass(frozen=True)
class Look:
    """Colours of a figure. Those of curves can be told apart by colour-blind readers (Okabe and Ito)."""

    paper: str
    ink: str
    faint: str
    printed: str
    ours: str
    series: tuple[str, ...]
    alpha: float
    """The opacity of bars."""

    def settings(self) -> dict[str, Any]:
        """Return the settings of matplotlib."""
        settings = dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), self.ink)
        return settings | {
            "font.size": 10,
            "figure.facecolor": self.paper,
            "savefig.facecolor": self.paper,
            "axes.facecolor": self.paper,
            "axes.edgecolor": self.faint,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "axes.axisbelow": True,
            "grid.color": self.faint,
            "grid.alpha": 0.3,
            "grid.linewidth": 0.6,
            "legend.fontsize": 9,
        }

    def colour(self, place: int) -> str:
        """Return the colour of a curve; there are more markers than colours, so that pairs repeat late."""
        return self.series[place % len(self.series)]

    def write_title(self, figure: Any, title: str) -> None:
        figure.suptitle(title, x=0.012, ha="left", fontsize=11)

    def published_handle(self) -> Any:
        """Return the entry of a legend for published values."""
        from matplotlib.lines import Line2D

        return Line2D([], [], linestyle="", label="published", **self.hollow(self.ink))

    def hollow(self, colour: str) -> dict[str, Any]:
        """Return the options of a hollow marker."""
        return {
            "marker": "D",
            "markersize": 6,
            "markerfacecolor": self.paper,
            "markeredgecolor": colour,
            "markeredgewidth": 1.4,
        }

    def format_axis(self, axis: Any, places: Sequence[float] = ()) -> None:
        """Write ordinary numbers at an axis; at a logarithmic one the `places`, if they are far apart."""
        from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))
        if axis.get_scale() == "log":
            low, high = sorted(axis.get_view_interval())
            decades = LogLocator(subs=(1.0,) if high > 500 * low else (1.0, 2.0, 5.0))
            are_apart = len(places) > 1 and all(
                after / before > (places[-1] / places[0]) ** 0.08 for before, after in pairwise(places)
            )
            axis.set_major_locator(FixedLocator(list(places)) if are_apart else decades)
            axis.set_minor_locator(NullLocator())


LIGHT = Look(
    paper="#ffffff",
    ink="#1f2328",
    faint="#7d8590",
    printed="#0072b2",
    ours="#e69f00",
    series=("#0072b2", "#d55e00", "#009e73", "#b5568b", "#a87400", "#2f9fd8", "#6e7781"),
    alpha=0.75,
)
DARK = Look(
    paper="#15191e",
    ink="#e6edf3",
    faint="#7d8590",
    printed="#4aa3df",
    ours="#e69f00",
    series=("#56b4e9", "#f0883e", "#2dc08d", "#e092bf", "#e6c229", "#8fa8ff", "#b1bac4"),
    alpha=0.75,
)
MARKERS = "osv^PXhp*<>"


def errors(rows: Sequence[Row]) -> list[list[float]]:
    """Return the lengths of the error bars of rows with a value, to the lower and to the upper end."""
    lows = [0.0 if row["low"] is None else max(0.0, row["value"] - row["low"]) for row in rows]
    highs = [0.0 if row["high"] is None else max(0.0, row["high"] - row["value"]) for row in rows]
    return [lows, highs]


def open_ends(row: Row, markers: str) -> list[tuple[float, str]]:
    """Return where the arrow of an infinite value begins, and its marker: `markers` point down and up."""
    if row["high"] is not None and row["low"] is None:
        return [(row["high"], markers[0])]
    return [(row["low"], markers[1])] if row["low"] is not None and row["high"] is None else []


def draw_published(axes: Any, look: Look, x: float, y: float, colour: str = "", **error: float) -> None:
    """Draw a published value as a hollow marker; `error` is half of its interval, as `xerr` or `yerr`."""
    colour = colour or look.ink
    shown = {name: half for name, half in error.items() if half > 0.0}
    axes.errorbar(x, y, ecolor=colour, elinewidth=1.1, capsize=2.5, zorder=3, linestyle="", **look.hollow(colour))
    if shown:
        axes.errorbar(x, y, ecolor=colour, elinewidth=1.1, capsize=2.5, zorder=2.9, fmt="none", **shown)


def legend_text(name: str) -> str:
    """Return a name for a legend, which leaves out names that begin with an underscore."""
    return f" {name}" if name.startswith("_") else name
