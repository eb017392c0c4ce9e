"""The 32 lanes of a warp as threads of Python, to run kernels that are not compiled as a GPU runs them together.

The threads are not in step as on a GPU, but wait for each other only where lanes exchange something. So a kernel that
is run here may write to an array only what no lane reads before the next exchange.
"""

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tengen.jit import COMPILED, let_numbers_wrap, warps

needs_lanes = [pytest.mark.plain, pytest.mark.skipif(COMPILED, reason="needs kernels that are not compiled")]


class Warp:
    """32 threads that run the same function, and what each of them has given to the others."""

    def __init__(self) -> None:
        self._barrier = threading.Barrier(warps.WARP, timeout=60)
        self._of_thread = threading.local()
        self._given: list[Any] = [None] * warps.WARP
        self._errors: list[BaseException] = []

    def run(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Return the function's results, by lane."""
        results: list[Any] = [None] * warps.WARP

        def work(lane: int) -> None:
            self._of_thread.lane = lane
            let_numbers_wrap()  # in this thread
            try:
                results[lane] = function(*arguments)
            except BaseException as error:
                self._errors.append(error)
                self._barrier.abort()

        threads = [threading.Thread(target=work, args=(lane,)) for lane in range(warps.WARP)]
        with _in_place_of_instructions(self._instructions()):
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        if self._errors:
            raise self._errors[0]
        return results

    def _exchanged(self, value: Any) -> list[Any]:
        """Give a value to the other lanes; return the values of all of them."""
        self._barrier.wait()
        self._given[self._of_thread.lane] = value
        self._barrier.wait()
        return list(self._given)

    def _instructions(self) -> dict[Any, Callable[..., Any]]:
        def lanes_where(condition: Any) -> np.uint64:
            return np.uint64(sum(1 << lane for lane, holds in enumerate(self._exchanged(bool(condition))) if holds))

        def union_of_lanes(word: Any, count: int) -> np.uint64:
            return np.uint64(np.bitwise_or.reduce(np.array(self._exchanged(word)[:count], np.uint64)))

        return {
            warps.lane: lambda: self._of_thread.lane,
            warps.lanes: lambda: warps.WARP,
            warps.shares_warp: lambda: False,
            warps.join_lanes: self._barrier.wait,
            warps.largest_of_lanes: lambda value: max(self._exchanged(value)),
            warps.from_lane: lambda value, number: self._exchanged(value)[number],
            warps.lanes_where: lanes_where,
            warps.holds_in_a_lane: lambda condition: any(self._exchanged(bool(condition))),
            warps.union_of_lanes: union_of_lanes,
        }


@contextlib.contextmanager
def _in_place_of_instructions(replacements: dict[Any, Callable[..., Any]]) -> Iterator[None]:
    """Replace functions in all modules that have imported them."""
    names = {function.__name__: function for function in replacements}
    modules = [module for name, module in list(sys.modules.items()) if name.startswith(("tengen", "tests"))]
    found = [
        (module, name) for module in modules for name, function in names.items() if vars(module).get(name) is function
    ]
    for module, name in found:
        setattr(module, name, replacements[names[name]])
    try:
        yield
    finally:
        for module, name in found:
            setattr(module, name, names[name])
