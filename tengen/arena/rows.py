"""Validation of stored games: every value from a file is checked here before it is used."""

from collections.abc import Callable, Mapping
from typing import Any

from tengen.errors import TengenError, shortened
from tengen.files import parse_json

WINNERS = ("black", "white", "draw")
LARGEST_INTEGER = 2**63 - 1
"""The largest integer that SQLite stores."""
LARGEST_NUMBER = 1e100
"""Largest absolute value of times and margins: sums of their squares stay finite."""
LARGEST_RATING = 100_000
"""Largest absolute value of an anchor's rating."""


def _is_text(value: Any) -> bool:
    """Whether a value is text that can be stored and printed: no lone surrogates, which JSON allows."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= LARGEST_INTEGER


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= LARGEST_NUMBER


def _is_duration(value: Any) -> bool:
    return _is_number(value) and value >= 0


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


def _are_analyses(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(one is None or _is_table(one) for one in value))


def is_rating(value: Any) -> bool:
    """Whether a value is acceptable as an anchor's rating."""
    return _is_number(value) and abs(value) <= LARGEST_RATING


Check = tuple[Callable[[Any], bool], str]
"""A predicate for valid values, and a description of them."""
TEXT: Check = _is_text, "text"
COUNT: Check = _is_count, "an integer from 0 to 2^63 - 1"
DURATION: Check = _is_duration, "a number of seconds"
TABLE: Check = _is_table, "an object"
GAME: dict[str, Check] = {
    **dict.fromkeys(("id", "pairing", "black", "white", "reason", "detail", "opening", "record"), TEXT),
    **dict.fromkeys(("black_player", "white_player", "black_version", "white_version"), TEXT),
    **dict.fromkeys(("number", "seed", "moves"), COUNT),
    **dict.fromkeys(("started", "seconds", "black_seconds", "white_seconds"), DURATION),
    "winner": (lambda value: value in WINNERS, f"one of {', '.join(WINNERS)}"),
    "margin": (lambda value: value is None or _is_number(value), "a number or null"),
    "times": (lambda value: isinstance(value, list) and all(map(_is_duration, value)), "a list of seconds"),
    "analysis": (_are_analyses, "a list of objects, or null"),
}
"""The fields of a game: of a row in the store, of a line of JSON, or of `PlayedGame`."""
PLAYER: dict[str, Check] = {**dict.fromkeys(("key", "name", "spec", "version"), TEXT), "config": TABLE}
PAIRING: dict[str, Check] = {"name": TEXT, "settings": TABLE}
ANCHOR: dict[str, Check] = {"player": TEXT, "elo": (is_rating, f"a rating up to {LARGEST_RATING:,}")}


def checked(row: Mapping[str, Any], checks: dict[str, Check]) -> dict[str, Any]:
    """Return the fields of `row` that `checks` names; raise TengenError if one is missing or wrong."""
    for name, (is_right, kind) in checks.items():
        if name not in row:
            raise TengenError(f"{name} is missing")
        if not is_right(row[name]):
            raise TengenError(f"{name} is {shortened(row[name])}, not {kind}")
    return {name: row[name] for name in checks}


def checked_game(row: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields `names` of a game; raise TengenError if one is missing or wrong."""
    found = checked(row, {name: GAME[name] for name in names})
    if found["id"] != f"{found['pairing']} #{found['number']}":
        raise TengenError(f"id is {shortened(found['id'], 80)}, which is not its pairing and number")
    return found


def checked_settings(settings: Any) -> tuple[str, str]:
    """Return the names of the two players in a pairing's settings; raise TengenError if they are missing or equal."""
    names: list[str] = []
    for side in ("first", "second"):
        player = settings.get(side) if isinstance(settings, dict) else None
        name = player.get("name") if isinstance(player, dict) else None
        if not isinstance(name, str) or not _is_text(name):
            raise TengenError(f"the settings have no name of the {side} player")
        names.append(name)
    if names[0] == names[1]:
        raise TengenError(f"both players are named {shortened(names[0])}")
    return names[0], names[1]


def json_column(text: Any) -> Any:
    """Return the value of a column that holds JSON, or None if it is null."""
    if text is None:
        return None
    if not isinstance(text, str):
        raise TengenError(f"{shortened(text)} is not JSON")
    return parse_json(text)
