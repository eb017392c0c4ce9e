"""A program that runs with its standard streams connected to us, without threads and with bounded buffers.

Nothing here knows a protocol. All three pipes are non-blocking: `step` waits until one of them is ready and moves
bytes. Output is read only while somebody waits for it, and no more than `MOST_OUTPUT` bytes of it are held; what a
program writes beyond that stays in its pipe until the program itself has to wait. Needs a POSIX system.
"""

import contextlib
import os
import selectors
import signal
import stat
import subprocess
import time
from pathlib import Path

MOST_OUTPUT = 1_000_000
"""Bytes of standard output that are held; reading pauses above it."""

KEPT_ERRORS = 4000
"""Last bytes of standard error that are held."""

PIECE = 65_536
"""Bytes that one read takes: the size of a pipe on Linux."""

QUIT_SECONDS = 1.0
"""Seconds that a program has to end by itself once its input is closed."""

KILL_ROUNDS = 3
"""How often holders of a killed program's output are looked for: one may fork while it is being killed."""


class EngineProcess:
    """A running program, from its start to `end`."""

    def __init__(self, words: list[str]):
        """Start the program; OSError if that fails.

        It gets a session of its own, so that an interrupt typed at a terminal reaches only us, and its children can
        be ended with it.
        """
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in self._pipes)
        self._open = {self._stdin, self._stdout, self._stderr}
        for descriptor in self._open:
            os.set_blocking(descriptor, False)
        self._output, self._errors, self._searched = bytearray(), b"", 0
        self.unsent = b""
        """Bytes that were sent and that the program has not taken yet."""

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code, negative for a signal; None while the program runs."""
        return self._process.poll()

    @property
    def has_input(self) -> bool:
        """Whether the program can still be written to."""
        return self._stdin in self._open

    @property
    def has_output(self) -> bool:
        """Whether the program, or a child of it, can still write to standard output."""
        return self._stdout in self._open

    @property
    def errors(self) -> str:
        """The last lines of standard error."""
        return self._errors.decode(errors="replace").strip()

    @property
    def output(self) -> bytes:
        """Output that was read and not yet taken."""
        return bytes(self._output)

    @property
    def held(self) -> int:
        """Bytes of output that were read and not yet taken."""
        return len(self._output)

    def send(self, data: bytes) -> None:
        """Have bytes written by the following steps."""
        self.unsent += data

    def take_line(self) -> bytes | None:
        """Remove and return the first line of the held output; None if no line is complete."""
        end = self._output.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._output)
            return None
        line = bytes(self._output[: end + 1])
        del self._output[: end + 1]
        self._searched = 0
        return line

    def step(self, seconds: float) -> bool:
        """Wait up to `seconds` until a pipe is ready, then read and write what is possible.

        Returns whether anything happened; the end of a stream counts.
        """
        with selectors.DefaultSelector() as selector:
            if self.unsent and self._stdin in self._open:
                selector.register(self._stdin, selectors.EVENT_WRITE)
            if self._stdout in self._open and len(self._output) <= MOST_OUTPUT:
                selector.register(self._stdout, selectors.EVENT_READ)
            if self._stderr in self._open:
                selector.register(self._stderr, selectors.EVENT_READ)
            if not selector.get_map():
                time.sleep(max(0.0, seconds))
                return False
            ready = [key.fd for key, _ in selector.select(max(0.0, seconds))]
        for descriptor in ready:
            self._move(descriptor)
        return bool(ready)

    def _move(self, descriptor: int) -> None:
        """Write to or read from a pipe that is ready. One whose other end is closed is used no more."""
        try:
            if descriptor == self._stdin:
                self.unsent = self.unsent[os.write(descriptor, self.unsent[:PIECE]) :]
                return
            piece = os.read(descriptor, PIECE)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if not piece:
            self._open.discard(descriptor)
        elif descriptor == self._stdout:
            self._output += piece
        else:
            self._errors = (self._errors + piece)[-KEPT_ERRORS:]

    def wait(self, seconds: float) -> int | None:
        """The exit code, waited for up to `seconds`; None if the program still runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(timeout=seconds)
        return None

    def quit(self, farewell: bytes) -> None:
        """Send the last bytes, close the program's input and give it time to end by itself."""
        self.send(farewell)
        deadline = time.monotonic() + QUIT_SECONDS
        while self.exit_code is None and (left := deadline - time.monotonic()) > 0:
            if not (self.unsent and self.has_input) and not self._pipes[0].closed:
                self._open.discard(self._stdin)
                self._pipes[0].close()
            self._output.clear()
            self.step(min(left, 0.02))

    def kill(self) -> None:
        """End the program and its process group at once. Closes nothing, so that any thread may call it."""
        with contextlib.suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        self.wait(QUIT_SECONDS)

    def end(self) -> None:
        """End the program and its children at once, and close the pipes.

        Also ends processes that left the group but still hold the program's output, as a child that called setsid
        does; only Linux tells which these are. A child that gave up the output is a daemon, and is left alone.
        """
        self.kill()
        for _ in range(KILL_ROUNDS):
            if not self._drain():
                break
            for holder in _writers(self._stdout):
                with contextlib.suppress(OSError):
                    os.kill(holder, signal.SIGKILL)
            self.step(0.1)
        for pipe in self._pipes:
            with contextlib.suppress(OSError):
                pipe.close()
        self._open.clear()

    def _drain(self) -> bool:
        """Read the last output of a killed program; returns whether another process still holds the pipe."""
        self.unsent = b""
        self._output.clear()
        for _ in range(MOST_OUTPUT // PIECE):
            if not self.has_output or not self.step(0.0):
                break
            self._output.clear()
        return self.has_output


def _writers(descriptor: int) -> list[int]:
    """The other processes that can write to the pipe of a descriptor; none where there is no /proc."""
    name = f"pipe:[{os.fstat(descriptor).st_ino}]"
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or belongs to another user
            if int(folder.name) != os.getpid() and any(_is_writer(entry, name) for entry in (folder / "fd").iterdir()):
                found.append(int(folder.name))
    return found


def _is_writer(entry: Path, name: str) -> bool:
    """Whether an entry of /proc/PID/fd is the writing end of the pipe of a name: its link then has that permission."""
    try:
        return os.readlink(entry) == name and bool(entry.lstat().st_mode & stat.S_IWUSR)
    except OSError:
        return False
