"""Suites of problems: read, answered by players and engines, and counted."""

import json
import subprocess
import sys

import pytest

from tengen.arena.regress import BadSuite, Candidate, Problem, _Board, boards_of, read_suite
from tengen.players import parse_player

SUITE = """
# A ko, and a capture that decides the game.
loadsgf records/ko.sgf 9
go_param_rules ko_rule simple
10 is_legal b C4
#? [0]
20 is_legal w A1
#? [1]*

boardsize 5
clear_board
play b C3
30 is_legal w C3
#? [!1]
35 is_legal b A1
#? [1]
undo
40 is_legal w C3
#? [1]

clear_board
komi 0.5
play b B1
play w C1
play b B2
play w C2
play b B3
play w C3
play b B4
play w C4
play b B5
play w C5
play b D1
play b D2
play b D4
play b D5
50 reg_genmove b
#? [D3]
"""
KO = "(;GM[1]SZ[5]KM[0.5];B[bb];W[cb];B[ac];W[dc];B[bd];W[cd];B[ee];W[bc];B[cc])"


@pytest.fixture
def suite(tmp_path):
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "ko.sgf").write_text(KO)
    path = tmp_path / "small.tst"
    path.write_text(SUITE)
    return path


def test_a_suite_falls_into_stretches_with_their_problems(suite):
    stretches = read_suite(suite)
    assert [[problem.number for problem in stretch.problems] for stretch in stretches] == [
        ["10", "20"],
        ["30", "35", "40"],
        ["50"],
    ]
    assert stretches[0].problems[1] == Problem("20", "is_legal w A1", "1", was_failed=True)
    assert stretches[1].steps[:3] == ("go_param_rules ko_rule simple", "boardsize 5", "clear_board"), "a setting stays"
    assert stretches[2].steps[:3] == ("go_param_rules ko_rule simple", "boardsize 5", "clear_board"), (
        "and so does a size"
    )


@pytest.mark.parametrize(
    ("expected", "answer", "solved"),
    [
        ("A1|B2", "b2", True),
        ("A1|B2", "B20", False),
        ("!A1|B2", "C3", True),
        ("!A1|B2", "A1", False),
        ("PASS", "pass", True),
        ("!A1", "? the engine has gone", False),
        ("", "", True),
    ],
)
def test_an_answer_is_compared_with_what_is_expected(expected, answer, solved):
    assert Problem("1", "reg_genmove b", expected, was_failed=False).is_solved_by(answer) == solved


def test_a_player_follows_the_commands_and_answers(suite):
    stretches = read_suite(suite)
    attempts = [attempt for stretch in stretches for attempt in Candidate("uct:simulations=2000")(stretch)]
    answers = {attempt.number: attempt.answer for attempt in attempts}
    assert [answers[number] for number in ("10", "20", "30", "35", "40")] == ["0", "1", "0", "1", "1"]
    assert all(attempt.solved for attempt in attempts), "also the capture of problem 50"


def test_what_is_set_holds_on_every_later_board(tmp_path):
    """Size, komi and ko rule on a new board, on one that is cleared, on one that is loaded, and cleared after that."""
    (tmp_path / "ko.sgf").write_text(KO)
    asked = "is_legal w D5\n#? [1]\n"
    path = tmp_path / "rules.tst"
    path.write_text(
        f"go_param_rules ko_rule simple\nkomi 3.5\nboardsize 5\n{asked}clear_board\n{asked}"
        f"loadsgf ko.sgf\n{asked}clear_board\n{asked}"
    )
    boards = []
    for stretch in read_suite(path):
        board = _Board(stretch, parse_player("random"), lambda game: pytest.fail("nobody has to move"))
        for step in stretch.steps:
            assert not board.answer(step if isinstance(step, str) else step.command).startswith("?")
        boards.append(board.position.game)
    assert [(game.size, game.ko) for game in boards] == [(5, "simple")] * 4
    assert [game.komi for game in boards] == [3.5, 3.5, 0.5, 0.5]


def test_a_problem_on_a_board_that_could_not_be_made_is_not_solved(tmp_path):
    path = tmp_path / "wrong.tst"
    path.write_text(
        "boardsize 5\nplay b C3\nplay w C3\n1 is_legal w A1\n#? [1]\nclear_board\n2 is_legal w A1\n#? [1]\n"
    )
    attempts = [attempt for stretch in read_suite(path) for attempt in Candidate("random")(stretch)]
    assert [attempt.solved for attempt in attempts] == [False, True]
    assert "'play w C3' was refused" in attempts[0].answer


def test_a_problem_sets_nothing_for_others(tmp_path):
    path = tmp_path / "asked.tst"
    path.write_text(
        "boardsize 5\n1 get_filter\n#? [x]\n2 is_legal b A1\n#? [1]\nclear_board\n3 is_legal b A1\n#? [1]\n"
    )
    assert read_suite(path)[1].steps[:2] == ("boardsize 5", "clear_board")


def test_a_command_that_is_not_known_is_an_answer_not_a_crash(tmp_path):
    path = tmp_path / "odd.tst"
    path.write_text(
        "boardsize 5\n1 sing\n#? [la]\n2 play b Z99\n#? [x]\n3 is_legal b\n#? [1]\n"
        "4 go_param_rules ko_rule odd\n#? []\n5 is_legal b C3\n#? [1]\n"
    )
    attempts = [attempt for stretch in read_suite(path) for attempt in Candidate("random")(stretch)]
    assert [attempt.solved for attempt in attempts] == [False, False, False, False, True]
    assert all(attempt.answer.startswith("? ") for attempt in attempts[:4])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no problem"),
        ("#? [1]\n", "follows no command"),
        ("1 is_legal b A1\n#? [(]\n", "regular expression"),
        ("10\n#? [1]\n", "'10' is no command"),
        ("1 is_legal b A1\n#? A1\n", "line 2: '#\\? A1' is no answer in brackets"),
    ],
)
def test_what_is_no_suite_is_refused(tmp_path, text, why):
    path = tmp_path / "bad.tst"
    path.write_text(text)
    with pytest.raises(BadSuite, match=why):
        read_suite(path)
    with pytest.raises(BadSuite, match="cannot be read"):
        read_suite(tmp_path / "missing.tst")


def test_a_record_that_is_not_there_fails_its_problems_only(tmp_path):
    path = tmp_path / "lost.tst"
    path.write_text(
        "loadsgf none.sgf\n1 reg_genmove b\n#? [A1]\nloadsgf none.sgf 0\nis_legal b A1\n#? [1]\n"
        "boardsize 5\nis_legal b A1\n#? [1]\n"
    )
    stretches = read_suite(path)
    assert {game.size for game in boards_of(stretches)} == {19}
    attempts = [attempt for stretch in stretches for attempt in Candidate("random")(stretch)]
    assert [(attempt.number, attempt.solved) for attempt in attempts] == [
        ("1", False),
        ("line 6", False),
        ("line 9", True),
    ]
    assert "none.sgf" in attempts[0].answer
    assert not attempts[0].was_answered


def test_a_board_for_which_there_is_no_player_fails_its_problems_only(tmp_path):
    path = tmp_path / "sizes.tst"
    path.write_text("boardsize 7\nreg_genmove b\n#? [A1]\nboardsize 9\nreg_genmove b\n#? [!A1]\n")
    attempts = [attempt for stretch in read_suite(path) for attempt in Candidate("rlgo")(stretch)]
    assert [attempt.was_answered for attempt in attempts] == [False, True]


def test_an_engine_that_never_answers_is_told_of(suite):
    program = [sys.executable, "-c", "from tengen.interfaces.cli import main; main()"]
    command = [*program, "regress", str(suite), "--player", "gtp:command=false", "--workers", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "6 were not answered" in done.stdout
    assert done.stderr.startswith("tengen: no problem was answered")


def test_the_command_counts_what_players_and_engines_know(suite):
    def regress(player: str) -> dict:
        program = [sys.executable, "-c", "from tengen.interfaces.cli import main; main()"]
        done = subprocess.run(
            [*program, "regress", str(suite), "--player", player, "--json", "--workers", "2"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return dict(json.loads(done.stdout))

    ours = regress("random")
    assert ours["all"]["problems"] == 6
    assert ours["suites"]["small"]["solved"] >= 4
    from tengen.engines.gtp import find_program
    from tengen.errors import TengenError

    try:
        find_program("gnugo")
    except TengenError:
        pytest.skip("GNU Go is not installed")
    theirs = regress("gtp:command='gnugo --mode gtp --level 0 --simple-ko'")
    answers = {answer["number"]: answer["answer"] for answer in theirs["answers"]}
    assert (answers["10"], answers["20"], answers["30"], answers["40"]) == ("0", "1", "0", "1")
