"""Playouts on a GPU, and the faults and errors of a search there."""

import numpy as np
import pytest
from tic_tac_toe import TicTacToe

from tengen.benchmarks.kernels import sum_uniform_results
from tengen.errors import TengenError
from tengen.jit.devices import open_device
from tengen.players import parse_search
from tengen.plugins import load_plugin
from tengen.policies.playout import BadPlayout
from tengen.rng import seeded
from tengen.search.many import ManySearch
from tests.gpu.scenarios import GO9, HAVANNAH4, OTHELLO8

pytestmark = pytest.mark.gpu

THREADS, PLAYOUTS = 256, 20


def results_of_playouts(device_name, game):
    """Return the sums of results and the generators after some playouts of many threads."""
    device, record = open_device(device_name), parse_search("uct", game).compact_record(game)
    root = np.zeros(1, record)
    root[0] = game.start().state_as(record)
    arrays = [
        device.copy_of(array)
        for array in (
            root,
            np.zeros((THREADS, 1), record),
            np.array([seeded(thread + 1) for thread in range(THREADS)]),
            np.zeros((THREADS, game.longest_playout + 2), np.uint16),
            np.zeros(THREADS),
        )
    ]
    device.launch(sum_uniform_results, THREADS, *arrays, PLAYOUTS)
    return device.fetch(arrays[-1]), device.fetch(arrays[2])


@pytest.mark.parametrize("game", [GO9, OTHELLO8, HAVANNAH4], ids=str)
def test_playouts_are_those_of_the_cpu(game):
    ours, theirs = results_of_playouts("gpu", game), results_of_playouts("cpu", game)
    assert 0.0 < theirs[0].mean() < PLAYOUTS
    assert ours[0].tobytes() == theirs[0].tobytes()
    assert ours[1].tobytes() == theirs[1].tobytes()


POLICY = """
import tengen as tg
from tengen.games.interface import random_candidate

@tg.playout_policy("faulty")
def faulty(policy, state, rng):
    return 99 if state.stones[0] == 1 else random_candidate(state, rng)
"""


def test_a_fault_of_a_playout_policy_is_reported_and_forgotten(tmp_path):
    """On the CPU the kernel raises it; on a GPU it ends the tree's search, and `finish` raises it."""
    (tmp_path / "faulty.py").write_text(POLICY)
    load_plugin(tmp_path / "faulty.py")
    game = TicTacToe()
    many = ManySearch(parse_search("uct:policy=faulty,simulations=50", game), game, trees=2, device="gpu")
    for start, is_faulty in ((game.start(), True), (game.start(), True), (game.start().play("b2"), False)):
        for tree in range(2):
            many.forget(tree)
            many.set_position(tree, start)
        many.start(range(2), 50)
        if is_faulty:
            with pytest.raises(BadPlayout, match=r"^the playout policy picked an illegal move \(policy=faulty\)$"):
                many.finish()
        else:
            many.finish()
            assert many.search(0).simulations == 50


def test_trees_that_do_not_fit_are_an_error():
    config = parse_search("uct:simulations=1000000,memory=1000000", GO9)
    with pytest.raises(TengenError, match=r"^1000 trees of 3,000,002 nodes need .* and the device has memory for"):
        ManySearch(config, GO9, trees=1000, device="gpu")
