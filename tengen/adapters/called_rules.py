"""States of a game whose rules are a Python function, called once for each move; a search runs compiled around it.

The function writes into the state who is to move, the legal moves and the result; every other verb reads them there.
One record serves all games with such rules, so that they share compiled kernels.
"""

import threading

import numpy as np

from tengen.errors import TengenError
from tengen.games import interface
from tengen.games.interface import MOST_MOVES
from tengen.jit import call_python, kernel, record

LONGEST_GAME = 2048
"""Greatest number of moves of a game, forced passes included."""
FAILED, GOING_ON, OVER = 0, 1, 2
"""Values of `status`."""
STATE = record(
    "called_rules",
    [
        ("to_play", np.uint32),
        ("status", np.uint32),  # FAILED until the function has written the rest
        ("score", np.float64),
        ("serial", np.uint64),  # by which the function knows the state
        ("count", np.int64),  # of the legal moves
        ("length", np.int64),  # of the history
        ("function", np.int64),  # address
        ("moves", np.uint16, (MOST_MOVES,)),  # legal ones
        ("history", np.uint16, (LONGEST_GAME,)),  # all moves since the start, to which a state can be replayed
    ],
)

last_failure = threading.local()
"""`reason`: the exception that the function has caught last in this thread."""


class RulesFailed(TengenError):
    """The function with the rules has raised an exception."""

    def __init__(self, message: str = ""):
        """Without a message, the one of the last failure in this thread, since a kernel cannot make one."""
        reason = getattr(last_failure, "reason", None)
        shown = f"{type(reason).__name__}: {reason}".strip().partition("\n")[0]
        super().__init__(message or f"rules in Python have failed: {shown}")


@interface.play.implement(STATE)
@kernel
def play(state, move):
    if state.length >= LONGEST_GAME:
        raise RulesFailed("a game with rules in Python has more moves than its rules allow")
    state.status = FAILED
    call_python(state.function, state, np.int64(move))
    if state.status == FAILED:
        raise RulesFailed()
    state.history[state.length] = move
    state.length += 1


@interface.legal_moves.implement(STATE)
@kernel
def legal_moves(state, moves):
    for i in range(state.count):
        moves[i] = state.moves[i]
    return state.count


@interface.is_over.implement(STATE)
@kernel
def is_over(state):
    return state.status == OVER


@interface.score.implement(STATE)
@kernel
def score(state):
    return state.score
