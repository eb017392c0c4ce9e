"""A prior of your own: moves of Go near the centre start with better statistics.

    tengen match mc-rave:prior=central,simulations=500 mc-rave:simulations=500 --plugin examples/my_prior.py --size 9

The function gives each move of a new node a value and an experience, in units of the option `prior_weight`.
"""

import tengen as tg


@tg.prior("central", game="go", steepness=0.3)
def central(prior, scratch, state, move):
    """0.5 on the edge of the board, and up to `steepness` more in its centre."""
    if move == 0:  # a pass
        return 0.5, 0.0
    row, column = divmod(move, state.side + 1)  # both from 1
    distance = max(abs(2 * row - state.side - 1), abs(2 * column - state.side - 1)) / (state.side - 1)
    return 0.5 + prior.steepness * (1.0 - distance), 1.0
