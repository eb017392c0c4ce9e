"""Errors about the rules, notation and records of games. Quick to import: loads neither NumPy nor Numba."""

from tengen.errors import TengenError


class GameError(TengenError):
    """A violation of a game's rules, notation or record format."""


class IllegalMove(GameError):
    """A move that the rules do not allow here."""


class BadNotation(GameError):
    """A text that is not a valid move or diagram."""


class BadRecord(GameError):
    """A game record that cannot be read."""
