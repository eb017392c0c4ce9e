"""`tengen train urgencies`: learn the urgencies of 3x3 patterns by self-play."""

import inspect
import json
import shlex
import sys
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tengen.interfaces.cli.curves import draw_curve
from tengen.interfaces.cli.options import Address, BackendName, Pool, Workers, json_flag
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
    from tengen.learning.reports import write_report
    from tengen.learning.urgency_plots import plot_curve
    from tengen.learning.urgency_training import UrgencyTraining

    if method not in METHODS:
        raise TengenError(f"unknown method {shortened(method)}; choose from: {', '.join(METHODS)}")
    settings = _settings(method, {name: value for name, value in given.items() if value is not None})
    if not out.resolve().parent.is_dir():
        raise TengenError(f"the folder {out.resolve().parent} does not exist")
    with Lock(out, "training into"):
        training = UrgencyTraining(settings, out)
        try:
            _train(training, steps or DEFAULT_STEPS[method], Pool(backend, workers, address))
        except KeyboardInterrupt:
            done = f"{training.saved_steps:,} {STEP_NAMES[method]}"
            raise KeyboardInterrupt(f"interrupted; the same command continues after {done}") from None
        write_report(training, out.with_name(out.name + ".json"), shlex.join(["tengen", *sys.argv[1:]]))
        if plot:
            draw_curve(training, plot_curve, out.with_name(out.name + ".png"))
    print(json.dumps(training.report()) if as_json else line_of(training))


def _settings(method: str, given: dict[str, Any]) -> Any:
    """Return the settings of a method. Raises TengenError for options of other methods."""
    from tengen.errors import TengenError
    from tengen.options import checked_setting

    known = {entry.name: entry for entry in fields(METHODS[method])}
    for name, value in given.items():
        if name not in known:
            raise TengenError(f"{_flag(name)} has no effect with --method {method}")
        try:
            checked_setting(known[name], value, value)
        except TengenError as error:
            raise TengenError(str(error).replace(name, _flag(name), 1)) from None
    return METHODS[method](**given)


def _flag(name: str) -> str:
    """Return the option of a setting."""
    return "--lambda" if name == "decay" else f"--{name.replace('_', '-')}"


def _train(training: "UrgencyTraining", steps: int, pool: Pool) -> None:
    """Train with a progress bar, and print a line for each measurement."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from tengen.parallel.in_process import InProcess
    from tengen.progress import progress_console

    columns = (TextColumn(f"{training.method.step_name}s"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=progress_console()) as progress:
        bar = progress.add_task("", total=steps, completed=training.progress.steps)
        shown = len(training.progress.curve)

        def watch(training: "UrgencyTraining") -> None:
            nonlocal shown
            progress.update(bar, completed=training.progress.steps)
            if len(training.progress.curve) > shown:
                shown = len(training.progress.curve)
                if training.progress.steps < steps:  # the last line is the result, which goes to standard output
                    progress.console.print(line_of(training), highlight=False, soft_wrap=True)

        with InProcess() if pool.workers == 1 and pool.backend == "processes" else pool.start() as started:
            training.run(steps, started, watch)


def line_of(training: "UrgencyTraining") -> str:
    """Return a line with the last measurement."""
    progress = training.progress
    line = f"{progress.steps:>6,} {training.method.step_name}s, {progress.games:,} games"
    if progress.curve:
        last = progress.curve[-1]
        line += f": {last['zero']:+.1f} points against zero, {last['manual']:+.1f} against manual"
        line += f" (without search), entropy {100 * last['entropy']:.0f} % of uniform"
    return line


def _with_settings(run: Any) -> Any:
    """Return the command with an option for each setting of the methods.

    The options have no defaults, so that it is known which were given.
    """
    signature = inspect.signature(run)
    parameters = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    annotations = {name: kind for name, kind in run.__annotations__.items() if name != "given"}
    for name, owners in _owners().items():
        entry = owners[next(iter(owners))]
        about = [f"{one.default} ({method})" for method, one in owners.items()]
        usual = str(entry.default) if len({one.default for one in owners.values()}) == 1 else ", ".join(about)
        only = "" if len(owners) == len(METHODS) else f" Method {', '.join(owners)}."
        meanings = {method: one.metadata["meaning"] for method, one in owners.items()}
        by_meaning = {text: [method for method in owners if meanings[method] == text] for text in meanings.values()}
        meaning = entry.metadata["meaning"]
        if len(by_meaning) > 1:
            meaning = "; ".join(f"{text} ({', '.join(methods)})" for text, methods in by_meaning.items())
        start = meaning if "=" in meaning else f"{meaning[0].upper()}{meaning[1:]}"
        text = f"{start}.{only} Default: {usual}."
        kind: Any = type(entry.default) | None
        annotation: Any = Annotated[kind, typer.Option(_flag(name), help=text)]
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation))
        annotations[name] = annotation
    run.__signature__ = signature.replace(parameters=parameters)
    run.__annotations__ = annotations
    return run


def _owners() -> dict[str, dict[str, Any]]:
    """Return, by name of a setting, its field in each method that has it."""
    found: dict[str, dict[str, Any]] = {}
    for method, kind in METHODS.items():
        for entry in fields(kind):
            found.setdefault(entry.name, {})[method] = entry
    return found


run = _with_settings(_run)
