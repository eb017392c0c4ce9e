"""Extensions of the client of the KGS Go server."""

from tengen import __version__
from tengen.errors import shortened
from tengen.interfaces.gtp.arguments import expect, whole_number
from tengen.interfaces.gtp.engine_loader import EngineLoader
from tengen.interfaces.gtp.play import Clocks, Play, seconds
from tengen.interfaces.gtp.protocol import Command, CommandError

RULES = {
    "chinese": ("positional", False),
    "aga": ("situational", False),
    "new_zealand": ("situational", True),
}
"""KGS's names of area-scoring rules: the ko rule, and whether suicide is allowed."""


class Kgs:
    """The commands whose names begin with kgs-."""

    def __init__(self, loader: EngineLoader, play: Play, clocks: Clocks):
        self.loader, self.play, self.clocks = loader, play, clocks

    def commands(self) -> dict[str, Command]:
        return {
            "kgs-time_settings": self.time_settings,
            "kgs-rules": self.rules,
            "kgs-genmove_cleanup": self.genmove_cleanup,
            "kgs-game_over": self.game_over,
            "kgs-chat": self.chat,
        }

    def time_settings(self, arguments: list[str]) -> str:
        """Set both clocks. With byoyomi, the third argument of time_left is the number of periods, not of stones."""
        match [word.lower() for word in arguments]:
            case ["none"]:
                self.loader.session.set_control(None)
            case ["absolute", main]:
                self.clocks.set_control(seconds(main))
            case ["byoyomi", main, period, count]:
                self.clocks.set_control(seconds(main), seconds(period), periods=whole_number(count, "a number"))
            case ["canadian", main, period, count]:
                self.clocks.set_control(seconds(main), seconds(period), stones=whole_number(count, "a number"))
            case _:
                raise CommandError(
                    "syntax error: none, absolute TIME, byoyomi TIME PERIOD PERIODS or canadian TIME PERIOD STONES"
                    " is expected"
                )
        return ""

    def rules(self, arguments: list[str]) -> str:
        expect(arguments, 1, None, "the name of a set of rules")
        if arguments[0].lower() not in RULES:
            raise CommandError(
                f"unsupported rules {shortened(arguments[0])}; choose from: {', '.join(RULES)} (area scoring)"
            )
        ko, suicide = RULES[arguments[0].lower()]
        self.loader.session.change(ko=ko, suicide=suicide)
        return ""

    def genmove_cleanup(self, arguments: list[str]) -> str:
        """Generate a move of the clean-up phase after two passes, in which dead stones are captured."""
        expect(arguments, 0, 1, "a color")
        return self.play.vertex(self.play.move_on(arguments[0] if arguments else None, self.loader.engine.clean_up))

    def game_over(self, arguments: list[str]) -> str:
        self.loader.engine.rest()
        return ""

    def chat(self, arguments: list[str]) -> str:
        if len(arguments) < 2 or arguments[0] not in ("game", "private"):
            raise CommandError("syntax error: game or private, a name and a message are expected")
        return f"I am Tengen {__version__}, a computer program; my player is {self.loader.player}."
