"""MoGo's policy against its rules in plain Python: the right moves, each equally likely; and its options."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tengen import Go
from tengen.games import interface
from tengen.players import PolicyConfig
from tengen.policies.go import mogo
from tengen.policies.playout import play_out
from tengen.rng import seeded
from tests.games.go import reference, slow_tactics
from tests.games.go.reference import drawn, state_from
from tests.policies import slow_mogo


def policy(**options) -> Any:
    return PolicyConfig(policy="mogo", **options).make_part("policy", Go(9))


def fresh(size: int, komi: float = 0.5):
    game = Go(size, komi, "simple")
    state = np.zeros(1, game.tactical_record)[0]
    game.reset(state)
    return game, state


def playout(game: Go, state, rng, rules=None) -> list[int]:
    trace = np.zeros(game.longest_playout + 2, np.uint16)
    length = play_out(policy() if rules is None else rules, state, rng, trace, 0)
    return [int(move) for move in trace[:length]]


def replay(game: Go, start, moves: list[int]):
    """Each move of a playout with the board, colour, ko and last move before it."""
    stones_on, colour = reference.board_of(game, start), int(start.to_play)
    ko = game.row_and_column(int(start.ko)) if start.ko else None
    last = game.row_and_column(int(start.last_move)) if start.last_move else None
    for move in moves:
        point = game.row_and_column(move) if move else None
        yield point, stones_on, colour, ko, last
        ko = reference.ko_point(stones_on, point, colour) if point else None
        if point:
            stones_on = reference.after(stones_on, point, colour)[0]
        last, colour = point, 1 - colour


def check_playout(game: Go, start, rng) -> Counter[str]:
    """Play a copy of a state out; check every move against the rules; return how often each rule decided."""
    state = start.copy()
    moves = playout(game, state, rng)
    rules: Counter[str] = Counter()
    for point, stones_on, colour, ko, last in replay(game, start, moves):
        name, allowed = slow_mogo.rule(stones_on, colour, ko, last)
        assert point in allowed if point else name == "pass", name
        rules[name] += 1
    final = reference.board_of(game, start)
    for point, stones_on, colour, _, _ in replay(game, start, moves):
        final = reference.after(stones_on, point, colour)[0] if point else stones_on
    assert reference.board_of(game, state) == final
    assert interface.score(state) == reference.area(final) - game.komi
    assert len(moves) == game.longest_playout or moves[-2:] == [0, 0]
    return rules


@pytest.mark.plain
@pytest.mark.parametrize("size", [1, 2, 4])
def test_one_playout_follows_the_rules(size):
    game, state = fresh(size)
    check_playout(game, state, seeded(size))


@pytest.mark.parametrize(("size", "playouts"), [(2, 60), (5, 60), (7, 20), (9, 20), (19, 1)])
def test_every_move_of_a_playout_is_one_of_the_first_rule_that_has_any(size, playouts):
    game, state = fresh(size)
    rng, rules = seeded(31, size), Counter[str]()
    for _ in range(playouts):
        rules += check_playout(game, state, rng)
    assert size < 5 or all(rules[name] > 20 for name in ("save", "pattern", "capture", "random"))


def listed_rule_moves(game: Go, state) -> set[reference.Point]:
    """The moves of `rule_moves`."""
    count = int(mogo.rule_moves(policy(), state))
    listed = [game.row_and_column(int(point)) for point in state.candidates[:count]]
    assert len(set(listed)) == count
    return set(listed)


@pytest.mark.parametrize(("size", "games"), [(5, 25), (9, 8)])
def test_the_moves_of_the_first_rule_are_listed_whole(size, games):
    """In positions of playouts: exactly the moves of the reference rules, and none if no rule applies."""
    game, start = fresh(size)
    rng, seen = seeded(41, size), Counter[str]()
    for _ in range(games):
        state = start.copy()
        moves = playout(game, start.copy(), rng)
        for move, (_, stones_on, colour, ko, last) in zip(moves, replay(game, start, moves), strict=True):
            name, allowed = slow_mogo.rule(stones_on, colour, ko, last)
            assert listed_rule_moves(game, state) == (allowed if name in ("save", "pattern", "capture") else set())
            seen[name] += 1
            interface.play(state, move)
    assert all(seen[name] > 10 for name in ("save", "pattern", "capture", "random"))


# --- Chances ---------------------------------------------------------------------------------------------------------

SAVES = """
    . . . . . . .
    . . X O . . .
    . X O X O . .
    . . . . . . .
    . . X . . . .
    . . . . . . .
    . . . . . . .
"""
PATTERNS = """
    . . . . . . .
    . . . . . . .
    . . X O . . .
    . . O X . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""
CAPTURES = """
    X O . . . O X
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    O X . . . X O
"""
KO_AND_CAPTURES = """
    . . . . O O X
    . X O . . . .
    X O . O . . .
    . X O . . . .
    . . . . . . .
    . . . . . . .
    O X . . . X O
"""
CHANCES = {
    "saves": (SAVES, 1, "B5", "save", 2),
    "patterns": (PATTERNS, 0, "C4", "pattern", 4),
    "captures": (CAPTURES, 0, "", "capture", 2),
    "random moves": (PATTERNS, 0, "", "random", 45),
}
DRAWS = 20_000


def first_moves(game: Go, start, rules, draws: int = DRAWS) -> Counter[reference.Point | None]:
    """How often each move was the first of a playout."""
    rng, trace = seeded(51), np.zeros(game.longest_playout + 2, np.uint16)
    states, counts = np.zeros(2, start.dtype), Counter[reference.Point | None]()
    states[0] = start
    for _ in range(draws):
        states[1] = states[0]
        play_out(rules, states[1], rng, trace, 0)
        counts[game.row_and_column(int(trace[0])) if trace[0] else None] += 1
    return counts


def position(diagram: str, to_play: int, last: str):
    game, state = state_from(drawn(diagram), "tactical", to_play)
    state.last_move = game.parse_move(last) if last else 0
    return game, state


@pytest.mark.parametrize("name", CHANCES)
def test_the_moves_of_a_rule_are_equally_likely(name):
    diagram, to_play, last, rule, least = CHANCES[name]
    game, state = position(diagram, to_play, last)
    where = game.row_and_column(game.parse_move(last)) if last else None
    found, allowed = slow_mogo.rule(reference.board_of(game, state), to_play, None, where)
    assert found == rule
    assert len(allowed) >= least
    counts = first_moves(game, state, policy())
    assert set(counts) == allowed
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4


def test_a_forbidden_ko_is_not_captured_and_stays_in_the_list():
    game, state = state_from(drawn(KO_AND_CAPTURES), "tactical", to_play=0)
    interface.play(state, game.parse_move("C5"))
    assert state.ko == game.parse_move("B5")
    interface.play(state, 0)
    interface.play(state, 0)
    state.passes, state.to_play, state.ko = 0, 1, game.parse_move("B5")
    counts = first_moves(game, state, policy(), 2000)
    assert set(counts) == {game.row_and_column(game.parse_move("G6"))}
    state.ko = 0
    counts = first_moves(game, state, policy(), 2000)
    assert set(counts) == {game.row_and_column(game.parse_move(point)) for point in ("B5", "G6")}


@pytest.mark.plain
def test_a_playout_counts_the_passes_before_it():
    diagram = drawn("""
        . X .
        X X X
        . X .
    """)
    for passes, expected in [(0, [0, 0]), (1, [0]), (2, [])]:
        game, state = state_from(diagram, "tactical", to_play=0)
        state.passes = passes
        assert playout(game, state, seeded(1)) == expected


@pytest.mark.parametrize("size", [5, 9])
def test_a_seed_gives_the_same_playouts_again_and_another_seed_others(size):
    game, start = fresh(size)
    once = [playout(game, start.copy(), seeded(seed)) for seed in (1, 1, 2)]
    assert once[0] == once[1] != once[2]


# --- Options ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "diagram", "to_play", "last"),
    [
        ("save_probability", SAVES, 1, "B5"),
        ("pattern_probability", PATTERNS, 0, "C4"),
        ("capture_probability", CAPTURES, 0, ""),
    ],
)
def test_a_rule_is_applied_with_its_probability(option, diagram, to_play, last):
    """Moves that only this rule has are played that often, and by chance among all others."""
    game, state = position(diagram, to_play, last)
    others = {"save_probability", "pattern_probability", "capture_probability"} - {option}
    stones_on = reference.board_of(game, state)
    where = game.row_and_column(game.parse_move(last)) if last else None
    allowed = slow_mogo.rule(stones_on, to_play, None, where)[1]
    sensible = reference.sensible_moves(stones_on, to_play, None)
    chance = len(allowed) / len(sensible)
    for probability in (0.0, 0.3, 1.0):
        rules = policy(**{option: probability}, **dict.fromkeys(others, 0.0))
        counts = first_moves(game, state, rules)
        expected = probability + (1 - probability) * chance
        share = sum(counts[move] for move in allowed) / DRAWS
        assert share == pytest.approx(expected, abs=4 * 0.5 / DRAWS**0.5)


EYE_SPACE = """
    . . . X O . .
    X X X X O . .
    O O O O O . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""


def test_with_nakade_the_middle_of_three_is_played_first():
    game, state = position(EYE_SPACE, 1, "B6")
    middle = game.row_and_column(game.parse_move("B7"))
    assert set(first_moves(game, state, policy(nakade=True), 300)) == {middle}
    assert first_moves(game, state, policy(), 300)[middle] < 300


SELF_ATARI = """
    . . . . . . .
    . . . . . . .
    . O X . . . .
    . X O X . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""


def test_with_capture_last_a_self_atari_is_captured_before_patterns():
    game, state = position(SELF_ATARI, 0, "C4")
    capture = game.row_and_column(game.parse_move("C3"))
    assert set(first_moves(game, state, policy(capture_last=True), 300)) == {capture}
    assert len(first_moves(game, state, policy(), 300)) > 1


TWO_LIBERTIES = """
    . . . . . . .
    . . . . . . .
    . . O . . . .
    . O X . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""


def test_with_two_liberties_chains_are_decided_before_patterns():
    game, state = position(TWO_LIBERTIES, 0, "B4")
    stones_on = reference.board_of(game, state)
    expected = slow_tactics.two_liberty_moves(stones_on, game.row_and_column(game.parse_move("B4")), 0)
    assert len(expected) == 2
    assert set(first_moves(game, state, policy(two_liberties=True), 300)) == expected
    assert set(first_moves(game, state, policy(), 300)) != expected


def test_with_fill_board_open_places_come_first():
    game, state = position(PATTERNS, 0, "C4")
    open_places = {
        point
        for point, colour in reference.board_of(game, state).items()
        if colour == reference.EMPTY
        and set(slow_mogo.around(reference.board_of(game, state), point, 0).values()) == {"."}
    }
    assert open_places
    filled = first_moves(game, state, policy(fill_board=100), 1000)
    assert set(filled) <= open_places
    some = first_moves(game, state, policy(fill_board=2), 2000)  # one draw: 45 of 49 points are empty
    share = sum(some[point] for point in open_places) / 2000
    assert share == pytest.approx(len(open_places) / 45, abs=0.06)


def test_self_ataris_are_refused_with_the_given_probability():
    """A move that takes a ko is self-atari; with refusal only the others are left."""
    game, state = position(
        """
        . . . . . . .
        . X O . . . .
        X O . O . . .
        . X O . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        0,
        "",
    )
    plain = dict.fromkeys(("capture_probability", "pattern_probability"), 0.0)
    ko = game.row_and_column(game.parse_move("C5"))
    stones_on = reference.board_of(game, state)
    self_ataris = {
        point
        for point in reference.sensible_moves(stones_on, 0, None)
        if slow_tactics.liberties_after(stones_on, point, 0) < 2
    }
    assert ko in self_ataris
    counts = first_moves(game, state, policy(random_self_atari_refusal=1.0, **plain), 3000)
    assert not self_ataris & set(counts)
    sometimes = first_moves(game, state, policy(random_self_atari_refusal=0.5, **plain))
    share = sum(sometimes[point] for point in self_ataris) / DRAWS
    never = first_moves(game, state, policy(**plain))
    whole = sum(never[point] for point in self_ataris) / DRAWS
    assert share / (1 - share) == pytest.approx(0.5 * whole / (1 - whole), rel=0.15)


def test_self_ataris_below_self_atari_stones_are_not_refused():
    game, state = position(
        """
        . O . . . . .
        X O . . . . .
        X O . . . . .
        . O . . . . .
        O . . . . . .
        . . . . . . .
        . . . . . O .
        """,
        0,
        "",
    )
    plain = dict.fromkeys(("save_probability", "capture_probability", "pattern_probability"), 0.0)
    of_three = {game.row_and_column(game.parse_move(name)) for name in ("A4", "A7")}
    stones_on = reference.board_of(game, state)
    sensible = set(reference.sensible_moves(stones_on, 0, None))
    self_ataris = {point for point in sensible if slow_tactics.liberties_after(stones_on, point, 0) < 2}
    assert of_three < self_ataris
    for stones, refused in ((1, self_ataris), (2, of_three), (3, of_three), (4, set[tuple[int, int]]())):
        rules = policy(random_self_atari_refusal=1.0, self_atari_stones=stones, **plain)
        assert set(first_moves(game, state, rules, 3000)) == sensible - refused


def test_pattern_moves_that_are_self_atari_are_refused_if_asked():
    diagram = """
        . . . . . . .
        . . . . . . .
        . . O . . . .
        . O X O . . .
        . O . O . . .
        . . . . . . .
        . . . . . . .
    """
    game, state = position(diagram, 0, "B4")
    where = game.row_and_column(game.parse_move("B4"))
    stones_on = reference.board_of(game, state)
    name, allowed = slow_mogo.rule(stones_on, 0, None, where)
    bad = {point for point in allowed if slow_tactics.liberties_after(stones_on, point, 0) < 2}
    assert name == "pattern"
    assert bad
    assert allowed - bad
    assert set(first_moves(game, state, policy(), 500)) == allowed
    assert set(first_moves(game, state, policy(self_atari_refusal=1.0), 500)) == allowed - bad


def test_mercy_ends_a_playout_at_the_given_lead_in_stones():
    game, start = fresh(9)
    rng = seeded(61)
    ended = 0
    for _ in range(60):
        state = start.copy()
        moves = playout(game, state, rng, policy(mercy=15))
        balances = []
        for point, stones_on, colour, _, _ in replay(game, start, moves):
            after = reference.after(stones_on, point, colour)[0] if point else stones_on
            balances.append(sum((c == 0) - (c == 1) for c in after.values()))
        looked_at = [balance for i, balance in enumerate(balances) if i % mogo.MERCY_STEP == 0 and moves[i]]
        assert all(abs(balance) < 15 for balance in looked_at[:-1])
        by_mercy = abs(balances[-1]) >= 15 and (len(moves) - 1) % mogo.MERCY_STEP == 0
        ended += by_mercy
        assert by_mercy or moves[-2:] == [0, 0] or len(moves) == game.longest_playout
        assert interface.is_over(state) or len(moves) == game.longest_playout
    assert ended > 20
