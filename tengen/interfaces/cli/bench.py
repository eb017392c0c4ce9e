"""`tengen bench`: how fast this machine runs the engine, and where compile time goes."""

import json
import os
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING, Annotated

import typer

from tengen.errors import TengenError
from tengen.interfaces.cli.options import Size, game_name, json_flag

if TYPE_CHECKING:
    from tengen.benchmarks.rows import Measurement, Row


def run(
    what: Annotated[
        str, typer.Argument(help="'speed', or 'compile': what a cold start compiles, and how long each takes.")
    ] = "speed",
    only: Annotated[
        str,
        typer.Option(
            metavar="GLOB",
            help="Only the rows whose names match, as in 'playouts/go*'; or steps, as in 'go9*', of what is compiled.",
        ),
    ] = "*",
    seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="How long to measure each row.")] = 3.0,
    against: Annotated[
        str,
        typer.Option(
            metavar="PEER", help="Run the same work in a peer, in turns: open_spiel (C++) or open_spiel_python."
        ),
    ] = "",
    game: Annotated[
        str,
        typer.Option(
            help="Measure playouts and searches of this game: a name, or a Python file that defines it.",
            callback=game_name,
        ),
    ] = "",
    size: Size = None,
    as_json: Annotated[bool, json_flag("Print one JSON list instead of a table.")] = False,
) -> None:
    """Measure the engine's speed on this machine.

    Each row is run in pieces of about a tenth of a second, and its best piece is reported: what else the machine does
    can only slow it down. A ratio to a peer, measured in the same run, is worth more than a figure.
    """
    if size is not None and not game:
        raise TengenError("--size needs --game")
    match what:
        case "speed":
            _speed(_rows(game, size), only, seconds, against, as_json)
        case "compile":
            _compile(only, as_json)
        case _:
            sys.exit(f"tengen: '{what}' cannot be measured: there is 'speed' and 'compile'")


def _rows(game: str, size: int | None) -> "list[Row]":
    """Return the rows of a game, or those that are measured if none is named."""
    from tengen.benchmarks import rows
    from tengen.games.catalogue import make_game

    return rows.rows_of(make_game(game, size)) if game else rows.ROWS


def _speed(known: "list[Row]", only: str, seconds: float, against: str, as_json: bool) -> None:
    from tengen.benchmarks import peers, rows
    from tengen.progress import progress_console

    chosen = rows.matching(only, known)
    if not chosen:
        sys.exit(f"tengen: no row matches '{only}': there is {', '.join(row.name for row in known)}")
    if against:
        peers.check_peer(against)
    status = progress_console()
    results = []
    for row in chosen:
        with status.status(f"{row.name} ..."):
            results.append(rows.measure(row, seconds, against or None))
        if not as_json:
            print(_line(results[-1], first=len(results) == 1), flush=True)
    if as_json:
        print(json.dumps([result.to_json() for result in results], indent=1))


def _line(result: "Measurement", first: bool) -> str:
    """A row of the table, after its header if it is the first."""
    header = f"{'row':<28} {'per second':>12} {'per CPU second':>15} {'threads':>8}"
    line = f"{result.name:<28} {result.per_second:>12,.0f} {result.per_cpu_second:>15,.0f} {result.threads:>8}"
    if result.peer:
        header += f" {result.peer:>12} {'ratio':>7}"
        line += f" {result.peer_per_second:>12,.0f} {result.ratio:>7.3g}"
    return f"{header}\n{line}" if first else line


def _compile(only: str, as_json: bool) -> None:
    """Warm up in a process of its own, with an empty cache."""
    with tempfile.TemporaryDirectory(prefix="tengen-bench-") as cache:
        environment = {**os.environ, "TENGEN_CACHE": cache, "TENGEN_QUIET": "1"}
        done = subprocess.run(
            [sys.executable, "-c", _COMPILE_AND_LIST, only],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
    if done.returncode:
        sys.exit("tengen: compiling failed; the reason stands above")
    compilations = json.loads(done.stdout)
    if as_json:
        print(json.dumps(compilations, indent=1))
        return
    outer = [compilation for compilation in compilations if not compilation["nested"]]
    for compilation in sorted(outer, key=lambda compilation: -compilation["seconds"]):
        print(f"{compilation['seconds']:7.2f} s  {compilation['kernel']}({compilation['arguments']})")
    total = sum(compilation["seconds"] for compilation in outer)
    print(f"{total:7.2f} s  for {len(outer)} kernels called from Python, {len(compilations)} specialisations in all")


_COMPILE_AND_LIST = """
import dataclasses, json, sys
from tengen import jit
from tengen.benchmarks.warmup import warm_up
warm_up(lambda step: None, sys.argv[1])
print(json.dumps([dataclasses.asdict(compilation) for compilation in jit.compilations()]))
"""
