"""Games between two tables of urgencies in plain Python, with the random numbers of the kernels, as a reference."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from tengen import Go
from tengen.policies.go.pattern_classes import pattern_classes
from tengen.policies.go.urgency_table import UNIT, UrgencyTable
from tengen.rng import mix_integer
from tests.games.go import reference
from tests.games.go.reference import BLACK, Board, Point
from tests.policies.slow_urgency import Neighbourhood, SlowTable, canonical, neighbourhood, urgencies
from tests.policies.test_pattern_classes import numbered


def class_of(seen: Neighbourhood) -> int:
    """Return the class of a neighbourhood."""
    return int(pattern_classes().of_pattern[numbered(seen)])


def class_at(board: Board, point: Point, colour: int) -> int:
    """Return the class of the pattern at a point for the side to move."""
    return class_of(canonical(neighbourhood(board, point, colour)))


@dataclass(frozen=True)
class WholeUrgencies(Mapping[Neighbourhood, int]):
    """The urgencies of a table in whole numbers, by canonical neighbourhood."""

    whole: np.ndarray

    def __getitem__(self, seen: Neighbourhood) -> int:
        return int(self.whole[class_of(seen)])

    def __iter__(self) -> Iterator[Neighbourhood]:
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.whole)


def random_pair(seed: int, capture: int = 2977, escape: int = 1331) -> tuple[UrgencyTable, SlowTable]:
    """Return a table of random urgencies, whole numbers in a kernel, and the same for the reference."""
    whole = np.random.default_rng(seed).permutation(pattern_classes().count) + 1
    table = UrgencyTable(whole / UNIT, capture / UNIT, escape / UNIT)
    return table, SlowTable(WholeUrgencies(whole), capture, escape)


class SlowGenerator:
    """The generator of a kernel on Python integers."""

    def __init__(self, words: np.ndarray):
        self.position, self.gamma = (int(word) for word in words)


def drawn_point(board: Board, table: SlowTable, colour: int, ko: Point | None, rng: SlowGenerator) -> Point | None:
    """Draw a move as `urgent_move` does; None for a pass."""
    left = urgencies(board, table, colour).points
    allowed = reference.sensible_moves(board, colour, ko)
    position, chosen = rng.position + rng.gamma, None
    while chosen is None and any(left.values()):
        rest = (mix_integer(position) >> 32) * sum(left.values()) >> 32
        position += rng.gamma
        for point in sorted(left):
            if rest < left[point]:
                break
            rest -= left[point]
        if point in allowed:
            chosen = point
        left[point] = 0
    rng.position = position
    return chosen


@dataclass
class SlowPairResult:
    """What `play_pair` returns and writes."""

    lesson: np.ndarray
    won: float = 0.0
    margins: float = 0.0
    squares: float = 0.0
    moves: int = 0
    passes: int = 0


def slow_game(game: Go, tables: tuple[SlowTable, SlowTable], rng: SlowGenerator) -> tuple[list[int], float]:
    """Play a game between Black's and White's table; return the classes of its moves, -1 for a pass, and its score."""
    board, ko, played = dict.fromkeys(map(game.row_and_column, game.points()), reference.EMPTY), None, list[int]()
    while played[-2:] != [-1, -1] and len(played) < 3 * game.size**2:
        colour = BLACK if len(played) % 2 == 0 else reference.WHITE
        point = drawn_point(board, tables[colour], colour, ko, rng)
        if point is None:
            played.append(-1)
            ko = None
        else:
            played.append(class_at(board, point, colour))
            ko = reference.ko_point(board, point, colour)
            board = reference.after(board, point, colour)[0]
    return played, reference.area(board) - game.komi


def slow_pair(
    game: Go, tables: tuple[SlowTable, SlowTable], rng: SlowGenerator, games: int, by_score: bool
) -> SlowPairResult:
    """Play games with alternating colours, the first table with Black in the first game."""
    found = SlowPairResult(np.zeros((2, 2, pattern_classes().count)))
    for number in range(games):
        has_black = number % 2 == 0
        classes, score = slow_game(game, tables if has_black else tables[::-1], rng)
        margin = score if has_black else -score
        result = max(-1.0, min(1.0, margin / game.size**2)) if by_score else float(np.sign(margin))
        for turn, kind in enumerate(classes):
            is_first = (turn % 2 == 0) == has_black
            if kind >= 0:
                found.lesson[0, 0 if is_first else 1, kind] += 1
                found.lesson[1, 0 if is_first else 1, kind] += result if is_first else -result
        found.won += (np.sign(margin) + 1) / 2
        found.margins += margin
        found.squares += margin**2
        found.moves += len(classes)
        found.passes += classes.count(-1)
    return found
