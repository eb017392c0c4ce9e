"""Prior knowledge: what a new node believes of its moves before any was tried.

The mechanism: a move starts as if it had been tried `weight` times with a certain value, its equivalent experience,
in the visits, in the rapid action values, or in both. A prior is a record that begins with PRIOR_FIELDS, and a body of
`expect`; those here serve every game.
"""

import numpy as np

from tengen.games.interface import is_candidate
from tengen.jit import kernel, record
from tengen.policies.expectation import PRIOR_FIELDS, expect, survey
from tengen.search.tree import CLOSED, close, padded

f32 = np.float32


def prior_row(slots: int) -> np.dtype:
    """What a prior has said of a node: kept, so that it can be told from what the search has found out."""
    wide = padded(slots)
    return record(
        f"prior_row_{wide}",
        [
            ("value", np.float32, (wide,)),
            ("weight", np.float32, (wide,)),
            ("visits", np.float32, (wide,)),  # the part of the weight that is in the node's visits
            ("wins", np.float32, (wide,)),
        ],
    )


@kernel(private=True)
def give_prior(prior, memory, node, state, count):
    """Initialise the moves of a new node.                                              [GellySilver2007, section 7]

    n(s,a) <- n_prior,  Q(s,a) <- Q_prior(s,a)   and, or, instead,   m(s,a) <- m_prior,  Q~(s,a) <- Q_prior(s,a)

    Every move is tested here: with visits of its own it would never look untried to the search.
    """
    row, said = memory.tree[node], memory.priors[node]
    for i in range(said.value.size):
        said.value[i], said.weight[i], said.visits[i], said.wins[i] = f32(0.5), f32(0.0), f32(0.0), f32(0.0)
    survey(prior, memory, state)
    for i in range(count):
        slot = np.int64(memory.work.moves[i])
        if not is_candidate(state, slot):
            close(row, slot)
            continue
        value, share = expect(prior, memory, state, slot)
        weight = f32(share) * prior.weight
        said.value[slot], said.weight[slot] = f32(value), weight
        if prior.on_visits:
            row.visits[slot], row.wins[slot] = weight, weight * f32(value)
            said.visits[slot], said.wins[slot] = weight, weight * f32(value)
            row.total += weight
        if prior.on_rave and row.rave_visits.size > 1:
            row.rave_visits[slot], row.rave_wins[slot] = weight, weight * f32(value)


NONE = record("no_prior", PRIOR_FIELDS)


@expect.implement(NONE)
@kernel(inline=True, private=True)
def nothing(prior, memory, state, move):
    return 0.5, 0.0


EVEN = record("even", PRIOR_FIELDS)


@expect.implement(EVEN)
@kernel(inline=True, private=True)
def even(prior, memory, state, move):
    """Q_even(s,a) = 0.5                                                                [GellySilver2007, section 7]"""
    return 0.5, 1.0


GRANDFATHER = record("grandfather", PRIOR_FIELDS)


@expect.implement(GRANDFATHER)
@kernel(inline=True, private=True)
def grandfather(prior, memory, state, move):
    """Q_grand(s_t, a) = Q_UCT(s_(t-2), a)                                              [GellySilver2007, section 7]

    Where the move was not tried, or there is no such node, there is nothing to believe.
    """
    work = memory.work
    if work.depth < 2:
        return 0.5, 0.0
    row = memory.tree[work.path[work.depth - 2]]
    if row.visits[move] <= f32(0.0) or row.wins[move] <= CLOSED:
        return 0.5, 0.0
    return np.float64(row.wins[move] / row.visits[move]), 1.0


FOR_EVERY_GAME = {"none": NONE, "even": EVEN, "grandfather": GRANDFATHER}
"""By name; there are others made for one game."""
