"""MoGo's policy and prior on bitboards: moves, chains in atari and distributions against the list board."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tengen import Go
from tengen.games import interface
from tengen.games.go import bitboard, bitboard_patterns, bitboard_tactics, patterns, point_sets, tactics
from tengen.games.go.game import GoPosition
from tengen.jit import kernel, trailing_zeros
from tengen.players import PolicyConfig, parse_search
from tengen.policies.go.rule_verbs import mark_rule_moves
from tengen.policies.playout import play_out
from tengen.rng import seeded
from tengen.search.many import ManySearch
from tengen.search.search import Search
from tengen.search.tree import CLOSED
from tests.games.go import reference, slow_tactics
from tests.games.go.reference import drawn
from tests.games.go.test_bitboard import (
    DIAGRAMS,
    LENGTH,
    PASS,
    SLOTS,
    filtered_candidates,
    listed,
)
from tests.games.go.test_patterns import KINDS, code_of, neighbourhoods

u32, u64 = np.uint32, np.uint64
GAME = Go(9, 5.5, "simple")
RULES = PolicyConfig(policy="mogo").make_part("policy", GAME)
MARK = 4

# --- Moves of the rules, on both records -----------------------------------------------------------------------------


@kernel
def sides(state):
    """Return the own and the enemy's stones, the empty points, the chains in atari and their heads."""
    own, enemy = bitboard.stones_of(state, state.to_play), bitboard.stones_of(state, u32(state.to_play ^ u32(1)))
    atari, heads = bitboard_tactics.all_ataris(own, enemy)
    return own, enemy, bitboard.empty_points(own, enemy), atari, heads


@kernel
def points_of_rule(state, rule, moves):
    """Write the moves of one rule on bitboards; return their number."""
    own, enemy, empty, atari, heads = sides(state)
    last = point_sets.set_of(state.last_move)
    points = point_sets.NOWHERE
    if rule == 0 and state.last_move != PASS:
        points = bitboard_tactics.saving_points(last, own, enemy, empty, atari)
    if rule == 1 and state.last_move != PASS:
        points = bitboard_patterns.patterns_around(own, enemy, last)
    if rule == 2:
        points = bitboard_tactics.capturing_points(enemy, empty, heads)
    if rule == 3:
        points = bitboard_tactics.candidate_points(own, enemy, empty, atari, point_sets.set_of(state.ko))
    if rule == 4:
        for number in range(SLOTS):
            point = point_sets.set_of(number)
            if point_sets.meets(point, empty) and bitboard_tactics.is_self_atari(point, own, enemy, empty, atari):
                points = point_sets.union(points, point)
    return point_sets.write_points(points, moves)


@kernel
def moves_of_rule(board, rule, moves):
    """Write the moves of one rule on a list board; return their number."""
    last, colour = u64(board.last_move), u64(board.to_play)
    count = u64(0)
    if rule == 0 and last != PASS:
        count = tactics.saving_moves(board, last, colour)
    if rule == 2:
        count = tactics.capturing_moves(board, colour)
    for i in range(count):
        moves[i] = board.candidates[i]
    if rule == 1 and last != PASS:
        matches = patterns.patterns_around(board, last, colour)
        while matches != u64(0):
            moves[count] = last + board.around[trailing_zeros(matches)]
            matches &= matches - u64(1)
            count += u64(1)
    for point in range(SLOTS):
        if rule == 4 and board.colour[point] == 2 and tactics.is_self_atari(board, u64(point), colour):
            moves[count] = point
            count += u64(1)
    return count


def written(write: Any, state: Any, rule: int) -> list[int]:
    """Return the moves that a kernel writes for a rule, in ascending order."""
    return listed(lambda state, moves: write(state, rule, moves), state)


def marked(state) -> list[int]:
    """Return the moves that are marked as those of the first rule that has any."""
    marks = np.full(SLOTS, 77, np.uint8)
    mark_rule_moves(state, RULES, marks, MARK)
    assert set(marks.tolist()) <= {0, MARK}
    return np.flatnonzero(marks).tolist()


def check_rules(state, board) -> str:
    """Compare the moves of all rules on both records; return the first rule that has any."""
    found = {}
    for rule, name in enumerate(("save", "pattern", "capture")):
        found[name] = written(points_of_rule, state, rule)
        assert found[name] == written(moves_of_rule, board, rule), name
    candidates = [move for move in listed(filtered_candidates, board) if move != PASS]
    assert written(points_of_rule, state, 3) == candidates
    assert written(points_of_rule, state, 4) == written(moves_of_rule, board, 4)
    assert marked(state) == marked(board)
    return next((name for name, moves in found.items() if set(moves) & set(candidates)), "random")


# --- Chains in atari -------------------------------------------------------------------------------------------------


class Ataris:
    """The chains in atari of a game, updated after each move."""

    def __init__(self, state: Any):
        self.sets = np.zeros((2, 3), np.uint32)
        store_ataris(state, self.sets)

    def play(self, state: Any, move: int) -> None:
        """Play a move, and compare the updated sets with sets computed from the board."""
        assert play_and_update(state, move, self.sets)
        fresh = np.zeros((2, 3), np.uint32)
        store_ataris(state, fresh)
        assert self.sets[0].tolist() == fresh[0].tolist()
        assert len(numbers(self.sets[1])) == len(numbers(fresh[1]))


@kernel
def store_ataris(state, sets):
    """Store the chains in atari and their heads, computed from the board."""
    _, _, _, atari, heads = sides(state)
    for k in range(3):
        sets[0, k], sets[1, k] = atari[k], heads[k]


@kernel
def play_and_update(state, move, sets):
    """Play a move and update the chains in atari; return whether the captured stones were known before."""
    colour, stone = state.to_play, point_sets.set_of(move)
    atari, heads = (sets[0, 0], sets[0, 1], sets[0, 2]), (sets[1, 0], sets[1, 1], sets[1, 2])
    before = bitboard.stones_of(state, u32(colour ^ u32(1)))
    captured = bitboard_tactics.captures_at(stone, before, atari)
    interface.play(state, move)
    own, enemy = bitboard.stones_of(state, colour), bitboard.stones_of(state, u32(colour ^ u32(1)))
    atari, heads = bitboard_tactics.ataris_after(stone, captured, own, enemy, atari, heads)
    for k in range(3):
        sets[0, k], sets[1, k] = atari[k], heads[k]
    return point_sets.are_equal(captured, point_sets.without(before, enemy))


def numbers(words) -> set[int]:
    """Return the numbers of the points of a set, given by three words."""
    moves = np.zeros(SLOTS, np.uint16)
    return set(moves[: point_sets.write_points(tuple(words), moves)].tolist())


def check_ataris(ataris: Ataris, board) -> int:
    """Compare the chains in atari with those of the reference; each has one head, beside its liberty."""
    stones_on = reference.board_of(GAME, board)
    chains = slow_tactics.in_atari(stones_on, 0) + slow_tactics.in_atari(stones_on, 1)
    stones, heads = (numbers(words) for words in ataris.sets)
    assert stones == {GAME.point(*stone) for chain, _ in chains for stone in chain}
    assert len(heads) == len(chains)
    for chain, liberty in chains:
        (head,) = {GAME.point(*stone) for stone in chain} & heads
        assert GAME.row_and_column(head) in reference.neighbours(stones_on, liberty)
    return len(chains)


# --- Games -----------------------------------------------------------------------------------------------------------


def walk(diagram: str, to_play: str, moves: int, seed: int, by_rules: float) -> Counter[str]:
    """Play a game on both records and compare them at every move; a share of the moves is MoGo's, others random.

    Returns how often each rule was the first that had moves, and the number of kos and of several chains in atari.
    """
    position = GAME.from_diagram(diagram, to_play)
    board, state = position.state_as(GAME.tactical_record), position.state_as(bitboard.BITBOARD)
    random, rng, trace = np.random.default_rng(seed), seeded(seed), np.zeros(LENGTH, np.uint16)
    ataris, seen = Ataris(state), Counter[str]()
    for number in range(moves):
        if interface.is_over(board):
            break
        seen[check_rules(state, board)] += 1
        if number % 8 == 0:
            seen["several"] += check_ataris(ataris, board) > 1
        if random.random() < by_rules:
            play_out(RULES, state.copy(), rng, trace, 0)
            move = int(trace[0])
        else:
            move = int(random.choice(listed(interface.legal_moves, board)))
        interface.play(board, move)
        ataris.play(state, move)
        seen["ko"] += board.ko != 0
    return seen


@pytest.mark.plain
@pytest.mark.parametrize("name", DIAGRAMS)
def test_a_few_moves_have_the_same_rule_moves_as_on_the_list_board(name):
    walk(DIAGRAMS[name], "black", 3, seed=1, by_rules=0.0)
    walk(DIAGRAMS[name], "white", 2, seed=2, by_rules=0.0)


@pytest.mark.parametrize("by_rules", [0.0, 0.5, 1.0])
def test_the_moves_of_every_rule_are_those_of_the_list_board(by_rules):
    seen = Counter[str]()
    for diagram in DIAGRAMS.values():
        for seed in range(20):
            seen += walk(diagram, ("black", "white")[seed % 2], 200, seed, by_rules)
    assert all(seen[name] > 100 for name in ("save", "pattern", "capture", "random", "ko", "several"))


@kernel
def match_codes(windows, found):
    """Write whether the middle of each window matches a pattern."""
    for i in range(windows.size):
        found[i] = (bitboard_patterns.matches_in(windows[i]) >> u32(12)) & u32(1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mover", [0, 1])
def test_every_neighbourhood_matches_the_same_patterns_as_in_the_table(kind, mover):
    codes, windows = [], []
    halves = {mover: 1, 1 - mover: 1 << 32, 2: 0, 3: 1 | 1 << 32}
    for walls in KINDS[kind]:
        for colours in neighbourhoods(walls):
            codes.append(code_of(colours))
            windows.append(sum(halves[colour] << 12 + 5 * up + right for (up, right), colour in colours.items()))
    found = np.zeros(len(windows), np.uint8)
    match_codes(np.array(windows, np.uint64), found)
    expected = np.unpackbits(patterns.PATTERNS[mover].view(np.uint8), bitorder="little")[codes]
    assert found.tolist() == expected.tolist()


# --- Distributions ---------------------------------------------------------------------------------------------------

SAVES = drawn("""
    . . . . . . . . .
    . . . . . . . . .
    . . X O . . . . .
    . . O X O . . . .
    . . . . . . . . .
    . . X . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
""")
PATTERNS = drawn("""
    . . . . . . . . .
    . . . . . . . . .
    . . X O . . . . .
    . . O X . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . X . .
    . . . . . O O X .
""")
CAPTURES = drawn("""
    . X O . . . O O X
    X O . . . . . . .
    O X . . . . . . .
    . . . . . . . . .
    . . . . . . . . X
    . . . . . . . . .
    O . . . . . . . .
    X . X O . O O . .
    . X O . O X X . .
""")
"""White captures two chains on A9, one on J8 and one of two stones on H1."""
STARTS = {
    "saves": ("save", 2, SAVES, "black", "B6", ""),
    "patterns": ("pattern", 2, PATTERNS, "white", "B6", ""),
    "patterns at the edge": ("pattern", 2, PATTERNS, "white", "H2", ""),
    "captures": ("capture", 3, CAPTURES, "white", "J3 PASS", ""),
    "captures without one of two chains": ("capture", 2, CAPTURES, "white", "J3 PASS", "A9"),
    "captures and a ko": ("capture", 2, DIAGRAMS["four kos"], "black", "C8 E5 PASS", "B8"),
    "random moves": ("random", 81, DIAGRAMS["an empty board"], "black", "", ""),
    "a middle game": ("pattern", 2, DIAGRAMS["a middle game"], "white", "B4", ""),
    "near the end": ("random", 1, DIAGRAMS["near the end"], "black", "", ""),
}
"""By name: the first rule that has moves and their least number, and a position with its ko."""


@kernel
def play_many(states, policy, rng, trace, figures, firsts):
    """Play out states[0] in states[1]; write result, score and length of each playout, and its first move."""
    for i in range(firsts.size):
        states[1] = states[0]
        figures[2, i] = play_out(policy, states[1], rng, trace, 0)
        figures[0, i], figures[1, i] = interface.outcome(states[1]), interface.score(states[1])
        firsts[i] = trace[0]


def playouts(state, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the results, scores and lengths of playouts from a state, and how often each move was the first."""
    states, figures, firsts = np.zeros(2, state.dtype), np.zeros((3, count)), np.zeros(count, np.int64)
    states[0] = state
    play_many(states, RULES, seeded(seed), np.zeros(LENGTH, np.uint16), figures, firsts)
    return figures, np.bincount(firsts, minlength=SLOTS)


def position_at(name: str) -> GoPosition:
    """Return a position of STARTS, without its ko."""
    _, _, diagram, to_play, moves, _ = STARTS[name]
    position = GAME.from_diagram(diagram, to_play)
    for text in moves.split():
        position.play(text)
    return position


def states_at(name: str) -> tuple[Any, Any]:
    """Return a position of STARTS as a list board and as bitboards."""
    position, ko = position_at(name), STARTS[name][-1]
    board, state = position.state_as(GAME.tactical_record), position.state_as(bitboard.BITBOARD)
    board.ko = state.ko = GAME.parse_move(ko) if ko else board.ko
    return board, state


def compare(name: str, count: int) -> None:
    """Compare the first moves, results, scores and lengths of playouts on both records."""
    board, state = states_at(name)
    assert check_rules(state, board) == STARTS[name][0]
    (on_lists, firsts), (on_bits, others) = playouts(board, count, seed=1), playouts(state, count, seed=2)
    for figures, expected in zip(on_bits, on_lists, strict=True):
        error = np.sqrt((figures.var() + expected.var()) / count)
        assert abs(figures.mean() - expected.mean()) <= 4 * error
    counts = np.array([firsts, others])[:, firsts + others > 0]
    assert counts.min() > 0
    assert counts.shape[1] >= STARTS[name][1]
    assert stats.chi2_contingency(counts).pvalue > 1e-4


@pytest.mark.parametrize("name", STARTS)
def test_playouts_have_the_distribution_of_those_on_the_list_board(name):
    compare(name, 40_000)


@pytest.mark.long
@pytest.mark.parametrize("name", STARTS)
def test_many_playouts_have_the_distribution_of_those_on_the_list_board(name):
    compare(name, 1_250_000)


def test_of_chains_to_capture_each_is_equally_likely():
    _, state = states_at("captures")
    _, firsts = playouts(state, 40_000, seed=3)
    expected = {GAME.parse_move("A9"): 20_000, GAME.parse_move("J8"): 10_000, GAME.parse_move("H1"): 10_000}
    assert np.flatnonzero(firsts).tolist() == sorted(expected)
    assert stats.chisquare([firsts[move] for move in expected], list(expected.values())).pvalue > 1e-4


# --- Searches --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "compact"),
    [
        ("mc-rave:policy=mogo,prior=mogo", True),
        ("mc-rave:policy=mogo,prior=mogo,prior_weight=7,prior_on=both", True),
        ("mc-rave:policy=mogo,prior=even", True),
        ("mc-rave:prior=mogo", True),
        ("mc-rave:policy=mogo,prior=mogo,nakade=true", False),
        ("mc-rave:policy=mogo,prior=even,mercy=20", False),
        ("mc-rave:policy=mogo,prior=mogo,save_probability=0.5", False),
        ("mc-rave:policy=mogo,prior=knowledge", False),
    ],
)
def test_searches_work_on_bitboards_with_the_published_options(player, compact):
    config = parse_search(player, GAME)
    assert config.compact_record(GAME) == (bitboard.BITBOARD if compact else GAME.tactical_record)
    assert config.compact_record(Go(7)) == Go(7).tactical_record


@pytest.mark.long
def test_many_searches_on_bitboards_have_the_priors_and_candidates_of_the_list_board():
    text = "mc-rave:policy=mogo,prior=mogo,simulations=300,reuse=false"
    config, names = parse_search(text, GAME), list(STARTS)
    many = ManySearch(config, GAME, trees=len(names), device="cpu")
    positions = [position_at(name) for name in names]
    for tree, position in enumerate(positions):
        many.reseed(tree, seed=tree)
        many.set_position(tree, position)
    many.start(range(len(names)), simulations=300)
    many.finish()
    for tree, position in enumerate(positions):
        found, one = many.search(tree), Search(config, GAME)
        one.set_position(position)
        one.run(1)
        assert found.simulations == 300
        assert found.memory.priors[0].value.tolist() == one.memory.priors[0].value.tolist()
        assert np.flatnonzero(found.row().wins > CLOSED).tolist() == np.flatnonzero(one.row().wins > CLOSED).tolist()


@kernel
def survey_and_play(index, states, policies, rngs, traces, marks, lengths):
    """Mark the moves of the first rule in a state, then play it out."""
    mark_rule_moves(states[index], policies[0], marks[index], MARK)
    lengths[index] = play_out(policies[0], states[index], rngs[index], traces[index], 0)


def test_the_policy_and_the_prior_compile_for_a_gpu_without_local_memory():
    pytest.importorskip("numba_cuda")
    from tengen.jit import gpu

    states, policies = np.zeros(2, bitboard.BITBOARD), np.zeros(1, RULES.dtype)
    rngs, traces = np.zeros((2, 2), np.uint64), np.zeros((2, LENGTH), np.uint16)
    marks, lengths = np.zeros((2, SLOTS), np.uint8), np.zeros(2, np.int64)
    code = gpu.ptx(survey_and_play, (states, policies, rngs, traces, marks, lengths))
    assert "survey_and_play" in code
    assert ".local" not in code  # all of a thread's values are in registers, and no table is read
    assert ".const" not in code
