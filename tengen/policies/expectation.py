"""The verbs of a prior: what it believes of a position's moves before any was tried."""

import numpy as np

from tengen.jit import kernel, verb

PRIOR_FIELDS = [("weight", np.float32), ("on_visits", np.uint8), ("on_rave", np.uint8)]
"""What the record of every prior begins with: its equivalent experience, and where that is entered."""

SEARCH_STATES = 3
"""How many of `memory.states` are the search's own; those after them are room for a prior to play in."""


@verb
def survey(prior, memory, state):
    """Look at a position once, before its moves are asked about; `memory.work.marks` is room for a mark a move."""


@verb
def expect(prior, memory, state, move):
    """The value that a prior gives a move for the side to move, and the share of its weight that this is worth."""


@survey.otherwise
@kernel(inline=True, private=True)
def nothing_to_survey(prior, memory, state):
    pass
