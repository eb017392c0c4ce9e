"""Estimated times: proportional to games and simulations, and to the speed of the machine."""

from itertools import count

import pytest

from tengen.games.go.game import Go
from tengen.papers.costs import PLAYOUTS_PER_SECOND, machine_factor, needs_of, seconds_of
from tengen.papers.experiment import Experiment, Figure, Match, Measurement, Row, Settings
from tests.papers.counting import squares


def experiment(player: str, opponent: str = "random", parts: int = 0) -> Experiment:
    """Return an experiment of one match, or of a measurement."""

    def rows(settings: Settings) -> list[Row]:
        if parts:
            return [
                Row("a", Measurement("squares", squares, parts, seconds=0.5)),
                Row("b", Measurement("c", squares, 1)),
            ]
        return [
            Row("a", Match(player, opponent, Go(9), settings.games)),
            Row("b", Match(player, opponent, Go(9), settings.games)),
        ]

    return Experiment("tests/x", "", "", "", rows, Figure(y=""), {"quick": Settings(), "paper": Settings()})


def cost(player: str, games: int = 10, opponent: str = "random") -> float:
    return seconds_of(experiment(player, opponent), Settings(games=games))


def test_the_time_grows_with_games_and_simulations():
    assert cost("uct:simulations=1000", games=20) == pytest.approx(2 * cost("uct:simulations=1000"))
    more, some, few = (cost(f"uct:simulations={number}") for number in (3000, 2000, 1000))
    assert more - some == pytest.approx(some - few)
    assert cost("uct:simulations=1000,policy=rlgo") > 5 * cost("uct:simulations=1000")


def test_a_search_without_a_limit_has_the_usual_simulations():
    assert cost("uct") == cost("uct:simulations=3000")


def test_a_flat_player_has_the_smaller_one_of_its_limits():
    few, many = cost("indigo:most_games=50,first_games=10"), cost("indigo:most_games=500")
    assert many > 5 * few
    assert cost("indigo:most_games=500,simulations=500") == pytest.approx(few)


def test_higher_levels_of_gnugo_take_longer():
    assert cost("random", opponent="gnugo:level=8") > 5 * cost("random", opponent="gnugo:level=0")


def test_equal_work_counts_once_and_measurements_by_their_parts():
    assert seconds_of(experiment("random", parts=7), Settings()) == pytest.approx(7 * 0.5 + 0.01)


def test_the_programs_of_the_opponents_are_needed():
    assert needs_of(experiment("uct", "gnugo:level=0")) == ["GNU Go"]
    assert needs_of(experiment("uct", "mogo")) == []


def test_the_machine_is_compared_by_playouts_per_second():
    ticks = count(step=0.1)
    found = machine_factor(0.15, now=lambda: next(ticks))  # 500 playouts until the clock is at 0.3 s
    assert found == pytest.approx(PLAYOUTS_PER_SECOND * 0.3 / 500)
