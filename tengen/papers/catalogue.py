"""The experiments by id."""

from importlib import import_module

from tengen.errors import TengenError, shortened
from tengen.options import guess
from tengen.papers.experiment import Experiment

MODULES = (
    "gelly_silver_2007",
    "gelly_silver_2007_differences",
    "gelly_silver_2011",
    "hashimoto_2011",
    "bouzy_chaslot_2006",
    "beyond",
)
"""The modules of this folder that declare experiments, each in a tuple `EXPERIMENTS`."""
ALL = "all"
"""Stands for every experiment."""


def experiments() -> dict[str, Experiment]:
    """Return all experiments by id, in the order of the papers."""
    modules = (import_module(f"tengen.papers.{name}") for name in MODULES)
    return {found.id: found for module in modules for found in module.EXPERIMENTS}


def find_experiments(name: str) -> list[Experiment]:
    """Return the experiment with an id, or those of a paper, or all. Raises TengenError for an unknown name."""
    known = experiments()
    if name in known:
        return [known[name]]
    chosen = [found for found in known.values() if name in (ALL, found.paper)]
    if not chosen:
        hint = guess(name, [*known, *{found.paper for found in known.values()}])
        raise TengenError(f"unknown experiment {shortened(name)}{hint}; 'tengen reproduce --list' lists all")
    return chosen
