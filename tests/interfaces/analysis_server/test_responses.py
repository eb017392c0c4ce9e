"""Responses: KataGo's fields, compared with the search itself and with the board; turns, priorities and ends."""

import math

import numpy as np
import pytest

from tengen import Go
from tengen.interfaces.analysis_server.reports import Report, position_hashes
from tengen.players import parse_player
from tengen.search.estimate import estimate
from tests.fake_clock import FakeClock
from tests.interfaces.analysis_server.talk import QUICK, Talk

MOVE_FIELDS = {
    *("move", "order", "visits", "edgeVisits", "weight", "edgeWeight", "playSelectionValue", "prior", "pv"),
    *("winrate", "lcb", "utility", "utilityLcb", "scoreMean", "scoreLead", "scoreSelfplay", "scoreStdev"),
}
ROOT_FIELDS = {
    *("visits", "weight", "winrate", "utility", "scoreMean", "scoreLead", "scoreSelfplay", "scoreStdev"),
    *("currentPlayer", "thisHash", "symHash"),
}
TENGEN = "tengen:memory=20"


def response_to(player=QUICK, **fields):
    talk = Talk(player)
    talk.query(**fields)
    return talk.said()


def searched(visits, position, player=QUICK):
    """Return the analysis of the same search, made directly."""
    searcher = parse_player(player).with_settings(simulations=visits).make_searcher(position.game)
    return searcher.analyse(position)


def test_a_response_has_the_moves_of_the_search():
    found = searched(200, Go(suicide=True).start())
    response = response_to(maxVisits=200)
    visited = [move for move in found.moves if move.visits]
    infos = response["moveInfos"]
    assert [info["move"] for info in infos] == [move.move for move in visited]
    assert [info["visits"] for info in infos] == [move.visits for move in visited]
    assert [info["winrate"] for info in infos] == pytest.approx([move.value for move in visited], abs=1e-6)
    assert [info["order"] for info in infos] == list(range(len(infos)))
    assert response["rootInfo"]["visits"] == 200
    assert response["rootInfo"]["winrate"] == pytest.approx(found.value, abs=1e-6)


def test_the_fields_are_katagos():
    response = response_to()
    assert set(response) == {"id", "turnNumber", "isDuringSearch", "moveInfos", "rootInfo"}
    assert set(response["rootInfo"]) == ROOT_FIELDS
    assert {frozenset(info) for info in response["moveInfos"]} == {frozenset(MOVE_FIELDS)}


def test_an_answer_is_the_same_whatever_was_searched_before():
    first = response_to(maxVisits=100)
    talk = Talk()
    talk.query(id="other", maxVisits=300, moves=[["B", "C3"]])
    talk.query(maxVisits=100)
    talk.finish()
    assert talk.taken()[1] == first


def test_white_s_numbers_are_turned_by_the_viewpoint():
    moves, by_side = [["B", "E5"]], {}
    for side in ("BLACK", "WHITE", "SIDETOMOVE"):
        settings = {"reportAnalysisWinratesAs": side}
        by_side[side] = response_to(moves=moves, includeOwnership=True, overrideSettings=settings)
    black, white = by_side["BLACK"], by_side["WHITE"]
    assert by_side["SIDETOMOVE"] == white
    for one, other in zip(black["moveInfos"], white["moveInfos"], strict=True):
        for share in ("winrate", "lcb"):
            assert one[share] + other[share] == pytest.approx(1.0)
        for difference in ("utility", "scoreLead", "scoreMean", "scoreSelfplay", "utilityLcb"):
            assert one[difference] == pytest.approx(-other[difference])
        for same in ("move", "visits", "prior", "scoreStdev"):
            assert one[same] == other[same]
    assert black["rootInfo"]["winrate"] + white["rootInfo"]["winrate"] == pytest.approx(1.0)
    assert black["ownership"] == [-owner for owner in white["ownership"]]


def test_black_s_view_is_the_default():
    stones = [["B", f"{letter}{row}"] for letter in "ABCDEFGHJ" for row in (2, 4, 6, 8)]
    response = response_to(initialStones=stones, initialPlayer="W", includeOwnership=True, komi=0)
    assert response["rootInfo"]["currentPlayer"] == "W"
    assert response["rootInfo"]["winrate"] == pytest.approx(1.0, abs=0.05)
    assert response["rootInfo"]["scoreLead"] > 70
    assert min(response["ownership"]) > 0.8


def test_ownership_begins_at_the_top_left():
    stones = [["B", f"{letter}7"] for letter in "ABCDEFGHJ"] + [["W", f"{letter}6"] for letter in "ABCDEFGHJ"]
    response = response_to(initialStones=stones, includeOwnership=True, includeMovesOwnership=True, maxVisits=10)
    owners = np.array(response["ownership"]).reshape(9, 9)
    assert owners[2].min() > 0.5
    assert owners[3:].mean() < -0.3
    assert all(len(info["ownership"]) == 81 for info in response["moveInfos"])


def test_the_policy_is_the_prior_with_the_pass_last():
    moves = [["B", "A9"], ["W", "J1"]]
    response = response_to(TENGEN, moves=moves, includePolicy=True, maxVisits=50)
    policy = response["policy"]
    assert len(policy) == 82
    assert [place for place, share in enumerate(policy) if share == -1] == [0, 80]
    assert math.fsum(share for share in policy if share > 0) == pytest.approx(1.0, abs=1e-3)
    best = response["moveInfos"][0]
    column, row = "ABCDEFGHJ".index(best["move"][0]), 9 - int(best["move"][1:])
    assert policy[9 * row + column] == best["prior"]


def test_without_a_prior_there_is_no_policy():
    assert "policy" not in response_to(includePolicy=True)


def test_variations_are_cut_and_have_visits():
    response = response_to(maxVisits=400, includePVVisits=True, analysisPVLen=2)
    best = response["moveInfos"][0]
    assert len(best["pv"]) == len(best["pvVisits"]) == 2
    assert best["pvVisits"][0] == best["visits"] > best["pvVisits"][1] > 0
    assert best["pvEdgeVisits"] == best["pvVisits"]
    assert max(len(info["pv"]) for info in response_to(maxVisits=400)["moveInfos"]) > 2


@pytest.mark.parametrize(
    ("restriction", "listed"),
    [
        ({"avoidMoves": [{"player": "B", "moves": ["E5", "C3"], "untilDepth": 1}]}, None),
        ({"allowMoves": [{"player": "B", "moves": ["D4", "F6"], "untilDepth": 1}]}, {"D4", "F6"}),
        ({"allowMoves": [{"player": "W", "moves": ["D4"], "untilDepth": 1}]}, None),
    ],
)
def test_only_moves_that_are_allowed_are_searched(restriction, listed):
    seen = {info["move"] for info in response_to(maxVisits=200, **restriction)["moveInfos"]}
    if listed is None:
        listed = seen - {"E5", "C3"} if "avoidMoves" in restriction else seen
    assert seen == listed
    assert len(seen) > 1


def test_every_turn_asked_for_is_answered_once():
    talk = Talk(lanes=2)
    talk.query(moves=[["B", "E5"], ["W", "C3"], ["B", "G7"]], analyzeTurns=[3, 0, 2, 2], maxVisits=10)
    talk.finish()
    assert sorted(response["turnNumber"] for response in talk.taken()) == [0, 2, 3]


def test_the_highest_priority_is_first_and_then_the_earliest():
    talk = Talk()
    for name, priority in (("a", 0), ("b", 0), ("c", 5), ("d", -1)):
        talk.query(id=name, priority=priority, maxVisits=5)
    talk.query(id="e", moves=[["B", "E5"]], analyzeTurns=[0, 1], priorities=[1, 9], maxVisits=5)
    talk.finish()
    assert [(found["id"], found["turnNumber"]) for found in talk.taken()] == [
        *(("e", 1), ("c", 0), ("e", 0), ("a", 0), ("b", 0), ("d", 0)),
    ]


def test_lanes_search_side_by_side():
    talk = Talk(lanes=2)
    talk.query(id="long", maxVisits=10_000)
    talk.query(id="short", maxVisits=10)
    talk.finish()
    assert [response["id"] for response in talk.taken()] == ["short", "long"]


def test_a_time_limit_ends_the_search():
    clock = FakeClock(tick=1.0)
    talk = Talk(now=clock)
    talk.query(maxVisits=10**9, overrideSettings={"maxTime": 20.0})
    assert talk.said()["rootInfo"]["visits"] < 1000
    assert clock.seconds < 100


def test_the_visits_of_a_query_without_any():
    assert response_to(maxVisits=None)["rootInfo"]["visits"] == 40
    assert response_to(maxVisits=None, overrideSettings={"maxVisits": 7})["rootInfo"]["visits"] == 7
    assert response_to(maxVisits=20, overrideSettings={"maxVisits": 7, "maxPlayouts": 9})["rootInfo"]["visits"] == 9


def test_reports_during_the_search_come_before_the_last_one():
    talk = Talk(now=FakeClock(tick=0.001))
    talk.query(maxVisits=3000, reportDuringSearchEvery=0.01)
    talk.finish()
    found = talk.taken()
    assert [response["isDuringSearch"] for response in found] == [True] * (len(found) - 1) + [False]
    visits = [response["rootInfo"]["visits"] for response in found]
    assert len(found) > 2
    assert visits == sorted(set(visits))


def test_the_first_report_may_have_its_own_time():
    talk = Talk(now=FakeClock(tick=0.001))
    talk.query(maxVisits=3000, firstReportDuringSearchAfter=0.01)
    talk.finish()
    assert [response["isDuringSearch"] for response in talk.taken()] == [True, False]


def test_scores_do_not_alternate_with_the_side_to_move():
    """The mean of the playouts before and after the expected move is that of both estimates."""
    position = Go(suicide=True).start()
    player = parse_player(QUICK).with_settings(simulations=100).make_searcher(position.game)
    best = player.analyse(position).moves[0].move
    after = position.copy().play(best)
    first, second = (estimate(player.config, one, 100) for one in (position, after))
    root = response_to(maxVisits=100, includeOwnership=True)
    assert root["rootInfo"]["scoreLead"] == pytest.approx((first.score + second.score) / 2)
    variance = (first.deviation**2 + second.deviation**2) / 2 + ((first.score - second.score) / 2) ** 2
    assert root["rootInfo"]["scoreStdev"] == pytest.approx(math.sqrt(variance))
    corner = (first.ownership["A9"] + second.ownership["A9"]) / 2
    assert root["ownership"][0] == pytest.approx(corner)


# Termination


def test_a_running_analysis_that_is_terminated_reports_what_it_has():
    talk = Talk()
    talk.query(id="a", maxVisits=10**9)
    talk.step(3)
    talk.send('{"id":"t","action":"terminate","terminateId":"a"}')
    assert talk.taken() == [{"id": "t", "action": "terminate", "terminateId": "a"}]
    final = talk.said()
    assert (final["id"], final["isDuringSearch"]) == ("a", False)
    assert 0 < final["rootInfo"]["visits"] < 10_000
    assert talk.analyses.open_count == 0


def test_a_waiting_analysis_that_is_terminated_has_no_results():
    talk = Talk()
    talk.query(id="a", maxVisits=100)
    talk.query(id="b", moves=[["B", "E5"]], analyzeTurns=[0, 1])
    talk.send('{"id":"t","action":"terminate","terminateId":"b","turnNumbers":[1]}')
    nothing, _ = talk.taken()
    assert nothing == {"id": "b", "turnNumber": 1, "isDuringSearch": False, "noResults": True}
    talk.finish()
    assert [(found["id"], found["turnNumber"]) for found in talk.taken()] == [("a", 0), ("b", 0)]


def test_terminate_all_ends_everything_once():
    talk = Talk()
    for name in "abc":
        talk.query(id=name, maxVisits=10**9)
    talk.step(2)
    talk.send('{"id":"t","action":"terminate_all"}')
    talk.send('{"id":"t","action":"terminate_all"}')
    talk.finish()
    ended = [found for found in talk.taken() if "action" not in found]
    assert sorted(found["id"] for found in ended) == ["a", "b", "c"]
    assert sorted(found["id"] for found in ended if "noResults" in found) == ["b", "c"]


def test_termination_before_the_first_slice_has_no_results():
    talk = Talk()
    talk.query(id="a")
    talk.query(id="b")
    talk.send('{"id":"t","action":"terminate_all","turnNumbers":[0]}')
    talk.finish()
    assert [found.get("noResults") for found in talk.taken()] == [True, True, None]


@pytest.mark.parametrize("line", ['{"id":"t","action":"terminate"}', '{"id":"t","action":"terminate","terminateId":3}'])
def test_terminate_needs_an_id(line):
    talk = Talk()
    talk.send(line)
    assert talk.said()["field"] == "terminateId"


def test_a_defect_of_a_search_ends_only_its_own_analysis(monkeypatch, capsys):
    talk, made = Talk(), Report.response
    monkeypatch.setattr(Report, "response", lambda *_, **__: 1 // 0)
    talk.query(id="a")
    talk.finish()
    monkeypatch.setattr(Report, "response", made)
    talk.query(id="b")
    talk.finish()
    failed, good = talk.taken()
    reason = "internal error: ZeroDivisionError('integer division or modulo by zero')"
    assert failed == {"id": "a", "turnNumber": 0, "error": reason}
    assert good["id"] == "b"
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_flat_players_are_analysed_too():
    response = response_to("amaf", maxVisits=100)
    assert sum(info["visits"] for info in response["moveInfos"]) == response["rootInfo"]["visits"] == 100
    assert all(info["pv"] == [info["move"]] for info in response["moveInfos"])


# Hashes


def test_symmetric_positions_share_a_hash():
    first, mirrored = (Go().start().play(move).play("E5") for move in ("C4", "G6"))
    this, shared = position_hashes(first)
    other, other_shared = position_hashes(mirrored)
    assert this != other
    assert shared == other_shared
    assert len(this) == 32


def test_the_side_to_move_and_the_ko_change_the_hash():
    game = Go(ko="simple")
    start = game.from_diagram(KO, "black")
    captured = start.copy().play("C2")
    without_ko = game.from_diagram(captured.diagram(), "white")
    hashes = {position_hashes(position)[0] for position in (start, start.copy().play("pass"), captured, without_ko)}
    assert len(hashes) == 4


KO = """
9 . . . . . . . . .
8 . . . . . . . . .
7 . . . . . . . . .
6 . . . . . . . . .
5 . . . . . . . . .
4 . . . . . . . . .
3 . X O . . . . . .
2 X O . O . . . . .
1 . X O . . . . . .
  A B C D E F G H J
"""
