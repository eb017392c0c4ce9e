"""Games against engines that misbehave: each must end with the right result and leave nothing behind.

`python -m tests.trials.bad_engines [MODE ...]` plays against all of them, or those named, and prints a line for each.
"""

import os
import sys
import threading
import time
import tracemalloc
import uuid
from dataclasses import dataclass
from pathlib import Path

from tengen.arena.match import PlayedGame
from tengen.arena.plans import Conditions, Entrant, Pairing
from tengen.arena.worker import GameWorker
from tengen.games.clock import TimeControl
from tengen.games.go.game import Go
from tests.trials.bad_engine import MODES

SCRIPT = Path(__file__).with_name("bad_engine.py")
MARK = "TENGEN_BAD_ENGINE"
"""Variable of the environment by which an engine and its children are found."""

SHORT, LONG = 0.7, 30.0
"""Time limits in seconds of a command: for engines that use them up, and for all others."""

MOST_MEMORY = 20_000_000
"""Limit in bytes of the memory that a game may use: several answers of the greatest length, and the records."""

REASONS = {
    "hang": (
        "never-reads", "ignores-signals", "stops-itself", "answers-nothing-at-all", "hangs", "floods-stderr",
        "dribbles", "dribbles-lines", "stops-reading", "half-a-line", "no-blank-line", "child-keeps-pipes",
        "many-children",
    ),
    "crash": (
        "exits-at-start", "child-outlives-exit", "exits", "exits-with-words", "exits-in-an-answer",
        "exits-after-its-answer", "aborts", "child-keeps-pipes-of-a-crash",
    ),
    "closed": ("closes-all-at-start", "closes-stdout", "closes-stdin"),
    "refusal": ("refuses-everything", "refuses-without-a-word", "refuses"),
    "garbage": (
        "answers-without-reading", "floods-at-start", "banner-at-start", "echoes-garbage", "floods-without-newline",
        "floods-an-answer", "floods-after-its-answer", "floods-lines", "floods-blank-lines", "binary", "nul-bytes",
        "invalid-utf-8",
        "no-such-point", "huge-vertex", "empty", "answers-twice", "answers-again-later", "names-the-colour",
        "long-line", "too-long-line", "talks-before-answering", "several-lines", "changes-its-notation",
        "off-the-board",
    ),
    "illegal": ("illegal",),
    "resign": ("resigns",),
    "score": (
        "passes", "wrong-numbers", "lower-case", "carriage-returns", "blank-lines-around", "ignores-quit",
        "reads-slowly", "noisy-stderr", "good",
    ),
}  # fmt: skip
"""By the reason with which a game must end: the modes that end so. All but those of 'score' lose."""

EXPECTED = {mode: reason for reason, modes in REASONS.items() for mode in modes}

REPRESENTATIVE = (
    "never-reads", "answers-without-reading", "floods-without-newline", "floods-stderr", "dribbles", "binary",
    "closes-stdin", "exits-after-its-answer", "child-keeps-pipes", "child-keeps-pipes-of-a-crash", "huge-vertex",
    "answers-twice", "ignores-quit", "reads-slowly",
)  # fmt: skip
"""One of each kind, for the ordinary tests."""


@dataclass(frozen=True)
class Outcome:
    """A game against a misbehaving engine, and what it left behind."""

    mode: str
    played: PlayedGame
    seconds: float
    memory: int
    threads: int
    descriptors: int
    processes: list[int]

    def faults(self) -> list[str]:
        """Describe the first deviation from the expected outcome; empty if there is none."""
        found, played = [], self.played
        if played.reason != EXPECTED[self.mode]:
            found.append(f"ended by {played.reason}, not {EXPECTED[self.mode]}: {played.detail}")
        if played.reason != "score" and played.winner != "black":
            found.append("the engine that misbehaved has won")
        if len(played.detail) > 1000 or not played.detail.isprintable():
            found.append(f"the detail is not a short line: {played.detail[:100]!r}")
        if self.memory > MOST_MEMORY:
            found.append(f"took {self.memory / 1e6:.0f} MB")
        if self.threads or self.descriptors or self.processes:
            found.append(f"left {self.threads} threads, {self.descriptors} descriptors, processes {self.processes}")
        return found


def play(mode: str, clock: str = "", timeout: float = 0.0) -> Outcome:
    """A game of a random player against an engine, which is White."""
    mark = uuid.uuid4().hex
    timeout = timeout or (SHORT if EXPECTED[mode] == "hang" else LONG)
    control = TimeControl.parse(clock) if clock else None
    engine = Entrant.of(f"gtp:command='{sys.executable} {SCRIPT} {mode}',timeout={timeout}", "bad")
    pairing = Pairing(Entrant.of("random"), engine, Conditions(game=Go(9), clock=control), 1)
    worker = GameWorker()
    threads, opened = threading.active_count(), descriptors()
    os.environ[MARK] = mark
    tracemalloc.start()
    began = time.monotonic()
    try:
        played = worker(pairing.plan(0))
        worker.close()
    finally:
        worker.kill()
        seconds, memory = time.monotonic() - began, tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        del os.environ[MARK]
    left = threading.active_count() - threads, descriptors() - opened
    return Outcome(mode, played, seconds, memory, *left, _survivors(mark))


def descriptors() -> int:
    """How many descriptors this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


def _survivors(mark: str, patience: float = 10.0) -> list[int]:
    """The processes with a mark in their environment, after killed ones have had time to end."""
    deadline = time.monotonic() + patience
    while (found := _marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def _marked(mark: str) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment, state = (folder / "environ").read_bytes(), (folder / "stat").read_text().rpartition(")")[2]
        except OSError:
            continue
        if f"{MARK}={mark}".encode() in environment and state.split()[0] != "Z":
            found.append(int(folder.name))
    return found


def main(modes: list[str]) -> int:
    """Play against the engines of some modes, or all; return the number of unexpected outcomes."""
    play("good")  # so that no game compiles
    failed = 0
    for mode in modes or MODES:
        outcome = play(mode)
        faults = outcome.faults()
        failed += bool(faults)
        print(f"{mode:30} {outcome.played.reason:8} {outcome.seconds:5.1f} s {outcome.memory / 1e6:5.1f} MB", end=" ")
        print(f"{'; '.join(faults) or 'ok'}   [{outcome.played.detail[:100]}]", flush=True)
    print(f"{failed} of {len(modes or MODES)} games were not as they must be")
    return failed


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
