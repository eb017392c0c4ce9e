"""Compilation of the player's kernels in the background, so that commands wait less.

With an empty cache the kernels of a search take about half a minute for each kind of board. Numba compiles one kernel
at a time, so a command that needs a kernel meanwhile waits for the one being compiled. Heavy imports are deferred.
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
"""Seconds to wait for a board size before the default one is compiled: most clients send one at once."""

POLL = 0.1
"""Seconds between two checks while a command waits."""


def compile_for(spec: "PlayerSpec", game: "Game") -> None:
    """Compile a player's kernels for a game; first those of the board, which every command uses."""
    from tengen.arena.worker import make_ready
    from tengen.jit import COMPILED

    if not COMPILED:
        return
    position = game.start()
    position.play(position.legal_moves()[-1]).copy().undo()
    _ = position.diagram(), position.is_over, position.score
    make_ready(spec, game)


def say_waiting(game: "Game") -> None:
    """Print on standard error that a command waits for compilation."""
    print(f"tengen: compiling for {game.board_text}, about 30 s the first time", file=sys.stderr, flush=True)


def compiled_kernels() -> int:
    """Return the number of kernels that this process has compiled, without those loaded from the cache."""
    from tengen.jit import compilations

    return len(compilations())


class BackgroundCompiler:
    """Compiles for one player and game at a time; a request replaces one that has not started."""

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
        """Compile requests until stopped; start with `usual` if nothing is requested within `delay` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._wanted or self._stopped, timeout=delay)
            self._wanted = self._wanted or usual
        while (job := self._next()) is not None:
            try:
                self._compile_for(*job)
            except Exception:  # creating the player raises the same error, where it can be reported
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
        """Make `run` return: at once if it is idle, else after the current compilation."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def request(self, spec: "PlayerSpec", game: "Game") -> None:
        """Request a compilation for a player and a game."""
        with self._changed:
            if (spec, game) not in (self._running, self._done):
                self._wanted = spec, game
                self._changed.notify_all()

    def wait(self, spec: "PlayerSpec", game: "Game", is_abandoned: Callable[[], bool]) -> None:
        """Wait until a player's kernels for a game are compiled; print a message once if any must be compiled.

        Raises Closed if the client has gone.
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
