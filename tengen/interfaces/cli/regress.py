"""`tengen regress`: test a player on problems with known answers."""

import json
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tengen.interfaces.cli.options import Pool, Workers, json_flag, player_option

if TYPE_CHECKING:
    from tengen.arena.regress import Attempt


def run(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE.tst...", help="Problem suites. Default: the suite of the package.", show_default=False
        ),
    ] = None,
    player: Annotated[
        str, player_option("Player to test, also an engine: gtp:command='any engine'.", metavar="PLAYER")
    ] = "tengen:simulations=10000",
    workers: Workers = 0,
    show: Annotated[bool, typer.Option(help="Print the answer to every problem.")] = False,
    as_json: Annotated[bool, json_flag("Print counts and all answers as one JSON object.")] = False,
) -> None:
    """Test a player on problem suites and count the solved problems.

    A suite is a file of GTP commands (loadsgf, boardsize, clear_board, komi, play, undo, reg_genmove, is_legal). A line
    '#? [A1|B2]' after a command gives the right answers. Records are looked up in the folder of the suite. A malformed
    line is reported and skipped; the exit status is then 1.

    Players of this program are asked directly; an external engine gets every command of the suite over GTP.

    Example: tengen regress --show
    """
    from rich.progress import track

    from tengen.arena.regress import SHIPPED, Candidate, boards_of, read_suite
    from tengen.arena.worker import make_ready
    from tengen.engines.gtp_player import GtpConfig
    from tengen.errors import TengenError
    from tengen.players import parse_player
    from tengen.progress import progress_console

    spec = parse_player(player)
    files = files or [SHIPPED]
    names = [file.stem for file in files]
    paths = {str(file) if names.count(file.stem) > 1 else file.stem: file for file in files}
    suites = {name: read_suite(path, name) for name, path in paths.items()}
    segments = [segment for suite in suites.values() for segment in suite.segments]
    faults = [fault for suite in suites.values() for fault in suite.faults]
    for fault in faults:
        print(f"tengen: {fault}", file=sys.stderr)
    if not isinstance(spec.config, GtpConfig):
        for game in boards_of(segments):
            with suppress(TengenError):  # reported with the problems on that board
                make_ready(spec, game)
    attempts: list[Attempt] = []
    console = progress_console()
    with Pool(workers=workers).start() as backend:
        answers = backend.run(partial(Candidate, str(spec)), segments)
        for done in track(answers, "segments", len(segments), console=console, disable=not console.is_terminal):
            if done.error:
                sys.exit(f"tengen: {done.task.suite}: {done.error.strip().splitlines()[-1]}")
            attempts += done.result
    attempts.sort(key=lambda attempt: (list(suites).index(attempt.suite), attempt.line))
    counts = {name: [one for one in attempts if one.suite == name] for name in suites}
    if as_json:
        described = {name: _counted(mine) for name, mine in counts.items()}
        given = [attempt.to_json() for attempt in attempts]
        total = {**_counted(attempts), "malformed": len(faults)}
        print(json.dumps({"player": str(spec), "suites": described, "all": total, "answers": given, "faults": faults}))
    else:
        _print(str(spec), attempts, counts, show)
        if faults:
            print(f"{len(faults)} malformed {'line was' if len(faults) == 1 else 'lines were'} skipped")
    if not any(attempt.was_answered for attempt in attempts):
        sys.exit(f"tengen: {spec} answered no problem; first answer: {attempts[0].answer}")
    if faults:
        sys.exit(1)


def _print(player: str, attempts: "list[Attempt]", counts: "dict[str, list[Attempt]]", show: bool) -> None:
    """Print the counts as a table; with `show`, every problem before it."""
    if show:
        for attempt in attempts:
            mark = "solved" if attempt.solved else "failed"
            print(f"{attempt.suite} {attempt.number:>5} {mark}: {attempt.answer} for [{attempt.expected}]")
    print(f"{player}\n{'suite':<26} {'solved':>6} {'of':>5} {'rate':>8}   95 % interval   seconds each")
    for name, mine in [*counts.items(), *([("all", attempts)] if len(counts) > 1 else [])]:
        found = _counted(mine)
        print(
            f"{name:<26} {found['solved']:>6} {found['problems']:>5} {100 * found['rate']:>6.1f} %"
            f"   {100 * found['low']:.1f} to {100 * found['high']:.1f} %   {found['seconds'] / len(mine):.2f}"
        )
    silent = [attempt for attempt in attempts if not attempt.was_answered]
    if silent:
        first = silent[0]
        print(f"{len(silent)} were not answered; first: {first.suite} {first.number}: {first.answer}")


def _counted(attempts: "list[Attempt]") -> dict[str, Any]:
    """Return the number of solved problems and their share, with Wilson's interval."""
    from tengen.arena.scores import wilson_interval

    solved = sum(attempt.solved for attempt in attempts)
    low, high = wilson_interval(solved, len(attempts))
    return {
        "solved": solved,
        "problems": len(attempts),
        "rate": solved / len(attempts),
        "low": low,
        "high": high,
        "unanswered": sum(not attempt.was_answered for attempt in attempts),
        "seconds": round(sum(attempt.seconds for attempt in attempts), 2),
    }
