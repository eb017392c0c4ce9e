"""Priors of Go from tactics: MoGo's rules, patterns, captures, ladders, lines, and the distance to the last move."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tengen.games.go.eyes import is_candidate
from tengen.games.go.go_board import play
from tengen.games.go.go_record import PASS, U0, U1, U2, U3, in_atari, last_liberty, neighbours_of_colour, u64
from tengen.games.go.ladders import is_caught
from tengen.games.go.patterns import matches_pattern
from tengen.games.go.tactics import (
    captured_neighbours,
    captures_several,
    distinct_heads,
    gives_atari,
    is_listed_chain,
    is_lonely,
    is_self_atari,
    line_of,
    mark_common_fate,
    two_liberties,
)
from tengen.jit import kernel, record
from tengen.options import option, record_fields
from tengen.policies.expectation import PRIOR_FIELDS, PriorOptions, expect, is_excluded, survey, survey_exclusions
from tengen.policies.go.mogo import RULE_FIELDS, RuleOptions
from tengen.policies.go.rule_verbs import mark_rule_moves
from tengen.registry import PRIOR, Needs, register

RULE_MARK = u64(4)
"""In `marks`: a move of MoGo's rules. The lower two bits are the distance from the last move, 0 if it is above NEAR."""


# --- Q_MoGo ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MogoPriorOptions(RuleOptions, PriorOptions):
    """Options of the prior mogo."""


MOGO_PRIOR = record("mogo_prior", [*PRIOR_FIELDS, *RULE_FIELDS])
register(
    PRIOR,
    "mogo",
    "1 for the moves of MoGo's rules, 0.5 for others [GellySilver2007, section 7]",
    options=MogoPriorOptions,
    record=MOGO_PRIOR,
    game="go",
    needs=Needs(tactical=True, compact=lambda options: not options.adds_rules),
)


@survey.implement(MOGO_PRIOR)
@kernel(inline=True, private=True)
def survey_rule(prior, scratch, state):
    mark_rule_moves(state, prior, scratch.marks, RULE_MARK)


@expect.implement(MOGO_PRIOR)
@kernel(inline=True, private=True)
def mogo_prior(prior, scratch, state, move):
    """Q_MoGo(s,a) = 1 for the moves among which pi_MoGo would choose by a rule, else 0.5   [GellySilver2007, section 7]

    Differs: moves into own eyes, which would get 0, are not in the tree.
    """
    return (1.0 if scratch.marks[move] != 0 else 0.5), 1.0


# --- Knowledge -------------------------------------------------------------------------------------------------------


def experience(default: float, meaning: str) -> Any:
    """Return the option for the wins or losses that the knowledge prior adds for a kind of move."""
    return option(default, f"{meaning}, as a multiple of prior_weight", low=0, high=1000)


@dataclass(frozen=True)
class ExperienceOptions:
    """What the knowledge prior adds to even experience. The defaults are michi's counts, of which 10 are even."""

    rule_wins: float = experience(1.0, "wins for the moves of the first of MoGo's rules that has any")
    pattern_wins: float = experience(1.0, "wins for moves that match a pattern")
    capture_wins: float = experience(1.5, "wins for capturing a stone")
    large_capture_wins: float = experience(3.0, "wins for capturing several stones")
    atari_wins: float = experience(0.5, "wins for putting an opponent's chain in atari")
    self_atari_losses: float = experience(1.0, "losses for putting an own chain in atari")
    near_wins_1: float = experience(2.4, "wins beside the last move's chain")
    near_wins_2: float = experience(2.2, "wins at distance 2, where the points of a chain have distance 0")
    near_wins_3: float = experience(0.8, "wins at distance 3")
    first_line_losses: float = experience(0.0, "losses on the first line, times the share of empty points")
    low_line_losses: float = experience(1.0, "losses on the first two lines, away from all stones")
    third_line_wins: float = experience(1.0, "wins on the third line, away from all stones")
    ladder_wins: float = experience(0.0, "wins for catching the last move in a ladder")
    ladder_losses: float = experience(0.0, "losses for running from a ladder that works")


@dataclass(frozen=True)
class KnowledgeOptions(ExperienceOptions, RuleOptions, PriorOptions):
    """Options of the prior knowledge."""


LADDER_STATES = 20
"""Scratch states for reading ladders of twice as many moves."""
KNOWLEDGE = record("knowledge", [*PRIOR_FIELDS, *RULE_FIELDS, *record_fields(ExperienceOptions)])
register(
    PRIOR,
    "knowledge",
    "even, with more for MoGo's rules, patterns, captures, ladders, near and high moves [michi]",
    options=KnowledgeOptions,
    record=KNOWLEDGE,
    game="go",
    needs=Needs(tactical=True, scratch_states=LADDER_STATES),
)
NEAR = 3
"""Largest distance from the last move that counts as near."""
ATTACK_MARK, FLIGHT_MARK = u64(8), u64(16)
"""In `marks`: a move that starts a working ladder, and a futile extension of a chain caught in one."""


@kernel(private=True)
def mark_flight(scratch, state, head):
    """Mark the extension of an own chain in atari, given by its head, if the chain is caught in a ladder."""
    scratch.states[0] = state
    if is_caught(scratch.states, head):
        scratch.marks[last_liberty(u64(state.liberties[head]))] |= FLIGHT_MARK


@kernel(private=True)
def mark_ladders(scratch, state):
    """Mark moves that catch the last move's chain in a ladder, and futile extensions of own chains caught in one."""
    states = scratch.states
    marks, colour, last = scratch.marks, u64(state.to_play), u64(state.last_move)
    for head in distinct_heads(state, last, colour):
        if head != U0 and in_atari(u64(state.liberties[head])):
            mark_flight(scratch, state, head)
    for move in two_liberties(state, u64(state.chain[last])):
        if move != U0 and is_candidate(state, move) and not is_self_atari(state, move, colour):
            states[0] = state
            play(states[0], move)
            if is_caught(states, last):
                marks[move] |= ATTACK_MARK


@survey.implement(KNOWLEDGE)
@kernel(inline=True, private=True)
def survey_rule_and_neighbourhood(prior, scratch, state):
    mark_rule_moves(state, prior, scratch.marks, RULE_MARK)
    if state.last_move != PASS:
        mark_common_fate(state, u64(state.last_move), NEAR, scratch.marks)
        if prior.ladder_wins > 0.0 or prior.ladder_losses > 0.0:
            mark_ladders(scratch, state)


@survey_exclusions.implement(KNOWLEDGE)
@kernel(private=True)
def mark_flights(prior, scratch, state):
    """Mark the futile extensions of all own chains that are caught in ladders."""
    colour = u64(state.to_play)
    for i in range(state.atari_count[colour]):
        head = u64(state.atari[colour, i])
        if is_listed_chain(state, head, colour):
            mark_flight(scratch, state, head)


@is_excluded.implement(KNOWLEDGE)
@kernel(private=True)
def is_tactically_bad(prior, scratch, state, move):
    """Whether a move is a self-atari or extends a chain that is caught in a ladder, and captures nothing.

    Captures are never excluded: those that leave the stone in atari are kos and snapbacks.
    """
    point, colour = u64(move), u64(state.to_play)
    if point == PASS or captured_neighbours(state, point, colour) != U0:
        return False
    return u64(scratch.marks[point]) & FLIGHT_MARK != U0 or is_self_atari(state, point, colour)


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
def knowledge(prior, scratch, state, move):
    """Even experience, plus wins and losses for MoGo's rules, adjacent stones, ladders, and the line on the board."""
    point, colour = u64(move), u64(state.to_play)
    if point == PASS:
        return 0.5, 1.0
    mark = u64(scratch.marks[point])
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
