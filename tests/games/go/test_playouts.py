"""Uniform playouts of Go: candidate moves only, uniform to the last move, and reproducible."""

import numpy as np
import pytest
from scipy import stats

from tengen import Go
from tengen.games import interface
from tengen.rng import seeded
from tests.games.go import reference
from tests.games.go.reference import RECORDS, drawn, state_from

KINDS = pytest.mark.parametrize("kind", RECORDS)
CANARY = 65535


def playout(game: Go, state, rng, offset: int = 0) -> list[int]:
    """Play out a state; return the moves, and check that nothing else was written."""
    cap = 3 * game.size**2
    assert game.longest_playout == cap
    trace = np.full(offset + cap + 1, CANARY, np.uint16)
    length = interface.uniform_playout(state, rng, trace, offset)
    assert offset <= length <= offset + cap
    assert (trace[:offset] == CANARY).all()
    assert (trace[length:] == CANARY).all()
    return [int(move) for move in trace[offset:length]]


def check_playout(game: Go, start, rng, offset: int = 0) -> tuple[int, bool]:
    """Play out a copy of a state and replay the moves by the reference; return their number and whether it was cut."""
    state = start.copy()
    moves = playout(game, state, rng, offset)
    stones_on, colour = reference.board_of(game, start), int(start.to_play)
    ko = game.row_and_column(int(start.ko)) if start.ko else None
    passes = int(start.passes)
    for move in moves:
        assert passes < 2, "the game goes on after two passes"
        if move == 0:
            assert reference.sensible_moves(stones_on, colour, ko) == []
            ko, passes = None, passes + 1
        else:
            point = game.row_and_column(move)
            assert stones_on.get(point) == reference.EMPTY
            assert point != ko
            assert not reference.is_eye(stones_on, point, colour)
            ko, passes = reference.ko_point(stones_on, point, colour), 0
            stones_on, _, suicide = reference.after(stones_on, point, colour)
            assert not suicide
        colour = 1 - colour
    stopped = passes < 2
    assert len(moves) == game.longest_playout or not stopped
    assert reference.board_of(game, state) == stones_on
    margin = reference.area(stones_on) - game.komi
    assert interface.score(state) == margin
    assert interface.outcome(state) == (0.5 if margin == 0 else float(margin > 0))
    return len(moves), stopped


def fresh(size: int, kind: str, komi: float = 0.5):
    game = Go(size, komi, "simple")
    state = np.zeros(1, RECORDS[kind][size])[0]
    game.reset(state)
    return game, state


@pytest.mark.plain
@KINDS
@pytest.mark.parametrize("size", [1, 2, 4])
def test_one_playout_is_legal_fills_no_eye_and_ends_by_passes_or_at_its_cap(size, kind):
    game, state = fresh(size, kind)
    check_playout(game, state, seeded(size))


@KINDS
@pytest.mark.parametrize(
    ("size", "playouts", "different"),
    [(1, 3, 1), (2, 300, 2), (3, 200, 2), (5, 100, 2), (9, 30, 2), (13, 8, 2), (19, 4, 2), (25, 2, 2)],
)
def test_playouts_are_legal_fill_no_eye_and_end_by_passes_or_at_their_cap(size, playouts, different, kind):
    game, state = fresh(size, kind, komi=float(size % 2))
    rng = seeded(17, stream=size)
    lengths = [check_playout(game, state, rng, offset=number % 3)[0] for number in range(playouts)]
    assert len(set(lengths)) >= different, "one generator gives another playout each time"


@KINDS
def test_a_long_playout_is_stopped_at_its_cap(kind):
    """On four points some games capture endlessly; many are not over after twelve moves."""
    game, state = fresh(2, kind)
    rng = seeded(3)
    stopped = [check_playout(game, state, rng)[1] for _ in range(200)]
    assert 20 < sum(stopped) < 180


IN_THE_MIDDLE = """
    . X O . O . .
    X O . O O O O
    . X O . O . O
    X X X O O O O
    . X . X X O .
    X X X X . X O
    . X . X X X .
"""


@KINDS
@pytest.mark.parametrize("to_play", [0, 1])
def test_playouts_start_from_the_middle_of_a_game(kind, to_play):
    game, state = state_from(drawn(IN_THE_MIDDLE), kind, to_play)
    rng = seeded(5)
    for _ in range(20):
        check_playout(game, state, rng)


@KINDS
def test_playouts_start_after_a_ko_capture_and_after_a_pass(kind):
    game, state = state_from(drawn(IN_THE_MIDDLE), kind, to_play=0)
    rng = seeded(5)
    interface.play(state, game.parse_move("C6"))
    assert state.ko == game.parse_move("B6")
    for _ in range(20):
        check_playout(game, state, rng)
    interface.play(state, 0)
    for _ in range(20):
        check_playout(game, state, rng)


@pytest.mark.plain
@KINDS
def test_a_playout_counts_the_passes_before_it(kind):
    diagram = drawn("""
        . X .
        X X X
        . X .
    """)
    for passes, expected in [(0, [0, 0]), (1, [0]), (2, [])]:
        game, state = state_from(diagram, kind, to_play=0)
        assert reference.sensible_moves(reference.board_of(game, state), 0, None) == []
        assert reference.sensible_moves(reference.board_of(game, state), 1, None) == []
        state.passes = passes
        assert playout(game, state, seeded(1)) == expected
        assert interface.is_over(state)
        assert interface.score(state) == 9


@KINDS
def test_a_playout_never_commits_suicide_even_where_the_rules_allow_it(kind):
    game, state = state_from(drawn(IN_THE_MIDDLE), kind, suicide=True)
    rng = seeded(6)
    for _ in range(20):
        check_playout(game, state, rng)


# --- Uniformity ------------------------------------------------------------------------------------------------------

EYES_EVERYWHERE = """
    X . X . X . X . X
    . X . X . X . X .
    X . X . X . X . X
    . X . X . X . X .
    X X X X X X X X X
    . . O . . . . O .
    . O . O . . O . .
    . . O . . O O O .
    . . . . O . O . O
"""
SUICIDES_AND_EYES = """
    . O . O . O .
    O O O O O O O
    . O . O . . O
    O O O O O O O
    X X X X X X X
    . X . X . . .
    X X X X X X .
"""

POSITIONS = {
    "an empty board": (". . . . .\n" * 4 + ". . . . .", 0, ""),
    "eyes in half of the board": (drawn(EYES_EVERYWHERE), 0, ""),
    "suicides in half of the board": (drawn(EYES_EVERYWHERE), 1, ""),
    "eyes and a ko": (drawn(IN_THE_MIDDLE), 0, "C6"),
    "a few moves among suicides and eyes": (drawn(SUICIDES_AND_EYES), 0, ""),
}
DRAWS = 20_000
REJECTING = [name for name in POSITIONS if name != "an empty board"]


def position(name: str, kind: str):
    """Return a position, its candidate moves by the reference, and the number of other empty points."""
    diagram, to_play, moves = POSITIONS[name]
    game, state = state_from(diagram, kind, to_play)
    for text in moves.split():
        assert interface.is_legal(state, game.parse_move(text))
        interface.play(state, game.parse_move(text))
    assert bool(state.ko) == ("ko" in name)
    ko = game.row_and_column(int(state.ko)) if state.ko else None
    sensible = reference.sensible_moves(reference.board_of(game, state), int(state.to_play), ko)
    numbers = sorted(game.point(*point) for point in sensible)
    return game, state, numbers, int(state.empty_count) - len(numbers)


def evenness(counts) -> float:
    """Return the p-value of counts under the hypothesis that all moves are equally likely."""
    return float(stats.chisquare(list(counts)).pvalue)


@KINDS
@pytest.mark.parametrize("name", POSITIONS)
def test_the_first_move_of_a_playout_is_uniform_over_exactly_the_candidate_moves(name, kind):
    game, start, sensible, rejected = position(name, kind)
    assert len(sensible) >= 4
    assert rejected >= (0 if name == "an empty board" else 4)
    rng, trace = seeded(11, stream=len(sensible)), np.zeros(game.longest_playout, np.uint16)
    counts = dict.fromkeys(sensible, 0)
    states = np.zeros(2, start.dtype)
    states[0] = start
    for _ in range(DRAWS):
        states[1] = states[0]
        interface.uniform_playout(states[1], rng, trace, 0)
        counts[int(trace[0])] += 1
    assert sorted(counts) == sensible
    assert evenness(counts.values()) > 1e-4


@pytest.mark.parametrize("name", REJECTING)
def test_a_scan_from_a_random_start_would_fail_that_test(name):
    """The usual short cut, with the same list of empty points and as many draws."""
    _, start, sensible, _ = position(name, "light")
    listed = start.empty[: start.empty_count].tolist()
    rng = np.random.default_rng(12)
    counts = dict.fromkeys(sensible, 0)
    for i in rng.integers(len(listed), size=DRAWS).tolist():
        while listed[i] not in counts:
            i = (i + 1) % len(listed)
        counts[listed[i]] += 1
    assert evenness(counts.values()) < 1e-20


@KINDS
def test_the_second_move_of_a_playout_is_uniform(kind):
    """After the first move, the list of empty points is reordered and its last entry has changed."""
    game, start = fresh(3, kind)
    rng, trace = seeded(13), np.zeros(game.longest_playout, np.uint16)
    counts = {(first, second): 0 for first in game.points() for second in game.points() if first != second}
    states = np.zeros(2, start.dtype)
    states[0] = start
    for _ in range(DRAWS):
        states[1] = states[0]
        interface.uniform_playout(states[1], rng, trace, 0)
        counts[int(trace[0]), int(trace[1])] += 1
    assert len(counts) == 72
    assert evenness(counts.values()) > 1e-4


# --- Reproducibility -------------------------------------------------------------------------------------------------


@KINDS
@pytest.mark.parametrize("size", [5, 9, 19])
def test_the_same_seed_gives_the_same_playouts_and_another_seed_others(size, kind):
    game, start = fresh(size, kind)

    def three_playouts(seed: int, stream: int = 0) -> list[list[int]]:
        rng = seeded(seed, stream)
        return [playout(game, start.copy(), rng) for _ in range(3)]

    once = three_playouts(1)
    assert once == three_playouts(1)
    assert once[0] != once[1]
    assert once[0] != three_playouts(2)[0]
    assert once[0] != three_playouts(1, stream=1)[0]


@pytest.mark.parametrize("size", [2, 9, 13])
def test_both_kinds_of_record_play_the_same_playouts(size):
    game, light = fresh(size, "light")
    _, tactical = fresh(size, "tactical")
    assert playout(game, light, seeded(21)) == playout(game, tactical, seeded(21))
    assert interface.score(light) == interface.score(tactical)
