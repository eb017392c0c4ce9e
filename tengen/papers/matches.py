"""Short forms of matches that several papers' experiments use."""

from tengen.games.go.game import Go
from tengen.papers.experiment import Match, Settings

KOMI = 7.5
"""Komi of all published games on 9x9."""


def with_settings(player: str, **settings: object) -> str:
    """Return the description of a player with more settings."""
    added = ",".join(f"{key}={value}" for key, value in settings.items())
    return f"{player}{',' if ':' in player else ':'}{added}"


def against_gnugo(settings: Settings, player: str, simulations: int = 0) -> Match:
    """Return games on 9x9 against GNU Go; the player resigns below 5 %, which only shortens lost games."""
    return Match(
        with_settings(player, simulations=simulations or settings.simulations, resign=0.05),
        f"gnugo:level={settings.level}",
        Go(9, komi=KOMI),
        settings.games,
    )
