"""Parsing of the arguments of a command."""

import math

from tengen.errors import shortened
from tengen.interfaces.gtp.protocol import CommandError


def expect(arguments: list[str], least: int, most: int | None, form: str) -> None:
    """Raise CommandError unless there are `least` to `most` arguments (`least` if `most` is None), as in `form`."""
    if not least <= len(arguments) <= (least if most is None else most):
        raise CommandError(f"syntax error: {form or 'no argument'} is expected")


def whole_number(text: str, what: str) -> int:
    """Parse an integer; `what` names it in the error."""
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 12:
        raise CommandError(f"syntax error: {what} is a whole number, not {shortened(text)}")
    return int(text)


def number(text: str, what: str) -> float:
    """Parse a finite number; `what` names it in the error."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise CommandError(f"syntax error: {what} is a number, not {shortened(text)}")
    return value


def truth(text: str, what: str) -> bool:
    """Parse a truth value in the notations of various clients; `what` names it in the error."""
    match text.lower():
        case "true" | "1":
            return True
        case "false" | "0":
            return False
    raise CommandError(f"syntax error: {what} is true or false, not {shortened(text)}")
