"""Running of an experiment: its preparation, its measurements and its games; then the result, the report, the figure.

All files of a run are in one folder and begin with the name of the scale. Measured parts and games are kept as they are
done, so that a killed run continues; a run that is complete only writes its result again.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from tengen import __version__
from tengen.arena.live import LiveView
from tengen.arena.plans import Entrant, Pairing
from tengen.arena.runner import GamesBackend, Run, kept_in_lines, start_and_run
from tengen.arena.scores import Tally
from tengen.arena.store import Store
from tengen.errors import TengenError, shortened
from tengen.files import Lock, write_whole
from tengen.papers.experiment import Experiment, Match, Measurement, Result, Row, Settings, Work
from tengen.papers.measurements_file import MeasurementsFile
from tengen.papers.outcome import outcome
from tengen.papers.quantities import Estimate
from tengen.papers.reports import report_figures, report_text
from tengen.papers.reports.results_file import read_result, write_result
from tengen.parallel import Backend
from tengen.players import parse_player
from tengen.progress import say

KEPT_SECONDS = 0.5
"""Seconds between two writings of measured parts."""


@dataclass(frozen=True)
class RunFiles:
    """The files of a run."""

    folder: Path
    scale: str

    def of(self, suffix: str) -> Path:
        return self.folder / f"{self.scale}{suffix}"

    @property
    def store(self) -> Path:
        """Games as they are played."""
        return self.of(".sqlite")

    @property
    def games(self) -> Path:
        """The same games as JSON lines, written at the end of a run."""
        return self.of(".games.jsonl.gz")

    @property
    def parts(self) -> Path:
        """The parts of measurements."""
        return self.of(".parts.jsonl")

    @property
    def result(self) -> Path:
        return self.of(".json")


@dataclass(frozen=True)
class Backends:
    """What does the work: a backend for tasks, and one for games, which may be a GPU. Each is started when needed."""

    tasks: Callable[[], AbstractContextManager[Backend]]
    games: Callable[[], AbstractContextManager[GamesBackend]]
    workers: int = 0
    """Workers of a preparation; 0: one per core."""


Kind = TypeVar("Kind", Match, Measurement)

Watch = Callable[[int, int], None]
"""Called with the number of measured parts that are done and their total."""


def reproduce(
    experiment: Experiment,
    scale: str,
    settings: Settings,
    folder: Path,
    backends: Backends,
    command: str,
    watch: Watch = lambda done, total: None,
) -> dict[str, Any]:
    """Run what is missing of an experiment, write its result, report and figure into `folder`, and return the result.

    Raises TengenError if games or measurements failed; everything else is kept, and another run continues.
    """
    files = RunFiles(folder, scale)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TengenError(f"the folder {shortened(folder, 160)} cannot be created: {error.strerror}") from None
    settings = replace(settings, folder=folder)
    with Lock(files.result, "running the experiment of"):
        began = time.monotonic()
        if experiment.prepare is not None:
            experiment.prepare(settings, folder, backends.workers)
        rows = experiment.rows(settings)
        measured, new_parts = _measure([*distinct(rows, Measurement)], files, backends, watch)
        tallies, new_games = _play([*distinct(rows, Match)], files, backends)

        def estimate_of(row: Row) -> Estimate | None:
            if isinstance(row.work, Match):
                return row.quantity.estimate(tallies[row.work])
            return row.quantity.estimate(measured[row.work.name])

        result = outcome(
            experiment,
            settings,
            rows,
            estimate_of,
            scale=scale,
            **_origin(files, command, time.monotonic() - began, is_new=new_parts + new_games > 0),
        )
        write_reports(result, files)
    return result


def _origin(files: RunFiles, command: str, seconds: float, is_new: bool) -> dict[str, Any]:
    """Return the command, version, date and seconds of a result; a run that had nothing to do keeps those before it.

    The time of a run that was interrupted before its first result is not known.
    """
    before = read_result(files.result) if files.result.exists() else None
    if before is not None and not is_new:
        return {key: before[key] for key in ("command", "version", "date", "seconds")}
    return {
        "command": command,
        "version": __version__,
        "date": datetime.now(UTC).date().isoformat(),
        "seconds": round(seconds + (before["seconds"] if before is not None else 0.0), 1),
    }


def write_reports(result: dict[str, Any], files: RunFiles) -> None:
    """Write a result as JSON and Markdown, and its figure as PNG and SVG if matplotlib is installed."""
    write_result(result, files.result)
    write_whole(files.of(".md"), report_text.markdown(result))
    try:
        for suffix in (".png", ".svg"):
            report_figures.draw(result, files.of(suffix))
    except TengenError as error:
        say(f"tengen: no figure was drawn: {error}")


def distinct(rows: list[Row], kind: type[Kind]) -> Iterator[Kind]:
    """Yield the works of a kind, each once: rows may share one."""
    seen: set[Work] = set()
    for row in rows:
        if isinstance(row.work, kind) and row.work not in seen:
            seen.add(row.work)
            yield row.work


# --- Measurements -----------------------------------------------------------------------------------------------------


def measure_part(task: tuple[Measurement, int]) -> Result:
    """Measure one part. Raises TengenError naming the measurement."""
    measurement, part = task
    try:
        return measurement.function(part, **measurement.settings)
    except TengenError as error:
        raise TengenError(f"{measurement.name}: {error}") from None


def worker_for_parts() -> Callable[[tuple[Measurement, int]], Result]:
    """Return the worker that measures parts."""
    return measure_part


def _measure(
    measurements: list[Measurement], files: RunFiles, backends: Backends, watch: Watch
) -> tuple[dict[str, list[Result]], int]:
    """Measure the parts that are missing; return all results by the measurement's name, and the number of new ones."""
    if not measurements:
        return {}, 0
    kept = MeasurementsFile(files.parts)
    missing = [(measurement, part) for measurement in measurements for part in kept.missing(measurement)]
    total = sum(measurement.parts for measurement in measurements)
    done = total - len(missing)
    watch(done, total)
    if missing:
        missing.sort(key=lambda task: task[1])  # all measurements progress equally
        with backends.tasks() as backend:
            for found in _kept_regularly(kept, backend, missing):
                done += found
                watch(done, total)
    return {measurement.name: kept.results(measurement) for measurement in measurements}, len(missing)


def _kept_regularly(kept: MeasurementsFile, backend: Backend, missing: list[tuple[Measurement, int]]) -> Iterator[int]:
    """Measure parts and keep them; yield the number of those that were kept each time."""
    waiting: list[tuple[Measurement, int, Result]] = []
    last = time.monotonic()
    try:
        for finished in backend.run(worker_for_parts, missing):
            if finished.error:
                raise TengenError(finished.error.strip())
            waiting.append((*finished.task, finished.result))
            if time.monotonic() - last >= KEPT_SECONDS:
                kept.add(waiting)
                yield len(waiting)
                waiting, last = [], time.monotonic()
    finally:
        kept.add(waiting)
    yield len(waiting)


# --- Games ------------------------------------------------------------------------------------------------------------


def pairings_of(matches: list[Match]) -> dict[Match, Pairing]:
    """Return the pairing of each match, with unique names: the game is named if there are several, and other seeds."""
    several = len({match.game for match in matches}) > 1
    pairings = {match: _pairing(match, several) for match in matches}
    if len({pairing.name for pairing in pairings.values()}) < len(pairings):
        raise TengenError("two matches of the experiment have the same players, game and seed")
    return pairings


def _pairing(match: Match, several_games: bool) -> Pairing:
    first, second = Entrant.pair(parse_player(match.player), parse_player(match.opponent))
    where = f" on {match.game}" if several_games else ""
    where += f", seed {match.seed}" if match.seed != 1 else ""
    return Pairing(
        replace(first, name=f"{first.name}{where}"),
        replace(second, name=f"{second.name}{where}"),
        match.conditions(),
        match.games,
    )


def _play(matches: list[Match], files: RunFiles, backends: Backends) -> tuple[dict[Match, Tally], int]:
    """Play the games that are missing; return the results of each match, and the number of new games."""
    if not matches:
        return {}, 0
    pairings = pairings_of(matches)
    with Store(files.store) as store, kept_in_lines(store, files.games):
        planned = list(pairings.values())
        run = start_and_run(planned, store, backends.games, view=LiveView(planned, store.tallies()))
        _check_failures(run)
        tallies = store.tallies()
        return {match: tallies.get(pairing.name, Tally()) for match, pairing in pairings.items()}, run.played


def _check_failures(run: Run) -> None:
    if run.failures:
        reason = run.failures[-1][1].strip()
        raise TengenError(
            f"{len(run.failures)} games failed; the same command plays them again. The last one: {reason}"
        )
