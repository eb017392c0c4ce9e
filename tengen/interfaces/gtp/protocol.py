"""The engine's side of the Go Text Protocol, version 2: input lines and answers, independent of the game.

A command is a function that takes the words after its name and returns the answer, or raises CommandError. A stream
also gets a Reply, on which it writes lines over time. Commands are answered in the order of their arrival; a thread
reads ahead, so that a long command can check for further input.
"""

import re
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TextIO

from tengen.errors import shortened

VERSION = "2"
LONGEST_LINE = 1_000_000
"""Maximum length of a line in bytes. GoGui sends a whole game in one line, which is far shorter."""
MOST_QUEUED = 4_000_000
"""Maximum size of the queue of unanswered lines in bytes; reading pauses while it is full."""
LINE_OVERHEAD = 100
"""Bytes that a queued line takes in addition to its text."""
CONTROL_CHARACTERS = {code: None for code in (*range(32), 127) if code != 9} | {9: " "}
NUMBERED = re.compile(r"([0-9]+)(?: +|$)")
INTERRUPT = "# interrupt"
"""GoGui's comment that interrupts the running command."""


class CommandError(Exception):
    """The error answer of a command."""


class End(Exception):
    """The conversation must end."""


class Closed(End):
    """The client has gone."""


@dataclass(frozen=True)
class Request:
    """One command: its number (empty if it has none), its name and its arguments."""

    number: str
    name: str
    arguments: list[str]


def parse_request(line: str) -> Request | None:
    """Parse a line; return None if it is empty or a comment.

    >>> parse_request("17 play b D4 # a good move")
    Request(number='17', name='play', arguments=['b', 'D4'])
    """
    text = line.translate(CONTROL_CHARACTERS).partition("#")[0].strip()
    if not text:
        return None
    numbered = NUMBERED.match(text)
    number, rest = (numbered[1], text[numbered.end() :]) if numbered else ("", text)
    name, _, arguments = rest.partition(" ")
    return Request(number, name, arguments.split())


def in_one_line(text: object) -> str:
    """Return a message as a single line, which an answer may contain."""
    return " ".join(str(text).split()) or "no reason was given"


class Reply:
    """The answer to one command: '=' and lines that may be written over time, or '?' and one line.

    An empty line would end the answer, so none is written inside it.
    """

    def __init__(self, number: str, write: Callable[[str], None]):
        self._number, self._write = number, write
        self.has_begun = False

    def begin(self) -> None:
        """Write the '=' of success before the first line of the answer is known."""
        self._say("=", "")

    def line(self, text: str) -> None:
        """Write one more line."""
        if not self.has_begun:
            self.begin()
        self._write(in_one_line(text) + "\n")

    def succeed(self, text: str) -> None:
        """Write the whole answer, or the end of one that has begun.

        A text that begins with a line feed is written below the line of the '='.
        """
        if not self.has_begun:
            lines = [line.rstrip() for line in text.splitlines()]
            below = "\n" if lines and not lines[0] else ""
            self._say("=", below + "\n".join(line for line in lines if line))
        self._write("\n")

    def fail(self, reason: str) -> None:
        """Write an error answer; an answer that has begun is only ended."""
        if not self.has_begun:
            self._say("?", in_one_line(reason))
        self._write("\n")

    def _say(self, sign: str, text: str) -> None:
        self.has_begun = True
        space = "" if text.startswith("\n") else " "
        self._write(f"{sign}{self._number}{space}{text}".rstrip() + "\n")


Command = Callable[[list[str]], str]
Stream = Callable[[list[str], Reply], None]


class Input:
    """A queue of input lines that are read ahead, up to MOST_QUEUED bytes.

    Lines are numbered. An interrupt that arrives as a line applies to the commands that were read before it.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._lines: deque[tuple[int, str]] = deque()
        self._queued = 0
        self._read = 0
        self._current = 0
        self._interrupted = -1
        self._closed = False
        self.is_abandoned = False
        """Whether the input ended after a pause, which means that the client has gone."""

    def feed(self, pieces: Iterable[bytes | None]) -> None:
        """Read bytes in pieces of any size until the end; None stands for a pause.

        Waits before each piece while the queue is full. An end without a pause before it is the end of a batch, whose
        commands are all executed. An end after a pause means that the client has gone: the running command and the
        queued ones are interrupted.
        """
        rest, has_paused = bytearray(), False
        for piece in pieces:
            has_paused = piece is None
            if piece is None:
                continue
            self._wait_for_room()
            first, *others = piece.split(b"\n")
            if len(rest) <= LONGEST_LINE:
                rest += first
            for line in others:
                self.put(bytes(rest))
                rest = bytearray(line)
        if rest:
            self.put(bytes(rest))
        self.close(abandoned=has_paused)

    def _wait_for_room(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._queued < MOST_QUEUED)

    def put(self, line: bytes) -> None:
        """Add one line to the queue."""
        text = line.decode(errors="replace") if len(line) <= LONGEST_LINE else "too_long_a_line"
        with self._changed:
            if text.strip() == INTERRUPT:
                self._interrupted = self._read
                return
            self._read += 1
            self._queued += len(text) + LINE_OVERHEAD
            self._lines.append((self._read, text))
            self._changed.notify_all()

    def close(self, abandoned: bool = False) -> None:
        """Mark the end of the input."""
        with self._changed:
            self._closed, self.is_abandoned = True, abandoned
            if abandoned:
                self._interrupted = self._read
            self._changed.notify_all()

    def next(self) -> str | None:
        """Wait for the next line and return it; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._closed)
            if not self._lines:
                return None
            self._current, text = self._lines.popleft()
            self._queued -= len(text) + LINE_OVERHEAD
            self._changed.notify_all()
        return text

    @property
    def is_waiting(self) -> bool:
        """Whether another line or the end of the input has arrived."""
        return self._closed or bool(self._lines)

    @property
    def is_interrupted(self) -> bool:
        """Whether the running command was interrupted."""
        return self._interrupted >= self._current

    def interrupt(self) -> None:
        """Interrupt the running command."""
        self._interrupted = self._current


class Conversation:
    """Answers commands until `quit` or the end of the input."""

    def __init__(
        self,
        write: Callable[[str], None],
        name: str,
        version: str,
        refusals: tuple[type[Exception], ...] = (),
        log: TextIO | None = None,
    ):
        self.input = Input()
        self.is_busy = False
        self._write_out, self._log = write, log
        self._refusals: tuple[type[Exception], ...] = (CommandError, *refusals)
        self._quit = False
        self._commands: dict[str, Command] = {}
        self._streams: dict[str, Stream] = {}
        self._more: Callable[[], tuple[dict[str, Command], dict[str, Stream]]] | None = None
        self.add(
            {
                "protocol_version": lambda _: VERSION,
                "name": lambda _: name,
                "version": lambda _: version,
                "list_commands": lambda _: "\n".join(self.names),
                "known_command": self._known_command,
                "quit": self._quit_command,
            }
        )

    @property
    def names(self) -> list[str]:
        self._add_more()
        return sorted((*self._commands, *self._streams))

    def add(self, commands: dict[str, Command], streams: dict[str, Stream] | None = None) -> None:
        """Add commands; they replace earlier ones of the same name."""
        self._commands |= commands
        self._streams |= streams or {}

    def add_later(self, more: Callable[[], tuple[dict[str, Command], dict[str, Stream]]]) -> None:
        """Register a function that returns further commands and streams, called when an unknown name is looked up."""
        self._more = more

    def _add_more(self) -> None:
        if self._more is not None:
            self.add(*self._more())
            self._more = None

    def _knows(self, name: str) -> bool:
        return name in self._commands or name in self._streams or name in self.names

    def _known_command(self, arguments: list[str]) -> str:
        return str(len(arguments) == 1 and self._knows(arguments[0])).lower()

    def _quit_command(self, arguments: list[str]) -> str:
        self._quit = True
        return ""

    def run(self, idle: Callable[[], bool] = lambda: False) -> None:
        """Answer until the end. While no line waits, `idle` is called as long as it returns True.

        Raises End if the conversation must end early.
        """
        while not self._quit:
            while not self.input.is_waiting and idle():
                pass
            line = self.input.next()
            if line is None:
                return
            self.answer(line)

    def answer(self, line: str) -> None:
        """Answer one line; write nothing if it has no command."""
        self._note(">", line)
        request = parse_request(line)
        if request is None:
            return
        reply = Reply(request.number, self._write)
        self.is_busy = True
        try:
            reply.succeed(self._execute(request, reply))
        except self._refusals as error:
            reply.fail(str(error))
        except End:
            raise
        except MemoryError as error:
            reply.fail(f"not enough memory: {shortened(error, 80)}")
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            reply.fail(f"internal error: {type(error).__name__}: {error}")
        finally:
            self.is_busy = False

    def _execute(self, request: Request, reply: Reply) -> str:
        if not self._knows(request.name):
            raise CommandError("unknown command")
        if stream := self._streams.get(request.name):
            stream(request.arguments, reply)
            return ""
        return self._commands[request.name](request.arguments)

    def _write(self, text: str) -> None:
        for line in text.splitlines():
            self._note("<", line)
        self._write_out(text)

    def _note(self, direction: str, line: str) -> None:
        """Write a line of the conversation to the log, if there is one."""
        if self._log is not None:
            self._log.write(f"{time.strftime('%H:%M:%S')} {direction} {line}".rstrip() + "\n")
            self._log.flush()


def read_ahead(
    conversation: Conversation, pieces: Iterable[bytes | None], abandon: Callable[[], object] = lambda: None
) -> threading.Thread:
    """Start the thread that reads the input. `abandon` is called when the client has gone."""

    def read() -> None:
        conversation.input.feed(pieces)
        if conversation.input.is_abandoned:
            abandon()

    thread = threading.Thread(target=read, daemon=True, name="gtp-input")
    thread.start()
    return thread
