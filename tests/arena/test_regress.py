"""Suites of problems: read, answered by players and engines, and counted."""

import json
import re
import subprocess

import pytest

from tengen.arena.regress import SHIPPED, BadSuite, Candidate, Problem, Segment, _Board, boards_of, read_suite
from tengen.errors import TengenError
from tengen.games.go.game import Go, GoPosition
from tengen.players import parse_player
from tests.interfaces.in_process import tengen

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


def regress(*arguments: str) -> subprocess.CompletedProcess[str]:
    return tengen("regress", *arguments)


def test_a_suite_is_split_into_segments(suite):
    segments = read_suite(suite).segments
    assert [[problem.number for problem in segment.problems] for segment in segments] == [
        ["10", "20"],
        ["30", "35", "40"],
        ["50"],
    ]
    assert segments[0].problems[1] == Problem("20", "is_legal w A1", "1", was_failed=True)
    assert segments[1].steps[:3] == ("go_param_rules ko_rule simple", "boardsize 5", "clear_board"), "a setting stays"
    assert segments[2].steps[:3] == ("go_param_rules ko_rule simple", "boardsize 5", "clear_board"), (
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
    segments = read_suite(suite).segments
    attempts = [attempt for segment in segments for attempt in Candidate("uct:simulations=2000")(segment)]
    answers = {attempt.number: attempt.answer for attempt in attempts}
    assert [answers[number] for number in ("10", "20", "30", "35", "40")] == ["0", "1", "0", "1", "1"]
    assert all(attempt.solved for attempt in attempts), "also the capture of problem 50"


def test_settings_persist_on_later_boards(tmp_path):
    """Size, komi and ko rule on a new board, a cleared one, a loaded one, and one cleared after loading."""
    (tmp_path / "ko.sgf").write_text(KO)
    asked = "is_legal w D5\n#? [1]\n"
    path = tmp_path / "rules.tst"
    path.write_text(
        f"go_param_rules ko_rule simple\nkomi 3.5\nboardsize 5\n{asked}clear_board\n{asked}"
        f"loadsgf ko.sgf\n{asked}clear_board\n{asked}"
    )
    boards = []
    for segment in read_suite(path).segments:
        board = _Board(segment, parse_player("random"), lambda game: pytest.fail("nobody has to move"))
        for step in segment.steps:
            assert not board.answer(step if isinstance(step, str) else step.command).startswith("?")
        boards.append(board.position.game)
    assert boards == [Go(5, komi, ko="simple") for komi in (3.5, 3.5, 0.5, 0.5)]


def test_a_problem_on_a_board_that_could_not_be_made_is_not_solved(tmp_path):
    path = tmp_path / "wrong.tst"
    path.write_text(
        "boardsize 5\nplay b C3\nplay w C3\n1 is_legal w A1\n#? [1]\nclear_board\n2 is_legal w A1\n#? [1]\n"
    )
    attempts = [attempt for segment in read_suite(path).segments for attempt in Candidate("random")(segment)]
    assert [attempt.solved for attempt in attempts] == [False, True]
    assert "'play w C3' was refused" in attempts[0].answer


def test_a_problem_sets_nothing_for_others(tmp_path):
    path = tmp_path / "asked.tst"
    path.write_text(
        "boardsize 5\n1 get_filter\n#? [x]\n2 is_legal b A1\n#? [1]\nclear_board\n3 is_legal b A1\n#? [1]\n"
    )
    assert read_suite(path).segments[1].steps[:2] == ("boardsize 5", "clear_board")


def test_a_command_that_is_not_known_is_an_answer_not_a_crash(tmp_path):
    path = tmp_path / "odd.tst"
    path.write_text(
        "boardsize 5\n1 sing\n#? [la]\n2 play b Z99\n#? [x]\n3 is_legal b\n#? [1]\n"
        "4 go_param_rules ko_rule odd\n#? []\n5 is_legal b C3\n#? [1]\n"
    )
    attempts = [attempt for segment in read_suite(path).segments for attempt in Candidate("random")(segment)]
    assert [attempt.solved for attempt in attempts] == [False, False, False, False, True]
    assert all(attempt.answer.startswith("? ") for attempt in attempts[:4])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has no problem"),
        ("#? [1]\n", "line 1: '#\\? \\[1\\]' follows no command"),
        ("1 is_legal b A1\n#? [(]\n", "line 2: '\\(' is not a regular expression"),
    ],
)
def test_a_file_without_any_problem_is_refused(tmp_path, text, why):
    path = tmp_path / "bad.tst"
    path.write_text(text)
    with pytest.raises(BadSuite, match=why):
        read_suite(path)
    with pytest.raises(TengenError, match="cannot be read"):
        read_suite(tmp_path / "missing.tst")


MALFORMED = """\
boardsize 5
#? [1]
10 is_legal b A1
#? A1
20 is_legal b A1
#? [(]
play b C3
30
#? [0]
40 is_legal b C3
#? [0]
#? [1]
"""


def test_malformed_lines_are_left_out_and_reported_with_their_places(tmp_path):
    path = tmp_path / "malformed.tst"
    path.write_text(MALFORMED.replace("#? [1]\n10", "10").replace("boardsize 5\n", "boardsize 5\n#? A\n"))
    suite = read_suite(path)
    assert [problem.number for problem in suite.problems] == ["40"]
    assert [fault.partition(": ")[0] for fault in suite.faults] == [
        f"{path}, line {line}" for line in (2, 4, 6, 8, 9, 12)
    ]
    assert suite.segments[0].steps[:-1] == ("boardsize 5", "play b C3"), "questions without answers are not asked"
    assert [attempt.solved for attempt in Candidate("random")(suite.segments[0])] == [True]


def test_the_command_reports_a_malformed_line_and_continues(tmp_path):
    path = tmp_path / "malformed.tst"
    path.write_text("boardsize 5\n1 is_legal b A1\n#? [1]\n2 is_legal b A1\n#? 1\n3 is_legal b B1\n#? [1]\n")
    done = regress(str(path), "--player", "random", "--workers", "1")
    assert done.returncode == 1
    assert done.stderr.startswith(f"tengen: {path}, line 5: '#? 1' is not an answer in brackets")
    assert done.stderr.count("\n") == 1
    assert "1 malformed line was skipped" in done.stdout
    found = json.loads(regress(str(path), "--player", "random", "--workers", "1", "--json").stdout)
    assert (found["all"]["problems"], found["all"]["solved"], found["all"]["malformed"]) == (2, 2, 1)
    assert len(found["faults"]) == 1


# --- The suite of the package ----------------------------------------------------------------------------------------


def shipped_problems() -> list[tuple[str, Segment]]:
    """The problems of the package, each with the comment above it."""
    comments = re.split(r"\n\n", SHIPPED.read_text())[1:]
    return list(zip(comments, read_suite(SHIPPED).segments, strict=True))


def loaded(segment: Segment, steps: int | None = None) -> GoPosition:
    """The position after the first `steps` commands of a segment, or before its question."""
    board = _Board(segment, parse_player("random"), lambda game: pytest.fail("nobody has to move"))
    for step in segment.steps[: -1 if steps is None else steps]:
        assert isinstance(step, str)
        assert not board.answer(step).startswith("?")
    assert isinstance(board.position, GoPosition)
    return board.position


def test_the_shipped_suite_has_problems_of_every_kind():
    suite = read_suite(SHIPPED)
    assert not suite.faults
    assert len(suite.problems) == len(suite.segments) >= 30
    kinds = {comment.partition(":")[0].lstrip("# ") for comment, _ in shipped_problems()}
    assert {"Capture", "Escape", "Ladder", "Snapback", "Ko", "Nakade", "Seki", "Semeai", "Endgame"} < kinds
    assert len({problem.number for problem in suite.problems}) == len(suite.problems)


def test_the_records_of_the_shipped_suite_are_what_its_diagrams_show():
    for comment, segment in shipped_problems():
        position, [problem] = loaded(segment), segment.problems
        diagram = re.findall(r"^#   ((?:[XO.] ){8}[XO.])$", comment, re.MULTILINE)
        assert [row[2:20].strip() for row in loaded(segment, 1).diagram().splitlines()[:9]] == diagram
        assert problem.command == f"reg_genmove {position.to_play[0]}"
        [(side, komi)] = re.findall(r"(\w+) to play, komi (-?\d+\.5)", comment)
        assert (side.lower(), float(komi)) == (position.to_play, position.game.komi)


def test_the_answers_of_the_shipped_suite_are_legal_moves():
    for _, segment in shipped_problems():
        position, [problem] = loaded(segment), segment.problems
        answers = problem.expected.lower().split("|")
        assert all(position.is_legal(answer) for answer in answers)
        assert len(position.legal_moves()) > len(answers), "there is something to choose"


@pytest.mark.long
def test_a_search_solves_the_shipped_suite():
    """With few simulations and fixed seeds, so that the answers are reproducible."""
    done = regress("--player", "tengen:simulations=3000,memory=100", "--json", "--workers", "1")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["suites"]["problems"]["problems"] == len(read_suite(SHIPPED).problems)
    assert found["suites"]["problems"]["rate"] >= 0.8
    random = json.loads(regress("--player", "random", "--json", "--workers", "1").stdout)
    assert random["suites"]["problems"]["rate"] <= 0.4, "they cannot be solved by luck"


def test_a_missing_record_fails_only_its_own_problems(tmp_path):
    path = tmp_path / "lost.tst"
    path.write_text(
        "loadsgf none.sgf\n1 reg_genmove b\n#? [A1]\nloadsgf none.sgf 0\nis_legal b A1\n#? [1]\n"
        "boardsize 5\nis_legal b A1\n#? [1]\n"
    )
    segments = read_suite(path).segments
    assert {game.size_value for game in boards_of(segments)} == {19}
    attempts = [attempt for segment in segments for attempt in Candidate("random")(segment)]
    assert [(attempt.number, attempt.solved) for attempt in attempts] == [
        ("1", False),
        ("line 6", False),
        ("line 9", True),
    ]
    assert "none.sgf" in attempts[0].answer
    assert not attempts[0].was_answered


def test_a_board_without_a_player_fails_only_its_own_problems(tmp_path):
    path = tmp_path / "sizes.tst"
    path.write_text("boardsize 7\nreg_genmove b\n#? [A1]\nboardsize 9\nreg_genmove b\n#? [!A1]\n")
    attempts = [attempt for segment in read_suite(path).segments for attempt in Candidate("rlgo")(segment)]
    assert [attempt.was_answered for attempt in attempts] == [False, True]


def test_an_engine_that_never_answers_is_reported(suite):
    done = regress(str(suite), "--player", "gtp:command=false", "--workers", "1")
    assert done.returncode == 1
    assert "6 were not answered" in done.stdout
    assert " answered no problem; first answer: " in done.stderr


def test_the_command_counts_solved_problems_of_players_and_engines(suite):
    def answers_of(player: str) -> dict:
        done = regress(str(suite), "--player", player, "--json", "--workers", "2")
        assert done.returncode == 0, done.stderr
        return dict(json.loads(done.stdout))

    ours = answers_of("random")
    assert ours["all"]["problems"] == 6
    assert ours["suites"]["small"]["solved"] >= 4
    from tengen.engines.gtp import find_program

    try:
        find_program("gnugo")
    except TengenError:
        pytest.skip("GNU Go is not installed")
    theirs = answers_of("gtp:command='gnugo --mode gtp --level 0 --simple-ko'")
    answers = {answer["number"]: answer["answer"] for answer in theirs["answers"]}
    assert (answers["10"], answers["20"], answers["30"], answers["40"]) == ("0", "1", "0", "1")
