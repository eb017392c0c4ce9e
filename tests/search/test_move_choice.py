"""How a searching player turns its tree into a move: ties, draws by temperature, resignation and passes."""

from collections import Counter

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen import Go
from tengen.games.go.game import PASS
from tengen.games.player import RESIGN
from tengen.players import parse_player
from tengen.plugins import load_plugin
from tengen.search.flat_player import FlatPlayer
from tengen.search.search_player import SearchPlayer
from tengen.search.tree import ROOT
from tests.test_plugins import EXAMPLES, registered, written  # noqa: F401 - a fixture


def player_of(text, game):
    made = parse_player(text).make(game)
    assert isinstance(made, SearchPlayer)
    return made


def searched(text, game):
    player = player_of(text, game)
    player.run_search(game.start())
    return player


def with_statistics(player, statistics):
    """Overwrite the visits and wins of the root's open moves, by slot; all others are unvisited."""
    row = player.search.row()
    legal = player.search.position.legal_move_numbers()
    row.visits[legal], row.wins[legal] = 0.0, 0.0
    for slot, (visits, wins) in statistics.items():
        row.visits[slot], row.wins[slot] = visits, wins
    row.total = sum(visits for visits, _ in statistics.values())
    return player


def ranked(player):
    return [move.number for move in player.search.moves(untried=False)]


def test_ties_in_visits_are_broken_by_value():
    player = with_statistics(searched("uct:simulations=1,memory=1", TicTacToe()), {0: (5, 1), 4: (5, 4), 7: (5, 2)})
    assert ranked(player) == [4, 7, 0]


def test_ties_in_visits_and_value_are_broken_by_the_prior():
    player = searched("uct:simulations=1,memory=1,prior=even,prior_weight=1", TicTacToe())
    prior = player.search.memory.priors[ROOT]
    prior.visits[:], prior.wins[:] = 0.0, 0.0
    prior.value[[0, 4, 7]] = 0.3, 0.4, 0.9
    with_statistics(player, {0: (5, 2), 4: (5, 2), 7: (5, 2)})
    assert ranked(player) == [7, 4, 0]


def test_full_ties_are_broken_at_random_and_the_same_for_the_same_seed():
    def first(seed):
        player = with_statistics(
            searched(f"uct:simulations=1,memory=1,seed={seed}", TicTacToe()), dict.fromkeys(range(9), (1, 1))
        )
        return ranked(player)[0]

    found = [first(seed) for seed in range(60)]
    assert len(set(found)) >= 7
    assert found == [first(seed) for seed in range(60)]


def test_with_fewer_simulations_than_moves_no_level_of_go_passes_in_the_opening():
    game = Go(9)
    for seed in range(5):
        player = player_of(f"uct:simulations=20,memory=5,seed={seed}", game)
        position = game.start()
        for _ in range(10):
            position.play(player.choose(position))
        assert "pass" not in [played.notation for played in position.history]


def test_at_temperature_one_moves_are_drawn_in_proportion_to_their_visits():
    player = searched("uct:simulations=1,memory=1,temperature=1", TicTacToe())
    with_statistics(player, {0: (60, 30), 4: (30, 15), 7: (10, 5)})
    drawn = Counter(player.best_number(player.search.position) for _ in range(2000))
    shares = np.array([drawn[slot] for slot in (0, 4, 7)]) / 2000
    assert shares == pytest.approx([0.6, 0.3, 0.1], abs=0.04)


def test_a_low_temperature_sharpens_the_draw():
    """At 0.5 the weights are the squares of the visits: 9 to 1 for visits of 3 to 1."""
    player = searched("uct:simulations=1,memory=1,temperature=0.5", TicTacToe())
    with_statistics(player, {0: (30, 15), 4: (10, 5)})
    drawn = Counter(player.best_number(player.search.position) for _ in range(2000))
    assert drawn[0] / 2000 == pytest.approx(0.9, abs=0.03)


def test_the_draws_follow_the_seed():
    def moves(seed):
        player = player_of("mc-rave:simulations=30,memory=5,temperature=2", Go(5))
        player.new_game(seed)
        position = Go(5).start()
        return [position.play(player.choose(position)).history[-1].notation for _ in range(8)]

    assert moves(3) == moves(3)
    assert len({tuple(moves(seed)) for seed in range(5)}) > 1


def test_a_proved_win_is_played_at_any_temperature():
    position = TicTacToe().start().play("a1").play("a2").play("b1").play("b2")
    player = player_of("uct:simulations=400,memory=2,solver=true,temperature=50", TicTacToe())
    assert {player.choose(position) for _ in range(10)} == {"c1"}


def test_a_resignation_threshold_of_zero_never_resigns():
    """The sums of an accelerated backup can make a value that is below zero by a rounding error."""
    player = searched("uct:simulations=1,memory=1,backup=accelerated", TicTacToe())
    with_statistics(player, {0: (10, -2.2e-15), 4: (5, -1e-15)})
    assert set(player.search.values().values()) == {0.0}
    assert player.best_number(player.search.position) != RESIGN
    analysis = player.analysis(player.search.position)
    assert analysis.value == 0.0
    assert [move.value for move in analysis.moves[:2]] == [0.0, 0.0]


def test_a_value_below_the_threshold_resigns():
    player = searched("uct:simulations=1,memory=1,resign=0.2", TicTacToe())
    with_statistics(player, {0: (10, 1), 4: (5, 2)})
    assert player.best_number(player.search.position) == RESIGN


def with_rave_statistics(player, statistics):
    """Overwrite the RAVE visits and wins of the root, by slot."""
    row = player.search.row()
    row.rave_visits[:], row.rave_wins[:] = 0.0, 0.0
    for slot, (visits, wins) in statistics.items():
        row.rave_visits[slot], row.rave_wins[slot] = visits, wins
    return player


VISITED, SEEN = {0: (50, 30), 1: (8, 4), 7: (2, 1)}, {0: (100, 40), 2: (20, 15), 7: (10, 1)}


def test_with_eval_the_move_with_the_best_mixture_of_value_and_rave_value_is_played():
    """4 b^2 = 0.04. Move 0: n = 50, m = 100, beta = 100 / (150 + 200); move 7: n = 2, m = 10, beta = 10 / 12.8.

    Move 2 has only a RAVE value, move 1 only a value, the others neither: they come last.
    """
    player = searched("mc-rave:simulations=1,memory=1,bias=0.1,exploration=1,final_move=eval", TicTacToe())
    with_rave_statistics(with_statistics(player, VISITED), SEEN)
    found = {move.number: move.greedy_value for move in player.search.moves()}
    expected = {0: 0.6 * 5 / 7 + 0.4 * 2 / 7, 1: 0.5, 2: 0.75, 7: 0.5 * 2.8 / 12.8 + 0.1 * 10 / 12.8}
    assert {move: value for move, value in found.items() if value is not None} == pytest.approx(expected, rel=1e-6)
    assert list(found)[:4] == ranked(player) == [2, 0, 1, 7]
    assert player.best_number(player.search.position) == 2
    analysis = player.analysis(player.search.position)
    assert [move.number for move in analysis.moves[:4]] == [2, 0, 1, 7]
    assert analysis.to_json()["moves"][0]["greedy_value"] == pytest.approx(0.75)
    assert "75.0%" in analysis.table()


@pytest.mark.parametrize(
    "policy",
    [
        *(f"{name},exploration=9" for name in ("ucb1", "ucb1-tuned", "uct-rave", "mc-rave", "fuego-rave")),
        *("ucb-v,exploration=9,correction=0", "plain"),
    ],
)
def test_with_eval_no_tree_policy_explores(policy, tmp_path, registered):  # noqa: F811
    """In the short form, ucb-v has another option for a second bonus, and plain has no options for exploration."""
    load_plugin(EXAMPLES / "my_tree_policy.py")
    load_plugin(written(tmp_path, PLAIN_POLICY))
    player = searched(f"uct:tree_policy={policy},simulations=1,memory=1,final_move=eval", TicTacToe())
    with_statistics(player, {0: (1, 0.5), 3: (400, 240), 4: (100, 61)})
    if player.config.rave:
        with_rave_statistics(player, {})
    assert ranked(player) == [4, 3, 0]
    assert [move.greedy_value for move in player.search.moves()[:3]] == pytest.approx([0.61, 0.6, 0.5], rel=1e-6)
    assert {move.greedy_value for move in player.search.moves()[3:]} == {None}


PLAIN_POLICY = """
import tengen as tg

@tg.tree_policy("plain")
def plain(policy, node, visits, wins, rave_visits, rave_wins):
    return wins / visits
"""


def test_with_eval_a_move_without_statistics_is_played_if_there_is_no_other():
    player = player_of("mc-rave:memory=1,final_move=eval,first_play=5", TicTacToe())
    player.search.set_position(TicTacToe().start())
    assert len(player.search.moves(untried=False)) == 9
    with_rave_statistics(player, {6: (1, 0)})
    assert ranked(player)[0] == 6


def test_with_eval_only_legal_moves_are_played():
    """A point that White may not retake at once has the best RAVE value."""
    diagram = ". X O . .\nX . X O .\n. X O . .\n. . . . .\n. . . . ."
    position = Go(5).from_diagram(diagram, "white").play("B4")
    player = player_of("mc-rave:simulations=50,memory=1,final_move=eval", position.game)
    player.run_search(position)
    forbidden = position.game.parse_move("C4")
    assert not position.is_legal(forbidden)
    with_rave_statistics(player, {forbidden: (1000, 1000)})
    assert forbidden not in ranked(player)


@pytest.mark.parametrize("final_move", ["value", "eval"])
def test_a_proved_win_is_played_before_a_higher_value(final_move):
    position = TicTacToe().start().play("a1").play("a2").play("b1").play("b2")
    player = player_of(f"mc-rave:simulations=400,memory=2,solver=true,final_move={final_move}", TicTacToe())
    assert player.choose(position) == "c1"


@pytest.mark.parametrize(("final_move", "settled"), [("visits", True), ("value", False), ("eval", False)])
def test_only_the_most_visited_move_is_settled_by_visits(final_move, settled):
    player = searched(f"uct:simulations=1,memory=1,final_move={final_move}", TicTacToe())
    with_statistics(player, {0: (90, 40), 4: (5, 2)})
    assert player.search.is_settled(10) is settled
    player.search.ban(range(8))
    assert player.search.is_settled(10)


def test_with_eval_a_low_rave_value_resigns():
    player = searched("mc-rave:simulations=1,memory=1,resign=0.2,final_move=eval", TicTacToe())
    with_rave_statistics(with_statistics(player, {0: (100, 1)}), {4: (100, 15)})
    assert ranked(player)[0] == 4
    assert player.best_number(player.search.position) == RESIGN


@pytest.mark.parametrize(
    ("values", "chosen", "why"),
    [
        ({PASS: 0.6, 40: 0.58}, 40, "an undecided game goes on while a move is about as good as the pass"),
        ({PASS: 0.6, 40: 0.3, 41: 0.55}, 41, "the first useful move in the ranking"),
        ({PASS: 0.6, 40: 0.3, 41: 0.2}, PASS, "all other moves are much worse, as in a seki"),
        ({PASS: 0.96, 40: 0.95}, PASS, "the game is decided"),
    ],
)
def test_white_who_is_ahead_by_komi_passes_only_for_a_reason(values, chosen, why):
    ranking = [PASS, 40, 41] if 41 in values else [PASS, 40]
    winning = Go(9, komi=100).start().play("E5")
    assert Go(9, komi=100).reviewed(winning, ranking, values) == chosen, why


@pytest.mark.parametrize("ranking", [[40, PASS, 41], [PASS, 40], [PASS]])
@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_by_margin_the_side_ahead_plays_the_first_of_the_ranking(ranking, value):
    """Also after a pass of the opponent, when a pass would end the game and win it."""
    values = dict.fromkeys(ranking, value)
    for winning in (
        Go(9, komi=100).start().play("E5"),
        Go(9, komi=-100).start(),
        Go(9).start().play("E5").play("pass"),
    ):
        assert winning.game.reviewed_by_margin(winning, ranking, values) == ranking[0]


@pytest.mark.parametrize(
    ("ranking", "chosen"), [([PASS, 40, 41], 40), ([40, PASS], 40), ([41, 40], 41), ([PASS], PASS)]
)
@pytest.mark.parametrize("values", [{}, {PASS: 0.9, 40: 0.0, 41: 0.5}])
def test_by_margin_the_side_behind_passes_only_without_other_moves(ranking, chosen, values):
    for behind in (Go(9, komi=100).start(), Go(9, komi=-100).start().play("E5"), Go(9, -7.5).start().play("pass")):
        assert behind.game.reviewed_by_margin(behind, ranking, values) == chosen


@pytest.mark.parametrize("player", ["flat-mc", "amaf"])
def test_flat_players_choose_by_margin_only_with_the_objective_score(player):
    """Black wins by 4 points by passing after White's pass, and by more by playing on."""
    position = Go(5, komi=-3).start().play("C3").play("A1").play("B2").play("pass")
    for objective, passes in (("wins", True), ("score", False)):
        made = parse_player(f"{player}:simulations=200,objective={objective},seed=1").make(position.game)
        assert isinstance(made, FlatPlayer)
        made.run_search(position)
        first = made.search.moves()[0].number
        assert first != PASS
        assert made.best_number(position) == (PASS if passes else first)


def test_the_side_behind_passes_only_without_other_moves():
    behind = Go(9).start()
    assert Go(9).reviewed(behind, [PASS, 40], {PASS: 0.9, 40: 0.01}) == 40
    assert Go(9).reviewed(behind, [PASS], {PASS: 0.9}) == PASS
