"""`tengen bench`: measure the speed of the engine on this machine, and its compile times."""

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
        str, typer.Argument(help="'speed', or 'compile': compile time of each kernel with an empty cache.")
    ] = "speed",
    only: Annotated[
        str,
        typer.Option(
            metavar="GLOB",
            help="Only rows whose names match, as in 'playouts/go*'; with compile, steps, as in 'go9*'.",
        ),
    ] = "*",
    seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="Seconds per row.")] = 3.0,
    against: Annotated[
        str,
        typer.Option(
            metavar="PEER",
            help="Compare with another program, in alternation: open_spiel (C++) or open_spiel_python.",
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
    """Measure the speed of the engine on this machine.

    Each row is run in pieces of about 0.1 s and the fastest piece is reported, since other programs can only slow it
    down. The ratio to a peer, measured in the same run, is more reliable than an absolute speed.
    """
    if size is not None and not game:
        raise TengenError("--size needs --game")
    match what:
        case "speed":
            _speed(_rows(game, size), only, seconds, against, as_json)
        case "compile":
            _compile(only, as_json)
        case _:
            sys.exit(f"tengen: unknown benchmark '{what}'; choose from: speed, compile")


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
        sys.exit(f"tengen: no row matches '{only}'; choose from: {', '.join(row.name for row in known)}")
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
    """Return a row of the table, with the header before the first."""
    header = f"{'row':<28} {'per second':>12} {'per CPU second':>15} {'threads':>8}"
    line = f"{result.name:<28} {result.per_second:>12,.0f} {result.per_cpu_second:>15,.0f} {result.threads:>8}"
    if result.peer:
        header += f" {result.peer:>12} {'ratio':>7}"
        line += f" {result.peer_per_second:>12,.0f} {result.ratio:>7.3g}"
    return f"{header}\n{line}" if first else line


def _compile(only: str, as_json: bool) -> None:
    """Compile in another process with an empty cache, and print the time of each kernel."""
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
        sys.exit("tengen: compiling failed; see the output above")
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
