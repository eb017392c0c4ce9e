"""Kernels for games of pseudo-random players: learning of pattern values, games between two tables, and entropy.

`classes` has the class of each pattern for Black and for White, as int32 (2, PATTERNS): see pattern_classes.py.
"""

import math

import numpy as np

from tengen.games.go.go_board import play
from tengen.games.go.go_record import PASS, U0, U1, add_to_liberties, liberty, u64
from tengen.games.interface import is_candidate, is_over, score
from tengen.jit import keep_alive, kernel
from tengen.policies.go.urgency import begin, follow, half_of, leave_point, pattern_at, take_urgent_point
from tengen.rng import mix


@kernel(inline=True)
def urgent_move(urgencies, state, rng):
    """Draw the next move of a pseudo-random player, without playing it."""
    position = rng[0] + rng[1]
    point, position, _ = take_urgent_point(
        urgencies, state, u64(state.to_play), u64(state.ko), position, rng[1], mix(position)
    )
    rng[0] = position
    if point != PASS:
        add_to_liberties(state, point, liberty(state, point))
    return point


@kernel(inline=True)
def leave(urgencies, state, move):
    """Prepare a table's urgencies for a move; `play` and `catch_up` follow."""
    if u64(move) != PASS:
        leave_point(urgencies, state, u64(move))


@kernel(inline=True)
def catch_up(policy, urgencies, state, move, empty_before):
    """Update a table's urgencies after a move. `empty_before` is the number of empty points before it."""
    if u64(move) != PASS:
        first, last = u64(empty_before) - U1, u64(state.empty_count)
        follow(policy, urgencies, state, u64(move), u64(state.to_play) ^ U1, first, last)


@kernel(allocates=True)
def play_pair(first, second, classes, states, rng, played, lesson, games, by_score):
    """Play games from states[0] between two tables, with alternating colours, and add the results to the lesson.

    lesson[0, side, class] is the number of moves of this class by the first (side 0) or second table, lesson[1, side,
    class] the sum of the results of their games for that side: +1 or -1, or by score the margin divided by the area.
    `played` is a scratch buffer for the classes of a game's moves; it limits the length of games.
    Returns, for the first table: (games won, sum of margins, sum of their squares, number of moves).
    """
    buffers = np.empty_like(first.blank), np.empty_like(second.blank)
    urgencies = buffers[0][0], buffers[1][0]
    won, margins, squares, moves = 0.0, 0.0, 0.0, 0
    for game in range(games):
        states[1] = states[0]
        state, first_colour = states[1], u64(game & 1)
        begin(first, urgencies[0], state)
        begin(second, urgencies[1], state)
        length = 0
        while not is_over(state) and length < played.size:
            colour = u64(state.to_play)
            own = urgencies[0] if colour == first_colour else urgencies[1]
            move = urgent_move(own, state, rng)
            played[length] = -1 if move == PASS else classes[colour, pattern_at(first, state, move)]
            empty_before = state.empty_count
            leave(urgencies[0], state, move)
            leave(urgencies[1], state, move)
            play(state, move)
            catch_up(first, urgencies[0], state, move, empty_before)
            catch_up(second, urgencies[1], state, move, empty_before)
            length += 1
        margin = score(state) if first_colour == U0 else -score(state)
        add_lesson(lesson, played, length, first_colour, result_of(margin, state, by_score))
        won += 1.0 if margin > 0.0 else (0.5 if margin == 0.0 else 0.0)
        margins += margin
        squares += margin * margin
        moves += length
    keep_alive(buffers)
    return won, margins, squares, moves


@kernel(private=True)
def result_of(margin, state, by_score):
    """The result of a game: its outcome, +1, 0 or -1, or by score the margin divided by the area, from -1 to 1."""
    if by_score:
        return min(1.0, max(-1.0, margin / (np.float64(state.side) * np.float64(state.side))))
    return 1.0 if margin > 0.0 else (-1.0 if margin < 0.0 else 0.0)


@kernel(private=True)
def add_lesson(lesson, played, length, first_colour, result):
    """Add the moves of a game, of which Black played the first, to the lesson. `result` is that of the first table."""
    for t in range(length):
        if played[t] >= 0:
            side = (t & 1) ^ np.int64(first_colour)
            lesson[0, side, played[t]] += 1.0
            lesson[1, side, played[t]] += -result if side else result


# --- Randomness ------------------------------------------------------------------------------------------------------


@kernel(allocates=True)
def entropies(policy, states, rng, longest, games):
    """Play games from states[0]; return (sum of the policy's entropies, sum of log(candidates), number of positions).

    The entropy of a position is -sum p log p over its candidate moves; log(candidates) is that of a uniform policy.
    """
    buffer = np.empty_like(policy.blank)
    urgencies = buffer[0]
    total, uniform_total, positions = 0.0, 0.0, 0
    for _ in range(games):
        states[1] = states[0]
        state = states[1]
        begin(policy, urgencies, state)
        length = 0
        while not is_over(state) and length < longest:
            entropy, candidates = entropy_of(urgencies, state)
            if candidates > 0:
                total += entropy
                uniform_total += math.log(candidates)
                positions += 1
            move = urgent_move(urgencies, state, rng)
            empty_before = state.empty_count
            leave(urgencies, state, move)
            play(state, move)
            catch_up(policy, urgencies, state, move, empty_before)
            length += 1
    keep_alive(buffer)
    return total, uniform_total, positions


@kernel(private=True)
def entropy_of(urgencies, state):
    """H = -sum_a p(a) log p(a), p(a) = u(a) / sum_b u(b), over the candidate moves; returns (H, their number)."""
    colour = u64(state.to_play)
    total, weighted, candidates = 0.0, 0.0, 0
    for i in range(state.empty_count):
        point = u64(state.empty[u64(i)])
        urgency = float(half_of(urgencies.points[point], colour))
        if urgency > 0.0 and is_candidate(state, point):
            total += urgency
            weighted += urgency * math.log(urgency)
            candidates += 1
    return (math.log(total) - weighted / total if candidates > 0 else 0.0), candidates
