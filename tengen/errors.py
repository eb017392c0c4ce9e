"""The root of all errors that a user can cause. Imports nothing, so that it is quick to load."""

INTERRUPTED = 130
"""The exit status after an interrupt, as of a process that SIGINT ended: 128 + 2."""


class TengenError(ValueError):
    """A mistake in the input or on the system, described in one sentence for the user."""


def shortened(text: object, length: int = 40) -> str:
    """Quote a text from outside and cut it to `length` characters, for an error message."""
    shown = str(text)
    return repr(shown if len(shown) <= length else shown[:length] + "...")
