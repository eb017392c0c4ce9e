"""Prior knowledge: the statistics of a new node, and where they are entered."""

from typing import Any

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen.errors import TengenError
from tengen.games.go.game import Go
from tengen.players import parse_player, parse_search
from tengen.search.search import Search
from tengen.search.tree import CLOSED


def searched(player, simulations, game=None):
    game = game or TicTacToe()
    search = Search(parse_search(f"{player},memory=20"), game)
    search.set_position(game.start())
    search.run(simulations)
    return search


@pytest.mark.plain
@pytest.mark.parametrize(("where", "visits", "rave"), [("visits", 7, 0), ("rave", 0, 7), ("both", 7, 7)])
def test_an_even_prior_is_entered_in_visits_or_rave_visits(where, visits, rave):
    row = searched(f"mc-rave:prior=even,prior_weight=7,prior_on={where}", 0).row()
    assert list(row.visits[:9]) == [visits] * 9
    assert list(row.wins[:9]) == [visits / 2] * 9
    assert list(row.rave_visits[:9]) == [rave] * 9
    assert list(row.rave_wins[:9]) == [rave / 2] * 9
    assert row.total == 9 * visits


@pytest.mark.plain
@pytest.mark.parametrize(("where", "visits"), [("rave", 0), ("both", 7)])
def test_a_pass_gets_no_rave_visits_which_no_simulation_would_correct(where, visits):
    """A prior of 1/2 that stays would make the side that is behind pass in the tree."""
    game = Go(3)
    search = searched(f"mc-rave:prior=even,prior_weight=7,prior_on={where}", 0, game)
    moves = [int(move) for move in game.start().legal_move_numbers()]
    expected = dict.fromkeys(moves, 7.0) | {game.untracked_move: 0.0}
    assert {move: search.row().rave_visits[move] for move in moves} == expected
    assert search.row().visits[game.untracked_move] == visits
    search.run(200)
    assert search.row().rave_visits[game.untracked_move] == 0


def test_real_visits_are_added_to_the_prior():
    search = searched("uct:prior=even,prior_weight=7", 100)
    row = search.row()
    assert row.total == 9 * 7 + 100
    assert (row.visits[:9] - search.memory.priors[0].visits[:9]).sum() == 100


def test_the_grandfather_prior_is_the_value_two_plies_before():
    """A node added by the last simulation: each move has the value that it had at its grandparent just before."""
    checked = 0
    search = searched("uct:prior=grandfather,prior_weight=5", 30)
    for _ in range(200):
        before = search.memory.tree[: search.memory.used[0]].copy()
        search.run(1)
        work = search.memory.work
        leaf = int(work.leaf)
        if not leaf:
            continue
        said, row = search.memory.priors[leaf], search.row(leaf)
        grandparent: Any = before[work.path[work.depth - 2]] if work.depth >= 2 else None
        for slot in np.flatnonzero(row.wins[:9] > CLOSED):
            tried = grandparent is not None and grandparent["visits"][slot] > 0 and grandparent["wins"][slot] >= 0
            value = grandparent["wins"][slot] / grandparent["visits"][slot] if tried else said.value[slot]
            assert said.value[slot] == pytest.approx(value, rel=1e-6)
            assert said.weight[slot] == (5 if tried else 0)
            checked += tried
    assert checked > 100


def test_a_prior_for_rave_values_needs_a_tree_with_rave():
    with pytest.raises(TengenError, match="needs a tree policy with RAVE values; ucb1 has none"):
        parse_player("uct:prior=even,prior_on=rave")


def test_every_move_of_a_node_with_a_prior_is_tested_when_it_is_added():
    """With experience from the prior, an illegal move would never look untried."""
    from tengen import Go

    search = searched("uct:prior=even,prior_weight=3", 300, Go(5))
    for node in range(int(search.memory.used[0])):
        row = search.row(node)
        is_open = row.wins > CLOSED
        assert (row.visits[is_open] >= 3).all()
