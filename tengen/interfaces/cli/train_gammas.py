"""`tengen train gammas`: learn which features the moves of games have."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tengen.interfaces.cli.options import Address, BackendName, Pool, Workers, json_flag
from tengen.interfaces.cli.settings_options import made_settings, with_settings
from tengen.interfaces.cli.stepwise_progress import check_folder, finish, interrupted_after, train_in_steps
from tengen.learning.gamma_settings import GammaSettings

if TYPE_CHECKING:
    from tengen.learning.gamma_training import GammaTraining


def _run(
    games: Annotated[
        list[Path],
        typer.Argument(help="Folders of SGF files, SGF files, and files of games or JSON lines of the arena."),
    ],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="File for the gammas; the same command continues the training.")
    ],
    steps: Annotated[int, typer.Option(min=1, max=10**6, help="Total number of steps.")] = 30,
    workers: Workers = 1,
    backend: BackendName = "processes",
    address: Address = "",
    plot: Annotated[bool, typer.Option(help="Draw likelihood and prediction of moves, as FILE.png.")] = True,
    as_json: Annotated[bool, json_flag("Print the report as one JSON object.")] = False,
    **given: Any,
) -> None:
    """Learn the strengths of features of moves, gammas, from records of games of Go.

    The probability of a move is proportional to the product of the gammas of its features. Gammas of maximum
    likelihood are approached by minorization-maximization; a step updates each group of features once. Passes, openings
    of the arena and moves into own eyes are not learnt from. Some pairs of successive games are held out, to measure
    how well their moves are predicted.

    The result depends on the games and the settings only, not on the number of workers. FILE.checkpoint is written
    every 20 seconds: after an interrupt or a kill, the same command continues, and ends with the same gammas as an
    uninterrupted run. FILE.json is a report, FILE.png has the likelihood and the prediction of moves. Use the gammas
    with prior=learnt,gammas=FILE, or, learnt with --use playout, with policy=learnt,policy_gammas=FILE.

    Example: tengen train gammas games.sqlite --size 9 --out mine.gammas
    """
    from tengen.arena.record_sources import stored_records
    from tengen.files import Lock
    from tengen.learning.game_moves import read_moves
    from tengen.learning.gamma_plots import plot_curve
    from tengen.learning.gamma_training import GammaTraining
    from tengen.progress import say

    settings = made_settings(GammaSettings, given)
    check_folder(out)
    with Lock(out, "training into"):
        found, refused = read_moves(stored_records(games, ".sgf"), settings.size)
        for reason, count in refused.items():
            say(f"{count:,} record{'' if count == 1 else 's'} not used: {reason}")
        training = GammaTraining(settings, found, out)
        try:
            train_in_steps(training, steps, Pool(backend, workers, address), line_of)
        except KeyboardInterrupt:
            raise interrupted_after(training) from None
        finish(training, line_of, plot_curve if plot else None, as_json)


def line_of(training: "GammaTraining") -> str:
    """Return a line with the last measurement."""
    line = f"{training.progress.steps:>6,} steps, {len(training.learnt):,} games"
    if training.progress.curve:
        last = training.progress.curve[-1]
        line += f": log-likelihood {last['log_likelihood']:.4f}, of other games {last['holdout_log_likelihood']:.4f}"
        line += f" (uniform {last['holdout_uniform']:.4f}); of their moves {100 * last['holdout_first']:.1f} % first"
        line += f", {100 * last['holdout_five']:.1f} % among five"
    return line


run = with_settings(_run, {"": GammaSettings})
