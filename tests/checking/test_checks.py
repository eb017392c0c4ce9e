"""The checks of games, policies and priors: each defect is found, and parts without one pass."""

import json
import re

import pytest

from tengen.checking.findings import Finding
from tengen.checking.game_checks import check_game
from tengen.checking.part_checks import check_part, game_for
from tengen.games.catalogue import make_game
from tengen.jit import COMPILED
from tengen.plugins import game_of_plugin, load_plugin
from tengen.registry import find_part
from tests.checking.broken import EXAMPLES, GAMES, PARTS, PLAYOUT, POLICY, PRIOR, SCORE, game
from tests.test_plugins import registered, tengen_command, written  # noqa: F401 - a fixture

uncompiled = pytest.mark.skipif(COMPILED, reason="the same compiled, but slow: every defect is another record")
compiled = pytest.mark.skipif(not COMPILED, reason="compares with compiled code")


def failures(findings: list[Finding]) -> dict[str, str]:
    return {finding.check: finding.problem for finding in findings if not finding.is_ok}


@pytest.mark.plain
@uncompiled
@pytest.mark.parametrize("defect", GAMES)
def test_a_defect_of_a_game_is_found(tmp_path, defect):
    replaced, check, problem = GAMES[defect]
    name = game_of_plugin(written(tmp_path, game(replaced)))
    found = failures(check_game(make_game(name), games=10, seed=1))
    assert check in found
    assert problem in found[check]


@pytest.mark.plain
@uncompiled
@pytest.mark.parametrize("defect", PARTS)
def test_a_defect_of_a_policy_or_prior_is_found(tmp_path, defect):
    text, value, check, problem = PARTS[defect]
    [part] = load_plugin(written(tmp_path, text.replace("VALUE", value)))
    found = failures(check_part(part, make_game(game_of_plugin(EXAMPLES / "tic_tac_toe.py")), seed=1))
    assert check in found
    assert problem in found[check]


@pytest.mark.plain
@uncompiled
@pytest.mark.parametrize(("name", "size"), [("tic_tac_toe", None), ("connect_four", None), ("hex", 3)])
def test_the_games_among_the_examples_pass_uncompiled(name, size):
    made = make_game(game_of_plugin(EXAMPLES / f"{name}.py"), size)
    assert failures(check_game(made, games=1, seed=1)) == {}


@pytest.mark.plain
@uncompiled
def test_a_finding_has_the_moves_that_lead_to_the_position(tmp_path):
    replaced, *_ = GAMES["a score that is no number"]
    made = make_game(game_of_plugin(written(tmp_path, game(replaced))))
    [found] = [finding for finding in check_game(made, games=1, seed=1) if finding.check == "outcome"]
    position = made.start()
    for move in found.moves:
        position.play(move)
    assert position.is_over


@pytest.mark.long
@compiled
@pytest.mark.parametrize(
    ("text", "check", "problem"),
    [
        (game((SCORE, "return 1.0 if COMPILED else -1.0")), "compiled and uncompiled games agree", "1.0 compiled"),
        (POLICY.replace("VALUE", "1.0 if COMPILED else wins"), "compiled and uncompiled searches agree", "values: "),
        (PRIOR.replace("VALUE", "(0.4 if COMPILED else 0.7), 1.0"), "compiled and uncompiled searches agree", "priors"),
        (
            PLAYOUT.replace("VALUE", "move if COMPILED else random_candidate(state, rng)"),
            "compiled and uncompiled searches agree",
            "playout: ",
        ),
    ],
    ids=["game", "tree policy", "prior", "playout policy"],
)
def test_a_difference_between_compiled_and_uncompiled_code_is_found(tmp_path, text, check, problem):
    file = written(tmp_path, text)
    done = tengen_command("check", str(file), f"--game={EXAMPLES / 'connect_four.py'}", "--games=2", "--json")
    assert done.returncode == 1, done.stderr
    [found] = [entry for entry in json.loads(done.stdout) if not entry["ok"]]
    assert found["check"] == check
    assert problem in found["problem"]


@compiled
def test_code_that_leaves_its_arrays_is_not_run_compiled(tmp_path):
    text = game(("            moves[count] = move\n", "            moves[count + 10**9] = move\n"))
    done = tengen_command("check", str(written(tmp_path, text)), "--json")
    assert done.returncode == 1, done.stderr
    [found] = json.loads(done.stdout)
    assert found["check"] == "compiled and uncompiled games agree"
    assert re.match(r"uncompiled: legal_moves in mine.py, line \d+: IndexError", found["problem"])


@pytest.mark.long
@compiled
@pytest.mark.parametrize("what", ["othello --size=4", "connect_four.py", "my_tree_policy.py --game=othello --size=4"])
def test_parts_without_defects_pass(what):
    name, *options = what.split()
    target = str(EXAMPLES / name) if name.endswith(".py") else name
    done = tengen_command("check", target, *options, "--games=10")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "FAILED" not in done.stdout
    assert "ok      compiled and uncompiled" in done.stdout


@pytest.mark.long
@compiled
@pytest.mark.parametrize("name", ["go --size=5", "havannah --size=4", "othello", "ucb1-tuned", "mc-rave", "fuego-rave",
    "uct-rave", "uniform", "mogo", "even", "grandfather", "knowledge", "learnt", "hex.py --size=4", "tic_tac_toe.py",
    "my_playout_policy.py", "my_prior.py"])  # fmt: skip
def test_all_parts_of_the_package_and_the_examples_pass(name):
    target, *options = name.split()
    target = str(EXAMPLES / target) if target.endswith(".py") else target
    done = tengen_command("check", target, *options, "--games=20")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.plain
def test_a_part_is_checked_with_its_own_game_on_a_small_board():
    assert game_for(find_part("playout policy", "mogo")).board_text == "5x5"
    assert game_for(find_part("tree policy", "ucb1"), "othello").board_text == "6x6"
    assert game_for(find_part("tree policy", "ucb1"), "othello", 8).board_text == "8x8"


@pytest.mark.parametrize(
    ("what", "complaint"), [("nonsense", "unknown game 'nonsense'"), ("none.py", "there is no plugin 'none.py'")]
)
def test_what_cannot_be_checked_is_named(what, complaint):
    done = tengen_command("check", what)
    assert done.returncode == 1
    assert complaint in done.stderr
