"""Lines of the input, and the JSON objects in them. Whatever a client sends, the next line is read correctly."""

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

from tengen.errors import TengenError, shortened

MOST_BYTES = 4_000_000
"""Maximum length of a line."""


class BadLine(TengenError):
    """A line that is not a JSON object."""


def input_lines(pieces: Iterable[bytes | None]) -> Iterator[bytes | BadLine | None]:
    """Yield the lines in pieces of input, also a last one without its end; a BadLine in place of one that is too long.

    None, a pause of the input, is passed on.
    """
    rest, skips = bytearray(), False
    for piece in pieces:
        if piece is None:
            yield None
            continue
        *ended, last = piece.split(b"\n")
        for end in ended:
            if not skips:
                rest += end
                yield _too_long() if len(rest) > MOST_BYTES else bytes(rest)
            rest, skips = bytearray(), False
        if not skips:
            rest += last
        if len(rest) > MOST_BYTES:
            rest, skips = bytearray(), True
            yield _too_long()
    if rest:
        yield bytes(rest)


def _too_long() -> BadLine:
    return BadLine(f"the line is longer than {MOST_BYTES:,} bytes")


def parse_object(line: bytes) -> dict[str, Any]:
    """Return the JSON object in a line. Raises BadLine."""
    try:
        found = json.loads(line.decode(), parse_float=_finite, parse_constant=_finite)
    except UnicodeDecodeError:
        raise BadLine("the line is not UTF-8") from None
    except RecursionError:
        raise BadLine(f"the line is nested too deeply: {shortened(line.decode())}") from None
    except ValueError as error:
        raise BadLine(f"the line is not JSON: {error}: {shortened(line.decode())}") from None
    if not isinstance(found, dict):
        raise BadLine(f"the line is not a JSON object: {shortened(line.decode())}")
    return found


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{shortened(text)} is not a finite number")
    return value


def format_object(message: dict[str, Any]) -> str:
    """Return an object as one line of ASCII, with its keys in order. Raises BadLine if it is nested too deeply."""
    try:
        return json.dumps(message, separators=(",", ":"), sort_keys=True) + "\n"
    except RecursionError:
        raise BadLine("the line is nested too deeply to be answered") from None
