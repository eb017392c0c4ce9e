"""Analyses: one player or two side by side, trees, single simulations, reviews."""

import json
import math
import re

import pytest

from tengen import Go, Othello
from tengen.games import interface
from tengen.interfaces.web.board_analysis import PanelSearch
from tengen.interfaces.web.messages import parse_message
from tengen.players import parse_search
from tengen.search.search import Search
from tests.interfaces.web.boards import board_in
from tests.interfaces.web.pages import ENDLESS, MOST_MESSAGES, WEAK, page

RAVE = {"player": "mc-rave"}
PLAIN = {"player": "uct"}


def finished(connected, request):
    """Return the last message of an analysis."""
    return connected.next("analysis", request=request, where=lambda message: not message["running"])


def test_an_analysis_is_the_search_that_the_player_makes(first):
    first.new_board("go", game={"size": 5, "options": {"komi": 0.5}})
    first.ask("play", move="C3")
    found = finished(first, first.send("start_analysis", players=[RAVE], simulations=500))
    [panel] = found["panels"]
    search = Search(parse_search("mc-rave:memory=50"), Go(5, 0.5))
    search.set_position(Go(5, 0.5).start().play("C3"))
    search.run(500)
    assert (panel["simulations"], panel["nodes"]) == (500, search.nodes)
    for told, move in zip(panel["moves"], search.moves(), strict=True):
        assert told["move"] == search.game.format_move(move.number)
        assert told["visits"] == pytest.approx(move.visits)
        assert told.get("value") == (None if move.value is None else pytest.approx(move.value, abs=1e-5))
        assert told.get("rave_value") == (None if move.rave_value is None else pytest.approx(move.rave_value, abs=1e-5))
    best = panel["moves"][0]
    assert panel["best"] == best["move"] == best["variation"][0]
    assert 0 < best["rave_weight"] < 1
    assert panel["black_win_rate"] == pytest.approx(1 - best["value"])
    assert found["move_number"] == 1


def test_two_players_grow_together_to_the_same_budget(first):
    first.new_board("go", game={"size": 5})
    request = first.send("start_analysis", players=[PLAIN, RAVE], simulations=700, updates=10)
    plain, rave = finished(first, request)["panels"]
    assert (plain["simulations"], rave["simulations"]) == (700, 700)
    assert (plain["player"], rave["player"]) == ("uct:memory=250", "mc-rave:memory=250")
    assert plain["moves"] != rave["moves"]


def test_neither_of_two_players_is_ahead_by_more_than_a_slice(tmp_path, monkeypatch):
    monkeypatch.setattr(PanelSearch, "slice_size", lambda panel: 20 if "exploration" in str(panel.loaded.spec) else 50)
    board, scheduler, _ = board_in(tmp_path, Othello(4))
    board.analysis.start(start(players=[PLAIN, {"player": "uct", "options": {"exploration": 0.7}}], simulations=5000))
    panels, counts = board.analysis.panels, []
    while scheduler.run_next():
        counts.append([panel.simulations for panel in panels])
    assert counts[:4] == [[20, 0], [20, 20], [40, 20], [40, 40]]
    assert counts[-1] == [5000, 5000]
    assert max(abs(first - second) for first, second in counts) == 20


def spent(panel):
    return panel.simulations


def start(**fields):
    return parse_message(json.dumps({"type": "start_analysis", **fields}))


def test_boards_get_the_same_share_of_the_searches(tmp_path, monkeypatch):
    monkeypatch.setattr(PanelSearch, "slice_size", lambda panel: 20)
    first, scheduler, _ = board_in(tmp_path / "first", Othello(4))
    second, _, _ = board_in(tmp_path / "second", Othello(4), scheduler)
    for board, players in ((first, [PLAIN, PLAIN]), (second, [PLAIN])):
        board.analysis.start(start(players=players, simulations=100_000))
    slices = {"first": 0, "second": 0}
    for _ in range(60):
        before = [sum(spent(panel) for panel in board.analysis.panels) for board in (first, second)]
        scheduler.run_next()
        after = [sum(spent(panel) for panel in board.analysis.panels) for board in (first, second)]
        slices["first"] += after[0] > before[0]
        slices["second"] += after[1] > before[1]
    assert slices == {"first": 30, "second": 30}


def test_reports_take_a_small_share_of_the_time_however_long_they_are(tmp_path, monkeypatch):
    board, scheduler, _ = board_in(tmp_path, Othello(4))
    clock, spent_on_reports = board.now, [0.0]

    def slow_report(request, *, is_running):
        clock.seconds += 0.05
        spent_on_reports[0] += 0.05

    monkeypatch.setattr(board.analysis, "_report", slow_report)
    monkeypatch.setattr(PanelSearch, "slice_size", lambda panel: 16)
    board.analysis.start(start(players=[PLAIN], simulations=100_000, updates=10))
    for _ in range(2000):
        scheduler.run_next()
        clock.seconds += 0.02
    assert 0.02 < spent_on_reports[0] / clock.seconds <= 0.026


def test_an_analysis_follows_the_shown_position(unlimited):
    with page(unlimited) as first:
        first.new_board("go", game={"size": 5})
        request = first.send("start_analysis", players=[PLAIN], simulations=200)
        assert finished(first, request)["move_number"] == 0
        request = first.send("start_analysis", players=[PLAIN], simulations=ENDLESS)
        first.next("analysis", request=request)
        first.send("play", move="C3")
        found = first.next("analysis", request=request, where=lambda message: message["move_number"] == 1)
        assert (found["running"], found["to_play"]) == (True, "white")
        stopped = first.ask("stop_analysis", "analysis")
        assert (stopped["running"], stopped["move_number"]) == (False, 1)


def test_an_analysis_sends_ownership_once_for_each_position(first):
    first.new_board("go", game={"size": 5})
    request = first.send("start_analysis", players=[PLAIN], simulations=50, playouts=20)
    score = first.next("score", request=request)
    assert (score["playouts"], len(score["ownership"])) == (20, 25)


def test_the_win_rate_of_an_analysis_is_kept_for_the_game(first):
    first.new_board()
    finished(first, first.send("start_analysis", players=[PLAIN], simulations=50))
    assert first.ask("play", move="b1")["black_win_rates"][0] is not None


@pytest.mark.parametrize(
    ("players", "fields", "reason"),
    [
        ([{"player": "random"}], {}, "does not support analysis"),
        ([PLAIN], {"simulations": 10**9}, "at most 1e\\+06|at most 1,000,000"),
        ([PLAIN], {"seconds": 1e6}, "at most 600"),
    ],
)
def test_an_analysis_that_is_not_possible_is_refused(first, players, fields, reason):
    first.new_board()
    error = first.refused("start_analysis", players=players, **fields)
    assert re.search(reason, error["message"])
    assert "start one first" in first.refused("step")["message"]
    assert "start one first" in first.refused("tree")["message"]


def test_flat_players_are_analysed_without_a_tree(first):
    first.new_board("go", game={"size": 3})
    found = finished(first, first.send("start_analysis", players=[{"player": "amaf"}], simulations=100))
    assert "nodes" not in found["panels"][0]
    assert "has no tree" in first.refused("tree")["message"]
    assert "has no tree" in first.refused("step")["message"]


# The tree


def test_the_tree_is_shown_node_by_node(first):
    first.new_board("go", game={"size": 5})
    [panel] = finished(first, first.send("start_analysis", players=[PLAIN], simulations=400))["panels"]
    root = first.ask("tree", "tree", most=500)
    assert (root["path"], root["to_play"], root["simulations"]) == ([], "black", 400)
    assert len(root["moves"]) == root["count"] == 26
    visits = {move["move"]: move["visits"] for move in root["moves"]}
    assert visits == {move["move"]: move["visits"] for move in panel["moves"]}
    best = root["moves"][0]
    assert best["has_node"]
    assert all(math.isfinite(move["selection_value"]) for move in root["moves"] if move["visits"])
    child = first.ask("tree", "tree", path=[best["move"]], most=3)
    assert (child["to_play"], len(child["moves"])) == ("white", 3)
    assert child["simulations"] == best["visits"] - 1


def test_a_path_that_the_tree_does_not_have_is_refused(first):
    first.new_board()
    first.ask("start_analysis", "analysis", players=[PLAIN], simulations=0)
    assert "no node after" in first.refused("tree", path=["b1"])["message"]
    assert "not a square" in first.refused("tree", path=["?"])["message"]
    assert "no panel 1" in first.refused("tree", panel=1)["message"]


# One simulation


def test_steps_from_an_empty_tree_are_the_first_simulations(first):
    first.new_board("go", game={"size": 5})
    found = finished(first, first.send("start_analysis", players=[PLAIN], simulations=0))
    assert found["panels"][0]["simulations"] == 0
    for number in (1, 2, 3):
        step = first.ask("step", "step")
        assert (step["simulation"], len(step["selection"]), step["selection"][0]["is_new"]) == (number, 1, True)
        assert step["expanded"] == [step["selection"][0]["move"]]
        assert step["backup"][0]["after"]["visits"] == 1
        assert first.next("analysis")["panels"][0]["simulations"] == number


def test_the_phases_of_a_step_fit_together(first):
    first.new_board("go", game={"size": 5, "options": {"komi": 0.5}})
    finished(first, first.send("start_analysis", players=[RAVE, PLAIN], simulations=300))
    for panel in (0, 1):
        step = first.ask("step", "step", panel=panel)
        assert (step["panel"], step["simulation"]) == (panel, 301)
        selected = [move["move"] for move in step["selection"]]
        assert step["expanded"] in (None, selected)
        for chosen in step["selection"]:
            values = {move["move"]: move.get("selection_value", math.inf) for move in chosen["moves"]}
            assert values[chosen["move"]] == max(values.values())
        position = Go(5, 0.5).start()
        for played in [*step["selection"], *step["playout"]]:
            assert played["colour"] == position.to_play
            interface.play(position.state, position.game.parse_move(played["move"]))
        assert [update["path"] for update in step["backup"]] == [selected[:end] for end in range(len(selected))][::-1]
        assert step["black_result"] == (1.0 if step["black_score"] > 0 else 0.0)
        assert len(step["final_stones"]) == 25


def test_a_step_stops_a_running_analysis(unlimited):
    with page(unlimited) as first:
        first.new_board()
        request = first.send("start_analysis", players=[PLAIN], simulations=ENDLESS)
        first.next("analysis", request=request)
        first.ask("step", "step")
        assert not first.next("analysis")["running"]


# The review


def test_a_review_finds_what_a_game_lost(first):
    record = "(;GM[1]FF[4]SZ[5]KM[0.5];B[cc];W[aa];B[bc];W[dc];B[cd])"
    first.new_board("go", record=record)
    request = first.send("start_review", player=RAVE, simulations=300, blunder=0.2)
    done = first.next("review", request=request, where=lambda message: message["done"] == 1.0)
    assert [move["move"] for move in done["moves"]] == ["C3", "A5", "B3", "D3", "C2"]
    assert [move["number"] for move in done["moves"]] == [1, 2, 3, 4, 5]
    for move in done["moves"]:
        loss = move["black_before"] - move["black_after"]
        assert move["loss"] == pytest.approx(loss if move["colour"] == "black" else -loss, abs=2e-4)
        assert move["is_blunder"] == (move["loss"] >= 0.2 and move["best"] != move["move"])
    assert "Black wins" in done["annotated"]
    rates = first.next("position")["black_win_rates"]
    assert rates[1:] == [move["black_after"] for move in done["moves"]]


def test_a_review_can_be_stopped_and_needs_moves(unlimited):
    with page(unlimited) as first:
        first.new_board("go", game={"size": 5})
        assert "no moves to review" in first.refused("start_review")["message"]
        first.ask("play", move="C3")
        first.send("start_review", player=RAVE, simulations=ENDLESS)
        assert first.ask("stop_review", "review")["done"] == 0
        assert first.ask("goto", move=0)["move_number"] == 0


def test_a_page_that_leaves_stops_its_searches(unlimited):
    with page(unlimited) as first:
        first.new_board()
        first.ask("start_analysis", "analysis", players=[PLAIN], simulations=ENDLESS)
    with page(unlimited) as second:
        second.new_board(white=WEAK)
        second.ask("play", move="b1")
        assert second.next("position")["move_number"] == 2
    budget = unlimited.app.state.hall.budget
    for _ in range(MOST_MESSAGES):
        if budget.used == 0:
            break
        unlimited.get("/api/boards")
    assert budget.used == 0
