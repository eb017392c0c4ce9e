"""Kernels for Havannah: chains by union-find, with masks of the corners and edges that they touch.

A hexagon with `base` cells per side is stored as a sheared square: the cell in column x and row y, both from 0 to
2 base - 2, is on the board if x and y differ by less than the base, and its number is (y + 1) * STRIDE + x + 1 for
every base. Its six neighbours, in cyclic order, are at the OFFSETS. A move is the index of a cell among those on the
board, row by row; the move after the last is the swap, by which the second player takes over the first stone.

A player wins by a bridge (a chain that touches two corners), a fork (three edges; corners belong to none) or a ring
(a chain around at least one cell, occupied or not).

Rings are found without a search. A stone closes a ring in one of two ways:
- It touches the same chain by neighbours that are not adjacent around it. The loop through the stone then separates
  the gaps between them, so one gap is inside. This gap is on the board, since the outside of the board is connected
  and lies outside the loop.
- All its neighbours on the loop are adjacent. Then the loop without the stone is also closed. If this shorter loop
  still encloses a cell, there was a ring before. If not, all cells inside are among those neighbours; such a cell is
  the player's own and has only own neighbours. So the check is: some own neighbour now has six own neighbours.
"""

import numpy as np

from tengen.games import interface
from tengen.jit import kernel, record, table, trailing_zeros
from tengen.rng import mix, scale

u64 = np.uint64

SMALLEST_BASE, LARGEST_BASE = 3, 10
STRIDE = 2 * LARGEST_BASE
POINTS = STRIDE * (2 * LARGEST_BASE + 1) + 1
U0, U1, U2, U16 = u64(0), u64(1), u64(2), u64(16)
LOW_16 = u64(0xFFFF)
DIRECTIONS = ((-1, -1), (-1, 0), (0, 1), (1, 1), (1, 0), (0, -1))
"""Steps (rows, columns) to the six neighbours, in cyclic order."""
OFFSETS = table([(rows * STRIDE + columns) % 2**64 for rows, columns in DIRECTIONS], np.uint64)
O0, O1, O2, O3, O4, O5 = (u64(offset) for offset in OFFSETS)


def cells_of(base: int) -> list[tuple[int, int]]:
    """Return the cells of a board as (row, column), by move number."""
    side = range(2 * base - 1)
    return [(y, x) for y in side for x in side if abs(x - y) < base]


def point_of(row: int, column: int) -> int:
    return (row + 1) * STRIDE + column + 1


def border_masks(base: int) -> dict[tuple[int, int], int]:
    """Return for each cell a mask of the corners (bits 0 to 5) and edges (bits 6 to 11) that it belongs to.

    A corner has three neighbours on the board and an edge cell four; the missing ones identify the edge.
    """
    cells = set(cells_of(base))
    masks: dict[tuple[int, int], int] = {}
    edges: dict[tuple[bool, ...], int] = {}
    corners = 0
    for row, column in sorted(cells):
        inside = tuple((row + dy, column + dx) in cells for dy, dx in DIRECTIONS)
        masks[row, column] = 0
        if sum(inside) == 3:
            masks[row, column] = 1 << corners
            corners += 1
        elif sum(inside) == 4:
            masks[row, column] = 64 << edges.setdefault(inside, len(edges))
    return masks


def cell_count(base: int) -> int:
    return 3 * base * (base - 1) + 1


MOST_CELLS = cell_count(LARGEST_BASE)

# By neighbour mask: the number of groups of adjacent neighbours, and one neighbour of each.
_groups = [[d for d in range(6) if mask >> d & 1 and not mask >> (d + 5) % 6 & 1] for mask in range(64)]
_groups[63] = [0]
GROUP_COUNT = table([len(groups) for groups in _groups], np.uint64)
GROUP_OFFSET = table([[OFFSETS[d] for d in (*groups, 0, 0, 0)[:3]] for groups in _groups], np.uint64)
MIDDLES = table([mask & (mask << 1 | mask >> 5) & (mask >> 1 | mask << 5) for mask in range(64)], np.uint64)
"""By neighbour mask: the neighbours with a neighbour of the mask on both sides."""
WINS = table([(mask & 63).bit_count() >= 2 or (mask >> 6).bit_count() >= 3 for mask in range(4096)], np.uint8)
"""By mask of corners and edges: whether it is a bridge or a fork."""


_bases = range(SMALLEST_BASE, LARGEST_BASE + 1)
_points = [[point_of(row, column) for row, column in cells_of(base)] for base in _bases]
_borders = [{point_of(*cell): mask for cell, mask in border_masks(base).items()} for base in _bases]
POINT_OF = table([points + [0] * (MOST_CELLS - len(points)) for points in _points], np.uint16)
"""By base (from SMALLEST_BASE) and move: the number of the cell."""
BORDER = table([[mask.get(p, 0) for p in range(POINTS)] for mask in _borders], np.uint16)
"""By base and cell number: the mask of its corners and edges."""

NOBODY, OFF_BOARD = 2, 3
ROOT = u64(0x8000)
"""Flag of the root of a chain; every empty cell is one, so that a new stone has its corner or edge already."""

STATE = record(
    "havannah",
    [
        ("edge", np.uint32),  # the base
        ("cells", np.uint32),
        ("swap_rule", np.uint32),  # 1 if the second player may take over the first stone
        ("to_play", np.uint32),
        ("winner", np.uint32),  # 0, 1, or NOBODY
        ("empty_count", np.uint32),
        ("parent", np.uint16, (POINTS,)),  # towards the root of a stone's chain; at the root, ROOT | corners and edges
        ("empty", np.uint32, (MOST_CELLS,)),  # the empty cells, unordered: number | move << 16
        ("where", np.uint16, (POINTS,)),  # an empty cell's index in `empty`
        ("around", np.uint8, (2, POINTS)),  # by player: mask of the six neighbours that are that player's stones
        ("colour", np.uint8, (POINTS,)),  # 0, 1, NOBODY where empty, OFF_BOARD
    ],
)


@kernel(inline=True)
def table_row(state):
    """Return the row of a board's base in the tables."""
    return u64(state.edge) - u64(SMALLEST_BASE)


@kernel
def reset(state, base, swap_rule):
    """Set a state to the empty board, Black to move."""
    state.edge, state.swap_rule, state.to_play, state.winner = base, swap_rule, 0, NOBODY
    state.cells = 3 * base * (base - 1) + 1
    state.empty_count = state.cells
    row = table_row(state)
    for p in range(POINTS):
        state.parent[p], state.where[p] = ROOT | u64(BORDER[row, p]), 0
        state.around[0, p], state.around[1, p], state.colour[p] = 0, 0, OFF_BOARD
    for move in range(state.cells):
        p = u64(POINT_OF[row, move])
        state.empty[move], state.where[p], state.colour[p] = p | (u64(move) << U16), move, NOBODY


# --- Playing ---------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def root_of(state, point):
    """Return the root of a stone's chain and its entry, with path compression."""
    parent = u64(state.parent[point])
    while parent < ROOT:
        grandparent = u64(state.parent[parent])
        if grandparent >= ROOT:
            return parent, grandparent
        state.parent[point] = grandparent
        point = grandparent
        parent = u64(state.parent[point])
    return point, parent


@kernel(inline=True)
def tell_neighbours(state, point, player):
    """Set a new stone's bit in the masks of its neighbours, in the opposite direction."""
    state.around[player, point + O0] |= np.uint8(8)
    state.around[player, point + O1] |= np.uint8(16)
    state.around[player, point + O2] |= np.uint8(32)
    state.around[player, point + O3] |= np.uint8(1)
    state.around[player, point + O4] |= np.uint8(2)
    state.around[player, point + O5] |= np.uint8(4)


@kernel(inline=True)
def fills_ring(state, point, player, around):
    """Whether an own stone next to a new one now has six own neighbours: a ring filled with own stones."""
    middles = MIDDLES[around]
    while middles != U0:
        if state.around[player, point + OFFSETS[trailing_zeros(middles)]] == 63:
            return True
        middles &= middles - U1
    return False


@kernel(inline=True)
def add_stone(state, point, player):
    """Join a new stone to the chains around it; return whether it wins."""
    around = u64(state.around[player, point])
    tell_neighbours(state, point, player)
    if around == U0:
        return False
    ring = False
    groups = GROUP_COUNT[around]
    first, border = root_of(state, point + GROUP_OFFSET[around, U0])
    border |= u64(state.parent[point])
    state.parent[point] = first
    if groups > U1:
        second, touched = root_of(state, point + GROUP_OFFSET[around, U1])
        border |= touched
        ring = second == first
        state.parent[second] = first
        if groups > U2:
            state.parent[first] = border
            third, touched = root_of(state, point + GROUP_OFFSET[around, U2])
            border |= touched
            ring |= third == first
            state.parent[third] = first
    state.parent[first] = border
    if ring or WINS[border ^ ROOT] != 0:
        return True
    return fills_ring(state, point, player, around)


@kernel(inline=True)
def may_swap(state):
    """Whether the second player may take over the first stone now."""
    if state.swap_rule != 1 or state.to_play != 1 or state.empty_count + 1 != state.cells:
        return False
    return first_stone(state) != U0


@kernel
def first_stone(state):
    """Return the number of the only stone on the board, the first player's; 0 if there is none."""
    for p in range(POINTS):
        if state.colour[p] == 0:
            return u64(p)
    return U0


@kernel
def swap_sides(state):
    """Give the first stone to the second player; the first player is to move."""
    stone = first_stone(state)
    reset(state, state.edge, state.swap_rule)
    put_stone(state, stone, U1)


@kernel
def put_stone(state, point, player):
    """Put a stone of either player on an empty cell."""
    state.empty_count -= np.uint32(1)
    i, last = u64(state.where[point]), u64(state.empty[state.empty_count])
    state.empty[i], state.where[last & LOW_16] = last, i
    state.colour[point] = player
    if add_stone(state, point, player):
        state.winner = player


@interface.play.implement(STATE)
@kernel
def play(state, move):
    if u64(move) == u64(state.cells):
        swap_sides(state)
        return
    put_stone(state, u64(POINT_OF[table_row(state), u64(move)]), u64(state.to_play))
    state.to_play ^= np.uint32(1)


@interface.is_legal.implement(STATE)
@kernel
def is_legal(state, move):
    if is_over(state) or u64(move) > u64(state.cells):
        return False
    if u64(move) == u64(state.cells):
        return may_swap(state)
    return state.colour[u64(POINT_OF[table_row(state), u64(move)])] == NOBODY


@interface.legal_moves.implement(STATE)
@kernel
def legal_moves(state, moves):
    count = 0
    if is_over(state):
        return count
    for i in range(state.empty_count):
        moves[count] = u64(state.empty[i]) >> U16
        count += 1
    if may_swap(state):
        moves[count] = state.cells
        count += 1
    return count


@interface.is_over.implement(STATE)
@kernel
def is_over(state):
    return state.winner != NOBODY or state.empty_count == 0


@interface.score.implement(STATE)
@kernel
def score(state):
    if state.winner == NOBODY:
        return 0.0
    return 1.0 if state.winner == 0 else -1.0


@interface.outcome.implement(STATE)
@kernel
def outcome(state):
    return (score(state) + 1.0) / 2.0


@interface.uniform_playout.implement(STATE)
@kernel
def uniform_playout(state, rng, trace, length):
    """Cells are taken by their index in the list of empty ones, so `where` and `colour` are not updated."""
    gamma = rng[1]
    position = rng[0] + gamma
    word = mix(position)
    if may_swap(state):
        swaps = scale(word, u64(state.empty_count) + U1) == U0
        position += gamma
        word = mix(position)
        if swaps:
            trace[length] = state.cells
            length += 1
            swap_sides(state)
    empty_count, player = u64(state.empty_count), u64(state.to_play)
    won = state.winner != NOBODY
    while empty_count != U0 and not won:
        i = scale(word, empty_count)
        position += gamma
        word = mix(position)
        empty_count -= U1
        cell = u64(state.empty[i])
        state.empty[i] = state.empty[empty_count]
        trace[length] = cell >> U16
        length += 1
        if add_stone(state, cell & LOW_16, player):
            state.winner = player
            won = True
        player ^= U1
    state.empty_count, state.to_play = empty_count, player
    rng[0] = position
    return length
