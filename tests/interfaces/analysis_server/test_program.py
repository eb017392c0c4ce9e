"""The program itself: whole conversations over pipes, and its end."""

import json
import subprocess
import sys

import pytest

PROGRAM = (sys.executable, "-m", "tengen", "analysis-server", "--player", "mc-rave:memory=20", "--threads", "2")
BOARD = '"rules":"chinese","komi":7.5,"boardXSize":9,"boardYSize":9'


def talk(text, *options):
    """Return the lines that the program writes for an input, and what it says on standard error."""
    data = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run([*PROGRAM, *options], input=data, capture_output=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode("ascii").splitlines(), done.stderr.decode()


@pytest.fixture(scope="module")
def conversation():
    """The lines to one input with errors, warnings, actions and analyses."""
    lines = [
        b"\xff\xfe",
        b'{"id":"v","action":"clear_cache"}',
        b"[" * 200_000,
        b'{"id":"e","moves":[["B","E5"],["W","E5"]],' + BOARD.encode() + b"}",
        b'{"id":"r","moves":[],"rules":"japanese","boardXSize":9,"boardYSize":9}',
        b"x" * 5_000_000,
        b'{"id":"w","moves":[["B","C3"]],"analyzeTurns":[0,1],"maxVisits":30,"hello":1,' + BOARD.encode() + b"}",
        b'{"id":"last","action":"query_version"}',
    ]
    return talk(b"\n".join(lines))[0]


def test_every_line_is_answered_in_order(conversation):
    quick = [line for line in conversation if "isDuringSearch" not in line]
    assert quick[0] == '{"error":"the line is not UTF-8"}'
    assert quick[1] == '{"action":"clear_cache","id":"v"}'
    assert quick[2].startswith('{"error":"the line is nested too deeply: ')
    assert quick[3] == (
        '{"error":"Illegal move 1: E5 cannot be played by white: there is a stone already","field":"moves","id":"e"}'
    )
    assert quick[4] == (
        '{"error":"not supported: scoring TERRITORY, tax SEKI; use rules with area scoring, such as \'chinese\' or '
        '\'tromp-taylor\'","field":"rules","id":"r"}'
    )
    assert quick[5] == '{"error":"the line is longer than 4,000,000 bytes"}'
    assert quick[6] == '{"field":"hello","id":"w","warning":"unknown field, without effect"}'
    assert json.loads(quick[7])["id"] == "last"
    assert len(quick) == 8


def test_open_analyses_are_finished_at_the_end_of_the_input(conversation):
    results = [json.loads(line) for line in conversation if "isDuringSearch" in line]
    assert sorted(result["turnNumber"] for result in results) == [0, 1]
    assert [result["rootInfo"]["visits"] for result in results] == [30, 30]
    assert {result["rootInfo"]["currentPlayer"] for result in results} == {"B", "W"}


def test_open_analyses_can_be_dropped_at_the_end_of_the_input():
    endless = '{"id":"q","moves":[],"maxVisits":1000000000,' + BOARD + "}\n"
    lines, said = talk(endless * 3 + '{"id":"v","action":"clear_cache"}', "--quit-without-waiting")
    assert lines == ['{"action":"clear_cache","id":"v"}']
    assert "mc-rave:memory=20 analyses up to 2 positions at a time" in said


def test_the_program_ends_when_its_client_has_gone():
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(b'{"id":"v","action":"clear_cache"}\n')
        program.stdin.flush()
        assert program.stdout.readline() == b'{"action":"clear_cache","id":"v"}\n'
        program.stdout.close()
        program.stdin.write(b'{"id":"v","action":"clear_cache"}\n')
        program.stdin.flush()
        assert program.wait(60) == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--player", "random"), "player random does not support analysis; use one that searches, such as mc-rave"),
        (("--winrates-as", "red"), "--winrates-as must be black, white or sidetomove, not 'red'"),
    ],
)
def test_wrong_options_are_one_line_errors(options, said):
    done = subprocess.run([*PROGRAM, *options], input="", capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == f"tengen: {said}\n"
