"""The functions of `import tengen`: players of every game, analyses and matches."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tic_tac_toe import TicTacToe

import tengen
from tengen import AnalysingPlayer, Clock, Go, Othello, Player, TengenError, TimeControl
from tengen.arena.scores import wilson_interval
from tengen.parallel import WorkerError
from tengen.parallel.in_process import InProcess
from tengen.players import BadPlayer, parse_player
from tests.engines.test_gtp import STUB

ROOT = Path(__file__).parent.parent
QUICK: dict[str, Any] = {"simulations": 20, "memory": 1}


# --- Players ----------------------------------------------------------------------------------------------------------


def as_player(player: Player) -> Player:
    """Return a player; that its type has the methods of the protocol is checked by mypy."""
    return player


def as_analysing(player: AnalysingPlayer) -> AnalysingPlayer:
    return player


@pytest.mark.plain
def test_players_have_the_methods_of_the_protocols():
    game = Go(9)
    players = [as_player(tengen.player("random")), as_player(parse_player("random").make(game))]
    searchers = [
        as_analysing(tengen.player("uct", **QUICK)),
        as_analysing(parse_player("uct:simulations=20,memory=1").make_searcher(game)),
        as_analysing(parse_player("flat-mc:simulations=20").make_searcher(game)),
    ]
    assert all(isinstance(player, Player) for player in players)
    assert all(isinstance(player, AnalysingPlayer) for player in searchers)
    assert not isinstance(parse_player("random").make(game), AnalysingPlayer)
    assert all(player.choose(game.start()) in game.start().legal_moves() for player in [*players, *searchers])
    assert all(player.analyse(game.start()).simulations >= 20 for player in searchers)


@pytest.mark.plain
def test_a_player_follows_the_game_of_the_position():
    player = tengen.player("random")
    for game in (Go(3), Othello(4), TicTacToe(), Go(3), Go(3, komi=0.5)):
        assert player.choose(game.start()) in game.start().legal_moves()
        assert player._player.game == game


@pytest.mark.plain
def test_the_limits_of_a_call_hold_for_that_call():
    player = tengen.player("uct:simulations=15,memory=1,reuse=false")
    position = Go(9).start()
    assert player.analyse(position, simulations=6).simulations == 6
    assert player.analyse(position).simulations == 15
    player.choose(position, simulations=4)
    assert player._player.search.simulations == 4
    player.choose(position)
    assert player._player.search.simulations == 15


@pytest.mark.plain
def test_seconds_replace_the_simulations_of_the_player():
    player = tengen.player("uct:simulations=1,memory=1,reuse=false")
    assert player.analyse(Go(9).start(), seconds=0.05).simulations > 1
    assert player.analyse(Go(9).start(), seconds=1000.0, simulations=5).simulations == 5


@pytest.mark.plain
def test_a_clock_limits_a_move():
    player = tengen.player("uct", memory=1)
    assert player.choose(Go(9).start(), Clock(TimeControl(0.2)), simulations=10**6) in Go(9).start().legal_moves()
    assert player._player.search.simulations < 10**6


WRONG_LIMITS: list[dict[str, Any]] = [
    *({"simulations": wrong} for wrong in (0, 2.5, True)),
    *({"seconds": wrong} for wrong in (0, float("inf"), float("nan"), "1")),
]


@pytest.mark.parametrize("limits", WRONG_LIMITS, ids=str)
def test_wrong_limits_are_errors(limits):
    with pytest.raises(TengenError, match=f"{next(iter(limits))} must be"):
        tengen.player("uct", **QUICK).choose(Go(9).start(), **limits)


@pytest.mark.plain
def test_limits_of_a_player_without_search_are_errors():
    with pytest.raises(TengenError, match="have no effect on player random, which does not search"):
        tengen.player("random").choose(Go(9).start(), seconds=1)
    with pytest.raises(BadPlayer, match="player random does not support analysis"):
        tengen.player("random").analyse(Go(9).start())


def test_settings_are_keyword_arguments():
    assert str(tengen.player("uct", exploration=0.7, simulations=5).spec) == "uct:simulations=5,exploration=0.7"
    assert repr(tengen.player("uct", simulations=5)) == "tengen.player('uct:simulations=5')"
    for wrong in ({"bias": 0.1}, {"simulations": "many"}, {"colour": 1}):
        with pytest.raises(TengenError, match=next(iter(wrong))):
            tengen.player("uct", **wrong)
    with pytest.raises(TengenError, match="level is from 0 to 100, not '-1'"):
        tengen.player("gnugo", level=-1)


@pytest.mark.plain
def test_a_level_can_analyse():
    assert tengen.player("level", number=2).analyse(Othello(4).start()).simulations == 5
    assert parse_player("level:number=2").make_searcher(Othello(4)).analyse(Othello(4).start()).simulations == 5


@pytest.mark.plain
def test_the_seed_of_a_game_holds_before_and_after_the_first_move():
    moves = []
    for _ in range(2):
        player = tengen.player("random", game=Go(5))
        player.new_game(seed=7)
        moves.append([player.choose(Go(5).start()) for _ in range(8)])
    late = tengen.player("random")
    late.new_game(seed=7)
    moves.append([late.choose(Go(5).start()) for _ in range(8)])
    assert moves[0] == moves[1] == moves[2]
    assert len(set(moves[0])) > 1


def test_an_engine_ends_with_its_player():
    with tengen.player(f"gtp:command='{STUB}'") as player:
        assert player.choose(Go(5).start()) in Go(5).start().legal_moves()
        engine = player._player._engine
        assert engine.is_running
    assert not engine.is_running


# --- Analyses ---------------------------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize("game", [Go(9), Othello(4), TicTacToe()], ids=str)
def test_a_position_is_analysed_by_the_default_player_of_its_game(game):
    found = tengen.analyse(game.start(), simulations=10, memory=1)
    assert found.simulations == 10
    assert found.position == game.start()


@pytest.mark.plain
def test_an_analysis_takes_a_player_and_playouts():
    found = tengen.analyse(Go(9).start(), "flat-mc", simulations=30, playouts=5)
    assert found.nodes is None
    assert found.score is not None


# --- Matches ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def result() -> tengen.MatchResult:
    return tengen.match("uct:simulations=10,memory=1", "random", Othello(4), games=6, seed=3, random_moves=2)


@pytest.mark.plain
def test_the_figures_of_a_match_are_those_of_its_games(result):
    wins = sum(game.winner == ("black" if game.number % 2 == 0 else "white") for game in result.games)
    draws = sum(game.winner == "draw" for game in result.games)
    assert [game.number for game in result.games] == list(range(6))
    assert (result.tally.wins, result.tally.draws, result.tally.games) == (wins, draws, 6)
    assert result.rate == (wins + draws / 2) / 6
    assert result.interval == wilson_interval(wins + draws / 2, 6)
    assert result.elo_interval[0] < result.elo


@pytest.mark.plain
def test_the_games_of_a_match_have_moves_and_positions(result):
    for game in result.games:
        assert game.position.is_over
        assert game.position.winner == game.winner
        assert game.moves == [played.notation for played in game.position.history]
    assert {(game.black, game.number % 2) for game in result.games} == {(result.first, 0), (result.second, 1)}


@pytest.mark.plain
def test_a_match_is_a_line_and_a_table(result):
    tally, (low, high) = result.tally, result.interval
    assert repr(result).startswith(
        f"<MatchResult: uct:simulations=10,memory=1 v random, 6 games, rate {result.rate:.3f}"
    )
    assert f"({low:.3f} to {high:.3f})" in repr(result)
    assert "\n" not in repr(result)
    header, row = str(result).splitlines()
    assert header.split() == ["match", "games", "won", "drawn", "lost", "rate", "95", "%", "interval", "Elo"]
    assert len(header) == len(row)
    numbers = [str(number) for number in (tally.games, tally.wins, tally.draws, tally.losses)]
    assert row.split()[3:7] == numbers


def test_games_of_go_have_moves_too():
    found = tengen.match("random", "random", Go(5), games=2)
    assert (found.first, found.second) == ("random", "random (2)")
    assert all(game.record.startswith("(;") and game.position.is_over for game in found.games)
    assert all(game.moves[-2:] == ["pass", "pass"] for game in found.games)


def moves_of(found: tengen.MatchResult) -> list[list[str]]:
    return [game.moves for game in found.games]


@pytest.mark.plain
def test_the_seed_decides_the_games():
    played = {seed: [moves_of(tengen.match("random", "random", Othello(4), games=3, seed=seed)) for _ in range(2)]
              for seed in (1, 2)}  # fmt: skip
    assert played[1][0] == played[1][1]
    assert played[2][0] == played[2][1]
    assert played[1][0] != played[2][0]


@pytest.mark.plain
def test_stored_games_are_not_played_again(tmp_path):
    file = tmp_path / "games.sqlite"
    before = tengen.match("random", "random", Othello(4), games=4, store=file)
    after = tengen.match("random", "random", Othello(4), games=6, store=file)
    assert after.games[:4] == before.games  # the times that they took included
    assert tengen.match("random", "random", Othello(4), games=2, store=file).games == before.games[:2]
    assert tengen.match("random", "random", Othello(4), games=2, store=file).tally.games == 2


@pytest.mark.plain
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"games": 0}, "games must be an integer from 1"),
        ({"workers": -1}, "workers must be an integer >= 0"),
        ({"game": "go"}, "an object such as Go"),
        ({"second": "gnu-go"}, "unknown player"),
        ({"first": "mogo"}, "is for go, not for othello"),
        ({"clock": "soon"}, "is not a time control"),
        ({"openings": ["z9"]}, "z9"),
    ],
)
def test_a_match_that_cannot_be_played_is_an_error(changes, message):
    given: dict[str, Any] = {"first": "random", "second": "random", "game": Othello(4), "games": 2, **changes}
    with pytest.raises(TengenError, match=message):
        tengen.match(**given)


def test_a_failed_game_is_an_error(monkeypatch):
    def fail(self, plan):
        raise TengenError("out of luck")

    monkeypatch.setattr("tengen.arena.worker.GameWorker.__call__", fail)
    with pytest.raises(TengenError, match="2 of 2 games could not be played: out of luck"):
        tengen.match("random", "random", Othello(4), games=2)


def test_progress_goes_to_standard_error(capsys):
    tengen.match("random", "random", Othello(4), games=2, progress=True)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "2/2 games" in shown.err


def run_script(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Run a script of a user in a process of its own."""
    script = folder / "script.py"
    script.write_text(text)
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'examples'}"}
    return subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=300, check=False
    )


PLAIN_SCRIPT = """
import tengen
print("running")
found = tengen.match("random", "uct:simulations=5,memory=1", tengen.Othello(4), games=4, workers=2, seed=5)
print([game.moves for game in found.games])
"""


def test_workers_do_not_run_a_plain_script_again_and_play_the_same_games(tmp_path):
    done = run_script(tmp_path, PLAIN_SCRIPT)
    assert done.returncode == 0, done.stderr
    here = tengen.match("random", "uct:simulations=5,memory=1", Othello(4), games=4, seed=5)
    assert done.stdout.splitlines() == ["running", str(moves_of(here))]


OWN_GAME = """
import tengen
from tic_tac_toe import TicTacToe
class Mine(TicTacToe):
    pass
"""
CALL = 'print(tengen.match("random", "uct:simulations=5,memory=1", Mine(), games=4, workers=2).tally.games)\n'


def test_a_script_that_defines_a_game_needs_the_usual_guard_for_workers(tmp_path):
    done = run_script(tmp_path, OWN_GAME + CALL)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("tengen.errors.TengenError: worker processes exit during start-up")
    assert last.endswith("so it must call match under if __name__ == '__main__':")
    done = run_script(tmp_path, f"{OWN_GAME}if __name__ == '__main__':\n    {CALL}")
    assert (done.returncode, done.stdout) == (0, "4\n"), done.stderr


def test_a_game_of_an_interactive_session_is_refused_by_workers(monkeypatch):
    monkeypatch.setattr(TicTacToe, "__module__", "__main__")
    monkeypatch.delattr(sys.modules["__main__"], "__file__", raising=False)
    with pytest.raises(TengenError, match="interactive session: load it from a file"):
        tengen.match("random", "uct:simulations=5,memory=1", TicTacToe(), games=2, workers=2)
    assert tengen.match("random", "uct:simulations=5,memory=1", TicTacToe(), games=2).tally.games == 2


def test_other_failures_of_workers_are_not_blamed_on_the_script(monkeypatch):
    def fail(self, make, tasks, keep=False):
        raise WorkerError("no processes today")

    monkeypatch.setattr(InProcess, "run", fail)
    with pytest.raises(WorkerError, match="no processes today"):
        tengen.match("random", "random", Othello(4), games=2)
