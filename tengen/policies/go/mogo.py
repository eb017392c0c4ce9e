"""MoGo's default policy for Go: save chains in atari, match a pattern, capture, or play a random move.

On bitboards see `mogo_bitboard`. On list boards, a rule "takes" a move: it selects the point and subtracts it from its
neighbours' liberties in one step, as in `take_if_sensible`. The generator's position and its next word are passed
through the rules as scalars; the next word is computed one draw ahead, so that no instruction waits for it.
"""

from dataclasses import dataclass

import numpy as np

from tengen.games.go.go_board import occupy, place
from tengen.games.go.go_record import (
    PASS,
    TACTICAL_RECORDS,
    U0,
    U1,
    U2,
    add_to_liberties,
    last_liberty,
    liberty,
    note_ataris,
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
from tengen.options import option, record_fields
from tengen.policies.go import mogo_bitboard  # noqa: F401 - the bodies of the verbs for bitboards
from tengen.policies.go.rule_verbs import mark_rule_moves, play_by_rules
from tengen.policies.playout import play_out
from tengen.registry import PLAYOUT_POLICY, Needs, register
from tengen.rng import mix, scale, to_unit


@dataclass(frozen=True)
class RuleOptions:
    """Rules added to MoGo's, for the policy and for the priors that use its rules. Each is off by default."""

    nakade: bool = option(False, "before all rules, play the middle of three-point eye spaces [Fuego]")
    capture_last: bool = option(False, "before saving, capture the last move's chain if it is in atari [Fuego]")
    two_liberties: bool = option(False, "before patterns, decide fights of chains with two liberties [Fuego]")

    @property
    def adds_rules(self) -> bool:
        return self.nakade or self.capture_last or self.two_liberties


@dataclass(frozen=True)
class MogoOptions(RuleOptions):
    """Changes to MoGo's policy. With the defaults, the policy is the published one."""

    save_probability: float = option(1.0, "probability that the rule to save chains is tried", low=0, high=1)
    pattern_probability: float = option(1.0, "probability that the rule to match patterns is tried", low=0, high=1)
    capture_probability: float = option(1.0, "probability that the rule to capture is tried", low=0, high=1)
    fill_board: int = option(
        0,
        "before all rules, draw this many points of an empty board (fewer as it fills) and play the first one without "
        "stones around it [Fuego, Pachi]",
        low=0,
        high=1000,
    )
    self_atari_refusal: float = option(
        0.0, "probability that a pattern move that is self-atari is refused [michi: 0.9]", low=0, high=1
    )
    random_self_atari_refusal: float = option(
        0.0, "probability that a random move that is self-atari is refused [michi: 0.5]", low=0, high=1
    )
    self_atari_stones: int = option(1, "stones in self-atari from which on it may be refused", low=1, high=1000)
    mercy: int = option(
        0, "end a playout when a side has this many stones more; 0: never [Fuego: 24]", low=0, high=1000
    )


RULE_FIELDS = record_fields(RuleOptions)
MOGO = record("mogo", record_fields(MogoOptions))
register(
    PLAYOUT_POLICY,
    "mogo",
    "MoGo's rules: save, match a pattern, capture, else random [GellySilver2011, section 3.6]",
    options=MogoOptions,
    record=MOGO,
    game="go",
    needs=Needs(tactical=True, compact=lambda options: options == MogoOptions()),
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
@kernel(inline=True)
def mogo(policy, state, rng, trace, length):
    return play_by_rules(state, policy, rng, trace, length)


@kernel
def play_on_lists(state, policy, rng, trace, length):
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


for _tactical in TACTICAL_RECORDS:
    play_by_rules.implement(_tactical)(play_on_lists)


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


@kernel
def mark_listed_moves(state, rules, marks, mark):
    for i in range(marks.size):
        marks[i] = 0
    for i in range(rule_moves(rules, state)):
        marks[u64(state.candidates[i])] = mark


for _tactical in TACTICAL_RECORDS:
    mark_rule_moves.implement(_tactical)(mark_listed_moves)
