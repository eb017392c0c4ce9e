"""The trace of one simulation: it is the simulation that the kernels run, and what the rules make of its moves."""

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen import Go, Havannah, Othello
from tengen.errors import TengenError
from tengen.games import interface
from tengen.players import parse_search
from tengen.search.search import Search
from tengen.search.tracing import trace_simulation

PLAYERS = [
    ("uct", Go(5)),
    ("mc-rave:prior=even", Go(5)),
    ("tengen", Go(5)),
    ("uct:expand=threshold,expand_visits=3", Othello(4)),
    ("uct:new_node_visit=true", Othello(4)),
    ("mc-rave:expand=episode", Havannah(4)),
    ("discounted-uct", TicTacToe()),
    ("uct:solver=true", Othello(4)),
]


def search_of(description, game, simulations=0):
    search = Search(parse_search(f"{description}{',' if ':' in description else ':'}memory=20"), game)
    search.set_position(game.start())
    search.run(simulations)
    return search


def whole(search):
    """The used part of the tree as bytes."""
    return search.memory.tree[: search.nodes].tobytes()


@pytest.mark.parametrize(("description", "game"), PLAYERS)
def test_traced_simulations_build_the_same_tree_as_others(description, game):
    traced, plain = search_of(description, game), search_of(description, game)
    for _ in range(40):
        trace_simulation(traced)
    plain.run(40)
    assert traced.simulations == plain.simulations == 40
    assert whole(traced) == whole(plain)


@pytest.mark.parametrize(("description", "game"), PLAYERS)
def test_the_moves_of_a_trace_are_a_legal_game_with_the_result_that_was_backed_up(description, game):
    search = search_of(description, game, 20)
    for _ in range(30):
        found = trace_simulation(search)
        state = search.position.copy().state
        for move in [*(selected.number for selected in found.selection), *found.playout]:
            assert interface.is_legal(state, move)
            interface.play(state, move)
        assert game.key(state) == game.key(found.final_state)
        assert float(interface.outcome(state)) == found.outcome


def test_the_first_simulation_selects_one_move_and_adds_its_node():
    search = search_of("uct", Go(5))
    found = trace_simulation(search)
    [selected] = found.selection
    assert (found.number, found.expanded) == (1, (selected.number,))
    assert (selected.is_black, selected.has_child) == (True, False)
    assert search.root().child(selected.number) is not None
    [update] = found.updates
    assert (update.path, update.before.visits, update.after.visits) == ((), 0.0, 1.0)
    assert update.after.value == found.outcome


@pytest.mark.parametrize(("description", "game"), [("uct", Othello(4)), ("mc-rave", Go(5))])
def test_each_selected_move_has_the_highest_value_in_the_formula(description, game):
    search = search_of(description, game, 200)
    for _ in range(20):
        for selected in trace_simulation(search).selection:
            assert selected.selection_values[selected.number] == max(selected.selection_values.values())


def test_every_node_of_the_path_gets_one_visit_with_the_result_for_its_side():
    search = search_of("uct", Go(5), 300)
    found = trace_simulation(search)
    assert len(found.updates) == len(found.selection) > 1
    for depth, update in enumerate(reversed(found.updates)):
        assert update.path == tuple(selected.number for selected in found.selection[:depth])
        result = found.outcome if depth % 2 == 0 else 1 - found.outcome
        won = (update.before.value or 0.0) * update.before.visits + result
        assert update.after.visits == update.before.visits + 1
        assert update.after.value == pytest.approx(won / update.after.visits, abs=1e-6)


def test_rave_values_change_for_the_moves_that_the_side_played_later():
    search = search_of("mc-rave", Go(5), 100)
    found = trace_simulation(search)
    moves = [*(selected.number for selected in found.selection), *found.playout]
    for update in found.updates:
        own = {move for move in moves[len(update.path) :: 2] if move != search.game.untracked_move}
        assert set(update.rave_moves) <= own
        assert update.after.number in {*update.rave_moves, search.game.untracked_move}


def test_a_search_with_several_threads_or_a_proved_position_is_not_traced():
    with pytest.raises(TengenError, match="threads=1, not 2"):
        trace_simulation(search_of("uct:threads=2", TicTacToe()))
    solved = search_of("uct:solver=true", TicTacToe())
    while not solved.is_solved:
        solved.run(1000)
    with pytest.raises(TengenError, match="proved"):
        trace_simulation(solved)


def test_the_record_of_moves_has_no_move_with_the_mark_of_unused_entries():
    assert all(game.move_slots < np.iinfo(np.uint16).max for _, game in PLAYERS)
