"""Urgencies of larger patterns: diamonds of the twelve points within two steps of a point.

A diamond's key has two bits for each point, as `surroundings`: the eight points around in the lower 16 bits, then the
points two steps below, to the left, to the right and above. The disposition to the edge follows from the walls. Keys
are hashed to the slots of a table; keys with the same slot share an urgency.
"""

import numpy as np

from tengen.games.go.go_record import U2, U4, U6, stride_of, u64
from tengen.jit import kernel, record
from tengen.policies.go.urgency import (
    POINTS,
    POLICY_FIELDS,
    pattern_at,
    refresh_far,
    refresh_pattern,
    urgency,
)
from tengen.policies.playout import play_out

SLOT_BITS = 20
MULTIPLIER = 0x9E3779B1
"""Odd multiplier of the hash: the golden ratio times 2^32."""
WORD, SHIFT = u64(0xFFFFFFFF), u64(32 - SLOT_BITS)
FACTOR, U16 = u64(MULTIPLIER), u64(16)

DIAMONDS = record(
    "urgency_diamonds",
    [
        *POLICY_FIELDS,
        ("far", np.uint16, (POINTS, 4)),  # by point: those two steps below, to the left, right and above; 0 off board
        ("table", np.uint64, (2**SLOT_BITS,)),
    ],
)
play_out.implement(DIAMONDS)(urgency)


@kernel(inline=True, private=True)
def far_colour(policy, state, point, place):
    """The colour of a point two steps away; point 0, off the board, is a wall."""
    return u64(state.colour[u64(policy.far[point, place])])


@pattern_at.implement(DIAMONDS)
@kernel(inline=True)
def diamond_at(policy, state, point):
    """slot = (key * FACTOR mod 2^32) / 2^12"""
    far = far_colour(policy, state, point, u64(0)) | (far_colour(policy, state, point, u64(1)) << U2)
    far |= (far_colour(policy, state, point, u64(2)) << U4) | (far_colour(policy, state, point, u64(3)) << U6)
    key = u64(state.surroundings[point]) | (far << U16)
    return ((key * FACTOR) & WORD) >> SHIFT


@refresh_far.implement(DIAMONDS)
@kernel(private=True)
def refresh_far_diamonds(policy, urgencies, state, point):
    w = stride_of(state)
    for k in range(4):
        other = u64(policy.far[point, u64(k)])
        change = refresh_pattern(policy, urgencies, state, other)
        urgencies.rows[other // w] += change
        urgencies.total += change
