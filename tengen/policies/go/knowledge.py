"""Prior knowledge of Go: values and experience of the moves of a new node, from MoGo's rules and simple heuristics."""

import numpy as np

from tengen.games.go.eyes import is_candidate
from tengen.games.go.go_board import PASS, U0, U1, U2, U3, in_atari, last_liberty, neighbours_of_colour, play, u64
from tengen.games.go.ladders import is_caught
from tengen.games.go.patterns import matches_pattern
from tengen.games.go.tactics import (
    captured_neighbours,
    captures_several,
    distinct_heads,
    gives_atari,
    is_lonely,
    is_self_atari,
    line_of,
    mark_common_fate,
    two_liberties,
)
from tengen.jit import kernel, record
from tengen.policies.expectation import PRIOR_FIELDS, SEARCH_STATES, expect, survey
from tengen.policies.go.mogo import RULE_FIELDS, rule_moves

RULE_MARK = u64(4)
"""In `marks`: a move of MoGo's rules. The lower two bits are the distance from the last move, 0 if it is above NEAR."""


@kernel(inline=True, private=True)
def mark_rule_moves(prior, memory, state):
    """Mark the moves among which a rule of MoGo's policy would choose; none if no rule applies."""
    marks = memory.work.marks
    for i in range(marks.size):
        marks[i] = 0
    for i in range(rule_moves(prior, state)):
        marks[u64(state.candidates[i])] = RULE_MARK


# --- Q_MoGo ----------------------------------------------------------------------------------------------------------

MOGO_PRIOR = record("mogo_prior", [*PRIOR_FIELDS, *RULE_FIELDS])


@survey.implement(MOGO_PRIOR)
@kernel(inline=True, private=True)
def survey_rule(prior, memory, state):
    mark_rule_moves(prior, memory, state)


@expect.implement(MOGO_PRIOR)
@kernel(inline=True, private=True)
def mogo_prior(prior, memory, state, move):
    """Q_MoGo(s,a) = 1 for the moves among which pi_MoGo would choose by a rule, else 0.5   [GellySilver2007, section 7]

    Differs: moves into own eyes, which would get 0, are not in the tree.
    """
    return (1.0 if memory.work.marks[move] != 0 else 0.5), 1.0


# --- Knowledge -------------------------------------------------------------------------------------------------------

KNOWLEDGE = record(
    "knowledge",
    [
        *PRIOR_FIELDS,
        *RULE_FIELDS,
        # The experience added for each kind of move, in wins or losses, as a multiple of `weight`.
        ("rule_wins", np.float64),
        ("pattern_wins", np.float64),
        ("capture_wins", np.float64),
        ("large_capture_wins", np.float64),
        ("atari_wins", np.float64),
        ("self_atari_losses", np.float64),
        ("near_wins_1", np.float64),  # by the distance from the last move
        ("near_wins_2", np.float64),
        ("near_wins_3", np.float64),
        ("first_line_losses", np.float64),
        ("low_line_losses", np.float64),
        ("third_line_wins", np.float64),
        ("ladder_wins", np.float64),
        ("ladder_losses", np.float64),
    ],
)
NEAR = 3
"""Greatest distance from the last move that counts as near."""
ATTACK_MARK, FLIGHT_MARK = u64(8), u64(16)
"""In `marks`: a move that starts a working ladder, and a futile extension of a chain caught in one."""
LADDER_ROOM = 20
"""Number of scratch states for reading ladders; they suffice for twice as many moves."""


@kernel(private=True)
def mark_ladders(memory, state):
    """Mark moves that catch the last move's chain in a ladder, and futile extensions of own chains caught in one."""
    scratch = memory.states[SEARCH_STATES:]
    marks, colour, last = memory.work.marks, u64(state.to_play), u64(state.last_move)
    for head in distinct_heads(state, last, colour):
        if head != U0 and in_atari(u64(state.liberties[head])):
            scratch[0] = state
            if is_caught(scratch, head):
                marks[last_liberty(u64(state.liberties[head]))] |= FLIGHT_MARK
    for move in two_liberties(state, u64(state.chain[last])):
        if move != U0 and is_candidate(state, move) and not is_self_atari(state, move, colour):
            scratch[0] = state
            play(scratch[0], move)
            if is_caught(scratch, last):
                marks[move] |= ATTACK_MARK


@survey.implement(KNOWLEDGE)
@kernel(inline=True, private=True)
def survey_rule_and_neighbourhood(prior, memory, state):
    mark_rule_moves(prior, memory, state)
    if state.last_move != PASS:
        mark_common_fate(state, u64(state.last_move), NEAR, memory.work.marks)
        if prior.ladder_wins > 0.0 or prior.ladder_losses > 0.0:
            mark_ladders(memory, state)


@kernel(inline=True, private=True)
def nearness(prior, distance):
    """The wins added for a distance from the last move."""
    if distance == U1:
        return prior.near_wins_1
    if distance == U2:
        return prior.near_wins_2
    return prior.near_wins_3 if distance == U3 else 0.0


@kernel(inline=True, private=True)
def openness(state):
    """The share of the board's points that are empty."""
    return np.float64(state.empty_count) / (np.float64(state.side) * np.float64(state.side))


@expect.implement(KNOWLEDGE)
@kernel(private=True)
def knowledge(prior, memory, state, move):
    """Even experience, plus wins and losses for MoGo's rules, adjacent stones, ladders, and the line on the board."""
    point, colour = u64(move), u64(state.to_play)
    if point == PASS:
        return 0.5, 1.0
    mark = u64(memory.work.marks[point])
    wins, losses = nearness(prior, mark & U3), 0.0
    if mark & RULE_MARK != U0:
        wins += prior.rule_wins
    if mark & ATTACK_MARK != U0:
        wins += prior.ladder_wins
    if mark & FLIGHT_MARK != U0:
        losses += prior.ladder_losses
    if matches_pattern(state, point, colour) != U0:
        wins += prior.pattern_wins
    line = line_of(state, point)
    if line == U1:
        losses += prior.first_line_losses * openness(state)
    if is_lonely(state, point):
        if line < U3:
            losses += prior.low_line_losses
        elif line == U3:
            wins += prior.third_line_wins
    elif neighbours_of_colour(u64(state.neighbours[point]), colour ^ U1) != U0:  # this count includes walls
        captured = captured_neighbours(state, point, colour)
        if captured != U0:
            wins += prior.large_capture_wins if captures_several(state, point, captured) else prior.capture_wins
        if gives_atari(state, point, colour):
            wins += prior.atari_wins
    if is_self_atari(state, point, colour):
        losses += prior.self_atari_losses
    share = 1.0 + wins + losses
    return (0.5 + wins) / share, share
