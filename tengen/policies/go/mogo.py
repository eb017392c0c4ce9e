"""MoGo's default policy for Go: save chains in atari, match a pattern, capture, or play a random move.

A rule "takes" a move: it selects the point and subtracts it from its neighbours' liberties in one step, as in
`take_if_sensible`. The generator's position and its next word are passed through the rules as scalars; the next word is
computed one draw ahead, so that no instruction waits for it.
"""

import numpy as np

from tengen.games.go.go_board import (
    PASS,
    U0,
    U1,
    U2,
    add_to_liberties,
    last_liberty,
    liberty,
    note_ataris,
    occupy,
    place,
    u64,
)
from tengen.games.go.nakade import nakade_moves
from tengen.games.go.patterns import patterns_around
from tengen.games.go.playout import LENGTH_FACTOR, take, take_if_sensible, take_random_point
from tengen.games.go.tactics import (
    OPEN,
    add_candidate,
    capture_of,
    captured_neighbours,
    capturing_moves,
    is_listed_chain,
    risks,
    saving_moves,
    two_liberty_moves,
)
from tengen.jit import kernel, nth_bit, population, record, trailing_zeros
from tengen.policies.playout import play_out
from tengen.rng import mix, scale, to_unit

RULE_FIELDS = [
    ("nakade", np.uint8),  # 1: as the first rule, play the middle of a three-point eye space
    ("capture_last", np.uint8),  # 1: before saving, capture the last move if it was self-atari
    ("two_liberties", np.uint8),  # 1: before patterns, moves that decide chains with two liberties
]
MOGO = record(
    "mogo",
    [
        *RULE_FIELDS,
        ("fill_board", np.int64),  # before all rules, number of draws for an open point on the empty board; 0: none
        ("save_probability", np.float64),  # probability that a rule is applied; 1 as published
        ("pattern_probability", np.float64),
        ("capture_probability", np.float64),
        ("self_atari_refusal", np.float64),  # probability that a pattern move which is self-atari is refused
        ("random_self_atari_refusal", np.float64),  # the same for moves anywhere
        ("self_atari_stones", np.int64),  # self-atari of fewer stones, as of throw-ins, is never refused
        ("mercy", np.int64),  # a playout ends when one side has this many stones more; 0: never
    ],
)
MERCY_STEP = 8
"""Number of moves between two checks of the mercy rule."""


# --- Taking moves ----------------------------------------------------------------------------------------------------


@kernel(inline=True, private=True)
def happens(probability, position, gamma, word):
    """Draw an event of this probability; returns (event, position, word). A certain event uses no random number."""
    if probability >= 1.0:
        return True, position, word
    return to_unit(word) < probability, position + gamma, mix(position + gamma)


@kernel(private=True)
def keep_candidates(state, count, colour, ko):
    """Reduce the first `count` moves in `state.candidates` to legal ones that fill no own eye; return their number."""
    kept = U0
    for i in range(count):
        point = u64(state.candidates[i])
        if take_if_sensible(state, point, colour, ko):
            add_to_liberties(state, point, liberty(state, point))
            state.candidates[kept] = point
            kept += U1
    return kept


@kernel(private=True)
def urgent_moves(rules, state, last, saves, colour, ko):
    """Write the answers to the last move that precede the patterns to `state.candidates`; return their number."""
    count = U0
    if rules.nakade:
        count = keep_candidates(state, nakade_moves(state, last, colour), colour, ko)
    if rules.capture_last and count == U0:
        count = keep_candidates(state, capture_of(state, last), colour, ko)
    if saves and count == U0:
        count = keep_candidates(state, saving_moves(state, last, colour), colour, ko)
    if rules.two_liberties and count == U0:
        count = keep_candidates(state, two_liberty_moves(state, last, colour), colour, ko)
    return count


@kernel(inline=True, private=True)
def take_pattern_move(policy, state, last, colour, ko, position, gamma, word):
    """Take one of the moves around the last one that match a pattern, each equally likely; PASS if there is none."""
    matches = patterns_around(state, last, colour)
    while matches != U0:
        bit = nth_bit(matches, scale(word, population(matches)))
        position += gamma
        word = mix(position)
        point = last + state.around[trailing_zeros(bit)]
        matches ^= bit
        if policy.self_atari_refusal > 0.0 and risks(state, point, colour, policy.self_atari_stones):
            refused, position, word = happens(policy.self_atari_refusal, position, gamma, word)
            if refused:
                continue
        if take_if_sensible(state, point, colour, ko):
            return point, position, word
    return PASS, position, word


@kernel(inline=True, private=True)
def take_capturing_move(state, colour, ko, position, gamma, word):
    """Take the last liberty of an enemy chain in atari, each chain equally likely; PASS if there is none.

    Chains that are no longer in atari are removed from the list when drawn. One whose capture would retake a ko stays.
    """
    enemy = colour ^ U1
    listed = u64(state.atari_count[enemy])
    count = listed
    point = PASS
    while count != U0:
        i = scale(word, count)
        position += gamma
        word = mix(position)
        head = u64(state.atari[enemy, i])
        count -= U1
        state.atari[enemy, i] = state.atari[enemy, count]
        if is_listed_chain(state, head, enemy):
            state.atari[enemy, count] = head
            point = last_liberty(u64(state.liberties[head]))
            if point != ko:
                take(state, point)
                break
            point = PASS
        else:
            listed -= U1
            state.atari[enemy, count] = state.atari[enemy, listed]
            state.listed[head] = u64(state.listed[head]) & ~(U1 << enemy)
    state.atari_count[enemy] = listed
    return point, position, word


@kernel(private=True)
def take_open_point(state, tries, colour, ko, empty_count, position, gamma, word):
    """Take a point with empty surroundings, if one is drawn in `tries` draws, else PASS.   [Fuego 0.4.1: fill board]"""
    for _ in range(tries):
        point = u64(state.empty[scale(word, empty_count)])
        position += gamma
        word = mix(position)
        if u64(state.surroundings[point]) == OPEN and take_if_sensible(state, point, colour, ko):
            return point, position, word
    return PASS, position, word


@kernel(inline=True, private=True)
def take_move_of_rules(policy, state, last, threat, colour, ko, empty_count, position, gamma, word):
    """Take a move of the first rule that has one, or PASS if none has."""
    point = PASS
    if policy.fill_board > 0 and empty_count != U0:
        tries = u64(policy.fill_board) * empty_count // u64(state.side * state.side)
        point, position, word = take_open_point(state, tries, colour, ko, empty_count, position, gamma, word)
    if last != PASS:
        if (threat or policy.nakade or policy.capture_last or policy.two_liberties) and point == PASS:
            saves, position, word = happens(policy.save_probability, position, gamma, word)
            count = urgent_moves(policy, state, last, threat and saves, colour, ko)
            if count != U0:
                point = u64(state.candidates[scale(word, count)])
                position += gamma
                word = mix(position)
                take(state, point)
        if point == PASS:
            looked_at, position, word = happens(policy.pattern_probability, position, gamma, word)
            if looked_at:
                point, position, word = take_pattern_move(policy, state, last, colour, ko, position, gamma, word)
    if point == PASS:
        looked_at, position, word = happens(policy.capture_probability, position, gamma, word)
        if looked_at:
            point, position, word = take_capturing_move(state, colour, ko, position, gamma, word)
    return point, position, word


@play_out.implement(MOGO)
@kernel
def mogo(policy, state, rng, trace, length):
    """pi_MoGo: the first rule that has moves decides, each of its moves equally likely   [GellySilver2011, section 3.6]

    1. the last move put own stones in atari: save them; 2. a pattern around the last move; 3. a capture anywhere;
    4. any legal move that fills no own eye. The moves of all rules satisfy this, too.
    """
    empty_count, ko = u64(state.empty_count), u64(state.ko)
    colour, passes, last = u64(state.to_play), u64(state.passes), u64(state.last_move)
    gamma = rng[1]
    position = rng[0] + gamma
    word = mix(position)
    end = length + LENGTH_FACTOR * state.side * state.side
    threat = last != PASS and captured_neighbours(state, last, colour ^ U1) != U0
    while passes < U2 and length < end:
        point, position, word = take_move_of_rules(
            policy, state, last, threat, colour, ko, empty_count, position, gamma, word
        )
        if point != PASS:
            empty_count = occupy(state, point, empty_count)
        else:
            refusal, stones = policy.random_self_atari_refusal, policy.self_atari_stones
            point, position, word = take_random_point(
                state, colour, ko, empty_count, position, gamma, word, refusal, stones
            )
            empty_count -= u64(point != PASS)
        threat = False
        if point == PASS:
            ko = U0
            passes += U1
        else:
            empty_count, ko = place(state, point, colour, empty_count)
            threat = note_ataris(state, point, colour)
            passes = U0
            if policy.mercy > 0 and length % MERCY_STEP == 0 and abs(stone_balance(state)) >= policy.mercy:
                passes = U2
        trace[length] = point
        length += 1
        last = point
        colour ^= U1
    state.empty_count, state.ko, state.to_play, state.passes = empty_count, ko, colour, passes
    state.last_move = last
    rng[0] = position
    return length


@kernel(private=True)
def stone_balance(state):
    """Black's stones less White's."""
    balance = np.int64(0)
    for i in range(state.colour.size):
        balance += np.int64(state.colour[i] == 0) - np.int64(state.colour[i] == 1)
    return balance


# --- The moves of the rules, without randomness ----------------------------------------------------------------------


@kernel
def rule_moves(rules, state):
    """Write the moves of the first rule that has any to `state.candidates`; return their number, 0 if no rule has."""
    last, colour, ko = u64(state.last_move), u64(state.to_play), u64(state.ko)
    count = U0
    if last != PASS:
        count = urgent_moves(rules, state, last, True, colour, ko)
        if count == U0:
            matches = patterns_around(state, last, colour)
            while matches != U0:
                count = add_candidate(state, last + state.around[trailing_zeros(matches)], count)
                matches &= matches - U1
            count = keep_candidates(state, count, colour, ko)
    if count == U0:
        count = keep_candidates(state, capturing_moves(state, colour), colour, ko)
    return count
