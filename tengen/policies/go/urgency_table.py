"""Tables of pattern urgencies: their files, the named tables, and the policy `urgency` that plays by them.

A file of urgencies has a header (see headed_files.py) and the urgencies of all classes of patterns as little-endian
4-byte floats, compressed by zlib. The header has

    format, version     "tengen urgencies", 1
    patterns, classes   the kind of patterns, "3x3" or "diamond", and the number of their classes
    capture, escape     urgency per stone of the last liberty of a chain in atari
    about               an object that describes how they were made
    sha256              the checksum of all this and of the compressed bytes

Loading executes nothing from the file, and checks every field.
"""

import os
import zlib
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tengen.errors import TengenError, shortened
from tengen.files import Unreadable, read_bytes
from tengen.games.game import Game
from tengen.games.go.game import Go
from tengen.headed_files import BadNumbers, decompressed_floats, is_intact, split_headed, write_headed
from tengen.jit import new
from tengen.options import guess, option
from tengen.policies.go import diamond_urgency, manual_urgencies
from tengen.policies.go.diamond_classes import diamond_classes, far_points
from tengen.policies.go.pattern_classes import (
    bases,
    exchanged_patterns,
    matching_patterns,
    own_eyes,
    pattern_classes,
)
from tengen.policies.go.urgency import MOST_URGENCY, URGENCY
from tengen.registry import PLAYOUT_POLICY, Needs, register

FORMAT, VERSION = "tengen urgencies", 1
SMALLEST, LARGEST = 1e-9, 1e9
"""Limits of the urgencies in a file."""
UNIT = 1024
"""The whole number that stands for an urgency of 1 in a kernel, unless the largest urgency needs a smaller unit."""
SHIPPED = Path(__file__).parents[2] / "data"
"""The folder of the package's own tables."""


SQUARES, DIAMONDS = "3x3", "diamond"
"""Kinds of patterns."""
SMALLEST_FOR_DIAMONDS = 4
"""On smaller boards a diamond reaches beyond both edges, for which there are no classes."""


def classes_by_colour(patterns: str) -> np.ndarray:
    """Return the class of each pattern of a kind for Black and for White, int32 (2, patterns); -1 for no pattern."""
    if patterns == DIAMONDS:
        return diamond_classes().of_slot
    of_pattern = pattern_classes().of_pattern
    return np.stack([of_pattern, of_pattern[exchanged_patterns()]])


def class_count(patterns: str) -> int:
    """Return the number of classes of a kind of patterns."""
    return diamond_classes().count if patterns == DIAMONDS else pattern_classes().count


class BadUrgencies(TengenError):
    """A file that does not hold valid urgencies."""


@dataclass(frozen=True)
class UrgencyTable:
    """Urgencies of all classes of patterns and of chains in atari, and a description of their origin."""

    urgencies: np.ndarray = field(repr=False)
    """float64 (classes,), all positive."""
    capture: float = 0.0
    """Urgency of capturing a chain in atari, per stone."""
    escape: float = 0.0
    """Urgency of saving a chain in atari, per stone."""
    about: dict[str, Any] = field(default_factory=dict, repr=False)
    patterns: str = SQUARES
    """The kind of patterns: SQUARES or DIAMONDS."""

    def compiled(self, size: int) -> Any:
        """Return the record of the policy that plays by this table on a board."""
        scale = min(UNIT, MOST_URGENCY / max(self.urgencies.max(), self.capture, self.escape))
        whole = np.clip(np.rint(scale * self.urgencies), 1, MOST_URGENCY).astype(np.uint64)
        classes, never = self._by_pattern()
        usual = np.uint64(max(1, round(scale)))
        black, white = np.where(never, np.uint64(0), np.where(classes >= 0, whole[classes], usual))
        if self.patterns == DIAMONDS:
            if size < SMALLEST_FOR_DIAMONDS:
                raise TengenError(f"diamond patterns need a board of at least 4x4, not {size}x{size}")
            made = new(diamond_urgency.DIAMONDS)
            made.far = far_points(size)
        else:
            made = new(URGENCY)
            made.bases = bases(size)
        made.table = _packed(black, white)
        capture, escape = (np.uint64(round(scale * each)) for each in (self.capture, self.escape))
        made.chains[0], made.chains[1] = _packed(escape, capture), _packed(capture, escape)
        return made

    def _by_pattern(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the classes of patterns by their numbers, for Black and White, and which are never played.

        These are own eyes and numbers of no 3x3 pattern.
        """
        classes = classes_by_colour(self.patterns)
        if self.patterns == DIAMONDS:
            return classes, diamond_classes().never & (classes >= 0)
        return classes, (classes < 0) | np.stack([own_eyes(), own_eyes()[exchanged_patterns()]])

    def as_diamonds(self) -> "UrgencyTable":
        """Return the same urgencies for diamonds: each has that of the 3x3 pattern in its middle."""
        return replace(self, urgencies=self.urgencies[diamond_classes().squares], patterns=DIAMONDS)

    def save(self, path: Path) -> None:
        """Write the table to a file, atomically."""
        raw = zlib.compress(self.urgencies.astype("<f4").tobytes(), 9)
        header = {
            "format": FORMAT,
            "version": VERSION,
            "patterns": self.patterns,
            "classes": len(self.urgencies),
            "capture": self.capture,
            "escape": self.escape,
            "about": self.about,
        }
        write_headed(path, header, raw)


def _packed(black: Any, white: Any) -> Any:
    """Return Black's and White's urgencies in one word."""
    return black | (white << np.uint64(32))


def load_urgencies(path: Path) -> UrgencyTable:
    """Load a table from a file; raise BadUrgencies if it is not valid."""
    try:
        content = read_bytes(path)
    except Unreadable as error:
        raise BadUrgencies(str(error)) from None
    try:
        return _read(content)
    except (BadUrgencies, BadNumbers) as error:
        raise BadUrgencies(f"{shortened(path, 160)}: {error}") from None


def _read(content: bytes) -> UrgencyTable:
    found = split_headed(content, FORMAT)
    if found is None:
        raise BadUrgencies("this is not a file of urgencies")
    header, raw = found
    version = header.get("version")
    if type(version) is not int or version != VERSION:
        raise BadUrgencies(
            f"this table has version {shortened(version)} of the format; the supported version is {VERSION}"
        )
    try:
        patterns, count, about = header["patterns"], header["classes"], header["about"]
        capture, escape, _ = header["capture"], header["escape"], header["sha256"]
    except KeyError as error:
        raise BadUrgencies(f"its header lacks {error}") from None
    if not is_intact(header, raw):
        raise BadUrgencies("the file is damaged: its checksum is wrong")
    if patterns not in (SQUARES, DIAMONDS):
        raise BadUrgencies(f"its patterns are {shortened(patterns)}; only {SQUARES} and {DIAMONDS} are known")
    if not isinstance(about, dict):
        raise BadUrgencies("about in its header is not an object")
    for name, value in (("capture", capture), ("escape", escape)):
        if type(value) not in (int, float) or not 0 <= value <= LARGEST:
            raise BadUrgencies(f"{name} in its header must be a number from 0 to {LARGEST:g}, not {shortened(value)}")
    return UrgencyTable(_numbers(raw, count, patterns), float(capture), float(escape), about, patterns)


def _numbers(raw: bytes, stated: Any, patterns: str) -> np.ndarray:
    """Return the urgencies in a file's compressed bytes. Raises an error if they are not complete and in range."""
    wanted = class_count(patterns)
    if type(stated) is not int or stated != wanted:
        raise BadUrgencies(
            f"its header states {shortened(stated)} classes of patterns; {patterns} patterns have {wanted:,}"
        )
    urgencies = np.frombuffer(decompressed_floats(raw, wanted, "urgencies"), "<f4").astype(np.float64)
    if not ((urgencies >= np.float32(SMALLEST)) & (urgencies <= LARGEST)).all():  # NaN is in no range
        raise BadUrgencies(f"its urgencies are not all between {SMALLEST:g} and {LARGEST:g}")
    return urgencies


# --- Named tables ----------------------------------------------------------------------------------------------------

ZERO, MANUAL, LEARNT = "zero", "manual", "rlpr"


def zero_table() -> UrgencyTable:
    """Return Zero, whose urgencies are all equal: moves are uniformly random."""
    return UrgencyTable(np.ones(pattern_classes().count), about={"name": ZERO})


@cache
def manual_table() -> UrgencyTable:
    """Return Manual, the hand-made table: 1 for every pattern, and the urgencies of the pictures that match it."""
    classes, manual = pattern_classes(), manual_urgencies
    found = np.ones(classes.count)
    for _, urgency, drawing in manual.PICTURES:
        found[np.unique(classes.of_pattern[matching_patterns(drawing)])] += urgency
    for _, drawing in manual.WASTED:
        found[np.unique(classes.of_pattern[matching_patterns(drawing)])] = manual.WASTED_URGENCY
    return UrgencyTable(found, manual.CAPTURE_URGENCY, manual.ESCAPE_URGENCY, {"name": MANUAL})


def learnt_tables() -> dict[str, int]:
    """Return the names of the package's learnt tables, as in 'rlpr-9', with the board size that each was learnt on."""
    names = (file.stem for file in sorted(SHIPPED.glob(f"{LEARNT}-*.urgencies")))
    return {name: int(name.rpartition("-")[2]) for name in names}


def shipped_file(name: str, size: int) -> Path | None:
    """Return the file of a learnt table of the package; `rlpr` is the one of the nearest size. None for other names."""
    known = learnt_tables()
    if name == LEARNT and not known:
        raise TengenError("the package has no learnt urgencies; make them with `tengen train urgencies`")
    if name == LEARNT:
        name = min(known, key=lambda other: abs(known[other] - size))
    return SHIPPED / f"{name}.urgencies" if name in known else None


def urgency_table(name: str, size: int) -> UrgencyTable:
    """Return a table by its name, zero, manual or rlpr (for a board size), or from a file of that path."""
    if name == ZERO:
        return zero_table()
    if name == MANUAL:
        return manual_table()
    if shipped := shipped_file(name, size):
        return load_urgencies(shipped)
    if not os.path.exists(name):
        known = (ZERO, MANUAL, LEARNT, *learnt_tables())
        raise BadUrgencies(
            f"unknown table of urgencies {shortened(name, 160)}{guess(name, known)}; "
            f"choose from: {', '.join(known)}, or a file that exists"
        )
    return load_urgencies(Path(name))


def _changed(name: str, size: int) -> int:
    """Return the modification time of a table's file in ns; 0 if it has none or cannot be read."""
    if name in (ZERO, MANUAL):
        return 0
    try:
        return (shipped_file(name, size) or Path(name)).stat().st_mtime_ns
    except (OSError, ValueError):
        return 0


@lru_cache(maxsize=4)
def _compiled(name: str, size: int, changed: int) -> Any:
    """Return the compiled policy of a table; cached by the modification time of its file."""
    return urgency_table(name, size).compiled(size)


# --- The policy ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class UrgencyOptions:
    """Options of the playout policy urgency."""

    urgencies: str = option(
        MANUAL,
        "the table of urgencies: zero (all equal), manual (hand-made), rlpr (learnt on the nearest board size; "
        "rlpr-9 and rlpr-19 name one), or a file",
    )


def _policy_of(options: UrgencyOptions, game: Game) -> Any:
    assert isinstance(game, Go)
    return _compiled(options.urgencies, game.size, _changed(options.urgencies, game.size))


register(
    PLAYOUT_POLICY,
    "urgency",
    "probabilities proportional to the urgencies of patterns and of chains in atari [BouzyChaslot2006]",
    options=UrgencyOptions,
    record=_policy_of,
    game="go",
    needs=Needs(tactical=True),
)
