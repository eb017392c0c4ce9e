"""The verb of a default policy: it plays a simulation on from where the tree ends."""

from tengen.jit import verb


@verb
def play_out(policy, state, rng, trace, length):
    """Play from a state to the end of the game; return the new length.

    The moves are written to `trace` from index `length` on. Afterwards only `outcome` and `score` may be asked of
    the state.
    """
