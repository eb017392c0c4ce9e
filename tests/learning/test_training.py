"""Training: exact checkpoints, threads and workers, reports, and measurements of strength."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import asdict, replace

import numpy as np
import pytest

from tengen import parallel
from tengen.errors import TengenError
from tengen.learning.experience import Sample, draw_samples, usable, variances
from tengen.learning.learner import Learner
from tengen.learning.plots import plot_curve
from tengen.learning.reports import next_measurement, write_report
from tengen.learning.strength import FIRST_MEASUREMENT, strength
from tengen.learning.training import Training
from tengen.learning.training_settings import TrainingSettings
from tengen.policies.go.shape_weights import shape_policy
from tengen.policies.go.weights import ShapeWeights, load_weights
from tengen.policies.go.windows import shape_set
from tengen.search.config import SearchConfig

SMALL = TrainingSettings(size=5, komi=0.5, seed=3)


@pytest.fixture(autouse=True)
def few_duels(monkeypatch):
    monkeypatch.setattr("tengen.learning.training.DUEL_GAMES", 20)


def weights_after(path, games, settings=SMALL):
    training = Training(settings, path)
    training.run(games)
    return load_weights(path).weights


def test_a_resumed_training_ends_with_the_same_weights_as_an_uninterrupted_one(tmp_path):
    whole = weights_after(tmp_path / "whole", 3000)

    def stop(training):
        if training.progress.games >= 1000:
            raise KeyboardInterrupt

    stopped = Training(SMALL, tmp_path / "parts")
    with pytest.raises(KeyboardInterrupt):
        stopped.run(3000, stop)
    assert 500 <= load_weights(tmp_path / "parts").about["progress"]["games"] < 3000
    assert (weights_after(tmp_path / "parts", 3000) == whole).all()
    assert np.abs(whole).max() > 0.01


def test_an_interrupt_is_handled_between_games_so_that_the_checkpoint_is_exact(tmp_path):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it
    interrupter = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    training = Training(SMALL, tmp_path / "a")
    training.learner.learn(0)
    interrupter.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            training.run(10_000_000)
    finally:
        signal.signal(signal.SIGINT, before)
    games = load_weights(tmp_path / "a").about["progress"]["games"] + 500
    assert (weights_after(tmp_path / "a", games) == weights_after(tmp_path / "whole", games)).all()


def test_a_killed_training_continues_from_its_last_checkpoint(tmp_path):
    path = tmp_path / "killed.weights"
    command = [
        sys.executable, "-c", "from tengen.interfaces.cli import main; main()",
        "train", "rlgo", "--size", "5", "--komi", "0.5", "--seed", "3", "--games", "100000", "--out", str(path),
    ]  # fmt: skip
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        for _ in range(1200):
            if path.exists() or process.poll() is not None:
                break
            time.sleep(0.1)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.wait()
    so_far = load_weights(path).about["progress"]["games"]
    assert so_far > 0
    games = so_far + 1000
    assert (weights_after(path, games) == weights_after(tmp_path / "whole", games)).all()


def test_a_file_of_another_training_is_not_touched(tmp_path):
    path = tmp_path / "a"
    before = weights_after(path, 20)
    with pytest.raises(TengenError, match="is of a training with seed=3, not 4: choose another file"):
        Training(TrainingSettings(size=5, komi=0.5, seed=4), path)
    assert (load_weights(path).weights == before).all()
    made = shape_set(5)
    ShapeWeights(made, np.zeros(made.weights, np.float32)).save(tmp_path / "b")
    with pytest.raises(TengenError, match="has no checkpoint of a training"):
        Training(SMALL, tmp_path / "b")
    about = load_weights(path).about
    progress = about["progress"]
    point = progress["curve"][0]
    odd_ones: list[dict] = [
        {"settings": [1]},
        *({"progress": odd} for odd in (3, {"hours": 1}, {**progress, "games": "5"}, {**progress, "games": -5})),
        *({"progress": {**progress, "curve": odd}} for odd in (3, [3], [{"games": 1}], [{**point, "mogo": None}])),
        *({"generators": odd} for odd in ([], [["x"]], [[1]], [[1, 2], [3, 4]], [[-1, 2]], [[1, 2**64]])),
    ]
    for odd in odd_ones:
        ShapeWeights(made, np.zeros(made.weights, np.float32), {**about, **odd}).save(tmp_path / "c")
        with pytest.raises(TengenError, match="has a damaged checkpoint"):
            Training(SMALL, tmp_path / "c")


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"step": "half"}, "unknown step 'half'; choose from: squared-norm, count"),
        ({"update": "never"}, "unknown update 'never'; choose from: episode, online"),
        ({"update": "online", "decay": 0.5}, "lambda above 0 needs update=episode"),
        ({"epsilon": 1.5}, "epsilon must be from 0 to 1, not 1.5"),
    ],
)
def test_invalid_settings_are_refused(wrong, complaint):
    with pytest.raises(TengenError, match=complaint):
        TrainingSettings(**wrong)


@pytest.mark.long
def test_a_few_thousand_games_make_a_player_that_beats_both_policies_on_a_small_board(tmp_path):
    training = Training(SMALL, tmp_path / "a")
    untrained = strength(training.learner.policy, SMALL, "uniform", 200, 1)
    training.run(5000)
    assert 0.3 < untrained < 0.7
    assert strength(training.learner.policy, SMALL, "uniform", 200, 1) > 0.9
    assert strength(training.learner.policy, SMALL, "mogo", 200, 1) > 0.6
    fused = shape_policy(load_weights(tmp_path / "a"))
    assert strength(fused, SMALL, "uniform", 200, 1) > 0.9


def test_several_threads_learn_into_the_same_weights(tmp_path):
    settings = TrainingSettings(size=5, komi=0.5, threads=2)
    training = Training(settings, tmp_path / "a")
    training.run(4000)
    assert strength(training.learner.policy, settings, "uniform", 200, 1) > 0.85
    learnt, shown = load_weights(tmp_path / "a"), training.learner.policy.shapes
    codes = len(learnt.shapes.local_class)
    assert (shown.local[:codes] == learnt.shared.local[:codes]).all()


@pytest.mark.long
def test_workers_learn_for_a_round_and_the_mean_is_kept(tmp_path):
    settings = TrainingSettings(size=5, komi=0.5, workers=2, round_games=200)
    training = Training(settings, tmp_path / "a")
    with parallel.start("processes", 2) as backend:
        training.run(400, backend=backend)
    shapes = shape_set(5)
    alone = [Learner(settings, ShapeWeights(shapes, np.zeros(shapes.weights, np.float32)), stream) for stream in (0, 1)]
    for learner in alone:
        learner.learn(200)
    mean = (alone[0].classes.weights + alone[1].classes.weights) / 2
    assert np.abs(mean).max() > 0.01
    assert load_weights(tmp_path / "a").weights == pytest.approx(mean, abs=1e-6)
    assert load_weights(tmp_path / "a").about["generators"] == [learner.generators[0] for learner in alone]


def test_a_file_with_incomplete_settings_or_of_another_board_is_refused(tmp_path):
    path = tmp_path / "a"
    Training(SMALL, path).run(10)
    made = load_weights(path)
    ShapeWeights(made.shapes, made.weights, {**made.about, "settings": {}}).save(path)
    with pytest.raises(TengenError, match="is of a training with size="):
        Training(SMALL, path)
    other = replace(SMALL, size=SMALL.size + 1)
    ShapeWeights(made.shapes, made.weights, {**made.about, "settings": asdict(other)}).save(path)
    with pytest.raises(TengenError, match="has a damaged checkpoint"):
        Training(other, path)


def test_an_interrupted_measurement_is_made_when_the_training_continues(tmp_path, monkeypatch):
    def interrupt(training):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Training, "_measure", interrupt)
        with pytest.raises(KeyboardInterrupt):
            Training(SMALL, tmp_path / "a").run(100)
    Training(SMALL, tmp_path / "a").run(100)
    progress = load_weights(tmp_path / "a").about["progress"]
    assert (progress["games"], [point["games"] for point in progress["curve"]]) == (100, [100])


def test_an_interrupt_while_a_round_is_taken_over_leaves_the_checkpoint_before_it(tmp_path, monkeypatch):
    settings = TrainingSettings(size=5, komi=0.5, workers=2, round_games=50)
    with parallel.start("processes", 2) as backend:
        Training(settings, tmp_path / "a").run(100, backend=backend)
        before = (tmp_path / "a").read_bytes()

        def interrupt(learner, weights):
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(Learner, "set_weights", interrupt)
            with pytest.raises(KeyboardInterrupt):
                Training(settings, tmp_path / "a").run(200, backend=backend)
    assert (tmp_path / "a").read_bytes() == before


def test_interrupted_workers_continue_with_the_same_results(tmp_path):
    settings = TrainingSettings(size=5, komi=0.5, workers=2, round_games=100)

    def stop(training):
        raise KeyboardInterrupt

    with parallel.start("processes", 2) as backend:
        with pytest.raises(KeyboardInterrupt):
            Training(settings, tmp_path / "parts").run(600, stop, backend)
        assert load_weights(tmp_path / "parts").about["progress"]["games"] == 200
        Training(settings, tmp_path / "parts").run(600, backend=backend)
        Training(settings, tmp_path / "whole").run(600, backend=backend)
    assert (load_weights(tmp_path / "parts").weights == load_weights(tmp_path / "whole").weights).all()


def test_strength_is_measured_at_one_two_and_five_times_each_power_of_ten():
    times = [next_measurement(0, FIRST_MEASUREMENT)]
    while times[-1] < 20_000:
        times.append(next_measurement(times[-1], FIRST_MEASUREMENT))
    assert times == [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000]
    assert next_measurement(1999, FIRST_MEASUREMENT) == 2000


def test_the_report_and_the_picture_show_the_learning_curve(tmp_path):
    training = Training(SMALL, tmp_path / "a")
    training.run(250)
    write_report(training, tmp_path / "a.json", "tengen train rlgo")
    report = json.loads((tmp_path / "a.json").read_text())
    assert (report["games"], report["command"]) == (250, "tengen train rlgo")
    assert report["settings"]["seed"] == 3
    assert [point["games"] for point in report["curve"]] == [100, 200, 250]
    assert all(0 <= point[name] <= 1 for point in report["curve"] for name in ("uniform", "mogo", "black"))
    plot_curve(training, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_experience_is_the_number_of_games_of_equal_variance():
    """In one phase, values 0.5 and 0.8 that searches put at 0.6 and 0.6: M = (0.25 + 0.16) / 2 / 0.025 = 8.2."""
    samples = [Sample(2, 0.5, 0.6), Sample(2, 0.8, 0.6)]
    phases = variances(samples)
    assert phases[2] == {
        "samples": 2,
        "variance": pytest.approx((0.1**2 + 0.2**2) / 2),
        "experience": pytest.approx(8.2),
    }
    assert phases[0] == {"samples": 0, "variance": 0.0, "experience": 0.0}


def test_a_phase_with_few_samples_takes_the_variance_of_the_one_before():
    phases = [{"samples": 40, "variance": 0.1}, {"samples": 3, "variance": 0.7}, {"samples": 90, "variance": 0.2}]
    assert usable(phases) == [0.1, 0.1, 0.2]
    assert usable(phases[1:]) == [0.2, 0.2], "the first one, like the first that has enough"
    assert usable([{"samples": 1, "variance": 0.3}, {"samples": 2, "variance": 0.6}]) == pytest.approx([0.5, 0.5])


def test_samples_come_from_all_phases_and_compare_values_of_the_same_positions(monkeypatch):
    monkeypatch.setattr("tengen.learning.experience.JUDGE", SearchConfig(memory=1))
    shapes = shape_set(5)
    weights = ShapeWeights(shapes, np.zeros(shapes.weights, np.float32))
    samples = draw_samples(weights, 12, 20, seed=1, komi=0.5)
    assert len({sample.phase for sample in samples}) > 2
    assert all(sample.learnt == 0.5 and 0 <= sample.searched <= 1 for sample in samples)


@pytest.mark.parametrize(("komi", "black_wins"), [(-99.5, 1.0), (99.5, 0.0)])
def test_search_values_are_from_blacks_side_whoever_moves(monkeypatch, komi, black_wins):
    monkeypatch.setattr("tengen.learning.experience.JUDGE", SearchConfig(memory=1))
    shapes = shape_set(5)
    weights = ShapeWeights(shapes, np.zeros(shapes.weights, np.float32))
    assert {sample.searched for sample in draw_samples(weights, 8, 30, seed=2, komi=komi)} == {black_wins}


def test_variances_are_kept_in_the_file_until_further_learning(tmp_path, monkeypatch):
    monkeypatch.setattr("tengen.learning.experience.JUDGE", SearchConfig(memory=1))
    training = Training(SMALL, tmp_path / "a")
    training.run(200)
    looked_at = []
    training.measure_exactness(40, 20, lambda: looked_at.append(1))
    about = load_weights(tmp_path / "a").about
    assert (len(looked_at), len(about["variance"]), about["experience"]["positions"]) == (40, 8, 40)
    assert all(0 < variance < 1 for variance in about["variance"])
    Training(SMALL, tmp_path / "a").run(250)
    assert "variance" not in load_weights(tmp_path / "a").about


@pytest.mark.long
def test_without_a_terminal_every_line_is_printed_once(tmp_path):
    """Progress goes to standard error and the result to standard output; here both go to one log."""
    command = [sys.executable, "-c", "from tengen.interfaces.cli import main; main()", "train", "rlgo", "--no-plot"]
    done = subprocess.run(
        [*command, "--size", "3", "--games", "250", "--out", str(tmp_path / "a")],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True,
    )  # fmt: skip
    measured = [line.split(" games at ")[0].strip() for line in done.stdout.splitlines() if " games at " in line]
    assert sorted(measured) == ["100", "200", "250"]
