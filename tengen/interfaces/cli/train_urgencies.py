"""`tengen train urgencies`: learn the urgencies of 3x3 patterns by self-play."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tengen.interfaces.cli.options import Address, BackendName, Pool, Workers, json_flag
from tengen.interfaces.cli.settings_options import made_settings, with_settings
from tengen.interfaces.cli.stepwise_progress import check_folder, finish, interrupted_after, train_in_steps
from tengen.learning.urgency_settings import METHODS

if TYPE_CHECKING:
    from tengen.learning.urgency_training import UrgencyTraining

DEFAULT_STEPS = {"1a": 10, "1b": 10, "2": 300, "q": 20}
STEP_NAMES = {"1a": "blocks", "1b": "generations", "2": "rounds", "q": "blocks"}


def _run(
    method: Annotated[
        str,
        typer.Option(
            help="1a: one program; 1b: a population; 2: relative differences at the Monte-Carlo level; q: Q-learning."
        ),
    ],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="File for the table; the same command continues the training.")
    ],
    steps: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=10**9,
            help="Total number of blocks (1a, q), generations (1b) or rounds (2). Default: "
            + ", ".join(f"{count} ({name})" for name, count in DEFAULT_STEPS.items())
            + ".",
        ),
    ] = None,
    workers: Workers = 1,
    backend: BackendName = "processes",
    address: Address = "",
    plot: Annotated[bool, typer.Option(help="Draw the learning curve, as FILE.png.")] = True,
    as_json: Annotated[bool, json_flag("Print the report as one JSON object.")] = False,
    **given: Any,
) -> None:
    """Learn the urgencies of patterns by self-play of pseudo-random players.

    Method 1a: one program plays against itself in blocks of games; Q, the mean result of the games in which a pattern
    was played, is added to its table after each block. Method 1b: the programs of a population learn in the same way
    from games against each other, are tested against the tables zero and manual, and the best half is copied. Method 2:
    the player MC(RLPR) plays against itself; the difference of the log-urgencies of two candidate moves is moved
    towards C times the difference of their evaluations. Method q: an epsilon-greedy program learns Q by Q-learning; its
    table is randomised afterwards.

    The result depends on the settings only, not on the number of workers. FILE.checkpoint is written every 20 seconds:
    after an interrupt or a kill, the same command continues, and ends with the same table as an uninterrupted run.
    FILE.json is a report, FILE.png the learning curve. Use the table with policy=urgency,urgencies=FILE.

    Example: tengen train urgencies --method 2 --size 9 --out mine.urgencies
    """
    from tengen.errors import TengenError, shortened
    from tengen.files import Lock
    from tengen.learning.urgency_plots import plot_curve
    from tengen.learning.urgency_training import UrgencyTraining

    if method not in METHODS:
        raise TengenError(f"unknown method {shortened(method)}; choose from: {', '.join(METHODS)}")
    settings = made_settings(METHODS[method], given, f"has no effect with --method {method}")
    check_folder(out)
    with Lock(out, "training into"):
        training = UrgencyTraining(settings, out)
        try:
            train_in_steps(training, steps or DEFAULT_STEPS[method], Pool(backend, workers, address), line_of)
        except KeyboardInterrupt:
            raise interrupted_after(training) from None
        finish(training, line_of, plot_curve if plot else None, as_json)


def line_of(training: "UrgencyTraining") -> str:
    """Return a line with the last measurement."""
    progress = training.progress
    line = f"{progress.steps:>6,} {training.step_name}s, {progress.games:,} games"
    if progress.curve:
        last = progress.curve[-1]
        line += f": {last['zero']:+.1f} points against zero, {last['manual']:+.1f} against manual"
        line += f" (without search), entropy {100 * last['entropy']:.0f} % of uniform"
    return line


run = with_settings(_run, METHODS)
