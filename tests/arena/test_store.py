"""The store: nothing lost, nothing twice, and everything comes back."""

import json
import sqlite3
from dataclasses import replace

import pytest

from tengen.arena.match import Played
from tengen.arena.plans import Entrant
from tengen.arena.scores import Margins, Tally
from tengen.arena.store import Store, StoreError, read_store, write_lines
from tengen.games.go.game import Go
from tests.arena.conftest import quick_pairing


def game(number: int, winner: str = "black", margin: float | None = 2.0, reason: str = "score", **more) -> Played:
    """A game of the quick pairing; 'a' is Black in even ones."""
    black, white = ("a", "b") if number % 2 == 0 else ("b", "a")
    values = {
        "id": f"a v b #{number}", "pairing": "a v b", "number": number, "black": black, "white": white,
        "winner": winner, "reason": reason, "margin": margin, "detail": "", "seed": 1, "opening": "", "moves": 9,
        "started": 1e9, "seconds": 1.5, "black_seconds": 1.0, "white_seconds": 0.5, "black_version": "one 1",
        "white_version": "two 2", "times": [0.5, 1.0], "record": "(;)", "analysis": None,
    }  # fmt: skip
    return Played(**{**values, **more})


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "games.sqlite") as made:
        made.add_pairing(quick_pairing())
        yield made


def test_a_game_comes_back_as_it_was(store, tmp_path):
    games = [game(0, analysis=[{"value": 0.5}, None]), game(1, "draw", 0.0), game(2, "white", None, "crash")]
    assert all(store.add(played) for played in games)
    with Store(tmp_path / "games.sqlite") as again:
        assert list(again.games()) == games
        assert list(again.games(last=2)) == games[:0:-1]
        assert again.numbers("a v b") == {0, 1, 2}


def test_an_id_is_kept_once_and_the_first_game_stays(store):
    assert store.add(game(0, "black"))
    assert not store.add(game(0, "white", -3.0))
    assert [played.winner for played in store.games()] == ["black"]


def test_tallies_are_those_of_the_first_player(store):
    for played in (game(0, "black", 5.0), game(1, "black", 3.0), game(2, "white", -1.0), game(3, "draw", 0.0)):
        store.add(played)
    store.add(game(5, "white", None, "hang"))
    # a: won 0 as Black by 5, lost 1 as White by 3, lost 2 by 1, drew 3, won 5 as White since b hung
    assert store.tallies() == {"a v b": Tally(2, 1, 2, Margins(4, 1.0, 35.0))}
    as_black, as_white = Tally(1, 0, 1, Margins(2, 4.0, 26.0)), Tally(1, 1, 1, Margins(2, -3.0, 9.0))
    assert store.by_colour() == {"a v b": (as_black, as_white)}
    assert store.points("a v b") == [(0, 1.0), (1, 0.0), (2, 0.0), (3, 0.5), (5, 1.0)]
    assert store.reasons() == {("b", "hang"): 1}


def test_lines_of_json_rebuild_the_store(store, tmp_path):
    for number in range(4):
        store.add(game(number, "white", -number, analysis=[None] if number else None))
    write_lines(store, tmp_path / "games.jsonl")
    lines = (tmp_path / "games.jsonl").read_text().splitlines()
    assert sum("game" in json.loads(line) for line in lines) == 4
    with read_store(tmp_path / "games.jsonl") as rebuilt:
        assert list(rebuilt.games()) == list(store.games())
        assert rebuilt.pairings() == store.pairings()
        assert list(rebuilt.lines()) == list(store.lines())
        assert rebuilt.add_lines(lines) == 0
        rebuilt.add_pairing(quick_pairing())  # and the tournament goes on with it


def test_parts_of_a_run_add_up(store):
    store.add(game(0))
    part = list(store.lines())
    store.add(game(1))
    with Store() as other:
        assert other.add_lines(part) == 1
        assert other.add_lines(store.lines()) == 1
        assert len(other) == 2


@pytest.mark.parametrize("line", ["nonsense", "[1]", '{"game": 1}', '{"pairing": "x"}', "{}", "\x00", "null"])
def test_a_line_that_is_none_of_ours_is_refused_and_nothing_of_its_file_is_kept(store, line):
    store.add(game(0))
    with Store() as other:
        with pytest.raises(StoreError, match="line "):
            other.add_lines([*store.lines(), line])
        assert len(other) == 0


def test_other_settings_under_the_same_name_are_refused(store):
    store.add_pairing(quick_pairing(games=500))
    with pytest.raises(StoreError, match=r"seed = '1', not '2'"):
        store.add_pairing(quick_pairing(seed=2))
    pairing = quick_pairing()
    with pytest.raises(StoreError, match=r"first.spec"):
        store.add_pairing(replace(pairing, first=Entrant.of("random:seed=7", "a")))


def test_a_key_that_an_older_version_did_not_have_is_no_difference(store, tmp_path):
    settings = store.pairings()["a v b"]
    del settings["first"]["config"]["seed"]
    database = sqlite3.connect(tmp_path / "games.sqlite")
    database.execute("UPDATE pairings SET settings = ?", (json.dumps(settings),))
    database.commit()
    database.close()
    store.add_pairing(quick_pairing())


def test_a_weight_by_variance_under_its_older_key_is_no_difference(tmp_path):
    first = Entrant.of("mc-rave:prior=rlgo,prior_weight=variance", "a")
    pairing = replace(quick_pairing(game=Go(9)), first=first)
    with Store(tmp_path / "games.sqlite") as fresh:
        fresh.add_pairing(pairing)
        settings = fresh.pairings()["a v b"]
    settings["first"]["spec"] = "mc-rave:prior=rlgo,prior_experience=variance"
    settings["first"]["config"].update(prior_weight=10.0, prior_experience="variance")
    with sqlite3.connect(tmp_path / "games.sqlite") as database:
        database.execute("UPDATE pairings SET settings = ?", (json.dumps(settings),))
    database.close()
    with Store(tmp_path / "games.sqlite") as store:
        store.add_pairing(pairing)
        with pytest.raises(StoreError, match=r"first.config.prior_weight = '\"variance\"'"):
            store.add_pairing(replace(pairing, first=Entrant.of("mc-rave:prior=rlgo", "a")))


def test_only_one_process_plays_into_a_file(store, tmp_path):
    store.reserve()
    with Store(tmp_path / "games.sqlite") as second, pytest.raises(StoreError, match="another process"):
        second.reserve()
    store.close()
    with Store(tmp_path / "games.sqlite") as third:
        third.reserve()
    assert not (tmp_path / "games.sqlite.lock").exists()


def test_files_that_are_no_stores_are_refused(tmp_path):
    (tmp_path / "text").write_text("hello")
    (tmp_path / "broken").write_bytes(b"SQLite format 3\0" + b"x" * 100)
    for name in ("text", "broken", "missing"):
        with pytest.raises(StoreError):
            read_store(tmp_path / name)
    database = sqlite3.connect(tmp_path / "other")
    database.execute("CREATE TABLE things (name)")
    database.close()
    with pytest.raises(StoreError, match="version 0"):
        Store(tmp_path / "other")


def test_sums_are_taken_from_an_index_alone(store):
    """Records are long: whoever reads all rows to count wins is slow when there are many."""
    seen: list[str] = []
    store._database.set_trace_callback(seen.append)
    store.tallies()
    store.points("a v b")
    store.reasons()
    store._database.set_trace_callback(None)
    statements = [statement for statement in seen if "games" in statement]
    assert len(statements) == 3
    for statement in statements:
        plan = [row[3] for row in store._database.execute(f"EXPLAIN QUERY PLAN {statement}")]
        assert any("games USING COVERING INDEX" in step for step in plan), plan
