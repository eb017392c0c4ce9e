"""What can be chosen about the policies and priors of games: fields for the configs of players to inherit."""

import math
from dataclasses import Field, dataclass, field
from difflib import get_close_matches
from typing import Any

from tengen.errors import TengenError, shortened

Needs = dict[str, tuple[str, ...]]
"""Keys and values: one of them must be so for another key to have an effect. Of several such, each."""


def option(
    default: Any,
    meaning: str,
    choices: tuple[str, ...] = (),
    low: float = -math.inf,
    high: float = math.inf,
    needs: Needs | tuple[Needs, ...] = (),
    words: tuple[str, ...] = (),
) -> Any:
    """A field of a config: its default, what it means, what it may be, and what it needs to have an effect.

    `choices` are all values of a text; `words` are accepted in place of a number.
    """
    needs = needs if isinstance(needs, tuple) else (needs,)
    about = {"meaning": meaning, "choices": choices, "low": low, "high": high, "needs": needs, "words": words}
    return field(default=default, metadata=about)


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


MOGO: Needs = {"policy": ("mogo",)}
RULES: Needs = {**MOGO, "prior": ("mogo", "knowledge")}
"""The priors ask for MoGo's rules, too."""


@dataclass(frozen=True)
class MogoOptions:
    """Changes to MoGo's policy. Each is off by default: then the policy is the published one."""

    save_probability: float = option(1.0, "mogo: how often chains in atari are saved", low=0, high=1, needs=MOGO)
    pattern_probability: float = option(1.0, "mogo: how often patterns are looked for", low=0, high=1, needs=MOGO)
    capture_probability: float = option(1.0, "mogo: how often captures are looked for", low=0, high=1, needs=MOGO)
    nakade: bool = option(False, "mogo: first, play the middle of three-point eye spaces [Fuego]", needs=RULES)
    capture_last: bool = option(
        False, "mogo: before saving, capture a last move that was self-atari [Fuego]", needs=RULES
    )
    two_liberties: bool = option(False, "mogo: before patterns, decide chains with two liberties [Fuego]", needs=RULES)
    fill_board: int = option(
        0,
        "mogo: draw so many points, fewer as the board fills, in search of an open place first [Fuego, Pachi]",
        low=0,
        high=1000,
        needs=MOGO,
    )
    self_atari_refusal: float = option(
        0.0, "mogo: how often a pattern move that is self-atari is refused [michi: 0.9]", low=0, high=1, needs=MOGO
    )
    random_self_atari_refusal: float = option(
        0.0, "mogo: how often a move by no rule that is self-atari is refused [michi: 0.5]", low=0, high=1, needs=MOGO
    )
    self_atari_stones: int = option(1, "mogo: self-atari of fewer stones is not refused", low=1, high=1000, needs=MOGO)
    mercy: int = option(
        0, "mogo: end playouts when a side has so many stones more; 0: never [Fuego: 24]", low=0, high=1000, needs=MOGO
    )


SHAPES: Needs = {"policy": ("rlgo",)}


@dataclass(frozen=True)
class ShapeOptions:
    """The policy and the prior by learnt weights of local shapes. Without chance, the policy is greedy."""

    weights: str = option("", "rlgo: a file of weights; none: those that come with the package")
    epsilon: float = option(0.0, "rlgo: how often the policy plays a random move", low=0, high=1, needs=SHAPES)
    sigma: float = option(
        0.0, "rlgo: deviation of the Gaussian noise on the policy's values", low=0, high=100, needs=SHAPES
    )
    tau: float = option(0.0, "rlgo: temperature of the policy's softmax over values", low=0, high=100, needs=SHAPES)


BY_VARIANCE = "variance"
"""The value of prior_weight that weighs a prior by the variance of its error."""


@dataclass(frozen=True)
class ShapePriorOptions:
    """How much the prior by learnt weights of local shapes counts."""

    prior_scale: float = option(
        1.0,
        "rlgo: factor of the weight by prior_weight=variance; 1: as fitted",
        low=0,
        high=1e5,
        needs={"prior_weight": (BY_VARIANCE,)},
    )


def experience(default: float, meaning: str) -> Any:
    """A number that says how much the knowledge prior adds for a kind of move, as a multiple of prior_weight."""
    return option(
        default, f"knowledge: {meaning}, in units of prior_weight", low=0, high=1000, needs={"prior": ("knowledge",)}
    )


@dataclass(frozen=True)
class KnowledgeOptions:
    """What the knowledge prior adds to even experience. The defaults are michi's counts, of which 10 are even."""

    rule_wins: float = experience(1.0, "wins for the moves among which MoGo's policy would choose by a rule")
    pattern_wins: float = experience(1.0, "wins for moves that match a pattern")
    capture_wins: float = experience(1.5, "wins for capturing a stone")
    large_capture_wins: float = experience(3.0, "wins for capturing several")
    atari_wins: float = experience(0.5, "wins for putting an enemy's chain in atari")
    self_atari_losses: float = experience(1.0, "losses for putting an own chain in atari")
    near_wins_1: float = experience(2.4, "wins beside the last move's chain")
    near_wins_2: float = experience(2.2, "wins at distance 2, over chains as over points")
    near_wins_3: float = experience(0.8, "wins at distance 3")
    first_line_losses: float = experience(0.0, "losses on the first line, times the share of empty points")
    low_line_losses: float = experience(1.0, "losses on the first two lines, away from all stones")
    third_line_wins: float = experience(1.0, "wins on the third line, away from all stones")
    ladder_wins: float = experience(0.0, "wins for catching the last move in a ladder")
    ladder_losses: float = experience(0.0, "losses for running from a ladder that works")
