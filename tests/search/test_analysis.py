"""Analysis of a search: moves, variations, tables, heat maps, ownership; and how players end games."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen import Go, Havannah, Othello
from tengen.errors import TengenError
from tengen.games.svg import SHADE
from tengen.players import parse_player
from tengen.search.analysis import Analysis
from tengen.search.search_player import SearchPlayer

SVG = "{http://www.w3.org/2000/svg}"


def player_of(text, game):
    made = parse_player(text).make(game)
    assert isinstance(made, SearchPlayer)
    return made


@pytest.fixture(scope="module")
def go_analysis():
    game = Go(5, komi=0.5)
    position = game.start().play("C3").play("B2")
    return player_of("mc-rave:simulations=3000,prior=even,memory=50", game).analyse(position, playouts=200)


def test_the_moves_of_the_root_are_listed_best_first(go_analysis):
    moves = go_analysis.moves
    assert [move.visits for move in moves] == sorted((move.visits for move in moves), reverse=True)
    assert sum(move.visits for move in moves) == 3000 == go_analysis.simulations
    assert {move.move for move in moves} <= set(go_analysis.position.legal_moves())
    best = go_analysis.best
    assert 0 < best.value < 1
    assert 0 < best.rave_value < 1
    assert 0 < best.rave_weight < 1
    assert (best.prior, best.prior_weight) == (0.5, 10)


def test_a_variation_can_be_played(go_analysis):
    position = go_analysis.position.copy()
    assert go_analysis.best.variation[0] == go_analysis.best.move
    for move in go_analysis.best.variation:
        position.play(move)
    assert len(go_analysis.best.variation) > 1


def test_an_analysis_is_json(go_analysis):
    told = json.loads(json.dumps(go_analysis.to_json()))
    assert told["to_play"] == "black"
    assert told["moves"][0]["move"] == go_analysis.best.move
    assert told["nodes"] > 1000
    assert told["bytes"] / told["nodes"] > 5 * 4 * 64
    assert told["simulations_per_second"] > 0
    assert told["deepest"] >= told["mean_depth"] > 1


def test_the_representation_of_an_analysis_is_one_short_line(go_analysis):
    best, value = go_analysis.best.move, go_analysis.value
    assert repr(go_analysis) == f"<Analysis: black to play, 3,000 simulations, best {best}, value {value:.3f}>"
    assert str(go_analysis) == go_analysis.table()


def test_an_analysis_without_moves_has_a_representation_too():
    empty = Analysis(Go(5).start(), [], value=None, simulations=0, simulations_per_second=0.0)
    assert repr(empty) == "<Analysis: black to play, 0 simulations, no moves, value unknown>"


def test_notebooks_show_a_heat_map_of_the_visits_and_a_table(go_analysis):
    page = ElementTree.fromstring(go_analysis._repr_html_())
    rows = [["".join(cell.itertext()).strip() for cell in row] for row in page.iter("tr")]
    assert [row[0] for row in rows] == ["move", *(move.move for move in go_analysis.moves[:10])]
    assert rows[0][-1] == "variation"
    assert rows[1][1] == f"{go_analysis.best.visits:,.0f}"
    assert [row[-1].split()[0] for row in rows[1:]] == [row[0] for row in rows[1:]]
    shaded = [one for one in page.iter(f"{SVG}circle") if one.get("fill") == SHADE]
    assert len(shaded) == sum(move.visits > 0 and move.move != "pass" for move in go_analysis.moves)
    assert "0.900" in {one.get("fill-opacity") for one in shaded}
    titles = [title.text for title in page.iter(f"{SVG}title")]
    assert f"{go_analysis.best.move}: {go_analysis.best.visits:,.0f} visits, value {rows[1][2]}" in titles


def test_the_table_and_the_heat_maps_are_readable(go_analysis):
    table = go_analysis.table(3).splitlines()
    assert "3,000 simulations" in table[0]
    assert table[2].split()[0] == go_analysis.best.move
    assert len(table) == 5
    heat = go_analysis.heat_map()
    assert "@" in heat
    assert heat.count("X") == 1
    assert heat.splitlines()[-1].split() == list("ABCDE")
    for what in ("value", "rave_value", "prior", "ownership"):
        assert len(go_analysis.heat_map(what).splitlines()) == 6


def test_ownership_of_a_decided_board_is_certain():
    """A wall of two living black groups: every point is Black's in every playout."""
    game = Go(5, komi=0.5)
    position = game.from_diagram(
        """
        . X X X .
        X X X X X
        . X . X .
        X X X X X
        . X X X .
        """,
        to_play="white",
    )
    analysis = player_of("uct:simulations=50,memory=10", game).analyse(position, playouts=50)
    assert analysis.ownership is not None
    assert set(analysis.ownership.values()) == {1.0}
    assert analysis.score == 24.5
    assert analysis.score_deviation == 0


def test_games_without_ownership_report_none():
    analysis = player_of("uct:simulations=50,memory=10", Havannah(4)).analyse(Havannah(4).start(), playouts=10)
    assert analysis.ownership is None
    assert analysis.score is not None


@pytest.mark.parametrize("game", [Go(5), Othello(4), TicTacToe()], ids=lambda game: game.name)
def test_a_player_plays_a_whole_game_of_legal_moves(game):
    player, other = player_of("uct:simulations=100,memory=20", game), parse_player("random").make(game)
    position = game.start()
    while not position.is_over:
        assert len(position.history) < 200
        position.play((player if position.to_play == "black" else other).choose(position))
    with pytest.raises(TengenError, match="game is over"):
        player.choose(position)
    with pytest.raises(TengenError, match="game is over"):
        other.choose(position)


WON_FOR_BLACK = """
    . X X O .
    X X X O O
    . X X O .
    X X X O O
    . X X O .
"""


def test_a_won_game_is_ended_by_a_pass_after_a_pass():
    game = Go(5, komi=0.5)
    position = game.from_diagram(WON_FOR_BLACK, to_play="white").play("pass")
    assert player_of("uct:simulations=300,memory=10", game).choose(position) == "pass"


def test_the_side_behind_does_not_pass_while_it_has_a_move():
    """White is behind: a pass would end the game, so White plays on, though every move is bad."""
    game = Go(5, komi=0.5)
    position = game.from_diagram(WON_FOR_BLACK, to_play="black").play("pass")
    ranking = [0, game.parse_move("E3")]
    assert game.reviewed(position, ranking, {}) == ranking[1]
    assert game.reviewed(position, [0], {}) == 0


def test_a_decided_game_is_passed_even_before_the_other_side_does():
    game = Go(5, komi=0.5)
    position = game.from_diagram(WON_FOR_BLACK, to_play="black")
    assert game.reviewed(position, [game.parse_move("A1"), 0], {0: 0.99}) == 0
    assert game.reviewed(position, [game.parse_move("A1"), 0], {0: 0.5}) == game.parse_move("A1")
    assert player_of("uct:simulations=500,memory=10", game).choose(position) == "pass"


def test_a_lost_game_is_resigned_if_enabled():
    game = Go(5, komi=0.5)
    position = game.from_diagram(WON_FOR_BLACK, to_play="white")
    assert player_of("uct:simulations=300,memory=10,resign=0.1", game).choose(position) == "resign"
    assert player_of("uct:simulations=300,memory=10", game).choose(position) != "resign"


def test_the_solver_ranks_a_proved_win_first_and_losses_last():
    game = TicTacToe()
    position = game.from_diagram(
        """
        X X .
        O O .
        . . .
        """
    )
    analysis = player_of("uct:simulations=2000,solver=true,memory=10", game).analyse(position)
    assert analysis.proof == "win"
    assert (analysis.best.move, analysis.best.proof, analysis.best.value) == ("c1", "win", 1.0)
    assert "(proved win)" in analysis.table()


def test_the_best_value_can_decide_instead_of_the_visits():
    game = Othello(6)
    analysis = player_of("uct:simulations=500,final_move=value,memory=20", game).analyse(game.start())
    values = [move.value for move in analysis.moves]
    assert values == sorted(values, reverse=True)


def test_a_player_refuses_a_position_of_another_game():
    with pytest.raises(TengenError, match="was created for"):
        player_of("uct:memory=10", Go(5)).choose(Go(7).start())


def test_a_reused_tree_counts_its_earlier_simulations():
    game = Go(5)
    player = player_of("uct:simulations=500,memory=20", game)
    position = game.start()
    position.play(player.choose(position))
    analysis = player.analyse(position)
    assert analysis.simulations > 500
    player.new_game(seed=3)
    assert player.analyse(position).simulations == 500
    assert np.isfinite(analysis.mean_depth)


@pytest.mark.parametrize("text", ["uct:simulations=10,memory=1", "flat-mc:simulations=10", "random"])
def test_the_representation_of_a_player_is_one_line(text):
    spec = parse_player(text)
    player = spec.make(Go(5))
    assert repr(player) == f"<{type(player).__name__}: {Go(5)}, {spec.config}>"
    assert "\n" not in repr(player)


def test_the_representation_of_a_search_has_its_size():
    player = player_of("uct:simulations=10,memory=1", Go(5))
    player.choose(Go(5).start())
    assert repr(player.search) == f"<Search: {Go(5)}, 10 simulations, {player.search.nodes} nodes, {player.config}>"
