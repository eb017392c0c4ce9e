"""The compact record of Havannah: every answer against the ordinary record."""

import random
from collections import Counter

import numpy as np
import pytest

from tengen.games import interface
from tengen.games.havannah import havannah_bitboard
from tengen.games.havannah.game import Havannah
from tengen.games.position import Position
from tengen.jit import kernel, nth_bit
from tests.games.havannah.test_havannah import (
    CASES,
    CELLS,
    NOBODY,
    STYLES,
    Cell,
    cells_of,
    corners_of,
    edges_of,
    flood,
    fresh_states,
    images,
    move_of,
    moves_in,
    neighbours,
    put,
    stones_of,
    ways_to_win,
)

BASES = havannah_bitboard.BASES
MASKS = dict(zip(BASES, (havannah_bitboard.MASKS_3, havannah_bitboard.MASKS_4), strict=True))


def bits_of(base: int, cells) -> int:
    """Return the set of some cells, as an integer."""
    return sum(int(nth_bit(MASKS[base].board, np.uint64(move_of(base)[cell]))) for cell in cells)


def compact(position: Position):
    return position.state_as(havannah_bitboard.BITBOARD)


def check_equal(state, board, base: int) -> list[int]:
    """Compare a compact state with one of the ordinary record; return the legal moves."""
    game = Havannah(base, bool(board.swap_rule))
    for field in ("edge", "swap_rule", "to_play", "winner"):
        assert state[field] == board[field], field
    colours = game.colours(board)
    for player in (0, 1):
        stones = [cell for cell, colour in zip(cells_of(base), colours, strict=True) if colour == player]
        assert int(state.stones[player]) == bits_of(base, stones)
    legal = moves_in(board)
    assert moves_in(state) == legal
    for move in (*range(game.move_slots + 1), 64, 200):
        assert interface.is_legal(state, move) == interface.is_legal(board, move) == (move in legal), move
    assert interface.is_over(state) == interface.is_over(board)
    assert interface.score(state) == interface.score(board)
    assert interface.outcome(state) == interface.outcome(board)
    return legal


# --- The board -------------------------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize("base", BASES)
def test_every_cell_has_a_bit_of_its_own_and_its_number(base):
    board = MASKS[base].board
    bits = [bits_of(base, [cell]) for cell in cells_of(base)]
    assert sum(bits) == int(board)
    assert [int(havannah_bitboard.number_of(np.uint64(bit), board)) for bit in bits] == list(range(CELLS[base]))


@pytest.mark.plain
@pytest.mark.parametrize("base", BASES)
def test_the_bits_beside_a_cell_are_its_neighbours_on_the_board_and_no_others(base):
    for cell in cells_of(base):
        bit = np.uint64(bits_of(base, [cell]))
        found = (havannah_bitboard.before(bit) | havannah_bitboard.after(bit)) & MASKS[base].board
        assert int(found) == bits_of(base, set(neighbours(cell)) & set(cells_of(base)))


@pytest.mark.plain
@pytest.mark.parametrize("base", BASES)
def test_the_border_has_the_corners_and_the_edges(base):
    masks, edges = MASKS[base], edges_of(base)
    assert int(masks.corners) == bits_of(base, corners_of(base))
    assert int(masks.border) == bits_of(base, {*corners_of(base), *set.union(*edges)})
    every = [cell for edge in edges for cell in edge]
    for first in every:
        for second in every:
            for third in every:
                chain = np.uint64(bits_of(base, {first, second, third}))
                touched = sum(not edge.isdisjoint({first, second, third}) for edge in edges)
                assert havannah_bitboard.is_connection(chain, masks) == (touched == 3)


@pytest.mark.plain
def test_groups_are_counted_around_a_cell():
    around = neighbours((3, 3))
    for mask in range(63):
        cells = {around[k] for k in range(6) if mask >> k & 1}
        groups = {frozenset(flood({cell}, cells)) for cell in cells}
        assert havannah_bitboard.group_count(np.uint64(bits_of(4, cells))) == len(groups)


@pytest.mark.plain
def test_only_bases_3_and_4_have_a_compact_record():
    for base in CELLS:
        assert Havannah(base).compact_record == (havannah_bitboard.BITBOARD if base in BASES else None)


@pytest.mark.plain
def test_the_compact_record_is_small_and_aligned():
    made = havannah_bitboard.BITBOARD
    assert made.itemsize == 32
    assert made.isalignedstruct


@pytest.mark.plain
def test_a_state_is_converted_to_the_compact_record_only_where_that_is_asked_for():
    for base in (4, 5):
        position = Havannah(base).start().play("b2")
        assert position.state_as(position.game.state_record).dtype == position.state.dtype
    assert compact(Havannah(4).start()).dtype == havannah_bitboard.BITBOARD


# --- Rules -----------------------------------------------------------------------------------------------------------


def walk(base: int, swap: bool, number: int) -> Counter:
    """Play a random game on both records, compare them at each move, and return how it ended and the swaps."""
    game, chance = Havannah(base, swap), random.Random(f"{base} {swap} {number}")
    position = game.start()
    board, state = position.state, compact(position)
    stones: tuple[set[Cell], set[Cell]] = (set(), set())
    counts: Counter = Counter()
    cell, player = (0, 0), 0
    while legal := check_equal(state, board, base):
        empty = [cells_of(base)[move] for move in legal if move < game.cells]
        player = int(board.to_play)
        if len(empty) < len(legal) and chance.random() < 0.4:
            counts["swap"] += 1
            stones = stones[1], stones[0]
            move = game.cells
        else:
            cell = STYLES[(number // (1 + 3 * player)) % 4](chance, empty, stones[player])
            stones[player].add(cell)
            move = move_of(base)[cell]
        interface.play(board, move)
        interface.play(state, move)
    ways = ways_to_win(stones[player], cell, base)
    assert state.winner == (player if ways else NOBODY)
    counts.update(ways or {"draw"})
    return counts


@pytest.mark.plain
@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("base", BASES)
def test_a_few_games_give_the_same_answers_as_on_the_ordinary_record(base, swap):
    for number in range(3):
        assert walk(base, swap, number)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize(("base", "rings"), [(3, 0), (4, 3)])
def test_random_games_give_the_same_answers_as_on_the_ordinary_record(base, rings, swap):
    counts = sum((walk(base, swap, number) for number in range(400)), Counter())
    assert min(counts["bridge"], counts["fork"]) >= 20
    assert min(counts["ring"], counts["filled ring"]) >= rings
    assert (counts["swap"] > 100) == swap


@pytest.mark.plain
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case[0] in BASES])
def test_a_case_is_won_as_described(name):
    base, ways, diagram = CASES[name]
    position = Havannah(base).from_diagram(diagram.replace("*", "."))
    state = compact(position)
    check_equal(state, position.state, base)
    [star] = stones_of(base, diagram)["*"]
    interface.play(state, move_of(base)[star])
    position.play(move_of(base)[star])
    check_equal(state, position.state, base)
    assert state.winner == (0 if ways else NOBODY)
    check_equal(compact(position), position.state, base)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case[0] in BASES])
def test_a_win_is_invariant_under_symmetries_and_colours(name):
    base, ways, diagram = CASES[name]
    stones, start = stones_of(base, diagram), compact(Havannah(base).start())
    for image in images(base):
        for colour in (0, 1):
            state = start.copy()
            put(state, base, [image[cell] for cell in stones["X"]], colour)
            put(state, base, [image[cell] for cell in stones["O"]], 1 - colour)
            assert not interface.is_over(state)
            put(state, base, [image[cell] for cell in stones["*"]], colour)
            assert state.winner == (colour if ways else NOBODY)
            assert interface.outcome(state) == ((1 - colour) if ways else 0.5)
            assert interface.score(state) == ((1 - 2 * colour) if ways else 0)


@kernel
def find_wins(states, won):
    """Set won[s] where a player who has the stones s, a set of move numbers as bits, has won, by the ordinary record.

    The player places them in turn on states[1], a copy of states[0], which is the start.
    """
    for stones in range(won.size):
        states[1] = states[0]
        for move in range(states[0].cells):
            if stones >> move & 1 and not interface.is_over(states[1]):
                states[1].to_play = 0
                interface.play(states[1], move)
        won[stones] = states[1].winner == 0


@kernel
def count_differences(won, sets, masks, cells):
    """Return for how many sets without a win, and next stones, `wins` differs from `won`; and their number."""
    differences = pairs = 0
    for stones in range(won.size):
        for move in range(cells):
            if not won[stones] and stones >> move & 1 == 0:
                more = stones | 1 << move
                found = havannah_bitboard.wins(sets[more] ^ sets[stones], sets[stones], masks)
                differences += found != won[more]
                pairs += 1
    return differences, pairs


def test_every_stone_beside_every_set_of_stones_on_base_3_wins_as_on_the_ordinary_record():
    states, masks = fresh_states(Havannah(3)), MASKS[3]
    won, sets = np.zeros(2**19, bool), np.zeros(2**19, np.uint64)
    for move in range(19):
        sets[1 << move : 2 << move] = sets[: 1 << move] | nth_bit(masks.board, np.uint64(move))
    find_wins(states, won)
    differences, pairs = count_differences(won, sets, masks, 19)
    assert differences == 0
    assert pairs > 1_000_000


# --- The swap --------------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_a_swap_takes_over_the_first_stone_and_the_first_player_moves_again():
    game = Havannah(4, swap=True)
    position = game.start().play("b3")
    state, swap = compact(position), game.cells
    assert interface.is_legal(state, swap)
    interface.play(state, swap)
    check_equal(state, position.play("swap").state, 4)
    assert state.stones.tolist() == [0, bits_of(4, [(2, 1)])]
    assert not interface.is_legal(state, swap)
    interface.play(state, position.move("d4"))
    check_equal(state, position.play("d4").state, 4)


@pytest.mark.plain
def test_only_black_s_lone_stone_may_be_taken_over_and_only_by_white():
    game = Havannah(3, swap=True)
    first = game.start().play("c3").diagram()
    for diagram, to_play, is_allowed in (
        (first, "white", True),
        (first, "black", False),
        (first.replace("X", "O"), "white", False),
        (first.replace("X", "O"), "black", False),
        (game.start().diagram(), "white", False),
    ):
        position = game.from_diagram(diagram, to_play)
        check_equal(compact(position), position.state, 3)
        assert interface.is_legal(compact(position), game.cells) == is_allowed
