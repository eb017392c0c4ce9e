"""Compilation in the background: the order of jobs and the message of a waiting command. Nothing is compiled here."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tengen.interfaces.gtp.compiling import BackgroundCompiler
from tengen.interfaces.gtp.protocol import Closed

pytestmark = pytest.mark.plain
LONG = 300.0
"""A time limit in seconds that is never reached."""


def never() -> bool:
    return False


class Bench:
    """A compiler whose jobs are names, and end when `finish` is set."""

    def __init__(self, kernels: bool = True):
        self.begun: list[tuple[Any, Any]] = []
        self.said: list[Any] = []
        self.finish = threading.Semaphore(0)
        self.changed = threading.Condition()
        self.kernels = kernels
        self.compiler: Any = BackgroundCompiler(self.compile, self.say, lambda: len(self.begun) if self.kernels else 0)

    def compile(self, spec: Any, game: Any) -> None:
        with self.changed:
            self.begun.append((spec, game))
            self.changed.notify_all()
        assert self.finish.acquire(timeout=LONG)
        if game == "broken":
            raise ZeroDivisionError

    def say(self, game: Any) -> None:
        self.said.append(game)
        self.finish.release()

    def await_begun(self, count: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.begun) >= count, timeout=LONG)

    @contextmanager
    def running(self, delay: float = 0.0) -> Iterator[None]:
        thread = threading.Thread(target=self.compiler.run, args=(("player", "usual"), delay))
        thread.start()
        try:
            yield
        finally:
            self.compiler.stop()
            self.finish.release(100)
            thread.join(LONG)
            assert not thread.is_alive()


def test_the_first_board_is_compiled_if_no_other_is_requested():
    bench = Bench()
    with bench.running():
        bench.await_begun(1)
    assert bench.begun == [("player", "usual")]


def test_a_board_that_is_requested_in_time_is_compiled_instead():
    bench = Bench()
    bench.compiler.request("player", "large")
    with bench.running(delay=LONG):
        bench.await_begun(1)
    assert bench.begun == [("player", "large")]


def test_only_the_last_of_waiting_requests_is_compiled():
    bench = Bench()
    with bench.running():
        bench.await_begun(1)
        for game in ("small", "large", "usual", "medium"):
            bench.compiler.request("player", game)
        bench.finish.release()
        bench.await_begun(2)
    assert bench.begun == [("player", "usual"), ("player", "medium")]


def test_a_command_that_waits_for_compilation_prints_one_message():
    bench = Bench()
    with bench.running():
        bench.await_begun(1)
        bench.compiler.wait("player", "usual", never)
        bench.compiler.wait("player", "usual", never)
    assert bench.said == ["usual"]


def test_no_message_is_printed_while_kernels_are_loaded_from_the_cache():
    bench, looks = Bench(kernels=False), []

    def look() -> bool:
        looks.append(1)
        if len(looks) == 3:
            bench.finish.release()
        return False

    with bench.running():
        bench.await_begun(1)
        bench.compiler.wait("player", "usual", look)
    assert len(looks) >= 3
    assert bench.said == []


def test_a_waiting_command_ends_when_the_client_has_gone():
    bench = Bench(kernels=False)
    with bench.running():
        bench.await_begun(1)
        with pytest.raises(Closed):
            bench.compiler.wait("player", "usual", lambda: True)


def test_a_failed_compilation_ends_the_wait():
    bench = Bench()
    with bench.running():
        bench.await_begun(1)
        bench.finish.release()
        bench.compiler.wait("player", "broken", never)
    assert bench.begun == [("player", "usual"), ("player", "broken")]
