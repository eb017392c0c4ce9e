"""Running of experiments: what is kept, what is run again, and what the result says."""

from dataclasses import replace

import pytest

from tengen.arena.imports import read_store
from tengen.errors import TengenError
from tengen.files import Busy, Lock
from tengen.games.go.game import Go
from tengen.games.othello.game import Othello
from tengen.papers.experiment import Match
from tengen.papers.reproduction import pairings_of, reproduce
from tests.papers.counting import IN_PROCESS, experiment


def run(tmp_path, found, **changes):
    settings = found.settings("quick", **changes)
    return reproduce(found, "quick", settings, tmp_path / "run", IN_PROCESS, "the command")


def calls(tmp_path) -> list[int]:
    return [int(line) for line in (tmp_path / "calls").read_text().split()]


def test_a_run_writes_its_games_its_parts_its_result_and_its_report(tmp_path):
    result = run(tmp_path, experiment(tmp_path / "calls"))
    assert calls(tmp_path) == [0, 1, 2, 3]
    rows = {row["label"]: row for row in result["rows"]}
    assert (rows["mean square"]["value"], rows["mean square"]["samples"]) == (3.5, 4)
    assert rows["mean square"]["verdict"] == "agrees"
    assert rows["random"]["samples"] == rows["random, other seed"]["samples"] == 4
    assert result["settings"] == {"games": 4, "samples": 4}
    assert (result["command"], result["scale"]) == ("the command", "quick")
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert names >= {"quick.json", "quick.md", "quick.parts.jsonl", "quick.sqlite", "quick.games.jsonl.gz"}
    with read_store(tmp_path / "run" / "quick.games.jsonl.gz") as store:
        assert len(store) == 8
        assert set(store.pairings()) == {"random v random:seed=2", "random, seed 2 v random:seed=2, seed 2"}


def test_a_second_run_does_only_what_is_missing(tmp_path):
    found = experiment(tmp_path / "calls")
    first = run(tmp_path, found)
    run(tmp_path, found, samples=6, games=6)
    assert calls(tmp_path) == [0, 1, 2, 3, 4, 5]
    (tmp_path / "run" / "quick.sqlite").unlink()  # the games are read from the lines again
    again = run(tmp_path, found, samples=4, games=6)
    assert calls(tmp_path) == [0, 1, 2, 3, 4, 5]
    assert again["rows"][0] == first["rows"][0]
    assert again["rows"][1]["samples"] == 6


def test_a_run_without_new_work_keeps_the_origin_of_its_result(tmp_path):
    found = experiment(tmp_path / "calls")
    first = run(tmp_path, found)
    file = tmp_path / "run" / "quick.json"
    file.write_text(file.read_text().replace(first["date"], "2020-02-02"))
    settings = found.settings("quick")
    again = reproduce(found, "quick", settings, tmp_path / "run", IN_PROCESS, "another command")
    assert (again["command"], again["date"], again["seconds"]) == ("the command", "2020-02-02", first["seconds"])
    more = reproduce(found, "quick", replace(settings, games=6), tmp_path / "run", IN_PROCESS, "another command")
    assert (more["command"], more["date"]) == ("another command", first["date"])
    assert more["seconds"] >= first["seconds"]


def test_a_part_that_fails_ends_the_run_and_keeps_the_others(tmp_path):
    with pytest.raises(TengenError, match="squares: this part fails"):
        run(tmp_path, experiment(tmp_path / "calls", fails_at=2))
    assert calls(tmp_path) == [0, 1]
    lines = (tmp_path / "run" / "quick.parts.jsonl").read_text().splitlines()
    assert [line.partition(',"part":')[2][0] for line in lines] == ["0", "1"]


def test_two_processes_do_not_run_the_same_experiment(tmp_path):
    (tmp_path / "run").mkdir()
    with Lock(tmp_path / "run" / "quick.json", "testing"), pytest.raises(Busy, match="running the experiment of"):
        run(tmp_path, experiment(tmp_path / "calls"))


def test_an_experiment_prepares_its_files_in_the_folder_of_the_run(tmp_path):
    prepared = []
    found = replace(
        experiment(tmp_path / "calls"), prepare=lambda settings, folder, workers: prepared.append((folder, workers))
    )
    run(tmp_path, found)
    assert prepared == [(tmp_path / "run", 1)]


def test_an_unknown_scale_is_refused(tmp_path):
    with pytest.raises(TengenError, match="unknown scale 'huge'; choose from: smoke, quick, standard, paper"):
        experiment(tmp_path).settings("huge")


def test_matches_of_several_games_and_seeds_have_names_of_their_own():
    matches = [
        Match("uct", "random", Go(9), 2),
        Match("uct", "random", Othello(4), 2),
        Match("uct", "random", Othello(4), 2, seed=7),
    ]
    assert [pairing.name.split(" v ")[0] for pairing in pairings_of(matches).values()] == [
        f"uct on {Go(9)}",
        f"uct on {Othello(4)}",
        f"uct on {Othello(4)}, seed 7",
    ]
    with pytest.raises(TengenError, match="same players, game and seed"):
        pairings_of([matches[0], replace(matches[0], random_moves=2)])
