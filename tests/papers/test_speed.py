"""Speeds are measured in alternation, by a clock that the test supplies."""

from itertools import count

import pytest

from tengen.papers.measures.speed import ROUNDS, simulations_per_second


def test_the_best_round_of_each_player_counts():
    ticks = count()
    times = [0, 4, 4, 14, 20, 22, 30, 40, 50, 55, 60, 62]  # 4, 10, 2, 10, 5, 2 seconds
    players = {"a": "uct:memory=1", "b": "uct:memory=1,seed=2"}
    found = simulations_per_second(
        0, players=players, game="othello", size=4, simulations=10, now=lambda: times[next(ticks)]
    )
    assert found == pytest.approx({"a": 10 / 2, "b": 10 / 2})
    assert next(ticks) == 2 * len(players) * ROUNDS
