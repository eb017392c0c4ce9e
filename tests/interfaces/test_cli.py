"""The command line: the installed program in its own process."""

import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tengen import __version__
from tengen.interfaces.cli import app
from tests.interfaces import in_process

COMMANDS = [
    "demo",
    "play",
    "web",
    "gtp",
    "analysis-server",
    "analyze",
    "match",
    "tournament",
    "results",
    "players",
    "regress",
    "tune",
    "train",
    "reproduce",
    "patterns",
    "tree",
    "check",
    "bench",
    "warmup",
    "help",
]
OTHELLO_ROW = "playouts/othello8/uniform"
COLOURING = ("FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS")
"""Environment variables that force colours."""
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in COLOURING}
ENVIRONMENT |= {"COLUMNS": "160", "NO_COLOR": "1", "TERM": "dumb"}


def program() -> str:
    """Return the program installed with the running Python."""
    found = shutil.which("tengen", path=str(Path(sys.executable).parent))
    assert found, "tengen is not installed beside this Python"
    return found


def tengen(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program(), *arguments], env=ENVIRONMENT, capture_output=True, text=True, timeout=600, check=False
    )


def output_of(*arguments: str) -> str:
    """Return the output of a command that must succeed."""
    done = tengen(*arguments)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


# --- Help ------------------------------------------------------------------------------------------------------------


def test_help_lists_the_commands():
    commands = output_of("--help").partition("Commands")[2]
    assert [line.split()[0] for line in commands.splitlines() if re.match(r"  [\w-]+  ", line)] == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_text(command):
    help_text = output_of(command, "--help")
    assert f"Usage: tengen {command}" in help_text
    assert output_of(command, "-h") == help_text


def test_without_a_command_the_help_is_printed():
    done = tengen()
    assert done.returncode != 0
    assert all(command in done.stdout for command in COMMANDS)


def test_the_version_is_the_packages():
    assert output_of("--version").strip() == f"tengen {__version__}"
    assert output_of("-V") == output_of("--version")


def test_help_is_also_a_command():
    assert output_of("help") == output_of("--help")
    assert output_of("help", "match") == output_of("match", "--help")
    done = tengen("help", "nonsense")
    assert done.returncode == 2
    assert "No such command 'nonsense'" in done.stderr


def test_the_package_can_be_run_as_a_module():
    command = [sys.executable, "-m", "tengen", "--version"]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout == output_of("--version"), done.stderr


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_the_terminal_with_whole_names_and_filled_paragraphs(command, columns, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(columns))
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    group.main([*([command] if command else []), "--help"], standalone_mode=False)
    shown = capsys.readouterr().out
    parameters = (group.commands[command] if command else group).params
    names = [name for one in parameters for name in (*one.opts, *one.secondary_opts) if name.startswith("-")]
    names += ["-h", "--help"]
    assert all(re.search(rf"(^|[\s,]){re.escape(name)}($|[\s,])", shown) for name in names)
    lines = shown.splitlines()
    assert max(map(len, lines)) <= columns
    assert not [line for line in lines if re.search(r"\w-$", line)], "a name is broken at its hyphen"
    description = lines[1 : next(number for number, line in enumerate(lines) if line in ("Arguments:", "Options:"))]
    for line, following in itertools.pairwise(description):
        if line.strip() and following.strip() and following.startswith("  ") and line.startswith("  "):
            assert len(f"{line} {following.split()[0]}") > columns - 2, "the next word would have fitted"


@pytest.mark.parametrize("player", [[], ["tengen"], ["amaf"]])
def test_players_fit_a_narrow_terminal(player, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    lines = CliRunner().invoke(app, ["players", *player]).output.splitlines()
    assert max(map(len, lines)) <= 60
    assert any("mc-rave" in line or "simulations=" in line for line in lines)


def completions(*words: str) -> list[str]:
    """Return the completions of the last of some words."""
    environment = ENVIRONMENT | {
        "_TENGEN_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(["tengen", *words]),
        "COMP_CWORD": str(len(words)),
    }
    done = subprocess.run([program()], env=environment, capture_output=True, text=True, timeout=600, check=False)
    return done.stdout.split()


def test_the_shell_completes_commands_players_and_games(monkeypatch):
    assert completions("pla") == ["play", "players"]
    assert completions("match", "uct-") == ["uct-tuned", "uct-rave"]
    assert completions("play", "--game", "o") == ["othello"]
    monkeypatch.setitem(
        ENVIRONMENT, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1"
    )  # tests may run without a shell
    assert "complete" in output_of("--show-completion", "bash")


# --- Errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["bench", "nonsense"], "tengen: unknown benchmark 'nonsense'; choose from: speed, compile"),
        (["bench", "--only", "nothing"], f"tengen: no row matches 'nothing'; choose from: .*{OTHELLO_ROW}.*"),
        (["bench", "--against", "nobody"], "tengen: unknown peer 'nobody'; choose from: open_spiel, .*"),
        (["bench", "--size", "9"], "tengen: --size needs --game"),
        (["bench", "--trees", "9"], "tengen: --trees needs --backend gpu"),
        (["bench", "--backend", "tpu"], "tengen: unknown backend 'tpu'; choose from: cpu, gpu"),
        (["bench", "compile", "--backend", "gpu"], "tengen: compile times are measured for the CPU only: leave out .*"),
        (["bench", "--backend", "gpu", "--against", "open_spiel"], "tengen: a GPU is compared with the CPU only: .*"),
        (["bench", "--against", "nobody", "--json"], "tengen: unknown peer 'nobody'; choose from: .*"),
    ],
)
def test_an_invalid_value_is_one_line_on_standard_error(arguments, complaint):
    done = tengen(*arguments)
    assert done.returncode == 1
    assert done.stdout == ""
    assert re.fullmatch(complaint, done.stderr.strip())


def test_a_benchmark_of_a_gpu_without_one_is_one_line_on_standard_error(monkeypatch):
    pytest.importorskip("numba.cuda", reason="numba-cuda is not installed")
    monkeypatch.setitem(ENVIRONMENT, "CUDA_VISIBLE_DEVICES", "")
    done = tengen("bench", "--backend", "gpu")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"tengen: no CUDA device was found.*: the backend gpu needs an NVIDIA GPU", done.stderr.strip())


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nonsense"], "No such command 'nonsense'."),
        (["--nonsense"], "No such option: --nonsense"),
        (["bench", "--nonsense"], "No such option: --nonsense"),
        (["bench", "speed", "nonsense"], "Got unexpected extra argument"),
        (["bench", "--seconds", "long"], "Invalid value for '--seconds'"),
        (["bench", "--seconds", "0"], "Invalid value for '--seconds'"),
        (["bench", "--only"], "Option '--only' requires an argument"),
        (["demo", "--seconds", "-1"], "Invalid value for '--seconds'"),
        (["demo", "--seed", "x"], "Invalid value for '--seed'"),
        (["warmup", "nonsense"], "Got unexpected extra argument"),
    ],
)
def test_an_invalid_argument_is_named_on_standard_error(arguments, complaint):
    done = tengen(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows interrupts in another way")
def test_an_interrupted_command_stops_without_a_traceback():
    """A shell makes background processes ignore interrupts, so the signal's default is restored here."""
    arguments = [program(), "bench", "--only", "playouts/*8/uniform", "--seconds", "2"]
    with subprocess.Popen(
        arguments,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith("row")
        running.send_signal(signal.SIGINT)  # while the next row is measured
        rest, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "havannah8" not in rest
    assert errors.endswith("tengen: interrupted\n")
    assert "Traceback" not in errors


# --- Speeds ----------------------------------------------------------------------------------------------------------


def test_a_measured_row_is_a_list_of_one_in_json():
    [row] = json.loads(in_process.output_of("bench", "--only", OTHELLO_ROW, "--seconds", "0.2", "--json"))
    assert set(row) == {"name", "unit", "per_second", "per_cpu_second", "threads"}
    assert row["name"] == OTHELLO_ROW
    assert row["unit"] == "playouts"
    assert row["threads"] == 1
    assert row["per_second"] > 0
    assert row["per_cpu_second"] > 0


def test_a_row_measured_against_a_peer_has_its_speed_and_the_ratio():
    pytest.importorskip("pyspiel")
    arguments = ("bench", "--only", OTHELLO_ROW, "--seconds", "0.2", "--against", "open_spiel", "--json")
    [row] = json.loads(in_process.output_of(*arguments))
    assert row["peer"] == "open_spiel"
    assert row["peer_per_second"] > 0
    assert row["ratio"] == pytest.approx(row["per_second"] / row["peer_per_second"])


@pytest.mark.parametrize("peer", ["open_spiel", "open_spiel_python"])
def test_a_game_of_a_file_is_measured_against_a_peer(peer):
    pytest.importorskip("pyspiel")
    game = Path(__file__).parent.parent.parent / "examples" / "connect_four.py"
    arguments = ("bench", f"--game={game}", "--only=search/*", "--seconds=0.1", f"--against={peer}", "--json")
    [row] = json.loads(output_of(*arguments))
    assert (row["name"], row["peer"]) == ("search/connect-four/uct", peer)
    assert row["peer_per_second"] > 0


def test_measured_rows_are_a_table():
    header, *lines = in_process.output_of("bench", "--only", "playouts/*8/uniform", "--seconds", "0.1").splitlines()
    assert re.split(r"  +", header) == ["row", "per second", "per CPU second", "threads"]
    assert [line.split()[0] for line in lines] == [OTHELLO_ROW, "playouts/havannah8/uniform"]
    for line in lines:
        _, per_second, per_cpu_second, threads = line.split()
        assert int(per_second.replace(",", "")) > 0
        assert int(per_cpu_second.replace(",", "")) > 0
        assert threads == "1"


def test_a_cold_start_is_listed_kernel_by_kernel():
    compilations = json.loads(output_of("bench", "compile", "--json", "--only", "othello8"))
    assert all(set(entry) == {"kernel", "arguments", "seconds", "nested"} for entry in compilations)
    assert all(entry["seconds"] > 0 for entry in compilations)
    outer = [entry["kernel"] for entry in compilations if not entry["nested"]]
    assert outer.count("benchmarks.kernels.repeat_playouts") == 1
    assert len(outer) < len(compilations)


# --- Warming up and the demonstration --------------------------------------------------------------------------------


def test_warming_up_a_second_time_compiles_nothing():
    output_of("warmup")
    *steps, last = output_of("warmup").splitlines()
    assert {"  go9", "  othello8", "  havannah8", "  go9 tengen", "  go13 tengen", "  go19 tengen"} <= set(steps)
    assert re.fullmatch(r"Ready after \d+\.\d s; no kernels were compiled\.", last)


def test_the_demonstration_shows_a_game_and_a_match():
    shown = output_of("demo", "--seconds", "0.5", "--games", "2")
    assert "black: uct" in shown
    assert "white: mc-rave" in shown
    assert re.search(r"move \d+: (black|white) pass", shown)
    assert re.search(r"(Black|White) wins by \d", shown)
    assert re.search(r"mc-rave v uct: 2 games, \d won, 0 drawn, \d lost", shown)
    assert "with 95 % confidence" in shown


def test_the_demonstration_fits_a_narrow_terminal():
    environment = ENVIRONMENT | {"COLUMNS": "60"}
    command = [program(), "demo", "--seconds", "0.2", "--games", "2"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    assert "black: uct" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 60


def test_the_demonstration_can_be_shown_without_a_match():
    assert "match" not in output_of("demo", "--seconds", "0.2", "--games", "0")
