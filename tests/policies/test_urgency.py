"""The policy urgency: incremental urgencies, chances and whole playouts, against urgencies in plain Python."""

from collections import Counter
from functools import cache

import numpy as np
import pytest
from scipy import stats

from tengen import Go
from tengen.games import interface
from tengen.games.go.go_record import PASS, u64
from tengen.jit import new
from tengen.players import PolicyConfig, parse_player
from tengen.policies.go.pattern_classes import pattern_classes
from tengen.policies.go.urgency import URGENCIES, begin
from tengen.policies.go.urgency_table import UNIT, UrgencyTable, manual_table, zero_table
from tengen.policies.playout import play_out
from tengen.rng import seeded
from tests.games.go import reference
from tests.games.go.reference import drawn, state_from
from tests.policies.slow_urgency import SlowTable, all_neighbourhoods, canonical, probabilities, urgencies
from tests.policies.test_pattern_classes import numbered
from tests.policies.urgency_kernels import draw, first_difference, play_and_compare, play_step

CAPTURE, ESCAPE = 2977, 1331


@cache
def random_table() -> UrgencyTable:
    """A table in which all classes, captures and escapes have different urgencies, whole numbers in a kernel."""
    whole = np.random.default_rng(3).permutation(pattern_classes().count) + 1
    return UrgencyTable(whole / UNIT, CAPTURE / UNIT, ESCAPE / UNIT)


@cache
def slow_random_table() -> SlowTable:
    """The random table by neighbourhoods; a class is known by the number of one of its patterns."""
    of_pattern, whole = pattern_classes().of_pattern, np.rint(UNIT * random_table().urgencies).astype(int)
    kinds = {canonical(seen) for seen in all_neighbourhoods()}
    return SlowTable({kind: int(whole[of_pattern[numbered(kind)]]) for kind in kinds}, CAPTURE, ESCAPE)


def fresh(size: int, komi: float = 0.5):
    game = Go(size, komi, "simple")
    state = np.zeros(1, game.tactical_record)[0]
    game.reset(state)
    return game, state


# --- Incremental urgencies -------------------------------------------------------------------------------------------


def compare_kept_with_computed(size: int, games: int, seed: int = 1) -> tuple[int, int]:
    """Play games by the random table; return the numbers of moves and of captures."""
    _, state = fresh(size)
    states, scratch = np.zeros(2, state.dtype), np.zeros(2, URGENCIES)
    states[0] = state
    field, moves, captures = play_and_compare(random_table().compiled(size), scratch, states, seeded(seed, size), games)
    assert field == 0, f"field {field} differs after {moves} moves"
    return moves, captures


LONG = pytest.mark.long
"""For boards that need kernels of their own, whose compilation takes longer than the games."""


@pytest.mark.parametrize(
    ("size", "games"),
    [
        *[(2, 100), (3, 100), (4, 60), (5, 200), (7, 150), (9, 1250), (25, 5)],
        *[pytest.param(13, 100, marks=LONG), pytest.param(19, 35, marks=LONG)],
    ],
)
def test_after_every_move_of_2000_games_the_kept_urgencies_equal_those_computed_by_begin(size, games):
    moves, captures = compare_kept_with_computed(size, games)
    assert moves > games * size * size // 2
    assert captures > games // 2


@pytest.mark.plain
@pytest.mark.parametrize("size", [2, 3, 5])
def test_after_every_move_of_one_game_the_kept_urgencies_equal_those_computed_by_begin(size):
    compare_kept_with_computed(size, 1)


def assert_equals_oracle(game: Go, state, kept) -> None:
    """Compare patterns, points, rows and the total of both colours with urgencies in plain Python."""
    board = reference.board_of(game, state)
    for colour in (reference.BLACK, reference.WHITE):
        expected = urgencies(board, slow_random_table(), colour)
        half = np.uint64(32 * colour)
        patterns, points, rows = (kept[name] >> half & u64(0xFFFFFFFF) for name in ("patterns", "points", "rows"))
        for name, found, wanted in (("pattern", patterns, expected.patterns), ("point", points, expected.points)):
            numbers = {game.point(*place): urgency for place, urgency in wanted.items()}
            shown = {number: int(found[number]) for number in range(state.colour.size) if found[number]}
            assert shown == {number: urgency for number, urgency in numbers.items() if urgency}, name
        assert rows.tolist() == [0, *map(expected.row, range(game.size)), *[0] * (len(rows) - game.size - 1)]
        assert int(kept["total"]) >> 32 * colour & 0xFFFFFFFF == expected.total


def compare_game_with_oracle(size: int, seed: int) -> int:
    """Play a game by the random table and compare every position with the oracle; return the number of moves."""
    game, state = fresh(size)
    policy, kept, rng = random_table().compiled(size), new(URGENCIES), seeded(seed, size)
    begin(policy, kept, state)
    assert_equals_oracle(game, state, kept)
    moves = 0
    while moves < game.longest_playout and state.passes < 2:
        play_step(policy, kept, state, rng)
        assert_equals_oracle(game, state, kept)
        moves += 1
    return moves


@pytest.mark.parametrize(("size", "games"), [(2, 10), (3, 10), (5, 10), (7, 5), (9, 5)])
def test_after_every_move_of_a_game_the_kept_urgencies_equal_the_oracle(size, games):
    moves = sum(compare_game_with_oracle(size, 100 + seed) for seed in range(games))
    assert moves > games * size * size // 2


@pytest.mark.long
@pytest.mark.parametrize(("size", "games"), [(2, 100), (3, 100), (5, 100), (7, 60), (9, 100), (13, 8), (19, 3)])
def test_after_every_move_of_many_games_the_kept_urgencies_equal_the_oracle(size, games):
    moves = sum(compare_game_with_oracle(size, 1000 + seed) for seed in range(games))
    assert moves > games * size * size // 2


@pytest.mark.plain
@pytest.mark.parametrize("size", [2, 4])
def test_after_every_move_of_one_small_game_the_kept_urgencies_equal_the_oracle(size):
    assert compare_game_with_oracle(size, 7) > 2


# --- Chances ---------------------------------------------------------------------------------------------------------

CAPTURED = """
    . . . . . . .
    . . O O . . .
    . O . . O . .
    . . O O . . .
    . X . . . X .
    . . . . . . .
    . . . X . . .
"""
EDGES_AND_CORNERS = """
    . O X . . X .
    X . . . . . O
    . . . . . . .
    O . . X . . X
    . . . . . . .
    X . . . . . .
    . X O . O X .
"""
CHAINS_IN_ATARI = """
    . X O O O X .
    . X X . X X .
    . . . X . O .
    O O . . O X O
    X X O . . . .
    X O . . . . .
    . . . X O . .
"""
ILLEGAL_POINTS_AND_EYES = """
    . O X . X . X
    O O X X X X .
    X X . X O X X
    O O X O . O .
    . O O O O X X
    O O X X O X .
    . O X . X . X
"""
KO = """
    . . . . . . .
    . X O . . . .
    X . X O . . .
    . X O . . . .
    . . . . . . .
    . . . . . X .
    . . . . O . .
"""
POSITIONS = {
    "an open board": (". . . . . . .\n" * 7, 0, ""),
    "after a capture": (CAPTURED, 0, ""),
    "edges and corners": (EDGES_AND_CORNERS, 1, ""),
    "chains of several stones in atari": (CHAINS_IN_ATARI, 0, ""),
    "chains of several stones in atari, the other side to move": (CHAINS_IN_ATARI, 1, ""),
    "illegal points and own eyes": (ILLEGAL_POINTS_AND_EYES, 0, ""),
    "illegal points and own eyes, the other side to move": (ILLEGAL_POINTS_AND_EYES, 1, ""),
    "a ko that may not be retaken": (KO, 1, "B5"),
}
DRAWS = 1_000_000


def assert_drawn_by_urgency(game: Go, state, kept, seed: int, draws: int = DRAWS) -> None:
    """Compare the frequencies of draws with the oracle's probabilities, and check that draws change nothing."""
    ko = game.row_and_column(int(state.ko)) if state.ko else None
    expected = probabilities(reference.board_of(game, state), slow_random_table(), int(state.to_play), ko)
    counts, before = np.zeros(state.colour.size, np.int64), (state.copy(), kept.copy())
    draw(kept, state, seeded(seed), counts, draws)
    found = {game.row_and_column(int(number)): int(counts[number]) for number in np.flatnonzero(counts)}
    assert found.keys() <= expected.keys()
    observed = [found.get(point, 0) for point in expected]
    assert stats.chisquare(observed, draws * np.array(list(expected.values()))).pvalue > 1e-4
    assert state == before[0]
    assert first_difference(kept, before[1], state) == 0


def prepared(name: str):
    diagram, to_play, ko = POSITIONS[name]
    game, state = state_from(drawn(diagram), "tactical", to_play)
    state.ko = game.parse_move(ko) if ko else 0
    policy, kept = random_table().compiled(game.size), new(URGENCIES)
    begin(policy, kept, state)
    return game, state, kept


@pytest.mark.plain
@pytest.mark.parametrize("name", POSITIONS)
def test_the_urgencies_that_begin_computes_equal_the_oracle(name):
    assert_equals_oracle(*prepared(name))


@pytest.mark.parametrize("name", POSITIONS)
def test_a_million_draws_from_a_position_have_frequencies_proportional_to_urgency(name):
    game, state, kept = prepared(name)
    assert_drawn_by_urgency(game, state, kept, seed=5)


@pytest.mark.plain
def test_a_few_draws_from_a_position_have_frequencies_proportional_to_urgency():
    game, state, kept = prepared("chains of several stones in atari")
    assert_drawn_by_urgency(game, state, kept, seed=5, draws=300)


def test_the_positions_have_captures_escapes_eyes_illegal_points_and_a_ko():
    kinds = Counter[str]()
    for name in POSITIONS:
        game, state, _ = prepared(name)
        board, colour = reference.board_of(game, state), int(state.to_play)
        ataris = [stones for stones, liberties in reference.chains(board) if len(liberties) == 1]
        kinds["captures"] += any(board[min(stones)] != colour and len(stones) > 1 for stones in ataris)
        kinds["escapes"] += any(board[min(stones)] == colour and len(stones) > 1 for stones in ataris)
        empty = [point for point in board if board[point] == reference.EMPTY]
        kinds["eyes"] += any(reference.is_eye(board, point, colour) for point in empty)
        kinds["suicides"] += any(reference.after(board, point, colour)[2] for point in empty)
        kinds["kos"] += bool(state.ko and board[game.row_and_column(int(state.ko))] == reference.EMPTY)
    assert all(kinds[name] for name in ("captures", "escapes", "eyes", "suicides", "kos")), kinds


@pytest.mark.parametrize(("size", "moves"), [(7, 45), (9, 60), (9, 95), (13, 150)])
def test_a_million_draws_after_a_game_with_captures_have_frequencies_proportional_to_urgency(size, moves):
    """The urgencies were kept up to date by the game's moves."""
    game, state = fresh(size)
    policy, kept, rng = random_table().compiled(size), new(URGENCIES), seeded(8, size)
    begin(policy, kept, state)
    for _ in range(moves):
        assert play_step(policy, kept, state, rng) != PASS
    assert game.size**2 - state.empty_count < moves, "stones were captured"
    assert_drawn_by_urgency(game, state, kept, seed=9)


# --- Playouts --------------------------------------------------------------------------------------------------------


def playout(policy, game: Go, start, rng) -> tuple[list[int], float]:
    """Return the moves of a playout and its score."""
    state, trace = start.copy(), np.zeros(game.longest_playout + 2, np.uint16)
    length = play_out(policy, state, rng, trace, 0)
    return [int(move) for move in trace[:length]], float(interface.score(state))


@pytest.mark.plain
@pytest.mark.parametrize("size", [1, 2, 4])
def test_a_playout_has_the_moves_of_single_steps_and_ends_by_passes_or_at_its_cap(size):
    game, start = fresh(size)
    policy = random_table().compiled(size)
    moves, score = playout(policy, game, start, seeded(1, size))
    state, kept, rng = start.copy(), new(URGENCIES), seeded(1, size)
    begin(policy, kept, state)
    assert moves == [int(play_step(policy, kept, state, rng)) for _ in moves]
    assert score == reference.area(reference.board_of(game, state)) - game.komi
    assert moves[-2:] == [0, 0] or len(moves) == game.longest_playout


def assert_legal(game: Go, start, moves: list[int]) -> None:
    """Assert that every move of a playout is legal and fills no own eye, and that a pass has no alternative."""
    board, colour, ko = reference.board_of(game, start), int(start.to_play), None
    for move in moves:
        allowed = reference.sensible_moves(board, colour, ko)
        point = game.row_and_column(move) if move else None
        assert point in allowed if point else not allowed
        ko = reference.ko_point(board, point, colour) if point else None
        board = reference.after(board, point, colour)[0] if point else board
        colour = 1 - colour


@pytest.mark.parametrize(("size", "playouts"), [(2, 40), (5, 30), (9, 4)])
def test_every_move_of_a_playout_is_legal_and_fills_no_own_eye(size, playouts):
    game, start = fresh(size)
    policy, rng = manual_table().compiled(size), seeded(31, size)
    for _ in range(playouts):
        assert_legal(game, start, playout(policy, game, start, rng)[0])


@pytest.mark.parametrize("size", [5, 9])
def test_the_zero_table_plays_like_the_uniform_policy(size):
    """First moves by chi-square of two samples; mean length and score by their difference in standard errors."""
    game, start = fresh(size)
    uniform, count = PolicyConfig(policy="uniform").make_part("policy", game), 20_000
    found = []
    for seed, policy in ((1, uniform), (2, zero_table().compiled(size))):
        rng = seeded(seed, size)
        found.append([playout(policy, game, start, rng) for _ in range(count)])
    firsts = [Counter(moves[0] for moves, _ in played) for played in found]
    assert set(firsts[0]) == set(firsts[1]) == set(game.points())
    table = [[first[point] for point in game.points()] for first in firsts]
    assert stats.chi2_contingency(table).pvalue > 1e-4
    for value in (lambda played: len(played[0]), lambda played: played[1]):
        one, other = (np.array([value(each) for each in played], float) for played in found)
        error = np.sqrt((one.var() + other.var()) / count)
        assert abs(one.mean() - other.mean()) < 4 * error


@pytest.mark.plain
@pytest.mark.parametrize(("passes", "expected"), [(0, [0, 0]), (1, [0]), (2, [])])
def test_a_playout_counts_the_passes_before_it(passes, expected):
    game, state = state_from(drawn(". X .\nX X X\n. X ."), "tactical")
    state.passes = passes
    assert playout(manual_table().compiled(3), game, state, seeded(1))[0] == expected


def test_a_seed_gives_the_same_playouts_again_and_another_seed_others():
    game, start = fresh(9)
    policy = manual_table().compiled(9)
    played = [playout(policy, game, start, seeded(seed)) for seed in (1, 1, 2)]
    assert played[0] == played[1] != played[2]


# --- Players ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("urgencies", ["zero", "manual"])
@pytest.mark.parametrize(
    "player",
    [
        *["urgency", "flat-mc"],
        *[pytest.param(name, marks=LONG) for name in ("amaf", "uct", "uct-rave", "mc-rave", "accelerated", "tengen")],
    ],
)
def test_every_search_and_flat_player_plays_by_urgencies(player, urgencies):
    game = Go(5)
    setting = "" if player == "urgency" else "policy=urgency,simulations=40,"
    made = parse_player(f"{player}:{setting}urgencies={urgencies}").make(game)
    assert made.choose(game.start()) in game.start().legal_moves()
