"""Kernels for Othello: two 64-bit words, one bit per square.

A square is row * 8 + column, row 0 at the top and column a at the left (a1 to h8). Smaller boards are in the upper left
corner; `board` has their squares. Move 64 is the pass, allowed only if there is no other move.

Legal moves and flips are computed for all squares at once, by shifting whole boards in the eight directions.
"""

import numpy as np

from tengen.games import interface
from tengen.jit import kernel, lane, lanes, nth_bit, on_gpu, population, record, trailing_zeros, union_of_lanes
from tengen.rng import mix, scale

u64 = np.uint64

PASS = u64(64)
U0, U1, U2, U63 = u64(0), u64(1), u64(2), u64(63)
INNER_COLUMNS = u64(0x7E7E7E7E7E7E7E7E)
"""A run of discs along a row or diagonal must not pass through an outer column, where the shift wraps around."""
ALONG_ROW, ALONG_COLUMN, RISING, FALLING = u64(1), u64(8), u64(7), u64(9)

STATE = record(
    "othello",
    [
        ("black", np.uint64),
        ("white", np.uint64),
        ("board", np.uint64),  # mask of the squares of the board
        ("to_play", np.uint32),
    ],
)


@kernel(inline=True)
def line_moves(own, enemy, shift):
    """Return the squares after runs of enemy discs next to own ones, in both directions of one line, empty or not."""
    shift2 = shift * U2
    up, down = enemy & (own << shift), enemy & (own >> shift)
    up |= enemy & (up << shift)
    down |= enemy & (down >> shift)
    pairs_up, pairs_down = enemy & (enemy << shift), enemy & (enemy >> shift)
    up |= pairs_up & (up << shift2)
    down |= pairs_down & (down >> shift2)
    up |= pairs_up & (up << shift2)
    down |= pairs_down & (down >> shift2)
    return (up << shift) | (down >> shift)


@kernel(inline=True)
def moves_of(own, enemy, board):
    """Return the squares on which the side with the discs `own` may play."""
    inner = enemy & INNER_COLUMNS
    found = line_moves(own, inner, ALONG_ROW) | line_moves(own, enemy, ALONG_COLUMN)
    found |= line_moves(own, inner, RISING) | line_moves(own, inner, FALLING)
    return found & ~(own | enemy) & board


@kernel(inline=True)
def line_flips(disc, own, enemy, shift):
    """Return the enemy discs that a new disc encloses, in both directions of one line."""
    up, down = enemy & (disc << shift), enemy & (disc >> shift)
    for _ in range(5):
        up |= enemy & (up << shift)
        down |= enemy & (down >> shift)
    flips = up if ((up << shift) & own) != U0 else U0
    return flips | (down if ((down >> shift) & own) != U0 else U0)


@kernel(inline=True)
def flips_of(disc, own, enemy):
    """Return all enemy discs that a new disc turns over."""
    inner = enemy & INNER_COLUMNS
    flips = line_flips(disc, own, inner, ALONG_ROW) | line_flips(disc, own, enemy, ALONG_COLUMN)
    return flips | line_flips(disc, own, inner, RISING) | line_flips(disc, own, inner, FALLING)


# --- For the threads of a GPU that work together: a line each --------------------------------------------------------

LINES = 4


@kernel(inline=True, private=True)
def own_line(enemy):
    """Return the shift of this lane's line, and the enemy discs that a run along it may consist of."""
    line = lane() & 3
    shift = ALONG_ROW if line == 0 else ALONG_COLUMN if line == 1 else RISING if line == 2 else FALLING
    return shift, enemy if line == 1 else enemy & INNER_COLUMNS


@kernel(inline=True, private=True)
def moves_by_lanes(own, enemy, board):
    """Like `moves_of`."""
    shift, inner = own_line(enemy)
    return union_of_lanes(line_moves(own, inner, shift), LINES) & ~(own | enemy) & board


@kernel(inline=True, private=True)
def flips_by_lanes(disc, own, enemy):
    """Like `flips_of`."""
    shift, inner = own_line(enemy)
    return union_of_lanes(line_flips(disc, own, inner, shift), LINES)


# --- The state -------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def sides(state):
    """Return the discs of the side to move, and those of the opponent."""
    if state.to_play == 0:
        return state.black, state.white
    return state.white, state.black


@kernel
def reset(state, size):
    """Set a state to the start: four discs crosswise in the middle, Black to move."""
    row = (U1 << u64(size)) - U1
    state.board = U0
    for i in range(size):
        state.board |= row << u64(8 * i)
    middle = u64((size // 2 - 1) * 9)
    state.white = (U1 << middle) | (U1 << (middle + FALLING))
    state.black = (U1 << (middle + ALONG_ROW)) | (U1 << (middle + ALONG_COLUMN))
    state.to_play = 0


@interface.play.implement(STATE)
@kernel
def play(state, move):
    if u64(move) != PASS:
        own, enemy = sides(state)
        disc = U1 << u64(move)
        flips = flips_of(disc, own, enemy)
        own |= disc | flips
        enemy &= ~flips
        if state.to_play == 0:
            state.black, state.white = own, enemy
        else:
            state.white, state.black = own, enemy
    state.to_play ^= np.uint32(1)


@interface.is_legal.implement(STATE)
@kernel
def is_legal(state, move):
    own, enemy = sides(state)
    squares = moves_of(own, enemy, state.board)
    if u64(move) > U63:
        return u64(move) == PASS and squares == U0 and moves_of(enemy, own, state.board) != U0
    return (squares >> u64(move)) & U1 != U0


@interface.legal_moves.implement(STATE)
@kernel
def legal_moves(state, moves):
    own, enemy = sides(state)
    squares = moves_of(own, enemy, state.board)
    count = 0
    while squares != U0:
        moves[count] = trailing_zeros(squares)
        squares &= squares - U1
        count += 1
    if count == 0 and moves_of(enemy, own, state.board) != U0:
        moves[0] = PASS
        count = 1
    return count


@interface.is_over.implement(STATE)
@kernel
def is_over(state):
    if moves_of(state.black, state.white, state.board) != U0:
        return False
    return moves_of(state.white, state.black, state.board) == U0


@interface.score.implement(STATE)
@kernel
def score(state):
    return float(np.int64(population(state.black)) - np.int64(population(state.white)))


@interface.outcome.implement(STATE)
@kernel
def outcome(state):
    difference = score(state)
    if difference == 0.0:
        return 0.5
    return 1.0 if difference > 0.0 else 0.0


@interface.uniform_playout.implement(STATE)
@kernel
def uniform_playout(state, rng, trace, length):
    return play_uniformly(state, rng, trace, length, False)


@on_gpu(uniform_playout)
@kernel
def uniform_playout_on_gpu(state, rng, trace, length):
    if lanes() > 1:
        return play_uniformly(state, rng, trace, length, True)
    return play_uniformly(state, rng, trace, length, False)


@kernel(inline=True, private=True)
def moves_in_playout(own, enemy, board, by_lanes):
    return moves_by_lanes(own, enemy, board) if by_lanes else moves_of(own, enemy, board)


@kernel(inline=True, private=True)
def play_uniformly(state, rng, trace, length, by_lanes):
    """Play uniformly to the end of the game; `by_lanes` is a constant, so the compiler keeps one of the two ways."""
    own, enemy = sides(state)
    board, gamma = state.board, rng[1]
    position = rng[0] + gamma
    word = mix(position)
    to_play = state.to_play
    squares = moves_in_playout(own, enemy, board, by_lanes)
    while True:
        if squares != U0:
            disc = nth_bit(squares, scale(word, population(squares)))
            position += gamma
            word = mix(position)
            flips = flips_by_lanes(disc, own, enemy) if by_lanes else flips_of(disc, own, enemy)
            own |= disc | flips
            enemy &= ~flips
            trace[length] = trailing_zeros(disc)
            squares = moves_in_playout(enemy, own, board, by_lanes)
        else:
            squares = moves_in_playout(enemy, own, board, by_lanes)
            if squares == U0:
                break
            trace[length] = PASS
        length += 1
        own, enemy = enemy, own
        to_play ^= np.uint32(1)
    state.to_play = to_play
    if to_play == 0:
        state.black, state.white = own, enemy
    else:
        state.white, state.black = own, enemy
    rng[0] = position
    return length
