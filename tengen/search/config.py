"""The options of a tree search. The player grammar, the help texts and forms are made from them."""

from dataclasses import dataclass
from typing import Any

from tengen.composed_config import ComposedConfig
from tengen.errors import TengenError
from tengen.options import option
from tengen.registry import BACKUP, PLAYOUT_POLICY, PRIOR, TREE_POLICY


def simulations_option(usual: int) -> Any:
    """Return the option for the number of simulations a move, `usual` where neither time nor a number limits them."""
    meaning = f"simulations per move; 0: as many as the time allows, or {usual} without a time limit"
    return option(0, meaning, low=0, high=10**9)


def seconds_option() -> Any:
    """Return the option for the time of a move."""
    return option(0.0, "seconds per move; 0: limited by the clock or by the simulations", low=0, high=1e6)


DEFAULT_SIMULATIONS = 3000
"""Simulations per move without any other limit."""


@dataclass(frozen=True)
class SearchOptions:
    """A tree search's own options; those of its parts come from the parts."""

    simulations: int = simulations_option(DEFAULT_SIMULATIONS)
    seconds: float = seconds_option()
    threads: int = option(
        1, "number of search threads; with more than one, results are not reproducible", low=1, high=256
    )
    policy: str = option("uniform", "the playout policy", part=PLAYOUT_POLICY)
    tree_policy: str = option("ucb1", "the formula that selects moves in the tree", part=TREE_POLICY)
    backup: str = option("mean", "how results become values of moves", part=BACKUP)
    solver: bool = option(False, "prove wins and losses in the tree")
    prior: str = option("none", "the values and the experience that the moves of a new node start with", part=PRIOR)
    expand: str = option(
        "first",
        "when a position gets a node: at its first visit, after expand_visits of them, or (episode) all positions of "
        "the simulation at once",
        ("first", "threshold", "episode"),
    )
    expand_visits: int = option(
        8, "number of visits to a move before it gets a node", low=1, high=10**6, needs={"expand": ("threshold",)}
    )
    new_node_visit: bool = option(
        False,
        "count the first move of the playout as a visit at the new node, as in Algorithm 2 of Gelly and Silver (2011)",
        needs={"expand": ("first", "threshold")},
    )
    final_move: str = option(
        "visits",
        "the move played: the one with the most visits, with the best value, or (eval) the one that the tree policy "
        "values most without exploration",
        ("visits", "value", "eval"),
    )
    temperature: float = option(
        0.0, "draw the move played with probability ~ visits^(1 / temperature); 0: play the best one", low=0, high=100
    )
    resign: float = option(0.0, "resign when the best move's win rate is below this; 0: never", low=0, high=1)
    reuse: bool = option(True, "keep the subtree of the moves played")
    memory: int = option(
        1000, "memory limit of the tree in megabytes; a full tree gets no more nodes", low=1, high=10**6
    )
    seed: int = option(1, "seed of the random numbers; the same seed gives the same tree", low=0)


class SearchConfig(ComposedConfig):
    """A tree search: its own options, and those of its tree policy, backup, prior and playout policy."""

    own = SearchOptions

    def check(self) -> None:
        if self.threads > 1 and self.settings().get("discount") == "tree":
            raise TengenError("discount=tree needs threads=1: it counts every simulation before the next begins")
        if self.settings().get("prior_on", "visits") != "visits" and not self.rave:
            raise TengenError(
                f"prior_on={self.prior_on} needs a tree policy with RAVE values; {self.tree_policy} has none"
            )

    @property
    def rave(self) -> bool:
        """Whether the nodes of the tree have RAVE statistics."""
        return self.part("tree_policy").needs.rave
