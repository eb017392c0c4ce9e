"""Output on terminals whose encoding lacks some of the printed characters."""

import codecs
import sys
from io import TextIOWrapper

HANDLER = "tengen.nearest"
FAILING = ("strict", "surrogateescape", "backslashreplace")
"""Error handlers of Python's standard streams: the first two fail, the third writes escape codes."""
NEAREST = {
    "·": "-",
    "±": "+-",
    "●": "o",
    "…": "...",
    **dict.fromkeys("━─╸╺╴╶═", "-"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼┏┓┗┛╔╗╚╝╠╣╦╩╬", "+"),
    **{frame: "|/-\\"[number % 4] for number, frame in enumerate("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")},
}
"""ASCII replacements of the separators, lines and spinner frames that this program prints."""


def replace_unencodable(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace a character that cannot be encoded by a similar one in ASCII, or by a question mark.

    A byte of a file name that could not be decoded is written unchanged.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letter = error.object[error.start]
    replacement: str | bytes = NEAREST.get(letter, "?")
    if "\udc80" <= letter <= "\udcff":
        replacement = bytes([ord(letter) - 0xDC00])
    return replacement, error.start + 1


def never_fail_to_encode() -> None:
    """Make standard output and error replace characters that their encoding lacks, instead of failing."""
    codecs.register_error(HANDLER, replace_unencodable)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.errors in FAILING:
            stream.reconfigure(errors=HANDLER)
