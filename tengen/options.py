"""Options of players and of their parts: dataclass fields with a meaning and limits, and the check of their values."""

import math
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from typing import Any

from tengen.errors import TengenError, shortened

Needs = dict[str, tuple[Any, ...] | range]
"""For an option that has an effect only with certain values of other options: by key, these values.

A range has all values from its start to the limit of the other option.
"""


def option(
    default: Any,
    meaning: str,
    choices: tuple[str, ...] = (),
    low: float = -math.inf,
    high: float = math.inf,
    needs: Needs | None = None,
    words: tuple[str, ...] = (),
    part: str = "",
) -> Any:
    """Return a dataclass field for an option: its default, its meaning (for help texts) and its limits.

    `choices` are all values of a text option, `words` are accepted in place of a number. With `part`, a kind of part,
    the option chooses a registered part by its name. An option whose `needs` are not met has no effect, and a
    configuration does not contain it.
    """
    about = {"meaning": meaning, "choices": choices, "low": low, "high": high, "needs": needs or {}, "words": words}
    return field(default=default, metadata={**about, "part": part})


def condition(needs: Needs) -> str:
    """Return in words the values of other options with which an option has an effect."""
    return " or ".join(
        f"{key} is at least {wanted.start}"
        if isinstance(wanted, range)
        else " or ".join(f"{key}={value}" for value in wanted)
        for key, wanted in needs.items()
    )


@dataclass(frozen=True)
class NoOptions:
    """The options of a part that has none."""


def record_fields(options: type, real: Any = "f8") -> list[tuple[str, Any]]:
    """Return the fields of a record that holds the numbers and switches of an options dataclass, in their order.

    A bool becomes uint8, an int int64, and a float the type `real`. Texts have no field: a record that depends on one
    needs a field of its own, and the options a property of that name.
    """
    import numpy as np

    kinds: dict[type, Any] = {bool: np.uint8, int: np.int64, float: np.dtype(real).type}
    return [(entry.name, kinds[type(entry.default)]) for entry in fields(options) if type(entry.default) in kinds]


def hint(wrong: str, known: Any) -> str:
    """Return a clause that lists the names in `known`, after the one that `wrong` is probably meant to be."""
    return f"{guess(wrong, known)}: there is {', '.join(known)}"


def guess(wrong: str, known: Any) -> str:
    """Return a clause with the name in `known` that `wrong` is probably meant to be; empty if none is similar."""
    near = get_close_matches(wrong, known, n=1, cutoff=0.6)
    return f" (did you mean {near[0]}?)" if near else ""


TYPE_NAMES = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def read_setting(entry: Field, text: str) -> Any:
    """Return the value that a text gives to a field made by `option`; raise TengenError if it gives none."""
    kind: Any = type(entry.default)
    if text in entry.metadata["words"]:
        return text
    try:
        value = {"true": True, "false": False}[text] if kind is bool else kind(text)
    except (KeyError, ValueError):
        raise TengenError(f"{entry.name} is {TYPE_NAMES[kind]}, not {shortened(text)}") from None
    return checked_setting(entry, value, text)


def checked_setting(entry: Field, value: Any, shown: object) -> Any:
    """Return the value of a field made by `option` in the type of its default.

    Raises TengenError, which quotes `shown`, if the value has another type, is none of the choices or is out of range.
    """
    kind = type(entry.default)
    if isinstance(value, str) and value in entry.metadata["words"]:
        return value
    if kind is float and isinstance(value, str) and value in ("inf", "-inf"):  # as JSON files have it
        value = float(value)
    choices, low, high = (entry.metadata[key] for key in ("choices", "low", "high"))
    if type(value) is not kind and not (kind is float and type(value) is int):
        raise TengenError(f"{entry.name} is {TYPE_NAMES[kind]}, not {shortened(shown)}")
    if choices and value not in choices:
        raise TengenError(f"{entry.name} cannot be {shortened(shown)}{hint(str(value), choices)}")
    if kind in (int, float) and not low <= value <= high:  # NaN is not in any range
        limits = (
            f"from {low:g} to {high:g}" if high < math.inf else f"{low:g} or more" if low > -math.inf else "a number"
        )
        raise TengenError(f"{entry.name} is {limits}, not {shortened(shown)}")
    try:
        return kind(value)
    except OverflowError:
        raise TengenError(f"{entry.name} is too large: {shortened(shown)}") from None
