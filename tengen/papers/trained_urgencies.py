"""Tables of urgencies that an experiment trains before its games, by the same training as `tengen train urgencies`."""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tengen.files import Lock
from tengen.learning.urgency_settings import BlockSettings, PopulationSettings, RelativeSettings
from tengen.learning.urgency_training import UrgencyTraining
from tengen.parallel import start


@dataclass(frozen=True)
class TrainedTable:
    """A table that a training makes, and its file."""

    name: str
    """Part of the file's name, which also has the size of the board, the steps and the games of a step: tables of
    different scales do not share a file."""
    settings: BlockSettings | PopulationSettings | RelativeSettings
    steps: int

    def path(self, folder: Path) -> Path:
        """Return the file of the table."""
        settings = self.settings
        return folder / f"{self.name}-{settings.size}x{settings.size}-{self.steps}x{settings.games}.urgencies"

    def option(self, folder: Path) -> str:
        """Return the table as a setting of a player."""
        return f"urgencies={shlex.quote(str(self.path(folder)))}"


def train_tables(tables: Iterable[TrainedTable], folder: Path, workers: int) -> None:
    """Train the tables that are missing in a folder; a training that was interrupted continues."""
    with start("processes", workers) as backend:
        for table in tables:
            path = table.path(folder)
            with Lock(path, "training into"):
                UrgencyTraining(table.settings, path).run(table.steps, backend, lambda training: None)
