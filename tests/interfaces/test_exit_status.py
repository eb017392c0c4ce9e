"""The exit status after an interrupt: 130, also of commands that do more than stop."""

import signal
import subprocess
import sys
from contextlib import suppress

import pytest
from typer.testing import CliRunner

from tengen.interfaces.cli import app
from tests.interfaces.test_cli import ENVIRONMENT, program


def interrupt(*arguments: object, **options: object) -> None:
    raise KeyboardInterrupt


def test_interrupted_training_reports_its_number_of_games(tmp_path, monkeypatch):
    monkeypatch.setattr("tengen.interfaces.cli.train_rlgo._train", interrupt)
    done = CliRunner().invoke(app, ["train", "rlgo", "--size", "5", "--out", str(tmp_path / "weights")])
    assert done.exit_code == 130
    assert done.stderr == "tengen: interrupted after 0 games; the same command continues\n"


def test_interrupted_tuning_reports_how_to_continue(tmp_path, monkeypatch):
    pytest.importorskip("optuna", reason="tuning needs optuna")
    monkeypatch.setattr("tengen.tuning.study.tune", interrupt)
    monkeypatch.setattr("tengen.tuning.study.open_study", lambda *arguments: None)
    study = tmp_path / "study"
    arguments = ["tune", "uct:simulations=10", "--over", "exploration=0..1", "--study", str(study), "--workers", "1"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 130
    assert done.stderr.endswith(f"tengen: interrupted; the same command continues with the games in {study}\n")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows interrupts in another way")
@pytest.mark.parametrize("command", ["name", "showboard"], ids=["while it loads", "when it is idle"])
def test_an_interrupted_engine_that_waits_for_commands_ends(command):
    """`name` is answered before the engine is loaded, `showboard` needs it.

    The first interrupt may still belong to the command that was just answered.
    """
    with subprocess.Popen(
        [program(), "gtp", "random", "--size", "5"],
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(f"{command}\n")
        running.stdin.flush()
        while running.stdout.readline() != "\n":
            pass
        for _ in range(6):
            running.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                running.wait(timeout=10)
                break
        assert running.returncode == 130
        assert running.stdout.read() == ""
        errors = running.stderr.read()
        assert errors.endswith("tengen: interrupted\n")
        assert "Traceback" not in errors
