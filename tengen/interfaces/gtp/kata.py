"""KataGo's extensions that clients use: Fischer clocks, sets of rules, and parameters."""

import json
from typing import Any

from tengen.errors import shortened
from tengen.interfaces.gtp.arguments import expect, truth
from tengen.interfaces.gtp.engine_loader import EngineLoader
from tengen.interfaces.gtp.kgs import Kgs
from tengen.interfaces.gtp.play import seconds
from tengen.interfaces.gtp.protocol import Command, CommandError
from tengen.interfaces.kata_rules import NAMED

TIME_SETTINGS = ("none", "absolute", "byoyomi", "canadian", "fischer")
RULES = {
    name: NAMED[name] for name in ("tromp-taylor", "chinese", "chinese-ogs", "chinese-kgs", "aga", "bga", "new-zealand")
}
"""The supported sets of rules. None of them adds points for handicap stones here; a controller that wants them adds
them to komi.
"""
FIXED = {"scoring": "AREA", "tax": "NONE", "hasButton": False, "whiteHandicapBonus": "0"}
"""Fields of KataGo's rules that are fixed here."""
PARAMETERS = {"maxVisits": "simulations", "maxTime": "seconds", "numSearchThreads": "threads"}
"""KataGo's names of settings of players; every setting also has its own name."""


class Kata:
    """The commands whose names begin with kata-, except analysis."""

    def __init__(self, loader: EngineLoader, kgs: Kgs):
        self.loader, self.kgs = loader, kgs

    def commands(self) -> dict[str, Command]:
        return {
            "kata-list_time_settings": lambda _: " ".join(TIME_SETTINGS),
            "kata-time_settings": self.time_settings,
            "kata-get-rules": self.get_rules,
            "kata-set-rules": self.set_rules,
            "kata-set-rule": self.set_rule,
        }

    def parameter_commands(self) -> dict[str, Command]:
        return {
            "kata-list-params": self.list_params,
            "kata-get-param": self.get_param,
            "kata-set-param": self.set_param,
        }

    def time_settings(self, arguments: list[str]) -> str:
        if arguments[:1] != ["fischer"]:
            return self.kgs.time_settings(arguments)
        expect(arguments, 3, None, "fischer, main time and increment")
        from tengen.games.clock import TimeControl

        main, increment = map(seconds, arguments[1:])
        self.loader.session.set_control(TimeControl(main, increment=increment))
        return ""

    # Rules

    @property
    def game(self) -> Any:
        """The game, which has the options `ko` and `suicide`."""
        return self.loader.session.game

    def get_rules(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        rules = {"ko": self.game.ko.upper(), "suicide": self.game.suicide, **FIXED, "friendlyPassOk": False}
        return json.dumps(rules, separators=(",", ":"))

    def set_rules(self, arguments: list[str]) -> str:
        text = " ".join(arguments)
        if text.lower() in RULES:
            self.loader.session.change(**RULES[text.lower()].options())
            return ""
        try:
            rules = json.loads(text)
        except (ValueError, RecursionError):
            rules = None
        if not isinstance(rules, dict):
            raise CommandError(f"unknown rules {shortened(text)}; choose from: {', '.join(RULES)}, or a JSON object")
        self._change(rules)
        return ""

    def set_rule(self, arguments: list[str]) -> str:
        expect(arguments, 2, None, "a rule and its value")
        name, value = arguments
        self._change({name: truth(value, name) if value.lower() in ("true", "false") else value})
        return ""

    def _change(self, rules: dict[str, object]) -> None:
        options: dict[str, object] = {}
        for name, value in rules.items():
            if name == "ko" and isinstance(value, str):
                options["ko"] = value.lower()
            elif name == "suicide":
                options["suicide"] = value
            elif name in FIXED and value != FIXED[name]:
                raise CommandError(f"{name} must be {json.dumps(FIXED[name])}: other values are not supported")
            elif name not in FIXED and name != "friendlyPassOk":
                raise CommandError(f"unknown rule {shortened(name)}")
        self.loader.session.change(**options)

    # Parameters

    def _settings(self) -> dict[str, str]:
        """Return the key of each setting by all of its names."""
        from tengen.composed_config import settings_of

        own = settings_of(self.loader.player.config)
        return {name: key for name, key in PARAMETERS.items() if key in own} | {key: key for key in own}

    def _key(self, name: str) -> str:
        known = self._settings()
        if name not in known:
            raise CommandError(f"unknown parameter {shortened(name)}; choose from: {' '.join(known)}")
        return known[name]

    def list_params(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        return " ".join(self._settings())

    def get_param(self, arguments: list[str]) -> str:
        expect(arguments, 1, None, "a parameter")
        value = getattr(self.loader.player.config, self._key(arguments[0]))
        return str(value).lower() if isinstance(value, bool) else str(value)

    def set_param(self, arguments: list[str]) -> str:
        expect(arguments, 2, None, "a parameter and its value")
        self.loader.engine.set(self._key(arguments[0]), arguments[1])
        return ""
