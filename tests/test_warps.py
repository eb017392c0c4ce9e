"""Lanes of a warp: on the CPU there is one; for a GPU, the instructions are in the assembly."""

import numpy as np
import pytest

from tests import gpu_entries


def test_a_processor_has_a_single_lane():
    numbers = np.full((1, 2), 7)
    gpu_entries.describe_lanes_at(0, numbers)
    assert numbers.tolist() == [[1, 0]]


def test_a_single_lane_answers_for_itself():
    values, words = np.array([0.75], np.float32), np.array([5], np.uint64)
    answers, unions = np.zeros((1, 1, 4), np.float32), np.zeros((1, 1, 2), np.uint64)
    gpu_entries.ask_lanes_at(0, values, words, answers, unions)
    assert answers.tolist() == [[[0.75, 0.75, 0.0, 0.0]]]
    assert unions.tolist() == [[[1, 5]]]


def test_instructions_for_the_lanes_of_a_gpu():
    gpu = pytest.importorskip("tengen.jit.gpu", reason="numba-cuda is not installed")
    answers, unions = np.zeros((1, 32, 4), np.float32), np.zeros((1, 32, 2), np.uint64)
    ptx = gpu.ptx(gpu_entries.ask_lanes_at, (np.zeros(32, np.float32), np.zeros(8, np.uint64), answers, unions))
    assert ptx.count("shfl.sync.bfly.b32") == 5 + 2 * 3  # a float of 32 lanes, and the halves of a word of 8
    assert ptx.count("shfl.sync.idx.b32") == 1
    assert ptx.count("vote.sync.ballot.b32") == 3
    assert gpu.ptx(gpu_entries.reverse_by_lanes_at, (np.zeros((1, 32)),)).count("bar.warp.sync") == 2
