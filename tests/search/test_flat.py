"""Monte-Carlo evaluation without a tree: formulas by hand, means against exact expectations, and whole games."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen import Go, Havannah, Othello
from tengen.errors import TengenError
from tengen.games.clock import Clock, TimeControl
from tengen.games.game import Position
from tengen.players import BadPlayer, parse_player
from tengen.search import flat
from tengen.search.flat import SCORE, WINS
from tengen.search.flat_config import AmafConfig, FlatConfig
from tengen.search.flat_player import FlatPlayer
from tengen.search.time_management import SLICE, allot
from tests.fake_clock import FakeClock


def player_of(text, game):
    made = parse_player(text).make(game)
    assert isinstance(made, FlatPlayer)
    return made


def timed_player_of(text, game, pace):
    """Return a player and its clock, on which only random games take time, `pace` seconds each."""
    spec, now = parse_player(text), FakeClock(pace)
    assert isinstance(spec.config, FlatConfig | AmafConfig)
    player = FlatPlayer(spec.config, game, now)
    now.watch(lambda: player.search.simulations)
    return player, now


def sampling_of(text, position):
    sampling = player_of(text, position.game).search
    sampling.set_position(position)
    return sampling


def give_results(sampling, results):
    """Set the moves of a sampling and the results of their games, by the objective."""
    sampling.samples = sampling.samples._replace(moves=np.array(list(results), np.uint16))
    samples, objective = sampling.samples, sampling.objective
    for move, of_move in results.items():
        samples.visits[move] = len(of_move)
        samples.sums[objective, move] = sum(of_move)
        samples.squares[objective, move] = sum(result * result for result in of_move)
    everything = [result for of_move in results.values() for result in of_move]
    counts = samples.counts
    counts.games, counts.total = len(everything), sum(everything)
    counts.total_squares = sum(result * result for result in everything)
    counts.open = len(results)


# --- Formulas --------------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_the_upper_bound_is_that_of_ucb1():
    """Means 2/4 and 6/10 of 14 games: 0.5 + c sqrt(ln 14 / 4) and 0.6 + c sqrt(ln 14 / 10) cross at c = 0.335."""
    log = math.log(14)
    crossing = 0.1 / (math.sqrt(log / 4) - math.sqrt(log / 10))
    assert crossing == pytest.approx(0.3349, abs=1e-4)
    for exploration, chosen in ((crossing - 0.01, 7), (crossing + 0.01, 3)):
        sampling = sampling_of(f"flat-mc:selection=ucb,exploration={exploration}", TicTacToe().start())
        give_results(sampling, {3: [1, 1, 0, 0], 7: [1] * 6 + [0] * 4})
        assert flat.most_promising(sampling.selection, sampling.rules, sampling.samples) == chosen


@pytest.mark.plain
def test_a_move_without_games_is_the_most_promising():
    sampling = sampling_of("flat-mc:selection=ucb", TicTacToe().start())
    give_results(sampling, {3: [1, 1], 5: [], 7: [1]})
    assert flat.most_promising(sampling.selection, sampling.rules, sampling.samples) == 5


@pytest.mark.plain
def test_scores_are_measured_in_twice_their_deviation():
    """Scores of 10 (6 of 10) and -10: as wins and losses, moved and stretched; nothing is chosen differently."""
    game = Go(5)
    won = {7: [10.0, 10, -10, -10], 9: [10.0] * 6 + [-10.0] * 4}
    everything = [result for results in won.values() for result in results]
    unit = 2 * np.std(everything)
    log = math.log(14)
    crossing = (2.0 - 0.0) / unit / (math.sqrt(log / 4) - math.sqrt(log / 10))
    for exploration, chosen in ((crossing - 0.01, 9), (crossing + 0.01, 7)):
        sampling = sampling_of(f"flat-mc:selection=ucb,exploration={exploration}", game.start())
        assert sampling.objective == SCORE
        give_results(sampling, won)
        assert flat.most_promising(sampling.selection, sampling.rules, sampling.samples) == chosen


def results_with(mean, games, spread=1.0):
    """Return `games` results, half of them above and half below `mean` by `spread`, their standard deviation."""
    return [mean + spread, mean - spread] * (games // 2)


@pytest.mark.plain
def test_a_move_is_pruned_when_its_interval_lies_below_anothers():
    """100 games with a deviation of 1: s = 0.1. With r_d = 2 an interval reaches 0.2 to both sides."""
    sampling = sampling_of("flat-mc:selection=pruning,difference=2,equality=0", Go(5).start())
    give_results(sampling, {7: results_with(5, 100), 8: results_with(4.61, 100), 9: results_with(4.59, 100)})
    flat.prune(sampling.selection, sampling.rules, sampling.samples)
    counts = sampling.samples.counts
    assert set(sampling.samples.moves[: counts.open]) == {7, 8}
    assert not counts.is_decided
    assert [move.number for move in sampling.moves()] == [7, 8, 9]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("settings", "means", "decided"),
    [
        ("equality=0", (5.0, 4.0), True),  # one is left
        ("equality=0", (5.0, 4.9), False),
        ("equality=0.101", (5.0, 4.9), True),  # s = 0.1: equal
        ("equality=0.099", (5.0, 4.9), False),
        ("equality=0,most_games=100", (5.0, 4.9), True),
        ("equality=0,first_games=101", (5.0, 4.0), False),  # too early
    ],
)
def test_a_race_ends_with_one_move_or_equal_ones_or_enough_games(settings, means, decided):
    sampling = sampling_of(f"flat-mc:selection=pruning,{settings}", Go(5).start())
    give_results(sampling, {7: results_with(means[0], 100), 8: results_with(means[1], 100)})
    flat.prune(sampling.selection, sampling.rules, sampling.samples)
    assert bool(sampling.samples.counts.is_decided) is decided


@pytest.mark.plain
@pytest.mark.parametrize(("game", "settings"), [(Go(5), "objective=wins,"), (Havannah(3), "")])
@pytest.mark.parametrize(("equality", "decided"), [(5.1, True), (4.9, False)])
def test_equality_is_a_percentage_where_wins_are_compared(game, settings, equality, decided):
    """100 games with a standard deviation of 0.5: s = 5 %."""
    sampling = sampling_of(f"flat-mc:selection=pruning,{settings}equality={equality}", game.start())
    assert sampling.objective == WINS
    give_results(sampling, {7: results_with(0.5, 100, spread=0.5), 8: results_with(0.5, 100, spread=0.5)})
    flat.prune(sampling.selection, sampling.rules, sampling.samples)
    assert bool(sampling.samples.counts.is_decided) is decided


@pytest.mark.plain
@pytest.mark.parametrize(("to_play", "own"), [("black", 3.5), ("white", -3.5)])
def test_every_move_that_is_first_on_its_point_is_credited(to_play, own):
    """The side to move plays 7, 9, 7 again; the other 8, 9 (where it is not first) and a pass. Black wins by 3.5."""
    game = Go(5, komi=0.5)
    picture = """
    X X X . .
    X X X . .
    X X X . .
    O O O . .
    O O . . .
    """  # 9 stones to 5, and half a point of komi
    position = game.from_diagram(picture, to_play)
    assert position.score == 3.5
    sampling = sampling_of("amaf", position)
    samples = sampling.samples
    samples.states[1], samples.counts.games = samples.states[0], 1
    line = [7, 8, 9, 9, 7, 0]
    samples.line[: len(line)] = line
    flat.credit_moves(sampling.rules, samples, len(line))
    assert {(side, int(move)): int(samples.credits[side, move]) for side, move in np.argwhere(samples.credits)} == {
        (0, 7): 1,
        (1, 8): 1,
        (0, 9): 1,
    }
    assert samples.credit_sums[SCORE, 0, [7, 9]].tolist() == [own, own]
    assert samples.credit_sums[SCORE, 1, 8] == -own
    won = 1.0 if own > 0 else 0.0
    assert samples.credit_sums[WINS, :, [7, 8]].tolist() == [[won, 0.0], [0.0, 1.0 - won]]


@pytest.mark.plain
def test_the_untracked_move_counts_only_as_the_first_move():
    game = Havannah(3, swap=True)
    sampling = sampling_of("amaf", game.start().play("c3"))
    samples, swap = sampling.samples, game.parse_move("swap")
    samples.states[1], samples.counts.games = samples.states[0], 1
    samples.line[:2] = [swap, 4]
    flat.credit_moves(sampling.rules, samples, 2)
    samples.counts.games = 2
    samples.line[:2] = [4, swap]
    flat.credit_moves(sampling.rules, samples, 2)
    assert samples.credits[:, swap].tolist() == [1, 0]


@pytest.mark.plain
def test_at_temperature_zero_moves_are_ordered_by_the_mean_of_their_credits():
    sampling = sampling_of("amaf:annealing=true,objective=wins", Go(5).start())
    samples = sampling.samples
    samples.counts.games, samples.counts.total = 10, 5.0
    samples.credits[1, [7, 8, 9]] = 4
    samples.credit_sums[WINS, 1, [7, 8, 9]] = 1.0, 3.0, 2.5
    flat.order_moves(sampling.rules, samples, 1, 0.0)
    keys = samples.keys[1]
    unknown = keys[10]  # its value is the mean of all games, one half
    assert keys[8] < keys[9] < unknown < keys[7] < keys[0] == math.inf
    assert (keys[8], keys[9], unknown) == (0, 1, 2)


@pytest.mark.plain
def test_annealing_lowers_a_move_by_the_temperature_on_average():
    """The best move's key is T times an exponential random number: its mean is T, its deviation too."""
    sampling = sampling_of("amaf:annealing=true", TicTacToe().start())
    sampling.samples.credits[0, 4] = sampling.samples.credit_sums[WINS, 0, 4] = 1
    keys = []
    for _ in range(400):
        flat.order_moves(sampling.rules, sampling.samples, 0, 3.0)
        keys.append(sampling.samples.keys[0, 4])
    assert np.mean(keys) == pytest.approx(3.0, abs=4 * 3 / math.sqrt(400))
    assert np.std(keys) == pytest.approx(3.0, rel=0.3)


def test_annealing_ends_by_repeating_the_same_game():
    """At temperature 0 the best moves are always played: most games begin with the same move."""
    game = Go(5)
    sampling = sampling_of("amaf:annealing=true,temperature=10", game.start())
    sampling.plan(500)
    sampling.run(500)
    hot = sampling.samples.visits.copy()
    sampling.run(100)
    assert (sampling.samples.visits - hot).max() >= 60
    assert hot.max() < 250


@pytest.mark.plain
def test_with_annealing_only_a_sides_own_games_count_for_its_moves():
    """Move 7 did better for the side to move, move 8 for both sides together."""
    for settings, best in (("annealing=true", 7), ("annealing=false", 8)):
        sampling = sampling_of(f"amaf:objective=wins,{settings}", Go(5).start())
        sampling.samples.credits[:, [7, 8]] = 10
        sampling.samples.credit_sums[WINS][:, [7, 8]] = [[8.0, 7.0], [2.0, 9.0]]
        assert sampling.best_move() == best


# --- Means against exact expectations --------------------------------------------------------------------------------


def expectation(position: Position) -> Fraction:
    """Return Black's mean result with uniformly random legal moves, by full enumeration."""
    if position.is_over:
        return {"black": Fraction(1), "white": Fraction(0), "draw": Fraction(1, 2)}[position.winner or ""]
    total, moves = Fraction(0), position.legal_move_numbers()
    for move in moves:
        total += expectation(position.play(int(move)))
        position.undo()
    return total / len(moves)


@pytest.mark.parametrize("selection", ["uniform", "ucb", "pruning,equality=0"])
@pytest.mark.parametrize("picture", ["X O X / . O . / . X .", "X . . / . O . / . X ."])
def test_values_agree_with_exact_expectations_of_random_games(picture, selection):
    game = TicTacToe()
    to_play = "black" if picture.count("X") == picture.count("O") else "white"
    position = game.from_diagram(picture.replace(" / ", "\n"), to_play)
    player = player_of(f"flat-mc:selection={selection},simulations=8000", game)
    analysis = player.analyse(position)
    assert len(analysis.moves) == picture.count(".")
    for found in analysis.moves:
        after = position.copy().play(found.move)
        exact = float(expectation(after) if to_play == "black" else 1 - expectation(after))
        assert found.value == pytest.approx(exact, abs=4 * 0.5 / math.sqrt(found.visits))


def test_uniform_selection_gives_all_moves_equally_many_games():
    analysis = player_of("flat-mc:simulations=80", TicTacToe()).analyse(TicTacToe().start())
    assert sorted(move.visits for move in analysis.moves) == [8] + 8 * [9]


def test_the_score_of_a_decided_board_is_known_exactly():
    """Both sides have two eyes, and only eye-filling moves are left."""
    game = Go(5, komi=0.5)
    picture = """
    . X X O .
    X X X O O
    . X X O .
    X X X O O
    . X X O .
    """
    analysis = player_of("flat-mc:simulations=50", game).analyse(game.from_diagram(picture, "white"), playouts=20)
    assert [(move.move, move.value, move.score) for move in analysis.moves] == [("pass", 0.0, 4.5)]
    assert (analysis.value, analysis.score, analysis.score_deviation) == (0.0, 4.5, 0.0)


# --- Players ---------------------------------------------------------------------------------------------------------

PLAYERS = [
    "flat-mc:simulations=300",
    "flat-mc:simulations=300,selection=ucb,objective=wins",
    "flat-mc:simulations=500,selection=pruning,first_games=5",
    "flat-mc:simulations=300,selection=pruning,first_games=5,amaf=true",
    "flat-mc:simulations=300,selection=ucb,amaf=true",
    "amaf:simulations=100",
    "amaf:simulations=100,annealing=true,objective=wins",
]


GAMES = [Go(5), Othello(4), Havannah(3, swap=True), TicTacToe()]
WHOLE_GAMES = [
    pytest.param(text, game, marks=[] if (number + place) % 2 else [pytest.mark.long], id=f"{text}-{game.name}")
    for number, text in enumerate(PLAYERS)
    for place, game in enumerate(GAMES)
]
"""Each player plays two of the games, and all of them in `make test-all`."""


@pytest.mark.parametrize(("text", "game"), WHOLE_GAMES)
def test_a_player_plays_a_whole_game_of_legal_moves(text, game):
    player, position = player_of(text, game), game.start()
    while not position.is_over:
        assert len(position.history) < 200
        position.play(player.choose(position))
    with pytest.raises(TengenError, match="game is over"):
        player.choose(position)


@pytest.mark.plain
@pytest.mark.parametrize("text", ["flat-mc:selection=ucb", "amaf:resign=0", "amaf:annealing=true"])
def test_an_analysis_has_moves_and_no_tree(text):
    game = Go(5)
    analysis = player_of(f"{text},simulations=60", game).analyse(game.start().play("C3"))
    told = json.loads(json.dumps(analysis.to_json()))
    assert told["simulations"] == 60
    assert "nodes" not in told
    assert "nodes" not in analysis.table()
    assert analysis.table().splitlines()[2].split()[0] == analysis.best.move
    assert "@" in analysis.heat_map("visits")
    assert sum(move.visits for move in analysis.moves) == 60
    assert ("rave_value" in told["moves"][0]) is text.startswith("amaf")


@pytest.mark.parametrize("text", PLAYERS)
def test_a_win_in_one_move_is_found(text):
    game = TicTacToe()
    position = game.from_diagram("X X .\nO O .\n. . .")
    assert player_of(text, game).choose(position) == "c1"


def test_pruning_stops_when_the_decision_is_made():
    game = TicTacToe()
    position = game.from_diagram("X X .\nO O .\n. . .")
    analysis = player_of("flat-mc:selection=pruning,simulations=100000", game).analyse(position)
    assert (analysis.best.move, analysis.best.pruned) == ("c1", None)
    assert all(move.pruned for move in analysis.moves[1:])
    assert analysis.simulations == 500  # 5 moves, 100 games each
    assert analysis.table().count("(pruned)") == 4


def test_the_same_seed_gives_the_same_samples():
    game = Go(5)
    player = player_of("amaf:simulations=200,annealing=true", game)
    first = player.analyse(game.start()).to_json()["moves"]
    assert player.analyse(game.start()).to_json()["moves"] != first
    player.new_game(seed=1)
    assert player.analyse(game.start()).to_json()["moves"] == first


def test_superko_is_obeyed():
    """White has just captured a ko; Black may not recapture at once, nor repeat the board later."""
    game = Go(3, komi=0)
    position = game.start()
    forbidden = 0
    rng = np.random.default_rng(1)
    player = player_of("flat-mc:simulations=30", game)
    while not position.is_over and len(position.history) < 300:
        player.search.set_position(position)
        moves = {int(move) for move in player.search.samples.moves}
        legal = {int(move) for move in position.legal_move_numbers()}
        assert moves <= legal
        forbidden += sum(not position.is_legal(move) for move in game.points() if position.state.colour[move] == 2)
        position.play(int(rng.choice(sorted(legal - {0}) or [0])))
    assert forbidden > 0


def test_a_lost_game_is_resigned_if_enabled():
    game = Go(5, komi=30)
    position = game.start()
    for text in ("flat-mc:simulations=300", "amaf:simulations=300"):
        assert player_of(f"{text},resign=0.05", game).choose(position) == "resign"
        assert player_of(text, game).choose(position) != "resign"


def test_a_player_is_for_one_game():
    with pytest.raises(TengenError, match="was created for"):
        player_of("flat-mc", Go(5)).choose(Go(7).start())


@pytest.mark.parametrize("text", ["flat-mc", "amaf", "amaf:annealing=true", "amaf:seconds=0.2"])
def test_a_clock_is_obeyed(text):
    """On a clock with 0.1 ms per random game: the planned time is used, up to the last few games."""
    game = Go(5)
    player, now = timed_player_of(text, game, pace=1e-4)
    clock = Clock(TimeControl.parse("0.3s"))
    planned = allot(clock, game.moves_to_go(game.start())).planned
    assert game.start().is_legal(player.choose(game.start(), clock))
    assert 0.01 < planned <= now.seconds < planned + 1e-3
    assert player.search.seconds == pytest.approx(now.seconds)
    assert player.search.simulations == round(now.seconds / 1e-4)


def test_annealing_cools_down_with_the_time():
    sampling = sampling_of("amaf:annealing=true", Go(5).start())
    sampling.plan(10**9, seconds=0.5)
    assert sampling._heat(0) == 1.0
    sampling.run(10)
    sampling.seconds = 0.125
    assert sampling._heat(10) == pytest.approx(0.75)
    assert sampling._heat(20) == pytest.approx(0.5)
    assert sampling._heat(60) == 0.0


def test_a_player_that_is_stopped_has_a_legal_move():
    game = Go(5)
    player, now = timed_player_of("flat-mc:simulations=1000000000", game, pace=1e-4)
    now.at(0.1, player.stop)
    assert game.start().is_legal(player.choose(game.start()))
    assert 0.1 <= now.seconds < 0.1 + 2 * SLICE, "the slice under way ends, and no other begins"


def test_settings_of_another_method_are_refused():
    with pytest.raises(BadPlayer, match="no setting 'annealing'"):
        parse_player("flat-mc:annealing=true")
    with pytest.raises(BadPlayer, match="choose from: pruning, ucb, uniform"):
        parse_player("flat-mc:selection=best")
