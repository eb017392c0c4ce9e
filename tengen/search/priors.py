"""Prior knowledge: the statistics of a new node's moves before any was tried.

A move starts as if it had been tried `weight` times with a certain mean value, its equivalent experience, in the
visits, in the RAVE visits, or in both. A prior is a record that begins with PRIOR_FIELDS, and a body of `expect`. The
priors in this file serve every game.
"""

import numpy as np

from tengen.games.interface import is_candidate
from tengen.jit import join_lanes, kernel, lane, lanes, new, record
from tengen.policies.expectation import PRIOR_FIELDS, PriorOptions, PriorScratch, expect, survey
from tengen.registry import PRIOR, Needs, register
from tengen.search.tree import CLOSED, close, padded

f32 = np.float32

SEARCH_STATES = 3
"""Number of `memory.states` that the search uses itself; those after them are a prior's scratch states."""


def prior_row(slots: int) -> np.dtype:
    """Return the record of what a prior added to a node, which tells it apart from the results of simulations."""
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
def give_prior(prior, memory, node, state, count, untracked):
    """Initialise the moves of a new node.                                              [GellySilver2007, section 7]

    n(s,a) <- n_prior,  Q(s,a) <- Q_prior(s,a)   and, or, instead,   m(s,a) <- m_prior,  Q~(s,a) <- Q_prior(s,a)

    Every move is tested here: with visits of its own it would never look untried to the search. The move `untracked`, a
    pass, gets no RAVE visits: it has no RAVE value, and no simulation would ever correct the one of the prior.
    """
    row, said = memory.tree[node], memory.priors[node]
    for i in range(lane(), said.value.size, lanes()):
        said.value[i], said.weight[i], said.visits[i], said.wins[i] = f32(0.5), f32(0.0), f32(0.0), f32(0.0)
    join_lanes()
    work = memory.work
    scratch = PriorScratch(work.marks, work.values, memory.states[SEARCH_STATES:], memory.tree, work.path, work.depth)
    survey(prior, scratch, state)
    for i in range(count):
        slot = np.int64(work.moves[i])
        if not is_candidate(state, slot):
            close(row, slot)
            continue
        value, share = expect(prior, scratch, state, slot)
        weight = f32(share) * prior.weight
        said.value[slot], said.weight[slot] = f32(value), weight
        if prior.on_visits:
            row.visits[slot], row.wins[slot] = weight, weight * f32(value)
            said.visits[slot], said.wins[slot] = weight, weight * f32(value)
            row.total += weight
        if prior.on_rave and slot != untracked and row.rave_visits.size > 1:
            row.rave_visits[slot], row.rave_wins[slot] = weight, weight * f32(value)


NONE = record("no_prior", PRIOR_FIELDS)
NO_PRIOR = "none"
register(PRIOR, NO_PRIOR, "no prior knowledge", record=lambda options, game: new(NONE))


@expect.implement(NONE)
@kernel(inline=True, private=True)
def nothing(prior, scratch, state, move):
    return 0.5, 0.0


EVEN = record("even", PRIOR_FIELDS)
register(PRIOR, "even", "0.5 for every move [GellySilver2007, section 7]", options=PriorOptions, record=EVEN)


@expect.implement(EVEN)
@kernel(inline=True, private=True)
def even(prior, scratch, state, move):
    """Q_even(s,a) = 0.5                                                                [GellySilver2007, section 7]"""
    return 0.5, 1.0


GRANDFATHER = record("grandfather", PRIOR_FIELDS)
register(
    PRIOR,
    "grandfather",
    "the move's value at the node two moves before [GellySilver2007, section 7]",
    options=PriorOptions,
    record=GRANDFATHER,
    needs=Needs(tree=True),
)


@expect.implement(GRANDFATHER)
@kernel(inline=True, private=True)
def grandfather(prior, scratch, state, move):
    """Q_grand(s_t, a) = Q_UCT(s_(t-2), a)                                              [GellySilver2007, section 7]

    Where the move was not tried there, or there is no such node, it gets no experience.
    """
    if scratch.depth < 2:
        return 0.5, 0.0
    row = scratch.tree[scratch.path[scratch.depth - 2]]
    if row.visits[move] <= f32(0.0) or row.wins[move] <= CLOSED:
        return 0.5, 0.0
    return np.float64(row.wins[move] / row.visits[move]), 1.0
