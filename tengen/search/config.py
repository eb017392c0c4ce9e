"""What can be chosen about a search: one frozen dataclass, from which the player grammar, the help and forms are made.

Each field says in its metadata what it means. The bias: at 500 simulations 0.03 won 50 of 60 games against 0.1, and at
1,000 simulations 0.01 won 43 of 80 against 0.03 and 32 of 60 against 0.02 (9x9 Go, uniform playouts).
"""

import math
from dataclasses import dataclass
from typing import Any

from tengen.errors import TengenError
from tengen.options import (
    BY_VARIANCE,
    KnowledgeOptions,
    MogoOptions,
    ShapeOptions,
    ShapePriorOptions,
    option,
)
from tengen.policies.named import POLICIES, TACTICAL_PRIORS
from tengen.search.selection import RAVE_POLICIES, TREE_POLICIES


def simulations_option(usual: int) -> Any:
    """How many simulations a move may take, with what it is if nothing is said."""
    meaning = f"simulations a move; 0: as the time allows, or {usual} if there is no clock"
    return option(0, meaning, low=0, high=10**9)


def seconds_option() -> Any:
    """How many seconds a move may take."""
    return option(0.0, "seconds a move; 0: as a clock or the simulations say", low=0, high=1e6)


PRIORS = ("none", "even", "grandfather", *TACTICAL_PRIORS)
DEFAULT_SIMULATIONS = 3000
"""A move's, if nothing else limits it."""


@dataclass(frozen=True)
class TreeOptions:
    """How a search selects, backs up, expands and plays out, and how long it may take."""

    simulations: int = simulations_option(DEFAULT_SIMULATIONS)
    seconds: float = seconds_option()
    threads: int = option(1, "threads that search one tree; more than one make no tree twice", low=1, high=256)
    policy: str = option("uniform", "who plays the playouts", tuple(POLICIES))

    tree_policy: str = option("ucb1", "the formula that selects moves in the tree", tuple(TREE_POLICIES))
    exploration: float = option(0.5, "c, the weight of the exploration term", low=0, high=1e6)
    first_play: float = option(
        math.inf, "the value of a move about which nothing is known; inf: try each move once", low=-1e6
    )
    equivalence: float = option(
        1000.0,
        "k, uct-rave: visits at which both estimates count alike",
        low=1e-6,
        high=1e12,
        needs={"tree_policy": ("uct-rave",)},
    )
    bias: float = option(
        0.02,
        "b, mc-rave: the assumed bias of rapid action values",
        low=0,
        high=1e3,
        needs={"tree_policy": ("mc-rave",)},
    )
    initial_weight: float = option(
        1.0,
        "w_i, fuego-rave: weight of the first rapid value",
        low=1e-6,
        high=1e9,
        needs={"tree_policy": ("fuego-rave",)},
    )
    final_weight: float = option(
        5000.0,
        "w_f, fuego-rave: weight that rapid values approach",
        low=1e-6,
        high=1e9,
        needs={"tree_policy": ("fuego-rave",)},
    )
    rave_first: str = option(
        "same",
        "a move counts for rapid values if its side (same) or anyone (either) plays there first",
        ("same", "either"),
    )

    backup: str = option("mean", "how results become values", ("mean", "discounted", "accelerated"))
    decay: float = option(
        0.9999,
        "lambda of the discounted and accelerated backups",
        low=1e-3,
        high=1,
        needs={"backup": ("discounted", "accelerated")},
    )
    discount: str = option(
        "path", "discounted: what a simulation discounts, its path or the whole tree", ("path", "tree")
    )
    solver: bool = option(False, "prove wins and losses up the tree")

    prior: str = option("none", "what a new node believes of its moves", PRIORS)
    prior_weight: float | str = option(
        10.0,
        "M, the equivalent experience of a prior, in visits; with prior=rlgo also 'variance': "
        "prior_scale times Q (1 - Q) / E (Q - search)^2, by phase",
        low=0,
        high=1e5,
        needs={"prior": PRIORS[1:]},
        words=(BY_VARIANCE,),
    )
    prior_on: str = option("visits", "where a prior's experience is entered", ("visits", "rave", "both"))

    expand: str = option(
        "first",
        "when a position gets a node: at its first visit, at a threshold, or with its whole episode",
        ("first", "threshold", "episode"),
    )
    expand_visits: int = option(
        8,
        "expand=threshold: visits of a move before it gets a node",
        low=1,
        high=10**6,
        needs={"expand": ("threshold",)},
    )
    final_move: str = option(
        "visits", "the move played: the one with the most visits, or the best value", ("visits", "value")
    )
    temperature: float = option(
        0.0, "draw the move played with p ~ visits^(1 / temperature); 0: play the best one", low=0, high=100
    )
    resign: float = option(0.0, "give up when the best move is worth less than this; 0: never", low=0, high=1)
    reuse: bool = option(True, "keep the part of the tree that the moves played lead to")
    memory: int = option(
        1000, "megabytes that the tree may take; when it is full, playouts go on from its leaves", low=1, high=10**6
    )
    seed: int = option(1, "of the random numbers: the same seed gives the same tree", low=0)

    def __post_init__(self) -> None:
        if self.threads > 1 and self.backup == "discounted" and self.discount == "tree":
            raise TengenError("discount=tree needs threads=1: it counts every simulation before the next begins")
        if self.prior != "none" and self.prior_on != "visits" and not self.rave:
            raise TengenError(
                f"prior_on={self.prior_on} needs a tree policy with rapid action values, not {self.tree_policy}"
            )

    @property
    def rave(self) -> bool:
        """Whether the tree keeps rapid action values."""
        return self.tree_policy in RAVE_POLICIES


@dataclass(frozen=True)
class SearchConfig(ShapePriorOptions, ShapeOptions, KnowledgeOptions, MogoOptions, TreeOptions):
    """A tree search."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.prior_weight == BY_VARIANCE and self.prior != "rlgo":
            raise TengenError(f"prior_weight={BY_VARIANCE} needs prior=rlgo, not prior={self.prior}")


def current_settings(stored: dict[str, Any]) -> dict[str, Any]:
    """Return stored settings of a search under the present keys: older ones have `prior_experience`."""
    settings = dict(stored)
    if settings.pop("prior_experience", None) == BY_VARIANCE:
        settings["prior_weight"] = BY_VARIANCE
    return settings
