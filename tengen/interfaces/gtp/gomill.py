"""Extensions of gomill's match controllers."""

import time

from tengen import __version__
from tengen.interfaces.gtp.arguments import expect
from tengen.interfaces.gtp.engine_loader import EngineLoader
from tengen.interfaces.gtp.protocol import Command


class Gomill:
    """The commands whose names begin with gomill-."""

    def __init__(self, loader: EngineLoader):
        self.loader = loader

    def commands(self) -> dict[str, Command]:
        return {
            "gomill-describe_engine": self.describe_engine,
            "gomill-explain_last_move": self.explain_last_move,
            "gomill-cpu_time": self.cpu_time,
        }

    def describe_engine(self, arguments: list[str]) -> str:
        """Return all that determines the engine's play: version, rules, player, every setting and the seed."""
        from tengen.composed_config import settings_of

        expect(arguments, 0, None, "")
        player = self.loader.player
        lines = [f"Tengen {__version__}", str(self.loader.session.game), str(player)]
        lines += [f"{key}: {value}" for key, value in settings_of(player.config).items()]
        return "\n".join([*lines, f"seed of the game: {self.loader.engine.seed}"])

    def explain_last_move(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        found = self.loader.engine.explanation()
        return found.table() if found else ""

    def cpu_time(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        return f"{time.process_time():.3f}"
