"""Training of urgencies: results independent of the workers, exact checkpoints, and refused files."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest

from tengen import parallel
from tengen.errors import TengenError
from tengen.learning.array_file import load_arrays, save_arrays
from tengen.learning.reports import write_report
from tengen.learning.urgency_methods import BlockLearning, GreedyLearning, PopulationLearning, RelativeLearning
from tengen.learning.urgency_plots import plot_curve
from tengen.learning.urgency_settings import (
    METHODS,
    BlockSettings,
    GreedySettings,
    PopulationSettings,
    RelativeSettings,
    UrgencySettings,
)
from tengen.learning.urgency_training import MEASURED, UrgencyTraining
from tengen.parallel.in_process import InProcess
from tengen.policies.go.urgency_table import UrgencyTable, load_urgencies, manual_table

pytestmark = pytest.mark.long

SMALL: dict[str, Any] = {
    "1a": BlockSettings(size=5, komi=0.5, seed=3, games=40, decay=0.9),
    "1b": PopulationSettings(size=5, komi=0.5, seed=3, games=6, population=4, opponents=3, test_games=4),
    "2": RelativeSettings(size=5, komi=0.5, seed=3, games=2, evaluation_games=2, preselect=3, unit="area", step=0.1),
    "q": GreedySettings(size=5, komi=0.5, seed=3, games=20, trace_decay=0.5),
}
KINDS: dict[str, Any] = {"1a": BlockLearning, "1b": PopulationLearning, "2": RelativeLearning, "q": GreedyLearning}


@pytest.fixture(autouse=True)
def small_measurements(monkeypatch):
    monkeypatch.setattr("tengen.learning.urgency_training.MEASURED_GAMES", 4)
    monkeypatch.setattr("tengen.learning.urgency_training.ENTROPY_GAMES", 2)


def ignore(training: UrgencyTraining) -> None:
    pass


def train(path, steps, settings, backend=None) -> UrgencyTraining:
    training = UrgencyTraining(settings, path)
    training.run(steps, backend or InProcess(), ignore)
    return training


def changes(path) -> bool:
    """Whether a table has learnt anything."""
    return len(set(load_urgencies(path).urgencies.tolist())) > 5


# --- Workers ---------------------------------------------------------------------------------------------------------


def test_the_table_does_not_depend_on_the_number_of_workers(tmp_path):
    with parallel.start("processes", 2) as backend:
        for name, settings in SMALL.items():
            alone = train(tmp_path / f"{name}-1", 2, settings)
            shared = train(tmp_path / f"{name}-2", 2, settings, backend)
            assert (tmp_path / f"{name}-1").read_bytes() == (tmp_path / f"{name}-2").read_bytes(), name
            assert alone.progress.curve == shared.progress.curve
            assert changes(tmp_path / f"{name}-1")


def test_workers_of_ray_learn_the_same_table(tmp_path):
    pytest.importorskip("ray")
    with parallel.start("ray", 2) as backend:
        train(tmp_path / "ray", 1, SMALL["1b"], backend)
    train(tmp_path / "alone", 1, SMALL["1b"])
    assert (tmp_path / "ray").read_bytes() == (tmp_path / "alone").read_bytes()


# --- Checkpoints -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
def test_a_training_in_parts_ends_with_the_same_table_as_an_uninterrupted_one(name, tmp_path):
    train(tmp_path / "whole", 6, SMALL[name])
    for steps in (1, 4, 6):
        train(tmp_path / "parts", steps, SMALL[name])
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()
    assert changes(tmp_path / "whole")


@pytest.mark.parametrize("name", METHODS)
def test_an_interrupt_in_a_step_leaves_the_last_checkpoint(name, tmp_path, monkeypatch):
    """Checkpoints are written with the measurements, after 1, 2 and 5 steps; the interrupt is at the end of step 4."""
    advance = KINDS[name].advance

    def interrupted(method, step, run):
        facts = advance(method, step, run)
        if step == 3:
            raise KeyboardInterrupt
        return facts

    training = UrgencyTraining(SMALL[name], tmp_path / "parts")
    with monkeypatch.context() as patched:
        patched.setattr(KINDS[name], "advance", interrupted)
        with pytest.raises(KeyboardInterrupt):
            training.run(5, InProcess(), ignore)
    assert (training.progress.steps, training.saved_steps) == (3, 2)
    assert UrgencyTraining(SMALL[name], tmp_path / "parts").progress.steps == 2
    train(tmp_path / "parts", 5, SMALL[name])
    train(tmp_path / "whole", 5, SMALL[name])
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()


def killed(path, name: str, *options: str) -> int:
    """Start a training in a process of its own and kill it after its first checkpoints; return the steps saved."""
    settings = {key.replace("_", "-"): value for key, value in asdict(SMALL[name]).items()}
    settings["lambda"] = settings.pop("decay", None)
    given = [word for key, value in settings.items() if value is not None for word in (f"--{key}", str(value))]
    command = [sys.executable, "-c", "from tengen.interfaces.cli import main; main()", "train", "urgencies", "--method"]
    process = subprocess.Popen(
        [*command, name, *given, *options, "--steps", "1000000", "--out", str(path)],
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        for _ in range(1200):
            if path.exists() or process.poll() is not None:
                break
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.wait()
    return UrgencyTraining(SMALL[name], path).progress.steps


@pytest.mark.parametrize("name", ["1a", *(pytest.param(name, marks=pytest.mark.long) for name in ("1b", "2"))])
def test_a_killed_training_continues_from_its_last_checkpoint(name, tmp_path):
    steps = killed(tmp_path / "killed", name) + 2
    assert steps > 2
    train(tmp_path / "killed", steps, SMALL[name])
    train(tmp_path / "whole", steps, SMALL[name])
    assert (tmp_path / "killed").read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_table_that_was_not_written_after_its_checkpoint_is_written_by_the_next_run(tmp_path):
    train(tmp_path / "a", 2, SMALL["1a"])
    expected = (tmp_path / "a").read_bytes()
    (tmp_path / "a").unlink()
    train(tmp_path / "a", 2, SMALL["1a"])
    assert (tmp_path / "a").read_bytes() == expected


def test_a_checkpoint_is_written_when_some_seconds_have_passed(tmp_path, monkeypatch):
    """The third of five steps is not measured."""
    saved: list[int] = []
    for seconds, expected in ((1e9, [1, 2, 2, 2, 5]), (-1.0, [1, 2, 3, 4, 5])):
        monkeypatch.setattr("tengen.learning.stepwise.CHECKPOINT_SECONDS", seconds)
        saved.clear()
        training = UrgencyTraining(SMALL["1a"], tmp_path / str(seconds))
        training.run(5, InProcess(), lambda training: saved.append(training.saved_steps))
        assert saved == expected


# --- Refused files ---------------------------------------------------------------------------------------------------


def refusal(settings: UrgencySettings, path) -> str:
    """Return the message with which a training refuses a file; empty if it does not."""
    try:
        UrgencyTraining(settings, path)
    except TengenError as error:
        return str(error)
    return ""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a small training of each method, named by it."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tengen.learning.urgency_training.MEASURED_GAMES", 2)
        patched.setattr("tengen.learning.urgency_training.ENTROPY_GAMES", 1)
        for name, settings in SMALL.items():
            train(folder / name, 1, settings)
    return folder


@pytest.mark.parametrize(
    ("name", "other", "words"),
    [
        ("1a", replace(SMALL["1a"], seed=4), "is of a training with seed=3, not 4: choose another file"),
        ("1a", replace(SMALL["1a"], komi=7.5), "with komi=0.5, not 7.5"),
        ("1a", SMALL["1b"], "with method='1a', not '1b'"),
        ("2", replace(SMALL["2"], unit="wins"), "with unit='area', not 'wins'"),
        ("2", SMALL["1a"], "with method='2', not '1a'"),
    ],
)
def test_a_file_of_other_settings_is_refused_and_not_touched(name, other, words, made):
    before = [(made / file).read_bytes() for file in (name, f"{name}.checkpoint")]
    found = refusal(other, made / name)
    assert words in found
    assert "\n" not in found
    assert [(made / file).read_bytes() for file in (name, f"{name}.checkpoint")] == before


def test_a_table_without_a_checkpoint_is_not_overwritten(tmp_path):
    manual_table().save(tmp_path / "a")
    assert refusal(SMALL["1a"], tmp_path / "a").endswith("exists, and has no checkpoint: choose another file")


def test_a_checkpoint_with_flipped_bits_or_cut_off_is_refused(made, tmp_path):
    content, checkpoint = (made / "1a.checkpoint").read_bytes(), tmp_path / "a.checkpoint"
    flips = [(place, 1 << place % 8) for place in range(0, len(content), 23)]
    damaged = [content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :] for place, bit in flips]
    damaged += [content[:length] for length in range(0, len(content), 97)]
    for number, changed in enumerate(damaged):
        checkpoint.write_bytes(changed)
        found = refusal(SMALL["1a"], tmp_path / "a")
        assert "is damaged" in found or "is not a checkpoint" in found, number
        assert "\n" not in found


def altered(folder, name: str, path, about=None, **arrays) -> str:
    """Write a checkpoint with altered entries and a valid checksum; return the message of its refusal."""
    theirs, kept = load_arrays(folder / f"{name}.checkpoint")
    save_arrays(path.with_name(path.name + ".checkpoint"), {**theirs, **(about or {})}, {**kept, **arrays})
    return refusal(SMALL[name], path)


def test_a_checkpoint_with_other_arrays_is_refused(made, tmp_path):
    values, path = load_arrays(made / "1a.checkpoint")[1]["values"], tmp_path / "a"
    assert altered(made, "1a", path) == ""
    for odd in (values[:-1], values[None], values.astype(np.int64), np.zeros(0)):
        assert altered(made, "1a", path, values=odd).endswith("its arrays do not fit its settings")
    assert altered(made, "1a", path, other=values).endswith("its arrays do not fit its settings")


@pytest.mark.parametrize(
    ("name", "array", "wrong"),
    [
        *(("1a", "values", wrong) for wrong in (np.nan, np.inf, -np.inf, 1.0, -0.991)),
        ("1b", "values", np.nan),
        *(("2", "log_urgencies", wrong) for wrong in (np.nan, np.inf, 1e300)),
        *(("2", "matches", wrong) for wrong in (-1, 2**63 - 1)),
    ],
)
def test_a_checkpoint_with_a_number_out_of_range_is_refused(name, array, wrong, made, tmp_path):
    numbers = load_arrays(made / f"{name}.checkpoint")[1][array]
    numbers.flat[-1] = wrong
    assert f"is damaged: its {array} are not all from" in altered(made, name, tmp_path / "a", None, **{array: numbers})


def test_a_checkpoint_with_a_wrong_description_is_refused(made, tmp_path):
    about, path = load_arrays(made / "1a.checkpoint")[0], tmp_path / "a"
    progress, settings = about["progress"], about["settings"]
    point = progress["curve"][0]
    odd_ones: list[dict] = [
        {"settings": 3},
        *({"progress": odd} for odd in (None, 3, {"hours": 1}, {**progress, "curve": 3}, {**progress, "steps": -1})),
        *({"progress": {**progress, "seconds": odd}} for odd in ("1", float("nan"), 10**400)),
        *(
            {"progress": {**progress, "curve": [odd]}}
            for odd in (3, {}, {**point, "zero": None}, {**point, "games": 0.5})
        ),
        *({"progress": {**progress, "curve": [{**point, name: float("inf")}]}} for name in MEASURED),
    ]
    for odd in odd_ones:
        assert altered(made, "1a", path, odd).endswith("is not a checkpoint of this training"), odd
    for odd in ({}, {**settings, "seed": "3\n" * 99}, {**settings, "new\n" * 99: 1}):
        found = altered(made, "1a", path, {"settings": odd})
        assert "is of a training with" in found
        assert "\n" not in found
        assert len(found) < 400 + len(str(path))


def test_a_folder_in_the_place_of_the_checkpoint_is_refused(tmp_path):
    (tmp_path / "a.checkpoint").mkdir()
    assert refusal(SMALL["1a"], tmp_path / "a").endswith("a.checkpoint' cannot be read: Is a directory")


# --- Reports ---------------------------------------------------------------------------------------------------------


def test_the_report_the_picture_and_the_table_describe_the_training(tmp_path):
    training = train(tmp_path / "a", 3, SMALL["1a"])
    write_report(training, tmp_path / "a.json", "tengen train urgencies")
    report = json.loads((tmp_path / "a.json").read_text())
    assert (report["command"], report["blocks"], report["games"]) == ("tengen train urgencies", 3, 120)
    assert report["settings"] == {"method": "1a", **asdict(SMALL["1a"])}
    assert [point["steps"] for point in report["curve"]] == [1, 2, 3]
    assert all(0 < point["entropy"] <= 1 and 0 <= point["zero_rate"] <= 1 for point in report["curve"])
    plot_curve(training, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    table = load_urgencies(tmp_path / "a")
    assert table.about == {"method": "1a", **asdict(SMALL["1a"]), "blocks": 3, "trained": 120}
    assert (table.capture, table.escape) == (SMALL["1a"].capture, SMALL["1a"].escape)


def test_a_failure_of_a_worker_is_one_sentence(tmp_path, monkeypatch):
    def broken(table: UrgencyTable, size: int) -> None:
        raise ZeroDivisionError("nothing to divide")

    monkeypatch.setattr(UrgencyTable, "compiled", broken)
    with pytest.raises(TengenError, match=r"^a worker failed: .*ZeroDivisionError: nothing to divide"):
        train(tmp_path / "a", 1, SMALL["1a"])
