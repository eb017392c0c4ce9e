"""Kernels for a GPU that call one verb each, to compile a part without the whole search."""

import math

import numpy as np

from tengen.jit import (
    from_lane,
    holds_in_a_lane,
    join_lanes,
    kernel,
    lane,
    lanes,
    lanes_where,
    largest_of_lanes,
    shares_warp,
    union_of_lanes,
)
from tengen.learning.selfplay import play_games
from tengen.policies.expectation import PriorScratch, expect, survey
from tengen.policies.playout import play_out
from tengen.search.backup import enter, leave, refresh, update
from tengen.search.selection import select


@kernel
def log_at(index, numbers):
    numbers[index] = math.log(numbers[index])


@kernel
def multiply_and_add_at(index, numbers):
    numbers[index] = numbers[index] * numbers[index + 1] + numbers[index + 2]


@kernel
def play_out_at(index, policies, states, rngs, traces, lengths):
    lengths[index] = play_out(policies[0], states[index], rngs[index], traces[index], 0)


@kernel
def play_game_at(index, policies, states, rngs, traces):
    play_games(policies[0], states[index], rngs[index], traces[index], 1)


@kernel
def select_at(index, policies, rows, values, rngs, moves):
    moves[index] = select(policies[0], rows[index], values[index], rngs[index], 0)


@kernel
def back_up_at(index, backups, memory):
    refresh(backups[0], memory, index)
    enter(backups[0], memory, index, 0)
    leave(backups[0], memory, index, 0)
    update(backups[0], memory, index, 0, 0.5)


@kernel
def expect_at(index, priors, memory, values):
    work = memory.work
    scratch = PriorScratch(work.marks, work.values, memory.states[1:], memory.tree, work.path, work.depth)
    survey(priors[0], scratch, memory.states[0])
    values[index, 0], values[index, 1] = expect(priors[0], scratch, memory.states[0], index)


@kernel
def describe_lanes_at(index, numbers):
    """Write the number of lanes, and whether other indices share the warp."""
    numbers[index, 0] = lanes()
    numbers[index, 1] = shares_warp()


@kernel
def ask_lanes_at(index, values, words, answers, unions):
    """Ask the lanes of an index, each of which has a row of `values` and a row of `words`; each writes what it got.

    `values` has a row for each lane, `words` one for each of eight lanes.
    """
    number = lane()
    value, word = values[number], words[number % 8]
    answers[index, number, 0] = largest_of_lanes(value)
    answers[index, number, 1] = from_lane(value, 5)
    answers[index, number, 2] = holds_in_a_lane(value > np.float32(0.9))
    answers[index, number, 3] = holds_in_a_lane(value > np.float32(2.0))
    unions[index, number, 0] = lanes_where(value > np.float32(0.5))
    unions[index, number, 1] = union_of_lanes(word, 8)


@kernel
def reverse_by_lanes_at(index, values):
    """Reverse a row of 32 values: each lane reads what the others have written."""
    for place in range(lane(), 32, lanes()):
        values[index, place] = place
    join_lanes()
    partner = values[index, 31 - lane()]
    join_lanes()
    values[index, lane()] = partner
