"""Games between tables of urgencies: lessons against games in plain Python, and the entropy of moves."""

import math

import numpy as np
import pytest

from tengen import Go
from tengen.jit import new
from tengen.learning.urgency_methods import BlockLearning, urgencies_of
from tengen.learning.urgency_settings import BlockSettings, UrgencySettings
from tengen.learning.urgency_workers import PairResult, PairTask, UrgencyWorker, relative_entropy, start_states
from tengen.policies.go.urgency import URGENCIES, begin
from tengen.policies.go.urgency_table import UrgencyTable, zero_table
from tengen.rng import seeded
from tests.games.go import reference
from tests.games.go.reference import drawn, state_from
from tests.learning.slow_urgency_games import SlowGenerator, random_pair, slow_pair
from tests.learning.urgency_lesson_kernels import entropy_at, result_by_margin
from tests.policies.slow_urgency import probabilities
from tests.policies.test_urgency import CHAINS_IN_ATARI, ILLEGAL_POINTS_AND_EYES

pytestmark = pytest.mark.long

STREAM = 5 * 2**32 + 3


def played(
    first: UrgencyTable, second: UrgencyTable, games: int, settings: UrgencySettings, by_score: bool = False
) -> PairResult:
    """Return the worker's result of games between two tables."""
    found = UrgencyWorker()(PairTask(0, settings, first, second, games, STREAM, by_score))
    assert isinstance(found, PairResult)
    return found


def lesson_of(result: PairResult) -> np.ndarray:
    assert result.lesson is not None
    return result.lesson


# --- Lessons ---------------------------------------------------------------------------------------------------------


def compare_with_slow_games(size: int, komi: float, games: int, by_score: bool, same: bool = False) -> PairResult:
    """Compare games between two random tables, or of one against itself, with the same games in plain Python."""
    settings = UrgencySettings(size=size, komi=komi, seed=4)
    first, slow_first = random_pair(1)
    second, slow_second = (first, slow_first) if same else random_pair(2, capture=4000, escape=500)
    found = played(first, second, games, settings, by_score)
    generator = SlowGenerator(seeded(4, STREAM))
    expected = slow_pair(Go(size, komi), (slow_first, slow_second), generator, games, by_score)
    assert (lesson_of(found) == expected.lesson).all()
    assert (found.won, found.margin, found.squares) == (expected.won, expected.margins, expected.squares)
    assert (found.moves, found.games) == (expected.moves, games)
    assert lesson_of(found)[0].sum() == found.moves - expected.passes
    return found


@pytest.mark.parametrize(("komi", "by_score"), [(0.5, False), (0.5, True), (3, False), (3, True)])
def test_the_lesson_of_games_equals_that_of_the_same_games_in_plain_python(komi, by_score):
    found = compare_with_slow_games(5, komi, 6, by_score)
    assert 0 < found.won < 6


@pytest.mark.plain
@pytest.mark.parametrize("by_score", [False, True])
def test_the_lesson_of_a_few_small_games_equals_that_of_the_same_games_in_plain_python(by_score):
    compare_with_slow_games(3, 0.5, 2, by_score)


def test_a_table_that_plays_against_itself_learns_from_both_sides():
    found = compare_with_slow_games(7, 0.5, 2, by_score=False, same=True)
    assert (lesson_of(found)[0].sum(axis=1) > 20).all()


@pytest.mark.plain
@pytest.mark.parametrize("by_score", [False, True])
def test_the_first_table_has_black_in_the_even_games_and_scores_are_limited(by_score):
    """With a komi of 100, White wins all games, by more than the area: the results are -1 for Black and +1."""
    settings = UrgencySettings(size=3, komi=100.0)
    first, second = random_pair(1)[0], random_pair(2)[0]
    alone = played(first, second, 1, settings, by_score)
    counts, sums = lesson_of(alone)
    assert alone.won == 0
    assert (sums[0] == -counts[0]).all()
    assert (sums[1] == counts[1]).all()
    assert counts.sum(axis=1).min() > 0
    both = lesson_of(played(first, second, 2, settings, by_score)) - lesson_of(alone)
    assert (both[1, 0] == both[0, 0]).all()
    assert (both[1, 1] == -both[0, 1]).all()
    assert played(first, second, 3, settings).won == 1
    assert alone.margin < -90


@pytest.mark.plain
@pytest.mark.parametrize(
    ("margin", "outcome", "share"),
    [(9.0, 1.0, 1.0), (4.5, 1.0, 0.5), (0.0, 0.0, 0.0), (-0.9, -1.0, -0.1), (-9.0, -1.0, -1.0), (-109.0, -1.0, -1.0)],
)
def test_the_result_of_a_game_is_its_outcome_or_its_margin_by_the_area(margin, outcome, share):
    state = start_states(UrgencySettings(size=3), 1)[0]
    assert result_by_margin(margin, state, False) == outcome
    assert result_by_margin(margin, state, True) == pytest.approx(share)


def test_no_games_teach_nothing_and_a_test_returns_no_lesson():
    settings, table = UrgencySettings(size=5), zero_table()
    found = played(table, table, 0, settings)
    assert (found.moves, found.won) == (0, 0)
    assert not lesson_of(found).any()
    task = PairTask(0, settings, table, table, 1, STREAM, learns=False)
    result = UrgencyWorker()(task)
    assert isinstance(result, PairResult)
    assert result.lesson is None


# --- Entropy ---------------------------------------------------------------------------------------------------------

TWO_POINTS = """
    . X O
    X X O
    O O .
"""
"""Black's moves: the lower right corner captures nothing and is suicide; the upper left one is an own eye."""


@pytest.mark.plain
@pytest.mark.parametrize("to_play", [0, 1])
@pytest.mark.parametrize("diagram", [TWO_POINTS, CHAINS_IN_ATARI, ILLEGAL_POINTS_AND_EYES])
def test_the_entropy_of_a_position_is_that_of_the_probabilities_in_plain_python(diagram, to_play):
    table, slow = random_pair(3)
    game, state = state_from(drawn(diagram), "tactical", to_play)
    urgencies = new(URGENCIES)
    begin(table.compiled(game.size), urgencies, state)
    expected = probabilities(reference.board_of(game, state), slow, to_play, None).values()
    entropy, candidates = entropy_at(urgencies, state)
    assert candidates == len(expected)
    assert entropy == pytest.approx(-sum(p * math.log(p) for p in expected), abs=1e-12)


@pytest.mark.plain
def test_the_entropy_of_three_moves_by_hand():
    """White may play on the top row: 3 equal moves have log 3, and urgencies 3, 1 and 1 have log 5 - 3/5 log 3."""
    game, state = state_from(drawn(". . .\nX X X\n. X ."), "tactical", 1)
    urgencies = new(URGENCIES)
    begin(zero_table().compiled(3), urgencies, state)
    assert entropy_at(urgencies, state) == (pytest.approx(math.log(3)), 3), "A1 and C1 are suicide"
    urgencies.points[game.parse_move("A3")] *= np.uint64(3)
    assert entropy_at(urgencies, state) == (pytest.approx(math.log(5) - 3 / 5 * math.log(3)), 3)


@pytest.mark.plain
def test_uniform_moves_have_a_relative_entropy_of_1():
    assert relative_entropy(zero_table(), UrgencySettings(size=3), 1, 7) == pytest.approx(1.0, abs=1e-12)


def test_uniform_moves_of_longer_games_have_a_relative_entropy_of_1():
    assert relative_entropy(zero_table(), UrgencySettings(size=7), 20, 7) == pytest.approx(1.0, abs=1e-12)


def test_the_entropy_falls_with_the_exponent_of_learnt_values():
    settings = BlockSettings(size=5, komi=0.5, games=400, capture=0.0, escape=0.0)
    worker = UrgencyWorker()
    method = BlockLearning(settings)
    method.advance(0, lambda tasks: list(map(worker, tasks)))
    values = method.arrays["values"]
    assert np.abs(values).max() > 0.3
    found = [
        relative_entropy(UrgencyTable(urgencies_of(values, exponent)), settings, 40, 7) for exponent in (0, 1, 2, 4)
    ]
    assert found[0] == pytest.approx(1.0, abs=1e-12)
    assert found == sorted(found, reverse=True)
    assert found[3] < found[1] < 0.999
