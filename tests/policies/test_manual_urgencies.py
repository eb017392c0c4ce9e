"""The pictures of the hand-made urgencies: what they match, by comparison of letters, and how they belong together."""

import itertools
import re

import numpy as np
import pytest

from tengen.policies.go.manual_urgencies import PICTURES, WASTED, WASTED_URGENCY
from tengen.policies.go.pattern_classes import exchanged_patterns, matching_patterns, own_eyes, pattern_classes
from tengen.policies.go.urgency_table import manual_table
from tests.policies.slow_urgency import all_neighbourhoods, canonical, views
from tests.policies.test_pattern_classes import numbered

DRAWINGS = {**{name: drawing for name, _, drawing in PICTURES}, **dict(WASTED)}
URGENCIES = {name: urgency for name, urgency, _ in PICTURES}
STANDS_FOR = {"X": "X", "O": "O", ".": ".", "n": "X.", "m": "O.", "?": "XO.", "-": "#"}
COLOURS_EXCHANGED = {
    "cut a diagonal connection": "connect diagonal stones",
    "cut a diagonal connection from both sides": "connect diagonal stones between enemies",
    "cut between two stones": "connect two stones",
    "hane": "answer a hane",
    "push along a wall": "block along a wall",
    "extend along the edge": "stop along the edge",
    "cut at the edge": "connect at the edge",
    "descend beside an enemy": "descend against a descent",
    "make an eye at the edge": "take an eye at the edge",
    "close an eye": "break an eye",
}
"""Each picture and the one that it is with the colours exchanged."""
BOTH_MATCH = {
    ("cut a diagonal connection", "close an eye"),
    ("cut a diagonal connection from both sides", "connect diagonal stones between enemies"),
    ("cut between two stones", "connect two stones"),
    ("connect diagonal stones", "break an eye"),
    ("hane", "close an eye"),
    ("answer a hane", "break an eye"),
    ("push along a wall", "close an eye"),
    ("push along a wall", "break an eye"),
    ("block along a wall", "close an eye"),
    ("block along a wall", "break an eye"),
    ("extend along the edge", "stop along the edge"),
    ("cut at the edge", "descend beside an enemy"),
    ("connect at the edge", "descend against a descent"),
}
"""Pairs of pictures that match the same pattern, whose urgencies are added."""


def matched(name: str) -> set[int]:
    """Return the numbers of the patterns that a picture matches."""
    return set(matching_patterns(DRAWINGS[name]).tolist())


def expression(drawing: str) -> re.Pattern[str]:
    """Return a picture as a regular expression for the eight letters of a neighbourhood."""
    return re.compile("".join(f"[{STANDS_FOR[letter]}]" for letter in drawing.split() if letter != "*"))


def test_the_urgencies_equal_the_sums_of_the_pictures_that_match_by_comparison_of_letters():
    matching = {name: expression(drawing) for name, drawing in DRAWINGS.items()}
    found, classes = manual_table().urgencies, pattern_classes().of_pattern
    kinds = {canonical(seen) for seen in all_neighbourhoods()}
    for kind in kinds:
        in_all_views = " ".join(letters for _, letters in views(kind))
        names = {name for name, letters in matching.items() if letters.search(in_all_views)}
        is_wasted = any(name in names for name, _ in WASTED)
        expected = WASTED_URGENCY if is_wasted else 1 + sum(URGENCIES[name] for name in names)
        assert found[classes[numbered(kind)]] == expected, kind
    assert len(kinds) == len(found)


@pytest.mark.parametrize("name", DRAWINGS)
def test_each_picture_is_three_by_three_and_matches_patterns_that_exist_and_are_played(name):
    rows = [line.split() for line in DRAWINGS[name].strip().splitlines()]
    assert [len(row) for row in rows] == [3, 3, 3]
    assert rows[1][1] == "*"
    patterns = matched(name)
    assert (pattern_classes().of_pattern[sorted(patterns)] >= 0).all()
    assert patterns - set(np.flatnonzero(own_eyes()).tolist()), "it matches own eyes only"


def test_names_are_unique():
    assert len(DRAWINGS) == len(PICTURES) + len(WASTED)


def test_no_wasted_picture_matches_a_pattern_of_another_picture():
    found = {(waste, name) for waste, _ in WASTED for name in URGENCIES if matched(waste) & matched(name)}
    assert found == set()


def test_pictures_match_the_same_pattern_only_in_the_reviewed_pairs():
    found = {pair for pair in itertools.combinations(URGENCIES, 2) if matched(pair[0]) & matched(pair[1])}
    assert found == BOTH_MATCH


@pytest.mark.parametrize("name", COLOURS_EXCHANGED)
def test_a_move_and_the_move_that_prevents_it_have_the_same_pictures_and_urgency(name):
    other = COLOURS_EXCHANGED[name]
    assert set(exchanged_patterns()[sorted(matched(name))].tolist()) == matched(other)
    assert URGENCIES[name] == URGENCIES[other]


def test_every_picture_has_one_with_the_colours_exchanged():
    assert sorted([*COLOURS_EXCHANGED, *COLOURS_EXCHANGED.values()]) == sorted(URGENCIES)
