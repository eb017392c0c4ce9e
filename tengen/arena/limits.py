"""Limits of a match. Quick to import, so that the command line can name them in its help."""

MOST_GAMES = 10_000_000
"""Games in a pairing at most, and where a match stops that is to go on until its test is decided."""
