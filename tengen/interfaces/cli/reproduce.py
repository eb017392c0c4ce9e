"""`tengen reproduce [ID]`: run the tables and figures of the papers, and compare with the published numbers."""

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tengen.arena.limits import MOST_GAMES
from tengen.interfaces.cli.options import GPU, Address, GamesBackendName, GamesWorkers, Pool, json_flag

if TYPE_CHECKING:
    from tengen.papers.experiment import Experiment

DEFAULT_FOLDER = Path("reproduced")


def run(
    experiment: Annotated[
        str, typer.Argument(metavar="ID", help="Experiment, as in gelly-silver-2007/table-2; a paper; or all.")
    ] = "",
    listed: Annotated[
        bool, typer.Option("--list", help="List the experiments with what they need and their estimated time.")
    ] = False,
    scale: Annotated[
        str,
        typer.Option(
            help="smoke: 2 games of 20 simulations; quick: at most 5 minutes on two cores; standard: at most 30 "
            "minutes, the published settings with fewer games; paper: the published numbers of games."
        ),
    ] = "quick",
    games: Annotated[int, typer.Option(min=0, max=MOST_GAMES, help="Games of each match; 0: as the scale has it.")] = 0,
    simulations: Annotated[
        int,
        typer.Option(
            min=0,
            max=10**9,
            help="Simulations per move; others of the experiment change in proportion. 0: as the scale.",
        ),
    ] = 0,
    only: Annotated[
        str,
        typer.Option(metavar="PATTERN", help="Only rows whose label matches, with * for any text: 'Othello, k = *'."),
    ] = "",
    positions: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Labelled positions as JSON lines, in place of those of the package."),
    ] = None,
    folder: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for games, results and reports.")
    ] = DEFAULT_FOLDER,
    site: Annotated[
        bool, typer.Option("--site", help="Write a web site and an index of all results in the folder, and exit.")
    ] = False,
    workers: GamesWorkers = 0,
    backend: GamesBackendName = "processes",
    address: Address = "",
    as_json: Annotated[bool, json_flag("Print the results as one JSON array; with --list, the experiments.")] = False,
) -> None:
    """Run tables and figures of the papers, with our numbers and intervals beside the published ones.

    Games and measurements are kept in the folder as they are done: if a run is interrupted or killed, the same command
    continues it. Each run writes a table (Markdown and JSON), a figure (PNG and SVG) and its games (JSON lines).

    Example: tengen reproduce gelly-silver-2007/figure-3 --scale quick

    Example: tengen reproduce hashimoto-2011 --scale standard --games 50

    Example: tengen reproduce hashimoto-2011/table-1a --scale paper --only 'Othello, k = ?' --backend gpu
    """
    if site:
        _write_site(folder)
    elif listed or not experiment:
        _list(as_json)
    else:
        from tengen.papers.catalogue import find_experiments

        changes = {"games": games or None, "simulations": simulations or None, "positions": positions}
        pool = Pool(backend, workers, address)
        chosen = [found.restricted(only) if only else found for found in find_experiments(experiment)]
        results = [_reproduce(found, scale, changes, only, folder, pool, as_json) for found in chosen]
        if as_json:
            print(json.dumps(results))


def _reproduce(
    experiment: "Experiment",
    scale: str,
    changes: dict[str, Any],
    only: str,
    folder: Path,
    pool: Pool,
    as_json: bool,
) -> dict[str, Any]:
    """Run one experiment with its progress on standard error, print its table, and return its result."""
    from tengen.papers.measuring_view import MeasuringView
    from tengen.papers.reports.report_text import text
    from tengen.papers.reproduction import Backends, reproduce
    from tengen.progress import say

    say(f"{experiment.id}, {scale}: {experiment.title}")
    settings = experiment.settings(scale, **changes)
    tasks = Pool() if pool.backend == GPU else pool  # a GPU plays games; measurements are done by processes
    backends = Backends(tasks.start, pool.start_games, tasks.workers)
    place = folder / experiment.paper / experiment.name
    command = _command(experiment, scale, changes, only)
    try:
        with MeasuringView() as view:
            result = reproduce(experiment, scale, settings, place, backends, command, view)
    except KeyboardInterrupt:
        raise KeyboardInterrupt("interrupted: the same command continues the experiment") from None
    if not as_json:
        print(text(result))
        print(f"\nReport, figure, games and result: {place}/{scale}.*\n")
        sys.stdout.flush()
    return result


def _command(experiment: "Experiment", scale: str, changes: dict[str, Any], only: str) -> str:
    """Return the command that gives the same result."""
    given = [f"--{name} {value}" for name, value in changes.items() if value is not None]
    rows = [f"--only {shlex.quote(only)}"] if only else []
    return " ".join(["tengen reproduce", experiment.id, f"--scale {scale}", *given, *rows])


def _list(as_json: bool) -> None:
    """Print all experiments with what they need and the estimated time of each scale on this machine."""
    from tengen.arena.tables import text_table
    from tengen.papers.catalogue import experiments
    from tengen.papers.costs import machine_factor, needs_of, seconds_of
    from tengen.papers.experiment import SCALES
    from tengen.parallel import cores

    factor, count = machine_factor(), cores()
    found: list[dict[str, Any]] = []
    for experiment in experiments().values():
        seconds = {
            scale: factor * seconds_of(experiment, experiment.settings(scale)) / count for scale in experiment.scales
        }
        described = {"id": experiment.id, "title": experiment.title, "needs": needs_of(experiment), "seconds": seconds}
        found.append(described)
    if as_json:
        print(json.dumps(found))
        return
    scales = SCALES[1:]
    rows = [["", one["id"], *(_duration(one["seconds"][scale]) for scale in scales)] for one in found]
    abouts = ["", *(f"{one['title']}{''.join(f' ({need})' for need in one['needs'])}" for one in found)]
    for line, about in zip(text_table(["", "experiment", *scales], rows).splitlines(), abouts, strict=True):
        print(f"{line.removeprefix('  ')}  {about}".rstrip())
    print(f"\nTimes are estimates for this machine with {count} workers. tengen reproduce ID --scale quick runs one.")


def _duration(seconds: float) -> str:
    """Format a duration with its largest fitting unit."""
    for limit, size, unit in ((90, 1, "s"), (90 * 60, 60, "min"), (48 * 3600, 3600, "h")):
        if seconds < limit:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds / 86400:.0f} d"


def _write_site(folder: Path) -> None:
    """Write the site and the index of all results in a folder."""
    from tengen.errors import TengenError, shortened
    from tengen.papers.reports.report_site import write_index, write_site
    from tengen.papers.reports.results_file import read_results

    results = read_results(folder)
    if not results:
        raise TengenError(f"there are no results in {shortened(folder, 160)}; tengen reproduce ID makes one")
    write_index(results, folder)
    write_site(results, folder / "site")
    print(f"{len(results)} results: {folder / 'README.md'}, {folder / 'site' / 'index.html'}")
