"""Files of named arrays with a description, for checkpoints.

A file has a header (see headed_files.py) and the arrays' bytes, compressed by zlib, in the order of the header's list
`arrays` of [name, type, shape]. The header also has `about`, an object.
"""

import zlib
from pathlib import Path
from typing import Any

import numpy as np

from tengen.errors import TengenError, shortened
from tengen.files import Unreadable, read_bytes
from tengen.headed_files import LONGEST_HEADER, is_intact, split_headed, write_headed

FORMAT = "tengen arrays 1"
TYPES = {"f8": np.dtype("<f8"), "i8": np.dtype("<i8")}
MOST_NUMBERS = 10**8
MOST_BYTES = 8 * MOST_NUMBERS + LONGEST_HEADER


class BadArrays(TengenError):
    """A file that does not hold valid arrays."""


def save_arrays(path: Path, about: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Write arrays of float64 or int64 and a description to a file, atomically."""
    listed = [[name, f"{array.dtype.kind}{array.dtype.itemsize}", list(array.shape)] for name, array in arrays.items()]
    raw = zlib.compress(b"".join(array.astype(TYPES[kind]).tobytes() for array, (_, kind, _) in _pairs(arrays, listed)))
    write_headed(path, {"format": FORMAT, "about": about, "arrays": listed}, raw)


def _pairs(arrays: dict[str, np.ndarray], listed: list[Any]) -> Any:
    return zip(arrays.values(), listed, strict=True)


def load_arrays(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the description and the arrays in a file. Raises BadArrays if it is not valid."""
    try:
        content = read_bytes(path, MOST_BYTES)
    except Unreadable as error:
        raise BadArrays(str(error)) from None
    found = split_headed(content, FORMAT)
    if found is None:
        raise BadArrays(f"{shortened(path, 160)} is not a checkpoint")
    header, raw = found
    if not is_intact(header, raw):
        raise BadArrays(f"{shortened(path, 160)} is damaged: its checksum is wrong")
    try:
        return header["about"], _unpacked(header["arrays"], raw)
    except (KeyError, TypeError, ValueError, OverflowError, zlib.error):
        raise BadArrays(f"{shortened(path, 160)} is damaged: its arrays do not fit its header") from None


def _unpacked(listed: list[Any], raw: bytes) -> dict[str, np.ndarray]:
    counts = [int(np.prod([int(side) for side in shape], dtype=np.float64)) for _, _, shape in listed]
    if sum(counts) > MOST_NUMBERS:
        raise ValueError
    expanded = zlib.decompressobj().decompress(raw, 8 * sum(counts) + 1)
    if len(expanded) != 8 * sum(counts):
        raise ValueError
    found, start = {}, 0
    for (name, kind, shape), count in zip(listed, counts, strict=True):
        found[str(name)] = np.frombuffer(expanded, TYPES[kind], count, start).reshape(shape).copy()
        start += 8 * count
    return found
