"""Where commands find the session and the engine: made in the background, while the protocol already answers.

Importing the engine takes a second; a program that asks for a name should not wait for it.
"""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from tengen.interfaces.gtp.protocol import End

if TYPE_CHECKING:
    from tengen.interfaces.gtp.engine import Engine
    from tengen.interfaces.gtp.session import Session
    from tengen.players import PlayerSpec


class NoEngine(End):
    """There is no engine, for the reason given; so there is nothing to talk about."""

    def __init__(self, reason: Exception):
        super().__init__(str(reason))
        self.reason = reason


class Desk:
    """The session and the engine, as soon as there are any."""

    def __init__(self, make: Callable[[], "tuple[Session, Engine]"]):
        self._make = make
        self._ready = threading.Event()
        self._made: tuple[Session, Engine] | None = None
        self._failure: Exception | None = None

    def open(self) -> None:
        """Make both; whoever asks for them meanwhile waits."""
        try:
            self._made = self._make()
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

    @property
    def player(self) -> "PlayerSpec":
        """Who plays, as it does on the board in use."""
        session, engine = self._wait()
        return engine.spec.on(session.game)
