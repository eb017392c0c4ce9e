"""The backend of many games at once: the same games as one at a time, refilled tables, and what it refuses."""

import pytest

from tengen.arena.many_games import ManyGames
from tengen.arena.match import PlayedGame, final_position
from tengen.arena.plans import Conditions, Entrant, Pairing
from tengen.arena.runner import run_pairings
from tengen.arena.store import Store
from tengen.errors import TengenError
from tengen.games.clock import TimeControl
from tengen.games.go.game import Go
from tengen.games.othello.game import Othello
from tengen.parallel.in_process import InProcess


def pairing(first: str, second: str, games: int, **conditions) -> Pairing:
    given = {"game": Othello(6), "random_moves": 2, **conditions}
    return Pairing(Entrant.of(first), Entrant.of(second), Conditions(**given), games)


def games_of(backend, *pairings: Pairing) -> dict[str, PlayedGame]:
    """Play pairings on a backend; return the games by id."""
    store = Store()
    run = run_pairings(list(pairings), store, backend)
    assert not run.failures
    return {game.id: game for one in pairings for game in store.games(one.name)}


def results(games: dict[str, PlayedGame]) -> dict[str, tuple]:
    return {name: (one.black, one.winner, one.margin, one.record, one.seed) for name, one in games.items()}


REUSED = pairing("uct:simulations=40", "accelerated-uct:simulations=30", 6)
NOT_REUSED = pairing("uct:simulations=40,reuse=false", "uct:simulations=20,reuse=false,temperature=0.5", 6)


@pytest.mark.parametrize("at_once", [0, 1, 3])
@pytest.mark.parametrize("played", [REUSED, NOT_REUSED], ids=["reuse", "no reuse"])
def test_games_are_the_same_as_one_at_a_time(played, at_once):
    """Othello has one kind of state; so each move is that of the same tree."""
    assert results(games_of(ManyGames(at_once, "cpu"), played)) == results(games_of(InProcess(), played))


@pytest.mark.long
def test_several_pairings_are_played_at_once():
    others = pairing("mc-rave:simulations=30", "uct:simulations=30", 3, game=Go(5), random_moves=0)
    games = games_of(ManyGames(4, "cpu"), REUSED, others)
    assert len(games) == 9
    for game in games.values():
        rules = others.conditions.game if game.pairing == others.name else REUSED.conditions.game
        assert final_position(game.record, rules).is_over


def test_a_run_continues_with_the_missing_games():
    store = Store()
    first = pairing("uct:simulations=20", "uct:simulations=10", 3)
    more = pairing("uct:simulations=20", "uct:simulations=10", 6)
    run_pairings([first], store, ManyGames(2, "cpu"))
    before = {game.id: game.started for game in store.games(first.name)}
    run = run_pairings([more], store, ManyGames(2, "cpu"))
    assert (run.before, run.played) == (3, 3)
    assert before.items() <= {game.id: game.started for game in store.games(more.name)}.items()
    assert results({game.id: game for game in store.games(more.name)}) == results(games_of(InProcess(), more))


def test_the_analysis_of_each_move_is_recorded():
    [game] = games_of(
        ManyGames(device="cpu"), pairing("uct:simulations=20", "uct:simulations=10", 1, analysis=True)
    ).values()
    assert game.analysis is not None
    assert [one["simulations"] >= 10 for one in game.analysis if one] == [True] * (game.moves - 2)
    assert len(game.times) == game.moves - 2


def test_a_resignation_ends_a_game():
    games = games_of(ManyGames(device="cpu"), pairing("uct:simulations=20,resign=0.9", "uct:simulations=10", 2))
    assert {game.reason for game in games.values()} == {"resign"}


@pytest.mark.parametrize(
    ("first", "conditions", "message"),
    [
        ("random", {}, "the backend gpu plays tree searches only, and random is none"),
        ("uct:seconds=0.5", {}, "limits searches by simulations: uct:seconds=0.5 has seconds=0.5"),
        ("uct:threads=2", {}, "use threads=1, not 2"),
        ("uct:simulations=9", {"clock": TimeControl.parse("1m")}, "plays without clocks"),
        ("uct:simulations=9", {"referee": "gnugo"}, "counts games by the rules"),
    ],
)
def test_what_it_cannot_play_is_refused_in_one_sentence(first, conditions, message):
    with pytest.raises(TengenError, match=message):
        games_of(ManyGames(device="cpu"), pairing(first, "uct:simulations=10", 2, **conditions))


def test_trees_that_do_not_fit_are_refused():
    large = "uct:simulations=8000000,memory=1000000"
    with pytest.raises(TengenError, match=r"one game of each pairing needs .* GB, more than the device has"):
        games_of(ManyGames(device="cpu"), pairing(large, "uct:simulations=10", 1))


def test_progress_is_shown_before_the_first_game_has_ended(capsys):
    ticks = iter(range(0, 10**6, 6))
    backend = ManyGames(device="cpu", now=lambda: float(next(ticks)))
    games_of(backend, pairing("uct:simulations=5", "uct:simulations=4", 2))
    assert "2 games in progress" in capsys.readouterr().err


def test_without_a_gpu_the_command_says_what_is_missing():
    pytest.importorskip("numba_cuda")
    from numba import cuda

    if cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(TengenError, match="no CUDA device was found"):
        ManyGames()
