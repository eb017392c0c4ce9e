"""Time management: shares of a clock by hand arithmetic, and the end of a search."""

import signal

import numpy as np
import pytest

from tengen import Go
from tengen.games.clock import Clock, TimeControl
from tengen.games.game import Game
from tengen.players import parse_player, parse_search
from tengen.search.search import Search
from tengen.search.search_player import SearchPlayer
from tengen.search.time_management import LAG, Allowance, allot, search_within
from tengen.search.tree import CLOSED
from tests.fake_clock import FakeClock


@pytest.mark.parametrize(
    ("control", "moves", "planned", "limit"),
    [
        ("10.01s", 20, 10 / 20 - LAG / 10, 3 * (10 / 20 - LAG / 10)),  # a share of the time; three shares if needed
        ("10.01s", 2, 10 / 4 - LAG / 10, 10 / 4 - LAG / 10),  # at most a quarter of the remaining time
        ("0s+3x5s", 20, 5 - LAG, 5 - LAG),  # byo-yomi: all of the period
        (
            "10.01s+3x5s",
            20,
            5 - LAG / 10,
            10 / 4 + 5 - LAG - LAG / 10,
        ),  # in main time at least what a period would give
        ("0s+10/60s", 20, 6 - LAG, 6 - LAG),  # Canadian: its share of the period
        ("10.01s+2s", 20, 10 / 20 + 2 - LAG / 10, 10 / 4 + 2 - LAG / 10),  # Fischer: the increment may be spent
    ],
)
def test_a_move_gets_its_share_of_the_clock(control, moves, planned, limit):
    allowance = allot(Clock(TimeControl.parse(control)), moves)
    assert allowance.planned == pytest.approx(planned)
    assert allowance.limit == pytest.approx(limit)


@pytest.mark.parametrize("control", ["1s", "0s+2x1s", "0s+5/2s", "1s+0.5s", "10s+3x2s"])
@pytest.mark.parametrize("moves", [1, 12, 100])
def test_no_share_is_more_than_the_clock_has(control, moves):
    clock = Clock(TimeControl.parse(control))
    for _ in range(30):
        allowance = allot(clock, moves, overhead=0.0002)
        assert 0 <= allowance.planned <= allowance.limit <= clock.most
        assert clock.spend(allowance.limit + 0.0002)


def test_an_empty_clock_still_lets_one_move_be_made():
    clock = Clock(TimeControl(10))
    clock.set_left(0.0)
    assert allot(clock, 20) == Allowance(0.0, 0.0)
    game = Go(5)
    assert game.start().is_legal(parse_player("uct").make(game).choose(game.start(), clock))


def timed(text: str, game: Game, *, pace: float, tick: float = 0.0) -> tuple[SearchPlayer, FakeClock]:
    """Return a player and its clock: each simulation takes `pace` seconds, and each reading `tick` seconds."""
    now = FakeClock(pace, tick)
    player = SearchPlayer(parse_search(text, game), game, now)
    now.watch(lambda: player.search.simulations)
    return player, now


@pytest.fixture
def searched() -> Search:
    search = Search(parse_search("uct"), Go(5))
    search.set_position(Go(5).start())
    search.run(500)
    return search


def set_visits(search: Search, visits: list[float], values: list[float]) -> None:
    """Set the visits and values of the root's moves; all other moves are closed."""
    row = search.row()
    slots = np.flatnonzero(row.wins > CLOSED)
    row.visits[slots], row.wins[slots] = 0, 0
    row.wins[slots[len(visits) :]] = 2 * CLOSED
    row.visits[slots[: len(visits)]] = visits
    row.wins[slots[: len(visits)]] = np.array(visits) * np.array(values)


@pytest.mark.parametrize(
    ("visits", "values", "expected", "why"),
    [
        ([100, 20, 10], [0.6, 0.5, 0.5], False, "one move leads in both"),
        ([100, 90, 10], [0.6, 0.5, 0.5], True, "the second has nearly as many visits"),
        ([100, 50, 10], [0.5, 0.6, 0.5], True, "the second looks better"),
        ([100, 5, 0], [0.5, 0.6, 0.0], False, "what looks better was hardly tried"),
    ],
)
def test_a_decision_is_open_as_long_as_another_move_may_win(searched, visits, values, expected, why):
    set_visits(searched, visits, values)
    assert searched.is_open() == expected, why


def test_a_decision_is_settled_when_the_visits_left_cannot_change_it(searched):
    set_visits(searched, [100, 60, 10], [0.6, 0.5, 0.5])
    assert searched.is_settled(39)
    assert not searched.is_settled(41)
    set_visits(searched, [3], [0.6])
    assert searched.is_settled(1e9), "there is only one move"


def test_without_any_limit_a_default_number_of_simulations_is_run():
    game = Go(5)
    player = parse_player("uct").make_searcher(game)
    assert player.analyse(game.start()).simulations == 3000


def test_seconds_per_move_are_used_and_simulations_limit_them():
    game = Go(9)
    player, now = timed("uct:seconds=0.2", game, pace=1e-3)
    analysis = player.analyse(game.start())
    assert now.seconds == pytest.approx(0.2, abs=0.002)
    assert analysis.simulations == round(now.seconds / 1e-3)
    few, now = timed("uct:seconds=60,simulations=100", game, pace=1e-3)
    assert few.analyse(game.start()).simulations == 100
    assert now.seconds == pytest.approx(0.1)


def test_a_game_ends_within_its_clock():
    """Also if each reading of the clock takes time, which a player can only learn from its own moves."""
    game = Go(9)
    player, now = timed("mc-rave", game, pace=1e-4, tick=2e-5)
    position = game.start()
    clocks = [Clock(TimeControl(1.0)), Clock(TimeControl(1.0))]
    while not position.is_over and len(position.history) < 300:
        clock, began = clocks[int(position.state.to_play)], now.seconds
        move = player.choose(position, clock)
        assert clock.spend(now.seconds - began), f"move {len(position.history) + 1} overran the clock"
        position.play(move)
    assert position.is_over
    assert max(clock.main_left for clock in clocks) < 0.5, "most of the time is used"


def test_an_interrupted_search_still_has_a_move():
    game = Go(9)
    player, now = timed("uct:simulations=1000000000", game, pace=1e-4)
    now.at(0.3, lambda: signal.raise_signal(signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            player.choose(game.start())
    finally:
        signal.signal(signal.SIGINT, before)
    assert game.start().is_legal(player.best_number(game.start()))
    assert 3000 <= player.search.simulations < 3400, "the slice under way ends, and no other begins"


def test_a_stopped_search_runs_no_more_simulations(searched):
    before = searched.simulations
    search_within(searched, 10**6, Allowance(), stopped=lambda: True)
    assert searched.simulations == before
