"""Creation of the session and the engine in the background, while the protocol already answers.

Importing the engine takes a second, and compiling its kernels half a minute the first time; a command such as `name`
must wait for neither.
"""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from tengen.interfaces.gtp.compiling import BackgroundCompiler
from tengen.interfaces.gtp.protocol import End

if TYPE_CHECKING:
    from tengen.games.game import Game
    from tengen.interfaces.gtp.engine import Engine
    from tengen.interfaces.gtp.session import Session
    from tengen.players import PlayerSpec


class NoEngine(End):
    """The engine could not be created, for the reason given."""

    def __init__(self, reason: Exception):
        super().__init__(str(reason))
        self.reason = reason


class EngineLoader:
    """Creates the session and the engine; the properties wait until they exist."""

    def __init__(self, make: Callable[[], "tuple[Session, Engine]"]):
        self._make = make
        self._ready = threading.Event()
        self._made: tuple[Session, Engine] | None = None
        self._failure: Exception | None = None
        self._compiler: BackgroundCompiler | None = None

    def load(self, compiler: BackgroundCompiler, is_abandoned: Callable[[], bool], delay: float) -> None:
        """Create session and engine, then compile their kernels until the compiler is stopped.

        The kernels of the first board are compiled unless another board is requested within `delay` seconds. A command
        stops waiting for the compiler when `is_abandoned` returns True.
        """
        self._compiler = compiler
        self.open(lambda spec, game: compiler.wait(spec, game, is_abandoned))
        if self._made is not None:
            session, engine = self._made
            compiler.run((engine.spec, session.game), delay)

    def open(self, await_kernels: "Callable[[PlayerSpec, Game], None] | None" = None) -> None:
        """Create session and engine; other threads that need them wait."""
        try:
            self._made = self._make()
            if await_kernels is not None:
                self._made[1].await_kernels = await_kernels
        except Exception as error:
            self._failure = error
        finally:
            self._ready.set()

    @property
    def is_ready(self) -> bool:
        return self._ready.is_set()

    def _wait(self) -> "tuple[Session, Engine]":
        self._ready.wait()
        if self._made is None:
            assert self._failure is not None
            raise NoEngine(self._failure)
        return self._made

    @property
    def session(self) -> "Session":
        return self._wait()[0]

    @property
    def engine(self) -> "Engine":
        return self._wait()[1]

    def compile_ahead(self, game: "Game") -> None:
        """Request that the player's kernels for a game are compiled in the background."""
        engine = self.engine
        if self._compiler is not None:
            self._compiler.request(engine.spec, game)

    def abandon(self) -> None:
        """Stop an engine that the player waits for, since the client has gone."""
        if self._made is not None:
            self._made[1].abandon()

    @property
    def player(self) -> "PlayerSpec":
        """The player, resolved for the board in use."""
        session, engine = self._wait()
        return engine.spec.on(session.game)
