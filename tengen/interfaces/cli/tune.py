"""`tengen tune`: optimise numeric settings of a player by playing games."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tengen.arena.limits import MOST_GAMES
from tengen.interfaces.cli.options import (
    DEFAULT_GAME,
    GameName,
    Komi,
    Pool,
    RandomMoves,
    Seed,
    Size,
    Workers,
    json_flag,
    player_argument,
    player_option,
)

if TYPE_CHECKING:
    from tengen.tuning.findings import Report


def run(
    player: Annotated[str, player_argument("Player to tune, as in mc-rave.", metavar="PLAYER")],
    over: Annotated[
        list[str],
        typer.Option(
            metavar="KEY=LOW..HIGH", help="Setting and its range; ':log' for a logarithmic scale. May be repeated."
        ),
    ],
    study: Annotated[
        Path, typer.Option(metavar="FILE", help="File for the games; the same command continues the study.")
    ],
    against: Annotated[
        str, player_option("Opponent. Default: PLAYER with its present settings.", metavar="PLAYER")
    ] = "",
    games: Annotated[int, typer.Option(min=2, max=MOST_GAMES, help="Total number of games of the study.")] = 500,
    game: GameName = DEFAULT_GAME,
    size: Size = None,
    komi: Komi = None,
    random_moves: RandomMoves = 0,
    seed: Seed = 1,
    workers: Workers = 0,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the values and result of each game to this file at the end."),
    ] = None,
    as_json: Annotated[bool, json_flag("Print the result as one JSON object.")] = False,
) -> None:
    """Optimise numeric settings of a player by playing games, with error bars.

    Each game is played at promising values. A smooth surface is fitted to the results of all games; the answer is the
    mean of the maxima of surfaces drawn from the fit. The study is stored in a file: after an interrupt or a kill, the
    same command continues it; more --games make the result more precise.

    Example: tengen tune mc-rave:simulations=1000 --over bias=0.001..0.3:log --study bias.journal --games 400
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from tengen.arena.match import PlayedGame
    from tengen.arena.plans import Conditions
    from tengen.errors import TengenError
    from tengen.files import Lock, write_whole
    from tengen.games.catalogue import make_game
    from tengen.players import parse_player
    from tengen.progress import progress_console

    try:
        from tengen.tuning.findings import report
        from tengen.tuning.parameters import Parameter
        from tengen.tuning.study import Task, games_as_csv, open_study, tune
    except ImportError:
        sys.exit("tengen: tuning needs optuna: pip install 'tengen[tune]'")
    if csv is not None and not csv.resolve().parent.is_dir():
        raise TengenError(f"the folder {csv.resolve().parent} does not exist")
    rules = make_game(game, size, komi=komi)
    spec = parse_player(player).on(rules)
    task = Task(
        player=spec,
        opponent=parse_player(against).on(rules) if against else spec,
        parameters=[Parameter.parse(text, spec.config) for text in over],
        conditions=Conditions(rules, random_moves=random_moves, seed=seed),
    )
    console = progress_console()
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        Lock(study, "tuning in"),
        Pool(workers=workers).start() as backend,
        Progress(*columns, console=console) as progress,
    ):
        kept = open_study(study, task, lambda message: console.print(f"tengen: {message}", highlight=False))
        bar = progress.add_task("games", total=games)

        def watch(complete: int, played: PlayedGame | None) -> None:
            progress.update(bar, completed=complete)
            if complete % 50 == 0 and played is not None:
                progress.console.print(_line(report(task, kept)), highlight=False)

        try:
            tune(task, kept, games, backend, watch)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"interrupted; the same command continues with the games in {study}") from None
    found = report(task, kept)
    print(json.dumps(found.to_json()) if as_json else _table(found))
    if csv is not None:
        write_whole(csv, games_as_csv(kept, task.parameters))


def _line(found: "Report") -> str:
    values = ", ".join(
        f"{choice.name} {choice.value:g} ({choice.low:g} to {choice.high:g})" for choice in found.choices
    )
    return f"{found.games} games: {values}; win rate {found.rate}; recent games {found.recent}"


def _table(found: "Report") -> str:
    lines = [f"{found.games} games", f"{'':<20} {'best':>10} {'95 % of the maxima':>24} {'current':>10}"]
    for choice in found.choices:
        span = f"{choice.low:g} to {choice.high:g}"
        lines.append(f"{choice.name:<20} {choice.value:>10g} {span:>24} {choice.default:>10g}")
    lines.append(f"predicted win rate at the optimum: {found.rate} (model estimate; confirm with a match)")
    if found.default_rate is not None:
        lines.append(f"predicted win rate at the current values: {found.default_rate}")
    lines.append(f"win rate in the last games of the study: {found.recent}")
    return "\n".join([*lines, found.player])
