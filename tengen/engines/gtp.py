"""A program that speaks the Go Text Protocol, started and controlled.

Nothing here knows a game. A command either returns the engine's answer, or raises an EngineFault whose `reason` is one
of FAULTS; after any fault but a refusal the engine is gone, and `start` makes a new one.
"""

import contextlib
import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from typing import NoReturn

from tengen.errors import TengenError, shortened

FAULTS = ("crash", "hang", "garbage", "closed", "refusal")
"""It ended; it did not answer in time; its answer was none; it closed its output; it answered that it cannot."""

LONGEST_ANSWER = 1_000_000
"""Bytes; a dump of everything about a 19x19 position is a tenth of it."""

KEPT_COMPLAINTS = 20
"""Last lines of standard error that a message can quote."""

OTHER_PLACES = ("/usr/games", "/usr/local/games")
"""Where Debian keeps games, which is not always on the path."""


class EngineFault(TengenError):
    """An engine that did not do its part."""

    def __init__(self, reason: str, message: str):
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple:
        return EngineFault, (self.reason, str(self))


def find_program(command: str) -> list[str]:
    """The words of a command line, with the program's full path; TengenError if there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise TengenError(f"the command {shortened(command)} cannot be read: {str(error).lower()}") from None
    if not words:
        raise TengenError("an engine needs a command to start it")
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), *OTHER_PLACES))
    found = shutil.which(words[0], path=path)
    if found is None:
        raise TengenError(f"there is no program {shortened(words[0], 160)} to start as an engine")
    return [found, *words[1:]]


class GtpEngine:
    """One running engine, or none: `start` and `close` may be called again and again."""

    def __init__(self, words: list[str]):
        self.words = words
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._complaints: deque[str] = deque(maxlen=KEPT_COMPLAINTS)
        self._complaining: threading.Thread | None = None
        self._known: dict[str, bool] = {}

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the program, in place of the one that may be running. In a session of its own, so that an interrupt
        typed at a terminal reaches only us, and what it starts itself can be ended with it.
        """
        self.close()
        self._lines, self._complaints, self._known = queue.Queue(10_000), deque(maxlen=KEPT_COMPLAINTS), {}
        try:
            process = subprocess.Popen(
                self.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise EngineFault("crash", f"{self.words[0]} cannot be started: {error.strerror}") from None
        self._process = process
        threading.Thread(target=self._read_answers, args=(process,), daemon=True).start()
        self._complaining = threading.Thread(target=self._read_complaints, args=(process,), daemon=True)
        self._complaining.start()

    def _read_answers(self, process: subprocess.Popen[bytes]) -> None:
        """Hand on every line of standard output, and None at its end."""
        lines = self._lines
        assert process.stdout is not None
        with process.stdout as pipe:
            while line := pipe.readline(LONGEST_ANSWER + 1):
                lines.put(line)
        lines.put(None)

    def _read_complaints(self, process: subprocess.Popen[bytes]) -> None:
        complaints = self._complaints
        assert process.stderr is not None
        with process.stderr as pipe:
            while line := pipe.readline(1000):
                complaints.append(line.decode(errors="replace").rstrip())

    @property
    def complaints(self) -> str:
        """The last lines that the engine wrote to standard error."""
        return "\n".join(self._complaints)

    def ask(self, command: str, timeout: float) -> str:
        """Send a command and return the answer, without the sign that it succeeded.

        Raises an EngineFault: 'refusal' if the engine says that it failed, and then it is still running; else what
        ended it.
        """
        process = self._process
        if process is None:
            raise EngineFault("crash", f"{self.words[0]} is not running")
        assert process.stdin is not None
        try:
            process.stdin.write(command.encode() + b"\n")
            process.stdin.flush()
        except (OSError, ValueError):
            self._fail(self._ending(), command)
        answer = self._answer(command, time.monotonic() + timeout, timeout)
        sign, text = answer[:1], re.sub(r"^\d+", "", answer[1:]).strip()
        if sign == "=":
            return text
        if sign == "?":
            raise EngineFault("refusal", f"the engine refused {shortened(command)}: {shortened(text, 160)}")
        self._fail("garbage", command, answer)

    def _answer(self, command: str, deadline: float, timeout: float) -> str:
        """The lines up to the first empty one after them."""
        lines: list[str] = []
        size = 0
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                self._fail("hang", command, f"no answer within {timeout:g} s")
            if line is None:
                self._fail(self._ending(), command)
            size += len(line)
            text = line.decode(errors="replace").replace("\t", " ").strip("\r\n ")
            if size > LONGEST_ANSWER or (lines == [] and text and text[0] not in "=?"):
                self._fail("garbage", command, text)
            if text:
                lines.append(text)
            elif lines:
                return "\n".join(lines)

    def _ending(self) -> str:
        """Whether an engine whose pipe ended has ended itself, or only closed its output."""
        assert self._process is not None
        try:
            self._process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            return "closed"
        return "crash"

    def _fail(self, reason: str, command: str, detail: str = "") -> NoReturn:
        """End the engine and say why, with its own last words."""
        code = None if self._process is None else self._process.poll()
        what = {
            "crash": f"the engine ended with exit code {code} at",
            "hang": "the engine did not answer",
            "garbage": f"the engine answered {shortened(detail, 160)}, which is no answer, to",
            "closed": "the engine closed its output at",
        }[reason]
        detail = f" ({detail})" if reason == "hang" else ""
        self.kill()
        if self._complaining is not None:
            self._complaining.join(timeout=1.0)
        said = f"; its last words: {shortened(self.complaints[-400:], 400)}" if self.complaints else ""
        raise EngineFault(reason, f"{what} {shortened(command)}{detail}{said}")

    def knows(self, command: str, timeout: float) -> bool:
        """Whether the engine has a command, by its own word."""
        if command not in self._known:
            try:
                self._known[command] = self.ask(f"known_command {command}", timeout).lower() == "true"
            except EngineFault as fault:
                if fault.reason != "refusal":
                    raise
                self._known[command] = False
        return self._known[command]

    def close(self) -> None:
        """Let the engine quit; end it if it does not."""
        if self._process is None:
            return
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(b"quit\n")
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1.0)
        self.kill()

    def kill(self) -> None:
        """End the engine and what it has started, at once."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()
        assert process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # what is left to write has nobody to read it
            process.stdin.close()
