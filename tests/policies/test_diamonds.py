"""Urgencies of diamonds: keys, slots and classes by plain Python, and incremental urgencies in whole games."""

from functools import cache

import numpy as np
import pytest

from tengen import Go
from tengen.errors import TengenError
from tengen.learning.urgency_methods import make_method
from tengen.learning.urgency_settings import RelativeSettings
from tengen.policies.go.diamond_classes import CELLS, _keys, diamond_classes, exchanged_keys, slots_of
from tengen.policies.go.diamond_urgency import SLOT_BITS
from tengen.policies.go.urgency import DISPOSITIONS, URGENCIES, begin, pattern_at
from tengen.policies.go.urgency_table import UNIT, UrgencyTable, load_urgencies, manual_table
from tengen.rng import seeded
from tests.games.go import reference
from tests.policies.urgency_kernels import play_and_compare, play_step

pytestmark = pytest.mark.long

BLACK, WHITE, EMPTY, WALL = range(4)


@cache
def random_table() -> UrgencyTable:
    """A table in which classes have different urgencies, whole numbers in a kernel."""
    whole = np.random.default_rng(5).permutation(diamond_classes().count) + 1
    return UrgencyTable(whole / UNIT, 3.0, 2.0, patterns="diamond")


def start(size: int):
    game = Go(size, 0.5, "simple")
    states = np.zeros(2, game.tactical_record)
    game.reset(states[0])
    return game, states


def seen_from(board, size: int, place: tuple[int, int]) -> list[int]:
    """The colours of the twelve points around a place of a board, in the order of the key."""
    row, column = place
    seen = []
    for up, right in CELLS:
        on_board = 0 <= row + up < size and 0 <= column + right < size
        seen.append(board.get((row + up, column + right), EMPTY) if on_board else WALL)
    return seen


def key_of(colours: list[int]) -> int:
    return sum(colour << 2 * place for place, colour in enumerate(colours))


def random_board(size: int, seed: int):
    """Stones of a random game's middle, by (row, column), and its state."""
    game, states = start(size)
    policy, kept, rng = manual_table().as_diamonds().compiled(size), np.zeros(1, URGENCIES)[0], seeded(seed, size)
    begin(policy, kept, states[0])
    for _ in range(size * size // 2):
        play_step(policy, kept, states[0], rng)
    stones = reference.board_of(game, states[0])
    board = {
        (row, column): int(states[0].colour[game.point(row, column)]) for row in range(size) for column in range(size)
    }
    assert len(stones) > 0
    return game, states[0], board, policy


@pytest.mark.parametrize("size", [5, 9])
def test_the_number_of_a_diamond_is_the_slot_of_the_key_of_the_points_within_two_steps(size):
    game, state, board, policy = random_board(size, 1)
    empty = [place for place, colour in board.items() if colour == EMPTY]
    assert len(empty) > 5
    for place in empty:
        expected = slots_of(np.array([key_of(seen_from(board, size, place))]))[0]
        assert pattern_at(policy, state, np.uint64(game.point(*place))) == expected


@cache
def all_keys() -> np.ndarray:
    return np.concatenate([_keys(number) for number in range(DISPOSITIONS)])


def owns_its_slot(keys: np.ndarray) -> np.ndarray:
    """Whether no other key has the slot of each of these keys."""
    counts = np.bincount(slots_of(all_keys()), minlength=2**SLOT_BITS)
    return np.asarray(counts[slots_of(keys)] == 1)


TURNS = [
    lambda step, swap=swap, up=up, right=right: ((step[1], step[0]) if swap else step, up, right)
    for swap in (False, True)
    for up in (1, -1)
    for right in (1, -1)
]


def lowest_image(key: int) -> int:
    """The lowest of the eight keys that are rotations or reflections of a key."""
    images = []
    for turn in TURNS:
        image = 0
        for place, step in enumerate(CELLS):
            (first, second), up, right = turn(step)
            image |= (key >> 2 * place & 3) << 2 * CELLS.index((up * first, right * second))
        images.append(image)
    return min(images)


@pytest.mark.parametrize("side", [0, 1], ids=["Black", "White"])
def test_the_classes_of_slots_with_one_key_are_those_of_their_lowest_images(side):
    keys = np.random.default_rng(4).choice(all_keys(), 6000, replace=False)
    keys = keys[owns_its_slot(keys)]
    of_side = keys if side == 0 else exchanged_keys(keys)
    classes = diamond_classes().of_slot[side, slots_of(keys)]
    pairs = {(int(number), lowest_image(int(key))) for number, key in zip(classes, of_side, strict=True)}
    assert len(pairs) == len({number for number, _ in pairs}) == len({image for _, image in pairs})
    assert len(keys) > 1000


def test_the_keys_of_all_dispositions_are_counted():
    assert len(all_keys()) == 3**12 + 4 * 3**11 + 4 * 3**10 + 4 * 3**8 + 8 * 3**7 + 4 * 3**5


def test_exchanging_colours_twice_changes_nothing():
    keys = np.arange(0, 2**24, 997)
    assert (exchanged_keys(exchanged_keys(keys)) == keys).all()
    assert exchanged_keys(np.array([key_of([BLACK, WHITE, EMPTY, WALL])]))[0] & 0xFF == key_of(
        [WHITE, BLACK, EMPTY, WALL]
    )


@pytest.mark.parametrize(
    ("size", "games"), [(4, 20), (5, 60), (7, 40), (9, 200), pytest.param(19, 5, marks=pytest.mark.long)]
)
def test_after_every_move_of_a_game_the_kept_urgencies_of_diamonds_equal_those_computed_by_begin(size, games):
    _, states = start(size)
    scratch = np.zeros(2, URGENCIES)
    policy = random_table().compiled(size)
    field, moves, captures = play_and_compare(policy, scratch, states, seeded(2, size), games)
    assert field == 0, f"field {field} differs after {moves} moves"
    assert moves > games * size * size // 2
    assert captures > games // 2


def test_a_3x3_table_as_diamonds_has_the_urgency_of_the_middle_where_no_other_key_has_the_slot():
    squares, diamonds = manual_table(), manual_table().as_diamonds()
    compared = 0
    for seed in range(6):
        game, state, board, policy = random_board(9, 10 + seed)
        square_policy = squares.compiled(9)
        for place in [place for place, colour in board.items() if colour == EMPTY]:
            if owns_its_slot(np.array([key_of(seen_from(board, 9, place))]))[0]:
                point = np.uint64(game.point(*place))
                wide = policy.table[pattern_at(policy, state, point)]
                narrow = square_policy.table[pattern_at(square_policy, state, point)]
                assert wide == narrow
                compared += 1
    assert compared > 30
    assert len(diamonds.urgencies) == diamond_classes().count


def test_a_table_of_diamonds_is_saved_and_loaded(tmp_path):
    random_table().save(tmp_path / "table")
    found = load_urgencies(tmp_path / "table")
    assert found.patterns == "diamond"
    assert (found.urgencies == random_table().urgencies.astype(np.float32)).all()


def test_a_training_of_3x3_patterns_refuses_a_start_from_diamonds(tmp_path):
    random_table().save(tmp_path / "table")
    with pytest.raises(TengenError, match="has diamond patterns, not 3x3"):
        make_method(RelativeSettings(size=5, start=str(tmp_path / "table")))


def test_a_training_of_diamonds_starts_with_the_urgencies_of_a_3x3_table():
    method = make_method(RelativeSettings(size=5, patterns="diamond", start="manual"))
    wanted = manual_table().urgencies[diamond_classes().squares]
    assert np.allclose(method.table().urgencies, wanted)


def test_boards_smaller_than_4x4_are_refused():
    with pytest.raises(TengenError, match="diamond patterns need a board of at least 4x4, not 3x3"):
        random_table().compiled(3)
