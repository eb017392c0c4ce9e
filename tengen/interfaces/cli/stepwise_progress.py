"""Progress and files of the trainings in steps, for the commands of `tengen train`."""

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.interfaces.cli.curves import draw_curve
from tengen.interfaces.cli.options import Pool

if TYPE_CHECKING:
    from tengen.learning.stepwise import StepwiseTraining


def check_folder(out: Path) -> None:
    """Raise TengenError if the folder of an output file does not exist."""
    from tengen.errors import TengenError

    if not out.resolve().parent.is_dir():
        raise TengenError(f"the folder {out.resolve().parent} does not exist")


def train_in_steps(training: Any, steps: int, pool: Pool, line_of: Callable[[Any], str]) -> None:
    """Train with a progress bar, and print a line for each measurement."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from tengen.progress import progress_console

    columns = (TextColumn(f"{training.step_name}s"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=progress_console()) as progress:
        bar = progress.add_task("", total=steps, completed=training.progress.steps)
        shown = len(training.progress.curve)

        def watch(training: "StepwiseTraining") -> None:
            nonlocal shown
            progress.update(bar, completed=training.progress.steps)
            if len(training.progress.curve) > shown:
                shown = len(training.progress.curve)
                if training.progress.steps < steps:  # the last line is the result, which goes to standard output
                    progress.console.print(line_of(training), highlight=False, soft_wrap=True)

        with pool.open() as started:
            training.run(steps, started, watch)


def interrupted_after(training: "StepwiseTraining") -> KeyboardInterrupt:
    """Return the interrupt with a message that says from where the same command continues."""
    done = f"{training.saved_steps:,} {training.step_name}s"
    return KeyboardInterrupt(f"interrupted; the same command continues after {done}")


def finish(
    training: Any, line_of: Callable[[Any], str], plot_curve: Callable[[Any, Path], None] | None, as_json: bool
) -> None:
    """Write the report FILE.json and the plot FILE.png, and print the result. Without `plot_curve`, draw nothing."""
    from tengen.learning.reports import write_report

    out = training.path
    write_report(training, out.with_name(out.name + ".json"), shlex.join(["tengen", *sys.argv[1:]]))
    if plot_curve is not None:
        draw_curve(training, plot_curve, out.with_name(out.name + ".png"))
    print(json.dumps(training.report()) if as_json else line_of(training))
