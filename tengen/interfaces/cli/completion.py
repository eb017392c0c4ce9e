"""Shell completion of the names of players and games."""


def player_names(incomplete: str) -> list[tuple[str, str]]:
    """Return the players whose names begin with `incomplete`, each with its meaning."""
    from tengen.players import PRESETS

    return [(preset.name, preset.meaning) for preset in PRESETS.values() if preset.name.startswith(incomplete)]


def games(incomplete: str) -> list[tuple[str, str]]:
    """Return the registered games whose names begin with `incomplete`, each with its meaning."""
    from tengen.games.catalogue import game_class, game_names

    return [(name, game_class(name).meaning) for name in game_names() if name.startswith(incomplete)]
