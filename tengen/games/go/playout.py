"""Kernels for uniform playouts: every legal move that fills no own eye is equally likely."""

from tengen.games import interface
from tengen.games.go.eyes import is_own_eye
from tengen.games.go.go_board import is_suicide, place
from tengen.games.go.go_record import (
    ONE_EMPTY,
    PASS,
    U0,
    U1,
    U2,
    add_to_liberties,
    implements,
    liberty,
    note_place,
    u64,
)
from tengen.games.go.tactics import risks
from tengen.jit import kernel
from tengen.rng import mix, scale, to_unit

LENGTH_FACTOR = 3
"""A playout is stopped after 3 x size x size moves, as in michi and Fuego, since cycles of kos may be endless."""


@kernel(inline=True)
def take(state, point):
    """Remove a point from its neighbours' liberties, the first step of a move; `place` continues it."""
    add_to_liberties(state, point, U0 - liberty(state, point))


@kernel(inline=True)
def take_if_sensible(state, point, colour, ko):
    """If a move is a candidate, `take` its point and return True; the check for legality needs this step anyway."""
    if u64(state.neighbours[point]) >= ONE_EMPTY:
        if point == ko:
            return False
        take(state, point)
        return True
    if is_own_eye(state, point, colour) or point == ko:
        return False
    take(state, point)
    if is_suicide(state, point, colour):
        add_to_liberties(state, point, liberty(state, point))
        return False
    return True


@kernel(inline=True)
def take_random_point(state, colour, ko, empty_count, position, gamma, word, refusal, stones):
    """Choose a candidate move uniformly, and take its point as `take_if_sensible` does.

    With probability `refusal`, a self-atari of `stones` or more stones is not a candidate. A rejected point is swapped
    out of the list and the draw repeated, since scanning on from it would favour points that follow many rejected
    ones. The chosen one is swapped to the end of the list of empty points.
    Returns the point (PASS if there is no candidate), and the generator's position with its next word, which is
    computed one move ahead to hide its latency.
    """
    candidates = empty_count
    while candidates != U0:
        i = scale(word, candidates)
        position += gamma
        word = mix(position)
        candidates -= U1
        point, other = u64(state.empty[i]), u64(state.empty[candidates])
        state.empty[i] = other
        refused = False
        if refusal > 0.0 and risks(state, point, colour, stones):
            refused = to_unit(word) < refusal
            position += gamma
            word = mix(position)
        if not refused and take_if_sensible(state, point, colour, ko):
            last = u64(state.empty[empty_count - U1])
            state.empty[candidates] = last
            note_place(state, last, candidates)
            note_place(state, other, i)  # after that of the last one: they may be the same
            return point, position, word
        state.empty[candidates] = point
        note_place(state, point, candidates)
        note_place(state, other, i)
    return PASS, position, word


@implements(interface.uniform_playout)
@kernel
def uniform_playout(state, rng, trace, length):
    """Scalars of the state and of the generator are kept in local variables, which the compiler puts into registers.

    Points are taken by their index in the list of empty points, so `where` is not updated.
    """
    empty_count, ko = u64(state.empty_count), u64(state.ko)
    colour, passes = u64(state.to_play), u64(state.passes)
    gamma = rng[1]
    position = rng[0] + gamma
    word = mix(position)
    end = length + LENGTH_FACTOR * state.side * state.side
    while passes < U2 and length < end:
        point, position, word = take_random_point(state, colour, ko, empty_count, position, gamma, word, 0.0, 1)
        if point == PASS:
            ko = U0
            passes += U1
        else:
            empty_count, ko = place(state, point, colour, empty_count - U1)
            passes = U0
        trace[length] = point
        length += 1
        colour ^= U1
    state.empty_count, state.ko, state.to_play, state.passes = empty_count, ko, colour, passes
    rng[0] = position
    return length
