"""The most and the least urgent patterns of a table of urgencies, as text and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tengen.errors import TengenError, shortened
from tengen.policies.go.pattern_classes import LETTERS, own_eyes, pattern_classes, picture, place_name
from tengen.policies.go.urgency_table import SQUARES, UrgencyTable

ANYWHERE, CORNER = "all", "corner"
PLACES = (ANYWHERE, "inside", "second-line", "first-line", CORNER)
"""Places on the board by which patterns are chosen."""
GAP = 3
"""Columns between two pictures."""
LEGEND = "X: side to move, O: opponent, .: empty, *: the move, -: off the board"
LONGEST_VALUE = 300
"""Characters of an entry of a table's description that are shown."""


@dataclass(frozen=True)
class UrgentPattern:
    """A class of patterns, as one of them, and its urgency."""

    pattern: int
    urgency: float

    @property
    def drawing(self) -> str:
        """Three lines of letters."""
        return picture(self.pattern)

    @property
    def place(self) -> str:
        return place_name(self.pattern)

    def to_json(self) -> dict[str, Any]:
        return {"pattern": self.drawing.split("\n"), "place": self.place, "urgency": self.urgency}


@dataclass(frozen=True)
class Ranking:
    """The patterns of a table at a place of the board, without own eyes, which are never filled."""

    name: str
    table: UrgencyTable
    place: str
    patterns: list[UrgentPattern]
    """The simplest first: inside the board, with few stones."""

    @staticmethod
    def of(name: str, table: UrgencyTable, place: str = ANYWHERE) -> "Ranking":
        """Rank the patterns of a table; `name` is its name or file. Raises TengenError if the place is unknown."""
        wanted = place.replace(" ", "-")
        if wanted not in PLACES:
            raise TengenError(f"unknown place {shortened(place)}; choose from: {', '.join(PLACES)}")
        if table.patterns != SQUARES:
            raise TengenError(f"the table {shortened(name)} has {table.patterns} patterns; only 3x3 patterns are shown")
        examples, urgencies = pattern_classes().examples, table.urgencies
        played = np.flatnonzero(~own_eyes()[examples])
        found = [UrgentPattern(int(examples[number]), float(urgencies[number])) for number in played]
        here = [one for one in found if wanted in (ANYWHERE, _place_group(one.place))]
        return Ranking(name, table, wanted, sorted(here, key=_simplicity))

    def most_urgent(self, count: int) -> list[UrgentPattern]:
        """Return the first patterns by falling urgency; of equal ones, the simplest first."""
        return sorted(self.patterns, key=lambda one: -one.urgency)[:count]

    def least_urgent(self, count: int) -> list[UrgentPattern]:
        """Return the first patterns by rising urgency; of equal ones, the simplest first."""
        return sorted(self.patterns, key=lambda one: one.urgency)[:count]

    def sections(self, count: int) -> dict[str, list[UrgentPattern]]:
        """Return the most and the least urgent patterns, each under its heading."""
        return {"most urgent": self.most_urgent(count), "least urgent": self.least_urgent(count)}

    @property
    def mean(self) -> float:
        return float(np.mean([one.urgency for one in self.patterns]))

    def summary(self) -> list[str]:
        """Return lines about the table: its name, its patterns, and the urgencies of chains in atari."""
        where = "" if self.place == ANYWHERE else f" ({self.place.replace('-', ' ')})"
        return [
            f"table {_printable(self.name)}",
            f"{len(self.patterns):,} patterns up to symmetry{where}, mean urgency {shown_urgency(self.mean)}",
            f"per stone of a chain in atari: capture {self.table.capture:g}, escape {self.table.escape:g}",
        ]

    def description(self) -> list[str]:
        """Return lines about how the table was made."""
        return [f"{_printable(key)}: {_printable(value)}" for key, value in self.table.about.items() if key != "name"]

    def to_json(self, count: int) -> dict[str, Any]:
        sections = {
            heading.replace(" ", "_"): [one.to_json() for one in found]
            for heading, found in self.sections(count).items()
        }
        return {
            "table": self.name,
            "capture": self.table.capture,
            "escape": self.table.escape,
            "about": self.table.about,
            "place": self.place,
            "patterns": len(self.patterns),
            "mean": self.mean,
            **sections,
        }

    def to_text(self, count: int, width: int) -> str:
        """Return the summary and the patterns in lines of at most `width` columns, if one picture fits."""
        blocks = ["\n".join([*self.summary(), *self.description()]), LEGEND]
        for heading, found in self.sections(count).items():
            blocks += [f"{len(found)} {heading} patterns", _side_by_side(found, width)]
        return "\n\n".join(blocks)


def _simplicity(one: UrgentPattern) -> tuple[int, int, int]:
    """Return a key that sorts patterns by place, those inside the board first, then by number of stones."""
    stones = sum(one.drawing.count(letter) for letter in LETTERS[:2])
    return PLACES.index(_place_group(one.place)), stones, one.pattern


def _place_group(place: str) -> str:
    """Return which of PLACES the name of a place belongs to: points such as 1-2 are near a corner."""
    return CORNER if place.endswith("point") else place.replace(" ", "-")


def shown_urgency(urgency: float) -> str:
    """Return an urgency with three significant digits."""
    return f"{urgency:,.0f}" if 1000 <= urgency < 1e6 else f"{urgency:.3g}"


def _printable(value: object) -> str:
    """Return a value from a file as one short line without control characters."""
    text = value if isinstance(value, str) and value.isprintable() else json.dumps(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]} ..."


def _side_by_side(found: Sequence[UrgentPattern], width: int) -> str:
    """Return pictures with their urgencies and places, as many in a row as fit."""
    cells = [[*one.drawing.split("\n"), shown_urgency(one.urgency), one.place] for one in found]
    widest = max((len(line) for cell in cells for line in cell), default=0)
    columns = max(1, (width + GAP) // (widest + GAP))
    rows = [cells[start : start + columns] for start in range(0, len(cells), columns)]
    return "\n\n".join("\n".join(_joined(lines, widest) for lines in zip(*row, strict=True)) for row in rows)


def _joined(lines: Sequence[str], width: int) -> str:
    return (" " * GAP).join(f"{line:<{width}}" for line in lines).rstrip()
