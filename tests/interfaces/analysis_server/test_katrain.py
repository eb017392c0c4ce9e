"""The queries that KaTrain 1.20 sends, recorded from its engine class, and what its code reads in the answers.

`katrain.jsonl` has the analysis of two positions of a game, of its last one, of other moves than those seen, of a
region of the board, pondering with its end, and one move of a sweep.
"""

import json
from pathlib import Path

from tests.interfaces.analysis_server.talk import Talk

QUERIES = [json.loads(line) for line in (Path(__file__).parent / "katrain.jsonl").read_text().splitlines()]


def test_every_query_ends_with_one_answer_that_katrain_can_read():
    talk = Talk("tengen:memory=20")
    pondering = next(query for query in QUERIES if query.get("maxVisits", 0) > 10**6)
    for query in QUERIES:
        talk.send(query if query is not pondering else {**query, "priority": -1000})
        if query.get("action") != "terminate":
            talk.step(2)
    talk.finish()
    found = talk.taken()
    answers = [one for one in found if one.get("isDuringSearch") is False]
    expected = [query["id"] for query in QUERIES if "action" not in query]
    assert sorted(answer["id"] for answer in answers) == sorted(expected)
    assert {one["field"] for one in found if "warning" in one} == {"overrideSettings"}
    assert [one for one in found if "error" in one] == []
    by_id = {query["id"]: query for query in QUERIES}
    for answer in answers:
        if answer.get("noResults"):
            continue
        query = by_id[answer["id"]]
        assert {"visits", "winrate", "scoreLead"} <= set(answer["rootInfo"])
        for info in answer["moveInfos"]:
            assert {"move", "visits", "order", "prior", "winrate", "scoreLead", "pv"} <= set(info)
            assert ("ownership" in info) == query["includeMovesOwnership"]
        assert len(answer["policy"]) == 82
        avoided = {move for one in query.get("avoidMoves", []) for move in one["moves"] if one["player"] == "B"}
        assert avoided.isdisjoint(info["move"] for info in answer["moveInfos"])
