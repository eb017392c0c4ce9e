"""The verbs between games and everything that plays them: a search knows no game, and a game no search.

A game is a record (its state) and a body for each of these verbs but those that say what happens without one.
What they share:
- `state.to_play` is 0 when the first player is to move, 1 when the second is. The first is called Black in every game.
  They take turns, always: who cannot move passes.
- A move is a small unsigned number, below the game's `move_slots`; trees keep one slot of statistics for each.
- Results are Black's: 1 is a win for Black, 0 a win for White, 0.5 a draw.
"""

import numpy as np

from tengen.jit import kernel, verb
from tengen.rng import below

MOST_MOVES = 1024
"""A game has no more move slots than this."""


@verb
def play(state, move):
    """Play a legal move in place."""


@verb
def is_legal(state, move):
    """Whether the rules within the state allow a move (rules that look at the game's history are the game's own).

    Without a body: whether it is one of `legal_moves`.
    """


@verb
def legal_moves(state, moves):
    """Write the legal moves into an array and return how many there are; none once the game is over."""


@verb
def is_over(state):
    """Whether the game has ended."""


@verb
def score(state):
    """Black's margin: points, discs, or 1, 0 and -1 where a game only knows winners."""


@verb
def outcome(state):
    """Black's result: 1, 0.5 or 0. Without a body: 1 if Black's score is positive, 0 if it is negative."""


@verb
def candidate_moves(state, moves):
    """Write all moves that a search may want to try and return how many; some may still fail `is_candidate`.

    What is dear to test is tested when a search first chooses the move. Any game's own legal moves, if it says nothing.
    """


@verb
def is_candidate(state, move):
    """Whether one of the `candidate_moves` is legal, and worth a thought; without a body, every one of them is."""


@verb
def situation(state):
    """A number for what may not come back later in the game (superko), or 0 if anything may."""


@verb
def add_ownership(state, sums):
    """Add to each slot 1 where Black owns what it stands for at the end of a game, -1 where White does."""


@is_legal.otherwise
@kernel(allocates=True)
def is_among_legal_moves(state, move):
    moves = np.empty(MOST_MOVES, np.uint16)
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
    """Play random moves to the end of the game, each sensible legal move equally likely; return the new length.

    The moves are written to `trace` from index `length` on. Afterwards only `outcome` and `score` may be asked of
    the state.
    """


@uniform_playout.otherwise
@kernel(allocates=True)
def playout_by_legal_moves(state, rng, trace, length):
    """Works for every game; one that can tell its sensible moves faster has a body of its own."""
    moves = np.empty(MOST_MOVES, np.uint16)
    while not is_over(state):
        move = moves[below(rng, legal_moves(state, moves))]
        play(state, move)
        trace[length] = move
        length += 1
    return length


@kernel(allocates=True)
def random_candidate(state, rng):
    """Return one of the candidate moves of a state, each with the same probability; a legal move if there is none."""
    moves = np.empty(MOST_MOVES, np.uint16)
    count = candidate_moves(state, moves)
    while count > 0:
        index = np.int64(below(rng, count))
        move = np.int64(moves[index])
        if is_candidate(state, move):
            return move
        count -= 1
        moves[index] = moves[count]
    return np.int64(moves[below(rng, legal_moves(state, moves))])
