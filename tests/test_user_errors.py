"""Mistakes in users' files: one sentence with the function, the file and the line, and a traceback only on request."""

import numpy as np
import pytest

from tengen.errors import TengenError
from tengen.games.catalogue import make_game
from tengen.jit import COMPILED, MissingVerb, kernel, record
from tengen.jit.failures import CompileError
from tengen.players import parse_player
from tengen.plugins import fault_in_plugin, game_of_plugin, load_plugin
from tests.test_plugins import EXAMPLES, registered, tengen_command, written  # noqa: F401 - a fixture

compiled = pytest.mark.skipif(not COMPILED, reason="about the compiler")

POLICY = """import math
import tengen as tg

def helper(number):
    return number

@tg.tree_policy("mine", weight=1.0)
def mine(policy, node, visits, wins, rave_visits, rave_wins):
    value = wins / visits
    return FORMULA
"""
GAME = (EXAMPLES / "tic_tac_toe.py").read_text()
BAD_METHOD = "    has_margin = False\n\n    def format_move(self, move):\n        return self.names[move]\n"
GAME_WITH_A_BAD_METHOD = GAME.replace("    has_margin = False\n", BAD_METHOD)
BAD_LINE = GAME_WITH_A_BAD_METHOD.split("self.names")[0].count("\n") + 1
UNSCORED = GAME.replace("@interface.score.implement(STATE)\n", "")


def choose(player: str, game: str = "othello", size: int | None = 4) -> None:
    made = make_game(game, size)
    parse_player(f"{player}:simulations=3,memory=1").make(made).choose(made.start())


@compiled
@pytest.mark.parametrize(
    ("formula", "problem"),
    [
        ("value + policy.wieght", "there is no field or option 'wieght'; there are: first_play, weight"),
        ("value + missing", "it cannot be compiled (Numba: NameError: name 'missing' is not defined)"),
        ("helper(value)", "helper is not compiled; write @tengen.jit.kernel above it (Numba: Untyped global name"),
        ("value + 'high'", "it cannot be compiled (Numba: "),
        ("math.sqrt(value, 2)", "it cannot be compiled (Numba: "),
        ("open('x')", "it cannot be compiled (Numba: "),
    ],
)
def test_a_function_that_cannot_be_compiled_is_named_with_its_line(tmp_path, formula, problem):
    load_plugin(written(tmp_path, POLICY.replace("FORMULA", formula)))
    with pytest.raises(CompileError) as raised:
        choose("mine")
    assert str(raised.value).startswith(f"mine in mine.py, line 10: {problem}")
    assert "\n" not in str(raised.value)
    assert raised.value.__cause__ is not None


@compiled
def test_a_compiled_helper_in_another_file_is_named(tmp_path):
    written(tmp_path, "from tengen.jit import kernel\n\n@kernel\ndef deep(x):\n    return x.nothing\n", "deeper.py")
    text = POLICY.replace("import math", "from deeper import deep").replace("FORMULA", "deep(value)")
    load_plugin(written(tmp_path, text))
    with pytest.raises(CompileError, match=r"^deep in deeper.py, line 5: .*nothing"):
        choose("mine")


@compiled
def test_a_record_that_does_not_fit_a_kernel_of_the_package_is_named(tmp_path):
    text = GAME.replace("return float(int(has_line(state.stones[0])) - int(has_line(state.stones[1])))", "return 'x'")
    name = game_of_plugin(written(tmp_path, text))
    with pytest.raises(
        CompileError, match=r"^'tic_tac_toe' in mine.py does not fit the kernel sign_of_score, line \d+"
    ):
        choose("uct", name, None)


@compiled
def test_an_error_without_any_user_file_is_left_as_it_is(monkeypatch):
    monkeypatch.setattr("tengen.jit.failures.is_ours", lambda path: True)
    state = np.zeros(1, record("own", [("points", np.int64)]))[0]
    with pytest.raises(KeyError):
        kernel(lambda record: record.nothing)(state)


@compiled
def test_a_signature_that_fails_and_is_tried_again_is_no_error():
    """Numba compiles a callee again with the literal value of an argument that it needs to know."""
    pair = (1, "two")

    @kernel
    def entry(index):
        return pair[index]

    assert kernel(lambda: entry(0))() == 1


@pytest.mark.plain
def test_a_missing_verb_is_named_with_the_file_of_its_record(tmp_path):
    name = game_of_plugin(written(tmp_path, UNSCORED))
    with pytest.raises(MissingVerb) as raised:
        choose("uct", name, None)
    assert str(raised.value) == (
        "'tic_tac_toe' does not implement the verb 'score' (Black's margin: points or discs, or 1, 0 and -1 in games"
        " without points.); its record is in mine.py"
    )
    assert isinstance(raised.value, TengenError)


@pytest.mark.plain
def test_a_body_with_other_arguments_than_its_verb_is_refused(tmp_path):
    text = POLICY.replace("wins, rave_visits, rave_wins", "wins").replace("FORMULA", "value")
    with pytest.raises(TengenError, match=r"plugin mine.py, line 7: mine must take 6 arguments, \(policy, node,"):
        load_plugin(written(tmp_path, text))


@pytest.mark.plain
def test_an_error_in_a_users_method_is_told_with_its_line(tmp_path):
    game = make_game(game_of_plugin(written(tmp_path, GAME_WITH_A_BAD_METHOD)))
    with pytest.raises(AttributeError) as raised:
        game.start().legal_moves()
    assert fault_in_plugin(raised.value) == (
        f"format_move in mine.py, line {BAD_LINE}: AttributeError: 'TicTacToe' object has no attribute 'names'"
    )


@pytest.mark.plain
def test_an_error_outside_of_users_files_has_no_such_sentence():
    with pytest.raises(ZeroDivisionError) as raised:
        1 / 0  # noqa: B018
    assert fault_in_plugin(raised.value) == ""


def shown_by_a_bad_game(folder, *, before: list[str], after: list[str]) -> str:
    """What a command writes to standard error about an exception in a method of a user's game."""
    file = written(folder, GAME_WITH_A_BAD_METHOD)
    done = tengen_command(*before, "play", f"--game={file}", "--player=random", "--colour=none", *after)
    assert done.returncode == 1
    return done.stderr


def test_a_command_tells_an_error_in_a_users_method_in_one_sentence(tmp_path):
    shown = shown_by_a_bad_game(tmp_path, before=[], after=[]).splitlines()[-1]
    assert shown.startswith(f"tengen: format_move in mine.py, line {BAD_LINE}: AttributeError: ")


@pytest.mark.parametrize(("before", "after"), [(["--debug"], []), ([], ["--debug"])], ids=["before", "after"])
def test_with_debug_a_command_shows_the_traceback(tmp_path, before, after):
    shown = shown_by_a_bad_game(tmp_path, before=before, after=after)
    assert "Traceback" in shown
    assert f'mine.py", line {BAD_LINE}, in format_move' in shown


@compiled
def test_with_debug_the_compilers_own_error_is_shown(tmp_path):
    file = written(tmp_path, POLICY.replace("FORMULA", "helper(value)"))
    arguments = ["mine:simulations=2", "random", f"--plugin={file}", "--game=othello", "--size=4", "--no-keep"]
    short = tengen_command("match", *arguments)
    assert "mine in mine.py, line 10: helper is not compiled" in short.stderr
    assert "Traceback" not in short.stderr
    assert "numba.core.errors.TypingError" in tengen_command("match", *arguments, "--debug").stderr
