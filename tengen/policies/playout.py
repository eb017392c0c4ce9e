"""The verbs of a playout policy: it plays a simulation on from the leaf of the tree to the end of the game."""

from collections.abc import Iterator
from contextlib import contextmanager

from tengen.errors import TengenError
from tengen.games.interface import is_legal, is_over, play
from tengen.jit import kernel, verb


class BadPlayout(TengenError):
    """A playout policy that picks an illegal move or never ends a game."""


@contextmanager
def named_in_errors(policy: str) -> Iterator[None]:
    """Add the name of the playout policy in use to a BadPlayout, since kernels raise it without."""
    try:
        yield
    except BadPlayout as error:
        raise BadPlayout(f"{error} (policy={policy})") from error


@verb
def play_out(policy, state, rng, trace, length):
    """Play from a state to the end of the game; return the new length.

    The moves are written to `trace` from index `length` on. Afterwards only `outcome` and `score` may be asked of
    the state.
    """


@verb
def pick(policy, state, rng):
    """Return the next move of a playout, which must be legal: the short form of a playout policy."""


@play_out.otherwise
@kernel
def play_picked_moves(policy, state, rng, trace, length):
    """For playout policies in the short form. Every move is checked: an illegal one would write out of bounds."""
    while not is_over(state):
        if length >= trace.size:
            raise BadPlayout("the playout policy does not end the game: its playout is longer than longest_playout")
        move = pick(policy, state, rng)
        if not 0 <= move < policy.move_slots or not is_legal(state, move):
            raise BadPlayout("the playout policy picked an illegal move")
        play(state, move)
        trace[length] = move
        length += 1
    return length
