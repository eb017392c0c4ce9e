"""Policies over a value of shapes, and the same value as a prior, against a slow reference."""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from tengen.errors import TengenError
from tengen.games.go.game import Go
from tengen.games.havannah.game import Havannah
from tengen.games.interface import is_candidate
from tengen.players import parse_player, parse_search
from tengen.policies.go.shape_weights import shape_policy, shape_prior
from tengen.policies.go.weights import ShapeWeights
from tengen.policies.go.windows import shape_set
from tengen.policies.playout import play_out
from tengen.rng import seeded
from tengen.search.search import Search
from tests.policies.test_shapes import SlowValue, board_of, random_game, random_weights, sigma_of

SIZE = 5


def sensible_moves(position):
    state = position.tactical_state()
    return [
        move
        for move in position.legal_moves()
        if move != "pass" and is_candidate(state, position.game.parse_move(move))
    ]


def slow_values(weights, position):
    """Q of each candidate move for the mover, from the board after it."""
    slow, sign = SlowValue(weights), 1 if position.to_play == "black" else -1
    return {
        move: sigma_of(sign * slow.total(board_of(position.copy().play(move)))) for move in sensible_moves(position)
    }


def first_moves(policy, position, count, seed=1):
    """How often playouts of a policy begin with each move."""
    found: Counter[str] = Counter()
    game, rng = position.game, seeded(seed)
    line, states = np.zeros(game.longest_playout + 2, np.uint16), np.zeros(1, game.tactical_record)
    start = position.tactical_state()
    for _ in range(count):
        states[0] = start
        play_out(policy, states[0], rng, line, 0)
        found[game.format_move(int(line[0]))] += 1
    return found


def is_close(count, share, total):
    """Within five standard errors of what a share of all would be."""
    return abs(count - share * total) <= 5 * math.sqrt(share * (1 - share) * total) + 1e-9


def test_the_greedy_policy_plays_the_best_move_by_value():
    weights = random_weights(SIZE)
    policy = shape_policy(weights)
    for seed in range(6):
        position = random_game(SIZE, 8 + seed, seed)
        values = slow_values(weights, position)
        assert first_moves(policy, position, 3) == {max(values, key=values.__getitem__): 3}


def test_a_capture_is_valued_by_the_board_that_it_leaves():
    """Only White's stone at C3 has a weight: Black captures it, though Black's own stones have no weight."""
    shapes = shape_set(SIZE)
    weights = ShapeWeights(shapes, np.zeros(shapes.weights, np.float32))
    centre = max(abs(int(number)) for number in shapes.local_class[: 3 * shapes.places[0]])
    weights.weights[centre - 1] = 1.0
    position = Go(SIZE).from_diagram(
        """
        . . . . .
        . . X . .
        . X O . .
        . . X . .
        . . . . .
        """
    )
    assert weights.stone_weights()[2][2] == 1.0
    assert first_moves(shape_policy(weights), position, 20) == {"D3": 20}


def test_moves_of_equal_value_are_equally_likely():
    shapes = shape_set(SIZE)
    policy = shape_policy(ShapeWeights(shapes, np.zeros(shapes.weights, np.float32)))
    found = first_moves(policy, Go(SIZE).start(), 5000)
    assert len(found) == 25
    assert all(is_close(count, 1 / 25, 5000) for count in found.values())


def test_epsilon_is_the_share_of_random_moves():
    weights, position = random_weights(SIZE), random_game(SIZE, 10, seed=2)
    values = slow_values(weights, position)
    best, epsilon = max(values, key=values.__getitem__), 0.3
    found = first_moves(shape_policy(weights, epsilon=epsilon), position, 4000)
    for move in values:
        share = epsilon / len(values) + (1 - epsilon if move == best else 0)
        assert is_close(found[move], share, 4000), move
    assert set(found) <= set(values)


def test_temperature_makes_a_softmax_of_the_values():
    weights, position = random_weights(SIZE), random_game(SIZE, 10, seed=2)
    values, tau = slow_values(weights, position), 0.05
    found = first_moves(shape_policy(weights, tau=tau), position, 4000)
    total = sum(math.exp(value / tau) for value in values.values())
    for move, value in values.items():
        assert is_close(found[move], math.exp(value / tau) / total, 4000), move


def test_noise_lets_the_better_of_two_moves_win_as_often_as_the_normal_distribution_says():
    weights = random_weights(SIZE, seed=8)
    position = Go(SIZE).from_diagram(
        """
        X X X X X
        X . X . X
        X X X X X
        O O O O O
        O . O . .
        """
    )
    values = slow_values(weights, position)
    assert len(values) == 2
    (best, high), (_, low) = sorted(values.items(), key=lambda item: -item[1])
    sigma = 0.05
    share = 0.5 * (1 + math.erf((high - low) / (2 * sigma)))
    assert 0.55 < share < 0.999
    found = first_moves(shape_policy(weights, sigma=sigma), position, 4000)
    assert is_close(found[best], share, 4000)


@pytest.mark.parametrize("chance", [{}, {"epsilon": 0.2}, {"sigma": 0.1}, {"tau": 0.1}])
def test_playouts_obey_the_rules_and_end_without_candidate_moves(chance):
    policy = shape_policy(random_weights(SIZE), **chance)
    game, rng = Go(SIZE, ko="simple"), seeded(3)
    line, states = np.zeros(game.longest_playout + 2, np.uint16), np.zeros(1, game.tactical_record)
    for _ in range(5):
        game.reset(states[0])
        length = play_out(policy, states[0], rng, line, 0)
        position = game.start()
        for move in line[:length]:
            assert move == 0 or is_candidate(position.state, int(move))
            position.play(game.format_move(int(move)))
        assert length < game.longest_playout
        assert position.is_over
        assert not sensible_moves(position.undo())


# --- The prior -------------------------------------------------------------------------------------------------------


def saved(tmp_path, weights, **about):
    path = tmp_path / "random.weights"
    ShapeWeights(weights.shapes, weights.weights, about).save(path)
    return path


def test_the_prior_of_every_move_is_its_value_for_the_mover(tmp_path):
    weights = random_weights(SIZE)
    path = saved(tmp_path, weights)
    for seed, moves in ((1, 9), (2, 12)):
        position = random_game(SIZE, moves, seed)
        config = parse_search(f"mc-rave:prior=rlgo,prior_weight=50,weights={path},memory=1")
        search = Search(config, position.game)
        search.set_position(position)
        said, row = search.memory.priors[0], search.row()
        for move, value in slow_values(weights, position).items():
            slot = position.game.parse_move(move)
            assert said.value[slot] == pytest.approx(value, abs=1e-5)
            assert said.weight[slot] == 50
            assert row.rave_visits[slot] == 50
            assert row.rave_wins[slot] == pytest.approx(50 * value, abs=1e-3)


def test_experience_by_variance_is_the_number_of_games_of_equal_variance(tmp_path):
    weights = random_weights(SIZE)
    variance = [0.01 * (phase + 1) for phase in range(8)]
    path = saved(tmp_path, weights, variance=variance)
    position = random_game(SIZE, 10, seed=1)
    stones = int((position.state.colour < 2).sum())
    config = parse_search(f"mc-rave:prior=rlgo,prior_weight=variance,prior_scale=2,weights={path},memory=1")
    search = Search(config, position.game)
    search.set_position(position)
    for move, value in slow_values(weights, position).items():
        slot = position.game.parse_move(move)
        expected = 2 * value * (1 - value) / variance[8 * stones // 25]
        assert search.memory.priors[0].weight[slot] == pytest.approx(expected, rel=1e-3)


def test_prior_weight_variance_needs_weights_with_variances():
    with pytest.raises(TengenError, match="have no variances"):
        shape_prior(random_weights(SIZE), by_variance=True)


# --- Players ---------------------------------------------------------------------------------------------------------


def test_a_player_by_weights_of_another_size_or_for_another_game_is_refused(tmp_path):
    path = saved(tmp_path, random_weights(SIZE))
    with pytest.raises(TengenError, match="are for 5x5 boards, not for 9x9"):
        parse_player(f"rlgo:weights={path}").make(Go(9))
    with pytest.raises(TengenError, match="the playout policy rlgo is for go, not for havannah"):
        parse_player("rlgo").make(Havannah(4))
    with pytest.raises(TengenError, match="no learnt weights for 25x25, only for"):
        parse_player("rlgo").make(Go(25))


def test_the_player_plays_its_policy(tmp_path):
    weights = random_weights(SIZE)
    position = random_game(SIZE, 9, seed=4)
    player = parse_player(f"rlgo:weights={saved(tmp_path, weights)}").make(position.game)
    values = slow_values(weights, position)
    assert player.choose(position) == max(values, key=values.__getitem__)


def test_the_shipped_9x9_policy_chooses_the_same_moves_in_a_playout_and_from_a_position():
    """In a playout the values are updated incrementally; a player evaluates each position from scratch."""
    game = Go(9, ko="simple")
    player: Any = parse_player("rlgo").make(game)
    line, states = np.zeros(game.longest_playout + 2, np.uint16), np.zeros(1, game.tactical_record)
    game.reset(states[0])
    length = play_out(player.policy, states[0], seeded(1), line, 0)
    position = game.start()
    assert length > 60
    moves = [game.format_move(int(move)) for move in line[:length]]
    for move in moves[:8]:  # symmetric moves may have equal values
        position.play(move)
    for move in moves[8:]:
        assert player.choose(position) == move
        position.play(move)
    assert any(played.notation == "pass" for played in position.history[-2:])


def test_the_shipped_player_of_9x9_beats_random_play():
    game = Go(9)
    players = [parse_player(name).make(game) for name in ("rlgo", "random")]
    for first in (0, 1):
        position = game.start()
        while not position.is_over:
            position.play(players[(first + len(position.history)) % 2].choose(position))
        assert position.winner == ("black", "white")[first]


def test_a_greedy_player_passes_only_if_superko_forbids_all_other_moves(tmp_path):
    """Its policy knows only simple ko, and would choose the same forbidden move repeatedly."""
    path = saved(tmp_path, random_weights(SIZE))
    game, forbidden = Go(SIZE, komi=0.5), 0
    players = [parse_player(f"rlgo:weights={path}{chance}").make(game) for chance in ("", ",epsilon=0.2")]
    for seed in range(30):
        position = game.start()
        for player in players:
            player.new_game(seed)
        while not position.is_over and len(position.history) < 200:
            by_simple_ko = position.under(Go(SIZE, komi=0.5, ko="simple")).legal_moves()
            forbidden += len(position.legal_moves()) < len(by_simple_ko)
            move = players[len(position.history) % 2].choose(position)
            assert move != "pass" or not sensible_moves(position)
            position.play(move)
    assert forbidden > 3
