"""The verbs that connect games with searches and policies.

A game is a record (its state) and a body for each of these verbs; verbs with a stated default need none.
Conventions:
- `state.to_play` is 0 if the first player is to move, 1 if the second is. The first is called Black in every game.
  The players alternate: a player without a move passes.
- A move is an unsigned number below the game's `move_slots`; trees have one slot of statistics for each.
- Results are Black's: 1 is a win for Black, 0 a win for White, 0.5 a draw.
"""

import numpy as np

from tengen.jit import kernel, temporary, verb
from tengen.rng import below

MOST_MOVES = 1024
"""The maximum number of move slots of a game."""


@verb
def play(state, move):
    """Play a legal move in place."""


@verb
def is_legal(state, move):
    """Whether a move is legal in this state; rules about the history of the game, such as superko, are not checked.

    Default: whether it is one of `legal_moves`.
    """


@verb
def legal_moves(state, moves):
    """Write the legal moves into the array `moves` and return their number; 0 if the game is over."""


@verb
def is_over(state):
    """Whether the game has ended."""


@verb
def score(state):
    """Black's margin: points or discs, or 1, 0 and -1 in games without points."""


@verb
def outcome(state):
    """Black's result: 1, 0.5 or 0. Default: by the sign of `score`."""


@verb
def candidate_moves(state, moves):
    """Write the moves that a search considers into the array `moves` and return their number.

    Expensive checks may be left to `is_candidate`, called when a move is first selected. Default: all legal moves.
    """


@verb
def is_candidate(state, move):
    """Whether one of the `candidate_moves` is legal and to be searched. Default: True."""


@verb
def situation(state):
    """The superko hash of the state, or 0 if repetitions are allowed. Default: 0."""


@verb
def add_ownership(state, sums):
    """Add 1 to `sums` at the slot of each place that Black owns at the end of a game, -1 where White does."""


@is_legal.otherwise
@kernel(allocates=True)
def is_among_legal_moves(state, move):
    moves = temporary(MOST_MOVES, np.uint16)
    found = False
    for i in range(legal_moves(state, moves)):
        found |= moves[i] == move
    return found


@outcome.otherwise
@kernel
def sign_of_score(state):
    margin = score(state)
    return 1.0 if margin > 0.0 else 0.0 if margin < 0.0 else 0.5


@candidate_moves.otherwise
@kernel
def all_legal_moves(state, moves):
    return legal_moves(state, moves)


@is_candidate.otherwise
@kernel(inline=True)
def always_candidate(state, move):
    return True


@add_ownership.otherwise
@kernel(inline=True)
def nothing_owned(state, sums):
    pass


@situation.otherwise
@kernel(inline=True)
def no_situation(state):
    return np.uint64(0)


@verb
def uniform_playout(state, rng, trace, length):
    """Play uniformly random candidate moves to the end of the game; return the new length of `trace`.

    The moves are written to `trace` from index `length` on. Afterwards only `outcome` and `score` are defined for the
    state.
    """


@uniform_playout.otherwise
@kernel(allocates=True)
def playout_by_legal_moves(state, rng, trace, length):
    """Default body for every game; a game with a faster way to find candidate moves has its own."""
    moves = temporary(MOST_MOVES, np.uint16)
    while not is_over(state):
        move = moves[below(rng, legal_moves(state, moves))]
        play(state, move)
        trace[length] = move
        length += 1
    return length


@verb
def uniform_results(state, scratch, rng, trace, count):
    """Play `count` uniform playouts from a state; return the sum of Black's results.

    `scratch` is an array of at least one state, and `trace` has room for the moves of a playout; a body may leave both
    unused. The state is not changed.
    """


@uniform_results.otherwise
@kernel
def results_one_by_one(state, scratch, rng, trace, count):
    results = 0.0
    for _ in range(count):
        scratch[0] = state
        uniform_playout(scratch[0], rng, trace, 0)
        results += outcome(scratch[0])
    return results


@kernel(allocates=True)
def random_candidate(state, rng):
    """Return a uniformly random candidate move of a state; a legal move if there is no candidate."""
    moves = temporary(MOST_MOVES, np.uint16)
    count = candidate_moves(state, moves)
    while count > 0:
        index = np.int64(below(rng, count))
        move = np.int64(moves[index])
        if is_candidate(state, move):
            return move
        count -= 1
        moves[index] = moves[count]
    return np.int64(moves[below(rng, legal_moves(state, moves))])
