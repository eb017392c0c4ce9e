"""`tengen train balance`: gammas by which the mean result of playouts is right."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tengen.interfaces.cli.options import Address, BackendName, Pool, Workers, json_flag, player_option
from tengen.interfaces.cli.settings_options import made_settings, with_settings
from tengen.interfaces.cli.stepwise_progress import check_folder, finish, interrupted_after, train_in_steps
from tengen.learning.balance_settings import AllSettings, BalanceSettings, LabelSettings

if TYPE_CHECKING:
    from tengen.learning.balance_training import BalanceTraining
    from tengen.learning.position_labels import LabelFile
    from tengen.learning.valued_positions import ValuedPosition


def _run(
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="File for the gammas; the same command continues the training.")
    ],
    games: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Folders of SGF files, SGF files, and files of games or JSON lines of the arena, whose positions are "
            "searched; or none with --positions."
        ),
    ] = None,
    positions: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Positions with values, instead of games and searches.")
    ] = None,
    label_player: Annotated[str, player_option("The player that searches positions from games.")] = "tengen:memory=100",
    start: Annotated[
        str, typer.Option(help="The first gammas: a file, playout (the package's own), or zero (all gammas 1).")
    ] = "playout",
    steps: Annotated[int, typer.Option(min=1, max=10**6, help="Total number of steps.")] = 200,
    workers: Workers = 1,
    backend: BackendName = "processes",
    address: Address = "",
    plot: Annotated[bool, typer.Option(help="Draw the errors on other positions, as FILE.png.")] = True,
    as_json: Annotated[bool, json_flag("Print the report as one JSON object.")] = False,
    **given: Any,
) -> None:
    """Learn gammas of the playout policy of Go by simulation balancing.

    Gammas by `tengen train gammas` predict moves. These minimise the squared difference between the value of a position
    and the mean result of playouts from it, by gradient descent. Positions are taken from games; their values are
    those of the best moves by searches of --label-player, and are kept in FILE.positions. Or they are read from a file
    of JSON lines with the keys moves (["B E5", "W C3"]) and value (Black's expected result, from 0 to 1).

    The result depends on the positions and the settings only, not on the number of workers. FILE.checkpoint is written
    every 20 seconds: after an interrupt or a kill, the same command continues, and ends with the same gammas as an
    uninterrupted run. FILE.json is a report, FILE.png has the errors on the positions that are not learnt from. Use the
    gammas with policy=learnt,policy_gammas=FILE.

    Example: tengen train balance games.sqlite --start mine.gammas --out balanced.gammas
    """
    from tengen.errors import TengenError
    from tengen.files import Lock
    from tengen.learning.balance_plots import plot_curve
    from tengen.learning.balance_training import BalanceTraining
    from tengen.learning.valued_positions import read_positions
    from tengen.policies.go.gamma_table import gammas_file, load_gammas

    names = LabelSettings.__dataclass_fields__
    label_settings = made_settings(LabelSettings, {key: value for key, value in given.items() if key in names})
    settings = made_settings(BalanceSettings, {key: value for key, value in given.items() if key not in names})
    if (positions is None) == (not games):
        raise TengenError("give games, or --positions FILE, one of them")
    check_folder(out)
    first = None if start == "zero" else load_gammas(gammas_file(start, settings.size))
    pool = Pool(backend, workers, address)
    with Lock(out, "training into"):
        if positions is None:
            assert games
            found = _searched(games, out, (settings.size, settings.komi), label_settings, label_player, pool)
        else:
            found = read_positions(positions, settings.size, settings.komi)
        training = BalanceTraining(settings, found, first, out)
        try:
            train_in_steps(training, steps, pool, line_of)
        except KeyboardInterrupt:
            raise interrupted_after(training) from None
        finish(training, line_of, plot_curve if plot else None, as_json)


def _searched(
    games: list[Path], out: Path, board: tuple[int, float], settings: LabelSettings, player: str, pool: Pool
) -> "tuple[ValuedPosition, ...]":
    """Return positions of games with values by searches, from the file FILE.positions as far as it has them."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from tengen.arena.record_sources import stored_records
    from tengen.learning.game_moves import read_moves
    from tengen.learning.position_labels import LabelFile
    from tengen.learning.valued_positions import board_of
    from tengen.players import parse_search
    from tengen.progress import progress_console, say

    config = parse_search(player, board_of(*board))
    moves, refused = read_moves(stored_records(games, ".sgf"), board[0])
    for reason, count in refused.items():
        say(f"{count:,} record{'' if count == 1 else 's'} not used: {reason}")
    file = LabelFile(out.with_name(out.name + ".positions"), moves, settings, config, board)
    if file.is_complete:
        return tuple(file.positions)
    columns = (TextColumn("positions"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=progress_console()) as progress, pool.open() as backend:
        bar = progress.add_task("", total=len(file), completed=len(file.positions))

        def watch(file: "LabelFile") -> None:
            progress.update(bar, completed=len(file.positions))

        try:
            file.run(backend, watch)
        except KeyboardInterrupt:
            done = f"{len(file.positions):,} positions"
            raise KeyboardInterrupt(f"interrupted; the same command continues after {done}") from None
    return tuple(file.positions)


def line_of(training: "BalanceTraining") -> str:
    """Return a line with the last measurement."""
    line = f"{training.progress.steps:>6,} steps, {len(training.learnt):,} positions"
    if training.progress.curve:
        last = training.progress.curve[-1]
        line += f": on {len(training.held_out):,} others squared error {last['mse']:.5f}, squared bias "
        line += (
            f"{last['squared_bias']:.5f}, variance of a result {last['variance']:.4f}, mean error {last['bias']:+.4f}"
        )
    return line


run = with_settings(_run, {"": AllSettings})
