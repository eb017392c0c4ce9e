"""The same trees on a GPU as on the CPU, without a GPU: in Numba's simulator, uncompiled, in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba.cuda", reason="numba-cuda is not installed")

ROOT = Path(__file__).parent.parent.parent
FAULTY_POLICY = """
import tengen as tg
from tengen.jit import kernel

@tg.playout_policy("faulty")
def faulty(policy, state, rng):
    return 99
"""


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """What differs between the CPU and the simulated GPU, by scenario."""
    folder = tmp_path_factory.mktemp("simulated")
    (folder / "faulty.py").write_text(FAULTY_POLICY)
    variables = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore::RuntimeWarning", "-m", "tests.search.simulated_gpu", str(folder)],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "scenario",
    [
        *("othello", "go", "compact go", "urgency", "rlgo", "superko", "solver"),
        *("new node visit", "accelerated", "plugin game"),
    ],
)
def test_trees_are_the_same(simulated, scenario):
    """Several trees over several moves, with the subtree reused."""
    assert len(simulated[scenario]) >= 3
    assert [found for found in simulated[scenario] if found] == []


def test_trees_in_waves_have_the_same_roots(simulated):
    assert simulated["waves"] == []


def test_a_fault_of_a_playout_policy_is_reported_after_each_search_and_then_forgotten(simulated):
    sentence = "the playout policy picked an illegal move (policy=faulty)"
    assert simulated["faults"] == [sentence, sentence, 5]


def test_trees_that_do_not_fit_are_an_error(simulated):
    (sentence,) = simulated["memory"]
    assert sentence.startswith("10 trees of 3,000,002 nodes need 7.8 GB, and the device has memory for 1: ")
    assert sentence.endswith("use fewer trees or simulations, or reuse=false")
