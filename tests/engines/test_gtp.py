"""Engines over the protocol: good ones, faulty ones, and GNU Go."""

import random
import shutil
import sys
import time
from pathlib import Path

import pytest

from tengen.engines.gtp import EngineFault, GtpEngine, find_program
from tengen.engines.gtp_player import GtpPlayer
from tengen.errors import TengenError
from tengen.games.clock import Clock, TimeControl
from tengen.games.go.game import Go
from tengen.games.othello.game import Othello
from tengen.players import parse_player

STUB = f"{sys.executable} {Path(__file__).with_name('stub_engine.py')}"


def stub(mode: str = "good", genmove: int = 1, timeout: float = 20.0) -> GtpPlayer:
    return GtpPlayer(f"{STUB} {mode} {genmove}", Go(9), timeout)


def log_of(player: GtpPlayer) -> list[str]:
    """What the engine was told so far, but for questions about itself."""
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
    player = stub(mode, timeout=0.7 if mode == "hang" else 20.0)
    for _ in range(2):
        player.new_game()
        with pytest.raises(EngineFault) as raised:
            player.choose(Go(9).start())
        assert raised.value.reason == reason
        assert words in str(raised.value)
        assert "\n" not in str(raised.value)
    player.close()


def test_an_engine_that_cannot_be_started_is_the_callers_mistake():
    with pytest.raises(TengenError, match="there is no program"):
        parse_player("gtp:command=no-such-engine-anywhere").make(Go(9))
    with pytest.raises(TengenError, match="needs a command"):
        parse_player("gtp").make(Go(9))
    with pytest.raises(TengenError, match="cannot be read"):
        find_program("engine 'unfinished")


def test_an_engine_is_told_only_what_is_new_unless_the_game_is_another_one():
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


def test_stones_set_up_before_the_game_are_told_one_by_one():
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
def test_an_engine_is_told_of_its_clock(control, said):
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


def test_an_engine_that_overruns_its_clock_is_not_waited_for():
    player = stub("hang")
    player.new_game()
    began = time.monotonic()
    with pytest.raises(EngineFault, match="did not answer"):
        player.choose(Go(9).start(), Clock(TimeControl.parse("300ms")))
    assert 0.3 < time.monotonic() - began < 5
    player.close()


def test_a_score_is_blacks_margin():
    player = stub()
    assert player.final_score(Go(9).start()) == -2.5
    player.close()
    player = stub("score")
    with pytest.raises(EngineFault, match="no score"):
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


def test_an_engine_may_know_passes_by_itself():
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


def test_a_closed_engine_has_ended_and_so_has_a_killed_one():
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
        player.new_game(seed)
        for _ in range(8):
            position.play(player.choose(position))
        player.close()  # type: ignore[attr-defined]
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
