"""Kernels for uniform playouts on bitboards: every legal move that fills no own eye is equally likely."""

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
from tengen.games.go.go_record import u64
from tengen.games.go.playout import LENGTH_FACTOR
from tengen.games.go.point_sets import (
    NOWHERE,
    ONE,
    SIDE,
    Z,
    are_equal,
    beside,
    choice,
    common,
    grown,
    is_none,
    meets,
    nth_point,
    number_of,
    set_of,
    size,
    u32,
    union,
    without,
)
from tengen.jit import kernel
from tengen.rng import mix, scale

MOST_MOVES = LENGTH_FACTOR * SIDE * SIDE
FILL_STEPS = 2
"""Steps of a flood fill in `uniform_results` before playouts that need none may go on."""
DRAW, FILL_ENEMY, FILL_OWN, PLAY = u32(0), u32(1), u32(2), u32(3)
"""What a playout of `uniform_results` does next: draw a point; test it by a flood fill of the enemy's chains with
liberties, then of its own chain; or play there."""


@kernel(inline=True)
def draw_point(points, position, gamma):
    """Draw one of `points`; return its set, empty if there is none, and the new position of the generator."""
    position += gamma
    count = u64(size(points))
    point = nth_point(points, u32(scale(mix(position), count)))
    return (NOWHERE if count == u64(0) else point), position


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


@interface.uniform_playout.implement(BITBOARD)
@kernel
def uniform_playout(state, rng, trace, length):
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
    put_stones(state, colour, own)
    put_stones(state, u32(colour ^ ONE), enemy)
    state.to_play, state.passes, state.ko = colour, passes, number_of(ko)
    rng[0] = position
    return length


# --- Many playouts ---------------------------------------------------------------------------------------------------


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


@interface.uniform_results.implement(BITBOARD)
@kernel
def uniform_results(state, scratch, rng, trace, count):
    """The threads of a GPU wait for each other at every branch, so all steps of all playouts are in one loop.

    A thread that needs a long flood fill continues it while others draw their next points, and one whose playout has
    ended begins the next at once.
    """
    if is_over(state):
        return count * outcome(state)
    first, first_ko = state.to_play, set_of(state.ko)
    position, gamma = rng[0], rng[1]
    results, done = 0.0, 0
    colour, passes, moves = first, state.passes, 0
    own, enemy, ko = stones_of(state, first), stones_of(state, u32(first ^ ONE)), first_ko
    move, captured, refused = NOWHERE, NOWHERE, NOWHERE
    filled, touched, next_to_empty = NOWHERE, NOWHERE, NOWHERE
    phase = DRAW
    while done < count:
        if phase == DRAW:
            empty = empty_points(own, enemy)
            points = without(non_eyes(own, enemy, empty), union(ko, refused))
            move, position = draw_point(points, position, gamma)
            touched, next_to_empty = common(enemy, beside(move)), beside(without(empty, move))
            phase, filled = phase_after(FILL_ENEMY, common(enemy, next_to_empty), move, touched, next_to_empty)
        for _ in range(FILL_STEPS):
            if phase == FILL_ENEMY or phase == FILL_OWN:
                now = grown(filled, choice(phase == FILL_ENEMY, enemy, union(own, move)))
                if not are_equal(now, filled):
                    phase, filled = phase_after(phase, now, move, touched, next_to_empty)
                elif phase == FILL_ENEMY:
                    captured, phase = without(enemy, filled), PLAY
                else:
                    refused, phase = union(refused, move), DRAW
        if phase == PLAY:
            ko = ko_after(move, captured, enemy)
            passes = u32(passes + ONE) if is_none(move) else Z
            own, enemy = without(enemy, captured), union(own, move)
            colour = u32(colour ^ ONE)
            moves += 1
            captured, refused, phase = NOWHERE, NOWHERE, DRAW
            if passes >= 2 or moves >= MOST_MOVES:
                black_to_play = colour == Z
                margin = area(choice(black_to_play, own, enemy), choice(black_to_play, enemy, own))
                results += result_of(margin - state.komi)
                done += 1
                colour, passes, moves = first, state.passes, 0
                own, enemy, ko = stones_of(state, first), stones_of(state, u32(first ^ ONE)), first_ko
    rng[0] = position
    return results
