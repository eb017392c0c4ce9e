"""A sample of the fuzzed lines of tests/trials, and that their checks notice faults."""

from pathlib import Path

import pytest

from tests.trials import gtp_fuzz
from tests.trials.gtp_fuzz import Findings, Generator


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, record in gtp_fuzz.RECORDS.items():
        Path(name).write_text(record)


@pytest.mark.long
def test_fuzzed_lines_are_answered_in_the_protocols_form(folder, capsys):
    findings = Findings()
    gtp_fuzz.fuzz_in_process(1500, 7, findings)
    assert findings.faults == []
    assert findings.lines == 1500
    assert findings.answered > 1000
    assert "Traceback" not in capsys.readouterr().err


def test_fuzzed_lines_are_answered_by_the_program(folder):
    findings = Findings()
    gtp_fuzz.fuzz_process(gtp_fuzz.LINES_A_GAME, 11, findings)
    assert findings.faults == []
    assert findings.answered > 50


def test_the_same_seed_gives_the_same_lines():
    first, second, other = (Generator(seed, "go") for seed in ("a", "a", "b"))
    lines = [first.line() for _ in range(50)]
    assert lines == [second.line() for _ in range(50)]
    assert lines != [other.line() for _ in range(50)]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("5 name", ""),
        ("5 name", "=6 Tengen\n\n"),
        ("5 name", "=5 Tengen\n"),
        ("5 list_commands", "=5 name\n\nversion\n\n"),
        ("5 name", "?5 internal error: KeyError: 1\n\n"),
        ("5 name", "?5 two\nlines\n\n"),
        ("# nothing", "=\n\n"),
    ],
)
def test_a_wrong_answer_is_noticed(line, answer):
    findings = Findings()
    findings.check(line, answer)
    assert len(findings.faults) == 1
