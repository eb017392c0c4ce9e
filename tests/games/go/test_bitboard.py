"""The compact record of 9x9 Go: every answer and the playouts' distributions against the ordinary record."""

import math

import numpy as np
import pytest
from scipy import stats

from tengen import Go
from tengen.games import interface
from tengen.games.go import bitboard, point_sets
from tengen.jit import kernel
from tengen.rng import seeded
from tests.games.go.reference import drawn
from tests.games.playout_statistics import Sample, first_moves

KO_RULES = ("simple", "positional", "situational")
PASS = 0
SLOTS = 111
LENGTH = 3 * 81


@kernel
def filtered_candidates(state, moves):
    """Write the candidate moves that `is_candidate` accepts into `moves`; return their number."""
    kept = 0
    for i in range(interface.candidate_moves(state, moves)):
        if interface.is_candidate(state, moves[i]):
            moves[kept] = moves[i]
            kept += 1
    return kept


def listed(write, state) -> list[int]:
    """Return the moves that a kernel writes, in ascending order, and check that there is none twice."""
    moves = np.zeros(SLOTS + 1, np.uint16)
    found = sorted(moves[: write(state, moves)].tolist())
    assert len(set(found)) == len(found)
    return found


def colours(state) -> list[int]:
    """Return the colour of each point of a compact state: 0, 1, or 2 if it is empty."""
    sets = [tuple(state.stones[colour]) for colour in (0, 1)]
    found = []
    for point in range(SLOTS):
        here = point_sets.set_of(point)
        found.append(next((colour for colour in (0, 1) if point_sets.meets(sets[colour], here)), 2))
    return found


def check_equal(state, board) -> list[int]:
    """Compare a compact state with one of the ordinary record; return the legal moves."""
    for field in ("to_play", "ko", "last_move", "passes", "komi", "superko"):
        assert state[field] == board[field], field
    legal = listed(interface.legal_moves, board)
    assert listed(interface.legal_moves, state) == legal
    assert listed(filtered_candidates, state) == listed(filtered_candidates, board)
    assert interface.situation(state) == interface.situation(board)
    assert interface.is_over(state) == interface.is_over(board)
    assert interface.score(state) == interface.score(board)
    assert interface.outcome(state) == interface.outcome(board)
    return legal


def check_points(state, board) -> None:
    """Compare the colours, the owners and the legality of every number, also of those outside the board."""
    assert colours(state) == [min(int(colour), 2) for colour in board.colour]
    owners, expected = np.zeros(SLOTS, np.int64), np.zeros(SLOTS, np.int64)
    interface.add_ownership(state, owners)
    interface.add_ownership(board.copy(), expected)
    assert owners.tolist() == expected.tolist()
    for move in (*range(SLOTS), SLOTS, 200):
        assert interface.is_legal(state, move) == interface.is_legal(board, move), move


def walk(game: Go, diagram: str, to_play: str, moves: int, seed: int) -> tuple[int, int]:
    """Play random legal moves on both records and compare them after each.

    Returns the number of kos and the number of captures. Eyes are filled and a side passes at times.
    """
    position = game.from_diagram(diagram, to_play)
    board, state = position.state, position.state_as(bitboard.BITBOARD)
    rng = np.random.default_rng(seed)
    kos = captures = 0
    for number in range(moves):
        legal = check_equal(state, board)
        if number % 16 == 0:
            check_points(state, board)
        if interface.is_over(board):
            break
        wise = listed(filtered_candidates, board)
        move = int(rng.choice(wise if rng.random() < 0.9 else legal))
        if move == PASS and rng.random() < 0.8:
            move = int(rng.choice(legal))
        before = int(board.empty_count)
        interface.play(board, move)
        interface.play(state, move)
        kos += board.ko != 0
        captures += board.empty_count >= before and move != PASS
    return kos, captures


EMPTY_BOARD = ". . . . . . . . .\n" * 8 + ". . . . . . . . ."
MIDDLE_GAME = """
    . . . . . . . . .
    . . O X X . X . .
    . O . O X . . X .
    . . O O O X X . .
    . X . . . O O X .
    . . X X O . . . .
    . . X O O . O . .
    . . X X O . . O .
    . . . . X O . . .
"""
KOS = """
    . X O . . . . X O
    X O . O . . X O .
    . X O . . . . X O
    . . . . . . . . .
    . O X . . . O X .
    O X . X . O X . X
    . O X . . . O X .
    . . . X O . . . .
    . . X O . O . . .
"""
NEAR_THE_END = """
    . X O . O . O O .
    X X O O O O O . O
    X . X O . O X O O
    X X X O O X X X O
    . X X X X X . X X
    X X O O O X X X X
    O O O . O O O X .
    . O O O O . O X X
    O . O . O . O X .
"""
DIAGRAMS = {
    "an empty board": EMPTY_BOARD,
    "a middle game": drawn(MIDDLE_GAME),
    "four kos": drawn(KOS),
    "near the end": drawn(NEAR_THE_END),
}
SIDES = ("black", "white")


# --- Rules -----------------------------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize("name", DIAGRAMS)
def test_a_few_moves_from_a_diagram_give_the_same_answers_as_on_the_ordinary_record(name):
    for number, rule in enumerate(KO_RULES):
        walk(Go(9, 5.5, rule), DIAGRAMS[name], SIDES[number % 2], 6, seed=number)


@pytest.mark.parametrize("rule", KO_RULES)
def test_random_games_give_the_same_answers_as_on_the_ordinary_record(rule):
    kos = captures = 0
    for diagram in DIAGRAMS.values():
        for seed in range(30):
            game = Go(9, komi=float(seed % 3), ko=rule)
            found = walk(game, diagram, SIDES[seed % 2], 150, seed)
            kos, captures = kos + found[0], captures + found[1]
    assert kos >= 100
    assert captures >= 100


@pytest.mark.plain
def test_a_ko_may_not_be_recaptured_at_once_but_after_a_pass_of_both():
    position = Go(9, ko="simple").from_diagram(DIAGRAMS["four kos"])
    state = position.state_as(bitboard.BITBOARD)
    take, back = position.move("C8"), position.move("B8")
    interface.play(state, take)
    assert state.ko == back
    assert not interface.is_legal(state, back)
    assert not interface.is_candidate(state, back)
    interface.play(state, PASS)
    interface.play(state, position.move("E5"))
    assert interface.is_legal(state, back)
    interface.play(state, back)
    assert colours(state)[take] == 2


@pytest.mark.plain
def test_a_state_forbidden_to_play_somewhere_has_no_such_move():
    game = Go(9)
    state = game.start().state_as(bitboard.BITBOARD)
    point = game.parse_move("C3")
    game.forbid(state, point)
    assert not interface.is_legal(state, point)
    assert point not in listed(interface.candidate_moves, state)


@pytest.mark.plain
def test_a_converted_state_has_the_position_its_last_move_and_its_hash():
    for rule in KO_RULES:
        position = Go(9, 6.5, rule).from_diagram(DIAGRAMS["four kos"], "white").play("E5").play("C8")
        state = position.state_as(bitboard.BITBOARD)
        check_equal(state, position.state)
        check_points(state, position.state)
        assert state.last_move == position.move("C8")
        assert state.ko == position.move("B8")


@pytest.mark.plain
def test_only_nine_by_nine_without_suicide_has_a_compact_record():
    assert Go(9).compact_record == bitboard.BITBOARD
    assert Go(9, suicide=True).compact_record is None
    assert all(Go(size).compact_record is None for size in range(1, 26) if size != 9)


@pytest.mark.plain
def test_the_compact_record_is_small_and_aligned():
    made = bitboard.BITBOARD
    assert made.itemsize <= 128
    assert made.itemsize % 8 == 0
    assert made.isalignedstruct


@pytest.mark.plain
def test_every_point_has_a_bit_of_its_own_and_its_number():
    game = Go(9)
    seen = point_sets.NOWHERE
    for point in game.points():
        here = point_sets.set_of(point)
        assert not point_sets.meets(seen, here)
        assert point_sets.number_of(here) == point
        seen = point_sets.union(seen, here)
        around = {point - 10, point - 1, point + 1, point + 10} & set(game.points())
        found = point_sets.common(point_sets.beside(here), point_sets.EVERYWHERE)
        moves = np.zeros(SLOTS, np.uint16)
        assert set(moves[: point_sets.write_points(found, moves)].tolist()) == around
    assert seen == point_sets.EVERYWHERE


# --- Playouts --------------------------------------------------------------------------------------------------------


def position_at(name: str, to_play: str, moves: str = ""):
    position = Go(9, 5.5, "simple").from_diagram(DIAGRAMS[name], to_play)
    for text in moves.split():
        position.play(text)
    return position


STARTS = {
    "an empty board, black": ("an empty board", "black"),
    "an empty board, white": ("an empty board", "white"),
    "a middle game, black": ("a middle game", "black"),
    "a middle game, white": ("a middle game", "white"),
    "a ko, white": ("four kos", "black", "C8"),
    "a ko, black": ("four kos", "white", "C4"),
    "near the end, black": ("near the end", "black"),
    "near the end, white": ("near the end", "white"),
}


def compare(name: str, count: int) -> None:
    """Compare playouts and `uniform_results` on compact states with playouts on the ordinary record."""
    position = position_at(*STARTS[name])
    board = Sample(position.state, count, seed=1)
    compact = Sample(position.state_as(bitboard.BITBOARD), count, seed=2)
    assert max(compact.distances(board)) < 4
    assert stats.chi2_contingency(first_moves(board, compact)).pvalue > 1e-4
    states, rng = compact.states, seeded(3)
    total = interface.uniform_results(states[0], states[1:], rng, compact.trace, count)
    error = math.sqrt(2 * board.variances[0] / count)
    assert abs(total / count - board.means[0]) < max(4 * error, 1e-12)


@pytest.mark.parametrize("name", STARTS)
def test_playouts_have_the_distribution_of_those_on_the_ordinary_record(name):
    compare(name, 40_000)


@pytest.mark.long
@pytest.mark.parametrize("name", STARTS)
def test_many_playouts_have_the_distribution_of_those_on_the_ordinary_record(name):
    compare(name, 1_250_000)


@pytest.mark.parametrize("name", STARTS)
def test_the_first_move_of_a_playout_is_uniform_over_the_candidate_moves(name):
    position = position_at(*STARTS[name])
    sample = Sample(position.state_as(bitboard.BITBOARD), 20_000, seed=4)
    expected = [move for move in listed(filtered_candidates, position.state) if move != PASS]
    assert len(expected) >= 2
    assert np.flatnonzero(sample.firsts).tolist() == expected
    assert stats.chisquare(sample.firsts[expected]).pvalue > 1e-4


@pytest.mark.plain
def test_the_moves_of_a_playout_lead_to_its_board_on_both_records():
    position = position_at("near the end", "black")
    state, board, trace = position.state_as(bitboard.BITBOARD), position.state, np.zeros(LENGTH + 5, np.uint16)
    ended = state.copy()
    length = interface.uniform_playout(ended, seeded(5), trace, 5)
    assert length > 7
    assert not trace[:5].any()
    for move in trace[5:length].tolist():
        assert interface.is_candidate(state, move)
        interface.play(state, move)
        interface.play(board, move)
    assert interface.is_over(board)
    assert ended.stones.tolist() == state.stones.tolist()
    assert interface.is_over(ended)
    assert interface.score(ended) == interface.score(state) == interface.score(board)


@pytest.mark.plain
def test_results_of_no_playouts_and_of_a_finished_game():
    position = position_at("near the end", "black")
    state, trace = position.state_as(bitboard.BITBOARD), np.zeros(LENGTH, np.uint16)
    scratch, board = np.zeros(1, state.dtype), np.zeros(1, position.state.dtype)
    assert interface.uniform_results(state, scratch, seeded(1), trace, 0) == 0.0
    for _ in range(2):
        interface.play(state, PASS)
        interface.play(position.state, PASS)
    result = interface.outcome(position.state)
    assert interface.uniform_results(state, scratch, seeded(1), trace, 3) == 3 * result
    assert interface.uniform_results(position.state, board, seeded(1), trace, 3) == 3 * result


@pytest.mark.plain
def test_results_count_draws_as_half_and_leave_the_state_as_it_is():
    """Both sides pass at once here, and with the board's area as komi the game is drawn."""
    alive = drawn("""
        . X . X O . O . O
        X X X X O O O O .
        . X X X O O O O O
        X X X X O O O O O
        X X X X O O O O O
        X X X X O O O O O
        X X X X O O O O O
        X X X X O O O O O
        X X X X O O O O O
    """)
    position = Go(9).from_diagram(alive)
    state = position.state_as(bitboard.BITBOARD)
    state.komi = interface.score(position.state) + state.komi
    before = state.copy()
    scratch, trace = np.zeros(1, state.dtype), np.zeros(LENGTH, np.uint16)
    assert interface.uniform_results(state, scratch, seeded(1), trace, 4) == 2.0
    assert state == before


def test_the_default_results_are_those_of_playouts_one_by_one():
    position = position_at("a middle game", "black")
    states, trace = np.zeros(2, position.state.dtype), np.zeros(LENGTH, np.uint16)
    states[0] = position.state
    total, rng = 0.0, seeded(8)
    for _ in range(100):
        states[1] = states[0]
        interface.uniform_playout(states[1], rng, trace, 0)
        total += interface.outcome(states[1])
    assert 0 < total < 100
    assert interface.uniform_results(states[0], states[1:], seeded(8), trace, 100) == total
