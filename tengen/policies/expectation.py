"""The verbs of a prior: the value and the equivalent experience that it gives to the moves of a new node.

A player without a tree ranks the moves of a position by these values; a prior may exclude moves from the ranking.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tengen.jit import kernel, verb
from tengen.options import option

PRIOR_FIELDS = [("weight", np.float32), ("on_visits", np.uint8), ("on_rave", np.uint8)]
"""The first fields of every prior's record: its equivalent experience in visits, and where the search enters it."""


@dataclass(frozen=True)
class PriorOptions:
    """Options of every prior; those of a prior of your own inherit them."""

    prior_weight: float = option(10.0, "M, the equivalent experience of the prior, in visits", low=0, high=1e5)
    prior_on: str = option(
        "visits", "the statistics that the prior's experience is added to", ("visits", "rave", "both")
    )

    @property
    def weight(self) -> float:
        return self.prior_weight

    @property
    def on_visits(self) -> bool:
        return self.prior_on in ("visits", "both")

    @property
    def on_rave(self) -> bool:
        return self.prior_on in ("rave", "both")


class PriorScratch(NamedTuple):
    """The buffers of a search thread that a prior may use while it looks at a position, and the tree to read.

    Without a tree, `tree` and `path` are empty and `depth` is 0.
    """

    marks: np.ndarray  # uint8 (slots,): a mark per move
    values: np.ndarray  # float32 (slots,): a number per move
    states: np.ndarray  # as many states as the prior is registered to need
    tree: np.ndarray  # all nodes
    path: np.ndarray  # int32: the nodes at which this simulation has selected moves, `depth` of them
    depth: int


@verb
def survey(prior, scratch, state):
    """Look at a position once, before `expect` is called for its moves. `scratch` is a PriorScratch."""


@verb
def expect(prior, scratch, state, move):
    """Return the value of a move for the side to move, and its experience as a multiple of the prior's weight."""


@verb
def survey_exclusions(prior, scratch, state):
    """Look at a position once, after `survey`, before `is_excluded` is called for its moves. Default: nothing."""


@verb
def is_excluded(prior, scratch, state, move):
    """Whether a move is too bad for a ranking of moves; trees include it with its value. Default: False."""


@survey.otherwise
@survey_exclusions.otherwise
@kernel(inline=True, private=True)
def nothing_to_survey(prior, scratch, state):
    pass


@is_excluded.otherwise
@kernel(inline=True, private=True)
def never_excluded(prior, scratch, state, move):
    return False
