"""Kernels that let tests call private kernels of urgency learning."""

from tengen.jit import kernel
from tengen.learning.urgency_games import entropy_of, result_of


@kernel
def entropy_at(urgencies, state):
    """Return the entropy of a position and the number of its candidate moves."""
    return entropy_of(urgencies, state)


@kernel
def result_by_margin(margin, state, by_score):
    """Return the result of a game with a margin."""
    return result_of(margin, state, by_score)
