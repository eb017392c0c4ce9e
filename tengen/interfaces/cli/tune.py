"""`tengen tune`: choose a player's numbers by games."""

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
    player: Annotated[str, player_argument("Whose numbers are tuned, as in mc-rave.", metavar="PLAYER")],
    over: Annotated[
        list[str],
        typer.Option(
            metavar="KEY=LOW..HIGH", help="A number and its limits, ':log' for a logarithmic scale. Repeat it."
        ),
    ],
    study: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the games are kept; the same command goes on with them.")
    ],
    against: Annotated[
        str, player_option("The opponent; without one, the player as it is described.", metavar="PLAYER")
    ] = "",
    games: Annotated[int, typer.Option(min=2, max=MOST_GAMES, help="Games that the study is to have.")] = 500,
    game: GameName = DEFAULT_GAME,
    size: Size = None,
    komi: Komi = None,
    random_moves: RandomMoves = 0,
    seed: Seed = 1,
    workers: Workers = 0,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the games there at the end: their values and results.")
    ] = None,
    as_json: Annotated[bool, json_flag("Print the result as one JSON object.")] = False,
) -> None:
    """Choose numbers of a player by games, with error bars.

    Each game is played at the values that look best, as far as that is known; all games together are observations of a
    smooth surface, and the middle of where its maximum may be is the answer. The study is kept in a file: killed at any
    moment, the same command goes on with it; with more --games, it becomes more certain.

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
            raise KeyboardInterrupt(f"interrupted; the same command goes on with the games in {study}") from None
    found = report(task, kept)
    print(json.dumps(found.to_json()) if as_json else _table(found))
    if csv is not None:
        write_whole(csv, games_as_csv(kept, task.parameters))


def _line(found: "Report") -> str:
    values = ", ".join(
        f"{choice.name} {choice.value:g} ({choice.low:g} to {choice.high:g})" for choice in found.choices
    )
    return f"{found.games} games: {values}; rate {found.rate}; lately {found.recent}"


def _table(found: "Report") -> str:
    lines = [f"{found.games} games", f"{'':<20} {'best':>10} {'95 % of the maxima':>24} {'now':>10}"]
    for choice in found.choices:
        span = f"{choice.low:g} to {choice.high:g}"
        lines.append(f"{choice.name:<20} {choice.value:>10g} {span:>24} {choice.default:>10g}")
    lines.append(f"rate there {found.rate}, as the surface has it; a match will tell")
    if found.default_rate is not None:
        lines.append(f"rate now   {found.default_rate}")
    lines.append(f"lately     {found.recent}, in the last games of the study")
    return "\n".join([*lines, found.player])
