"""The file of a run's result: one JSON object, checked completely when it is read, so that reports can rely on it.

The object has the keys of `_RESULT`; its rows those of `_ROW`, its findings those of `_FINDING`. A number that is
infinite or unknown is null.
"""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tengen import files
from tengen.errors import shortened
from tengen.papers.experiment import SCALES, VARIANTS
from tengen.papers.quantities import AGREES, HIGHER, LOWER

MOST_BYTES = 8 * 1024 * 1024
MOST_ROWS = 2000
LARGEST = 1e15
"""The largest absolute value of a number."""
HOLDS = ("yes", "not shown", "no")
"""What the rows of a run say about a finding of the paper."""

Result = dict[str, Any]
Check = Callable[[Any, str], None]
"""Raises `_Wrong` for a value, which its second argument names."""


class _Wrong(ValueError):
    pass


def read_result(path: str | Path) -> Result:
    """Return the result in a file; raise TengenError in one sentence if it is damaged or has other values."""
    text = files.read_text(path, MOST_BYTES)
    try:
        return checked(files.parse_json(text))
    except files.Unreadable as error:
        raise files.Unreadable(f"{shortened(path, 160)} is not the result of an experiment: {error}") from None


def read_results(folder: Path) -> list[Result]:
    """Return the results of runs, `folder`/PAPER/NAME/SCALE.json; raise TengenError for a damaged one."""
    return [read_result(path) for path in sorted(folder.glob("*/*/*.json")) if path.stem in SCALES]


def write_result(result: Result, path: str | Path) -> None:
    """Check a result and write it to a file atomically."""
    files.write_whole(path, json.dumps(checked(result), ensure_ascii=False, allow_nan=False, indent=1) + "\n")


def checked(result: Any) -> Result:
    """Return a result whose types, ranges and sizes are valid; raise TengenError for another."""
    try:
        _RESULT(result, "")
    except _Wrong as error:
        raise files.Unreadable(str(error)) from None
    valid: Result = result
    return valid


# --- Checks of one value ----------------------------------------------------------------------------------------------


def _line(most: int, least: int = 0) -> Check:
    """Accept one line of printable characters; others could not be drawn, or would change the text around them."""

    def check(value: Any, where: str) -> None:
        if not (isinstance(value, str) and least <= len(value) <= most and value.isprintable()):
            raise _Wrong(f"{where} must be {least} to {most} printable characters, not {shortened(value)}")

    return check


def _paragraphs(most: int) -> Check:
    def check(value: Any, where: str) -> None:
        if not (isinstance(value, str) and len(value) <= most and value.replace("\n", "").isprintable()):
            raise _Wrong(f"{where} must be at most {most:,} printable characters, not {shortened(value)}")

    return check


def _matching(pattern: str, meaning: str) -> Check:
    def check(value: Any, where: str) -> None:
        if not (isinstance(value, str) and re.fullmatch(pattern, value)):
            raise _Wrong(f"{where} must be {meaning}, not {shortened(value)}")

    return check


def _one_of(*choices: str) -> Check:
    def check(value: Any, where: str) -> None:
        if value not in choices:
            raise _Wrong(f"{where} must be one of {', '.join(map(repr, choices))}, not {shortened(value)}")

    return check


def _number(low: float = -LARGEST, high: float = LARGEST) -> Check:
    def check(value: Any, where: str) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise _Wrong(f"{where} must be a number from {low:g} to {high:g}, not {shortened(value)}")

    return check


def _integer(low: int, high: int) -> Check:
    def check(value: Any, where: str) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise _Wrong(f"{where} must be an integer from {low} to {high:,}, not {shortened(value)}")

    return check


def _truth(value: Any, where: str) -> None:
    if not isinstance(value, bool):
        raise _Wrong(f"{where} must be true or false, not {shortened(value)}")


def _or_null(check: Check) -> Check:
    return lambda value, where: None if value is None else check(value, where)


def _list(check: Check, least: int, most: int) -> Check:
    def check_all(value: Any, where: str) -> None:
        if not (isinstance(value, list) and least <= len(value) <= most):
            raise _Wrong(f"{where} must be a list of {least} to {most:,} values")
        for place, item in enumerate(value):
            check(item, f"{where}[{place}]")

    return check_all


def _object(fields: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """Accept an object with exactly these keys, and perhaps the optional ones."""
    known = {**fields, **(optional or {})}

    def check(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise _Wrong(f"{where or 'the file'} must be a JSON object")
        prefix = f"{where}." if where else ""
        for key in fields:
            if key not in value:
                raise _Wrong(f"{prefix}{key} is missing")
        for key, inner in value.items():
            if key not in known:
                raise _Wrong(f"unknown key {shortened(key)}{f' in {where}' if where else ''}")
            known[key](inner, prefix + key)

    return check


def _settings(value: Any, where: str) -> None:
    """Accept an object of texts, numbers, truth values and nulls."""
    if not (isinstance(value, dict) and len(value) <= 50):
        raise _Wrong(f"{where} must be a JSON object of at most 50 keys")
    for key, inner in value.items():
        _line(40, 1)(key, f"a key of {where}")
        if isinstance(inner, str):
            _line(300)(inner, f"{where}.{key}")
        elif inner is not None and not isinstance(inner, bool):
            _number()(inner, f"{where}.{key}")


# --- The parts of a result --------------------------------------------------------------------------------------------

_NUMBER = _or_null(_number())
_LABEL = _line(200, 1)
_ROW_FIELDS = _object(
    {
        "label": _LABEL,
        "variant": _one_of(*VARIANTS),
        "series": _line(80),
        "x": _NUMBER,
        "quantity": _line(80, 1),
        "unit": _line(40),
        "decimals": _integer(0, 10),
        "value": _NUMBER,
        "low": _NUMBER,
        "high": _NUMBER,
        "samples": _integer(0, 10**12),
        "published": _NUMBER,
        "published_error": _or_null(_number(0)),
        "published_note": _line(300),
        "verdict": _one_of(AGREES, HIGHER, LOWER, ""),
    }
)


def _row(value: Any, where: str) -> None:
    _ROW_FIELDS(value, where)
    if value["low"] is not None and value["high"] is not None and value["low"] > value["high"]:
        raise _Wrong(f"{where}.low must not be larger than {where}.high")


_FIGURE = _object(
    {"y": _line(120), "x": _line(120), "log_x": _truth, "log_y": _truth, "reference": _NUMBER},
    optional={"scatter": _or_null(_list(_line(80, 1), 2, 2))},
)
_FINDING = _object(
    {
        "meaning": _line(300, 1),
        "labels": _list(_LABEL, 0, 100),
        "holds": _one_of(*HOLDS),
        "p": _or_null(_number(0, 1)),
    }
)
_PART_OF_ID = "[a-z0-9][a-z0-9.-]{0,59}"
_RESULT = _object(
    {
        "id": _matching(
            f"{_PART_OF_ID}/{_PART_OF_ID}", "two names with a slash between them, of a-z, 0-9, dots and dashes"
        ),
        "title": _line(200, 1),
        "source": _line(200),
        "about": _paragraphs(10_000),
        "differences": _paragraphs(50_000),
        "scale": _one_of(*SCALES),
        "settings": _settings,
        "command": _line(1000),
        "version": _line(40),
        "date": _matching(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", "a date as in 2026-01-31"),
        "seconds": _number(0),
        "figure": _FIGURE,
        "rows": _list(_row, 0, MOST_ROWS),
        "findings": _list(_FINDING, 0, 200),
    }
)
