"""Lets the tests import the games in examples/, and collects garbage less often."""

import gc
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

gc.set_threshold(100_000, 20, 20)  # the compiler creates so many objects that collections took 7 % of its time


def pytest_collection_finish() -> None:
    """Leave the tests and modules, which live to the end, out of further collections of garbage."""
    gc.freeze()
