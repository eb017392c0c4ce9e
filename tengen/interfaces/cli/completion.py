"""Shell completion of the names of players and games."""

import inspect
from collections.abc import Callable

PLAYER_PARAMETERS = ("player", "a", "b", "against", "new", "referee")
"""Parameters of commands that take the description of a player."""


def player_names(incomplete: str) -> list[tuple[str, str]]:
    """Return the players whose names begin with `incomplete`, each with its meaning."""
    from tengen.players import PRESETS

    return [(preset.name, preset.meaning) for preset in PRESETS.values() if preset.name.startswith(incomplete)]


def games(incomplete: str) -> list[tuple[str, str]]:
    """Return the registered games whose names begin with `incomplete`, each with its meaning."""
    from tengen.games.catalogue import game_class, game_names

    return [(name, game_class(name).meaning) for name in game_names() if name.startswith(incomplete)]


def add_completion(run: Callable[..., None]) -> None:
    """Let the shell complete the parameters of a command that take a player or a game."""
    for name, parameter in inspect.signature(run).parameters.items():
        completer = player_names if name in PLAYER_PARAMETERS else games if name == "game" else None
        if completer is not None:
            parameter.annotation.__metadata__[0].autocompletion = completer
