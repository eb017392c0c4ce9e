"""Kernels that play and draw by urgencies step by step, for the tests of the policy."""

from tengen.games.go.go_record import PASS, U0, U1, U2, add_to_liberties, liberty, u64
from tengen.games.go.playout import LENGTH_FACTOR
from tengen.jit import kernel
from tengen.policies.go.urgency import begin, play_urgent_move, take_urgent_point
from tengen.rng import mix


@kernel
def play_step(policy, kept, state, rng):
    """Play a move by urgencies that are kept up to date, as a playout does; return its point."""
    gamma = rng[1]
    position = rng[0] + gamma
    word = mix(position)
    point, empty_count, ko, position, word = play_urgent_move(
        policy, kept, state, u64(state.to_play), u64(state.ko), u64(state.empty_count), position, gamma, word
    )
    state.passes = u64(state.passes) + U1 if point == PASS else U0
    state.to_play, state.empty_count, state.ko = u64(state.to_play) ^ U1, empty_count, ko
    rng[0] = position - gamma
    return point


@kernel
def first_difference(kept, computed, state):
    """Return the number of the first field in which two records differ, or 0.

    The fields are patterns 1, points 2, counted 3, rows 4 and total 5.
    """
    for i in range(state.colour.size):
        if kept.patterns[i] != computed.patterns[i]:
            return 1
        if kept.points[i] != computed.points[i]:
            return 2
        if kept.counted[i] != computed.counted[i]:
            return 3
    for i in range(kept.rows.size):
        if kept.rows[i] != computed.rows[i]:
            return 4
    return 0 if kept.total == computed.total else 5


@kernel
def play_and_compare(policy, scratch, states, rng, games):
    """Play games from states[0]; compare the kept urgencies with those of `begin` after every move.

    Returns (the number of the first field that differs or 0, moves, captures).
    """
    state, moves, captures = states[1], 0, 0
    for _ in range(games):
        states[1] = states[0]
        begin(policy, scratch[0], state)
        for _ in range(LENGTH_FACTOR * state.side * state.side):
            before = u64(state.empty_count)
            point = play_step(policy, scratch[0], state, rng)
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
def draw(kept, state, rng, counts, draws):
    """Count how often each point is drawn. Every draw is undone."""
    gamma = rng[1]
    position = rng[0] + gamma
    word = mix(position)
    for _ in range(draws):
        point, position, word = take_urgent_point(kept, state, u64(state.to_play), u64(state.ko), position, gamma, word)
        counts[point] += 1
        if point != PASS:
            add_to_liberties(state, point, liberty(state, point))
