"""Kernels that learn from the moves of games which features the moves that were played have.

A position is a competition of its candidate moves; a move is a team of features, and the move played is the winner.
"""

import math
from typing import NamedTuple

import numpy as np

from tengen.games.interface import play
from tengen.jit import kernel
from tengen.policies.go.move_features import GROUPS, list_features

COUNT, ADD, RANK = 0, 1, 2
"""What to do with each position: count the winner's features, add to the sums of a group, or rank the winner."""


class Lesson(NamedTuple):
    """What is done with each position, and its result."""

    action: int
    group: int  # for ADD
    gammas: np.ndarray  # float64 (features,), 1 for the number 0
    sums: np.ndarray  # float64 (features,): the results of COUNT and ADD
    ranks: np.ndarray  # int64 (moves,): for RANK, how often the winner had each rank, from 0; the last for more


class TeamScratch(NamedTuple):
    """Scratch buffers for the teams of one position."""

    marks: np.ndarray  # uint8, by point
    points: np.ndarray  # uint16 (moves,)
    features: np.ndarray  # int32 (moves, GROUPS)
    strengths: np.ndarray  # float64 (moves,)


@kernel
def rate_teams(features, gammas, count, strengths):
    """P(team) = product of its gammas / sum over teams                            [Coulom2007, Bradley-Terry model]

    Writes the products of `count` teams to `strengths` and returns their sum.
    """
    total = 0.0
    for i in range(count):
        product = 1.0
        for group in range(GROUPS):
            product *= gammas[features[i, group]]
        strengths[i] = product
        total += product
    return total


@kernel
def add_competition(features, strengths, count, total, lesson):
    """sums_i += C_i / E, E = sum of all teams' strengths            [Coulom2007, minorization-maximization]

    C_i is the sum, over the teams with feature i, of the products of the other gammas. Only features of one group are
    added, which a team has at most once; so their gammas can be updated at the same time.
    """
    for i in range(count):
        feature = features[i, lesson.group]
        if feature != 0:
            lesson.sums[feature] += strengths[i] / lesson.gammas[feature] / total


@kernel(private=True)
def rank_of(strengths, count, winner):
    """Return how many teams are stronger than the winner; equal ones count half, rounded down."""
    stronger, equal = np.int64(0), np.int64(0)
    for i in range(count):
        stronger += np.int64(strengths[i] > strengths[winner])
        equal += np.int64(strengths[i] == strengths[winner] and i != winner)
    return stronger + equal // 2


@kernel(private=True)
def index_of(points, count, point):
    """Return the index of a point in a list of `count` points, or -1."""
    for i in range(count):
        if points[i] == point:
            return np.int64(i)
    return np.int64(-1)


@kernel(private=True)
def learn_position(view, state, move, lesson, scratch):
    """Do the lesson's action; return (1, log P(move), log P at equal strengths), or zeros if it is no candidate."""
    count = list_features(view, state, scratch.marks, scratch.points, scratch.features)
    winner = index_of(scratch.points, count, move)
    if winner < 0:
        return 0, 0.0, 0.0
    if lesson.action == COUNT:
        for group in range(GROUPS):
            lesson.sums[scratch.features[winner, group]] += 1.0
        return 1, 0.0, 0.0
    total = rate_teams(scratch.features, lesson.gammas, count, scratch.strengths)
    if lesson.action == ADD:
        add_competition(scratch.features, scratch.strengths, count, total, lesson)
    else:
        lesson.ranks[min(rank_of(scratch.strengths, count, winner), lesson.ranks.size - 1)] += 1
    return 1, math.log(scratch.strengths[winner] / total), -math.log(count)


@kernel
def learn_games(view, states, moves, starts, skipped, lesson, scratch):
    """Do the lesson's action for each move of games; return the sums of what `learn_position` returns.

    Game n begins at states[0] and has moves[starts[n] : starts[n + 1]], of which the first skipped[n] are only played.
    states[1] is a scratch state.
    """
    positions, likelihood, uniform = 0, 0.0, 0.0
    for game in range(skipped.size):
        states[1] = states[0]
        state = states[1]
        for i in range(starts[game], starts[game + 1]):
            if i - starts[game] >= skipped[game] and moves[i] != 0:
                learnt, own, equal = learn_position(view, state, moves[i], lesson, scratch)
                positions += learnt
                likelihood += own
                uniform += equal
            play(state, moves[i])
    return positions, likelihood, uniform
