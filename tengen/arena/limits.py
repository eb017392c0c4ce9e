"""Limits of a match. Separate from the rest because the command line imports them for its help."""

MOST_GAMES = 10_000_000
"""Most games in a pairing, also of a match that runs until its sequential test is decided."""
