"""`tengen bench`: measure the speed of the engine on this machine, and its compile times."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from tengen.errors import TengenError, shortened
from tengen.interfaces.cli.options import Size, game_name, json_flag

if TYPE_CHECKING:
    from tengen.benchmarks.gpu_rows import GpuMeasurement
    from tengen.benchmarks.rows import Measurement


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
            help="Compare with another program, in alternation: open_spiel (C++) or open_spiel_python. With"
            " --backend gpu: cpu, the same work on one of its threads.",
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
    backend: Annotated[
        str, typer.Option(help="'cpu', or 'gpu': searches of many trees and playouts of many threads on an NVIDIA GPU.")
    ] = "cpu",
    trees: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=10**7,
            help="With --backend gpu: number of trees, fewer if memory is short; playouts run in four times as many"
            " threads. Default: 32768.",
        ),
    ] = None,
    as_json: Annotated[bool, json_flag("Print one JSON list instead of a table.")] = False,
) -> None:
    """Measure the speed of the engine on this machine.

    Each row is run in pieces of about 0.1 s and the fastest piece is reported, since other programs can only slow it
    down. The ratio to a peer, measured in the same run, is more reliable than an absolute speed.
    """
    if size is not None and not game:
        raise TengenError("--size needs --game")
    if backend not in ("cpu", "gpu"):
        raise TengenError(f"unknown backend {shortened(backend)}; choose from: cpu, gpu")
    if trees is not None and backend != "gpu":
        raise TengenError("--trees needs --backend gpu")
    match what:
        case "speed":
            table = (
                _table_of_gpu(game, size, trees, against) if backend == "gpu" else _table_of_cpu(game, size, against)
            )
            _speed(table, only, seconds, as_json)
        case "compile":
            if backend == "gpu":
                raise TengenError("compile times are measured for the CPU only: leave out --backend gpu")
            _compile(only, as_json)
        case _:
            sys.exit(f"tengen: unknown benchmark '{what}'; choose from: speed, compile")


class _Table(NamedTuple):
    """A kind of benchmark: its rows, the measurement of one for some seconds, and the presentation of the result."""

    rows: Sequence[Any]
    measure: Callable[[Any, float], Any]
    columns: Callable[[Any], dict[str, str]]
    """Return the cells of a result by the headers of their columns, padded to their widths."""


def _table_of_cpu(game: str, size: int | None, against: str) -> _Table:
    """Return the benchmark of one search or playout at a time."""
    from tengen.benchmarks import peers, rows
    from tengen.games.catalogue import make_game

    if against:
        peers.check_peer(against)
    known = rows.rows_of(make_game(game, size)) if game else rows.ROWS
    return _Table(known, lambda row, seconds: rows.measure(row, seconds, against or None), _columns)


def _table_of_gpu(game: str, size: int | None, trees: int | None, against: str) -> _Table:
    """Return the benchmark of many searches or playouts at a time. Raises TengenError if there is no GPU."""
    from tengen.benchmarks import gpu_rows
    from tengen.games.catalogue import make_game
    from tengen.jit.devices import open_device

    if against not in ("", "cpu"):
        raise TengenError(f"a GPU is compared with the CPU only: use --against cpu, not {shortened(against)}")
    open_device("gpu")
    known = gpu_rows.gpu_rows_of(make_game(game, size)) if game else gpu_rows.GPU_ROWS
    count = trees or gpu_rows.DEFAULT_TREES
    return _Table(known, lambda row, seconds: gpu_rows.measure(row, seconds, count, bool(against)), _gpu_columns)


def _speed(table: _Table, only: str, seconds: float, as_json: bool) -> None:
    from tengen.benchmarks import rows
    from tengen.progress import progress_console

    chosen = rows.matching(only, table.rows)
    if not chosen:
        sys.exit(f"tengen: no row matches '{only}'; choose from: {', '.join(row.name for row in table.rows)}")
    status = progress_console()
    results = []
    for row in chosen:
        with status.status(f"{row.name} ..."):
            results.append(table.measure(row, seconds))
        if not as_json:
            columns = table.columns(results[-1])
            lines = [" ".join(columns), " ".join(columns.values())]
            print("\n".join(lines if len(results) == 1 else lines[1:]), flush=True)
    if as_json:
        print(json.dumps([result.to_json() for result in results], indent=1))


def _columns(result: "Measurement") -> dict[str, str]:
    columns = {
        f"{'row':<28}": f"{result.name:<28}",
        f"{'per second':>12}": f"{result.per_second:>12,.0f}",
        f"{'per CPU second':>15}": f"{result.per_cpu_second:>15,.0f}",
        f"{'threads':>8}": f"{result.threads:>8}",
    }
    if result.peer:
        columns[f"{result.peer:>12}"] = f"{result.peer_per_second:>12,.0f}"
        columns[f"{'ratio':>7}"] = f"{result.ratio:>7.3g}"
    return columns


def _gpu_columns(result: "GpuMeasurement") -> dict[str, str]:
    columns = {
        f"{'row':<28}": f"{result.name:<28}",
        f"{'per second':>14}": f"{result.per_second:>14,.0f}",
        f"{'at once':>9}": f"{result.at_once:>9,}",
    }
    if result.cpu_per_second is not None:
        columns[f"{'one CPU thread':>15}"] = f"{result.cpu_per_second:>15,.0f}"
        columns[f"{'ratio':>7}"] = f"{result.ratio:>7.3g}"
    return columns


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
warm_up(sys.argv[1])
print(json.dumps([dataclasses.asdict(compilation) for compilation in jit.compilations()]))
"""
