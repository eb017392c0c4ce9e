"""The options of Monte-Carlo evaluation without a tree. A simulation is a random game."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from tengen.composed_config import ComposedConfig
from tengen.errors import TengenError
from tengen.options import option
from tengen.policies.expectation import PriorOptions
from tengen.registry import PLAYOUT_POLICY, PRIOR, SELECTION
from tengen.search.config import seconds_option, simulations_option

FLAT_SIMULATIONS = 80_000
"""About a thousand games for each move of 9x9 Go. The standard deviation of scores is about 35 points, so that a mean
of a thousand games is exact to a point [BouzyChaslot2006, section III.B].
"""
AMAF_SIMULATIONS = 10_000
"""Each game counts for about half of the points: five thousand games per point, in an eighth of the time."""
MOST_PRESELECTED = 1000
"""Limit of `preselect`."""


def policy_option() -> Any:
    """Return the option for the policy of the random games."""
    return option("uniform", "the policy of the random games", part=PLAYOUT_POLICY)


def objective_option() -> Any:
    """Return the option for the compared quantity."""
    return option("score", "quantity to compare: the mean score, or the win rate", ("score", "wins"))


def preselect_option() -> Any:
    """Return the option for the number of moves that are compared."""
    meaning = "number of moves to compare, in addition to the pass: those that the prior values most; 0: all moves"
    return option(0, meaning, low=0, high=MOST_PRESELECTED)


def prior_option() -> Any:
    """Return the option for the prior that ranks the moves."""
    meaning = "prior that ranks the moves for preselection; moves that it excludes are left out"
    return option("knowledge", meaning, part=PRIOR, needs={"preselect": range(1, MOST_PRESELECTED + 1)})


class SamplingConfig(ComposedConfig):
    """Base of the configurations of players without a tree."""

    unused: ClassVar = {
        entry.name: "the prior of a player without a tree only ranks moves" for entry in fields(PriorOptions)
    }

    def check(self) -> None:
        if self.preselect and self.part("prior").needs.tree:
            raise TengenError(f"prior={self.prior} cannot preselect moves: its values come from a tree")


@dataclass(frozen=True)
class FlatOptions:
    """Options of flat Monte-Carlo, except those of its parts."""

    simulations: int = simulations_option(FLAT_SIMULATIONS)
    seconds: float = seconds_option()
    policy: str = policy_option()
    objective: str = objective_option()
    preselect: int = preselect_option()
    prior: str = prior_option()
    selection: str = option("uniform", "the move that the next game begins with", part=SELECTION)
    amaf: bool = option(
        False,
        "all moves as first: a game counts for each move that was the first on its point, not only for the move that "
        "the game began with",
    )
    resign: float = option(0.0, "resign when the best move's win rate is below this; 0: never", low=0, high=1)
    seed: int = option(1, "seed of the random numbers", low=0)


class FlatConfig(SamplingConfig):
    """Flat Monte-Carlo: its own options, and those of its selection, its playout policy and its prior, if any."""

    own = FlatOptions


@dataclass(frozen=True)
class AmafOptions:
    """Options of all-moves-as-first, except those of its policy: random games, each counted for all of its moves.

    With 1,000 games a move on 9x9, annealing from T = 5, 20, 40 and 80 won 17 of 50, 30 of 50, 53 of 100 and 25 of 50
    games against none (docs/results/flat-mc): no gain is shown.
    """

    simulations: int = simulations_option(AMAF_SIMULATIONS)
    seconds: float = seconds_option()
    policy: str = policy_option()
    objective: str = objective_option()
    preselect: int = preselect_option()
    prior: str = prior_option()
    annealing: bool = option(
        False, "simulated annealing: play moves in the order of their values, with decreasing randomness"
    )
    temperature: float = option(
        40.0, "T at the start, in ranks of the order of moves", low=0, high=1e6, needs={"annealing": (True,)}
    )
    resign: float = option(0.0, "resign when the win rate is below this; 0: never", low=0, high=1)
    seed: int = option(1, "seed of the random numbers", low=0)


class AmafConfig(SamplingConfig):
    """All moves as first: its own options, and those of its playout policy and its prior, if any."""

    own = AmafOptions

    def check(self) -> None:
        super().check()
        if self.annealing and self.policy != "uniform":
            raise TengenError(
                f"policy={self.policy} has no effect with annealing, which chooses the moves of the random games itself"
            )
