"""Altered JSON headers: each entry removed, or replaced by a value of another type or out of range."""

import copy
import json
from collections.abc import Iterator
from typing import Any

DEEP = "@deeply nested@"
"""Stands for a value nested 5,000 deep, which `json.dumps` cannot write."""
LIES: dict[str, Any] = {
    "null": None,
    "true": True,
    "zero": 0,
    "negative": -1,
    "huge": 10**30,
    "overflow": 10**400,
    "fraction": 0.5,
    "nan": float("nan"),
    "infinity": float("inf"),
    "empty text": "",
    "long text": "\ud800\n" * 3000,
    "path": "/dev/zero",
    "list": [],
    "object": {},
    "nested": DEEP,
}
REMOVED = "removed"


def encoded(header: Any) -> bytes:
    """Return a header as JSON, with its stand-ins for deeply nested values replaced by such values."""
    return json.dumps(header).encode().replace(json.dumps(DEEP).encode(), b"[" * 5000 + b"]" * 5000)


def places(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of keys to every value inside a JSON value; of a list, only to its first and last entry."""
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = sorted({0, len(value) - 1}) if value else []
    else:
        keys = []
    for key in keys:
        yield (*before, key)
        yield from places(value[key], (*before, key))


def lies(header: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield copies of a header that differ from it in one entry, each with a name of the entry and the change."""
    for place in places(header):
        for name, lie in [(REMOVED, None), *LIES.items()]:
            changed = copy.deepcopy(header)
            inside: Any = changed
            for key in place[:-1]:
                inside = inside[key]
            if name == REMOVED:
                del inside[place[-1]]
            else:
                inside[place[-1]] = lie
            if encoded(changed) != encoded(header):
                yield f"{'.'.join(map(str, place))} {name}", changed
    yield "unknown entry", {**header, "unknown": 1}
