"""The controller's side of the Go Text Protocol (GTP): start an engine and send it commands.

Independent of any game. A command either returns the engine's answer, or raises an EngineFault whose `reason` is one
of FAULTS; after any fault other than a refusal the engine has been ended, and `start` starts a new one.
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
"""In this order: the program ended; it did not read or answer a command in time; its output was not an answer to the
command; it closed its input or output; it answered with a GTP error ('?')."""

LONGEST_ANSWER = 1_000_000
"""Limit of an answer in bytes; a dump of all statistics of a 19x19 position takes a tenth of it."""

QUOTED_ERRORS = 400
"""Characters of standard error that a message quotes."""

POLL = 0.25
"""Seconds between two checks whether a silent program still runs: a child may keep the pipes of one that ended open."""

ENDING = 1.0
"""Seconds to wait for the end of a program that closed a pipe, to tell a crash from a closed pipe."""

OTHER_PLACES = ("/usr/games", "/usr/local/games")
"""Debian's folders for games, which are not always on the path."""


class EngineFault(TengenError):
    """An engine crashed, hung, refused a command or broke the protocol; `reason` is one of FAULTS."""

    def __init__(self, reason: str, message: str):
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple:
        return EngineFault, (self.reason, str(self))


def find_program(command: str) -> list[str]:
    """Split a command line into words and replace the program by its full path; TengenError if it is not found."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise TengenError(f"the command {shortened(command)} cannot be parsed: {str(error).lower()}") from None
    if not words:
        raise TengenError("the command that starts the engine is empty")
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), *OTHER_PLACES))
    found = shutil.which(words[0], path=path)
    if found is None:
        raise TengenError(f"the engine's program {shortened(words[0], 160)} is not found")
    return [found, *words[1:]]


class GtpEngine:
    """An engine that can be started and closed repeatedly; at most one process runs at a time."""

    def __init__(self, words: list[str], now: Callable[[], float] = time.monotonic):
        """`now` tells the time in seconds, for the limits of commands."""
        self.words, self._now = words, now
        self._process: EngineProcess | None = None
        self._using = threading.RLock()
        self._known: dict[str, bool] = {}

    @property
    def is_started(self) -> bool:
        """Whether the program was started and not closed. If it has ended since, the next command raises a fault."""
        return self._process is not None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.exit_code is None

    def start(self) -> None:
        """Start the program; one that is running is closed first."""
        self.close()
        self._known = {}
        try:
            self._process = EngineProcess(self.words)
        except OSError as error:
            raise EngineFault("crash", f"{self.words[0]} cannot be started: {error.strerror}") from None

    def ask(self, command: str, timeout: float) -> str:
        """Send a command and return the answer, without the leading '='.

        `timeout` is the limit in seconds for reading the command and answering it. Raises EngineFault: 'refusal' if
        the engine answers with an error, in which case it is still running; any other reason if it was ended.
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
        """Return the lines up to the first empty or blank line after them."""
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
        """Wait until bytes were read or written; raise EngineFault if a pipe is closed or the time is up."""
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
        """Whether the engine has a command, according to its `known_command`."""
        if command not in self._known:
            try:
                self._known[command] = self.ask(f"known_command {command}", timeout).lower() == "true"
            except EngineFault as fault:
                if fault.reason != "refusal":
                    raise
                self._known[command] = False
        return self._known[command]

    def close(self) -> None:
        """Send `quit`; kill the engine if it does not end."""
        with self._using:
            if self._process is not None:
                self._process.quit(b"quit\n")
                self.kill()

    def kill(self) -> None:
        """Kill the engine and its children.

        Any thread may call this. If another thread is waiting for an answer, that thread closes the pipes.
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
