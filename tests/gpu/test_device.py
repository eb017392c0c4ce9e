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
from tests import gpu_entries
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


WARPS = 9
"""An odd number, so that the last block is not full."""


@pytest.mark.parametrize("crowd", [0, 1056])
def test_the_lanes_of_a_warp_work_together(crowd):
    device, rng = open_device("gpu"), np.random.default_rng(1)
    values, words = rng.random(32, np.float32), rng.integers(0, 2**63, 8).astype(np.uint64)
    answers, unions = np.zeros((WARPS, 32, 4), np.float32), np.zeros((WARPS, 32, 2), np.uint64)
    arrays = [device.copy_of(array) for array in (values, words, answers, unions)]
    device.launch(gpu_entries.ask_lanes_at, WARPS, *arrays, lanes=32, together=True, crowd=crowd)
    expected = [values.max(), values[5], (values > 0.9).any(), 0.0]
    assert (device.fetch(arrays[2]) == np.array(expected, np.float32)).all()
    over = sum(1 << number for number in range(32) if values[number] > 0.5)
    union = int(np.bitwise_or.reduce(words))
    assert (device.fetch(arrays[3]) == np.array([over, union], np.uint64)).all()


def test_lanes_see_what_the_others_have_written():
    device = open_device("gpu")
    rows = device.copy_of(np.zeros((WARPS, 32)))
    device.launch(gpu_entries.reverse_by_lanes_at, WARPS, rows, lanes=32, together=True)
    assert (device.fetch(rows) == np.arange(32.0)[::-1]).all()


@pytest.mark.parametrize(
    ("lanes", "together", "expected"), [(1, False, [1, 1]), (8, True, [1, 1]), (32, False, [1, 0]), (32, True, [32, 0])]
)
def test_the_working_threads_of_an_index(lanes, together, expected):
    device = open_device("gpu")
    numbers = device.copy_of(np.zeros((WARPS, 2), np.int64))
    device.launch(gpu_entries.describe_lanes_at, WARPS, numbers, lanes=lanes, together=together)
    assert device.fetch(numbers).tolist() == [expected] * WARPS


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
