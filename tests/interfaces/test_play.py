"""A game in the terminal: input and output, through a pipe and through a pseudo-terminal."""

import io
import os
import re
import select
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from tengen import Go, Havannah, Othello
from tengen.errors import TengenError
from tengen.games.clock import TimeControl
from tengen.games.go.sgf import read_sgf
from tengen.interfaces.board_text import board, bracketed_diagram
from tengen.interfaces.cli import app
from tengen.interfaces.terminal import TerminalGame, records_of, write_record
from tengen.players import parse_player
from tests.interfaces.test_cli import ENVIRONMENT, program


@pytest.fixture(autouse=True)
def state_folder(tmp_path, monkeypatch):
    """Set and return the folder for unfinished games."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def play(monkeypatch, capsys):
    """Return a function that plays a game with these lines at the prompt; it returns the output and the game."""

    def played(*lines, game=None, player="random", colour="black", position=None, control=None):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        start = position or (game or Go(5, komi=0.5)).start()
        shown = TerminalGame(start, parse_player(player), colour, control)
        shown.run()
        return capsys.readouterr().out, shown

    return played


# --- Boards ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "moves", "line"),
    [
        (Go(3), "A1 B2", "2 .(O)."),
        (Go(3), "A1", "1(X). ."),
        (Go(3), "C3", "3 . .(X)"),
        (Othello(4), "b1", "1 .(X). ."),
        (Havannah(3), "a1", " 1  (X). . d"),
    ],
)
def test_the_last_move_is_shown_in_brackets(game, moves, line):
    position = game.start()
    for move in moves.split():
        position.play(move)
    drawn = bracketed_diagram(position)
    assert line in drawn
    assert sum("(" in drawn_line for drawn_line in drawn) == 1
    assert "\n".join(drawn).replace("(", " ").replace(")", " ").split() == position.diagram().split()


def test_a_pass_has_no_brackets():
    position = Go(3).start().play("A1").play("pass")
    assert "\n".join(bracketed_diagram(position)) == position.diagram()


def test_coordinates_are_not_coloured_as_stones():
    """On boards of 19 points a column is called O."""
    drawn = board(Go(19).start().play("O4"), in_colour=True)
    assert drawn.plain.count("●") == 1
    assert drawn.plain.splitlines()[-1].split() == list("ABCDEFGHJKLMNOPQRST")


# --- Commands --------------------------------------------------------------------------------------------------------


def test_moves_are_answered(play):
    shown, game = play("C3", "b2")
    assert len(game.position.history) == 4
    assert [played.notation for played in game.position.history[::2]] == ["C3", "B2"]
    assert "black plays C3" in shown
    assert re.search(r"white plays [A-E][1-5]", shown)
    assert "black> C3" in shown


def test_undo_takes_back_a_move_and_its_reply(play):
    shown, game = play("C3", "undo", "undo")
    assert game.position.history == []
    assert "there is no move to take back" in shown


def test_a_hint_shows_moves_and_a_heat_map(play):
    shown, _ = play("hint", player="uct:simulations=60,memory=10")
    assert "60 simulations" in shown
    assert "@" in shown
    best = re.search(r"hint: ([A-E][1-5])", shown)
    assert best
    assert re.search(rf"^ +{best[1]} ", shown, re.MULTILINE)


def test_a_player_without_a_search_gives_no_hint(play):
    assert "random does not support analysis" in play("hint")[0]


def test_an_analysis_is_shown_while_it_is_on(play):
    shown, _ = play("analysis on", "C3", "analysis off", "undo", "C3", "analysis", player="amaf:simulations=50")
    assert shown.count("white to play · 50 simulations") == 1
    assert "write 'analysis on' or 'analysis off'" in shown


def test_sides_can_be_changed(play):
    shown, game = play("swap", "score", "take black", "quit")
    assert "you play white" in shown
    assert "you play black" in shown
    assert len(game.position.history) == 2  # the player moved for Black, then for White


def test_both_sides_can_be_taken(play):
    _, game = play("take both", "C3", "B2", "quit")
    assert [played.notation for played in game.position.history] == ["C3", "B2"]


def test_a_game_can_be_watched(play):
    shown, game = play(colour="none")
    assert game.position.is_over
    assert re.search(r"(Black|White) wins by", shown)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("C9", "off the board"),
        ("nonsense", "'help' lists the commands"),
        ("undoo", "did you mean 'undo'"),
        ("save", "write 'save FILE.sgf'"),
        ("save /nowhere/at/all.sgf", "cannot be written"),
        ("load", "write 'load FILE.sgf'"),
        ("load /nowhere.sgf", "cannot be read"),
        ("take all", "write 'take black'"),
        ("hint me [bold]", "does not support analysis"),
    ],
)
def test_an_invalid_line_is_reported_and_changes_nothing(play, line, complaint):
    shown, game = play(line)
    assert complaint in shown
    assert game.position.history == []
    assert "Traceback" not in shown


def test_an_illegal_move_is_reported(play):
    shown, game = play("C3", "C3", colour="both")
    assert "there is a stone already" in shown
    assert len(game.position.history) == 1


def test_a_resignation_loses_the_game_and_can_be_undone(play, tmp_path):
    path = tmp_path / "resigned.sgf"
    shown, game = play("C3", "resign", "B2", f"save {path}", "undo", "score", colour="both")
    assert "White resigns: black wins." in shown
    assert "the game is over" in shown
    assert b"RE[B+R]" in path.read_bytes()
    assert not game.is_over
    assert len(game.position.history) == 1


def test_the_score_is_that_of_the_board_and_of_random_games(play):
    position = Go(5, komi=0.5).from_diagram(
        """
        . X X O .
        X X X O O
        . X X O .
        X X X O O
        . X X O .
        """
    )
    shown, _ = play("score", position=position)
    assert shown.count("black is ahead by 4.5") == 2
    assert "nobody has won yet" in play("score", game=Havannah(3))[0]


def test_the_result_is_shown_and_a_new_game_can_be_started(play):
    shown, game = play("pass", "pass", "pass", "new", colour="both")
    assert "White wins by 0.5." in shown
    assert "the game is over: 'new' starts another one" in shown
    assert game.position.history == []


def test_other_games_are_played_but_not_saved(play):
    shown, game = play("d3", "save x.sgf", "load x.sgf", game=Othello(8), colour="both")
    assert shown.count("games of othello cannot be saved or loaded: othello has no record format") == 2
    assert "tengen play --game othello --size 8 --moves 'd3'" in shown
    assert len(game.position.history) == 1


def test_help_names_every_command(play):
    shown, game = play("help")
    assert all(re.search(rf"^  {name}\b", shown, re.MULTILINE) for name in game._commands())


def test_the_person_takes_over_the_side_of_a_failing_engine(play, tmp_path):
    """The engine answers all commands except genmove."""
    engine = tmp_path / "engine.py"
    engine.write_text("import sys\nfor line in sys.stdin: print('?' if 'genmove' in line else '=', '\\n', flush=True)")
    shown, game = play("C3", "B2", player=f"gtp:command='{sys.executable} {engine}'")
    assert " failed: " in shown
    assert "you play both sides" in shown
    assert [played.notation for played in game.position.history] == ["C3", "B2"]


# --- Clocks ----------------------------------------------------------------------------------------------------------


def test_exceeding_the_time_loses_the_game(play, monkeypatch):
    shown, game = play("C3", colour="both", control=TimeControl(main=1e-9))
    assert "Black's time is up: white wins." in shown
    assert game.position.history == []


def test_the_remaining_time_is_shown(play):
    assert "black (60 s)> C3" in play("C3", control=TimeControl.parse("1m"))[0]


# --- Records ---------------------------------------------------------------------------------------------------------


def test_a_saved_game_is_loaded_again(play, tmp_path):
    path = tmp_path / "game.sgf"
    shown, _ = play("C3", "B2", f"save {path}", "quit", game=Go(9, komi=5.5), colour="both")
    assert "The game was saved" not in shown
    _, game = play(f"load {path}", "D4", colour="both")
    assert [played.notation for played in game.position.history] == ["C3", "B2", "D4"]
    assert game.position.game == Go(9, komi=5.5)
    assert list(tmp_path.glob(".*")) == []


def test_an_unfinished_game_is_saved(play, state_folder):
    shown, game = play("C3", "B2", colour="both")
    path = state_folder / "tengen" / "last-game.sgf"
    assert f"tengen play --load {path}" in shown
    assert read_sgf(path).history == game.position.history


def test_a_failed_save_leaves_the_old_file(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text("old")
    with pytest.raises(TengenError, match="othello has no record format"):
        write_record(Othello().start(), path, {"black": "", "white": ""}, None)
    assert path.read_text() == "old"


def test_a_record_with_other_rules_is_loaded_with_these(tmp_path):
    """White commits suicide, which only some rules allow."""
    path = tmp_path / "suicide.sgf"
    path.write_text("(;GM[1]SZ[3]KM[0.5];B[ba];W[cc];B[ab];W[aa])")
    assert records_of(Go).read(path).game == Go(3, komi=0.5, ko="simple", suicide=True)
    path.write_text("(;GM[1]SZ[3]KM[0.5];B[ba];W[cc];B[ab])")
    assert records_of(Go).read(path).game == Go(3, komi=0.5)


# --- The program -----------------------------------------------------------------------------------------------------


def run_play(*arguments: str, lines: str) -> subprocess.CompletedProcess[str]:
    environment = {**ENVIRONMENT, "XDG_STATE_HOME": os.environ["XDG_STATE_HOME"]}
    command = [program(), "play", *arguments]
    return subprocess.run(
        command, env=environment, input=lines, capture_output=True, text=True, timeout=300, check=False
    )


def test_a_whole_session_runs_through_a_pipe():
    done = run_play(
        "--size", "5", "--komi", "0.5", "--player", "uct:simulations=30", "--time", "10m", lines="C3\nhint\nquit\n"
    )
    assert done.returncode == 0, done.stderr
    assert "You play black against uct:simulations=30." in done.stdout
    assert "black (600 s)> C3" in done.stdout
    assert "hint: " in done.stdout
    assert "To continue it: tengen play --load " in done.stdout


def test_moves_can_be_given_and_the_end_of_the_input_quits():
    done = run_play("--game", "othello", "--player", "random", "--colour", "both", "--moves", "d3 c5", lines="")
    assert done.returncode == 0, done.stderr
    assert "5 . .(O)" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--game", "chess"], "unknown game 'chess'; choose from: go, havannah, othello"),
        (["--game", "othello", "--komi", "7"], "othello has no option komi"),
        (["--game", "othello", "--load", "x.sgf"], "othello has no record format"),
        (["--size", "99"], "size of a Go board must be from 1 to 25"),
        (["--colour", "red"], "unknown colour 'red'; choose from: black, white, both, none"),
        (["--player", "nobody"], "unknown player 'nobody'; choose from: "),
        (["--time", "soon"], "'soon' is not a time control"),
        (["--moves", "E5 E5"], "E5 cannot be played by white"),
        (["--load", "/nowhere.sgf"], "cannot be read"),
    ],
)
def test_an_invalid_option_is_reported_in_one_line(arguments, complaint):
    done = CliRunner().invoke(app, ["play", *arguments])
    assert done.exit_code == 1
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_game_is_played_at_a_real_terminal():
    """Through a pseudo-terminal, with colours; Ctrl-C ends the program without a traceback."""
    pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "40", "PYTHONIOENCODING": "utf-8"}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(
        [program(), "play", "--size", "5", "--player", "random"],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=environment,
        start_new_session=True,
        preexec_fn=_take_terminal,
    ) as running:
        os.close(follower)
        try:
            shown = _read_until(leader, r"black> $")
            assert "·" in shown
            os.write(leader, b"C3\n")
            shown = _read_until(leader, r"white plays .*black> $")
            assert "●" in shown
            assert "\x1b[" in shown
            shown = _read_until(leader, r"tengen play --load \S+\s", typing=b"\x03")  # Ctrl-C
            assert running.wait(timeout=60) == 130
        finally:
            running.kill()
    os.close(leader)
    assert "Traceback" not in shown


def _take_terminal() -> None:
    """Make the terminal the controlling one of the new session, and restore SIGINT, so that Ctrl-C works."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


def _read_until(descriptor: int, awaited: str, typing: bytes = b"") -> str:
    """Return the terminal's output up to a match of `awaited`, without control sequences.

    `typing` is repeated while nothing happens, since a Ctrl-C just before the wait for input is lost.
    """
    shown, deadline = "", time.monotonic() + 120
    while not re.search(awaited, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown), re.DOTALL):
        assert time.monotonic() < deadline, shown
        if typing and not shown:
            os.write(descriptor, typing)
        if select.select([descriptor], [], [], 3)[0]:
            shown += os.read(descriptor, 65536).decode(errors="replace")
    return shown


# --- Strength --------------------------------------------------------------------------------------------------------


def invoked(*arguments):
    """Run `tengen play` in this process and leave at the first prompt."""
    return CliRunner().invoke(app, ["play", *arguments], input="quit\n")


def test_a_level_and_a_handicap_can_be_chosen():
    result = invoked("--level", "2", "--handicap", "4", "--colour", "both")
    assert result.exit_code == 0
    assert result.output.count("X") == 4


def test_a_level_is_shown_as_its_player():
    result = invoked("--level", "2", "--size", "5")
    assert "against tengen:simulations=" in result.output


@pytest.mark.parametrize(
    "arguments",
    [("--level", "2", "--player", "uct"), ("--handicap", "2", "--game", "othello"), ("--handicap", "2", "--size", "5")],
)
def test_an_invalid_level_or_handicap_is_refused(arguments):
    result = invoked(*arguments)
    assert result.exit_code == 1
    assert not result.output.startswith("Traceback")
