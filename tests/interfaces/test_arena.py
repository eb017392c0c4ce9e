"""Matches, tournaments and results from the command line: killed, resumed, on every backend, with faulty engines."""

import csv
import json
import sqlite3
import subprocess
from pathlib import Path

import pytest

from tengen.arena.scores import elo_from_rate
from tests.arena.conftest import STUB
from tests.interfaces import in_process
from tests.interfaces.test_cli import ENVIRONMENT, program
from tests.trials.kills import killed_again_and_again

QUICK = """
games = {games}
random_moves = 2
[game]
name = "othello"
[players]
a = "random"
b = "random:seed=2"
c = "random:seed=3"
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return in_process.tengen(*arguments, folder=folder)


def output_of(folder: Path, *arguments: str) -> str:
    return in_process.output_of(*arguments, folder=folder)


def output_of_program(folder: Path, *arguments: str) -> str:
    """Return the output of a command in a process of its own that must succeed."""
    done = subprocess.run(
        [program(), *arguments], env=ENVIRONMENT, cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def games_of(store: Path) -> dict[str, tuple]:
    """Return the results and records of games by id, read with plain SQL."""
    database = sqlite3.connect(store)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    rows = database.execute("SELECT id, black, white, winner, margin, seed, opening, record FROM games").fetchall()
    database.close()
    assert len({row[0] for row in rows}) == len(rows)
    return {row[0]: row[1:] for row in rows}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return a folder with a small tournament, played to its end in worker processes."""
    made: Path = tmp_path_factory.mktemp("cup")
    (made / "cup.toml").write_text(QUICK.format(games=8))
    output_of_program(made, "tournament", "cup.toml", "--workers", "2")
    return made


def test_a_match_is_printed_as_json_for_the_first_player(tmp_path):
    arguments = ("match", "mc-rave:simulations=60", "random", "--games", "6", "--workers", "2", "--json")
    found = json.loads(output_of_program(tmp_path, *arguments))
    assert (found["a"], found["b"], found["games"]) == ("mc-rave:simulations=60", "random", 6)
    assert found["rate"] == (found["wins"] + found["draws"] / 2) / 6 > 0.5
    assert found["low"] < found["rate"] <= found["high"]
    assert found["elo"] == (None if found["rate"] == 1 else pytest.approx(elo_from_rate(found["rate"])))
    assert len(games_of(tmp_path / found["store"])) == 6
    again = json.loads(output_of(tmp_path, *arguments))
    assert again == found


def test_a_match_can_be_played_without_a_store(tmp_path):
    arguments = ("match", "random", "random", "--game", "othello", "--size", "4", "--games", "4", "--no-keep")
    shown = output_of(tmp_path, *arguments, "--workers", "1")
    assert shown.startswith("random v random (2): 4 games")
    assert list(tmp_path.iterdir()) == []


def test_faulty_engines_lose_with_their_reasons_and_the_tournament_continues(tmp_path):
    modes = {"crash": "crash", "hang": "hang", "garbage": "garbage", "illegal": "illegal", "closed": "closed"}
    limits = dict.fromkeys(modes, 60) | {"hang": 4}
    players = [f"{mode} = \"gtp:command='{STUB} {mode} 2',timeout={limits[mode]}\"" for mode in modes]
    text = 'kind = "gauntlet"\nchallengers = ["good"]\ngames = 2\n[players]\ngood = "random"\n' + "\n".join(players)
    (tmp_path / "faults.toml").write_text(text)
    found = json.loads(output_of_program(tmp_path, "tournament", "faults.toml", "--workers", "2", "--json"))
    assert {(each["player"], each["reason"], each["games"]) for each in found["reasons"]} == {
        (mode, reason, 2) for mode, reason in modes.items()
    }
    assert [(each["games"], each["wins"]) for each in found["pairings"]] == [(2, 2)] * len(modes)


@pytest.mark.long
def test_a_tournament_killed_again_and_again_loses_no_game_and_plays_none_twice(folder, tmp_path):
    store = killed_again_and_again(tmp_path, QUICK.format(games=8), kills=4, seed=3)
    output_of_program(tmp_path, "tournament", "cup.toml", "--workers", "2")
    assert len(games_of(store)) == 3 * 8
    assert games_of(store) == games_of(folder / "cup.sqlite")


@pytest.mark.long
def test_ray_plays_the_same_games(folder, tmp_path):
    pytest.importorskip("ray")
    (tmp_path / "cup.toml").write_text((folder / "cup.toml").read_text())
    shown = output_of_program(tmp_path, "tournament", "cup.toml", "--backend", "ray", "--workers", "2", "--json")
    assert json.loads(shown)["failed"] == 0
    assert games_of(tmp_path / "cup.sqlite") == games_of(folder / "cup.sqlite")


def test_a_second_process_may_not_play_into_the_same_file(folder):
    """A process that holds the lock is playing."""
    import fcntl

    with (folder / "cup.sqlite.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = run(folder, "tournament", "cup.toml", "--games", "20")
    (folder / "cup.sqlite.lock").unlink(missing_ok=True)
    assert done.returncode == 1
    assert "another process is playing" in done.stderr


def test_results_are_shown_and_exported(folder, tmp_path):
    shown = output_of(folder, "results", "cup.sqlite", "--anchor", "b=1000", "--games", "2")
    assert "player" in shown.splitlines()[0]
    assert shown.count(" v ") >= 5
    assert "+1000" in shown
    output_of(
        folder, "results", "cup.sqlite", "--csv", f"{tmp_path}/x.csv", "--lines", f"{tmp_path}/x.jsonl",
        "--sgf", f"{tmp_path}/records", "--store", f"{tmp_path}/copy.sqlite", "--plot", f"{tmp_path}/x.png",
    )  # fmt: skip
    with (tmp_path / "x.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 24
    assert {row["winner"] for row in rows} <= {"black", "white", "draw"}
    assert len(list((tmp_path / "records").iterdir())) == 24
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    assert games_of(tmp_path / "copy.sqlite") == games_of(folder / "cup.sqlite")
    from_lines = output_of(tmp_path, "results", "x.jsonl", "--json", "--plot", "y.svg")
    assert json.loads(from_lines) == json.loads(output_of(folder, "results", "cup.sqlite", "--json"))
    assert "<svg" in (tmp_path / "y.svg").read_text()


def test_results_use_the_anchors_of_their_tournament(folder, tmp_path):
    """From the store and from its lines; --anchor replaces them."""
    (tmp_path / "cup.toml").write_text((folder / "cup.toml").read_text() + "[anchors]\nb = 1500\n")
    output_of(folder, "results", "cup.sqlite", "--store", f"{tmp_path}/cup.sqlite")
    played = json.loads(output_of(tmp_path, "tournament", "cup.toml", "--workers", "1", "--json"))
    assert {each["player"]: each["elo"] for each in played["standings"]}["b"] == pytest.approx(1500)
    shown = json.loads(output_of(tmp_path, "results", "cup.sqlite", "--json", "--lines", "cup.jsonl"))
    assert shown["standings"] == played["standings"]
    assert json.loads(output_of(tmp_path, "results", "cup.jsonl", "--json")) == shown
    other = json.loads(output_of(tmp_path, "results", "cup.sqlite", "--json", "--anchor", "a=200"))
    assert {each["player"]: each["elo"] for each in other["standings"]}["a"] == pytest.approx(200)


def test_results_are_read_from_the_csv_that_they_write(folder, tmp_path):
    output_of(folder, "results", "cup.sqlite", "--csv", f"{tmp_path}/cup.csv")
    assert output_of(tmp_path, "results", "cup.csv", "--csv", "again.csv") == output_of(folder, "results", "cup.sqlite")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "cup.csv").read_bytes()
    done = run(tmp_path, "results", "cup.csv", "--sgf", "records")
    assert done.returncode == 1
    assert "which has no moves" in done.stderr
    assert not (tmp_path / "records").exists()


def test_a_sequential_test_continues_until_it_is_decided_unless_games_are_given(tmp_path):
    players = ("match", "random", "random:seed=2", "--game", "othello", "--size", "4", "--workers", "1", "--no-keep")
    found = json.loads(output_of(tmp_path, *players, "--sprt=-15,15", "--json"))
    assert found["games"] > 100
    assert found["sprt"]["verdict"] != "open"
    found = json.loads(output_of(tmp_path, *players, "--sprt=-15,15", "--games", "4", "--json"))
    assert found["games"] == 4
    assert found["sprt"]["verdict"] == "open"


@pytest.mark.parametrize("display", [{}, {"FORCE_COLOR": "1", "TERM": "xterm"}], ids=["lines", "live"])
def test_a_full_standard_error_does_not_end_a_match(display, tmp_path):
    arguments = ("match", "random", "random", "--game", "othello", "--size", "4", "--games", "4", "--workers", "1")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [program(), *arguments, "--no-keep"],
            env=ENVIRONMENT | display, cwd=tmp_path, stdout=subprocess.PIPE, stderr=full, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.startswith("random v random (2): 4 games")


def test_a_full_standard_output_is_reported_in_one_line(folder):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [program(), "results", "cup.sqlite"],
            env=ENVIRONMENT, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "tengen: No space left on device\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["match", "random", "random", "--games", "999999999999"],
        ["tournament", "cup.toml", "--games", "999999999999"],
        ["tune", "uct", "--over", "exploration=0..1", "--study", "x", "--games", "999999999999"],
        ["train", "rlgo", "--out", "x", "--games", "9999999999999"],
        ["results", "cup.sqlite", "--games", "99999999999999999999"],
    ],
)
def test_too_many_games_are_wrong_usage(arguments, tmp_path):
    done = run(tmp_path, *arguments)
    assert done.returncode == 2
    assert "less than or equal to" in " ".join(done.stderr.replace("│", " ").split())
    assert list(tmp_path.iterdir()) == []


def test_a_tournament_continues_from_json_lines_in_a_fresh_clone(folder, tmp_path):
    (tmp_path / "cup.toml").write_text('lines = "games.jsonl"\n' + (folder / "cup.toml").read_text())
    output_of(folder, "results", "cup.sqlite", "--lines", f"{tmp_path}/games.jsonl")
    shown = json.loads(output_of(tmp_path, "tournament", "cup.toml", "--games", "10", "--workers", "1", "--json"))
    assert [each["games"] for each in shown["pairings"]] == [10, 10, 10]
    assert sum('"game"' in line.partition(":")[0] for line in (tmp_path / "games.jsonl").open()) == 30


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["match", "uct", "nobody"], "unknown player 'nobody'; choose from: "),
        (["match", "uct", "gtp:command=no-such-engine"], "the engine's program 'no-such-engine' is not found"),
        (["match", "uct", "random", "--game", "othello", "--komi", "3"], "othello has no option komi"),
        (["tournament", "none.toml"], "No such file"),
        (["results", "none.sqlite"], "cannot be read"),
    ],
)
def test_an_invalid_argument_is_reported_in_one_line(arguments, words, tmp_path):
    done = run(tmp_path, *arguments)
    assert done.returncode == 1
    assert done.stdout == ""
    assert words in done.stderr
    assert "Traceback" not in done.stderr
