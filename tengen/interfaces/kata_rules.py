"""Sets of rules as KataGo's protocols name and describe them, and what of them is supported."""

from dataclasses import dataclass, replace
from typing import Any

from tengen.errors import TengenError, shortened

VALUES: dict[str, tuple[object, ...]] = {
    "ko": ("SIMPLE", "POSITIONAL", "SITUATIONAL", "SPIGHT"),
    "scoring": ("AREA", "TERRITORY"),
    "tax": ("NONE", "SEKI", "ALL"),
    "suicide": (False, True),
    "hasButton": (False, True),
    "whiteHandicapBonus": ("0", "N", "N-1"),
    "friendlyPassOk": (False, True),
}
"""The values of each rule."""
SUPPORTED: dict[str, tuple[object, ...]] = {
    "ko": ("SIMPLE", "POSITIONAL", "SITUATIONAL"),
    "scoring": ("AREA",),
    "tax": ("NONE",),
    "hasButton": (False,),
}
"""The values that this program can play by; other rules are supported with every value."""


class UnknownRules(TengenError):
    """A set of rules that does not exist."""


@dataclass(frozen=True)
class KataRules:
    """A set of rules; the defaults are those of KataGo for objects that leave rules out."""

    ko: str = "POSITIONAL"
    scoring: str = "AREA"
    tax: str = "NONE"
    suicide: bool = True
    button: bool = False
    handicap_bonus: str = "0"
    komi: float = 7.5
    """Points for White if the client names no other komi."""

    def unsupported(self) -> list[str]:
        """Return the rules that this program cannot play by, as in 'scoring TERRITORY'."""
        values = {"ko": self.ko, "scoring": self.scoring, "tax": self.tax, "hasButton": self.button}
        return [f"{name} {_written(value)}" for name, value in values.items() if value not in SUPPORTED[name]]

    def nearest_supported(self) -> "KataRules":
        """Return the supported rules that replace these."""
        ko = self.ko if self.ko in SUPPORTED["ko"] else "SITUATIONAL"
        return replace(self, ko=ko, scoring="AREA", tax="NONE", button=False)

    def options(self) -> dict[str, Any]:
        """Return the rules as options of the game."""
        return {"ko": self.ko.lower(), "suicide": self.suicide}

    def bonus(self, handicap: int) -> int:
        """Return White's points for a number of handicap stones."""
        return {"0": 0, "N": handicap, "N-1": max(0, handicap - 1)}[self.handicap_bonus]


_CHINESE = KataRules("SIMPLE", suicide=False, handicap_bonus="N")
_CHINESE_SERVER = replace(_CHINESE, ko="POSITIONAL")
_JAPANESE = KataRules("SIMPLE", "TERRITORY", "SEKI", suicide=False, komi=6.5)
_AGA = KataRules("SITUATIONAL", suicide=False, handicap_bonus="N-1")
_NEW_ZEALAND = KataRules("SITUATIONAL", komi=7.0)
NAMED = {
    "tromp-taylor": KataRules(),
    "chinese": _CHINESE,
    "chinese-ogs": _CHINESE_SERVER,
    "chinese-kgs": _CHINESE_SERVER,
    "japanese": _JAPANESE,
    "korean": _JAPANESE,
    "aga": _AGA,
    "bga": _AGA,
    "french": _AGA,
    "aga-button": replace(_AGA, button=True, komi=7.0),
    "nz": _NEW_ZEALAND,
    "new-zealand": _NEW_ZEALAND,
    "goe": KataRules(),
    "ing": KataRules(),
    "ancient-area": KataRules("SIMPLE", tax="ALL", suicide=False),
    "stone-scoring": KataRules("SIMPLE", tax="ALL", suicide=False),
    "ancient-territory": KataRules("SIMPLE", "TERRITORY", "ALL", suicide=False, komi=6.5),
}
"""The sets of rules by name."""
_BY_LETTERS = {name.replace("-", ""): rules for name, rules in NAMED.items()}


def rules_of(described: Any) -> KataRules:
    """Return the rules that a JSON value names or describes. Raises UnknownRules."""
    if isinstance(described, str):
        letters = described.strip().lower().translate({ord(sign): None for sign in " -_"})
        if letters not in _BY_LETTERS:
            raise UnknownRules(f"unknown rules {shortened(described)}; choose from: {', '.join(NAMED)}, or an object")
        return _BY_LETTERS[letters]
    if not isinstance(described, dict):
        raise UnknownRules("must be the name of a set of rules, such as 'tromp-taylor' or 'chinese', or an object")
    fields = {"hasButton": "button", "whiteHandicapBonus": "handicap_bonus", "score": "scoring"}
    known: dict[str, Any] = {}
    for name, value in dict[str, Any](described).items():
        rule = "scoring" if name == "score" else name
        if rule == "komi":
            known["komi"] = _checked_komi(value)
            continue
        if rule not in VALUES:
            raise UnknownRules(f"unknown rule {shortened(name)}; choose from: {', '.join(VALUES)}, komi")
        if not any(value == choice and type(value) is type(choice) for choice in VALUES[rule]):
            choices = ", ".join(map(_written, VALUES[rule]))
            raise UnknownRules(f"{rule} must be one of {choices}, not {shortened(_written(value))}")
        if rule != "friendlyPassOk":
            known[fields.get(name, name)] = value
    return KataRules(**known)


MOST_KOMI = 400


def is_komi(value: Any) -> bool:
    """Whether a JSON value is a komi: an integer or half-integer from -400 to 400."""
    return type(value) in (int, float) and abs(value) <= MOST_KOMI and 2 * value == int(2 * value)


def _checked_komi(value: Any) -> float:
    if not is_komi(value):
        raise UnknownRules(f"komi must be an integer or half-integer from -{MOST_KOMI} to {MOST_KOMI}")
    return float(value)


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
