"""The 3x3 patterns of the pseudo-random player: an empty point, the eight points around it, and its place on the board.

Each of the eight points is an own stone (digit 0), an enemy stone (1) or empty (2), seen from the side to move; off the
board it has digit 0. The digits in the order of AROUND, lowest first, form a code to base 3. A disposition to the edge
is 5 * row + column, where each coordinate is 0 on the first line of the low edge, 1 on its second line, 2 further away,
3 and 4 on the second and first line of the high edge. A pattern has the number disposition * 3^8 + code.

Patterns that are rotations or reflections of each other form a class, and share one urgency.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from tengen.games.go.go_record import AROUND, LARGEST_SIZE, point_count
from tengen.games.go.patterns import MEANING, symmetries
from tengen.policies.go.urgency import CODES, DISPOSITIONS, PATTERNS

OWN, ENEMY, EMPTY = 0, 1, 2
PLACES = 5
"""Places along one axis: first and second line of the low edge, inner, second and first line of the high edge."""
LETTERS = "XO."
"""Own stone, enemy stone, empty point."""
WALL_LETTER, MOVE_LETTER = "-", "*"


def place_on_axis(coordinate: int, size: int) -> int:
    """Return the place of a row or column: 0 or 1 near the low edge, 3 or 4 near the high edge, else 2."""
    if coordinate in (0, size - 1):
        return 0 if coordinate == 0 else 4
    if coordinate in (1, size - 2):
        return 1 if coordinate == 1 else 3
    return 2


def disposition(row: int, column: int, size: int) -> int:
    """Return the disposition of a point to the edges of the board."""
    return PLACES * place_on_axis(row, size) + place_on_axis(column, size)


def is_off_board(number: int, step: tuple[int, int]) -> bool:
    """Whether the point one step (up, right) from a point of a disposition is off the board."""
    return any(
        (place == 0 and way < 0) or (place == PLACES - 1 and way > 0)
        for place, way in zip(divmod(number, PLACES), step, strict=True)
    )


def _digits() -> np.ndarray:
    """Return the eight digits of every code, by [code, place in AROUND]."""
    return np.arange(CODES)[:, None] // 3 ** np.arange(8) % 3


def _walls(number: int) -> np.ndarray:
    """Return which of the eight points around a point of a disposition are off the board."""
    return np.array([is_off_board(number, step) for step in AROUND])


Symmetry = tuple[bool, bool, bool]
"""A symmetry of the square: exchange rows and columns, then mirror the rows, then mirror the columns."""
SYMMETRIES: list[Symmetry] = [(bool(n & 4), bool(n & 2), bool(n & 1)) for n in range(8)]


def moved_step(step: tuple[int, int], symmetry: Symmetry) -> tuple[int, int]:
    """Return the image of a step (up, right) under a symmetry."""
    transposed, up, right = symmetry
    first, second = step[::-1] if transposed else step
    return (-first if up else first), (-second if right else second)


def _moved_patterns(symmetry: Symmetry) -> np.ndarray:
    """Return, by pattern, the number of its image under a symmetry."""
    targets = [AROUND.index(moved_step(step, symmetry)) for step in AROUND]
    codes = (_digits() * 3 ** np.array(targets)).sum(axis=1)
    images = np.zeros((DISPOSITIONS, CODES), np.int64)
    for number in range(DISPOSITIONS):
        row, column = (place - 2 for place in divmod(number, PLACES))
        up, right = moved_step((row, column), symmetry)
        images[number] = (PLACES * (up + 2) + right + 2) * CODES + codes
    return images.ravel()


@dataclass(frozen=True)
class PatternClasses:
    """All classes of patterns."""

    of_pattern: np.ndarray
    """int32 (PATTERNS,): the class of each pattern; -1 for numbers that stand for no pattern."""
    examples: np.ndarray
    """int64 (count,): a pattern of each class."""

    @property
    def count(self) -> int:
        return len(self.examples)

    def sizes(self) -> np.ndarray:
        """Return the number of patterns in each class."""
        return np.bincount(self.of_pattern[self.of_pattern >= 0], minlength=self.count)


@cache
def pattern_classes() -> PatternClasses:
    """Return the classes, numbered by their lowest pattern."""
    digits = _digits()
    valid = np.concatenate([(digits[:, _walls(number)] == 0).all(axis=1) for number in range(DISPOSITIONS)])
    lowest = np.min([_moved_patterns(symmetry) for symmetry in SYMMETRIES], axis=0)
    examples, numbers = np.unique(lowest[valid], return_inverse=True)
    of_pattern = np.full(PATTERNS, -1, np.int32)
    of_pattern[valid] = numbers
    return PatternClasses(of_pattern, examples)


@cache
def exchanged_patterns() -> np.ndarray:
    """Return, by pattern, the number of the pattern with the colours exchanged."""
    digits = _digits()
    exchanged = np.where(digits == EMPTY, EMPTY, 1 - digits)
    numbers = [(np.where(_walls(n), 0, exchanged) * 3 ** np.arange(8)).sum(axis=1) for n in range(DISPOSITIONS)]
    return np.concatenate([n * CODES + codes for n, codes in enumerate(numbers)])


@cache
def own_eyes() -> np.ndarray:
    """Return, by pattern, whether the point is an eye of the side to move, by the rule of games/go/eyes.py."""
    digits = _digits()
    beside = np.array([0 in step for step in AROUND])
    found = []
    for number in range(DISPOSITIONS):
        walls = _walls(number)
        is_surrounded = (digits[:, beside & ~walls] == OWN).all(axis=1)
        enemies = (digits[:, ~beside & ~walls] == ENEMY).sum(axis=1)
        found.append(is_surrounded & (enemies + walls.any() < 2))
    return np.concatenate(found)


def base_of(number: int) -> int:
    """Return what to add to the code of the surroundings of a disposition, whose walls have the digit 3."""
    walls = sum(3 * 3**place for place, step in enumerate(AROUND) if is_off_board(number, step))
    return int(number * CODES - walls)


def bases(size: int) -> np.ndarray:
    """Return, by point of a board, the number to add to the code of its surroundings to get the pattern for Black.

    Walls have the digit 3 in the surroundings. For points off the board it is 0. The array serves all board sizes.
    """
    found = np.zeros(point_count(LARGEST_SIZE), np.int32)
    for row in range(size):
        for column in range(size):
            found[(row + 1) * (size + 1) + column + 1] = base_of(disposition(row, column, size))
    return found


def matching_patterns(drawing: str) -> np.ndarray:
    """Return the patterns that match a drawing in one of its eight symmetries, as sorted numbers.

    A drawing has the letters of games/go/patterns.py, where X is the side to move.
    """
    found = [np.zeros(0, np.int64)]
    for letters in set(symmetries(drawing)):
        walls = [letter == WALL_LETTER for letter in letters]
        codes = np.zeros(1, np.int64)
        for place, letter in enumerate(letters):
            digits = [0] if letter == WALL_LETTER else MEANING[letter]
            codes = np.add.outer(codes, 3**place * np.array(digits)).ravel()
        found += [n * CODES + codes for n in range(DISPOSITIONS) if _walls(n).tolist() == walls]
    return np.unique(np.concatenate(found))


def picture(pattern: int) -> str:
    """Return a pattern as three lines of letters, the top row first."""
    number, code = divmod(pattern, CODES)
    letters = {(0, 0): MOVE_LETTER}
    for place, step in enumerate(AROUND):
        letters[step] = WALL_LETTER if is_off_board(number, step) else LETTERS[code // 3**place % 3]
    return "\n".join(" ".join(letters[up, right] for right in (-1, 0, 1)) for up in (1, 0, -1))


PLACE_NAMES = ("first line", "second line", "inside")


def place_name(pattern: int) -> str:
    """Return where on the board a pattern is: its line, or both lines near a corner."""
    row, column = (min(place, PLACES - 1 - place) for place in divmod(pattern // CODES, PLACES))
    low, high = sorted((row, column))
    if high == 2:
        return PLACE_NAMES[low]
    return f"{low + 1}-{high + 1} point"
