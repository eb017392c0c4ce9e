"""The algorithms find best moves in games small enough to be solved by full search."""

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen import Havannah, Othello
from tengen.papers.measures.deceptive_search import Deceptive, simulations_until_right
from tengen.players import parse_search
from tengen.search.search import Search
from tests.search.tiny_games import best_moves, position_after, solve

SEEDS = 100
LONG_ENOUGH = 2000
MOST_SIMULATIONS = 100_000
MUST_FIND = [
    "uct:exploration=1",
    "uct-tuned",
    "uct-rave:exploration=0.5",
    "accelerated-uct:decay=0.9999",
]
PROBLEMS = {
    "tic-tac-toe: only the centre holds the corner": (TicTacToe(), ("a1",)),
    "tic-tac-toe: a fork must be stopped": (TicTacToe(), ("a1", "b2", "c3")),
    "othello 4x4: the one winning reply": (Othello(4), ("b1",)),
    "havannah 3: six of ten": (Havannah(3), ("c3", "b2", "d4", "c2", "b3", "d3", "a1", "e5", "c4")),
}


def found_best(search, opening, seed, simulations):
    """Whether a new search with this seed plays one of the best moves."""
    search.forget()
    search.reseed(seed)
    search.set_position(position_after(search.game, *opening))
    search.run(simulations)
    return search.game.format_move(search.best_move()) in best_moves(search.game, *opening)


@pytest.mark.long
@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("player", MUST_FIND)
def test_a_best_move_is_found_in_99_of_100_games(player, problem):
    """Within 100,000 simulations: first with a tenth of them, and where that fails, with all."""
    game, opening = PROBLEMS[problem]
    moves = position_after(game, *opening).legal_moves()
    assert 0 < len(best_moves(game, *opening)) < len(moves), "the problem must have a wrong answer"
    search = Search(parse_search(player), game)
    missed = sum(
        not any(found_best(search, opening, seed, count) for count in (MOST_SIMULATIONS // 10, MOST_SIMULATIONS))
        for seed in range(SEEDS)
    )
    assert missed <= 1


@pytest.mark.parametrize(
    ("game", "opening", "value"),
    [
        (TicTacToe(), ("a1", "b1"), "win"),
        (TicTacToe(), (), "draw"),
        (Othello(4), (), "loss"),
        pytest.param(
            Havannah(3), ("c3", "b2", "d4", "c2", "b3", "d3", "a1", "e5", "c4"), "win", marks=pytest.mark.long
        ),
    ],
    ids=["tic-tac-toe: won", "tic-tac-toe: a draw", "othello 4x4: lost", "havannah 3"],
)
def test_the_solver_proves_the_value_found_by_full_search(game, opening, value):
    position = position_after(game, *opening)
    search = Search(parse_search("uct:solver=true,memory=400"), game)
    search.set_position(position)
    search.run(1_000_000)
    assert search.is_solved
    black = solve(position, {})
    own = black if position.to_play == "black" else 1 - black
    assert {1.0: "win", 0.5: "draw", 0.0: "loss"}[own] == value
    assert {3: "win", 2: "draw", 1: "loss"}[search.memory.proofs[0].node] == value
    assert game.format_move(search.best_move()) in best_moves(game, *opening)


@pytest.mark.long
def test_accelerated_uct_leaves_the_deceptive_tree_sooner_than_uct():
    """Hashimoto et al. 2011, figure 1, with C = 0.01 as there: means over 1,000 seeds with 95 % intervals."""

    def mean_and_error(player):
        search = Search(parse_search(player), Deceptive())
        counts = np.array([simulations_until_right(search, seed, LONG_ENOUGH) for seed in range(1000)])
        assert counts.max() < LONG_ENOUGH / 2, "every search leaves the trap in time"
        return counts.mean(), 1.96 * counts.std() / np.sqrt(len(counts))

    plain, plain_error = mean_and_error("uct:exploration=0.01")
    accelerated, accelerated_error = mean_and_error("uct:exploration=0.01,backup=accelerated,decay=0.9")
    print(f"UCT {plain:.1f} ± {plain_error:.1f}, Accelerated UCT {accelerated:.1f} ± {accelerated_error:.1f}")
    assert accelerated + accelerated_error < plain - plain_error
