"""Records from files of games and folders."""

import json
from pathlib import Path

import pytest

from tengen.arena.imports import read_store
from tengen.arena.record_sources import stored_records
from tengen.arena.store import Store
from tengen.errors import TengenError

RESULTS = Path(__file__).parents[2] / "docs" / "results" / "threads" / "copies.jsonl"


def test_records_come_from_folders_in_the_order_of_names_and_from_single_files(tmp_path):
    (tmp_path / "deep").mkdir()
    records = {"b.sgf": b"second", "deep/c.sgf": b"third", "a.sgf": b"first", "notes.txt": b"none"}
    for name, content in records.items():
        (tmp_path / name).write_bytes(content)
    found = list(stored_records([tmp_path, tmp_path / "b.sgf"], ".sgf"))
    assert found == [(b"first", 0), (b"second", 0), (b"third", 0), (b"second", 0)]


def test_missing_and_empty_sources_are_refused_in_one_line(tmp_path):
    (tmp_path / "empty").mkdir()
    for name, complaint in (("empty", "has no records"), ("none.sgf", "No such file"), ("none", "No such file")):
        with pytest.raises(TengenError, match=complaint):
            list(stored_records([tmp_path / name], ".sgf"))


def test_records_of_files_of_games_have_the_number_of_opening_moves(tmp_path):
    lines = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    expected = [(line["record"].encode(), len(line["opening"].split())) for line in lines if "game" in line]
    with read_store(RESULTS) as lines_read, Store(tmp_path / "games") as store:
        store.add_lines(lines_read.lines())
    for source in (RESULTS, tmp_path / "games"):
        assert sorted(stored_records([source], ".sgf")) == sorted(expected)
    assert {opening for _, opening in expected} == {2}
