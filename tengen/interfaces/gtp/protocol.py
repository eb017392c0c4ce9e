"""The Go Text Protocol, version 2, from the engine's side: lines in, answers out. Nothing here knows a game.

A command is a function that takes the words after its name and returns the answer, or raises a refusal. A stream is one
that gets a Reply too, on which it writes lines as they come. Commands are answered in the order in which they arrive,
whenever that was; a thread reads ahead, so that a long command can see that somebody is waiting.
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
"""Bytes. GoGui sends whole games in one line; no game comes near this."""
MOST_QUEUED = 4_000_000
"""Bytes of lines that wait to be answered; above it, no more are read until some are."""
LINE_OVERHEAD = 100
"""Bytes that a line takes in the queue besides its text."""
CONTROL_CHARACTERS = {code: None for code in (*range(32), 127) if code != 9} | {9: " "}
NUMBERED = re.compile(r"([0-9]+)(?: +|$)")
INTERRUPT = "# interrupt"
"""GoGui's comment that asks for an end of the command under way."""


class CommandError(Exception):
    """What a command answers when it cannot do what it was asked."""


class End(Exception):
    """The conversation cannot go on."""


class Closed(End):
    """Nobody listens any more."""


@dataclass(frozen=True)
class Request:
    """One command: its number, if it has one, its name, and the words after it."""

    number: str
    name: str
    arguments: list[str]


def parse_request(line: str) -> Request | None:
    """What a line asks for; None if it is empty or a comment.

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
    """A message that may stand in an answer."""
    return " ".join(str(text).split()) or "no reason was given"


class Reply:
    """The answer to one command, written piece by piece: either lines after a sign of success, or one line of failure.

    An empty line would end it early, so none is ever written inside it.
    """

    def __init__(self, number: str, write: Callable[[str], None]):
        self._number, self._write = number, write
        self.has_begun = False

    def begin(self) -> None:
        """Say that the command succeeds, before there is anything to tell."""
        self._say("=", "")

    def line(self, text: str) -> None:
        """One more line."""
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
        """The whole answer; an answer that has begun can only end."""
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
    """Lines, read ahead of the commands that work on them, up to MOST_QUEUED bytes.

    Lines are numbered. An interrupt that comes in as a line is meant for the commands that were read before it.
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
        """Whether the input ended while it was open for more: its client has gone."""

    def feed(self, pieces: Iterable[bytes | None]) -> None:
        """Take bytes in pieces of any size, to their end; None stands for a pause.

        Waits before a piece as long as the queue is full. An end without a pause before it is that of a batch, whose
        commands are all carried out. An end after a pause means that the client has gone: the command under way and
        those that wait are interrupted.
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
        """Add one line that has come in."""
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
        """Note that no more lines will come."""
        with self._changed:
            self._closed, self.is_abandoned = True, abandoned
            if abandoned:
                self._interrupted = self._read
            self._changed.notify_all()

    def next(self) -> str | None:
        """The next line, waited for; None at the end."""
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
        """Whether there is another line, or the end."""
        return self._closed or bool(self._lines)

    @property
    def is_interrupted(self) -> bool:
        """Whether the command under way was asked to end."""
        return self._interrupted >= self._current

    def interrupt(self) -> None:
        """Ask the command under way to end."""
        self._interrupted = self._current


class Conversation:
    """Answers commands until it is told to quit, or nobody is there any more."""

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
        """More commands; one of a known name takes its place."""
        self._commands |= commands
        self._streams |= streams or {}

    def add_later(self, more: Callable[[], tuple[dict[str, Command], dict[str, Stream]]]) -> None:
        """Let `more` give further commands and streams when all names, or one that is not yet known, are asked for."""
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
        """Answer until the end. While nobody asks anything, `idle` is called as long as it says that it has more to do.

        Raises an End if it cannot be gone on with.
        """
        while not self._quit:
            while not self.input.is_waiting and idle():
                pass
            line = self.input.next()
            if line is None:
                return
            self.answer(line)

    def answer(self, line: str) -> None:
        """Answer one line; nothing if there is no command in it."""
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
        """Keep a line of the conversation, if there is a log."""
        if self._log is not None:
            self._log.write(f"{time.strftime('%H:%M:%S')} {direction} {line}".rstrip() + "\n")
            self._log.flush()


def read_ahead(
    conversation: Conversation, pieces: Iterable[bytes | None], abandon: Callable[[], object] = lambda: None
) -> threading.Thread:
    """Start the thread that takes the bytes as they come. `abandon` is called when the client has gone."""

    def read() -> None:
        conversation.input.feed(pieces)
        if conversation.input.is_abandoned:
            abandon()

    thread = threading.Thread(target=read, daemon=True, name="gtp-input")
    thread.start()
    return thread
