"""The learnt playout policy: a move is drawn in proportion to the product of two gammas.

One is that of its shape, with the neighbours in atari; the other that of its distance to the last move, 1 beyond the
eight points around it. The products of shapes are urgencies, which are kept as those of Indigo's player. A chain in
atari is beside one empty point only, its last liberty; so an atari that begins or ends changes one shape.
"""

import numpy as np

from tengen.games.go.go_record import BLACK, EMPTY, PASS, U0, U1, U2, stride_of, u64
from tengen.games.go.playout import LENGTH_FACTOR, take_if_sensible
from tengen.jit import keep_alive, kernel, record, temporary_like
from tengen.policies.go.move_features import KEY_BITS, shape_key
from tengen.policies.go.urgency import (
    HALF,
    POLICY_FIELDS,
    begin,
    half_of,
    hide_point,
    note_atari,
    pattern_at,
    play_taken_point,
    point_below,
    refresh_pattern,
    show_points,
)
from tengen.policies.playout import play_out
from tengen.rng import mix, to_unit

NEAR_UNIT = 16.0
"""Gammas of the points around the last move are whole multiples of 1 / NEAR_UNIT, and at least 1."""
LEARNT = record(
    "learnt_policy",
    [
        *POLICY_FIELDS,
        ("near", np.uint64, (8,)),  # in the order of AROUND: NEAR_UNIT times what the gamma exceeds 1
        ("table", np.uint64, (2**KEY_BITS,)),
    ],
)


@pattern_at.implement(LEARNT)
@kernel(inline=True)
def shape_at(policy, state, point):
    """The key of an empty point; 0 of others, which have no shape: neighbours of walls may be off the board."""
    return shape_key(state, point, BLACK) if u64(state.colour[point]) == EMPTY else U0


@note_atari.implement(LEARNT)
@kernel(private=True)
def refresh_last_liberty(policy, urgencies, state, point):
    change = refresh_pattern(policy, urgencies, state, point)
    urgencies.rows[point // stride_of(state)] += change
    urgencies.total += change


@kernel(inline=True, private=True)
def near_weight(policy, urgencies, state, colour, last, place):
    """What the gamma of its distance adds to the urgency of a point around the last move, in 1 / NEAR_UNIT."""
    point = last + state.around[u64(place)]
    return np.float64(half_of(urgencies.points[point], colour) * policy.near[u64(place)])


@kernel(inline=True, private=True)
def all_near_weights(policy, urgencies, state, colour, last):
    total = 0.0
    if last != PASS:
        for place in range(8):
            total += near_weight(policy, urgencies, state, colour, last, place)
    return total


@kernel(inline=True, private=True)
def near_point_below(policy, urgencies, state, colour, last, rest):
    """Return the point around the last move at which the running sum of the weights exceeds `rest`."""
    point = PASS
    for place in range(8):
        weight = near_weight(policy, urgencies, state, colour, last, place)
        if weight > 0.0 and rest >= 0.0:
            point = last + state.around[u64(place)]
        rest -= weight
    return point


@kernel(inline=True)
def take_learnt_point(policy, urgencies, state, colour, ko, last, position, gamma, word):
    """P(point) = gamma of its shape * gamma of its distance / sum over candidates  [Coulom2007, Bradley-Terry model]

    Takes the point as `take_if_sensible` does; one that is not a candidate loses its urgency until the draw succeeds.
    Returns the point (PASS if there is no candidate), and the generator's position with its next word.
    """
    point, count = PASS, U0
    while half_of(urgencies.total, colour) != U0:
        total = half_of(urgencies.total, colour)
        near = all_near_weights(policy, urgencies, state, colour, last)
        rest = to_unit(word) * (NEAR_UNIT * np.float64(total) + near)
        if rest < near:
            drawn = near_point_below(policy, urgencies, state, colour, last, rest)
        else:
            drawn = point_below(urgencies, state, colour, min(u64((rest - near) / NEAR_UNIT), total - U1))
        position += gamma
        word = mix(position)
        if take_if_sensible(state, drawn, colour, ko):
            point = drawn
            break
        count = hide_point(urgencies, state, drawn, count, HALF << (colour << u64(5)))
    show_points(urgencies, state, count)
    return point, position, word


@play_out.implement(LEARNT)
@kernel(allocates=True)
def learnt(policy, state, rng, trace, length):
    buffer = temporary_like(policy.blank)
    begin(policy, buffer[0], state)
    length = play_on(policy, buffer[0], state, rng, trace, length)
    keep_alive(buffer)
    return length


@kernel(private=True)
def play_on(policy, urgencies, state, rng, trace, length):
    """Play from a position whose urgencies are known to the end of the game; return the new length."""
    empty_count, ko = u64(state.empty_count), u64(state.ko)
    colour, passes, last = u64(state.to_play), u64(state.passes), u64(state.last_move)
    gamma = rng[1]
    position = rng[0] + gamma
    word = mix(position)
    end = length + LENGTH_FACTOR * state.side * state.side
    while passes < U2 and length < end:
        point, position, word = take_learnt_point(policy, urgencies, state, colour, ko, last, position, gamma, word)
        empty_count, ko = play_taken_point(policy, urgencies, state, point, colour, empty_count)
        passes = passes + U1 if point == PASS else U0
        trace[length] = point
        length += 1
        last = point
        colour ^= U1
    state.empty_count, state.ko, state.to_play, state.passes = empty_count, ko, colour, passes
    state.last_move = last
    rng[0] = position
    return length
