"""The learnt playout policy: a move is drawn in proportion to the product of the gammas of its features.

The features are those of move_features.py that can be kept during a playout. The products of shapes are urgencies, kept
as those of Indigo's player. A chain in atari is beside one empty point only, its last liberty; so an atari that begins
or ends changes one shape. The points that may have other features, the answers, are listed for each move: those around
the last move, the last liberties of chains in atari, and the moves of two rules. A self-atari is drawn as if it were
none, and then accepted with a probability, its gamma, which is at most 1.
"""

import numpy as np

from tengen.games.go.go_record import (
    BLACK,
    EMPTY,
    PASS,
    U0,
    U1,
    U2,
    last_liberty,
    note_ataris,
    stride_of,
    u64,
)
from tengen.games.go.nakade import nakade_moves
from tengen.games.go.playout import LENGTH_FACTOR, take_if_sensible
from tengen.games.go.tactics import is_listed_chain, two_liberty_moves
from tengen.jit import keep_alive, kernel, record, temporary_like
from tengen.policies.go.move_features import (
    KEY_BITS,
    capture_level,
    escape_level,
    self_atari_level,
    shape_key,
)
from tengen.policies.go.urgency import (
    HALF,
    POINTS,
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

ANSWERS = record(
    "answers",
    [
        ("count", np.uint64),
        ("points", np.uint16, (POINTS,)),  # the listed points, all different
        ("weights", np.float64, (POINTS,)),  # of each: its urgency times the gammas of its features besides the shape
        ("places", np.uint16, (POINTS,)),  # by point: 1 + its index in the list, or 0
        ("total", np.float64),  # sum of the weights
        ("urgencies", np.uint64),  # sum of the urgencies of the listed points
    ],
)
LEARNT = record(
    "learnt_policy",
    [
        *POLICY_FIELDS,
        ("no_answers", ANSWERS, (1,)),  # never written to; defines the type of the scratch copy
        ("near", np.float64, (8,)),  # gammas of the points around the last move, in the order of AROUND
        ("capture", np.float64, (5,)),  # gammas by level, 1 for level 0
        ("escape", np.float64, (3,)),
        ("self_atari", np.float64, (4,)),  # at most 1
        ("two_liberties", np.float64),
        ("nakade", np.float64),
        ("lists_ataris", np.uint8),  # whether a gamma of capture or escape is not 1
        ("refuses", np.uint8),  # whether a gamma of self_atari is not 1
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


# --- Answers ---------------------------------------------------------------------------------------------------------


@kernel(inline=True, private=True)
def list_answer(answers, urgencies, colour, point, gamma):
    """List a point, unless it has no urgency, and multiply its weight by `gamma`."""
    urgency = half_of(urgencies.points[point], colour)
    if urgency == U0:
        return
    place = u64(answers.places[point])
    if place == U0:
        answers.points[answers.count] = point
        answers.weights[answers.count] = np.float64(urgency) * gamma
        answers.urgencies += urgency
        answers.count += U1
        answers.places[point] = answers.count
    else:
        answers.weights[place - U1] *= gamma


@kernel(private=True)
def list_ataris_of(policy, answers, urgencies, state, colour, owner):
    """List the last liberties of the chains in atari of `owner`, with the gammas of captures and escapes.

    A point that is the last liberty of several chains is weighted once. Chains that are no longer in atari are removed
    from the state's list.
    """
    i = U0
    while i < u64(state.atari_count[owner]):
        head = u64(state.atari[owner, i])
        if is_listed_chain(state, head, owner):
            point = last_liberty(u64(state.liberties[head]))
            if is_first_chain(answers, point):
                gamma = policy.capture[capture_level(state, point, colour)]
                gamma *= policy.escape[escape_level(state, point, colour)]
                list_answer(answers, urgencies, colour, point, gamma)
            i += U1
        else:
            state.atari_count[owner] -= np.uint32(1)
            state.atari[owner, i] = state.atari[owner, u64(state.atari_count[owner])]
            state.listed[head] = u64(state.listed[head]) & ~(U1 << owner)


@kernel(inline=True, private=True)
def is_first_chain(answers, point):
    """Whether a point is not listed yet. Ataris are listed first, so it is no last liberty of an earlier chain."""
    return answers.places[point] == 0


@kernel(private=True)
def list_rule_moves(policy, answers, urgencies, state, colour, last):
    """List the moves of the rules of two liberties and nakade."""
    if policy.two_liberties != 1.0:
        for i in range(two_liberty_moves(state, last, colour)):
            list_answer(answers, urgencies, colour, u64(state.candidates[i]), policy.two_liberties)
    if policy.nakade != 1.0:
        for i in range(nakade_moves(state, last, colour)):
            list_answer(answers, urgencies, colour, u64(state.candidates[i]), policy.nakade)


@kernel(inline=True, private=True)
def list_answers(policy, answers, urgencies, state, colour, last):
    """List all answers; `forget_answers` ends the list."""
    answers.count, answers.urgencies = U0, U0
    if policy.lists_ataris:
        list_ataris_of(policy, answers, urgencies, state, colour, colour ^ U1)
        list_ataris_of(policy, answers, urgencies, state, colour, colour)
    if last != PASS:
        for place in range(8):
            point = last + state.around[u64(place)]
            list_answer(answers, urgencies, colour, point, policy.near[u64(place)])
        list_rule_moves(policy, answers, urgencies, state, colour, last)
    sum_answers(answers)


@kernel(inline=True, private=True)
def sum_answers(answers):
    answers.total = 0.0
    for i in range(answers.count):
        answers.total += answers.weights[u64(i)]


@kernel(inline=True, private=True)
def forget_answers(answers):
    for i in range(answers.count):
        answers.places[u64(answers.points[u64(i)])] = 0


@kernel(inline=True, private=True)
def answer_below(answers, rest):
    """Return the index of the answer at which the running sum of the weights exceeds `rest`."""
    found = U0
    for i in range(answers.count):
        weight = answers.weights[u64(i)]
        if weight > 0.0 and rest >= 0.0:
            found = u64(i)
        rest -= weight
    return found


# --- Choosing moves --------------------------------------------------------------------------------------------------


@kernel(inline=True, private=True)
def is_refused(policy, state, point, colour, word):
    """Whether a move is a self-atari that is refused, with the probability that its gamma is below 1."""
    return to_unit(word) >= policy.self_atari[self_atari_level(state, point, colour)]


@kernel(inline=True)
def take_learnt_point(policy, urgencies, answers, state, colour, ko, last, position, gamma, word):
    """P(point) = product of its gammas / sum over candidates                       [Coulom2007, Bradley-Terry model]

    Takes the point as `take_if_sensible` does; one that is not a candidate loses its weight until the draw succeeds. A
    point that is listed is drawn by its weight in the list only: if it is drawn by its urgency, the draw is repeated.
    Returns the point (PASS if there is no candidate), and the generator's position with its next word.
    """
    point, count = PASS, U0
    list_answers(policy, answers, urgencies, state, colour, last)
    while True:
        total = half_of(urgencies.total, colour)
        others = np.float64(total) if total != answers.urgencies else 0.0
        if others + answers.total <= 0.0:
            break
        rest = to_unit(word) * (answers.total + others)
        position += gamma
        word = mix(position)
        place = U0
        if rest < answers.total or others == 0.0:
            place = answer_below(answers, rest) + U1
            drawn = u64(answers.points[place - U1])
        else:
            drawn = point_below(urgencies, state, colour, min(u64(rest - answers.total), total - U1))
            if answers.places[drawn] != 0:
                continue
        if policy.refuses:
            refused = is_refused(policy, state, drawn, colour, word)
            position += gamma
            word = mix(position)
            if refused:
                continue
        if take_if_sensible(state, drawn, colour, ko):
            point = drawn
            break
        if place != U0:
            answers.weights[place - U1] = 0.0
            sum_answers(answers)
        else:
            count = hide_point(urgencies, state, drawn, count, HALF << (colour << u64(5)))
    show_points(urgencies, state, count)
    forget_answers(answers)
    return point, position, word


@kernel(inline=True)
def play_learnt_point(policy, urgencies, state, point, colour, empty_count):
    """Play a point that was taken, or pass; returns (number of empty points, ko)."""
    empty_count, ko = play_taken_point(policy, urgencies, state, point, colour, empty_count)
    if policy.lists_ataris and point != PASS:
        note_ataris(state, point, colour)
    return empty_count, ko


@play_out.implement(LEARNT)
@kernel(allocates=True)
def learnt(policy, state, rng, trace, length):
    buffer, answers = temporary_like(policy.blank), temporary_like(policy.no_answers)
    clear_answers(answers[0])
    begin(policy, buffer[0], state)
    length = play_on(policy, buffer[0], answers[0], state, rng, trace, length)
    keep_alive(buffer)
    keep_alive(answers)
    return length


@kernel
def clear_answers(answers):
    """Make a new record valid: nothing is listed."""
    for i in range(answers.places.size):
        answers.places[u64(i)] = 0


@kernel(private=True)
def play_on(policy, urgencies, answers, state, rng, trace, length):
    """Play from a position whose urgencies are known to the end of the game; return the new length."""
    empty_count, ko = u64(state.empty_count), u64(state.ko)
    colour, passes, last = u64(state.to_play), u64(state.passes), u64(state.last_move)
    gamma = rng[1]
    position = rng[0] + gamma
    word = mix(position)
    end = length + LENGTH_FACTOR * state.side * state.side
    while passes < U2 and length < end:
        point, position, word = take_learnt_point(
            policy, urgencies, answers, state, colour, ko, last, position, gamma, word
        )
        empty_count, ko = play_learnt_point(policy, urgencies, state, point, colour, empty_count)
        passes = passes + U1 if point == PASS else U0
        trace[length] = point
        length += 1
        last = point
        colour ^= U1
    state.empty_count, state.ko, state.to_play, state.passes = empty_count, ko, colour, passes
    state.last_move = last
    rng[0] = position
    return length
