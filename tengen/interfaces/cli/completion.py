"""Shell completion of the names of players, games and tables of urgencies."""


def player_names(incomplete: str) -> list[tuple[str, str]]:
    """Return the players whose names begin with `incomplete`, each with its meaning."""
    from tengen.players import PRESETS

    return [(preset.name, preset.meaning) for preset in PRESETS.values() if preset.name.startswith(incomplete)]


def games(incomplete: str) -> list[tuple[str, str]]:
    """Return the registered games whose names begin with `incomplete`, each with its meaning."""
    from tengen.games.catalogue import game_class, game_names

    return [(name, game_class(name).meaning) for name in game_names() if name.startswith(incomplete)]


def urgency_tables(incomplete: str) -> list[str]:
    """Return the named tables of urgencies whose names begin with `incomplete`."""
    from tengen.policies.go.urgency_table import LEARNT, MANUAL, ZERO

    return [name for name in (ZERO, MANUAL, LEARNT) if name.startswith(incomplete)]
