"""The 3x3 patterns and their classes, against neighbourhoods as letters and an enumeration without pattern numbers."""

import numpy as np
import pytest

from tengen import Go
from tengen.games.go import go_board
from tengen.games.go.eyes import is_own_eye
from tengen.games.go.go_record import AROUND
from tengen.policies.go.pattern_classes import (
    bases,
    disposition,
    exchanged_patterns,
    own_eyes,
    pattern_classes,
    picture,
    place_name,
)
from tengen.policies.go.urgency import CODES, DISPOSITIONS, PATTERNS, URGENCY, base_3, pattern_at
from tengen.policies.go.urgency_table import zero_table
from tests.games.go import reference
from tests.policies.slow_urgency import (
    STEPS,
    Neighbourhood,
    all_neighbourhoods,
    canonical,
    exchanged,
    neighbourhood,
    views,
)

u64 = np.uint64
CLASSES, POSSIBLE = 8154, 62_073


def numbered(seen: Neighbourhood) -> int:
    """Return the number of a pattern, by its definition in the documentation of pattern_classes."""
    (row, column), letters = seen
    at = dict(zip(STEPS, letters, strict=True))
    code: int = sum("XO.".index(at[step].replace("#", "X")) * 3**digit for digit, step in enumerate(AROUND))
    return (5 * (row + 2) + column + 2) * 3**8 + code


@pytest.fixture(scope="module")
def neighbourhoods() -> list[Neighbourhood]:
    return list(all_neighbourhoods())


def test_the_patterns_are_those_of_the_enumeration_of_neighbourhoods(neighbourhoods):
    assert (CODES, DISPOSITIONS, PATTERNS) == (3**8, 25, 164_025)
    assert len(neighbourhoods) == len(set(neighbourhoods)) == POSSIBLE == 9 * 3**8 + 12 * 3**5 + 4 * 3**3
    assert set(np.flatnonzero(pattern_classes().of_pattern >= 0)) == {numbered(seen) for seen in neighbourhoods}


def test_two_patterns_share_a_class_if_and_only_if_a_symmetry_maps_one_to_the_other(neighbourhoods):
    classes = pattern_classes().of_pattern
    by_class: dict[int, set[Neighbourhood]] = {}
    for seen in neighbourhoods:
        by_class.setdefault(int(classes[numbered(seen)]), set()).add(canonical(seen))
    assert sorted(by_class) == list(range(CLASSES))
    assert all(len(kinds) == 1 for kinds in by_class.values())
    assert len(set.union(*by_class.values())) == CLASSES


def test_the_number_of_classes_is_the_mean_number_of_fixed_patterns_by_burnsides_lemma(neighbourhoods):
    fixed = sum(view == seen for seen in neighbourhoods for view in views(seen))
    assert fixed == 8 * CLASSES == 8 * pattern_classes().count


def test_the_sizes_of_classes_are_divisors_of_eight_and_add_up_to_all_patterns():
    sizes = pattern_classes().sizes()
    assert set(sizes) <= {1, 2, 4, 8}
    assert sizes.sum() == POSSIBLE


def test_the_example_of_a_class_is_its_lowest_pattern():
    classes = pattern_classes()
    lowest = [np.flatnonzero(classes.of_pattern == number)[0] for number in range(0, CLASSES, 200)]
    assert classes.examples[::200].tolist() == lowest
    assert (classes.of_pattern[classes.examples] == np.arange(CLASSES)).all()


def test_exchanged_patterns_have_the_colours_exchanged_and_exchanging_twice_changes_nothing(neighbourhoods):
    found = exchanged_patterns()
    numbers = np.array([numbered(seen) for seen in neighbourhoods])
    assert (found[numbers] == [numbered(exchanged(seen)) for seen in neighbourhoods]).all()
    assert (found[found[numbers]] == numbers).all()


def board_with(seen: Neighbourhood) -> tuple[reference.Board, reference.Point]:
    """Return a board of five lines with a neighbourhood, on which X is Black, and the point in its middle."""
    (row, column), letters = seen
    board = {(line, across): reference.EMPTY for line in range(5) for across in range(5)}
    middle = row + 2, column + 2
    for (up, right), letter in zip(STEPS, letters, strict=True):
        if letter != "#":
            board[middle[0] + up, middle[1] + right] = "XO.".index(letter)
    return board, middle


def filled(size: int, board: reference.Board):
    """Return a state with these stones; chains may have no liberties."""
    game = Go(size, ko="simple")
    state = np.zeros(1, game.tactical_record)[0]
    game.reset(state)
    colours = np.full(state.colour.size, 3, np.uint8)
    for point, colour in board.items():
        colours[game.point(*point)] = colour
    go_board.set_up(state, colours)
    return game, state


def test_own_eyes_and_pattern_numbers_equal_the_boards_for_all_patterns_and_both_colours(neighbourhoods):
    """A board of five lines has all 25 dispositions. `is_own_eye` is the rule of playouts."""
    policy, eyes, other_side = zero_table().compiled(5), own_eyes(), exchanged_patterns()
    found = [0, 0]
    for seen in neighbourhoods:
        board, middle = board_with(seen)
        game, state = filled(5, board)
        point = u64(game.point(*middle))
        pattern = int(pattern_at(policy, state, point))
        assert pattern == numbered(seen)
        for colour, number in enumerate((pattern, other_side[pattern])):
            assert eyes[number] == is_own_eye(state, point, u64(colour)) == reference.is_eye(board, middle, colour)
            found[colour] += bool(eyes[number])
    assert found == [9 * (2**4 + 4 * 2**3) + 12 * 2**2 + 4 * 2] * 2  # inside, first line, corners


@pytest.mark.plain
@pytest.mark.parametrize("size", [2, 3, 4, 5, 9, 13, 19, 25])
def test_the_class_of_a_point_is_that_of_its_neighbourhood_on_random_boards(size):
    policy, classes = zero_table().compiled(size), pattern_classes().of_pattern
    chance = np.random.default_rng(size)
    for _ in range(3 if size < 10 else 1):
        board = {(row, column): int(chance.integers(3)) for row in range(size) for column in range(size)}
        game, state = filled(size, board)
        for place in board:
            pattern = int(pattern_at(policy, state, u64(game.point(*place))))
            seen = neighbourhood(board, place, reference.BLACK)
            assert pattern == numbered(seen)
            assert classes[pattern] == classes[numbered(canonical(seen))] >= 0


@pytest.mark.plain
def test_base_3_is_the_sum_of_digits_times_powers_of_three_for_all_surroundings():
    step = 1 if hasattr(base_3, "py_func") else 97  # uncompiled, a sample
    for surroundings in range(0, 4**8, step):
        expected = sum((surroundings >> 2 * place & 3) * 3**place for place in range(8))
        assert base_3(u64(surroundings)) == expected


def test_bases_are_zero_off_the_board_and_fit_the_record():
    for size in (1, 2, 9, 25):
        found, points = bases(size), set(Go(size).points())
        assert found.shape == URGENCY["bases"].shape
        assert not any(found[number] for number in range(len(found)) if number not in points)
        assert all(0 <= disposition(row, column, size) < DISPOSITIONS for row, column in np.ndindex(size, size))


@pytest.mark.parametrize(
    ("place", "letters", "drawing", "name"),
    [
        ((0, 0), "XO..X.OX", "X O .\n. * X\n. O X", "inside"),
        ((0, -1), "X..O....", "X . .\nO * .\n. . .", "second line"),
        ((-2, 0), "XO...###", "X O .\n. * .\n- - -", "first line"),
        ((2, 2), "###.#X.#", "- - -\n. * -\nX . -", "1-1 point"),
        ((-1, 2), ".O#X#..#", ". O -\nX * -\n. . -", "1-2 point"),
        ((1, 1), "OOO....X", "O O O\n. * .\n. . X", "2-2 point"),
    ],
)
def test_pictures_and_names_of_places_by_hand(place, letters, drawing, name):
    pattern = numbered((place, letters))
    assert picture(pattern) == drawing
    assert place_name(pattern) == name
