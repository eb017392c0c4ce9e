"""A program that speaks the Go Text Protocol, started and controlled.

Nothing here knows a game. A command either returns the engine's answer, or raises an EngineFault whose `reason` is one
of FAULTS; after any fault but a refusal the engine is gone, and `start` makes a new one.
"""

import os
import re
import shlex
import shutil
import threading
import time
from collections.abc import Callable
from typing import NoReturn

from tengen.engines.process import EngineProcess
from tengen.errors import TengenError, shortened

FAULTS = ("crash", "hang", "garbage", "closed", "refusal")
"""The program ended; it did not take a command or answer it in time; its output was not an answer to the command; it
closed its input or output; it answered that it cannot."""

LONGEST_ANSWER = 1_000_000
"""Bytes; a dump of everything about a 19x19 position is a tenth of it."""

QUOTED_ERRORS = 400
"""Characters of standard error that a message quotes."""

POLL = 0.25
"""Seconds between two checks whether a silent program still runs: a child may keep the pipes of one that ended open."""

ENDING = 1.0
"""Seconds to wait for the end of a program that closed a pipe, to tell a crash from a closed pipe."""

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

    def __init__(self, words: list[str], now: Callable[[], float] = time.monotonic):
        """`now` tells the time in seconds, for the limits of commands."""
        self.words, self._now = words, now
        self._process: EngineProcess | None = None
        self._using = threading.RLock()
        self._known: dict[str, bool] = {}

    @property
    def is_started(self) -> bool:
        """Whether there is a program to ask. It may have ended since; the next command then fails with a crash."""
        return self._process is not None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.exit_code is None

    def start(self) -> None:
        """Start the program, in place of the one that may be running."""
        self.close()
        self._known = {}
        try:
            self._process = EngineProcess(self.words)
        except OSError as error:
            raise EngineFault("crash", f"{self.words[0]} cannot be started: {error.strerror}") from None

    def ask(self, command: str, timeout: float) -> str:
        """Send a command and return the answer, without the sign that it succeeded.

        `timeout` is the limit in seconds for both: the engine must take the command and answer it. Raises an
        EngineFault: 'refusal' if the engine says that it failed, and then it is still running; else what ended it.
        """
        with self._using:
            process = self._process
            if process is None:
                raise EngineFault("crash", f"{self.words[0]} is not running")
            process.step(0.0)
            if unasked := process.output.strip():
                self._fail("garbage", command, f"wrote {_quoted(unasked)} before the command")
            process.send(command.encode() + b"\n")
            answer = self._answer(process, command, timeout)
        sign, text = answer[0], re.sub(r"^[0-9]+", "", answer[1:]).strip()
        if sign == "?":
            raise EngineFault("refusal", f"the engine refused {shortened(command)}: {shortened(text, 160)}")
        return text

    def _answer(self, process: EngineProcess, command: str, timeout: float) -> str:
        """The lines up to the first empty one after them, in which a line of blanks counts as empty."""
        deadline = self._now() + timeout
        answer, blank = bytearray(), 0
        while True:
            while (line := process.take_line()) is not None:
                text = line.strip(b" \t\r\n")
                if not answer and text[:1] not in (b"", b"=", b"?"):
                    self._fail("garbage", command, f"answered {_quoted(line)}")
                if answer and not text:
                    if process.unsent:
                        self._fail("garbage", command, f"answered {_quoted(answer)} before it had read the command")
                    return answer.decode(errors="replace").replace("\t", " ")
                answer += b"\n" * bool(answer) + text
                blank += len(line) - len(text)
                if len(answer) + blank > LONGEST_ANSWER:
                    break
            if len(answer) + blank + process.held > LONGEST_ANSWER:
                said = _quoted(answer or process.output)
                self._fail("garbage", command, f"answered more than {LONGEST_ANSWER} bytes, {said},")
            self._await_more(process, command, deadline, timeout)

    def _await_more(self, process: EngineProcess, command: str, deadline: float, timeout: float) -> None:
        """Wait until more bytes have moved; fails when none can, or the time is up."""
        if not process.has_output or (process.unsent and not process.has_input):
            closed = "output" if not process.has_output else "input"
            self._fail("crash" if process.wait(ENDING) is not None else "closed", command, f"closed its {closed}")
        left = deadline - self._now()
        if left <= 0:
            what = "did not read the command" if process.unsent else "did not answer"
            self._fail("hang", command, f"{what} within {timeout:.3g} s")
        has_ended = process.exit_code is not None
        if not process.step(min(left, POLL)) and has_ended:
            self._fail("crash", command)

    def _fail(self, reason: str, command: str, detail: str = "") -> NoReturn:
        """End the engine and raise an EngineFault that quotes the end of its standard error."""
        process = self._process
        assert process is not None
        if reason == "crash":
            detail = f"ended with exit code {process.exit_code}"
        process.step(0.0)
        self.kill()
        quoted = f"; its standard error: {shortened(process.errors[-QUOTED_ERRORS:], QUOTED_ERRORS)}"
        raise EngineFault(reason, f"the engine {detail} at {shortened(command)}{quoted if process.errors else ''}")

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
        with self._using:
            if self._process is not None:
                self._process.quit(b"quit\n")
                self.kill()

    def kill(self) -> None:
        """End the engine and its children at once.

        May be called by any thread: while another one waits for an answer, that one closes the pipes.
        """
        process = self._process
        if process is None:
            return
        process.kill()
        if self._using.acquire(blocking=False):
            try:
                self._process = None
                process.end()
            finally:
                self._using.release()


def _quoted(output: bytes | bytearray) -> str:
    return shortened(output[:1000].decode(errors="replace").strip(), 160)
