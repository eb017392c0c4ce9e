"""Kernels that play and draw by the learnt policy step by step, for its tests."""

from tengen.games.go.go_record import PASS, U0, U1, U2, add_to_liberties, liberty, u64
from tengen.games.go.playout import LENGTH_FACTOR
from tengen.jit import kernel
from tengen.policies.go.learnt_policy import play_learnt_point, take_learnt_point
from tengen.policies.go.urgency import begin
from tengen.rng import mix
from tests.policies.urgency_kernels import first_difference


@kernel
def play_learnt_step(policy, kept, answers, state, rng):
    """Play a move by urgencies that are kept up to date, as a playout does; return its point."""
    gamma, colour = rng[1], u64(state.to_play)
    position = rng[0] + gamma
    point, position, _ = take_learnt_point(
        policy, kept, answers, state, colour, u64(state.ko), u64(state.last_move), position, gamma, mix(position)
    )
    empty_count, ko = play_learnt_point(policy, kept, state, point, colour, u64(state.empty_count))
    state.passes = u64(state.passes) + U1 if point == PASS else U0
    state.to_play, state.empty_count, state.ko, state.last_move = colour ^ U1, empty_count, ko, point
    rng[0] = position - gamma
    return point


@kernel
def play_learnt_and_compare(policy, scratch, answers, states, rng, games):
    """Play games from states[0]; compare the kept urgencies with those of `begin` after every move.

    Returns (the number of the first field that differs or 0, moves, captures): see `first_difference`.
    """
    state, moves, captures = states[1], 0, 0
    for _ in range(games):
        states[1] = states[0]
        begin(policy, scratch[0], state)
        for _ in range(LENGTH_FACTOR * state.side * state.side):
            before = u64(state.empty_count)
            point = play_learnt_step(policy, scratch[0], answers, state, rng)
            begin(policy, scratch[1], state)
            field = first_difference(scratch[0], scratch[1], state)
            if field != 0:
                return field, moves, captures
            moves += 1
            if point != PASS and u64(state.empty_count) + U1 != before:
                captures += 1
            if u64(state.passes) >= U2:
                break
    return 0, moves, captures


@kernel
def draw_learnt(policy, kept, answers, state, rng, counts, draws):
    """Count how often each point is drawn. Every draw is undone."""
    gamma = rng[1]
    position = rng[0] + gamma
    word = mix(position)
    colour, ko, last = u64(state.to_play), u64(state.ko), u64(state.last_move)
    for _ in range(draws):
        point, position, word = take_learnt_point(policy, kept, answers, state, colour, ko, last, position, gamma, word)
        counts[point] += 1
        if point != PASS:
            add_to_liberties(state, point, liberty(state, point))
