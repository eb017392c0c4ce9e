"""Queries: wrong ones get one error, unsupported fields a warning, and nothing that a client sends ends the server."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen.interfaces.analysis_server.input_lines import MOST_BYTES, BadLine, input_lines
from tengen.interfaces.analysis_server.query_reader import (
    MOST_MOVES,
    READ,
    WITHOUT_EFFECT,
    QueryReader,
    handicap_stones,
)
from tests.interfaces.analysis_server.talk import QUERY, Talk

PASS = 0
A_GAME = [["B", "E5"], ["W", "C3"]]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "the line is not JSON"),
        (b"\xff{}", "the line is not UTF-8"),
        (b"[1]", "the line is not a JSON object: '[1]'"),
        (b"7" * 5000, "the line is not JSON"),
        (b'{"id":"a","komi":NaN}', "'NaN' is not a finite number"),
        (b'{"id":"a","komi":1e999}', "'1e999' is not a finite number"),
        (b'{"id":' + b"[" * 100_000, "nested too deeply"),
        (b"{}", "the query needs the field id, a string"),
        (b'{"id":7,"moves":[]}', "the query needs the field id, a string"),
        (b'{"id":"a"} {"id":"b"}', "the line is not JSON"),
    ],
)
def test_a_line_that_is_no_query_gets_an_error_without_a_field(line, said):
    talk = Talk()
    talk.send(line)
    [response] = talk.taken()
    assert list(response) == ["error"]
    assert said in response["error"]


@pytest.mark.parametrize("line", [b"", b"  ", b"\r"])
def test_empty_lines_are_ignored(line):
    talk = Talk()
    talk.send(line)
    assert talk.taken() == []


def test_an_error_is_one_line_of_three_fields():
    talk = Talk()
    talk.query(id="é\ud800", rules=None)
    assert talk.lines == ['{"error":"is required","field":"rules","id":"\\u00e9\\ud800"}\n']


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("boardXSize", None, "must be an integer from 2 to 25"),
        ("boardXSize", 26, "must be an integer from 2 to 25"),
        ("boardXSize", 9.0, "must be an integer from 2 to 25"),
        ("boardXSize", True, "must be an integer from 2 to 25"),
        ("boardYSize", 13, "must be equal to boardXSize: only square boards are supported, not 9x13"),
        ("moves", None, "is required"),
        ("moves", {}, "must be an array of pairs"),
        ("moves", [["B"]], "is not a pair of a player and a vertex"),
        ("moves", [["X", "E5"]], "'X' is not a player: use 'B' or 'W'"),
        ("moves", [["B", "K1"]], "K1 is off the board: it ends at J9"),
        ("moves", [["B", "(9,0)"]], "'(9,0)' is not a point"),
        ("moves", [["B", 5]], "'5' is not a vertex such as 'Q4', or 'pass'"),
        ("moves", [["B", "E5"], ["W", "E5"]], "Illegal move 1: E5 cannot be played by white: there is a stone already"),
        ("moves", [["B", "pass"]] * (MOST_MOVES + 1), f"must have at most {MOST_MOVES} entries"),
        ("initialStones", [["B", "pass"]], "a pass is not a stone"),
        ("initialStones", [["B", "A2"], ["B", "B1"], ["W", "A1"]], "the chain at A1 has no liberty"),
        ("initialPlayer", "C", "'C' is not a player"),
        ("rules", "japanese", "not supported: scoring TERRITORY, tax SEKI; use rules with area scoring"),
        ("rules", "spight", "unknown rules 'spight'; choose from: tromp-taylor, chinese"),
        ("rules", 7, "must be the name of a set of rules"),
        ("rules", {"ko": "SPIGHT"}, "not supported: ko SPIGHT"),
        ("rules", {"ko": "NEVER"}, "ko must be one of SIMPLE, POSITIONAL, SITUATIONAL, SPIGHT, not 'NEVER'"),
        ("rules", {"suicide": 1}, "suicide must be one of false, true, not '1'"),
        ("rules", {"speed": 1}, "unknown rule 'speed'"),
        ("rules", {"komi": 0.1}, "komi must be an integer or half-integer from -400 to 400"),
        ("komi", 7.25, "must be an integer or half-integer from -400 to 400"),
        ("komi", 10**4000, "must be an integer or half-integer from -400 to 400"),
        ("whiteHandicapBonus", "2", "must be '0', 'N' or 'N-1', not '2'"),
        ("whiteHandicapBonus", ["0"], "must be '0', 'N' or 'N-1'"),
        ("analyzeTurns", [1], "'1' is not a turn of the game: use 0 to 0"),
        ("analyzeTurns", [0.0], "must be an array of integers"),
        ("priority", 2**62 + 1, "must be an integer from"),
        ("priorities", [1], "needs the field analyzeTurns"),
        ("maxVisits", 0, "must be an integer from 1 to"),
        ("analysisPVLen", 1001, "must be an integer from 1 to 1000"),
        ("includeOwnership", 1, "must be true or false"),
        ("includeOwnershipStdev", "yes", "must be true or false"),
        ("rootPolicyTemperature", "hot", "must be a number from 0 to 100"),
        ("reportDuringSearchEvery", 0, "must be a number from 0.001 to 1e+06"),
        ("overrideSettings", [], "must be an object"),
        ("overrideSettings", {"maxTime": "x"}, "maxTime must be a number"),
        ("overrideSettings", {"reportAnalysisWinratesAs": "RED"}, "must be BLACK, WHITE or SIDETOMOVE, not 'RED'"),
        ("avoidMoves", {}, "must be an array of objects with player, moves and untilDepth"),
        ("avoidMoves", [{"player": "B", "moves": []}], "lacks untilDepth"),
        ("avoidMoves", [{"player": "B", "moves": "E5", "untilDepth": 1}], "moves must be an array of vertices"),
        ("avoidMoves", [{"player": "B", "moves": ["Z9"], "untilDepth": 1}], "is off the board"),
        ("avoidMoves", [{"player": "B", "moves": [], "untilDepth": 0}], "untilDepth must be a positive integer"),
        ("allowMoves", [{"player": "B", "moves": [], "untilDepth": 1}], "no legal move is left to search at turn 0"),
        ("allowMoves", [{"player": "B", "moves": ["E5"], "untilDepth": 1}] * 2, "one entry for each player"),
        ("action", "sleep", "unknown action 'sleep'; choose from: query_version, query_models, clear_cache"),
    ],
)
def test_a_wrong_field_gets_one_error(field, value, said):
    talk = Talk()
    talk.query(**{field: value})
    response = talk.said()
    assert list(response) == ["error", "field", "id"]
    assert (response["field"], response["id"]) == (field, "q")
    assert said in response["error"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"priority": 1, "priorities": [1], "analyzeTurns": [0]}, "priority"),
        ({"priorities": [1, 2], "analyzeTurns": [0]}, "priorities"),
        ({"allowMoves": [], "avoidMoves": []}, "allowMoves"),
    ],
)
def test_fields_that_contradict_each_other_get_one_error(fields, field):
    talk = Talk()
    talk.query(**fields)
    assert talk.said()["field"] == field


@pytest.mark.parametrize(
    ("fields", "warnings"),
    [
        ({"maxVisit": 5}, [("maxVisit", "unknown field, without effect")]),
        ({"includeOwnershipStdev": True}, [("includeOwnershipStdev", "is not supported, and has no effect")]),
        ({"includeOwnershipStdev": False, "rootPolicyTemperature": 1.0}, []),
        ({"rootPolicyTemperature": 1.1}, [("rootPolicyTemperature", "is not supported, and has no effect")]),
        (
            {"overrideSettings": {"wideRootNoise": 0.04, "maxTime": 5, "abc": []}},
            [("overrideSettings", "unknown or unsupported settings, without effect: wideRootNoise, abc")],
        ),
        ({"overrideSettings": {"wideRootNoise": 0.0, "antiMirror": False}}, []),
        (
            {"avoidMoves": [{"player": "B", "moves": ["E5"], "untilDepth": 9}]},
            [("avoidMoves", "untilDepth 9 is not supported: it holds for the first move only")],
        ),
    ],
)
def test_what_has_no_effect_gets_a_warning_before_the_analysis(fields, warnings):
    talk = Talk()
    talk.query(maxVisits=1, **fields)
    talk.finish()
    *warned, final = talk.taken()
    assert warned == [{"warning": message, "field": field, "id": "q"} for field, message in warnings]
    assert final["rootInfo"]["visits"] == 1


def test_rules_that_are_not_supported_can_be_converted():
    talk = Talk(converts_rules=True)
    talk.query(rules="Japanese")
    talk.finish()
    warning, final = talk.taken()
    assert warning["field"] == "rules"
    assert warning["warning"] == (
        "not supported: scoring TERRITORY, tax SEKI; using ko SIMPLE, scoring AREA, tax NONE instead"
    )
    assert final["isDuringSearch"] is False


@pytest.mark.parametrize(
    ("rules", "ko", "suicide", "komi"),
    [
        ("tromp-taylor", "positional", True, 7.5),
        ("Tromp Taylor", "positional", True, 7.5),
        ("chinese", "simple", False, 7.5),
        ("chinese_ogs", "positional", False, 7.5),
        ("AGA", "situational", False, 7.5),
        ("new zealand", "situational", True, 7.0),
        ({}, "positional", True, 7.5),
        ({"ko": "SIMPLE", "suicide": False, "komi": 6, "friendlyPassOk": True, "score": "AREA"}, "simple", False, 6.0),
    ],
)
def test_rules_and_their_komi(rules, ko, suicide, komi):
    game = game_of(rules=rules)
    assert (game.ko, game.suicide, game.komi) == (ko, suicide, komi)


def game_of(**fields):
    """Return the game of the analysis that a query starts."""
    talk = Talk()
    talk.query(**fields)
    [request] = talk.analyses._open
    return request.query.game


STONES = [["B", "C3"], ["B", "G7"], ["B", "G3"]]


@pytest.mark.parametrize(
    ("fields", "komi"),
    [
        ({"rules": "chinese", "initialStones": STONES}, 3.5),
        ({"rules": "aga", "initialStones": STONES}, 2.5),
        ({"rules": "tromp-taylor", "initialStones": STONES}, 0.5),
        ({"rules": "tromp-taylor", "initialStones": STONES, "whiteHandicapBonus": "N"}, 3.5),
        ({"rules": "chinese", "initialStones": STONES, "whiteHandicapBonus": "0"}, 0.5),
        ({"rules": "chinese", "moves": [["B", "C3"], ["B", "G7"], ["W", "E5"]]}, 2.5),
        ({"rules": "chinese", "moves": [["B", "C3"], ["W", "G7"]]}, 0.5),
    ],
)
def test_white_gets_points_for_handicap_stones_by_the_rules(fields, komi):
    assert game_of(komi=0.5, **fields).komi == komi


@pytest.mark.parametrize(
    ("setup", "moves", "count"),
    [
        ((0, 0), [], 0),
        ((1, 0), [], 0),
        ((2, 0), [], 2),
        ((2, 1), [], 0),
        ((0, 0), [("black", 11), ("white", PASS), ("black", 12), ("white", 13)], 2),
        ((2, 0), [("black", 11), ("white", 13)], 3),
        ((0, 0), [("black", 11), ("black", 12), ("white", 13), ("white", 14)], 0),
    ],
)
def test_stones_of_black_before_the_first_of_white_are_the_handicap(setup, moves, count):
    assert handicap_stones(setup[0], setup[1], moves, PASS) == count


@pytest.mark.parametrize(
    ("fields", "to_play"),
    [
        ({}, "black"),
        ({"initialPlayer": "w"}, "white"),
        ({"initialStones": STONES}, "white"),
        ({"initialStones": STONES, "initialPlayer": "B"}, "black"),
        ({"moves": [["W", "E5"]], "analyzeTurns": [0]}, "white"),
        ({"moves": [["B", "E5"], ["B", "E6"]]}, "white"),
        ({"moves": [["B", "pass"], ["W", "pass"]]}, "black"),
    ],
)
def test_the_side_to_move(fields, to_play):
    talk = Talk()
    talk.query(maxVisits=1, **fields)
    assert talk.said()["rootInfo"]["currentPlayer"] == to_play[0].upper()


def test_coordinates_in_numbers_count_from_the_top_left():
    talk = Talk()
    talk.query(moves=[["b", "(0, 0)"], ["w", "(8,1)"]])
    [request] = talk.analyses._open
    assert [request.query.game.format_move(move) for _, move in request.query.moves] == ["A9", "J8"]


def test_a_record_may_break_the_rules_of_ko_and_suicide():
    ko = [["B", "B1"], ["W", "C1"], ["B", "A2"], ["W", "D2"], ["B", "B3"], ["W", "C3"], ["B", "C2"], ["W", "B2"]]
    talk = Talk()
    talk.query(rules="chinese", moves=[*ko, ["B", "C2"]], maxVisits=1)
    [request] = talk.analyses._open
    position = request.query.position(9)
    assert (position.colour_at("C2"), position.colour_at("B2"), position.to_play) == ("black", None, "white")


def test_ten_thousand_queries_are_all_answered():
    talk = Talk()
    for number in range(10_000):
        talk.query(id=str(number), komi=0.25)
    assert [response["id"] for response in talk.taken()] == [str(number) for number in range(10_000)]


def test_lines_are_split_whatever_the_pieces_and_long_ones_are_reported_once():
    long = b"x" * (MOST_BYTES + 1)
    pieces = [b"on", b"e\ntw", None, b"o\n", long, b"more\n\nend", long[:10], b"\nlast"]
    found = list(input_lines(pieces))
    assert [type(line) for line in found] == [bytes, type(None), bytes, BadLine, bytes, bytes, bytes]
    assert [found[0], found[2], *found[4:]] == [b"one", b"two", b"", b"end" + b"x" * 10, b"last"]
    [whole] = input_lines([long + b"\n"])
    assert "longer than 4,000,000 bytes" in str(whole)


def test_an_echo_that_is_nested_too_deeply_is_an_error():
    talk = Talk()
    depth = 960
    talk.send(b'{"action":"clear_cache","id":"a","x":' + b"[" * depth + b"]" * depth + b"}")
    [response] = talk.taken()
    assert response.get("id") == "a" or "nested too deeply" in response["error"]


def test_the_actions_are_answered_with_their_own_fields():
    talk = Talk()
    talk.send('{"id":"a","action":"query_version","extra":[1,{"b":null}]}')
    talk.send('{"id":"b","action":"clear_cache"}')
    talk.send('{"id":"c","action":"query_models"}')
    version, cache, models = talk.taken()
    assert version.pop("version").count(".") == 2
    assert version == {"id": "a", "action": "query_version", "git_hash": "<omitted>", "extra": [1, {"b": None}]}
    assert cache == {"id": "b", "action": "clear_cache"}
    assert [model["name"] for model in models["models"]] == ["mc-rave:memory=20"]


def test_a_player_that_cannot_exclude_moves_says_so():
    talk = Talk("flat-mc", can_exclude=False)
    talk.query(avoidMoves=[{"player": "B", "moves": ["E5"], "untilDepth": 1}])
    assert talk.said()["error"] == "the player of this server cannot exclude moves from its search"


def test_a_defect_while_a_query_is_read_ends_only_that_query(monkeypatch, capsys):
    talk = Talk()
    monkeypatch.setattr(QueryReader, "read", lambda self: [][0])
    talk.query(id="a")
    monkeypatch.undo()
    talk.query(id="b")
    talk.finish()
    failed, good = talk.taken()
    assert failed == {"error": "internal error: IndexError('list index out of range')"}
    assert good["id"] == "b"
    assert "IndexError" in capsys.readouterr().err


def test_a_board_that_the_player_does_not_know_is_an_error():
    talk = Talk("mogo")
    talk.query()
    response = talk.said()
    assert response["field"] == "boardXSize"
    assert "does not support analysis" in response["error"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
FIELDS = sorted({*READ, *WITHOUT_EFFECT} - {"maxVisits"})


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.dictionaries(st.sampled_from(FIELDS), VALUES, min_size=1, max_size=4))
def test_any_values_of_the_fields_are_answered(values):
    talk = Talk()
    talk.send(json.dumps({**QUERY, "maxVisits": 1, **values}))
    talk.finish()
    found = talk.taken()
    assert found
    assert [one for one in found if "internal error" in str(one.get("error"))] == []
    assert talk.analyses.open_count == 0
