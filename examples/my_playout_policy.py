"""A playout policy of your own: random moves of Go that avoid the first line.

    tengen match uct:policy=edge-shy,simulations=500 uct:simulations=500 --plugin examples/my_playout_policy.py --size 9

The function picks each move of a playout. It is compiled, and its moves are checked to be legal.
"""

import tengen as tg
from tengen.games.interface import random_candidate
from tengen.jit import kernel


@kernel
def is_on_first_line(state, move):
    """Whether a move is on the edge of the board. Points are numbered by rows of `side` + 1; a pass is 0."""
    row, column = divmod(move, state.side + 1)
    return move > 0 and (row == 1 or row == state.side or column == 1 or column == state.side)


@tg.playout_policy("edge-shy", game="go", tries=2)
def edge_shy(policy, state, rng):
    """Random moves; one on the first line is drawn again, up to `tries` times."""
    move = random_candidate(state, rng)
    for _ in range(policy.tries):
        if not is_on_first_line(state, move):
            break
        move = random_candidate(state, rng)
    return move
