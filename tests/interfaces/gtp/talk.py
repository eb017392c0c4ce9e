"""A GTP conversation with the engine in this process."""

import contextlib
import time
from collections.abc import Callable
from typing import Any

from tengen.interfaces.gtp.engine import Engine
from tengen.interfaces.gtp.engine_loader import EngineLoader, NoEngine
from tengen.interfaces.gtp.protocol import Conversation
from tengen.interfaces.gtp.serve import Settings, converse
from tengen.interfaces.gtp.session import Session
from tengen.search.search_player import SearchPlayer
from tests.fake_clock import FakeClock

QUICK = "mc-rave:simulations=50,memory=20"
"""A player for tests that are not about strength."""


class Talk:
    """Sends commands to the engine and returns its answers."""

    conversation: Conversation
    loader: EngineLoader

    def __init__(self, player: str = QUICK, *, now: Callable[[], float] = time.perf_counter, **settings: Any):
        self.written: list[str] = []
        self.conversation, self.loader = converse(Settings(player=player, **settings), self.written.append, now=now)
        self.loader.open()

    def __del__(self) -> None:
        """Release the tree: engine and conversation refer to each other, and Python may find such a cycle late."""
        with contextlib.suppress(AttributeError, NoEngine):
            self.loader.engine.dismiss()

    @property
    def session(self) -> Session:
        return self.loader.session

    @property
    def engine(self) -> Engine:
        return self.loader.engine

    def player_by(self, now: FakeClock) -> SearchPlayer:
        """Return the player for the board in use, with a clock that its simulations advance."""
        player = self.engine.searcher(self.session.game)
        assert isinstance(player, SearchPlayer)
        player.now = player.search.now = now
        now.watch(lambda: player.search.simulations)
        return player

    def raw(self, line: str) -> str:
        """Return the unparsed answer to a line."""
        self.written.clear()
        self.conversation.answer(line)
        return "".join(self.written)

    def ask(self, line: str) -> str:
        """Return the answer to a command that must succeed."""
        answer = self.raw(line)
        assert answer.startswith("="), f"{line}: {answer}"
        assert answer.endswith("\n\n")
        return answer[1:].strip()

    def refusal(self, line: str) -> str:
        """Return the error message of a command that must fail."""
        answer = self.raw(line)
        assert answer.startswith("? "), f"{line}: {answer}"
        assert answer.endswith("\n\n")
        assert answer.count("\n") == 2
        return answer[2:].strip()

    def all(self, *lines: str) -> list[str]:
        return [self.ask(line) for line in lines]
