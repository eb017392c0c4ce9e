"""Calls of Python functions from kernels."""

import ctypes

import numpy as np
import pytest

from tengen import TengenError
from tengen.jit import COMPILED, address_of, call_python, callback, kernel, new, record

TOTAL = 8
"""Offset of `total` in the record."""
CALLER = record("caller", [("function", np.int64), ("total", np.int64), ("calls", np.int64)])


@kernel
def call_with_each(caller, count):
    """Call the function of the record with 0, 1, ... and add 1 to its calls each time."""
    for number in range(count):
        call_python(caller.function, caller, np.int64(number))
        caller.calls += 1


@callback
def add_to_total(address, number):
    ctypes.c_int64.from_address(address + TOTAL).value += number


@callback
def call_again(address, number):
    """Call a kernel from within the call of a kernel."""
    inner = new(CALLER)
    inner.function = address_of(add_to_total)
    call_with_each(inner, 4)
    ctypes.c_int64.from_address(address + TOTAL).value += int(inner.total)


@pytest.mark.plain
def test_a_kernel_calls_a_function_by_its_address_which_changes_the_record():
    caller = new(CALLER)
    caller.function = address_of(add_to_total)
    call_with_each(caller, 10)
    assert (caller.total, caller.calls) == (sum(range(10)), 10)


@pytest.mark.plain
def test_the_function_is_data_so_that_one_compiled_kernel_calls_several():
    caller = new(CALLER)
    for function, expected in ((add_to_total, 3), (call_again, 3 + 3 * 6)):
        caller.function = address_of(function)
        call_with_each(caller, 3)
        assert caller.total == expected
    assert len(getattr(call_with_each, "signatures", [0])) == 1


@pytest.mark.skipif(not COMPILED, reason="needs the compiler")
def test_only_records_are_passed():
    @kernel
    def wrong(numbers):
        call_python(np.int64(1), numbers, np.int64(0))

    with pytest.raises(
        TengenError, match=r"wrong in test_callbacks.py, line \d+: it cannot be compiled \(Numba: call_python"
    ):
        wrong(np.zeros(3))
