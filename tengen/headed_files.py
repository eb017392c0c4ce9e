"""Files of a header and raw bytes, with a checksum: learnt weights, urgencies, gammas and checkpoints.

The header is one line of JSON in UTF-8 with the key `format`; the raw bytes follow the line feed. `sha256` in the
header is the checksum of the rest of the header, as JSON with sorted keys and no spaces, and of the raw bytes.
"""

import hashlib
import json
import zlib
from pathlib import Path
from typing import Any

from tengen.errors import TengenError
from tengen.files import Unreadable, parse_json, write_whole

LONGEST_HEADER = 10_000_000
"""Bytes in the longest header that is read."""


def write_headed(path: str | Path, header: dict[str, Any], raw: bytes) -> None:
    """Write a file of a header, to which the checksum is added, and raw bytes, atomically."""
    signed = {**header, "sha256": _checksum(header, raw)}
    write_whole(path, json.dumps(signed).encode() + b"\n" + raw)


def split_headed(content: bytes, format: str) -> tuple[dict[str, Any], bytes] | None:
    """Return the header and the raw bytes of a file's content; None if it has no header of this format."""
    end = content.find(b"\n", 0, LONGEST_HEADER)
    try:
        header = parse_json(content[: max(end, 0)])
    except Unreadable:
        return None
    if not isinstance(header, dict) or header.get("format") != format:
        return None
    return header, content[end + 1 :]


def is_intact(header: dict[str, Any], raw: bytes) -> bool:
    """Whether the checksum in a header is right."""
    rest = {key: value for key, value in header.items() if key != "sha256"}
    return bool(header.get("sha256") == _checksum(rest, raw))


def _checksum(header: dict[str, Any], raw: bytes) -> str:
    """Return the checksum of a header without its checksum, and of the raw bytes."""
    return hashlib.sha256(json.dumps(header, sort_keys=True, separators=(",", ":")).encode() + raw).hexdigest()


class BadNumbers(TengenError):
    """Compressed numbers that are not complete."""


def decompressed_floats(raw: bytes, count: int, what: str) -> bytes:
    """Return the bytes of `count` 4-byte numbers from bytes compressed by zlib, which contain nothing else.

    Raises BadNumbers otherwise; `what` names the numbers.
    """
    size = 4 * count
    expander = zlib.decompressobj()
    try:
        expanded = expander.decompress(raw, size + 1)  # the limit stops a small file that expands without end
    except zlib.error:
        raise BadNumbers(f"its {what} cannot be decompressed") from None
    if len(expanded) > size:
        raise BadNumbers(f"it has more than the {count:,} {what} that it needs")
    if not expander.eof:
        raise BadNumbers(f"its {what} are incomplete: the compressed data end too early")
    if len(expanded) < size:
        raise BadNumbers(f"it has {len(expanded) / 4:,g} {what}; it needs {count:,}")
    if expander.unused_data:
        raise BadNumbers(f"{len(expander.unused_data):,} bytes follow its {what}")
    return expanded
