"""Figures of matplotlib, which is an optional dependency."""

from typing import Any

from tengen.errors import TengenError


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
