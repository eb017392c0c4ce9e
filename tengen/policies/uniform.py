"""The uniform random playout policy: every candidate move of the game has the same probability."""

import numpy as np

from tengen.games.interface import uniform_playout
from tengen.jit import kernel, new, record
from tengen.policies.playout import play_out
from tengen.registry import PLAYOUT_POLICY, register

UNIFORM = record("uniform", [("unused", np.uint8)])
register(
    PLAYOUT_POLICY, "uniform", "all candidate moves with equal probability", record=lambda options, game: new(UNIFORM)
)


@play_out.implement(UNIFORM)
@kernel(inline=True)
def uniform(policy, state, rng, trace, length):
    return uniform_playout(state, rng, trace, length)
