"""Files of urgencies that are wrong, with a valid checksum. Functions that yield have a name and a file's content."""

import json
import zlib
from collections.abc import Iterator

import numpy as np

from tests.trials.weights_files import signed

BOMB = 256 * 1024 * 1024
"""Bytes to which the compressed numbers of one file expand."""


def numbers_of(content: bytes) -> np.ndarray:
    """Return the urgencies of a valid file."""
    return np.frombuffer(zlib.decompress(content.partition(b"\n")[2]), "<f4").copy()


def with_compressed(content: bytes, raw: bytes) -> bytes:
    """Return a file with other compressed bytes and the checksum that belongs to them."""
    return signed(json.loads(content.partition(b"\n")[0]), raw)


def with_numbers(content: bytes, numbers: np.ndarray) -> bytes:
    """Return a file with other urgencies and the checksum that belongs to them."""
    return with_compressed(content, zlib.compress(numbers.astype("<f4").tobytes()))


def number_lies(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the table with an urgency out of range."""
    values = {
        "nan": np.nan,
        "infinite": np.inf,
        "minus infinite": -np.inf,
        "zero": 0.0,
        "minus zero": -0.0,
        "negative": -1.0,
        "huge": 3e38,
        "above the limit": 1.001e9,
        "below the limit": 0.999e-9,
        "denormal": 1e-45,
    }
    for name, value in values.items():
        for place in (0, -1):
            numbers = numbers_of(content)
            numbers[place] = value
            yield f"urgency {name} at {place}", with_numbers(content, numbers)


def data_lies(content: bytes) -> Iterator[tuple[str, bytes, str]]:
    """Yield the table with other data after its header, and what the error says."""
    raw, numbers = content.partition(b"\n")[2], numbers_of(content)
    count = f"{len(numbers):,}"
    data = {
        "none": (b"", "incomplete"),
        "of no urgencies": (zlib.compress(b""), f"it has 0 urgencies; it needs {count}"),
        "one urgency less": (zlib.compress(numbers[1:].tobytes()), f"it has {len(numbers) - 1:,} urgencies"),
        "one byte less": (zlib.compress(numbers.tobytes()[:-1]), f"it has {len(numbers) - 0.25:,g} urgencies"),
        "one byte more": (zlib.compress(numbers.tobytes() + b"\0"), f"more than the {count} urgencies"),
        "one urgency more": (zlib.compress(numbers.tobytes() + b"\0" * 4), f"more than the {count} urgencies"),
        "that expand enormously": (zlib.compress(bytes(BOMB)), f"more than the {count} urgencies"),
        "cut off": (raw[:-1], "incomplete"),
        "with a wrong check value": (raw[:-1] + bytes([raw[-1] ^ 1]), "cannot be decompressed"),
        "and another byte": (raw + b"\0", "1 bytes follow"),
        "twice": (raw + raw, f"{len(raw):,} bytes follow"),
        "uncompressed": (numbers.tobytes(), "cannot be decompressed"),
    }
    for name, (changed, complaint) in data.items():
        yield f"data {name}", with_compressed(content, changed), complaint
