"""The command `tengen train urgencies` and the group `tengen train`."""

import json
from dataclasses import fields

import pytest
from typer.testing import CliRunner

from tengen.interfaces.cli import app
from tengen.learning.urgency_methods import BlockLearning
from tengen.learning.urgency_settings import METHODS
from tengen.policies.go.urgency_table import load_urgencies, manual_table

SMALL = ("--method", "1a", "--size", "5", "--games", "16", "--steps", "3")


@pytest.fixture(autouse=True)
def small_measurements(monkeypatch):
    monkeypatch.setattr("tengen.learning.urgency_training.MEASURED_GAMES", 4)
    monkeypatch.setattr("tengen.learning.urgency_training.ENTROPY_GAMES", 2)


def train(*arguments: object):
    return CliRunner().invoke(app, ["train", "urgencies", *map(str, arguments)])


def test_a_training_writes_a_table_a_checkpoint_a_report_and_a_picture(tmp_path):
    out = tmp_path / "mine.urgencies"
    done = train(*SMALL, "--lambda", 0.5, "--out", out)
    assert done.exit_code == 0, done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "mine.urgencies", "mine.urgencies.checkpoint", "mine.urgencies.json", "mine.urgencies.png",
    ]  # fmt: skip
    assert done.stdout.splitlines()[-1].startswith("     3 blocks, 48 games: ")
    assert "% of uniform" in done.stdout
    assert load_urgencies(out).about["decay"] == 0.5
    report = json.loads(out.with_name("mine.urgencies.json").read_text())
    assert (report["blocks"], len(report["curve"]), report["settings"]["decay"]) == (3, 3, 0.5)
    assert out.with_name("mine.urgencies.png").read_bytes().startswith(b"\x89PNG")


def test_the_report_is_printed_as_json_and_the_same_command_continues(tmp_path):
    first = train(*SMALL, "--out", tmp_path / "a", "--no-plot", "--json")
    assert json.loads(first.stdout)["blocks"] == 3
    again = train(*SMALL, "--out", tmp_path / "a", "--no-plot", "--json", "--steps", "4")
    report = json.loads(again.stdout)
    assert [point["steps"] for point in report["curve"]] == [1, 2, 3, 4]
    assert not (tmp_path / "a.png").exists()


def test_an_interrupt_states_where_the_same_command_continues(tmp_path, monkeypatch):
    """Checkpoints are written after blocks 1 and 2; the interrupt is in block 4."""
    advance = BlockLearning.advance

    def interrupted(method, step, run):
        if step == 3:
            raise KeyboardInterrupt
        return advance(method, step, run)

    with monkeypatch.context() as patched:
        patched.setattr(BlockLearning, "advance", interrupted)
        done = train(*SMALL, "--steps", 5, "--out", tmp_path / "a")
    assert done.exit_code == 130
    assert done.stderr.splitlines()[-1] == "tengen: interrupted; the same command continues after 2 blocks"
    assert load_urgencies(tmp_path / "a").about["blocks"] == 2


def test_an_interrupt_before_the_first_checkpoint_leaves_no_file(tmp_path, monkeypatch):
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tengen.interfaces.cli.train_urgencies.train_in_steps", interrupt)
    done = train("--method", "2", "--out", tmp_path / "a")
    assert (done.exit_code, done.stdout) == (130, "")
    assert done.stderr == "tengen: interrupted; the same command continues after 0 rounds\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--method", "1a", "--population", 8), "--population has no effect with --method 1a"),
        (("--method", "1a", "--test-games", 8), "--test-games has no effect with --method 1a"),
        (("--method", "1b", "--evaluation-games", 8), "--evaluation-games has no effect with --method 1b"),
        (("--method", "2", "--exponent", 2), "--exponent has no effect with --method 2"),
        (("--method", "2", "--lambda", 0.5), "--lambda has no effect with --method 2"),
        (("--method", "3"), "unknown method '3'; choose from: 1a, 1b, 2"),
        (("--method", "1b", "--population", 12), "population must be a power of two, not 12"),
        (("--method", "1b", "--start", "manual", "--exponent", 0), "start=manual needs an exponent above 0"),
        (("--method", "2", "--size", 2), "--size is from 3 to 25, not '2'"),
        (("--method", "2", "--unit", "stones"), "--unit cannot be 'stones'"),
    ],
)
def test_wrong_options_are_refused_in_one_line(options, complaint, tmp_path):
    done = train(*options, "--out", tmp_path / "a")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"tengen: {complaint}")
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_table_of_another_origin_and_a_missing_folder_are_refused_in_one_line(tmp_path):
    manual_table().save(tmp_path / "a")
    for out, complaint in ((tmp_path / "a", "has no checkpoint"), (tmp_path / "b" / "c", "does not exist")):
        done = train(*SMALL, "--out", out)
        assert done.exit_code == 1
        assert complaint in done.stderr
        assert done.stderr.count("\n") == 1


def test_the_help_has_every_setting_with_its_meaning_and_defaults(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    done = train("--help")
    assert done.exit_code == 0
    shown = " ".join(done.stdout.split()).lower()
    for kind in METHODS.values():
        for entry in fields(kind):
            flag = "--lambda" if entry.name == "decay" else f"--{entry.name.replace('_', '-')}"
            assert f" {flag} <" in shown
            assert str(entry.default).lower() in shown.partition(f" {flag} <")[2].partition(" --")[0]
            assert entry.metadata["meaning"].lower() in shown


def test_the_group_alone_shows_its_help():
    done = CliRunner().invoke(app, ["train"])
    assert done.exit_code == 2
    assert "rlgo " in done.output
    assert "urgencies " in done.output
    assert "Usage:" in done.output


def test_an_unknown_command_of_the_group_is_a_usage_error():
    done = CliRunner().invoke(app, ["train", "nonsense"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1] == "Error: No such command 'nonsense'."
    assert "Traceback" not in done.stderr
