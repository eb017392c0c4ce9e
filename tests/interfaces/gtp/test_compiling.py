"""Compiling in the background: what is compiled when, and what a waiting command says. Nothing here compiles."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tengen.interfaces.gtp.compiling import BackgroundCompiler
from tengen.interfaces.gtp.protocol import Closed

pytestmark = pytest.mark.plain
LONG = 300.0
"""Seconds that nothing here takes."""


def never() -> bool:
    return False


class Bench:
    """A compiler whose jobs are names, and end when `finish` allows it."""

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


def test_the_board_at_the_start_is_compiled_if_nobody_names_another():
    bench = Bench()
    with bench.running():
        bench.await_begun(1)
    assert bench.begun == [("player", "usual")]


def test_a_board_that_is_named_in_time_is_compiled_instead():
    bench = Bench()
    bench.compiler.request("player", "large")
    with bench.running(delay=LONG):
        bench.await_begun(1)
    assert bench.begun == [("player", "large")]


def test_of_requests_that_wait_only_the_last_is_compiled():
    bench = Bench()
    with bench.running():
        bench.await_begun(1)
        for game in ("small", "large", "usual", "medium"):
            bench.compiler.request("player", game)
        bench.finish.release()
        bench.await_begun(2)
    assert bench.begun == [("player", "usual"), ("player", "medium")]


def test_a_command_that_waits_while_kernels_are_compiled_says_so_once():
    bench = Bench()
    with bench.running():
        bench.await_begun(1)
        bench.compiler.wait("player", "usual", never)
        bench.compiler.wait("player", "usual", never)
    assert bench.said == ["usual"]


def test_nothing_is_said_while_kernels_are_only_loaded():
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


def test_a_command_that_nobody_waits_for_ends():
    bench = Bench(kernels=False)
    with bench.running():
        bench.await_begun(1)
        with pytest.raises(Closed):
            bench.compiler.wait("player", "usual", lambda: True)


def test_what_cannot_be_compiled_keeps_nobody_waiting():
    bench = Bench()
    with bench.running():
        bench.await_begun(1)
        bench.finish.release()
        bench.compiler.wait("player", "broken", never)
    assert bench.begun == [("player", "usual"), ("player", "broken")]
