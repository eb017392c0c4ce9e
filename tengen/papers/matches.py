"""Short forms of matches that several papers' experiments use."""

from tengen.games.go.game import Go
from tengen.papers.experiment import Match, Settings

KOMI = 7.5
"""Komi of all published games on 9x9, and of ours on larger boards."""


def with_settings(player: str, **settings: object) -> str:
    """Return the description of a player with more settings."""
    added = ",".join(f"{key}={value}" for key, value in settings.items())
    return f"{player}{',' if ':' in player else ':'}{added}"


def against_gnugo(settings: Settings, player: str, simulations: int = 0, size: int = 9) -> Match:
    """Return games of Go against GNU Go; the player resigns below 5 %, which only shortens lost games."""
    return Match(
        with_settings(player, simulations=simulations or settings.simulations, resign=0.05),
        f"gnugo:level={settings.level}",
        Go(size, komi=KOMI),
        settings.games,
    )


def scales_against_level_8(
    quick: int, standard: int, published: int = 2300, simulations: int = 3000
) -> dict[str, Settings]:
    """Return the scales of matches against GNU Go: `quick` ones are with fewer simulations against level 0."""
    return {
        "quick": Settings(games=quick, simulations=1000, level=0),
        "standard": Settings(games=standard, simulations=simulations, level=8),
        "paper": Settings(games=published, simulations=simulations, level=8),
    }
