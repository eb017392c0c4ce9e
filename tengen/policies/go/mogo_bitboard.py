"""MoGo's policy on bitboards: the rules of `mogo` with their published options.

A rule returns a set of points. All draws of a move are one draw from the set of the first rule that has any.
"""

from tengen.games.go.bitboard import BITBOARD, empty_points, ko_after, put_stones, stones_of
from tengen.games.go.bitboard_patterns import patterns_around
from tengen.games.go.bitboard_playout import MOST_MOVES, draw_point
from tengen.games.go.bitboard_tactics import (
    all_ataris,
    ataris_after,
    candidate_points,
    captures_at,
    capturing_points,
    saving_points,
)
from tengen.games.go.point_sets import (
    NOWHERE,
    ONE,
    Z,
    beside,
    choice,
    common,
    first_point,
    is_none,
    number_of,
    set_of,
    u32,
    union,
    without,
)
from tengen.jit import kernel
from tengen.policies.go.rule_verbs import mark_rule_moves, play_by_rules


@kernel(inline=True, private=True)
def answers(last, own, enemy, empty, atari, candidates):
    """Return the moves that save chains from the last move; if there are none, those that match a pattern around it."""
    points = NOWHERE
    if not is_none(last):
        points = common(saving_points(last, own, enemy, empty, atari), candidates)
        if is_none(points):
            points = common(patterns_around(own, enemy, last), candidates)
    return points


@kernel(inline=True, private=True)
def draw_move(last, own, enemy, ko, atari, heads, position, gamma):
    """Draw a move of the first rule that has any; return its set, empty for a pass, and the generator's new position.

    Of chains to capture each is equally likely: the draw is among their heads.
    """
    empty = empty_points(own, enemy)
    candidates = candidate_points(own, enemy, empty, atari, ko)
    points = answers(last, own, enemy, empty, atari, candidates)
    targets = without(common(enemy, heads), beside(ko))
    by_chain = is_none(points) and not is_none(targets)
    points = choice(by_chain, targets, choice(is_none(points), candidates, points))
    point, position = draw_point(points, position, gamma)
    return choice(by_chain, common(beside(point), empty), point), position


@play_by_rules.implement(BITBOARD)
@kernel
def mogo(state, policy, rng, trace, length):
    """pi_MoGo: the first rule that has moves decides, each of its moves equally likely   [GellySilver2011, section 3.6]

    The board, the chains in atari and the generator are kept in local variables, which the compiler puts into
    registers.
    """
    colour, passes = state.to_play, state.passes
    own, enemy = stones_of(state, colour), stones_of(state, u32(colour ^ ONE))
    ko, last = set_of(state.ko), set_of(state.last_move)
    atari, heads = all_ataris(own, enemy)
    position, gamma = rng[0], rng[1]
    end = length + MOST_MOVES
    while passes < 2 and length < end:
        last, position = draw_move(last, own, enemy, ko, atari, heads, position, gamma)
        captured = captures_at(last, enemy, atari)
        ko = ko_after(last, captured, enemy)
        passes = u32(passes + ONE) if is_none(last) else Z
        trace[length] = number_of(last)
        length += 1
        own, enemy = union(own, last), without(enemy, captured)
        atari, heads = ataris_after(last, captured, own, enemy, atari, heads)
        own, enemy = enemy, own
        colour = u32(colour ^ ONE)
    put_stones(state, colour, own)
    put_stones(state, u32(colour ^ ONE), enemy)
    state.to_play, state.passes, state.ko, state.last_move = colour, passes, number_of(ko), number_of(last)
    rng[0] = position
    return length


@kernel
def rule_points(state):
    """Return the moves of the first rule that has any, an empty set if none has."""
    colour = state.to_play
    own, enemy = stones_of(state, colour), stones_of(state, u32(colour ^ ONE))
    atari, heads = all_ataris(own, enemy)
    empty = empty_points(own, enemy)
    candidates = candidate_points(own, enemy, empty, atari, set_of(state.ko))
    points = answers(set_of(state.last_move), own, enemy, empty, atari, candidates)
    return choice(is_none(points), common(capturing_points(enemy, empty, heads), candidates), points)


@mark_rule_moves.implement(BITBOARD)
@kernel
def mark_points(state, rules, marks, mark):
    points = rule_points(state)
    for i in range(marks.size):
        marks[i] = 0
    while not is_none(points):
        point = first_point(points)
        marks[number_of(point)] = mark
        points = without(points, point)
