"""Kernels for self-play games at once, all with the same weights, and learning from all of them together.

The kernels take the index of a game in a batch, or of a slice of the weights. Weights do not change during the games;
their updates are added up over the batch, then

    theta_i += min(1, M / n_i) sum over games of the update of theta_i by `learn_after_episode`

where n_i is the number of games that update theta_i. Up to M games a weight gets the sum of its updates, as by games
one after another; beyond that M times their mean, since the updates of games with the same weights all repeat the same
correction. So rare shapes are learnt as fast as from single games, and common ones do not diverge.

Sums are fixed-point numbers: additions of integers give the same sum in every order, so that a batch does not depend on
which thread is faster.
"""

from typing import NamedTuple

import numpy as np

from tengen.games.go.go_record import u64
from tengen.games.interface import outcome
from tengen.jit import add_shared, copy_record, kernel, record
from tengen.learning.td import add_to_weight, add_updates, measure_features, show_weight
from tengen.policies.go.shapes import evaluate
from tengen.policies.go.stochastic import play_on
from tengen.rng import start_stream

f32 = np.float32

UNIT = 2.0**-40
"""The unit of the sums of updates: an update of 1 is 2**40. A sum may be up to eight million."""
MOVES, POINTS = 0, 1
"""The columns of `counts`: moves, and Black's points, of which a win counts two."""


def updates_record(name: str, weights: int) -> np.dtype:
    """Return the record of the sums of the updates of all weights by the games of a batch."""
    made = record(
        name,
        [
            ("sums", np.int64, (weights,)),  # in UNITs
            ("games", np.int32, (weights,)),  # number of games that update the weight
        ],
    )
    add_to_weight.implement(made)(add_to_sum)
    return made


class Games(NamedTuple):
    """The games of a batch, one row per game."""

    states: np.ndarray  # (batch,)
    evaluations: np.ndarray  # (batch,): with the histories of the games
    lessons: np.ndarray  # (batch,)
    rngs: np.ndarray  # (batch, 2)
    traces: np.ndarray  # (batch, most moves)


class Common(NamedTuple):
    """What all games have in common; records are arrays of one."""

    start: np.ndarray  # the state before the first move
    policy: np.ndarray  # with the tables of the weights
    td: np.ndarray
    classes: np.ndarray  # with the weights
    updates: np.ndarray
    counts: np.ndarray  # (2,): MOVES and POINTS, summed over all games


@kernel(inline=True)
def add_to_sum(updates, weight, amount):
    add_shared(updates.sums, weight - u64(1), np.int64(amount / UNIT))


@kernel
def clear_lesson(index, games):
    """Clear the scratch buffers that learning expects to be cleared, and leaves so."""
    lesson = games.lessons[index]
    for i in range(lesson.occurrences.size):
        lesson.occurrences[i], lesson.is_changed[i] = 0, 0


@kernel
def play_game(index, games, common, word):
    """Play a game with the generator number `index` of the seed word `word`."""
    policy, state, evaluation, rng = common.policy[0], games.states[index], games.evaluations[index], games.rngs[index]
    copy_record(games.states, index, common.start, 0)
    start_stream(rng, word, index)
    evaluate(policy.shapes, evaluation, state)
    moves = play_on(policy, evaluation, state, rng, games.traces[index], np.int64(0))
    add_shared(common.counts, MOVES, np.int64(moves))
    add_shared(common.counts, POINTS, np.int64(2.0 * outcome(state)))


@kernel
def learn_game(index, games, common):
    """Add the updates by a game to `updates`. Exploratory moves are learnt from like all others."""
    td, classes, updates = common.td[0], common.classes[0], common.updates[0]
    history, lesson = games.evaluations[index], games.lessons[index]
    measure_features(td, classes, common.policy[0].shapes, history, lesson)
    changed = add_updates(td, updates, history, lesson, outcome(games.states[index]))
    for i in range(changed):
        weight = u64(lesson.changed[u64(i)])
        lesson.is_changed[weight] = 0
        add_shared(updates.games, weight - u64(1), np.int32(1))


@kernel
def take_updates(index, common, slices, most):
    """Change the weights `index`, `index` + `slices` and so on, by at most `most` times the mean update of a game."""
    policy, classes, updates = common.policy[0], common.classes[0], common.updates[0]
    for i in range(index, updates.sums.size, slices):
        if updates.games[i] > 0:
            share = min(1.0, most / updates.games[i])
            classes.weights[i] += f32(updates.sums[i] * UNIT * share)
            updates.sums[i], updates.games[i] = 0, 0
            show_weight(classes, policy.shapes, u64(i + 1))
