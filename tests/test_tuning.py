"""Tuning by games: fitted surfaces against known ones, and studies that survive a kill."""

import json
import math
import os
import re
import resource
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from tengen import parallel
from tengen.arena.plans import Conditions
from tengen.errors import TengenError
from tengen.files import Lock, Unwritable
from tengen.games.othello.game import Othello
from tengen.players import parse_player
from tengen.search.config import SearchConfig
from tengen.tuning.findings import report
from tengen.tuning.parameters import Parameter
from tengen.tuning.study import Task, observations, open_study, tune
from tengen.tuning.surface import Surface, middle_of, terms_of
from tests.interfaces.in_process import tengen

RAVE = SearchConfig(tree_policy="mc-rave", expand="threshold")


def test_a_parameter_is_scaled_to_one_at_its_limits_and_back():
    bias = Parameter.parse("bias=0.001..0.1:log", RAVE)
    assert bias.value(0) == pytest.approx(0.01)
    assert (bias.value(-1), bias.value(1)) == (0.001, 0.1)
    assert bias.scaled(0.01) == pytest.approx(0)
    visits = Parameter.parse("expand_visits=1..9", RAVE)
    assert visits.value(0.0) == 5
    assert isinstance(visits.value(0.1), int)
    fine = Parameter.parse("bias=0.00123456..0.123456", RAVE)
    assert (fine.value(-1), fine.value(1)) == (0.001235, 0.123456), "rounding stays within limits"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("speed=1..2", "is not a numeric setting of the player"),
        ("solver=0..1", "is not a numeric setting of the player"),
        ("bias=1", "has no limits"),
        ("bias=0.2..0.1", "the smaller one first"),
        ("bias=0..nan", "the smaller one first"),
        ("bias=0..0.1:log", "needs limits above 0"),
        ("bias=0..1e4", "from 0 to 1000"),
        ("expand_visits=1.2..8", "whole number"),
        ("fill_board=1..8", "fill_board has no effect with policy=uniform: it is an option of the playout policy mogo"),
        ("prior_weight=1..20", "an option of the priors even, grandfather, knowledge, learnt, mogo, rlgo"),
        ("equivalence=10..1000:log", "an option of the tree policy uct-rave"),
    ],
)
def test_parameters_that_cannot_be_tuned_are_refused(text, why):
    with pytest.raises(TengenError, match=why):
        Parameter.parse(text, RAVE)


def test_an_option_without_effect_is_not_tuned():
    with pytest.raises(TengenError, match="expand_visits has no effect unless expand=threshold"):
        Parameter.parse("expand_visits=1..8", SearchConfig())


def test_the_scale_is_tuned_only_where_the_variance_is_the_weight():
    config = SearchConfig(prior="rlgo", prior_weight="variance")
    assert Parameter.parse("prior_scale=1..20", config).name == "prior_scale"
    with pytest.raises(TengenError, match="prior_scale has no effect unless prior_weight=variance"):
        Parameter.parse("prior_scale=1..20", SearchConfig(prior="rlgo"))


def test_the_terms_of_a_surface_are_all_products_of_two():
    assert terms_of(np.array([[2.0, 3.0]])).tolist() == [[1, 2, 3, 4, 6, 9]]


def test_a_surface_fitted_to_one_rate_is_that_rate():
    results = np.array([1.0] * 300 + [0.0] * 100)
    surface = Surface.fit(np.zeros((400, 1)), results)
    rate = surface.rate([0.0])
    assert rate.value == pytest.approx(0.75, abs=0.005)
    assert rate.high - rate.low == pytest.approx(2 * 1.96 * math.sqrt(0.75 * 0.25 / 400), rel=0.02)


def test_a_known_surface_is_found_within_its_error_bars():
    chance = np.random.default_rng(5)
    points = chance.uniform(-1, 1, (4000, 2))
    logit = 0.5 - 2.0 * (points[:, 0] - 0.4) ** 2 - 1.5 * (points[:, 1] + 0.2) ** 2
    results = (chance.uniform(size=4000) < 1 / (1 + np.exp(-logit))).astype(float)
    surface = Surface.fit(points, results)
    best = surface.best(chance)
    maxima = np.array([surface.best(chance, drawn=True) for _ in range(100)])
    for found, drawn, true in zip(best, maxima.T, (0.4, -0.2), strict=True):
        assert abs(found - true) < 4 * drawn.std()
        assert drawn.std() < 0.15
    assert surface.rate(best.tolist()).value == pytest.approx(1 / (1 + math.exp(-0.5)), abs=0.05)


@dataclass(frozen=True)
class Outcome:
    """The part of a game that tuning uses."""

    black: str
    white: str
    winner: str


class Arithmetic:
    """A backend without games: the tuned player wins more often if its bias is nearer to 0.01."""

    workers = 1

    def __init__(self, stop_after: int = 10**9):
        self.stop_after = stop_after

    def run(self, make, tasks, keep=False):
        for count, plan in enumerate(tasks):
            if count == self.stop_after:
                raise KeyboardInterrupt
            entrants = {"black": plan.black, "white": plan.white}
            tuned = next(colour for colour, entrant in entrants.items() if entrant.name == "tuned")
            other = "white" if tuned == "black" else "black"
            distance = math.log10(entrants[tuned].spec.config.bias) + 2
            wins = np.random.default_rng(plan.number).uniform() < 1 / (1 + math.exp(-1 + 3 * distance * distance))
            played = Outcome(plan.black.name, plan.white.name, tuned if wins else other)
            yield parallel.Done(plan, played)


@pytest.fixture
def task() -> Task:
    player = parse_player("mc-rave:simulations=2,memory=1")
    return Task(player, player, [Parameter.parse("bias=0.0001..1:log", player.config)], Conditions(Othello(4)))


def test_tuning_finds_the_best_value_and_survives_an_interrupt(task: Task, tmp_path: Path):
    file = tmp_path / "study.journal"
    counts: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        tune(task, open_study(file, task), 400, Arithmetic(stop_after=100), lambda count, played: counts.append(count))
    study = open_study(file, task)
    assert len(observations(study, task.parameters)[1]) == 100
    tune(task, study, 400, Arithmetic(), lambda count, played: counts.append(count))
    assert len(observations(study, task.parameters)[1]) == 400
    assert counts[-1] == 400
    found = report(task, study)
    choice = found.choices[0]
    assert choice.low <= 0.01 <= choice.high
    assert 0.003 < choice.value < 0.03
    assert found.rate.value > 0.6
    config = parse_player(found.player).config
    assert isinstance(config, SearchConfig)
    assert config.bias == choice.value


def test_the_minimum_between_two_maxima_is_not_chosen():
    """Both ends of a parameter are better than its middle."""
    chance = np.random.default_rng(3)
    points = chance.uniform(-1, 1, (3000, 1))
    logit = 2.0 * points[:, 0] ** 2 - 0.5
    surface = Surface.fit(points, (chance.uniform(size=3000) < 1 / (1 + np.exp(-logit))).astype(float))
    maxima = np.array([surface.best(chance, drawn=True) for _ in range(100)])
    assert abs(middle_of(maxima, surface)[0]) > 0.9


def test_parameters_that_no_task_can_have_are_refused(task: Task):
    with pytest.raises(TengenError, match="bias is given twice"):
        Task(task.player, task.player, task.parameters * 2, task.conditions)


def test_the_command_prints_a_table_or_json_and_locks_its_file(tmp_path: Path):
    file = tmp_path / "study.journal"

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        player = ["tune", "uct:simulations=2,memory=1", "--over", "first_play=0.5..1.5", "--study", str(file)]
        return tengen(*player, "--game", "othello", "--size", "4", "--workers", "1", *arguments)

    found = json.loads(run("--games", "4", "--json", "--csv", str(tmp_path / "games.csv")).stdout)
    assert found["games"] == 4
    header, *games = (tmp_path / "games.csv").read_text().splitlines()
    assert header == "game,first_play,points"
    assert [line.split(",")[0] for line in games] == ["0", "1", "2", "3"]
    assert all(0.5 <= float(line.split(",")[1]) <= 1.5 for line in games)
    assert {line.split(",")[2] for line in games} <= {"0", "0.5", "1"}
    assert found["choices"][0]["default"] is None, "it is infinite, for which JSON has no word"
    table = run("--games", "4").stdout
    assert table.startswith("4 games\n")
    assert "first_play" in table
    lock = Lock(file, "tuning in")
    refused = run("--games", "6")
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert "another process is tuning in" in refused.stderr
    lock.release()


def test_an_incomplete_last_line_is_dropped(task: Task, tmp_path: Path):
    file = tmp_path / "a"
    with parallel.start("processes", 1) as backend:
        tune(task, open_study(file, task), 4, backend, lambda count, played: None)
        whole = file.read_bytes()
        file.write_bytes(whole[:-20])
        tune(task, open_study(file, task), 5, backend, lambda count, played: None)
    assert len(observations(open_study(file, task), task.parameters)[1]) == 5
    (tmp_path / "prose").write_text("not a journal, and no end of line")
    with pytest.raises(TengenError, match="not the journal of a study"):
        open_study(tmp_path / "prose", task)
    assert (tmp_path / "prose").read_text() == "not a journal, and no end of line"


def test_a_link_in_place_of_the_lock_loses_no_game(task: Task, tmp_path: Path):
    """As left by a kill with optuna's own lock."""
    file = tmp_path / "a"
    with parallel.start("processes", 1) as backend:
        tune(task, open_study(file, task), 2, backend, lambda count, played: None)
    (tmp_path / "a.lock").symlink_to(file)
    with Lock(file, "tuning in"):
        assert len(observations(open_study(file, task), task.parameters)[1]) == 2


def test_players_that_cannot_play_start_no_study(tmp_path: Path):
    spec = parse_player("mc-rave:policy=mogo")
    task = Task(spec, spec, [Parameter.parse("bias=0.1..0.2", spec.config)], Conditions(Othello(4)))
    with pytest.raises(TengenError, match="the playout policy mogo is for go, not for othello"):
        open_study(tmp_path / "a", task)
    assert not (tmp_path / "a").exists()


def test_a_study_of_another_task_is_refused(task: Task, tmp_path: Path):
    open_study(tmp_path / "a", task)
    other = Task(task.player, parse_player("uct"), task.parameters, task.conditions)
    with pytest.raises(TengenError, match="another task or other settings"):
        open_study(tmp_path / "a", other)
    (tmp_path / "b").write_text("this is no journal\n")
    with pytest.raises(TengenError, match="not the journal of a study"):
        open_study(tmp_path / "b", task)


def test_real_games_are_played_by_workers(task: Task, tmp_path: Path):
    study = open_study(tmp_path / "a", task)
    with parallel.start("processes", 1) as backend:
        tune(task, study, 4, backend, lambda count, played: None)
    points, results = observations(study, task.parameters)
    assert len(results) == 4
    assert set(results) <= {0.0, 0.5, 1.0}
    assert points.shape == (4, 1)


# The journal


@pytest.fixture
def journal(task: Task, tmp_path: Path) -> Path:
    """A study of twelve games."""
    file = tmp_path / "study.journal"
    tune(task, open_study(file, task), 12, Arithmetic(), lambda count, played: None)
    return file


def game_lines(lines: list[bytes]) -> list[int]:
    """The indices of the lines with a game's result."""
    return [place for place, line in enumerate(lines) if b'"values":[' in line]


def changed_result(lines: list[bytes]) -> None:
    place = game_lines(lines)[3]
    old, new = (b"[1.0]", b"[0.0]") if b"[1.0]" in lines[place] else (b"[0.0]", b"[1.0]")
    lines[place] = lines[place].replace(old, new)


def deleted_line(lines: list[bytes]) -> None:
    del lines[game_lines(lines)[3]]


def repeated_line(lines: list[bytes]) -> None:
    lines.insert(5, lines[5])


def swapped_lines(lines: list[bytes]) -> None:
    lines[6], lines[9] = lines[9], lines[6]


def line_without_checksum(lines: list[bytes]) -> None:
    lines[4] = lines[4].partition(b',"sha256"')[0] + b"}\n"


def deep_line(lines: list[bytes]) -> None:
    lines[4] = b"[" * 200_000 + b"\n"


@pytest.mark.parametrize(
    "damage", [changed_result, deleted_line, repeated_line, swapped_lines, line_without_checksum, deep_line]
)
def test_a_damaged_journal_is_refused_and_left_as_it_is(damage, journal: Path, task: Task):
    lines = journal.read_bytes().splitlines(keepends=True)
    damage(lines)
    journal.write_bytes(b"".join(lines))
    with pytest.raises(TengenError, match=r"line \d+ of .* is damaged: its checksum is (wrong|missing)") as raised:
        open_study(journal, task)
    assert "\n" not in str(raised.value)
    assert journal.read_bytes() == b"".join(lines)


def without_checksums(journal: Path) -> None:
    """Remove the checksums of a journal, as in earlier versions."""
    journal.write_bytes(re.sub(rb',"sha256":"[0-9a-f]{16}"\}\n', b"}\n", journal.read_bytes()))


def test_a_journal_without_checksums_is_continued_with_checksums(journal: Path, task: Task):
    expected = report(task, open_study(journal, task))
    without_checksums(journal)
    said: list[str] = []
    study = open_study(journal, task, said.append)
    assert len(said) == 1
    assert "written without checksums by an earlier version" in said[0]
    assert report(task, study) == expected
    tune(task, study, 13, Arithmetic(), lambda count, played: None)
    open_study(journal, task, said.append)
    assert len(said) == 1, "the first new line has the checksum of all before it"
    lines = journal.read_bytes().splitlines(keepends=True)
    changed_result(lines)
    journal.write_bytes(b"".join(lines))
    with pytest.raises(TengenError, match="checksum is wrong"):
        open_study(journal, task)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (rb'"values":\[[01].0\]', b'"values":[7.0]', "has the result '7.0'"),
        (rb'"param_name":"bias"', b'"param_name":"speed"', "has 'None' for bias"),
        (rb'"op_code":', b'"code":', "not the journal of a study"),
        (rb'"study_id":', b'"study":', "is not a study that can be continued"),
        (rb'"trial_id":', b'"trial":', "is not a study that can be continued"),
    ],
)
def test_a_damaged_journal_without_checksums_is_refused(old, new, words, journal: Path, task: Task):
    without_checksums(journal)
    content, changes = re.subn(old, new, journal.read_bytes())
    assert changes > 1
    journal.write_bytes(content)
    with pytest.raises(TengenError, match=words):
        open_study(journal, task)


def test_an_unfinished_line_is_removed_and_reported(journal: Path, task: Task):
    whole = journal.read_bytes()
    journal.write_bytes(whole + b'{"op_code":5,"wor')
    said: list[str] = []
    open_study(journal, task, said.append)
    assert said == [f"{journal} ended in an unfinished line, whose 17 bytes were removed"]
    assert journal.read_bytes().startswith(whole)
    open_study(journal, task, said.append)
    assert len(said) == 1


def test_on_a_full_disk_only_the_game_named_in_the_error_is_lost(journal: Path, task: Task):
    study, size = open_study(journal, task), journal.stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 4000, hard))
    try:
        with pytest.raises(TengenError, match="cannot be written: File too large"):
            tune(task, study, 100, Arithmetic(), lambda count, played: None)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert journal.read_bytes().endswith(b"\n")
    study = open_study(journal, task)
    saved = len(observations(study, task.parameters)[1])
    assert 12 < saved < 30
    tune(task, study, 30, Arithmetic(), lambda count, played: None)
    assert len(observations(study, task.parameters)[1]) == 30


def test_the_game_whose_result_was_not_saved_is_named(journal: Path, task: Task, monkeypatch):
    study = open_study(journal, task)

    def full(*arguments: object, **options: object) -> None:
        raise Unwritable("no space")

    monkeypatch.setattr(study, "tell", full)
    with pytest.raises(TengenError, match=r"game 12 was not saved .*: no space"):
        tune(task, study, 13, Arithmetic(), lambda count, played: None)


def test_a_fifo_is_refused(task: Task, tmp_path: Path):
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(TengenError, match="not a regular file"):
        open_study(tmp_path / "fifo", task)
