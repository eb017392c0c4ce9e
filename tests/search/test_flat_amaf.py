"""All moves as first in flat Monte-Carlo: statistics recomputed in plain Python, and selections by unequal numbers."""

import math
from collections import defaultdict

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen import Go, Othello
from tengen.games import interface
from tengen.players import parse_player
from tengen.search import flat
from tengen.search.flat import SCORE, WINS
from tengen.search.flat_player import FlatPlayer

pytestmark = pytest.mark.long


def sampling_of(text, position):
    player = parse_player(text).make(position.game)
    assert isinstance(player, FlatPlayer)
    player.search.set_position(position)
    return player.search


def last_game(sampling):
    """Return the moves of the last random game and its outcome and margin for the side to move at the root."""
    samples = sampling.samples
    state = samples.states[:1].copy()[0]
    moves: list[int] = []
    while not interface.is_over(state):
        moves.append(int(samples.line[len(moves)]))
        interface.play(state, moves[-1])
    won, margin = interface.outcome(state), interface.score(state)
    return moves, ((1 - won, -margin) if samples.states[0].to_play else (won, margin))


def first_on_their_points(moves, untracked):
    """Return the moves of a game that were the first on their points, each with its side: 0 for the root's, or 1."""
    sides: dict[int, int] = {}
    for number, move in enumerate(moves):
        if number == 0 or move != untracked:
            sides.setdefault(move, number % 2)
    return sides


POSITIONS = [
    TicTacToe().start(),
    Go(5, komi=0.5).start().play("C3"),
    Othello(4).start(),
]


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.game.name)
@pytest.mark.parametrize("selection", ["uniform", "ucb", "pruning,first_games=3"])
def test_each_move_has_the_results_of_the_games_in_which_it_was_first_on_its_point(position, selection):
    sampling = sampling_of(f"flat-mc:amaf=true,selection={selection}", position)
    results, begun = defaultdict(list), defaultdict(list)
    while sampling.simulations < 60 and sampling.run(1):
        moves, (won, margin) = last_game(sampling)
        begun[moves[0]].append(won)
        for move, side in first_on_their_points(moves, position.game.untracked_move).items():
            results[move].append((1 - won, -margin) if side else (won, margin))
    samples = sampling.samples
    for move in range(position.game.move_slots):
        known = np.array(results[move]).reshape(-1, 2)
        assert samples.credits[:, move].sum() == len(known)
        for objective in (WINS, SCORE):
            assert samples.credit_sums[objective, :, move].sum() == pytest.approx(known[:, objective].sum())
            assert samples.credit_squares[objective, :, move].sum() == pytest.approx((known[:, objective] ** 2).sum())
    listed = sampling.moves()
    assert {move.number for move in listed} == set(map(int, position.legal_move_numbers()))
    for move in listed:
        assert (move.visits, move.rave_visits) == (len(begun[move.number]), len(results[move.number]))
        assert move.value == (pytest.approx(np.mean(begun[move.number])) if begun[move.number] else None)
    assert sum(move.visits for move in listed) == sampling.simulations


@pytest.mark.plain
def test_every_game_is_credited_to_the_move_that_it_began_with():
    sampling = sampling_of("flat-mc:amaf=true", TicTacToe().start())
    sampling.run(18)
    assert np.all(sampling.samples.visits == 2)
    assert np.all(sampling.samples.credits[0] >= 2)
    assert sampling.samples.credits.sum() == sum(move.rave_visits for move in sampling.moves())


@pytest.mark.plain
def test_without_amaf_no_other_move_is_credited():
    sampling = sampling_of("flat-mc", TicTacToe().start())
    sampling.run(18)
    assert not sampling.samples.credits.any()
    assert {move.rave_visits for move in sampling.moves()} == {None}


def test_amaf_begins_the_same_random_games_in_turn():
    """The selection uniform does not depend on results, so with the same seed the games are the same."""
    plain, credited = (sampling_of(f"flat-mc:amaf={amaf}", Go(5).start()) for amaf in ("false", "true"))
    plain.run(100)
    credited.run(100)
    assert plain.samples.sums.tolist() == credited.samples.sums.tolist()


# --- Selections by unequal numbers of results ------------------------------------------------------------------------


def give_credits(sampling, results):
    """Set the moves of a sampling and their results by all moves as first, alternately for both sides."""
    sampling.samples = sampling.samples._replace(moves=np.array(list(results), np.uint16))
    samples = sampling.samples
    for move, of_move in results.items():
        for side in (0, 1):
            of_side = np.array(of_move[side::2])
            samples.credits[side, move] = len(of_side)
            samples.credit_sums[sampling.objective, side, move] = of_side.sum()
            samples.credit_squares[sampling.objective, side, move] = (of_side**2).sum()
    samples.counts.games = max(map(len, results.values()))
    samples.counts.open = len(results)


@pytest.mark.plain
@pytest.mark.parametrize(("exploration", "chosen"), [(0.01, 7), (0.6, 3)])
def test_the_upper_bound_is_by_all_results_of_a_move(exploration, chosen):
    """Means 2/4 and 6/10 of 10 games: the bounds cross at c = 0.1 / (sqrt(ln 10 / 4) - sqrt(ln 10 / 10)) = 0.36."""
    crossing = 0.1 / (math.sqrt(math.log(10) / 4) - math.sqrt(math.log(10) / 10))
    assert crossing == pytest.approx(0.3586, abs=1e-4)
    sampling = sampling_of(f"flat-mc:amaf=true,selection=ucb,exploration={exploration}", TicTacToe().start())
    give_credits(sampling, {3: [1, 1, 0, 0], 7: [1] * 6 + [0] * 4})
    assert flat.most_promising(sampling.selection, sampling.rules, sampling.samples) == chosen


@pytest.mark.plain
def test_a_move_without_results_is_the_most_promising():
    sampling = sampling_of("flat-mc:amaf=true,selection=ucb", TicTacToe().start())
    give_credits(sampling, {3: [1, 1], 5: [], 7: [1]})
    assert flat.most_promising(sampling.selection, sampling.rules, sampling.samples) == 5


def results_with(mean, games):
    """Return `games` results with this mean and a standard deviation of 1."""
    return [mean + 1, mean + 1, mean - 1, mean - 1] * (games // 4)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("settings", "games", "left", "decided"),
    [
        ("first_games=100", (200, 96, 200), {7, 8, 9}, False),  # a move has too few results
        ("first_games=100", (96, 200, 200), {7, 8, 9}, False),
        ("first_games=100", (200, 100, 200), {7, 8}, False),
        ("first_games=100", (200, 0, 200), {7, 8, 9}, False),
        ("first_games=8,most_games=100", (400, 96, 400), {7, 8}, False),
        ("first_games=8,most_games=100", (400, 100, 400), {7, 8}, True),
    ],
)
def test_pruning_counts_the_fewest_results_of_an_open_move(settings, games, left, decided):
    sampling = sampling_of(f"flat-mc:amaf=true,selection=pruning,equality=0,{settings}", Go(5).start())
    means = {7: 5.0, 8: 4.9, 9: 3.0}
    give_credits(sampling, {move: results_with(means[move], n) for move, n in zip(means, games, strict=True)})
    flat.prune(sampling.selection, sampling.rules, sampling.samples)
    counts = sampling.samples.counts
    assert set(map(int, sampling.samples.moves[: counts.open])) == left
    assert bool(counts.is_decided) is decided


@pytest.mark.plain
def test_the_best_move_is_the_one_with_the_best_mean_of_all_results():
    sampling = sampling_of("flat-mc:amaf=true,objective=wins", TicTacToe().start())
    give_credits(sampling, {3: [1, 0, 0, 0], 5: [1, 1, 1, 0], 7: [1, 0]})
    assert [move.number for move in sampling.moves()] == [5, 7, 3]
    assert [move.rave_value for move in sampling.moves()] == [0.75, 0.5, 0.25]
