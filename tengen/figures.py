"""Figures of matplotlib, which is an optional dependency."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tengen.errors import TengenError, shortened
from tengen.files import replacing

SUFFIXES = (".png", ".svg")


def new_figure(width: float, height: float, who: str = "pictures need", hint: str = "", **options: Any) -> Any:
    """Return an empty figure of a size in inches, drawn without a screen.

    Raises TengenError if matplotlib is missing; `who` begins its sentence and `hint` ends it.
    """
    try:
        import matplotlib
    except ImportError:
        raise TengenError(f"{who} matplotlib: pip install 'tengen[plots]'{hint}") from None
    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), **options)


def check_format(path: Path) -> None:
    """Raise TengenError if the suffix of a picture's file is neither .png nor .svg."""
    if path.suffix.lower() not in SUFFIXES:
        given = shortened(path.suffix or path.name)
        raise TengenError(f"unknown picture format {given}; choose from: {', '.join(SUFFIXES)}")


@contextmanager
def plot_style(settings: Mapping[str, Any]) -> Iterator[None]:
    """Draw with matplotlib's defaults and these settings, whatever the user's own settings are.

    Text is drawn as it is, without formulas between dollar signs, and stays text in SVG files.
    """
    new_figure(1, 1)  # raises if matplotlib is missing
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        fixed: dict[Any, Any] = {"text.parse_math": False, "svg.fonttype": "none", "svg.hashsalt": "tengen"}
        matplotlib.rcParams.update(fixed | dict(settings))
        yield


def save_figure(figure: Any, path: Path) -> None:
    """Write a figure to a PNG or SVG file atomically; under `plot_style`, the same figure gives the same file."""
    check_format(path)
    unstated = ("Software",) if path.suffix.lower() == ".png" else ("Creator", "Date", "Format", "Type")
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=150, metadata=dict.fromkeys(unstated))
