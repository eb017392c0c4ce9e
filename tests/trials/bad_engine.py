"""An engine that misbehaves: bad_engine.py MODE. Without its fault it plays a few fixed moves of Go and passes.

A fault happens at start-up, in place of answers to all commands, or at the second
genmove of a game. The first move is C3, so that naming it again is illegal.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator

COLUMNS, ROWS = "CEG", (3, 5, 7)
MOVES_BEFORE_PASS = 4
LONG = 1_000_000


def say(data: str | bytes) -> None:
    """Write bytes to standard output, all of them, without buffers."""
    rest = data.encode() if isinstance(data, str) else data
    while rest:
        rest = rest[os.write(1, rest) :]


def sleep() -> None:
    while True:
        time.sleep(1000)


def flood(data: bytes, stream: int = 1) -> None:
    while True:
        os.write(stream, data)


def dribble(data: bytes) -> None:
    """Write a byte now and then, for ever, and never complete an answer."""
    say("= ")
    while True:
        say(data)
        time.sleep(0.05)


def fork(child: Callable[[], None]) -> None:
    if os.fork() == 0:
        child()
        os._exit(0)


def leave_session() -> None:
    """Become the leader of a new session, and keep the pipes open."""
    os.setsid()
    sleep()


def ignore_signals() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)


def close_and_sleep(*descriptors: int) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
    sleep()


def in_order(*steps: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        for step in steps:
            step()

    return run


def exit_with(code: int) -> Callable[[], None]:
    return lambda: os._exit(code)


AT_START: dict[str, Callable[[], None]] = {
    "never-reads": sleep,
    "exits-at-start": exit_with(0),
    "answers-without-reading": lambda: flood(b"= \n\n"),
    "floods-at-start": lambda: flood(b"x" * 4096),
    "banner-at-start": lambda: say("= welcome\n\n"),
    "ignores-signals": in_order(ignore_signals, sleep),
    "stops-itself": in_order(lambda: os.kill(os.getpid(), signal.SIGSTOP), sleep),
    "closes-all-at-start": lambda: close_and_sleep(0, 1, 2),
    "child-outlives-exit": in_order(lambda: fork(leave_session), exit_with(0)),
}
"""Done once, before the first command is read."""

ALWAYS: dict[str, Callable[[], None]] = {
    "refuses-everything": lambda: say("? no\n\n"),
    "refuses-without-a-word": lambda: say("?\n\n"),
    "answers-nothing-at-all": lambda: say("\n\n"),
    "echoes-garbage": lambda: say(b"x" + random.Random(1).randbytes(200) + b"\n\n"),
}
"""Done in place of every answer."""

AT_GENMOVE: dict[str, Callable[[], None]] = {
    "hangs": sleep,
    "stops-reading": in_order(lambda: say("= pass\n\n"), sleep),
    "floods-without-newline": lambda: flood(b"x" * 65_536),
    "floods-an-answer": in_order(lambda: say("= "), lambda: flood(b"x" * 65_536)),
    "floods-after-its-answer": in_order(lambda: say("= pass\n\n"), lambda: flood(b"x" * 65_536)),
    "floods-lines": lambda: flood(b"= x\n" * 10_000),
    "floods-blank-lines": lambda: flood(b"\n" * 65_536),
    "floods-stderr": lambda: flood(b"x" * 65_536, 2),
    "dribbles": lambda: dribble(b"x"),
    "dribbles-lines": lambda: dribble(b"x\n"),
    "binary": lambda: say(bytes(range(256)) + b"\n\n"),
    "nul-bytes": lambda: say(b"= \0D\0004\0\n\n"),
    "invalid-utf-8": lambda: say(b"= \xff\xfe\xc3\n\n"),
    "half-a-line": in_order(lambda: say("= C"), sleep),
    "no-blank-line": in_order(lambda: say("= C3\n"), sleep),
    "closes-stdout": lambda: close_and_sleep(1),
    "closes-stdin": in_order(lambda: os.close(0), lambda: say("= pass\n\n"), sleep),  # no command is taken after it
    "exits": exit_with(0),
    "exits-with-words": in_order(lambda: os.write(2, b"out of memory\n"), exit_with(3)),
    "exits-in-an-answer": in_order(lambda: say("= C"), exit_with(1)),
    "exits-after-its-answer": in_order(lambda: say("= pass\n\n"), exit_with(0)),
    "aborts": os.abort,
    "child-keeps-pipes": in_order(lambda: fork(leave_session), sleep),
    "child-keeps-pipes-of-a-crash": in_order(lambda: fork(leave_session), exit_with(4)),
    "many-children": in_order(*[lambda: fork(sleep)] * 8, sleep),
    "illegal": lambda: say("= C3\n\n"),
    "off-the-board": lambda: say("= T19\n\n"),
    "no-such-point": lambda: say("= I0\n\n"),
    "huge-vertex": lambda: say(f"= A{'9' * 5000}\n\n"),
    "empty": lambda: say("= \n\n"),
    "refuses": lambda: say("? I cannot\n\n"),
    "answers-twice": lambda: say("= pass\n\n= pass\n\n"),
    "answers-again-later": in_order(lambda: say("= pass\n\n"), lambda: time.sleep(0.3), lambda: say("= A1\n\n")),
    "resigns": lambda: say("= resign\n\n"),
    "passes": lambda: say("= pass\n\n"),
    "names-the-colour": lambda: say("= white C3\n\n"),
    "long-line": lambda: say(f"= {'x' * (LONG // 2)}\n\n"),
    "too-long-line": lambda: say(f"= {'x' * (2 * LONG)}\n\n"),
    "talks-before-answering": lambda: say("let me think\n= pass\n\n"),
    "several-lines": lambda: say("= C3\nor perhaps\nD4\n\n"),
    "changes-its-notation": lambda: say("= cg\n\n"),
}
"""Done in place of an answer at the second genmove of a game, and at those after it."""

STYLES: dict[str, Callable[[str], bytes]] = {
    "wrong-numbers": lambda text: f"=77 {text}\n\n".encode(),
    "lower-case": lambda text: f"= {text.lower()}\n\n".encode(),
    "carriage-returns": lambda text: f"= {text}\r\n\r\n".encode(),
    "blank-lines-around": lambda text: f"\n\n= {text}\n\n\n\n".encode(),
    "ignores-quit": lambda text: f"= {text}\n\n".encode(),
    "reads-slowly": lambda text: f"= {text}\n\n".encode(),
    "noisy-stderr": lambda text: f"= {text}\n\n".encode(),
    "good": lambda text: f"= {text}\n\n".encode(),
}
"""How answers are written by modes that play on."""

MODES = (*AT_START, *ALWAYS, *AT_GENMOVE, *STYLES)


class Engine:
    """Plays on the points of COLUMNS and ROWS that are free, then passes."""

    def __init__(self, mode: str):
        self.mode, self.genmoves = mode, 0
        self.taken: set[str] = set()
        self.style = STYLES.get(mode, STYLES["good"])

    def answer(self, words: list[str]) -> None:
        if self.mode in ALWAYS:
            return ALWAYS[self.mode]()
        self.genmoves = 0 if words[0] == "clear_board" else self.genmoves + (words[0] == "genmove")
        if words[0] == "genmove" and self.genmoves >= 2 and self.mode in AT_GENMOVE:
            return AT_GENMOVE[self.mode]()
        if self.mode == "noisy-stderr":
            for _ in range(20):
                os.write(2, b"simulation 12345\n" * 1000)
        say(self.style(self.text(words)))

    def text(self, words: list[str]) -> str:
        match words:
            case ["name"]:
                return "Bad"
            case ["known_command", _]:
                return "false"
            case ["clear_board"]:
                self.taken = set()
            case ["play", _, vertex]:
                self.taken.add(vertex.upper())
            case ["genmove", _]:
                return self.move()
        return ""

    def move(self) -> str:
        free = [f"{column}{row}" for row in ROWS for column in COLUMNS if f"{column}{row}" not in self.taken]
        move = free[0] if free and self.genmoves <= MOVES_BEFORE_PASS else "pass"
        self.taken.add(move)
        return move


def lines(mode: str) -> Iterator[str]:
    """The commands, as they come; for a slow reader, a byte at a time."""
    piece, rest = 1 if mode == "reads-slowly" else 65_536, b""
    while data := os.read(0, piece):
        *complete, rest = (rest + data).split(b"\n")
        yield from (line.decode() for line in complete)
        if mode == "reads-slowly":
            time.sleep(0.0005)


def serve(mode: str) -> None:
    if mode in AT_START:
        AT_START[mode]()
    engine = Engine(mode)
    for line in lines(mode):
        words = line.split()
        if words == ["quit"] and mode != "ignores-quit":
            return say("=\n\n")
        if words:
            engine.answer(words)
    if mode == "ignores-quit":
        sleep()


if __name__ == "__main__":
    serve(sys.argv[1])
