"""A learnt value of local shapes as prior knowledge: Q_RLGO."""

import numpy as np

from tengen.games.go.go_record import PASS, u64
from tengen.jit import keep_alive, kernel, record, temporary_like
from tengen.policies.expectation import PRIOR_FIELDS, expect, survey
from tengen.policies.go.shapes import account_for_captures, evaluate, outlook

f32 = np.float32

PHASES = 8
"""Number of phases of a game, by the share of the board that is occupied: below 1/8, ..., 7/8 and above."""


def shape_prior_record(name: str, shapes: np.dtype, evaluation: np.dtype) -> np.dtype:
    """Make the record of a prior for shapes and evaluations of these types, and implement its verbs."""
    made = record(
        name,
        [
            *PRIOR_FIELDS,
            ("variance", np.float64, (PHASES,)),  # by phase: of the difference to values of deep searches; 0: not used
            ("blank", evaluation, (1,)),  # never written to; defines the type of the scratch copy
            ("shapes", shapes),
        ],
    )
    survey.implement(made)(survey_shapes)
    expect.implement(made)(shape_prior)
    return made


@kernel(private=True, allocates=True)
def survey_shapes(prior, scratch, state):
    """Compute Q of all moves, and store it in `scratch.values`."""
    buffer = temporary_like(prior.blank)
    evaluation = buffer[0]
    evaluate(prior.shapes, evaluation, state)
    colour, values = u64(state.to_play), scratch.values
    account_for_captures(prior.shapes, evaluation, state, colour)
    values[PASS] = f32(outlook(evaluation.total, colour))
    for i in range(state.empty_count):
        point = u64(state.empty[u64(i)])
        values[point] = f32(outlook(evaluation.total + evaluation.changes[colour, point], colour))
    keep_alive(buffer)


@kernel(inline=True)
def phase_of(state):
    """The phase of the game, from 0 to PHASES - 1."""
    area = np.int64(state.side) * np.int64(state.side)
    return min(PHASES * (area - np.int64(state.empty_count)) // area, PHASES - 1)


@kernel(private=True)
def shape_prior(prior, scratch, state, move):
    """Q_RLGO(s,a) = sigma(phi(s,a) . theta)                                            [GellySilver2007, section 7]

    Its experience is constant, or the number M of games whose mean has the same error: that mean has the variance
    Q (1 - Q) / M, so M = Q (1 - Q) / Var(Q - value of a deep search).
    """
    value = np.float64(scratch.values[move])
    variance = prior.variance[phase_of(state)]
    return value, value * (1.0 - value) / variance if variance > 0.0 else 1.0
