"""Shell completion of the names of players and games."""


def player_names(incomplete: str) -> list[tuple[str, str]]:
    """Return the players whose names begin with `incomplete`, each with its meaning."""
    from tengen.players import PRESETS

    return [(preset.name, preset.meaning) for preset in PRESETS.values() if preset.name.startswith(incomplete)]


def game_names(incomplete: str) -> list[str]:
    """Return the games whose names begin with `incomplete`."""
    from tengen.games.catalogue import HOMES

    return [name for name in HOMES if name.startswith(incomplete)]
