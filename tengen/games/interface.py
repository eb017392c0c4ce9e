"""The verbs between games and everything that plays them: a search knows no game, and a game no search.

A game is a record (its state) and a body for each of these verbs. What they share:
- `state.to_play` is 0 when the first player is to move, 1 when the second is. The first is called Black in every game.
- A move is a small unsigned number, below the game's `move_slots`; trees keep one slot of statistics for each.
- Results are Black's: 1 is a win for Black, 0 a win for White, 0.5 a draw.
"""

from tengen.jit import verb


@verb
def play(state, move):
    """Play a legal move in place."""


@verb
def is_legal(state, move):
    """Whether the rules within the state allow a move (rules that look at the game's history are the game's own)."""


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
    """Black's result: 1, 0.5 or 0."""


@verb
def uniform_playout(state, rng, trace, length):
    """Play random moves to the end of the game, each sensible legal move equally likely; return the new length.

    The moves are written to `trace` from index `length` on. Afterwards only `outcome` and `score` may be asked of
    the state.
    """
