"""What gomill's match controllers ask for."""

import time

from tengen import __version__
from tengen.interfaces.gtp.arguments import expect
from tengen.interfaces.gtp.desk import Desk
from tengen.interfaces.gtp.protocol import Command


class Gomill:
    """The commands whose names begin with gomill-."""

    def __init__(self, desk: Desk):
        self.desk = desk

    def commands(self) -> dict[str, Command]:
        return {
            "gomill-describe_engine": self.describe_engine,
            "gomill-explain_last_move": self.explain_last_move,
            "gomill-cpu_time": self.cpu_time,
        }

    def describe_engine(self, arguments: list[str]) -> str:
        """All that could make another engine of it: version, rules, player, every setting and the seed."""
        from tengen.composed_config import settings_of

        expect(arguments, 0, None, "")
        player = self.desk.player
        lines = [f"Tengen {__version__}", str(self.desk.session.game), str(player)]
        lines += [f"{key}: {value}" for key, value in settings_of(player.config).items()]
        return "\n".join([*lines, f"seed of the game: {self.desk.engine.seed}"])

    def explain_last_move(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        found = self.desk.engine.explanation()
        return found.table() if found else ""

    def cpu_time(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        return f"{time.process_time():.3f}"
