"""Errors about the rules, notation and records of games. Quick to import: loads neither NumPy nor Numba."""

from tengen.errors import TengenError


class GameError(TengenError):
    """Something a game's rules, notation or records do not allow."""


class IllegalMove(GameError):
    """A move that the rules do not allow here."""


class BadNotation(GameError):
    """A text that names no move, or draws no position."""


class BadRecord(GameError):
    """A game record that cannot be read."""
