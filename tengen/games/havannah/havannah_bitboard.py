"""A compact record of Havannah on bases 3 and 4: the stones of each player as a bitboard, and the rules on it.

The cell in row y and column x of the sheared square (see havannah_board) is bit 7 y + x of a uint64, on both bases.
A shift from the last column arrives in the first column one or two rows below, and conversely. The last column is on
the board from the middle row on (on base 3, never), the first column up to the middle row, so one of the two cells is
off the board: the neighbours of a whole set of cells take four shifts, without guard bits between the rows.

Chains are not stored. A stone can win in three ways only, and most stones in none:
- It joins groups of adjacent neighbours. If two groups belong to one chain, there is a ring (see havannah_board); if
  not, the joined chain may touch more corners or edges than each of its parts.
- It is at the border and adds a corner or an edge to a chain.
- It completes a filled ring, so that some own cell has six own neighbours.
Only the first two need flood fills. The record has 32 bytes, where that of `havannah_board` has 4,060, and a playout
keeps it in registers: it suits processors with little memory for each of many threads. Moves and results are those of
`havannah_board`.
"""

from typing import Any, NamedTuple

import numpy as np

from tengen.games import interface
from tengen.games.havannah.havannah_board import NOBODY, POINT_OF, U0, U1, U2, border_masks, table_row, u64
from tengen.jit import kernel, nth_bit, population, record
from tengen.rng import mix, scale

BASES = (3, 4)
ROW, DIAGONAL = u64(7), u64(8)
"""Bits from a cell to the one below it, and to the one below on the right."""
U3 = u64(3)

BITBOARD = record(
    "havannah_bitboard",
    [
        ("stones", np.uint64, (2,)),  # by player, the set of its stones
        ("to_play", np.uint32),
        ("winner", np.uint32),  # 0, 1, or NOBODY
        ("edge", np.uint16),  # the base
        ("swap_rule", np.uint16),  # 1 if the second player may take over the first stone
    ],
)


# --- The board of a base ---------------------------------------------------------------------------------------------


class Masks(NamedTuple):
    """Sets of cells of a board, as uint64. An edge has one cell besides its corners on base 3, two on base 4."""

    board: Any  # all cells
    border: Any  # the cells of the corners and edges
    corners: Any
    edges: Any  # the first cell of each edge
    edges_in_row: Any  # the first cells of the edges whose second cell is the next one in the row,
    edges_in_column: Any  # ... the one below,
    edges_in_diagonal: Any  # ... the one below on the right


def _bit(cell: tuple[int, int]) -> int:
    row, column = cell
    return 1 << row * int(ROW) + column


def _masks(base: int) -> Masks:
    borders = border_masks(base)
    steps = {1: 0, int(ROW): 0, int(DIAGONAL): 0}
    edges = 0
    for edge in {mask for mask in borders.values() if mask >> 6}:
        first, *rest = (_bit(cell) for cell in sorted(borders) if borders[cell] == edge)
        edges |= first
        for second in rest:
            steps[(second // first).bit_length() - 1] |= first
    board = sum(map(_bit, borders))
    border = sum(_bit(cell) for cell, mask in borders.items() if mask)
    corners = sum(_bit(cell) for cell, mask in borders.items() if mask & 63)
    return Masks(*(u64(cells) for cells in (board, border, corners, edges, *steps.values())))


MASKS_3, MASKS_4 = map(_masks, BASES)


@kernel(inline=True)
def masks_of(state):
    """Return the Masks of a state's board."""
    return MASKS_3 if state.edge == 3 else MASKS_4


# --- Sets of cells ---------------------------------------------------------------------------------------------------


@kernel(inline=True)
def number_of(cell, board):
    """Return the move number of the only cell of a set."""
    return population(board & (cell - U1))


@kernel(inline=True)
def first_of(cells):
    """Return the set of the first cell of a set."""
    return cells & (~cells + U1)


@kernel(inline=True)
def after(cells):
    """Return the three neighbours of each cell that have higher bits; some may be outside the board."""
    return cells << U1 | (cells | cells << U1) << ROW


@kernel(inline=True)
def before(cells):
    """Return the three neighbours of each cell that have lower bits; some may be outside the board."""
    return cells >> U1 | (cells | cells >> U1) >> ROW


@kernel(inline=True)
def connected(cells, region):
    """Return the cells of `region` that are connected to `cells`, a subset of it, within `region`."""
    while True:
        grown = cells | (after(cells) & region)
        grown |= before(grown) & region
        if grown == cells:
            return cells
        cells = grown


@kernel(inline=True)
def group_count(neighbours):
    """Return the number of groups of adjacent cells among the neighbours of a cell; 0 for all six.

    The groups are paths, so that each has one cell more than adjacent pairs.
    """
    pairs = population(neighbours & neighbours << U1) + population(neighbours & neighbours << ROW)
    return population(neighbours) - (pairs + population(neighbours & neighbours << DIAGONAL))


@kernel(inline=True)
def has_surrounded_cell(cells):
    """Whether some cell of a set has all its six neighbours in the set."""
    left, right = cells & cells << U1, cells & cells >> U1  # cells with the one before them, after them in the row
    return left & right & left << ROW & right >> ROW != U0


@kernel(inline=True)
def is_connection(chain, masks):
    """Whether a chain is a bridge or a fork: it touches two corners or three edges."""
    edges = chain & masks.edges | chain >> U1 & masks.edges_in_row
    edges |= chain >> ROW & masks.edges_in_column | chain >> DIAGONAL & masks.edges_in_diagonal
    return population(chain & masks.corners) >= U2 or population(edges) >= U3


@kernel(inline=True)
def wins(stone, own, masks):
    """Whether a new stone wins for the player with the stones `own`, who has not won before.

    There is a ring if the stone has more groups of neighbours than chains that they belong to.
    """
    neighbours = (after(stone) | before(stone)) & own
    if neighbours == U0:
        return False
    if has_surrounded_cell(own | stone):
        return True
    groups = group_count(neighbours)
    if groups < U2 and stone & masks.border == U0:
        return False
    chain, chains = stone, U0
    while neighbours != U0:
        chain |= connected(first_of(neighbours), own)
        neighbours &= ~chain
        chains += U1
    return chains < groups or is_connection(chain, masks)


# --- The game --------------------------------------------------------------------------------------------------------


@kernel
def copy_board(state, board):
    """Set a compact state to the position of a state of `havannah_board`."""
    state.edge, state.swap_rule = board.edge, board.swap_rule
    state.to_play, state.winner = board.to_play, board.winner
    row, cells = table_row(board), masks_of(state).board
    state.stones[0], state.stones[1] = U0, U0
    for move in range(board.cells):
        colour = board.colour[POINT_OF[row, move]]
        if colour < NOBODY:
            state.stones[colour] |= first_of(cells)
        cells &= cells - U1


@kernel(inline=True)
def empty_cells(state):
    return masks_of(state).board & ~(state.stones[0] | state.stones[1])


@kernel(inline=True)
def may_swap(state):
    """Whether the second player may take over the first stone now."""
    return state.swap_rule == 1 and state.to_play == 1 and state.stones[1] == U0 and population(state.stones[0]) == U1


@kernel(inline=True)
def swap_sides(state):
    """Give the first stone to the second player; the first player is to move."""
    state.stones[1] = state.stones[0]
    state.stones[0] = 0
    state.to_play = 0


@interface.play.implement(BITBOARD)
@kernel
def play(state, move):
    masks, player = masks_of(state), state.to_play
    if u64(move) == population(masks.board):
        swap_sides(state)
        return
    stone, own = nth_bit(masks.board, u64(move)), state.stones[player]
    if wins(stone, own, masks):
        state.winner = player
    state.stones[player] = own | stone
    state.to_play ^= np.uint32(1)


@interface.is_legal.implement(BITBOARD)
@kernel
def is_legal(state, move):
    board = masks_of(state).board
    if is_over(state) or u64(move) > population(board):
        return False
    if u64(move) == population(board):
        return may_swap(state)
    return nth_bit(board, u64(move)) & empty_cells(state) != U0


@interface.legal_moves.implement(BITBOARD)
@kernel
def legal_moves(state, moves):
    count = 0
    if is_over(state):
        return count
    board, cells = masks_of(state).board, empty_cells(state)
    while cells != U0:
        moves[count] = number_of(first_of(cells), board)
        cells &= cells - U1
        count += 1
    if may_swap(state):
        moves[count] = population(board)
        count += 1
    return count


@interface.is_over.implement(BITBOARD)
@kernel
def is_over(state):
    return state.winner != NOBODY or empty_cells(state) == U0


@interface.score.implement(BITBOARD)
@kernel
def score(state):
    if state.winner == NOBODY:
        return 0.0
    return 1.0 if state.winner == 0 else -1.0


@interface.outcome.implement(BITBOARD)
@kernel
def outcome(state):
    return (score(state) + 1.0) / 2.0


@interface.uniform_playout.implement(BITBOARD)
@kernel
def uniform_playout(state, rng, trace, length):
    """The board and the generator are kept in local variables, which the compiler puts into registers."""
    masks, empty = masks_of(state), empty_cells(state)
    position, gamma = rng[0], rng[1]
    if may_swap(state):
        position += gamma
        if scale(mix(position), population(empty) + U1) == U0:
            trace[length] = population(masks.board)
            length += 1
            swap_sides(state)
    player, won = u64(state.to_play), state.winner != NOBODY
    own, enemy = state.stones[player], state.stones[player ^ U1]
    position += gamma
    word = mix(position)
    while empty != U0 and not won:
        stone = nth_bit(empty, scale(word, population(empty)))
        position += gamma
        word = mix(position)  # of the next move: does not wait for this one
        empty ^= stone
        trace[length] = number_of(stone, masks.board)
        length += 1
        won = wins(stone, own, masks)
        if won:
            state.winner = player
        own, enemy = enemy, own | stone
        player ^= U1
    state.stones[player], state.stones[player ^ U1], state.to_play = own, enemy, player
    rng[0] = position
    return length
