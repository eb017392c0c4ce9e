"""Single games: results, clocks, faults, referees, records."""

import json
import shutil
import time

import pytest

from tengen.arena.match import PlayedGame, play_game
from tengen.arena.plans import Conditions, Entrant, Pairing
from tengen.arena.worker import GameWorker, prepare
from tengen.engines.gtp import EngineFault
from tengen.errors import TengenError
from tengen.games.clock import TimeControl
from tengen.games.go.game import Go
from tengen.games.go.sgf import read_sgf
from tengen.games.havannah.game import Havannah
from tengen.games.othello.game import Othello
from tengen.games.player import RESIGN, Player
from tests.arena.conftest import STUB
from tests.fake_clock import FakeClock


class Scripted(Player):
    """Plays given moves, one after the other, and passes after them."""

    def __init__(self, *moves):
        self.moves = list(moves)
        self.seeds = []

    def choose_number(self, position, clock=None):
        move = self.moves.pop(0) if self.moves else "pass"
        return RESIGN if move == "resign" else position.game.parse_move(move)

    def new_game(self, seed=None):
        self.seeds.append(seed)


class Slow(Scripted):
    """Takes some time of a clock for each move; then it moves, or fails."""

    def __init__(self, now, seconds, *moves, fault=None):
        super().__init__(*moves)
        self.now, self.seconds, self.fault = now, seconds, fault

    def choose_number(self, position, clock=None):
        self.now.seconds += self.seconds
        if self.fault:
            raise EngineFault(self.fault, "did not answer")
        return super().choose_number(position, clock)


def game_of(black, white, now=time.perf_counter, **conditions) -> PlayedGame:
    given = Conditions(**{"game": Go(9), **conditions})
    plan = Pairing(Entrant.of("random", "left"), Entrant.of("random", "right"), given, 2).plan(0)
    return play_game(plan, {"black": black, "white": white}, now=now)


def engine_game(mode: str, *, genmove: int = 2, number: int = 0, **conditions) -> PlayedGame:
    """A game of a random player against the stub engine in one of its modes: White in game 0, Black in game 1."""
    command = f"gtp:command='{STUB} {mode} {genmove}',timeout=20"
    given = Conditions(**{"game": Go(9), **conditions})
    worker = GameWorker()
    try:
        return worker(Pairing(Entrant.of("random"), Entrant.of(command, "stub"), given, 2).plan(number))
    finally:
        worker.kill()


def test_a_finished_game_is_counted():
    played = game_of(Scripted("E5", "E4"), Scripted("C3"))
    assert (played.winner, played.reason, played.margin, played.moves) == ("white", "score", -6.5, 5)
    position = read_sgf(played.record)
    assert [move.notation for move in position.history] == ["E5", "C3", "E4", "pass", "pass"]
    assert "PB[left]" in played.record
    assert "RE[W+6.5]" in played.record


def test_resignation_and_illegal_and_unparsable_moves_lose():
    resigned = game_of(Scripted("E5"), Scripted("resign"))
    assert (resigned.winner, resigned.reason, resigned.moves) == ("black", "resign", 1)
    assert "RE[B+R]" in resigned.record
    illegal = game_of(Scripted("E5"), Scripted("E5"))
    assert (illegal.winner, illegal.reason, illegal.moves) == ("black", "illegal", 1)
    assert "there is a stone already" in illegal.detail
    assert "RE[B+F]" in illegal.record
    senseless = game_of(Scripted("to be or not"), Scripted())
    assert (senseless.winner, senseless.reason) == ("white", "garbage")


def test_each_player_gets_a_seed_of_its_own():
    black, white = Scripted(), Scripted()
    game_of(black, white)
    assert len({*black.seeds, *white.seeds}) == 2


def test_a_long_game_is_counted_as_it_stands():
    played = game_of(Scripted("A1", "C1", "E1"), Scripted("A3", "C3"), move_limit=4)
    assert (played.reason, played.moves, played.winner, played.margin) == ("length", 4, "white", -7.5)


@pytest.mark.parametrize(
    ("mode", "reason", "words"),
    [
        ("crash", "crash", "something went badly wrong"),
        ("exit", "crash", "exit code 3"),
        ("garbage", "garbage", "what was the question?"),
        ("nonsense", "garbage", "over there"),
        ("illegal", "illegal", "there is a stone already"),
        ("closed", "closed", "closed its output"),
        ("refuse", "refusal", "I do not want to"),
    ],
)
def test_an_engine_that_fails_loses_with_the_reason(mode, reason, words):
    played = engine_game(mode)
    assert (played.winner, played.reason) == ("black", reason)
    assert words in played.detail
    assert played.white_version == "Stub 1.0"
    assert played.moves >= 3


def test_an_engine_that_fails_before_the_game_loses_it():
    worker = GameWorker()
    broken = Entrant.of("gtp:command='python3 -c pass'", "broken")
    played = worker(Pairing(broken, Entrant.of("random"), Conditions(Go(9)), 1).plan(0))
    assert (played.winner, played.reason, played.moves) == ("white", "crash", 0)


@pytest.mark.parametrize("mode", ["slow", "hang"])
def test_an_engine_that_overruns_its_clock_loses_by_time(mode):
    """It moves first, so that nobody else's time can run out before."""
    played = engine_game(mode, genmove=1, number=1, clock=TimeControl.parse("400ms"))
    assert (played.black, played.winner, played.reason) == ("stub", "white", "time")
    assert "RE[W+T]" in played.record


@pytest.mark.parametrize(
    ("seconds", "fault", "reason", "moves"),
    [(0.33, None, "score", 7), (0.34, None, "time", 5), (1.1, "hang", "time", 1), (0.9, "hang", "hang", 1)],
)
def test_the_time_of_each_move_is_taken_from_its_clock(seconds, fault, reason, moves):
    """White has a second for its moves, the third of which is a pass. A fault within its time is not an overrun."""
    now = FakeClock()
    black, white = Scripted("C3", "C4", "C5"), Slow(now, seconds, "G3", "G4", fault=fault)
    played = game_of(black, white, now, clock=TimeControl(1.0))
    assert (played.reason, played.moves) == (reason, moves)
    assert played.black_seconds == 0.0
    assert played.seconds == pytest.approx(now.seconds)


def test_a_good_engine_plays_on_game_after_game():
    worker = GameWorker()
    pairing = Pairing(Entrant.of(f"gtp:command='{STUB}'", "x"), Entrant.of("random"), Conditions(Go(9)), 4)
    results = [worker(plan) for plan in pairing.plans()]
    worker.kill()
    assert {played.reason for played in results} == {"score"}
    assert {played.black_version for played in results} == {"Stub 1.0", "tengen 0.2.0"}


def test_an_engine_can_be_the_referee():
    given = Conditions(Go(9), referee=f"gtp:command='{STUB}'")
    worker = GameWorker()
    pairing = Pairing(Entrant.of("random", "a"), Entrant.of("random", "b"), given, 2)
    played = worker(pairing.plan(0))
    worker.kill()
    assert (played.winner, played.margin, played.detail) == ("white", -2.5, "counted by Stub 1.0")
    with pytest.raises(TengenError, match="referee could not count"):
        worker(
            Pairing(pairing.first, pairing.second, Conditions(Go(9), referee=f"gtp:command='{STUB} score'"), 1).plan(0)
        )
    with pytest.raises(TengenError, match="must be a GTP engine"):
        prepare([Pairing(pairing.first, pairing.second, Conditions(Go(9), referee="random"), 1)])


@pytest.mark.parametrize("player", ["uct:resign=0.9", "amaf:resign=0.9"])
def test_a_player_that_gives_up_early_can_be_made_ready(player):
    prepare([Pairing(Entrant.of(player), Entrant.of("random"), Conditions(Go(5)), 1)])


@pytest.mark.parametrize("player", ["uct:simulations=30,memory=1", "amaf:simulations=30"])
def test_search_results_are_recorded_with_analysis(player):
    pairing = Pairing(Entrant.of(player), Entrant.of("random"), Conditions(Go(9), analysis=True), 1)
    played = GameWorker()(pairing.plan(0))
    assert played.analysis is not None
    assert len(played.analysis) == played.moves == len(played.times)
    assert played.analysis[1] is None
    first = json.loads(json.dumps(played.analysis[0]))
    assert first["simulations"] == 30
    assert 1 <= len(first["moves"]) <= 5
    assert "of 30 simulations" in played.record


@pytest.mark.parametrize("game", [Othello(4), Havannah(3)])
def test_other_games_are_recorded_as_moves(game):
    pairing = Pairing(Entrant.of("random", "a"), Entrant.of("random", "b"), Conditions(game), 1)
    played = GameWorker()(pairing.plan(0))
    position = game.start()
    for move in json.loads(played.record):
        position.play(move)
    assert position.winner == played.winner


def test_the_same_plan_gives_the_same_game_whatever_was_played_before():
    pairing = Pairing(Entrant.of("mc-rave:simulations=40"), Entrant.of("random"), Conditions(Go(9)), 9)
    fresh, used = GameWorker(), GameWorker()
    used(pairing.plan(1))
    used(pairing.plan(2))
    assert fresh(pairing.plan(5)).record == used(pairing.plan(5)).record
    assert fresh(pairing.plan(6)).record != fresh(pairing.plan(8)).record


@pytest.mark.skipif(shutil.which("gnugo", path="/usr/bin:/usr/games") is None, reason="GNU Go is not installed")
def test_gnugo_and_a_search_play_the_same_game_twice():
    pairing = Pairing(Entrant.of("gnugo:level=0"), Entrant.of("mc-rave:simulations=40"), Conditions(Go(9)), 2)
    first, second = GameWorker()(pairing.plan(1)), GameWorker()(pairing.plan(1))
    assert first.record == second.record
    assert first.white_version == "GNU Go 3.8"
