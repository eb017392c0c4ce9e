"""The engine in its own process: what it loads and when, its streams, and how it ends."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO

import pytest

from tests.interfaces.test_cli import ENVIRONMENT, program, tengen

QUICK = "mc-rave:simulations=50,memory=20"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")


def talk(lines: str, *arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program(), "gtp", *arguments],
        input=lines,
        env=ENVIRONMENT | changes,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def start(*arguments: str, **changes: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [program(), "gtp", *arguments],
        env=ENVIRONMENT | changes,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def say(running: subprocess.Popen[str], line: str) -> str:
    """Send a command and wait for the whole answer."""
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write(f"{line}\n")
    running.stdin.flush()
    answer = ""
    while not answer.endswith("\n\n"):
        read = running.stdout.readline()
        assert read, f"the engine ended after {answer!r}"
        answer += read
    return answer


def test_name_and_version_are_answered_without_heavy_imports():
    code = """
import sys
from tengen.interfaces.gtp.serve import Settings, converse
said = []
conversation, loader = converse(Settings(), said.append)
for line in ("name", "version", "protocol_version", "known_command genmove"):
    conversation.answer(line)
assert "".join(said).startswith("= Tengen"), said
assert "".join(said).split()[-1] == "true", said
print({name.partition(".")[0] for name in sys.modules} & {"numba", "llvmlite", "numpy", "rich", "scipy"} or "nothing")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.strip() == "nothing", done.stderr


def test_standard_output_has_only_the_protocol_while_kernels_are_compiled(tmp_path):
    done = talk("genmove b\nquit\n", "random", "--game=othello", TENGEN_CACHE=str(tmp_path))
    assert done.returncode == 0
    assert re.fullmatch(r"= [A-H][1-8]\n\n=\n\n", done.stdout)
    assert "tengen: compiling kernels" in done.stderr


def test_all_other_output_goes_to_standard_error():
    code = """
import os, sys
from tengen.interfaces.standard_streams import private_output
write = private_output(OSError)
print("by Python")
sys.__stdout__.write("by an old reference\\n"); sys.__stdout__.flush()
os.write(1, b"by C\\n")
write("= the answer\\n")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "= the answer\n"
    assert "by Python" in done.stderr
    assert "by an old reference" in done.stderr
    assert "by C" in done.stderr


def test_the_engine_ends_after_the_last_answer_at_the_end_of_the_input():
    done = talk("boardsize 5\ngenmove b", QUICK)
    assert done.returncode == 0
    assert done.stdout.count("\n\n") == 2
    assert "Traceback" not in done.stderr
    assert talk("lz-analyze 10", QUICK, "--size", "5").stdout.startswith("=\ninfo move")


def test_an_unknown_player_is_one_line_on_standard_error():
    done = talk("name\nboardsize 9\n", "nobody")
    assert done.returncode == 1
    assert done.stdout == "= Tengen\n\n"
    assert done.stderr.startswith("tengen: unknown player 'nobody'; choose from: ")
    assert done.stderr.count("\n") == 1
    done = talk("name\n", "--log", "/no/such/folder/log")
    assert done.returncode == 1
    assert done.stderr == "tengen: '/no/such/folder/log' cannot be written: No such file or directory\n"


PLUGIN_HINT = "(if it is from a plugin, load that with --plugin FILE)"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--game", "chess"], f"tengen: unknown game 'chess'; choose from: go, havannah, othello {PLUGIN_HINT}"),
        (["uct", "--level", "5"], "tengen: a player and --level exclude each other"),
        (["--compat", "doors"], "tengen: unknown client 'doors' for --compat; choose from: lizzie"),
    ],
)
def test_an_invalid_argument_is_one_line_on_standard_error(arguments, complaint):
    done = tengen("gtp", *arguments)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.strip() == complaint


def test_a_log_has_all_commands_and_answers(tmp_path):
    path = tmp_path / "gtp.log"
    talk("1 name\n2 play b Q99\n", "--log", str(path))
    said = [line.split(" ", 1)[1] for line in path.read_text().splitlines() if line[9:] != "<"]
    assert said[:3] == ["> 1 name", "< =1 Tengen", "> 2 play b Q99"]
    assert said[3].startswith("< ?2 Q99 is off the board")


def test_compat_lizzie_reports_a_version_that_lizzie_accepts():
    assert talk("version\n", "--compat", "lizzie").stdout == "= 0.17\n\n"


def test_a_level_selects_its_player():
    done = talk("gogui-title\n", "--level", "2")
    assert done.stdout.startswith("= Tengen: tengen:simulations=")


def test_a_lost_game_is_resigned_if_enabled():
    lost = "boardsize 5\nkomi 100\ngenmove b\n"
    assert talk(lost, QUICK, "--resign", "0.1").stdout.endswith("= resign\n\n")
    assert "resign" not in talk(lost, QUICK).stdout


@POSIX
def test_a_closed_pipe_ends_the_engine_silently():
    with start(QUICK) as running:
        assert say(running, "name") == "= Tengen\n\n"
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        running.stdin.write("name\n" * 3)
        running.stdin.flush()
        assert running.wait(timeout=60) == 0
        running.stdin = None
        assert "Traceback" not in running.stderr.read()


@POSIX
def test_closing_the_input_during_a_long_search_ends_the_engine():
    with start("mc-rave:memory=50", "--seconds", "3000", "--size", "5") as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write("lz-genmove_analyze b 100\n")
        running.stdin.flush()
        assert [running.stdout.readline(), running.stdout.readline()[:9]] == ["=\n", "info move"]
        time.sleep(1.0)  # several times PAUSE
        running.stdin.close()
        assert running.wait(timeout=120) == 0
        running.stdin = None
        assert re.search(r"\nplay ([A-E][1-5]|pass)\n\n$", running.stdout.read())
        assert "Traceback" not in running.stderr.read()


@POSIX
def test_closing_the_input_ends_an_external_engine():
    engine = Path(__file__).parents[2] / "trials" / "bad_engine.py"
    with start(f"gtp:command='{sys.executable} {engine} hangs',timeout=3000", "--size", "9") as running:
        assert say(running, "genmove b") == "= C3\n\n"
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("genmove w\n")
        running.stdin.flush()
        time.sleep(1.0)
        running.stdin.close()
        assert running.wait(timeout=120) == 0
        running.stdin = None
        assert running.stdout.read().startswith("? the engine ended with exit code -9")


@pytest.mark.long
@POSIX
def test_closing_the_input_without_reading_the_output_ends_the_engine():
    with start("mc-rave:memory=50", "--seconds", "3000", "--size", "5") as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("lz-genmove_analyze b 1\n")
        running.stdin.flush()
        assert running.stdout.readline() == "=\n"
        time.sleep(5.0)  # the pipe of its answers is full, or will be
        running.stdin.close()
        assert running.wait(timeout=120) == 0
        running.stdin = None


@POSIX
def test_kernels_are_compiled_before_the_first_genmove(tmp_path):
    with start("random", "--game=othello", TENGEN_CACHE=str(tmp_path)) as running:
        assert say(running, "name") == "= Tengen\n\n"
        for _ in range(3000):
            if compiled := list(tmp_path.rglob("othello_board.uniform_playout*.nbc")):
                break
            time.sleep(0.1)
        assert compiled
        assert re.fullmatch(r"= [A-H][1-8]\n\n", say(running, "genmove b"))
        say(running, "quit")
        assert running.wait(timeout=60) == 0


@POSIX
def test_an_interrupt_ends_the_search_but_not_the_engine():
    """The search would take 3000 s; its first report shows that it is running."""
    with start("mc-rave:memory=50", "--seconds", "3000", "--size", "5") as running:
        stuck = threading.Timer(600, running.kill)
        stuck.start()
        say(running, "boardsize 5")
        assert running.stdin is not None
        assert running.stdout is not None
        pid = int(say(running, "gogui-sigint")[2:])

        def send_comment(stdin: IO[str]) -> None:
            stdin.write("# interrupt\n")
            stdin.flush()

        def send_signal(stdin: IO[str]) -> None:
            os.kill(pid, signal.SIGINT)

        for interrupt in (send_comment, send_signal):
            running.stdin.write("lz-genmove_analyze b 10\n")
            running.stdin.flush()
            assert [running.stdout.readline(), running.stdout.readline()[:9]] == ["=\n", "info move"]
            interrupt(running.stdin)
            assert re.search(r"\nplay ([A-E][1-5]|pass)\n\n$", say(running, ""))
        assert say(running, "quit") == "=\n\n"
        assert running.wait(timeout=60) == 0
        stuck.cancel()
