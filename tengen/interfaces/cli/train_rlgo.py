"""`tengen train rlgo`: learn weights of local shapes by self-play."""

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tengen.interfaces.cli.curves import draw_curve
from tengen.interfaces.cli.options import Address, Pool, Seed, json_flag

if TYPE_CHECKING:
    from tengen.learning.training import Training


def run(
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="File for the weights; the same command continues the training.")
    ],
    size: Annotated[int, typer.Option(min=2, max=25, help="Board size.")] = 9,
    games: Annotated[int, typer.Option(min=1, max=10**12, help="Total number of games.")] = 1_000_000,
    komi: Annotated[float, typer.Option(help="Komi: points for White.")] = 7.5,
    features: Annotated[
        str, typer.Option(help="Shapes: squares (1x1, 2x2, 3x3), or rectangles (also 1x2 and 2x3).")
    ] = "squares",
    colour_inversion: Annotated[
        bool, typer.Option(help="Share one weight, with opposite signs, between a shape and its colour inverse.")
    ] = True,
    epsilon: Annotated[float, typer.Option(min=0, max=1, help="Probability of a random move, for both sides.")] = 0.1,
    step_size: Annotated[float, typer.Option(min=0, max=10, help="Step size alpha of the updates.")] = 0.1,
    decay: Annotated[
        float,
        typer.Option(
            "--lambda", min=0, max=1, help="lambda of TD(lambda); 0: TD(0), 1: only the result of the game counts."
        ),
    ] = 0.0,
    step: Annotated[
        str, typer.Option(help="Divisor of alpha: squared-norm or count of the features.")
    ] = "squared-norm",
    update: Annotated[
        str, typer.Option(help="Update the weights after each game (episode) or after each position (online).")
    ] = "episode",
    seed: Seed = 1,
    threads: Annotated[
        int,
        typer.Option(
            min=1,
            max=256,
            help="Number of threads that share the weights; with more than one, results are not reproducible.",
        ),
    ] = 1,
    workers: Annotated[
        int, typer.Option(min=1, help="Number of worker processes; their weights are averaged after each round.")
    ] = 1,
    round_games: Annotated[int, typer.Option(min=1, max=10**9, help="Games per worker and round.")] = 20_000,
    backend: Annotated[
        str,
        typer.Option(
            help="Backend of the workers: processes (this machine) or ray (a cluster); or gpu, for batches of games on "
            "an NVIDIA GPU."
        ),
    ] = "processes",
    batch: Annotated[
        int,
        typer.Option(
            min=1,
            max=2**20,
            help="With --backend gpu: number of games at once, played with the same weights; another number gives "
            "other results.",
        ),
    ] = 1024,
    address: Address = "",
    experience: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="POSITIONS",
            help="At the end, compare the value with searches of this many positions (for prior_weight=variance).",
        ),
    ] = 0,
    experience_simulations: Annotated[int, typer.Option(min=1, help="Simulations of each of these searches.")] = 5000,
    plot: Annotated[bool, typer.Option(help="Draw the learning curve, as FILE.png.")] = True,
    as_json: Annotated[bool, json_flag("Print the report as one JSON object.")] = False,
) -> None:
    """Learn weights of local shapes by self-play.

    Both sides play the move with the highest value, or with probability --epsilon a random one; after each game the
    weights of the shapes on the board are updated by temporal differences. The file is written every 20 seconds: after
    an interrupt or a kill, the same command continues from there, and with one thread and one worker it ends with the
    same weights as an uninterrupted run. FILE.json is a report, FILE.png the learning curve.

    Example: tengen train rlgo --size 9 --games 1000000 --out rlgo-9.weights
    """
    from tengen.errors import TengenError
    from tengen.files import Lock
    from tengen.learning.plots import plot_curve
    from tengen.learning.reports import write_report
    from tengen.learning.training import Training
    from tengen.learning.training_settings import TrainingSettings

    settings = TrainingSettings(
        size=size,
        komi=komi,
        features=features,
        colour_inversion=colour_inversion,
        epsilon=epsilon,
        step_size=step_size,
        decay=decay,
        step=step,
        update=update,
        seed=seed,
        threads=threads,
        workers=workers,
        round_games=round_games if workers > 1 else 0,
        batch=batch if backend == "gpu" else 0,
    )
    if workers == 1 and (backend not in ("processes", "gpu") or address):
        raise TengenError("--backend and --address need more than one worker (--workers)")
    if not out.resolve().parent.is_dir():
        raise TengenError(f"the folder {out.resolve().parent} does not exist")
    with Lock(out, "training into"):
        training = Training(settings, out, device="gpu")
        try:
            _train(training, games, Pool(backend, workers, address))
            if experience:
                _measure_exactness(training, experience, experience_simulations)
        except KeyboardInterrupt:
            reason = f"interrupted after {training.progress.games:,} games; the same command continues"
            raise KeyboardInterrupt(reason) from None
        write_report(training, out.with_name(out.name + ".json"), shlex.join(["tengen", *sys.argv[1:]]))
        if plot:
            draw_curve(training, plot_curve, out.with_name(out.name + ".png"))
    print(json.dumps(training.report()) if as_json else _line(training))


def _train(training: "Training", games: int, pool: Pool) -> None:
    """Train with a progress bar, and print a line for each measurement of the strength."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from tengen.progress import progress_console

    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    with Progress(*columns, TimeRemainingColumn(), console=progress_console()) as progress:
        bar = progress.add_task("", total=games, completed=training.progress.games)
        shown = len(training.progress.curve)

        def watch(training: "Training") -> None:
            nonlocal shown
            so_far = training.progress
            progress.update(bar, completed=so_far.games, description=f"{so_far.games_per_second:,.0f} per second")
            if len(so_far.curve) > shown:
                shown = len(so_far.curve)
                if so_far.games < games:  # the last line is the result, which goes to standard output
                    progress.console.print(_line(training), highlight=False, soft_wrap=True)

        if pool.workers > 1:
            with pool.start() as started:
                training.run(games, watch, started)
        else:
            training.run(games, watch)


def _measure_exactness(training: "Training", positions: int, simulations: int) -> None:
    """Compare the value with searches, with a progress bar."""
    from rich.progress import Progress

    from tengen.progress import progress_console

    with Progress(console=progress_console()) as progress:
        bar = progress.add_task("by search", total=positions)
        training.measure_exactness(positions, simulations, lambda: progress.advance(bar))


def _line(training: "Training") -> str:
    """Return a line with the number of games, the speed and the last measured strength."""
    progress = training.progress
    line = f"{progress.games:>12,} games at {progress.games_per_second:,.0f} per second"
    if progress.curve:
        last = progress.curve[-1]
        line += (
            f": greedy wins {100 * last['uniform']:.1f} % against uniform, {100 * last['mogo']:.1f} % against MoGo's"
        )
        line += f" policy; self-play: {last['length']:.0f} moves, Black wins {100 * last['black']:.0f} %"
    return line
