"""Interrupts: deferred in critical code, never lost, and never turned into another exception."""

import signal
import sys
import threading

import numpy as np
import pytest

from tengen.interrupts import deferred_interrupts, raise_deferred_interrupt
from tengen.jit import COMPILED, kernel, record_of
from tengen.jit import record as make_record
from tests.trials.interrupts import interrupted_compilation, interrupted_searches

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no interval timers")
PAIR = make_record("pair_of_numbers", [("first", np.int64), ("second", np.int64)])


@pytest.fixture
def heard():
    """Return the interrupts that reached a handler that does not raise."""
    arrived: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: arrived.append(number))
    yield arrived
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def _default_handler():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_default_handler")
def test_a_deferred_interrupt_is_raised_at_the_end_of_the_block():
    reached = []

    def block() -> None:
        with deferred_interrupts():
            signal.raise_signal(signal.SIGINT)
            reached.append("the end")

    with pytest.raises(KeyboardInterrupt):
        block()
    assert reached == ["the end"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_each_deferred_interrupt_reaches_the_handler_that_was_installed(heard):
    with deferred_interrupts():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        assert heard == []
    assert heard == [signal.SIGINT] * 2
    signal.raise_signal(signal.SIGINT)
    assert len(heard) == 3


def test_an_inner_block_does_not_end_the_deferral_of_the_outer_one(heard):
    with deferred_interrupts():
        with deferred_interrupts():
            signal.raise_signal(signal.SIGINT)
        assert heard == []
    assert len(heard) == 1


def test_raise_deferred_interrupt_calls_the_handler_inside_a_block(heard):
    raise_deferred_interrupt()
    with deferred_interrupts():
        raise_deferred_interrupt()
        signal.raise_signal(signal.SIGINT)
        assert heard == []
        raise_deferred_interrupt()
        assert len(heard) == 1
    assert len(heard) == 1


@pytest.mark.usefixtures("_default_handler")
def test_an_interrupt_before_an_exception_in_a_block_is_raised_instead_of_it():
    def block() -> None:
        with deferred_interrupts():
            signal.raise_signal(signal.SIGINT)
            raise ValueError

    with pytest.raises(KeyboardInterrupt) as found:
        block()
    assert isinstance(found.value.__context__, ValueError)


def test_a_block_in_another_thread_changes_no_handler(heard):
    handlers = []

    def work() -> None:
        with deferred_interrupts():
            handlers.append(signal.getsignal(signal.SIGINT))

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert handlers == [before]


def test_interrupts_that_are_ignored_stay_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with deferred_interrupts():
            assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


@kernel
def sum_of(one, other):
    return one.first + one.second + other.first + other.second


@pytest.mark.skipif(not COMPILED, reason="an uncompiled kernel is Python code")
def test_calling_a_kernel_with_records_runs_no_python_code():
    """An interrupt raised in Python code during the call would be replaced by Numba with another exception."""
    one, other = record_of(PAIR, first=1, second=2), record_of(PAIR, first=3, second=4)
    assert sum_of(one, other) == 10
    entered = []
    sys.setprofile(lambda frame, event, argument: entered.append(frame.f_code.co_name) if event == "call" else None)
    try:
        result = sum_of(one, other)
    finally:
        sys.setprofile(None)
    assert result == 10
    assert entered == ["sum_of"], "Numba announces the kernel itself"


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_record_that_is_changed_by_a_kernel_is_changed_in_place():
    rows = np.zeros(3, PAIR)
    row = rows[1]

    @kernel
    def fill(one):
        one.first, one.second = 5, 6

    fill(row)
    assert rows.tolist() == [(0, 0, 0), (5, 6, 0), (0, 0, 0)]
    assert (row.first, row.second) == (5, 6)


@POSIX
def test_interrupted_searches_raise_nothing_but_keyboard_interrupt():
    outcomes = interrupted_searches("mc-rave:simulations=30,memory=20", count=60, seed=1)
    assert sum(outcomes.values()) == 60
    assert outcomes.keys() <= {"KeyboardInterrupt", "no exception"}


@pytest.mark.long
@POSIX
@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_an_interrupted_compilation_raises_keyboard_interrupt_and_continues_later(tmp_path):
    outcomes = interrupted_compilation("random", cache=tmp_path / "cache", seed=1)
    assert outcomes.keys() <= {"KeyboardInterrupt", "no exception"}
    assert outcomes["no exception"] == 1
    assert outcomes["KeyboardInterrupt"] > 0
