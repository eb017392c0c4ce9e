"""A prior by the gammas of the features of moves: see move_features.py."""

import math

import numpy as np

from tengen.games.go.eyes import is_candidate
from tengen.games.go.go_record import PASS, u64
from tengen.jit import kernel, record
from tengen.policies.expectation import PRIOR_FIELDS, expect, survey
from tengen.policies.go.move_features import DIAMOND_VIEW, SQUARE_VIEW, features_of, mark_rules

f32 = np.float32


def learnt_prior_record(name: str, view: np.dtype, most: int) -> np.dtype:
    """Make the record of a prior with a view of at most this number of features, and implement its verbs."""
    made = record(
        name,
        [
            *PRIOR_FIELDS,
            ("wins", np.float64),
            ("power", np.float64),
            ("losses", np.float64),
            ("logs", np.float64, (most,)),  # by number: the logarithm of its gamma; 0 for the number 0
            ("features", view),
        ],
    )
    survey.implement(made)(survey_strengths)
    expect.implement(made)(learnt_prior)
    return made


@kernel(private=True)
def survey_strengths(prior, scratch, state):
    """Store the logarithms of the strengths of the candidates in `scratch.values`, and of their sum at the pass."""
    mark_rules(state, scratch.marks)
    total = 0.0
    for i in range(state.empty_count):
        point = u64(state.empty[u64(i)])
        if is_candidate(state, point):
            strength = 0.0
            for feature in features_of(prior.features, state, point, scratch.marks):
                strength += prior.logs[feature]
            scratch.values[point] = f32(strength)
            total += math.exp(strength)
    scratch.values[PASS] = f32(math.log(total)) if total > 0.0 else f32(0.0)


@kernel(private=True)
def learnt_prior(prior, scratch, state, move):
    """Even experience, plus wins by the move's probability P, and losses by the lack of it.

    Wins are `wins` P^power, losses `losses` (1 - P^power), as multiples of the prior's weight.
    """
    if u64(move) == PASS:
        return 0.5, 1.0
    share = math.exp(prior.power * (np.float64(scratch.values[move]) - np.float64(scratch.values[PASS])))
    wins, losses = prior.wins * share, prior.losses * (1.0 - share)
    experience = 1.0 + wins + losses
    return (0.5 + wins) / experience, experience


LEARNT_SQUARES = learnt_prior_record("learnt_prior_squares", SQUARE_VIEW, 2**13)
LEARNT_DIAMONDS = learnt_prior_record("learnt_prior_diamonds", DIAMOND_VIEW, 2**18)
