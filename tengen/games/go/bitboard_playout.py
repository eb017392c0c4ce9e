"""Kernels for uniform playouts on bitboards: every legal move that fills no own eye is equally likely."""

from typing import NamedTuple

import numpy as np

from tengen.games import interface
from tengen.games.go.bitboard import (
    BITBOARD,
    area,
    effect_of,
    empty_points,
    is_over,
    ko_after,
    non_eyes,
    outcome,
    put_stones,
    result_of,
    stones_of,
)
from tengen.games.go.go_record import PASS, U0, u64
from tengen.games.go.playout import LENGTH_FACTOR
from tengen.games.go.point_sets import (
    NOWHERE,
    ONE,
    SIDE,
    TWO,
    Z,
    are_equal,
    beside,
    bits_in,
    choice,
    common,
    grown,
    is_none,
    meets,
    nth_point,
    number_at,
    number_of,
    set_of,
    size,
    u32,
    union,
    without,
)
from tengen.jit import from_lane, join_lanes, kernel, lane, lanes, lanes_where, on_gpu, shares_warp
from tengen.rng import mix, scale

MOST_MOVES = LENGTH_FACTOR * SIDE * SIDE
FILL_STEPS = 2
"""Steps of a flood fill in one iteration of a playout in steps."""
DRAW, FILL_ENEMY, FILL_OWN, PLAY = u32(0), u32(1), u32(2), u32(3)
"""What a playout in steps does next: draw a point; test it by a flood fill of the enemy's chains with
liberties, then of its own chain; or play there."""


@kernel(inline=True)
def draw_point(points, position, gamma):
    """Draw one of `points`; return its set and the new position of the generator. Without points, draw nothing."""
    word, count = mix(position + gamma), u64(size(points))  # the word does not wait for the count
    point = nth_point(points, u32(scale(word, count)))
    return (NOWHERE if count == U0 else point), position + u64(count != U0) * gamma


@kernel(inline=True)
def draw_move(own, enemy, ko, position, gamma):
    """Draw a candidate move uniformly; a rejected point is removed and the draw repeated.

    Returns the move's set, empty for a pass, the stones that it captures, and the new position of the generator.
    """
    points = without(non_eyes(own, enemy, empty_points(own, enemy)), ko)
    while not is_none(points):
        point, position = draw_point(points, position, gamma)
        is_legal, captured = effect_of(point, own, enemy)
        if is_legal:
            return point, captured, position
        points = without(points, point)
    return NOWHERE, NOWHERE, position


@kernel(inline=True, private=True)
def end_playout(state, own, enemy, ko, colour, passes):
    """Write the position at the end of a playout to its state; `colour` is the side to move."""
    put_stones(state, colour, own)
    put_stones(state, u32(colour ^ ONE), enemy)
    state.to_play, state.passes, state.ko = colour, passes, number_of(ko)


@interface.uniform_playout.implement(BITBOARD)
@kernel
def uniform_playout(state, rng, trace, length):
    return playout_by_moves(state, rng, trace, length)


@kernel
def playout_by_moves(state, rng, trace, length):
    """The board and the generator are kept in local variables, which the compiler puts into registers."""
    colour, passes = state.to_play, state.passes
    own, enemy, ko = stones_of(state, colour), stones_of(state, u32(colour ^ ONE)), set_of(state.ko)
    position, gamma = rng[0], rng[1]
    end = length + MOST_MOVES
    while passes < 2 and length < end:
        move, captured, position = draw_move(own, enemy, ko, position, gamma)
        ko = ko_after(move, captured, enemy)
        passes = u32(passes + ONE) if is_none(move) else Z
        trace[length] = number_of(move)
        length += 1
        own, enemy = without(enemy, captured), union(own, move)
        colour = u32(colour ^ ONE)
    end_playout(state, own, enemy, ko, colour, passes)
    rng[0] = position
    return length


# --- For the threads of a GPU ----------------------------------------------------------------------------------------
# They wait for each other at every branch, so all steps of all moves are in one loop: a thread that needs a long flood
# fill continues it while others draw their next points.


class Attempt(NamedTuple):
    """A point that was drawn, and how far the test of its legality has come."""

    phase: np.uint32
    move: tuple  # the set of the point; empty for a pass
    filled: tuple  # the flood fill
    touched: tuple  # the enemy stones beside the point
    next_to_empty: tuple  # the points beside those that are empty after the move
    captured: tuple
    refused: tuple  # points that were drawn for this move and are suicide


@kernel(inline=True, private=True)
def no_attempt():
    """Return the attempt before a point is drawn."""
    return Attempt(DRAW, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE)


@kernel(inline=True, private=True)
def phase_after(phase, filled, move, touched, next_to_empty):
    """Return the next phase of a playout, and the set that a flood fill begins or continues with.

    Nothing is captured if all `touched` enemy stones have a liberty; the move is legal if its own chain has one.
    """
    if phase == FILL_ENEMY and is_none(without(touched, filled)):
        phase, filled = FILL_OWN, move
    if phase == FILL_OWN and (is_none(move) or meets(filled, next_to_empty)):
        phase = PLAY
    return phase, filled


@kernel(inline=True, private=True)
def drawn(attempt, own, enemy, ko, position, gamma):
    """Draw the next point; return the attempt to play there, and the new position of the generator."""
    empty = empty_points(own, enemy)
    points = without(non_eyes(own, enemy, empty), union(ko, attempt.refused))
    move, position = draw_point(points, position, gamma)
    touched, next_to_empty = common(enemy, beside(move)), beside(without(empty, move))
    phase, filled = phase_after(FILL_ENEMY, common(enemy, next_to_empty), move, touched, next_to_empty)
    return Attempt(phase, move, filled, touched, next_to_empty, NOWHERE, attempt.refused), position


@kernel(inline=True, private=True)
def tested(attempt, own, enemy):
    """Take FILL_STEPS steps of an attempt's flood fills; a point that is found to be suicide is refused."""
    phase, move, filled, touched, next_to_empty, captured, refused = attempt
    for _ in range(FILL_STEPS):
        if phase == FILL_ENEMY or phase == FILL_OWN:
            now = grown(filled, choice(phase == FILL_ENEMY, enemy, union(own, move)))
            if not are_equal(now, filled):
                phase, filled = phase_after(phase, now, move, touched, next_to_empty)
            elif phase == FILL_ENEMY:
                captured, phase = without(enemy, filled), PLAY
            else:
                refused, phase = union(refused, move), DRAW
    return Attempt(phase, move, filled, touched, next_to_empty, captured, refused)


@on_gpu(uniform_playout)
@kernel
def uniform_playout_on_gpu(state, rng, trace, length):
    """In steps if other threads would wait; alone, a thread is faster move by move."""
    if shares_warp():
        return playout_in_steps(state, rng, trace, length)
    if lanes() > 1:
        return playout_by_lanes(state, rng, trace, length)
    return playout_by_moves(state, rng, trace, length)


@kernel
def playout_in_steps(state, rng, trace, length):
    """Like `playout_by_moves`: it draws the same moves."""
    colour, passes = state.to_play, state.passes
    own, enemy, ko = stones_of(state, colour), stones_of(state, u32(colour ^ ONE)), set_of(state.ko)
    position, gamma = rng[0], rng[1]
    end = length + MOST_MOVES
    attempt = no_attempt()
    while passes < 2 and length < end:
        if attempt.phase == DRAW:
            attempt, position = drawn(attempt, own, enemy, ko, position, gamma)
        attempt = tested(attempt, own, enemy)
        if attempt.phase == PLAY:
            ko = ko_after(attempt.move, attempt.captured, enemy)
            passes = u32(passes + ONE) if is_none(attempt.move) else Z
            trace[length] = number_of(attempt.move)
            length += 1
            own, enemy = without(enemy, attempt.captured), union(own, attempt.move)
            colour = u32(colour ^ ONE)
            attempt = no_attempt()
    end_playout(state, own, enemy, ko, colour, passes)
    rng[0] = position
    return length


# --- For the threads of a GPU that work together ---------------------------------------------------------------------

HALF_WARP = 16


@kernel(inline=True, private=True)
def drawn_by_lanes(points, random):
    """Return the set of one of `points`, and its number in the lane that has found it, else 0.

    The point is that of `draw_point` with this random word. Each lane looks at the bit of its number in three words.
    """
    here = u32(ONE << u32(lane()))
    before = u32(here - ONE)
    first = bits_in(points[0])
    second = u32(first + bits_in(points[1]))
    n = u32(scale(random, u64(u32(second + bits_in(points[2])))))
    is_first = (points[0] & here) != Z and bits_in(u32(points[0] & before)) == n
    is_second = (points[1] & here) != Z and u32(first + bits_in(u32(points[1] & before))) == n
    is_third = (points[2] & here) != Z and u32(second + bits_in(u32(points[2] & before))) == n
    point = u32(lanes_where(is_first)), u32(lanes_where(is_second)), u32(lanes_where(is_third))
    word = Z if is_first else ONE if is_second else TWO
    found = is_first or is_second or is_third
    return point, number_at(word, u32(lane())) if found else Z


@kernel(inline=True, private=True)
def has_ended(filled, goal, fills_own):
    """Whether a chain has one of the points `goal`; for the enemy's chains, whether they have all of them."""
    return is_none(choice(fills_own, common(goal, filled), without(goal, filled))) != fills_own


@kernel(inline=True, private=True)
def effect_by_lanes(move, own, enemy):
    """Like `effect_of`; half of the lanes fill the enemy's chains with liberties, half the chain of the new stone."""
    next_to_empty, touched = beside(without(empty_points(own, enemy), move)), common(enemy, beside(move))
    fills_own = lane() >= HALF_WARP
    region, goal = choice(fills_own, union(own, move), enemy), choice(fills_own, next_to_empty, touched)
    filled = choice(fills_own, move, common(enemy, next_to_empty))
    while not has_ended(filled, goal, fills_own):
        now = grown(filled, region)
        if are_equal(now, filled):
            break
        filled = now
    ended = u32(lanes_where(has_ended(filled, goal, fills_own)))
    if (ended & ONE) != Z:  # all enemy chains beside the move have a liberty
        return (ended >> u32(HALF_WARP)) != Z, NOWHERE
    alive = from_lane(filled[0], 0), from_lane(filled[1], 0), from_lane(filled[2], 0)
    return True, without(enemy, alive)


@kernel
def playout_by_lanes(state, rng, trace, length):
    """Like `playout_by_moves`: it draws the same moves."""
    colour, passes = state.to_play, state.passes
    own, enemy, ko = stones_of(state, colour), stones_of(state, u32(colour ^ ONE)), set_of(state.ko)
    position, gamma, end = rng[0], rng[1], length + MOST_MOVES
    random = mix(position + gamma)  # one draw ahead, since it takes as long as the rest of a draw
    join_lanes()
    while passes < 2 and length < end:
        points = without(non_eyes(own, enemy, empty_points(own, enemy)), ko)
        is_legal, move, captured, number = is_none(points), NOWHERE, NOWHERE, u32(PASS)
        while not is_legal:
            move, number = drawn_by_lanes(points, random)
            position += gamma
            random = mix(position + gamma)
            is_legal, captured = effect_by_lanes(move, own, enemy)
            if not is_legal:
                points = without(points, move)
                move, number, is_legal = NOWHERE, u32(PASS), is_none(points)
        passes = u32(passes + ONE) if is_none(move) else Z
        if number != PASS or is_none(move):
            trace[length] = number
        length += 1
        ko = NOWHERE if is_none(captured) else ko_after(move, captured, enemy)
        own, enemy = without(enemy, captured), union(own, move)
        colour = u32(colour ^ ONE)
    end_playout(state, own, enemy, ko, colour, passes)
    rng[0] = position
    join_lanes()
    return length


@interface.uniform_results.implement(BITBOARD)
@kernel
def uniform_results(state, scratch, rng, trace, count):
    """A thread whose playout has ended begins the next at once."""
    if is_over(state):
        return count * outcome(state)
    first, first_ko = state.to_play, set_of(state.ko)
    position, gamma = rng[0], rng[1]
    results, done = 0.0, 0
    colour, passes, moves = first, state.passes, 0
    own, enemy, ko = stones_of(state, first), stones_of(state, u32(first ^ ONE)), first_ko
    attempt = no_attempt()
    while done < count:
        if attempt.phase == DRAW:
            attempt, position = drawn(attempt, own, enemy, ko, position, gamma)
        attempt = tested(attempt, own, enemy)
        if attempt.phase == PLAY:
            ko = ko_after(attempt.move, attempt.captured, enemy)
            passes = u32(passes + ONE) if is_none(attempt.move) else Z
            own, enemy = without(enemy, attempt.captured), union(own, attempt.move)
            colour = u32(colour ^ ONE)
            moves += 1
            attempt = no_attempt()
            if passes >= 2 or moves >= MOST_MOVES:
                black_to_play = colour == Z
                margin = area(choice(black_to_play, own, enemy), choice(black_to_play, enemy, own))
                results += result_of(margin - state.komi)
                done += 1
                colour, passes, moves = first, state.passes, 0
                own, enemy, ko = stones_of(state, first), stones_of(state, u32(first ^ ONE)), first_ko
    rng[0] = position
    return results
