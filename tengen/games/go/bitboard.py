"""A compact record of 9x9 Go without suicide: the stones of each side as a bitboard, and the rules on it.

Chains are not stored: a move is tested by flood fills from its neighbours. The record has 64 bytes, where that of
`go_record` has more than a thousand, and a playout keeps it in registers: it suits processors with little memory for
each of many threads. Moves, results and superko hashes are those of `go_board`.
"""

import numpy as np

from tengen.games import interface
from tengen.games.go.go_board import STONE_HASHES, board_hash
from tengen.games.go.go_record import PASS, U0, u64
from tengen.games.go.point_sets import (
    EVERYWHERE,
    NOWHERE,
    ONE,
    are_equal,
    beside,
    common,
    connected,
    diagonally_crowded,
    first_point,
    grown,
    is_none,
    is_single,
    meets,
    number_of,
    set_of,
    size,
    u32,
    union,
    without,
    write_points,
)
from tengen.jit import kernel, record

BITBOARD = record(
    "go_bitboard_9",
    [
        ("komi", np.float64),
        ("stone_hash", np.uint64),  # of the stones, as `board_hash`; not kept up to date in playouts
        ("stones", np.uint32, (2, 3)),  # by colour, the set of its stones
        ("to_play", np.uint32),
        ("ko", np.uint32),  # the point where a ko may not be recaptured now, else 0
        ("last_move", np.uint32),  # 0 if it was a pass or there was none
        ("passes", np.uint32),  # number of consecutive passes so far
        ("superko", np.uint32),  # forbidden repetitions: 0 none, 1 a board, 2 a board with the same side to move
    ],
)


# --- The state -------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def stones_of(state, colour):
    """Return the set of a colour's stones."""
    return state.stones[colour, 0], state.stones[colour, 1], state.stones[colour, 2]


@kernel(inline=True)
def put_stones(state, colour, stones):
    """Store the set of a colour's stones."""
    state.stones[colour, 0], state.stones[colour, 1], state.stones[colour, 2] = stones[0], stones[1], stones[2]


@kernel(inline=True)
def empty_points(own, enemy):
    """Return the empty points of the board."""
    return without(EVERYWHERE, union(own, enemy))


@kernel
def copy_board(state, board):
    """Set a compact state to the position of a state of `go_record`."""
    for colour in range(2):
        stones = NOWHERE
        for point in range(board.colour.size):
            if board.colour[point] == colour:
                stones = union(stones, set_of(point))
        put_stones(state, colour, stones)
    state.komi, state.superko, state.stone_hash = board.komi, board.superko, board_hash(board)
    state.to_play, state.ko, state.passes, state.last_move = board.to_play, board.ko, board.passes, board.last_move


# --- Moves -----------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def captured_by(move, enemy, next_to_empty):
    """Return the enemy stones that a stone on `move` captures.

    `next_to_empty` are the points beside those that are empty after the move. Chains with a liberty grow from the
    stones beside an empty point; as soon as they include all enemy stones beside the move, nothing is captured.
    """
    alive, touched = common(enemy, next_to_empty), common(enemy, beside(move))
    while not is_none(without(touched, alive)):
        now = grown(alive, enemy)
        if are_equal(now, alive):
            return without(enemy, alive)
        alive = now
    return NOWHERE


@kernel(inline=True)
def has_liberty(stone, own, next_to_empty):
    """Whether the chain of a stone, which need not be in `own` yet, has one of the points `next_to_empty`."""
    region = union(own, stone)
    chain = stone
    while not meets(chain, next_to_empty):
        now = grown(chain, region)
        if are_equal(now, chain):
            return False
        chain = now
    return True


@kernel(inline=True)
def effect_of(move, own, enemy):
    """Return whether a stone on an empty point is no suicide, and the stones that it captures."""
    next_to_empty = beside(without(empty_points(own, enemy), move))
    captured = captured_by(move, enemy, next_to_empty)
    return not is_none(captured) or has_liberty(move, own, next_to_empty), captured


@kernel(inline=True)
def ko_after(move, captured, enemy):
    """Return the point where a move's capture starts a ko: one stone, captured by one among `enemy` stones; or none."""
    is_ko = is_single(captured) and is_none(without(common(beside(move), EVERYWHERE), enemy))
    return captured if is_ko else NOWHERE


@kernel(inline=True)
def non_eyes(own, enemy, empty):
    """Return the empty points that are no eyes of the side with the stones `own`, as in `is_own_eye`."""
    return common(empty, union(beside(union(empty, enemy)), diagonally_crowded(enemy)))


@interface.play.implement(BITBOARD)
@kernel
def play(state, move):
    colour = state.to_play
    state.to_play, state.last_move = u32(colour ^ ONE), move
    if move == PASS:
        state.ko = 0
        state.passes += ONE
        return
    own, enemy, stone = stones_of(state, colour), stones_of(state, u32(colour ^ ONE)), set_of(move)
    _, captured = effect_of(stone, own, enemy)
    put_stones(state, colour, union(own, stone))
    put_stones(state, u32(colour ^ ONE), without(enemy, captured))
    if state.superko != 0:
        state.stone_hash ^= STONE_HASHES[colour, move] ^ hash_of(captured, u32(colour ^ ONE))
    state.ko, state.passes = number_of(ko_after(stone, captured, enemy)), 0


@kernel(inline=True, private=True)
def hash_of(stones, colour):
    """Return the hash of a set of stones of a colour."""
    total = U0
    while not is_none(stones):
        one = first_point(stones)
        total ^= STONE_HASHES[colour, number_of(one)]
        stones = without(stones, one)
    return total


@interface.is_over.implement(BITBOARD)
@kernel(inline=True)
def is_over(state):
    return state.passes >= 2


@interface.is_legal.implement(BITBOARD)
@kernel
def is_legal(state, move):
    if is_over(state):
        return False
    if move == PASS:
        return True
    own, enemy, stone = stones_of(state, state.to_play), stones_of(state, u32(state.to_play ^ ONE)), set_of(move)
    if move == state.ko or not meets(stone, empty_points(own, enemy)):
        return False
    legal, _ = effect_of(stone, own, enemy)
    return legal


@interface.legal_moves.implement(BITBOARD)
@kernel
def legal_moves(state, moves):
    if is_over(state):
        return 0
    count = 0
    empty = write_points(empty_points(stones_of(state, 0), stones_of(state, 1)), moves)
    for i in range(empty):
        if is_legal(state, moves[i]):
            moves[count] = moves[i]
            count += 1
    moves[count] = PASS
    return count + 1


@kernel(inline=True, private=True)
def moves_to_try(state):
    """Return the empty points where the side to move fills no own eye and retakes no ko; some may be suicide."""
    own, enemy = stones_of(state, state.to_play), stones_of(state, u32(state.to_play ^ ONE))
    return without(non_eyes(own, enemy, empty_points(own, enemy)), set_of(state.ko))


@interface.candidate_moves.implement(BITBOARD)
@kernel
def candidate_moves(state, moves):
    count = write_points(moves_to_try(state), moves)
    moves[count] = PASS
    return count + 1


@interface.is_candidate.implement(BITBOARD)
@kernel
def is_candidate(state, move):
    """Exclude moves that fill an own eye."""
    return move == PASS or (meets(set_of(move), moves_to_try(state)) and is_legal(state, move))


@interface.situation.implement(BITBOARD)
@kernel
def situation(state):
    """Return the hash of the board (positional superko), or of the board and the side to move (situational superko)."""
    if state.superko == 0:
        return U0
    return state.stone_hash ^ u64(state.to_play) if state.superko == 2 else state.stone_hash


# --- The end of a game -----------------------------------------------------------------------------------------------


@kernel(inline=True)
def owned_points(black, white):
    """Return the stones and surrounded empty points of Black, and those of White, by the Tromp-Taylor rules."""
    empty = empty_points(black, white)
    next_to_black = connected(common(empty, beside(black)), empty)
    next_to_white = connected(common(empty, beside(white)), empty)
    return union(black, without(next_to_black, next_to_white)), union(white, without(next_to_white, next_to_black))


@kernel(inline=True)
def area(black, white):
    """Return Black's stones and territory minus White's, without komi, as an int32."""
    of_black, of_white = owned_points(black, white)
    return np.int32(np.int32(size(of_black)) - np.int32(size(of_white)))


@kernel(inline=True)
def result_of(margin):
    """Return Black's result for a margin of points."""
    return 1.0 if margin > 0.0 else 0.0 if margin < 0.0 else 0.5


@interface.score.implement(BITBOARD)
@kernel
def score(state):
    return area(stones_of(state, 0), stones_of(state, 1)) - state.komi


@interface.outcome.implement(BITBOARD)
@kernel
def outcome(state):
    return result_of(score(state))


@interface.add_ownership.implement(BITBOARD)
@kernel
def add_ownership(state, sums):
    of_black, of_white = owned_points(stones_of(state, 0), stones_of(state, 1))
    for point in range(sums.size):
        here = set_of(point)
        sums[point] += np.int64(meets(here, of_black)) - np.int64(meets(here, of_white))
