"""What a caller can do wrong, each told in one sentence. Quick to import: nothing here knows NumPy or Numba."""


class GameError(ValueError):
    """Something a game's rules, notation or records do not allow."""


class IllegalMove(GameError):
    """A move that the rules do not allow here."""


class BadNotation(GameError):
    """A text that names no move, or draws no position."""


class BadRecord(GameError):
    """A game record that cannot be read."""


def shortened(text: object, length: int = 40) -> str:
    """A text from outside, quoted and cut, fit to stand in an error message."""
    shown = str(text)
    return repr(shown if len(shown) <= length else shown[:length] + "...")
