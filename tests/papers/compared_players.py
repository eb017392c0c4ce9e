"""The rows of an experiment, and the differences between their players."""

from typing import Any

from tengen.papers.experiment import Experiment
from tengen.players import parse_player


def rows_of(experiment: Experiment, scale: str = "paper", **changes: Any) -> dict[str, Any]:
    """Return the rows by their labels."""
    return {row.label: row for row in experiment.rows(experiment.settings(scale, **changes))}


def configs_of(row: Any) -> list[Any]:
    """Return the configurations of both players of a match."""
    return [parse_player(text).on(row.work.game).config for text in (row.work.player, row.work.opponent)]


def different(first: Any, second: Any) -> set[str]:
    """Return the settings in which two configurations differ."""
    first, second = first.settings(), second.settings()
    return {key for key in first.keys() | second.keys() if first.get(key) != second.get(key)}
