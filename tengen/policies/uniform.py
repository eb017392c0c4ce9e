"""The uniform random policy: whatever the game calls sensible, each move equally likely."""

import numpy as np

from tengen.games.interface import uniform_playout
from tengen.jit import kernel, record
from tengen.policies.playout import play_out

UNIFORM = record("uniform", [("unused", np.uint8)])


@play_out.implement(UNIFORM)
@kernel(inline=True)
def uniform(policy, state, rng, trace, length):
    return uniform_playout(state, rng, trace, length)
