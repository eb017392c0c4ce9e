"""Training by simulation balancing: independent of workers and kills, exact checkpoints, and refused files."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from tengen import parallel
from tengen.errors import TengenError
from tengen.interfaces.cli import app
from tengen.learning.array_file import load_arrays, save_arrays
from tengen.learning.balance_settings import BalanceSettings
from tengen.learning.balance_training import BalanceTraining, errors_of, theta_limits, with_few_decided
from tengen.learning.balance_workers import BalanceWorker
from tengen.learning.valued_positions import ValuedPosition, moves_in_words
from tengen.parallel.in_process import InProcess
from tengen.policies.go.gamma_table import GammaTable, load_gammas
from tengen.policies.go.shape_features import feature_set

SETTINGS = BalanceSettings(
    size=2, komi=1.5, batch=5, playouts=4, holdout=3, decided=1.0, check_playouts=20, alpha=20.0, seed=4
)
MOVES = ((), ("A1",), ("B2",), ("A1", "B2"), ("B1", "A2"), ("A2", "B1"), ("B2", "A1"), ("A1", "B1"), ("A2", "A1"))
POSITIONS = tuple(ValuedPosition(moves, number % 4 / 4) for number, moves in enumerate(MOVES))


def ignore(training: BalanceTraining) -> None:
    pass


def train(path, steps: int, settings=SETTINGS, backend=None) -> BalanceTraining:
    training = BalanceTraining(settings, POSITIONS, None, path)
    training.run(steps, backend or InProcess(), ignore)
    return training


# --- Steps -----------------------------------------------------------------------------------------------------------


def test_every_position_that_is_learnt_from_is_used_before_one_is_used_again(tmp_path):
    training = BalanceTraining(SETTINGS, POSITIONS, None, tmp_path / "a")
    assert training.held_out == POSITIONS[2::3]
    drawn = [one for step in range(12) for one in training.batch_of(step)]
    epochs = [drawn[first : first + 6] for first in range(0, 60, 6)]
    assert all(sorted(epoch, key=POSITIONS.index) == list(training.learnt) for epoch in epochs)
    assert len({tuple(epoch) for epoch in epochs}) > 5


def test_a_step_adds_the_step_size_times_the_mean_gradient(tmp_path):
    """The sum of the gradients is taken from the tasks of the step."""
    seen = []

    class Listening(InProcess):
        def run(self, make, tasks, keep=False):
            for done in super().run(make, tasks, keep):
                seen.append(done.result.gradient)
                yield done

    training = BalanceTraining(replace(SETTINGS, shapes=0.5), POSITIONS, None, tmp_path / "a")
    before = training.state["theta"].copy()
    training.run(1, Listening(), ignore)
    steps = np.full(len(before), 20.0 / 5)
    shapes = feature_set("3x3").groups["shape"]
    steps[shapes.start : shapes.stop] *= 0.5
    gradient = np.sum([one for one in seen if len(one)], axis=0)
    low, high = theta_limits()
    assert np.allclose(training.state["theta"], np.clip(before + steps * gradient, low, high), rtol=0, atol=1e-12)
    assert np.abs(training.state["theta"]).max() > 0.01
    assert training.progress.games == 2 * 4 * 5


def test_features_that_the_policy_does_not_have_keep_gammas_of_1(tmp_path):
    training = train(tmp_path / "a", 3)
    kept = feature_set("3x3").kept_in_playouts
    found = load_gammas(tmp_path / "a")
    assert (found.gammas[~kept] == 1).all()
    assert (found.gammas[kept] != 1).sum() > 5
    assert np.allclose(found.gammas, training.gammas, rtol=1e-6)
    assert found.about["steps"] == 3


def test_training_makes_the_mean_result_right(tmp_path):
    """A position on 3x3 is said to be worth 0.6."""
    positions = (ValuedPosition(("B2",), 0.6),) * 6
    settings = replace(SETTINGS, size=3, komi=4.5, playouts=50, alpha=30.0, check_playouts=2000)
    training = BalanceTraining(settings, positions, None, tmp_path / "a")
    before = training.measure(lambda tasks: [BalanceWorker()(task) for task in tasks])
    training.run(20, InProcess(), ignore)
    assert before["bias"] > 0.15
    assert abs(training.progress.curve[-1]["bias"]) < 0.04


def test_errors_are_those_of_arithmetic_by_hand():
    positions = (ValuedPosition((), 1.0), ValuedPosition((), 0.25))
    found = errors_of(np.array([0.5, 0.75]), positions, 5)
    variance = (0.5 * 0.5 + 0.75 * 0.25) / 2 * 5 / 4
    assert found["mse"] == pytest.approx((0.25 + 0.25) / 2)
    assert found["variance"] == pytest.approx(variance)
    assert found["squared_bias"] == pytest.approx(0.25 - variance / 5)
    assert found["bias"] == pytest.approx(0.0)
    assert found["expected_value"] == pytest.approx(0.625)


def test_decided_positions_are_left_out_until_their_share_is_small_enough():
    values = [1.0, 0.5, 0.0, 0.3, 0.7, 0.04, 0.96, 0.6]
    positions = tuple(ValuedPosition((), value) for value in values)
    assert [one.value for one in with_few_decided(positions, 0.25)] == [0.5, 0.3, 0.7, 0.04, 0.6]
    assert with_few_decided(positions, 1.0) == positions
    assert [one.value for one in with_few_decided(positions, 0.0)] == [0.5, 0.3, 0.7, 0.6]


# --- Workers and checkpoints -----------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_gammas_do_not_depend_on_the_number_of_workers(tmp_path):
    alone = train(tmp_path / "alone", 3)
    with parallel.start("processes", 2) as backend:
        shared = train(tmp_path / "shared", 3, backend=backend)
    assert (tmp_path / "alone").read_bytes() == (tmp_path / "shared").read_bytes()
    assert alone.progress.curve == shared.progress.curve


def test_a_continued_training_equals_an_uninterrupted_one(tmp_path):
    train(tmp_path / "parts", 2)
    parts, whole = train(tmp_path / "parts", 4), train(tmp_path / "whole", 4)
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()
    assert np.array_equal(parts.state["theta"], whole.state["theta"])
    assert [point["steps"] for point in whole.progress.curve] == [1, 2, 4]
    assert [point["steps"] for point in parts.progress.curve] == [1, 2, 4]
    assert parts.progress.curve == whole.progress.curve


def test_a_killed_training_continues_from_its_last_checkpoint(tmp_path):
    out, given = tmp_path / "killed", tmp_path / "positions.jsonl"
    given.write_text(file_of(POSITIONS))
    options = ["--positions", str(given), "--start", "zero", "--no-plot", "--size", "2", "--komi", "1.5"]
    for name in ("batch", "playouts", "holdout", "decided", "check_playouts", "alpha", "seed"):
        options += [f"--{name.replace('_', '-')}", str(getattr(SETTINGS, name))]
    command = [sys.executable, "-c", "from tengen.interfaces.cli import main; main()", "train", "balance", *options]
    process = subprocess.Popen(
        [*command, "--steps", "1000000", "--out", str(out)], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    try:
        for _ in range(6000):
            if out.exists() or process.poll() is not None:
                break
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.wait()
    steps = BalanceTraining(SETTINGS, POSITIONS, None, out).progress.steps + 2
    assert steps > 2
    train(out, steps)
    train(tmp_path / "whole", steps)
    assert out.read_bytes() == (tmp_path / "whole").read_bytes()


def refusal(path, settings=SETTINGS, positions=POSITIONS, start=None) -> str:
    """Return the message with which a training refuses to begin or continue; empty if it does not."""
    try:
        BalanceTraining(settings, positions, start, path)
    except TengenError as error:
        return str(error)
    return ""


def test_a_checkpoint_of_other_positions_gammas_or_settings_is_refused(tmp_path):
    path = tmp_path / "a"
    train(path, 1)
    assert refusal(path) == ""
    assert "of a training with alpha=20.0, not 21.0" in refusal(path, replace(SETTINGS, alpha=21.0))
    assert "of a training with positions=" in refusal(path, positions=POSITIONS[:-1])
    kept = feature_set("3x3").kept_in_playouts
    start = GammaTable("3x3", np.where(kept, 2.0, 1.0))
    assert "of a training with start=" in refusal(path, start=start)


def test_a_damaged_checkpoint_is_refused(tmp_path):
    path, name = tmp_path / "a", tmp_path / "a.checkpoint"
    train(path, 1)
    content = name.read_bytes()
    for place in range(0, len(content), 997):
        name.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert refusal(path).startswith(f"'{name}' is ")
    name.write_bytes(content)
    about, arrays = load_arrays(name)
    for odd in (np.nan, 1e3, -1e3):
        arrays["theta"][5] = odd
        save_arrays(name, about, arrays)
        assert "its theta are not all from" in refusal(path)


def test_too_few_positions_and_gammas_not_for_playouts_are_refused_in_one_sentence(tmp_path):
    assert refusal(tmp_path / "a", positions=POSITIONS[:2]) == "2 positions are too few for a holdout of one in 3"
    gammas = np.ones(feature_set("3x3").count)
    gammas[feature_set("3x3").groups["line"].start] = 2.0
    assert refusal(tmp_path / "a", start=GammaTable("3x3", gammas)).startswith("these gammas are not for playouts")


# --- The command -----------------------------------------------------------------------------------------------------


def file_of(positions) -> str:
    """Return the lines of a file of positions."""
    return "".join(f"{json.dumps({'moves': moves_in_words(one.moves), 'value': one.value})}\n" for one in positions)


def run(*arguments: object):
    return CliRunner().invoke(app, ["train", "balance", *map(str, arguments)])


def test_the_command_writes_gammas_a_checkpoint_a_report_and_a_picture(tmp_path):
    given, out = tmp_path / "positions.jsonl", tmp_path / "mine.gammas"
    given.write_text('{"made_by": {}}\n' + file_of(POSITIONS))
    options = ("--size", 2, "--komi", 1.5, "--batch", 3, "--playouts", 2, "--holdout", 3, "--decided", 1, "--steps", 2)
    done = run("--positions", given, *options, "--out", out, "--json")
    assert done.exit_code == 0, done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "mine.gammas", "mine.gammas.checkpoint", "mine.gammas.json", "mine.gammas.png", "positions.jsonl",
    ]  # fmt: skip
    report = json.loads(done.stdout)
    assert (report["steps"], report["positions"], report["holdout_positions"]) == (2, 6, 3)
    assert set(report["gammas"]) == {"capture", "escape", "self_atari", "two_liberties", "nakade", "last"}
    assert {"mse", "squared_bias", "variance", "bias"} <= report["curve"][-1].keys()
    assert out.with_name("mine.gammas.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ((), "give games, or --positions FILE, one of them"),
        (("a.sgf", "--positions", "b"), "give games, or --positions FILE, one of them"),
        (("--positions", "b", "--alpha", -1), "--alpha is from 0 to 1e+06, not '-1.0'"),
        (("--positions", "b", "--start", "nothing"), "unknown gammas 'nothing'"),
        (("a.sgf", "--label-player", "random"), "'random' does not search a tree"),
        (("a.sgf", "--first-move", 9, "--last-move", 3), "first_move is 9, more than last_move, 3"),
    ],
)
def test_wrong_options_are_refused_in_one_line(options, complaint, tmp_path):
    done = run(*options, "--out", tmp_path / "a")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"tengen: {complaint}")
    assert done.stderr.count("\n") == 1
