"""What can be chosen about Monte-Carlo evaluation without a tree. A simulation is a random game."""

from dataclasses import dataclass
from typing import Any

from tengen.errors import TengenError
from tengen.options import MogoOptions, ShapeOptions, option
from tengen.policies.named import POLICIES
from tengen.search.config import seconds_option, simulations_option

FLAT_SIMULATIONS = 80_000
"""About a thousand games for each move of 9x9 Go. Scores deviate by some 35 points, so that a thousand games tell a
mean to a point [BouzyChaslot2006, section III.B].
"""
AMAF_SIMULATIONS = 10_000
"""Each of which counts for about half of the points: five thousand games for each, in an eighth of the time."""


def policy_option() -> Any:
    """Who plays random games."""
    return option("uniform", "who plays the random games", tuple(POLICIES))


def objective_option() -> Any:
    """What is compared."""
    return option("score", "what is compared: the mean score, or the share of wins", ("score", "wins"))


@dataclass(frozen=True)
class FlatOptions:
    """Flat Monte-Carlo: which move the next random game begins with, and what of the games counts.

    The settings of pruning are those of BouzyHelmstetter2003, who tried r_d = 1, 2, 4 and 8. On 50 positions of 9x9 Go
    the moves chosen with r_d = 1 were 0.6 points worse than those without pruning, with r_d = 2 no worse, for 2 % and
    16 % of the games.
    With 3,000 games a move, c = 0.2, 0.5 and 1.41 won 52, 54 and 43 of 60 games against uniform selection.
    """

    simulations: int = simulations_option(FLAT_SIMULATIONS)
    seconds: float = seconds_option()
    policy: str = policy_option()
    objective: str = objective_option()
    selection: str = option(
        "uniform",
        "which move the next game begins with: all in turn (uniform), the one of the highest upper bound (ucb), or in "
        "turn all that are not worse for sure (pruning)",
        ("uniform", "ucb", "pruning"),
    )
    exploration: float = option(0.5, "ucb: c, the weight of the exploration term", low=0, high=1e6)
    difference: float = option(2.0, "pruning: r_d, standard deviations from a mean to its bound", low=0, high=1e3)
    equality: float = option(
        0.2, "pruning: s_e, the deviation of a mean, in points or percent, for moves to be equal", low=0, high=1e3
    )
    first_games: int = option(100, "pruning: games of each move before any is pruned", low=2, high=10**9)
    most_games: int = option(10_000, "pruning: games of a move after which the race ends", low=2, high=10**9)
    resign: float = option(0.0, "give up when the best move wins a smaller share of its games; 0: never", low=0, high=1)
    seed: int = option(1, "of the random numbers: the same seed gives the same games", low=0)


@dataclass(frozen=True)
class FlatConfig(ShapeOptions, MogoOptions, FlatOptions):
    """Flat Monte-Carlo."""


@dataclass(frozen=True)
class AmafOptions:
    """All moves as first: random games from the position itself, each of which counts for all of its moves.

    With 1,000 games a move on 9x9, annealing from T = 5 and 20 won 5 and 7 of 16 games against none, from 40 and 80 it
    won 67 and 65 of 100.
    """

    simulations: int = simulations_option(AMAF_SIMULATIONS)
    seconds: float = seconds_option()
    policy: str = policy_option()
    objective: str = objective_option()
    annealing: bool = option(False, "play the moves that did well first, more strictly so the longer it takes")
    temperature: float = option(40.0, "annealing: T at the start, in places of the order of moves", low=0, high=1e6)
    resign: float = option(0.0, "give up when a smaller share of the games is won; 0: never", low=0, high=1)
    seed: int = option(1, "of the random numbers: the same seed gives the same games", low=0)

    def __post_init__(self) -> None:
        if self.annealing and self.policy != "uniform":
            raise TengenError(f"annealing plays the random games itself, so policy={self.policy} would do nothing")


@dataclass(frozen=True)
class AmafConfig(ShapeOptions, MogoOptions, AmafOptions):
    """All moves as first."""
