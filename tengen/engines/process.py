"""A child process with piped standard streams, without threads and with bounded buffers.

Independent of any protocol. All three pipes are non-blocking: `step` waits until one of them is ready and reads or
writes. Output is read only during `step`, and at most about `MOST_OUTPUT` bytes of it are held; further output stays
in the pipe, and blocks the program when the pipe is full. Needs a POSIX system.
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
"""Limit in bytes of the standard output that is held; reading pauses above it."""

KEPT_ERRORS = 4000
"""Number of bytes kept of the end of standard error."""

PIECE = 65_536
"""Bytes per read or write: the size of a pipe on Linux."""

QUIT_SECONDS = 1.0
"""Seconds that a program has to end by itself once its input is closed."""

KILL_ROUNDS = 3
"""How often processes that hold a killed program's output are searched for: one may fork while it is being killed."""


class EngineProcess:
    """A running program, from its start to `end`."""

    def __init__(self, words: list[str]):
        """Start the program; raise OSError if that fails.

        It runs in a new session, so that an interrupt typed at a terminal does not reach it, and its children can be
        killed with it.
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
        """Bytes passed to `send` that are not yet written to the pipe."""

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
        """Output that was read and not yet returned by `take_line`."""
        return bytes(self._output)

    @property
    def held(self) -> int:
        """Number of bytes in `output`."""
        return len(self._output)

    def send(self, data: bytes) -> None:
        """Queue bytes, to be written by the following calls of `step`."""
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
        """Wait up to `seconds` until a pipe is ready, then read and write as much as possible without blocking.

        Returns whether a pipe was ready, including for the end of its stream.
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
        """Write to or read from a pipe that is ready. A pipe whose other end is closed is removed from `_open`."""
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
        """Wait up to `seconds` for the program to end; return its exit code, or None if it still runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(timeout=seconds)
        return None

    def quit(self, farewell: bytes) -> None:
        """Send the last bytes, close the program's input and wait up to `QUIT_SECONDS` for it to end."""
        self.send(farewell)
        deadline = time.monotonic() + QUIT_SECONDS
        while self.exit_code is None and (left := deadline - time.monotonic()) > 0:
            if not (self.unsent and self.has_input) and not self._pipes[0].closed:
                self._open.discard(self._stdin)
                self._pipes[0].close()
            self._output.clear()
            self.step(min(left, 0.02))

    def kill(self) -> None:
        """Kill the program and its process group. Closes no pipes, so any thread may call it."""
        with contextlib.suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        self.wait(QUIT_SECONDS)

    def end(self) -> None:
        """Kill the program and its children, and close the pipes.

        On Linux this includes processes that have left the group but still hold the program's output, such as a child
        that called setsid. A child that has closed the output is a daemon and is not killed.
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
        """Discard the last output of a killed program; return whether another process still holds the pipe."""
        self.unsent = b""
        self._output.clear()
        for _ in range(MOST_OUTPUT // PIECE):
            if not self.has_output or not self.step(0.0):
                break
            self._output.clear()
        return self.has_output


def _writers(descriptor: int) -> list[int]:
    """Return the ids of the other processes that can write to the pipe of a descriptor; none without /proc."""
    name = f"pipe:[{os.fstat(descriptor).st_ino}]"
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or belongs to another user
            if int(folder.name) != os.getpid() and any(_is_writer(entry, name) for entry in (folder / "fd").iterdir()):
                found.append(int(folder.name))
    return found


def _is_writer(entry: Path, name: str) -> bool:
    """Whether an entry of /proc/PID/fd is the writing end of the named pipe; its link then has write permission."""
    try:
        return os.readlink(entry) == name and bool(entry.lstat().st_mode & stat.S_IWUSR)
    except OSError:
        return False
