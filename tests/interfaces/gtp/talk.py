"""A conversation with the engine in this process, a line at a time."""

import time
from collections.abc import Callable
from typing import Any

from tengen.interfaces.gtp.desk import Desk
from tengen.interfaces.gtp.engine import Engine
from tengen.interfaces.gtp.protocol import Conversation
from tengen.interfaces.gtp.serve import Settings, converse
from tengen.interfaces.gtp.session import Session
from tengen.search.search_player import SearchPlayer
from tests.fake_clock import FakeClock

QUICK = "mc-rave:simulations=50,memory=20"
"""A player for tests that are not about strength."""


class Talk:
    """Asks the engine, and looks at what it answers."""

    conversation: Conversation
    desk: Desk

    def __init__(self, player: str = QUICK, *, now: Callable[[], float] = time.perf_counter, **settings: Any):
        self.written: list[str] = []
        self.conversation, self.desk = converse(Settings(player=player, **settings), self.written.append, now=now)
        self.desk.open()

    @property
    def session(self) -> Session:
        return self.desk.session

    @property
    def engine(self) -> Engine:
        return self.desk.engine

    def player_by(self, now: FakeClock) -> SearchPlayer:
        """The player for the board in use, which now tells the time by a clock that its simulations move."""
        player = self.engine.searcher(self.session.game)
        assert isinstance(player, SearchPlayer)
        player.now = player.search.now = now
        now.watch(lambda: player.search.simulations)
        return player

    def raw(self, line: str) -> str:
        """Exactly what is answered to a line."""
        self.written.clear()
        self.conversation.answer(line)
        return "".join(self.written)

    def ask(self, line: str) -> str:
        """The answer to a command that must succeed."""
        answer = self.raw(line)
        assert answer.startswith("="), f"{line}: {answer}"
        assert answer.endswith("\n\n")
        return answer[1:].strip()

    def refusal(self, line: str) -> str:
        """The one line with which a command must fail."""
        answer = self.raw(line)
        assert answer.startswith("? "), f"{line}: {answer}"
        assert answer.endswith("\n\n")
        assert answer.count("\n") == 2
        return answer[2:].strip()

    def all(self, *lines: str) -> list[str]:
        return [self.ask(line) for line in lines]
