"""The store: games are stored once and read back unchanged; damaged files are refused."""

import contextlib
import json
import os
import resource
import shutil
import sqlite3
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tengen.arena.exports import write_csv, write_lines
from tengen.arena.imports import read_store
from tengen.arena.match import PlayedGame
from tengen.arena.plans import Entrant
from tengen.arena.runner import kept_in_lines, run_pairings
from tengen.arena.scores import Margins, Tally
from tengen.arena.store import Store, StoreError
from tengen.arena.tables import report
from tengen.games.go.game import Go
from tests.arena.conftest import quick_pairing


def game(number: int, winner: str = "black", margin: float | None = 2.0, reason: str = "score", **more) -> PlayedGame:
    """A game of the quick pairing; 'a' is Black in even ones."""
    black, white = ("a", "b") if number % 2 == 0 else ("b", "a")
    values = {
        "id": f"a v b #{number}", "pairing": "a v b", "number": number, "black": black, "white": white,
        "winner": winner, "reason": reason, "margin": margin, "detail": "", "seed": 1, "opening": "", "moves": 9,
        "started": 1e9, "seconds": 1.5, "black_seconds": 1.0, "white_seconds": 0.5, "black_version": "one 1",
        "white_version": "two 2", "times": [0.5, 1.0], "record": "(;)", "analysis": None,
    }  # fmt: skip
    return PlayedGame(**{**values, **more})


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


def test_the_lines_of_two_partial_runs_can_be_merged(store):
    store.add(game(0))
    part = list(store.lines())
    store.add(game(1))
    with Store() as other:
        assert other.add_lines(part) == 1
        assert other.add_lines(store.lines()) == 1
        assert len(other) == 2


@pytest.mark.parametrize("line", ["nonsense", "[1]", '{"game": 1}', '{"pairing": "x"}', "{}", "\x00", "null"])
def test_an_invalid_line_is_refused_and_nothing_of_its_file_is_added(store, line):
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
    with pytest.raises(StoreError, match=r"first.config.seed"):
        store.add_pairing(replace(pairing, first=Entrant.of("random:seed=7", "a")))


def test_a_key_missing_in_an_older_version_is_not_a_difference(store, tmp_path):
    settings = store.pairings()["a v b"]
    del settings["first"]["config"]["seed"]
    database = sqlite3.connect(tmp_path / "games.sqlite")
    database.execute("UPDATE pairings SET settings = ?", (json.dumps(settings),))
    database.commit()
    database.close()
    store.add_pairing(quick_pairing())
    assert list(store.pairings()) == ["a v b"]


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


def test_files_that_are_not_stores_are_refused(tmp_path):
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
    """Records are long: reading all rows to count wins would be slow."""
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


# A full disk, and places where nothing can be written


@contextlib.contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Limit files to `size` bytes: writing more fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_on_a_full_disk_only_the_game_named_in_the_error_is_lost(store, tmp_path):
    [(pages,)] = store._database.execute("PRAGMA page_count")
    store._database.execute(f"PRAGMA max_page_count = {pages + 4}")
    with pytest.raises(StoreError, match="disk is full") as raised:
        deque((store.add(game(number, record="x" * 2000)) for number in range(100)), maxlen=0)
    added = len(store)
    assert 0 < added < 20
    assert f"game 'a v b #{added}' was not saved" in str(raised.value)
    with Store(tmp_path / "games.sqlite") as again:
        assert again.numbers("a v b") == set(range(added))
    store._database.execute("PRAGMA max_page_count = 100000")
    assert store.add(game(added))


def test_a_run_ended_by_a_full_disk_can_be_continued(here, tmp_path):
    run_pairings([quick_pairing(games=1)], Store(), here)  # compiles, which writes files too
    file, lines = tmp_path / "games.sqlite", tmp_path / "games.jsonl"
    full = largest_file(60_000), pytest.raises(StoreError, match="was not saved")
    with full[0], full[1], Store(file) as store, kept_in_lines(store, lines):
        run_pairings([quick_pairing(games=200, random_moves=0)], store, here)
    with Store.to_read(file) as store:
        saved = store.numbers("a v b")
    assert 0 < len(saved) < 200
    assert saved == set(range(len(saved)))
    with read_store(lines) as from_lines:
        assert from_lines.numbers("a v b") == saved
    with Store(file) as store:
        assert run_pairings([quick_pairing(games=200, random_moves=0)], store, here).before == len(saved)
        assert len(store) == 200


def test_a_store_is_read_where_nothing_can_be_written_beside_it(store, tmp_path):
    """SQLite needs a file NAME-shm to read in write-ahead mode; a dangling link prevents its creation."""
    store.add(game(0))
    copy = tmp_path / "copy.sqlite"
    shutil.copyfile(tmp_path / "games.sqlite", copy)
    shutil.copyfile(tmp_path / "games.sqlite-wal", f"{copy}-wal")
    os.symlink(tmp_path / "none", f"{copy}-shm")
    with Store.to_read(copy) as with_log:
        assert list(with_log.games()) == [game(0)]
        assert with_log._copy is not None
        folder = Path(with_log._copy.name)
    assert not folder.exists(), "a temporary copy is removed"
    store.close()
    os.remove(f"{copy}-wal")
    shutil.copyfile(tmp_path / "games.sqlite", copy)
    with Store.to_read(copy) as without_log:
        assert list(without_log.games()) == [game(0)]
    with pytest.raises(StoreError, match="cannot be used"):
        Store(copy)


def test_a_fifo_a_device_and_a_folder_are_refused(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", Path("/dev/zero"), tmp_path):
        for use in (Store, Store.to_read, read_store):
            with pytest.raises(StoreError, match=r"not a regular file|directory"):
                use(path)


# Damaged stores and lines


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE pairings SET settings = '{'", "in the pairing 'a v b', not valid JSON"),
        ("UPDATE pairings SET settings = '[]'", "settings is '\\[\\]', not an object"),
        ("UPDATE pairings SET settings = '{\"first\": 1}'", "have no name of the first player"),
        ("UPDATE games SET times = replace(hex(zeroblob(50000)), '0', '[')", "nested deeper than 100"),
        ("UPDATE games SET times = x'00'", "is not JSON"),
        ("UPDATE games SET margin = 'wide'", "margin is 'wide', not a number or null"),
        ("UPDATE games SET seconds = -1", "seconds is '-1.0', not a number of seconds"),
        ("UPDATE games SET pairing = 'c v d'", "has no players or no result"),
        ("UPDATE games SET black = 'c'", "has no players or no result"),
        ("UPDATE games SET number = 7", "not its pairing and number"),
        ("UPDATE games SET number = 'x'", "number is 'x', not an integer"),
    ],
)
def test_a_damaged_row_raises_a_one_line_error(statement, words, store, tmp_path):
    store.add(game(0))
    store._database.execute(statement)
    with Store.to_read(tmp_path / "games.sqlite") as damaged, pytest.raises(StoreError, match=words) as raised:
        print(report(damaged), *damaged.games())
    assert "\n" not in str(raised.value)


def test_no_game_is_played_into_a_damaged_file(store, tmp_path):
    for number in range(200):
        store.add(game(number))
    store.close()
    content = bytearray((tmp_path / "games.sqlite").read_bytes())
    content[-4096:] = bytes(4096)
    (tmp_path / "games.sqlite").write_bytes(content)
    with Store(tmp_path / "games.sqlite") as damaged, pytest.raises(StoreError, match="damaged"):
        damaged.reserve()
    assert not (tmp_path / "games.sqlite.lock").exists()


def changed_line(line: str, **changes: object) -> str:
    return json.dumps({**json.loads(line), **changes})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": 10**30}, "seed is '1000000000000000000000000000000', not an integer from 0"),
        ({"number": -1}, "number is '-1'"),
        ({"margin": float("nan")}, "margin is 'nan'"),
        ({"winner": "nobody"}, "winner is 'nobody', not one of black, white, draw"),
        ({"moves": True}, "moves is 'True'"),
        ({"times": [1, "x"]}, "not a list of seconds"),
        ({"detail": "\ud800"}, "detail is "),
        ({"pairing": "c v d", "game": "c v d #0"}, "the pairing 'c v d' of this game is missing before this line"),
        ({"black": "c"}, "are not those of 'a v b'"),
        ({"black_player": "0000"}, "the black_player '0000' of this game is missing before this line"),
        ({"game": "a v b #3"}, "not its pairing and number"),
    ],
)
def test_a_line_with_a_wrong_value_is_refused(changes, words, store):
    store.add(game(0))
    *described, line = store.lines()
    with Store() as other:
        with pytest.raises(StoreError, match=words) as raised:
            other.add_lines([*described, changed_line(line, **changes)], "games.jsonl")
        assert str(raised.value).startswith(f"line {len(described) + 1} of 'games.jsonl': ")
        assert other.pairings() == {}, "nothing of the file is kept"


def test_a_game_without_its_pairing_and_deep_lines_are_refused(store):
    store.add(game(0))
    pairing, *rest = store.lines()
    with Store() as other:
        with pytest.raises(StoreError, match="the pairing 'a v b' of this game is missing before this line"):
            other.add_lines(rest)
        with pytest.raises(StoreError, match=r"line 2 .* nested deeper than 100"):
            other.add_lines([pairing, "[" * 200_000])


# Anchors and CSV


def test_anchors_are_kept_with_the_games(store, tmp_path):
    assert store.anchors() == {}
    store.set_anchors({"a": 1800, "b": 1500.5})
    store.set_anchors({"b": 1600})
    with Store.to_read(tmp_path / "games.sqlite") as again:
        assert again.anchors() == {"b": 1600.0}
    with Store() as other:
        other.add_lines(store.lines())
        assert other.anchors() == {"b": 1600.0}
    with pytest.raises(ValueError, match="elo is 'nan'"):
        store.set_anchors({"a": float("nan")})
    assert store.anchors() == {"b": 1600.0}


def test_csv_is_read_as_it_was_written(store, tmp_path):
    for played in (game(0, "black", 5.0), game(1, "draw", 0.0), game(2, "white", None, "crash", detail='a "b",\nc')):
        store.add(played)
    write_csv(store, tmp_path / "games.csv")
    with read_store(tmp_path / "games.csv") as again:
        assert report(again) == report(store)
        assert not again.has_records
        write_csv(again, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "games.csv").read_bytes()


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("black,score", "nobody,score", "line 2 .*: winner is 'nobody'"),
        (",5.0,", ",wide,", "line 2 .*: margin is 'wide', not a number"),
        (",5.0,", ",5.0,5.0,", "line 2 .*: it has 19 columns, not 18"),
        (",5.0,", ',"5.0,', "line 2 .*: "),
        (",5.0,", ",1e999,", "line 2 .*: margin is 'inf'"),
        ("a v b,0", "a v b,1", "line 2 .*: id is 'a v b #0', which is not its pairing and number"),
    ],
)
def test_a_wrong_value_in_csv_is_refused(before, after, words, store, tmp_path):
    store.add(game(0, "black", 5.0))
    write_csv(store, tmp_path / "games.csv")
    text = (tmp_path / "games.csv").read_text()
    assert text.count(before) == 1
    (tmp_path / "games.csv").write_text(text.replace(before, after))
    with pytest.raises(StoreError, match=words):
        read_store(tmp_path / "games.csv")
