"""Engines over GTP: correct ones, faulty ones, and GNU Go."""

import random
import shutil
import sys
from pathlib import Path

import pytest

from tengen.engines.gtp import EngineFault, GtpEngine, find_program
from tengen.engines.gtp_player import GRACE, GtpPlayer
from tengen.errors import TengenError
from tengen.games.clock import Clock, TimeControl
from tengen.games.go.game import Go
from tengen.games.othello.game import Othello
from tengen.players import parse_player
from tests.fake_clock import FakeClock

STUB = f"{sys.executable} {Path(__file__).with_name('stub_engine.py')}"


def stub(mode: str = "good", genmove: int = 1, *, timeout: float = 20.0, now: FakeClock | None = None) -> GtpPlayer:
    """An engine whose clock stands still, so that no answer is late, unless the test lets time pass."""
    return GtpPlayer(f"{STUB} {mode} {genmove}", Go(9), timeout, now=now or FakeClock())


def log_of(player: GtpPlayer) -> list[str]:
    """The commands sent to the engine so far, without questions about itself."""
    said = player._ask("log").split(";")[:-1]
    return [line for line in said if not line.startswith(("known_command", "name", "version"))]


@pytest.mark.parametrize(
    ("mode", "reason", "words"),
    [
        ("crash", "crash", "something went badly wrong"),
        ("exit", "crash", "exit code 3"),
        ("hang", "hang", "did not answer within 0.7 s"),
        ("garbage", "garbage", "what was the question?"),
        ("closed", "closed", "closed its output"),
        ("flood", "garbage", "xxx"),
        ("refuse", "refusal", "I do not want to"),
    ],
)
def test_a_fault_has_a_reason_and_the_next_game_a_new_engine(mode, reason, words):
    now = FakeClock()
    player = stub(mode, timeout=0.7, now=now)
    for _ in range(2):
        now.tick = 0.0
        player.new_game()
        now.tick = 0.4 if mode == "hang" else 0.0
        with pytest.raises(EngineFault) as raised:
            player.choose(Go(9).start())
        assert raised.value.reason == reason
        assert words in str(raised.value)
        assert "\n" not in str(raised.value)
    player.close()


def test_a_program_that_cannot_be_started_raises_a_tengen_error():
    with pytest.raises(TengenError, match="is not found"):
        parse_player("gtp:command=no-such-engine-anywhere").make(Go(9))
    with pytest.raises(TengenError, match="the command that starts the engine is empty"):
        parse_player("gtp").make(Go(9))
    with pytest.raises(TengenError, match="cannot be parsed"):
        find_program("engine 'unfinished")


def test_only_new_moves_are_sent_unless_the_game_is_a_different_one():
    player, position = stub(), Go(9, komi=6.5).start()
    player.game = position.game
    player.new_game(seed=7)
    assert player.version == "Stub 1.0"
    start = ["boardsize 9", "clear_board", "komi 6.5"]
    assert log_of(player) == [*start, "set_random_seed 7"]
    position.play("E5")
    position.play(player.choose(position))
    assert position.history[-1].notation == "C3"
    position.play("D4").play("pass")
    assert player.choose(position) == "E3"
    moves = ["play b e5", "genmove w", "log", "play b d4", "play w pass", "genmove b"]
    assert log_of(player)[4:] == ["log", *(move for move in moves if move != "log")]
    position.undo().undo()
    player.choose(position.play("G7"))
    assert log_of(player)[-7:] == [*start, "play b e5", "play w c3", "play b g7", "genmove w"]
    player.close()


def test_set_up_stones_are_sent_one_by_one():
    player, position = stub(), Go(9).start()
    player.new_game()
    position.place_handicap(["C3", "G7"])
    player.choose(position)
    assert log_of(player)[-6:] == ["boardsize 9", "clear_board", "komi 7.5", "play b c3", "play b g7", "genmove w"]
    player.close()


@pytest.mark.parametrize(
    ("control", "said"),
    [
        ("10m", ["time_settings 600 0 0", "time_left b 600 0"]),
        ("1m+25/5m", ["time_settings 60 300 25", "time_left b 60 0"]),
        ("1m+5x10s", ["time_settings 60 10 1", "time_left b 60 0"]),
        ("1m+2s", ["time_settings 60 0 0", "time_left b 60 0"]),
    ],
)
def test_the_clock_is_sent_to_the_engine(control, said):
    player = stub()
    player.new_game()
    position, clock = Go(9).start(), Clock(TimeControl.parse(control))
    position.play(player.choose(position, clock))
    assert log_of(player)[3:] == [*said, "genmove b"]
    position.play("pass")
    clock.spend(30.0)
    player.choose(position, clock)
    left = int(clock.control.main - 30 + clock.control.increment)
    assert log_of(player)[-2:] == [f"time_left b {left} 0", "genmove b"]
    player.close()


class SlowEngine(GtpEngine):
    """Takes 0.1 s of a clock to answer each command, and notes how long it was given."""

    is_started = True

    def __init__(self, now: FakeClock):
        super().__init__([], now)
        self.clock = now
        self.given: list[tuple[str, float]] = []

    def ask(self, command: str, timeout: float) -> str:
        self.given.append((command.split()[0], round(timeout, 6)))
        self.clock.seconds += 0.1
        return "E5" if command.startswith("genmove") else "true"


def test_all_commands_of_a_move_together_have_the_time_of_the_clock():
    now = FakeClock()
    player = stub(now=now)
    engine = player._engine = SlowEngine(now)
    game, control = Go(9), TimeControl.parse("300ms")
    assert player.choose(game.start(), Clock(control)) == "E5"
    set_up = [("boardsize", 0.8), ("clear_board", 0.7), ("komi", 0.6)]
    asked = [("known_command", 0.5), ("known_command", 0.4), ("time_settings", 0.3), ("time_left", 0.2)]
    assert engine.given == [*set_up, *asked, ("genmove", 0.1)], f"0.3 s and {GRACE} s of grace"
    engine.given.clear()
    player.choose(game.start().play("E5").play("E4"))
    assert engine.given == [("play", 20.0), ("genmove", 20.0)], "without a clock, each command has the usual time"


def test_an_engine_that_hangs_is_waited_for_as_long_as_it_was_given():
    now = FakeClock()
    player = stub("hang", now=now)
    player.new_game()
    now.tick, before = 0.1, now.readings
    with pytest.raises(EngineFault, match=r"did not answer within 0\.25 s"):
        player._engine.ask("genmove b", 0.25)
    assert now.readings - before == 4, "the deadline is 0.25 s after the first; the others are 0.1, 0.2 and 0.3 s later"
    assert not player._engine.is_started


def test_a_score_is_blacks_margin():
    player = stub()
    assert player.final_score(Go(9).start()) == -2.5
    player.close()
    player = stub("score")
    with pytest.raises(EngineFault, match="which is not a score"):
        player.final_score(Go(9).start())
    player.close()


def test_a_command_with_a_seed_starts_a_new_engine_for_every_game():
    player = GtpPlayer(f"{STUB} good {{seed}}", Go(9), 20.0)
    commands = []
    for seed in (5, 6):
        player.new_game(seed)
        commands.append(player._engine.words[-1])
    assert commands == ["5", "6"]
    player.close()


def test_with_passes_off_no_passes_are_sent_to_the_engine():
    game = Othello(4)
    position = game.start()
    player = GtpPlayer(f"{STUB}", game, 20.0, passes=False)
    player.new_game()
    chance = random.Random(1)
    while position.legal_moves() != ["pass"]:
        position = game.start() if position.is_over else position.play(chance.choice(position.legal_moves()))
    assert player.choose(position) == "pass"
    position.play("pass")
    player.choose(position)
    assert not any("pass" in line for line in log_of(player))
    player.close()


def test_close_and_kill_end_the_engine():
    engine = GtpEngine(find_program(STUB))
    for end in (engine.close, engine.kill):
        engine.start()
        assert engine.ask("name", 20.0) == "Stub"
        process = engine._process
        assert process is not None
        end()
        assert process.exit_code is not None
        assert not engine.is_running
        with pytest.raises(EngineFault, match="not running"):
            engine.ask("name", 20.0)


needs_gnugo = pytest.mark.skipif(
    shutil.which("gnugo", path="/usr/bin:/usr/games:/usr/local/bin") is None, reason="GNU Go is not installed"
)


@needs_gnugo
def test_gnugo_plays_the_same_game_for_the_same_seed():
    def game(seed: int) -> list[str]:
        position, player = Go(9).start(), parse_player("gnugo:level=0").make(Go(9))
        assert isinstance(player, GtpPlayer)
        player.new_game(seed)
        for _ in range(8):
            position.play(player.choose(position))
        player.close()
        return [played.notation for played in position.history]

    assert game(3) == game(3)
    assert len({tuple(game(seed)) for seed in range(5)}) > 1


@needs_gnugo
def test_gnugo_is_asked_for_the_games_rules():
    player = parse_player("gnugo:level=3,resign=false").make(Go(9, komi=5.5, ko="simple", suicide=True))
    assert isinstance(player, GtpPlayer)
    assert {"--simple-ko", "--allow-suicide", "--never-resign", "--chinese-rules"} <= set(player.command.split())
    player.new_game(1)
    assert player.version == "GNU Go 3.8"
    assert player._ask("get_komi") == "5.5"
    player.close()
    with pytest.raises(TengenError, match="boards up to 19x19"):
        parse_player("gnugo").make(Go(21))
    with pytest.raises(TengenError, match="boards up to 19x19"):
        parse_player("gnugo").make(Othello())


@needs_gnugo
def test_gnugo_counts_as_our_rules_do_when_nothing_is_dead():
    position = Go(5, komi=0.5).start()
    for move in ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5"]:
        position.play(move)
    position.play("pass").play("pass")
    player = parse_player("gnugo:level=0").make(position.game)
    assert isinstance(player, GtpPlayer)
    assert player.final_score(position) == position.score == 4.5
    player.close()
