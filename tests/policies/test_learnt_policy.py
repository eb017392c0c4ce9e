"""The learnt playout policy: kept urgencies, chances and playouts, against products of gammas in plain Python."""

import math
from functools import cache

import numpy as np
import pytest
from scipy import stats

from tengen import Go
from tengen.errors import TengenError
from tengen.jit import new
from tengen.players import parse_player
from tengen.policies.go.gamma_table import GammaTable
from tengen.policies.go.learnt_parts import LEAST_ANSWER, MOST_ANSWER, compiled_policy
from tengen.policies.go.learnt_policy import ANSWERS
from tengen.policies.go.shape_features import feature_set
from tengen.policies.go.urgency import URGENCIES, begin
from tengen.policies.go.urgency_table import UNIT
from tengen.policies.playout import play_out
from tengen.rng import seeded
from tests.games.go import reference
from tests.policies.learnt_kernels import draw_learnt, play_learnt_and_compare, play_learnt_step
from tests.policies.test_move_features import features_by_point

BESIDE, DIAGONAL = 3.5, 0.75
"""Gammas of the points around the last move."""
TACTICS = {
    "capture": (2.0, 3.0, 4.0, 6.0),
    "escape": (2.5, 0.5),
    "self_atari": (0.5, 0.3, 0.2),
    "two_liberties": (3.0,),
    "nakade": (5.0,),
}
"""Gammas of groups of features."""


@cache
def random_table(tactics: bool = True) -> GammaTable:
    """Gammas for playouts in which all shapes differ, whole numbers in a kernel; without `tactics`, 1 for TACTICS."""
    features, gammas = feature_set("3x3"), np.ones(feature_set("3x3").count)
    shapes, last = features.groups["shape"], features.groups["last"].start
    gammas[shapes.start : shapes.stop] = (np.random.default_rng(7).permutation(len(shapes)) + 1) / UNIT
    gammas[last + 1], gammas[last + 2] = BESIDE, DIAGONAL
    for name, values in TACTICS.items():
        numbers = features.groups[name]
        gammas[numbers.start : numbers.stop] = values if tactics else 1.0
    return GammaTable("3x3", gammas)


def fresh(size: int):
    game = Go(size, 0.5, "simple")
    states = np.zeros(2, game.tactical_record)
    game.reset(states[0])
    return game, states


def expected_chances(game: Go, state, gammas: np.ndarray) -> dict[int, float]:
    """Return the probability of each point: the product of its gammas, divided by the sum over candidate moves."""
    features = features_by_point(game, state, "3x3")
    strengths = {game.point(*at): math.prod(float(gammas[number]) for number in own) for at, own in features.items()}
    return {point: strength / sum(strengths.values()) for point, strength in strengths.items()}


@pytest.mark.parametrize(("size", "games"), [(2, 60), (3, 60), (5, 100), (7, 60), (9, 200)])
def test_after_every_move_the_kept_urgencies_equal_those_computed_by_begin(size, games):
    _, states = fresh(size)
    policy, scratch = compiled_policy(random_table()), np.zeros(2, URGENCIES)
    field, moves, captures = play_learnt_and_compare(policy, scratch, new(ANSWERS), states, seeded(size, 3), games)
    assert field == 0, f"field {field} differs after {moves} moves"
    assert moves > games * size * size // 2
    assert captures > games // 2


@pytest.mark.parametrize("size", [5, 9])
def test_urgencies_are_the_gammas_of_the_shapes_of_both_colours_and_0_in_own_eyes(size):
    game, states = fresh(size)
    policy, kept, rng, eyes = compiled_policy(random_table()), new(URGENCIES), seeded(4, size), 0
    state, gammas, answers = states[0], random_table().gammas, new(ANSWERS)
    begin(policy, kept, state)
    while state.passes < 2:
        play_learnt_step(policy, kept, answers, state, rng)
        board = reference.board_of(game, state)
        mover = int(state.to_play)
        found = kept["points"] >> np.uint64(32 * mover) & np.uint64(0xFFFFFFFF)
        for point, numbers in features_by_point(game, state, "3x3").items():
            assert found[game.point(*point)] == round(UNIT * gammas[numbers[0]])
        for point, colour in board.items():
            if colour == reference.EMPTY and reference.is_eye(board, point, mover):
                assert found[game.point(*point)] == 0
                eyes += 1
    assert eyes > 20


@pytest.mark.parametrize("tactics", [False, True])
def test_moves_are_drawn_in_proportion_to_the_products_of_their_gammas(tactics):
    """Chi-square tests of 20,000 draws in positions of a game, with captures, ko and moves that are not candidates."""
    game, states = fresh(7)
    table, kept, answers, rng, smallest = random_table(tactics), new(URGENCIES), new(ANSWERS), seeded(5), []
    policy, state = compiled_policy(table), states[0]
    begin(policy, kept, state)
    drawn_features: set[int] = set()
    for number in range(80):
        if number % 4 == 1:
            counts = np.zeros(game.move_slots, np.int64)
            expected = expected_chances(game, state, table.gammas)
            before = kept.copy()
            draw_learnt(policy, kept, answers, state, rng, counts, 20_000)
            assert np.array_equal(before["points"], kept["points"])
            assert np.array_equal(before["rows"], kept["rows"])
            assert not answers["places"].any()
            assert set(np.flatnonzero(counts)) <= (set(expected) or {0})
            drawn_features.update(*features_by_point(game, state, "3x3").values())
            smallest += [fit(counts, expected)] if expected else []
        play_learnt_step(policy, kept, answers, state, rng)
        if state.passes:
            break
    assert len(smallest) >= 14
    assert min(smallest) > 0.001
    assert max(smallest) > 0.2
    groups = table.features.groups
    assert all(drawn_features & set(groups[name]) for name in ("capture", "escape", "self_atari", "two_liberties"))


def fit(counts: np.ndarray, expected: dict[int, float]) -> float:
    """Return the p-value of counts by a chi-square test, with the rare points together."""
    draws = counts.sum()
    points = [point for point, chance in expected.items() if draws * chance >= 5]
    observed = [*counts[points], draws - counts[points].sum()]
    wanted = [draws * expected[point] for point in points]
    wanted.append(draws - sum(wanted))
    if wanted[-1] < 5:
        observed, wanted = observed[:-1], [value * sum(observed[:-1]) / sum(wanted[:-1]) for value in wanted[:-1]]
    return float(stats.chisquare(observed, wanted).pvalue)


def test_gammas_are_those_of_the_table_within_the_limits_of_playouts():
    policy = compiled_policy(random_table())
    assert list(policy.near) == [DIAGONAL, BESIDE, DIAGONAL, BESIDE, BESIDE, DIAGONAL, BESIDE, DIAGONAL]
    assert list(policy.capture) == [1, *TACTICS["capture"]]
    assert list(policy.self_atari) == [1, *TACTICS["self_atari"]]
    gammas = random_table().gammas.copy()
    for name, value in (("capture", 1e6), ("escape", 1e-6), ("self_atari", 7.0)):
        gammas[feature_set("3x3").groups[name].start] = value
    policy = compiled_policy(GammaTable("3x3", gammas))
    assert (policy.capture[1], policy.escape[1], policy.self_atari[1]) == (MOST_ANSWER, LEAST_ANSWER, 1)


@pytest.mark.plain
@pytest.mark.parametrize("size", [2, 3, 5])
def test_after_every_move_of_one_game_the_kept_urgencies_equal_those_computed_by_begin(size):
    _, states = fresh(size)
    policy, scratch = compiled_policy(random_table()), np.zeros(2, URGENCIES)
    assert play_learnt_and_compare(policy, scratch, new(ANSWERS), states, seeded(size, 9), 1)[0] == 0


@pytest.mark.parametrize("size", [5, 9])
def test_playouts_end_by_two_passes_with_no_candidate_left_to_the_last_player(size):
    game, states = fresh(size)
    policy, rng, trace = compiled_policy(random_table()), seeded(8), np.zeros(game.longest_playout + 2, np.uint16)
    ended = 0
    for _ in range(20):
        states[1] = states[0]
        length = play_out(policy, states[1], rng, trace, 0)
        ended += int(states[1].passes == 2 and trace[length - 1] == trace[length - 2] == 0)
        board = reference.board_of(game, states[1])
        assert all(liberties for _, liberties in reference.chains(board))
    assert ended >= 18


def test_gammas_with_features_that_playouts_do_not_keep_are_refused_in_one_sentence(tmp_path):
    gammas = random_table().gammas.copy()
    gammas[feature_set("3x3").groups["atari"].start] = 2.0
    GammaTable("3x3", gammas).save(tmp_path / "a")
    with pytest.raises(TengenError, match=r"^these gammas are not for playouts; make them with `.* --use playout`$"):
        parse_player(f"uct:policy=learnt,policy_gammas={tmp_path / 'a'},memory=2").make(Go(9))


@pytest.mark.parametrize("player", ["uct:policy=learnt,simulations=30,memory=5", "random:policy=learnt"])
def test_players_use_the_gammas_of_the_package(player):
    game = Go(9)
    made, position = parse_player(player).make(game), game.start()
    for _ in range(8):
        position.play(made.choose(position))
    assert len(position.history) == 8
