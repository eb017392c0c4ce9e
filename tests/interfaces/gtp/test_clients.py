"""Real clients and opponents: Sabaki's library, GNU Go, grhino; and transcripts of CGOS and gogui-regress."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tengen.engines.gtp import OTHER_PLACES, GtpEngine, find_program
from tengen.games.game import Game, Position
from tengen.games.go.game import Go
from tengen.games.othello.game import Othello
from tests.interfaces.gtp.talk import Talk
from tests.interfaces.gtp.test_analysis import segments
from tests.interfaces.test_cli import ENVIRONMENT, program

HERE = Path(__file__).parent
TIMEOUT = 120.0


def installed(name: str) -> bool:
    return any(shutil.which(name, path=path) for path in (None, *OTHER_PLACES))


needs_node = pytest.mark.skipif(
    not (installed("node") and (HERE / "node" / "node_modules").is_dir()),
    reason="Node or the packages of tests/interfaces/gtp/node are not installed",
)
needs_gnugo = pytest.mark.skipif(not installed("gnugo"), reason="GNU Go is not installed")
needs_rhino = pytest.mark.skipif(not installed("gtp-rhino"), reason="grhino is not installed")


# --- Sabaki ----------------------------------------------------------------------------------------------------------


@needs_node
def test_sabakis_controller_and_state_tracker_work_with_the_engine():
    done = subprocess.run(
        ["node", "sabaki.js", program(), "gtp", "mc-rave:simulations=50,memory=20", "--size", "5"],
        cwd=HERE / "node",
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert (seen["name"], seen["protocol_version"]) == ("Tengen", "2")
    assert {"undo", "set_free_handicap", "analyze", "genmove_analyze"} <= {*seen["list_commands"].split()}
    stones = [
        {"E5": "X", "C3": "O", "G7": "X"},
        {"E5": "X", "C3": "O", "G7": "X"},
        {"E5": "X", "C3": "O", "D3": "O", "E3": "O"},
        {"A1": "O", "B1": "O"},
        {"D4": "X", "F6": "X", "E5": "O", "E6": "X"},
        {"D4": "X", "F6": "X", "E5": "O"},
    ]
    turns = ["black", "white", "black", "black", "white", "black"]
    for board, expected, to_play in zip(seen["boards"], stones, turns, strict=True):
        picture, _, rest = board.rpartition("\n")
        assert picture == drawn(9, expected)
        assert rest.startswith(f"{to_play} to play")
        assert "komi=6.5" in rest
    assert seen["rectangle"] == "Board size is not supported by engine"
    played = [line.split()[1] for line in seen["moveLines"] if line.startswith("play ")]
    assert seen["tracked"] == ["B E5", f"W {seen['genmove'].upper()}", f"B {played[0].upper()}"]
    assert not seen["genmoveAnalyze"].get("error")
    reports = [line for line in seen["analysisLines"] if line.startswith("info")]
    assert reports
    for line in reports:
        for segment in re.split(r"\s*info\s+", line.strip())[1:]:  # as Sabaki splits it
            assert re.search(r"(\s+pv\s+[\w ]+)$", segment), segment
    assert segments(reports[0])[0]["move"]
    assert seen["stopper"] == "2"
    assert seen["exit"] == 0


def drawn(size: int, stones: dict[str, str]) -> str:
    rows = []
    for row in range(size, 0, -1):
        rows.append(f"{row} " + " ".join(stones.get(f"{column}{row}", ".") for column in "ABCDEFGHJ"))
    return "\n".join([*rows, "  A B C D E F G H J"])


# --- Opponents -------------------------------------------------------------------------------------------------------


def ask(engine: GtpEngine, *commands: str) -> str:
    answer = ""
    for command in commands:
        answer = engine.ask(command, TIMEOUT)
    return answer


def play_game(
    game: Game, black: GtpEngine, white: GtpEngine, tells_passes: tuple[bool, bool] = (True, True)
) -> Position:
    """Play a game between two engines, with every move checked by our rules."""
    position = game.start()
    engines = {"black": (black, white), "white": (white, black)}
    while not position.is_over:
        mover, other = engines[position.to_play]
        colour = position.to_play[0]
        told = dict(zip((black, white), tells_passes, strict=True))
        if position.legal_moves() == ["pass"] and not told[mover]:
            move = "pass"
        else:
            move = ask(mover, f"genmove {colour}").lower()
        if move == "resign":
            return position
        position.play(move, position.to_play)
        if move != "pass" or told[other]:
            ask(other, f"play {colour} {move}")
    return position


def start(command: str) -> GtpEngine:
    engine = GtpEngine(find_program(command))
    engine.start()
    return engine


@needs_gnugo
@pytest.mark.long
@pytest.mark.parametrize("we_play", ["black", "white"])
def test_a_whole_game_against_gnu_go_ends_with_the_same_score_for_both(we_play):
    ours = start(f"{program()} gtp mc-rave:simulations=400,memory=100")
    theirs = start("gnugo --mode gtp --chinese-rules --positional-superko --capture-all-dead --level 0 --seed 3")
    try:
        for engine in (ours, theirs):
            ask(engine, "boardsize 9", "clear_board", "komi 7.5")
        pair = (ours, theirs) if we_play == "black" else (theirs, ours)
        position = play_game(Go(9, 7.5), *pair)
        assert position.is_over, "nobody resigned"
        winner = "B" if position.score > 0 else "W"
        assert ask(ours, "final_score") == ask(theirs, "final_score") == f"{winner}+{abs(position.score):g}"
    finally:
        ours.close()
        theirs.close()


@needs_rhino
@pytest.mark.long
@pytest.mark.parametrize("we_play", ["black", "white"])
def test_a_whole_game_of_othello_against_grhino_is_legal_for_both(we_play):
    """grhino plays passes itself and must not be sent one."""
    ours = start(f"{program()} gtp --game othello uct:simulations=200,memory=50")
    theirs = start("gtp-rhino -l 1 -b 0")
    try:
        we_are_black = we_play == "black"
        pair = (ours, theirs) if we_are_black else (theirs, ours)
        position = play_game(Othello(), *pair, tells_passes=(we_are_black, not we_are_black))
        margin = position.score
        assert position.is_over
        assert ask(ours, "gogui-rules_final_result") == (
            "A draw." if margin == 0 else f"{'Black' if margin > 0 else 'White'} wins by {abs(margin):g}."
        )
        expected = "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"
        assert ask(theirs, "final_score").upper() == expected
    finally:
        ours.close()
        theirs.close()


@needs_gnugo
@pytest.mark.long
def test_statuses_at_the_end_of_gnu_gos_games_agree_with_gnu_go():
    """GNU Go plays itself and passes with dead stones on the board; game 7 ends with a seki."""
    theirs = start("gnugo --mode gtp --chinese-rules --level 0 --seed 7")
    talk = Talk("mc-rave:simulations=10,memory=20", size=9)
    seen = dict.fromkeys(("alive", "dead", "seki"), 0)
    try:
        for game in (2, 7, 8, 12):
            ask(theirs, "boardsize 9", "clear_board", "komi 7.5", f"set_random_seed {game}")
            position = Go(9, ko="simple", suicide=True).start()
            while not position.is_over:
                position.play(ask(theirs, f"genmove {position.to_play}"))
            talk.session.load(position)
            for status in seen:
                stones = {*ask(theirs, f"final_status_list {status}").split()}
                assert {*talk.ask(f"final_status_list {status}").split()} == stones
                seen[status] += len(stones)
    finally:
        theirs.close()
    assert min(seen.values()) > 5


# --- Transcripts -----------------------------------------------------------------------------------------------------


def test_a_transcript_of_the_computer_go_server():
    talk = Talk()
    names = talk.ask("list_commands").split()
    assert {"time_settings", "time_left", "cgos-genmove_analyze", "cgos-gameover", "cgos-opponent_name"} <= {*names}
    talk.all("boardsize 9", "komi 7.0", "clear_board", "time_settings 300 0 0", "cgos-opponent_name Anchor")
    for setup in ("b E5", "w C4"):  # the moves of a resumed game
        talk.ask(f"play {setup}")
    moves = []
    for _ in range(3):
        talk.ask("time_left B 250 0")
        answer = talk.raw("cgos-genmove_analyze B")
        sign, described, move, *_ = answer.splitlines()
        assert sign == "="
        assert json.loads(described)["moves"][0]["move"] == move.removeprefix("play ")
        moves.append(move)
        reply = next(name for name in talk.session.position.legal_moves() if name != "pass")
        talk.all(f"play W {reply}", "time_left W 240 0")
    assert len({*moves}) == 3
    talk.ask("cgos-gameover B+R")


def test_a_transcript_of_gogui_regress(tmp_path):
    """A file of positions, each with the expected move: here, the capture that wins the game."""
    record = tmp_path / "capture.sgf"
    record.write_text(
        "(;GM[1]SZ[5]KM[0.5]AB[ac][bc][cc][dc][ec][ab][eb]AW[ad][bd][cd][dd][ed][ae][bb][cb][db]PL[B];B[ba])"
    )
    test = f"""\
loadsgf {record} 1
10 reg_genmove b
#? [B5|C5|D5|A5|E5]*
loadsgf {record} 2
20 reg_genmove w
#? [A1|B1]

# a comment between them
30 cputime
40 nonsense
"""
    talk = Talk("mc-rave:simulations=500,memory=20")
    answers = [talk.raw(line) for line in test.splitlines()]
    numbered = [answer for answer in answers if re.match(r"[=?]\d", answer)]
    assert re.fullmatch(r"=10 ([A-E][1-5]|pass)\n\n", numbered[0])
    assert re.fullmatch(r"=20 ([A-E][1-5]|pass)\n\n", numbered[1])
    assert re.fullmatch(r"=30 \d+\.\d+\n\n", numbered[2])
    assert numbered[3] == "?40 unknown command\n\n"
    assert [answer for answer in answers if answer] == ["=\n\n", numbered[0], "=\n\n", *numbered[1:]]
    assert len(talk.session.position.history) == 1  # a move for regression is not played
