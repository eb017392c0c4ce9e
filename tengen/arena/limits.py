"""Limits of a match. Separate from the rest because the command line imports them for its help."""

from typing import Any

from tengen.errors import TengenError, shortened

MOST_GAMES = 10_000_000
"""Most games in a pairing, also of a match that runs until its sequential test is decided."""


def checked_games(games: Any) -> int:
    """Return a number of games. Raises TengenError if it is not an integer from 1 to MOST_GAMES."""
    if type(games) is not int or not 1 <= games <= MOST_GAMES:
        raise TengenError(f"games must be an integer from 1 to {MOST_GAMES:,}, not {shortened(games)}")
    return games
