"""Declarations of experiments: rows with their work, the quantity that is read from it, and the published value.

A module per paper declares its experiments by these classes; nothing runs here. The rows of an experiment are a
function of `Settings`, so that one declaration serves every scale.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from tengen.arena.plans import Conditions
from tengen.errors import TengenError, shortened
from tengen.games.game import Game
from tengen.papers.quantities import RATE, Quantity
from tengen.papers.quantities import Published as Published

PRINTED = "as printed"
OURS = "ours"
VARIANTS = (PRINTED, OURS)

SCALES = ("smoke", "quick", "standard", "paper")
"""smoke: two games of 20 simulations, to see that it runs. quick: at most five minutes on two cores. standard: at most
half an hour there, with the published settings and fewer games. paper: the published numbers of games and simulations.
"""


@dataclass(frozen=True)
class Settings:
    """What determines the size of a run. An experiment uses the fields that it needs."""

    games: int = 2
    """Games of each match."""
    simulations: int = 20
    """Simulations per move where the paper has one number; other numbers of the experiment change in proportion."""
    level: int = 0
    """GNU Go's level."""
    samples: int = 2
    """Playouts, positions or other units of each measurement; the experiment says which."""
    steps: int = 1
    """Steps of learning, for experiments that train something."""
    positions: Path | None = None
    """A file of labelled positions in place of those of the package."""
    seed: int = 1
    folder: Path = Path(".")
    """The folder of the run, for files that `prepare` creates."""

    def scaled(self, simulations: int, base: int) -> int:
        """Return a published number of simulations in proportion to this scale; `base` is that of `simulations`."""
        return max(1, round(simulations * self.simulations / base))


SMOKE = Settings()


@dataclass(frozen=True)
class Match:
    """Games between two players, given by their descriptions; colours alternate."""

    player: str
    opponent: str
    game: Game
    games: int
    random_moves: int = 0
    openings: tuple[str, ...] = ()
    move_limit: int = 1000
    seed: int = 1

    def conditions(self) -> Conditions:
        """Return the conditions of the arena."""
        return Conditions(
            game=self.game,
            random_moves=self.random_moves,
            openings=self.openings,
            move_limit=self.move_limit,
            seed=self.seed,
        )


Result = dict[str, float]
"""The numbers of one part of a measurement."""


@dataclass(frozen=True)
class Measurement:
    """A quantity measured in independent parts, each of which is a task for a worker.

    `function(part, **settings)` returns the numbers of one part. It is a function of a module, and its settings are
    JSON values, so that a task can be sent to another process and its result can be found again in a file.
    """

    name: str
    """Unique in the experiment."""
    function: Callable[..., Result]
    parts: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.01
    """Processor time of a part on the machine of `costs`, roughly."""

    def __hash__(self) -> int:
        return hash(self.name)


Work = Match | Measurement


@dataclass(frozen=True)
class Row:
    """One number of a table, or one point of a figure."""

    label: str
    work: Work
    quantity: Quantity = RATE
    published: Published | None = None
    variant: str = PRINTED
    series: str = ""
    """The curve of the figure that the point belongs to, or the column of the table."""
    x: float | None = None
    """The place on the horizontal axis; None: each label has a place of its own."""


@dataclass(frozen=True)
class Figure:
    """The form of an experiment's figure: bars for rows without `x`, one curve per series, or a scatter."""

    y: str
    x: str = ""
    log_x: bool = False
    log_y: bool = False
    reference: float | None = None
    """A horizontal line, such as 50 % in a match between equals."""
    scatter: tuple[str, str] | None = None
    """Names of two quantities to draw instead, the second over the first: a point for each pair of their rows whose
    labels agree up to the first ': '."""


@dataclass(frozen=True)
class Ordering:
    """A finding of the paper: the rows with these labels rise, or fall, in this order."""

    labels: tuple[str, ...]
    meaning: str
    falling: bool = False


@dataclass(frozen=True)
class Above:
    """A finding of the paper: the rows with these labels lie above a value."""

    labels: tuple[str, ...]
    value: float
    meaning: str


Finding = Ordering | Above


@dataclass(frozen=True)
class Experiment:
    """A table or figure of a paper."""

    id: str
    """As in 'gelly-silver-2007/table-2'."""
    title: str
    source: str
    """Where the paper has it, as in 'GellySilver2007, table 2'."""
    about: str
    """What is played or measured, and the paper's settings; one paragraph."""
    rows: Callable[[Settings], list[Row]]
    figure: Figure
    scales: Mapping[str, Settings]
    """Settings of the scales quick, standard and paper."""
    findings: tuple[Finding, ...] = ()
    prepare: Callable[[Settings, Path, int], None] | None = None
    """Creates the files that the rows use, in the folder of the run, with a number of workers; may be resumed."""
    differences: str = ""
    """Why our numbers differ from the published ones: the experiments that show it, a paragraph for each."""

    def settings(self, scale: str, **changes: Any) -> Settings:
        """Return the settings of a scale, with the `changes` that are not None. Raises TengenError for others."""
        if scale not in SCALES:
            raise TengenError(f"unknown scale {scale!r}; choose from: {', '.join(SCALES)}")
        found = SMOKE if scale == "smoke" else self.scales[scale]
        return replace(found, **{name: value for name, value in changes.items() if value is not None})

    def restricted(self, pattern: str) -> "Experiment":
        """Return the experiment with only those rows whose label matches a pattern with wildcards."""

        def matching(settings: Settings) -> list[Row]:
            rows = self.rows(settings)
            found = [row for row in rows if fnmatchcase(row.label, pattern)]
            if not found:
                labels = ", ".join(repr(row.label) for row in rows[:3])
                raise TengenError(
                    f"no row of {self.id} matches {shortened(pattern)}: its {len(rows)} rows are {labels}, ..."
                )
            return found

        return replace(self, rows=matching)

    @property
    def paper(self) -> str:
        return self.id.partition("/")[0]

    @property
    def name(self) -> str:
        return self.id.partition("/")[2]
