"""When trainings measure their progress, and the files in which they report it."""

import json
from pathlib import Path
from typing import Any, Protocol

from tengen.files import write_whole


class Reporting(Protocol):
    """A training with a report."""

    def report(self) -> dict[str, Any]:
        """Return the settings, progress and measurements as JSON values."""


def next_measurement(done: int, first: int) -> int:
    """Return the next of the numbers `first` times 1, 2, 5, 10, 20, 50, ... after `done`."""
    scale = first
    while True:
        for factor in (1, 2, 5):
            if factor * scale > done:
                return factor * scale
        scale *= 10


def write_report(training: Reporting, path: Path, command: str) -> None:
    """Write the report as a JSON file, with the command that was run."""
    write_whole(path, (json.dumps({"command": command, **training.report()}, indent=1) + "\n").encode())
