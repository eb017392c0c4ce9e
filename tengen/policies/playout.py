"""The verbs of a playout policy: it plays a simulation on from the leaf of the tree to the end of the game."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from tengen.errors import TengenError
from tengen.games.interface import is_legal, is_over, play
from tengen.jit import kernel, on_gpu, verb


class BadPlayout(TengenError):
    """A playout policy that picks an illegal move or never ends a game."""


ILLEGAL_MOVE, TOO_LONG = 1, 2
"""Faults of a playout policy. On a GPU, which has no exceptions, `play_out` returns minus the fault."""
FAULTS = {
    ILLEGAL_MOVE: "the playout policy picked an illegal move",
    TOO_LONG: "the playout policy does not end the game: its playout is longer than longest_playout",
}
ILLEGAL_MOVE_TEXT, TOO_LONG_TEXT = FAULTS[ILLEGAL_MOVE], FAULTS[TOO_LONG]


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
            raise BadPlayout(TOO_LONG_TEXT)
        move = pick(policy, state, rng)
        if not 0 <= move < policy.move_slots or not is_legal(state, move):
            raise BadPlayout(ILLEGAL_MOVE_TEXT)
        play(state, move)
        trace[length] = move
        length += 1
    return length


@on_gpu(play_picked_moves)
@kernel
def play_picked_moves_with_status(policy, state, rng, trace, length):
    """Like `play_picked_moves`, but a fault is returned as a negative number."""
    while not is_over(state):
        if length >= trace.size:
            return np.int64(-TOO_LONG)
        move = pick(policy, state, rng)
        if not 0 <= move < policy.move_slots or not is_legal(state, move):
            return np.int64(-ILLEGAL_MOVE)
        play(state, move)
        trace[length] = move
        length += 1
    return length
