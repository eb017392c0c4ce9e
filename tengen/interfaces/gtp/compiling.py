"""Compiles in the background what the player needs, before a command has to wait for it.

On a cold cache the kernels of a search take about half a minute for each kind of board. Numba compiles one kernel at a
time, so a command that needs one meanwhile waits for the kernel being compiled. Nothing heavy is imported until then.
"""

import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from tengen.interfaces.gtp.protocol import Closed

if TYPE_CHECKING:
    from tengen.games.game import Game
    from tengen.players import PlayerSpec

    Job = tuple[PlayerSpec, Game]

FIRST_DELAY = 1.0
"""Seconds that a client has to name a board size before the usual one is compiled: most clients do so at once."""

POLL = 0.1
"""Seconds between two checks of a command that waits."""


def compile_for(spec: "PlayerSpec", game: "Game") -> None:
    """Compile what a player needs for a game; first the board's own kernels, which every command uses."""
    from tengen.arena.worker import make_ready
    from tengen.jit import COMPILED

    if not COMPILED:
        return
    position = game.start()
    position.play(position.legal_moves()[-1]).copy().undo()
    _ = position.diagram(), position.is_over, position.score
    make_ready(spec, game)


def say_waiting(game: "Game") -> None:
    """Tell on standard error what a command waits for."""
    print(f"tengen: compiling for {game.board_text}, about 30 s the first time", file=sys.stderr, flush=True)


def compiled_kernels() -> int:
    """How many kernels this process has compiled; those loaded from the cache do not count."""
    from tengen.jit import compilations

    return len(compilations())


class BackgroundCompiler:
    """One player and game at a time; a request replaces one that has not begun."""

    def __init__(
        self,
        compile_for: "Callable[[PlayerSpec, Game], None]" = compile_for,
        say_waiting: "Callable[[Game], None]" = say_waiting,
        compiled_kernels: Callable[[], int] = compiled_kernels,
    ):
        self._compile_for, self._say_waiting, self._compiled_kernels = compile_for, say_waiting, compiled_kernels
        self._changed = threading.Condition()
        self._wanted: Job | None = None
        self._running: Job | None = None
        self._done: Job | None = None
        self._before = 0
        self._stopped = False

    def run(self, usual: "Job", delay: float = 0.0) -> None:
        """Compile what is requested until stopped; `usual` if nothing is within `delay` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._wanted or self._stopped, timeout=delay)
            self._wanted = self._wanted or usual
        while (job := self._next()) is not None:
            try:
                self._compile_for(*job)
            except Exception:  # whoever makes the player gets the same error, and can tell it
                pass
            finally:
                with self._changed:
                    self._running, self._done = None, job
                    self._changed.notify_all()

    def _next(self) -> "Job | None":
        with self._changed:
            self._changed.wait_for(lambda: self._wanted or self._stopped)
            if self._stopped:
                return None
            self._before = self._compiled_kernels()
            self._running, self._wanted = self._wanted, None
            return self._running

    def stop(self) -> None:
        """Let `run` return; at once if it is idle, else after what is being compiled."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def request(self, spec: "PlayerSpec", game: "Game") -> None:
        """Have a player compiled for a game next."""
        with self._changed:
            if (spec, game) not in (self._running, self._done):
                self._wanted = spec, game
                self._changed.notify_all()

    def wait(self, spec: "PlayerSpec", game: "Game", is_abandoned: Callable[[], bool]) -> None:
        """Wait until a player is compiled for a game; while kernels are being compiled, say so once.

        Raises Closed if nobody is there any more.
        """
        self.request(spec, game)
        has_said = False
        while True:
            with self._changed:
                if self._changed.wait_for(lambda: self._done == (spec, game) or self._stopped, timeout=POLL):
                    return
                is_compiling = self._running is not None and self._compiled_kernels() > self._before
            if is_abandoned():
                raise Closed
            if is_compiling and not has_said:
                has_said = True
                self._say_waiting(game)
