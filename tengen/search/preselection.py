"""The moves of a position that random games compare: all candidates, or those that a prior preselects."""

import numpy as np

from tengen.games.interface import candidate_moves, is_candidate
from tengen.jit import kernel
from tengen.policies.expectation import expect, is_excluded, survey, survey_exclusions
from tengen.rng import below


@kernel
def list_candidates(state, moves, rng):
    """Write the candidate moves of a state into `moves`, in random order; return their number."""
    count = 0
    for i in range(candidate_moves(state, moves)):
        if is_candidate(state, np.int64(moves[i])):
            moves[count] = moves[i]
            count += 1
    for i in range(count - 1, 0, -1):
        j = np.int64(below(rng, i + 1))
        moves[i], moves[j] = moves[j], moves[i]
    return count


@kernel
def preselect(prior, scratch, state, moves, values, count, untracked):
    """Pass only the N_select best moves to the Monte-Carlo module                     [BouzyChaslot2006, section III.C]

    Writes the `count` moves that the prior values most to the front of `moves`, the best first, then `untracked`, if
    it is one of the moves; returns their number. Moves that the prior excludes are left out, unless it excludes all
    but `untracked`. Among equal values the earlier move is preferred; callers shuffle `moves`. `values` is a scratch
    buffer of the same size.

    Differs: the paper's pre-selector is the program Indigo2002 with its local tree searches; here it is a prior.
    """
    ranked = put_last(moves, untracked)
    survey(prior, scratch, state)
    survey_exclusions(prior, scratch, state)
    kept = drop_excluded(prior, scratch, state, moves[:ranked])
    for i in range(kept):
        values[i], _ = expect(prior, scratch, state, np.int64(moves[i]))
    kept = bring_best_first(moves[:kept], values, count)
    if ranked < moves.size:
        moves[kept] = untracked
        kept += 1
    return kept


@kernel(private=True)
def put_last(moves, untracked):
    """Exchange the untracked move with the last one; return the number of moves without it."""
    last = moves.size - 1
    for i in range(moves.size):
        if np.int64(moves[i]) == untracked:
            moves[i], moves[last] = moves[last], moves[i]
            return last
    return moves.size


@kernel(private=True)
def drop_excluded(prior, scratch, state, moves):
    """Write the moves that the prior does not exclude to the front; return their number, or of all if there are none.

    The order of the moves is kept.
    """
    kept = 0
    for i in range(moves.size):
        if not is_excluded(prior, scratch, state, np.int64(moves[i])):
            moves[kept] = moves[i]
            kept += 1
    return kept if kept > 0 else moves.size


@kernel(private=True)
def bring_best_first(moves, values, count):
    """Bring the moves with the highest values to the front, in descending order; return their number, at most `count`.

    `values` has the moves' values in the order of `moves`, and is reordered, too.
    """
    count = min(count, moves.size)
    for k in range(count):
        best = k
        for i in range(k + 1, moves.size):
            if values[i] > values[best]:
                best = i
        moves[k], moves[best] = moves[best], moves[k]
        values[k], values[best] = values[best], values[k]
    return count
