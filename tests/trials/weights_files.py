"""Files of weights that are wrong, with a valid checksum. Each function yields pairs of a name and a file's content."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.trials.headers import encoded, lies


def signed(header: dict[str, Any], raw: bytes) -> bytes:
    """Return a file with this header and these weights, and the checksum that belongs to them."""
    unsigned = {key: value for key, value in header.items() if key != "sha256"}
    text = json.dumps(unsigned, sort_keys=True, separators=(",", ":")).encode() + raw
    changed = {**header, "sha256": hashlib.sha256(text).hexdigest()} if "sha256" in header else header
    return encoded(changed) + b"\n" + raw


def header_lies(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the weights with one altered entry in their header; an altered checksum is left as it is."""
    line, _, raw = content.partition(b"\n")
    header = json.loads(line)
    for name, changed in lies(header):
        yield name, encoded(changed) + b"\n" + raw if name.startswith("sha256") else signed(changed, raw)


def number_lies(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the weights with infinite, NaN or too large numbers, and a valid checksum."""
    line, _, raw = content.partition(b"\n")
    for name, value in {"nan": np.nan, "infinite": np.inf, "largest": 3e38, "most negative": -3e38}.items():
        weights = np.frombuffer(raw, "<f4").copy()
        weights[len(weights) // 2] = value
        yield f"weight {name}", signed(json.loads(line), weights.tobytes())
