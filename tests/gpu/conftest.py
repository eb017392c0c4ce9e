"""Skips the tests where there is no GPU; runs the searches to compare with on the CPU at the same time."""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor

import pytest

from tengen.errors import TengenError

MOST_PROCESSES = 8


def why_no_gpu() -> str:
    """Return why there is no GPU to test; empty if there is one."""
    try:
        from tengen.jit import gpu

        gpu.require()
    except TengenError as error:
        return str(error)
    return "Numba's simulator is in use" if gpu.SIMULATED else ""


@pytest.fixture(scope="session", autouse=True)
def a_gpu():
    if reason := why_no_gpu():
        pytest.skip(reason)


@pytest.fixture(scope="session")
def on_cpu(a_gpu):
    """A function that returns the trees of a scenario, run on the CPU by other processes from the start of the tests.

    Each compiles its kernels, meanwhile this process compiles those of the GPU.
    """
    from tests.gpu.scenarios import SCENARIOS, run_on_cpu

    processes = min(MOST_PROCESSES, os.cpu_count() or 1)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        found = {name: pool.submit(run_on_cpu, name) for name in SCENARIOS}
        yield lambda name: found[name].result()
