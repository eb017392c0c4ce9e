"""Kernels for a GPU that call one verb each, to compile a part without the whole search."""

import math

from tengen.jit import kernel
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
