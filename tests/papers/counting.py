"""Measurements and an experiment that are cheap, for tests of the runner."""

from pathlib import Path

from tengen.errors import TengenError
from tengen.games.othello.game import Othello
from tengen.papers.experiment import (
    Above,
    Experiment,
    Figure,
    Match,
    Measurement,
    Ordering,
    Published,
    Row,
    Settings,
)
from tengen.papers.quantities import MARGIN, mean_of
from tengen.papers.reproduction import Backends
from tengen.parallel.in_process import InProcess


def squares(part: int, *, calls: str, fails_at: int = -1) -> dict[str, float]:
    """Return the square of the number of a part, and write the number to a file."""
    if part == fails_at:
        raise TengenError("this part fails")
    with Path(calls).open("a") as file:
        file.write(f"{part}\n")
    return {"square": float(part * part)}


IN_PROCESS = Backends(InProcess, InProcess, 1)


def experiment(calls: Path, fails_at: int = -1) -> Experiment:
    """Return an experiment of a measurement and two matches of 4x4 Othello."""

    def rows(settings: Settings) -> list[Row]:
        measured = Measurement("squares", squares, settings.samples, {"calls": str(calls), "fails_at": fails_at})
        match = Match("random", "random:seed=2", Othello(4), settings.games)
        return [
            Row("mean square", measured, mean_of("square", "square", decimals=2), Published(3.5, 0.1)),
            Row("random", match, published=Published(50), series="won"),
            Row("random, margin", match, MARGIN, series="margin"),
            Row("random, other seed", Match("random", "random:seed=2", Othello(4), settings.games, seed=2)),
        ]

    return Experiment(
        id="tests/counting",
        title="Squares",
        source="none",
        about="Squares, and games.",
        rows=rows,
        figure=Figure(y="value"),
        scales={"quick": Settings(games=4, samples=4), "paper": Settings(games=8, samples=8)},
        findings=(Above(("mean square",), 1.0, "squares are large"), Ordering(("random", "mean square"), "nothing")),
    )
