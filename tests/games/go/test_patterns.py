"""MoGo's patterns: every neighbourhood against the patterns as rules, and a few by hand."""

import itertools

import numpy as np
import pytest

from tengen.games.go import patterns
from tests.games.go import reference, slow_patterns
from tests.games.go.reference import drawn, state_from
from tests.policies.slow_mogo import around

u64 = np.uint64
PLACES = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
BLACK, WHITE, EMPTY, WALL = range(4)


def bits() -> np.ndarray:
    """Return the tables as one truth value per colour and code."""
    return np.unpackbits(patterns.PATTERNS.view(np.uint8), axis=1, bitorder="little").astype(bool)


def code_of(colours: dict[tuple[int, int], int]) -> int:
    return sum(colours[place] << 2 * bit for bit, place in enumerate(PLACES))


def neighbourhoods(walls: set[tuple[int, int]]):
    """Yield every way to fill the points around a point, with these points off the board."""
    free = [place for place in PLACES if place not in walls]
    for colours in itertools.product((BLACK, WHITE, EMPTY), repeat=len(free)):
        yield dict(zip(free, colours, strict=True)) | dict.fromkeys(walls, WALL)


CENTRE: set[tuple[int, int]] = set()
BELOW, ABOVE = {place for place in PLACES if place[0] == -1}, {place for place in PLACES if place[0] == 1}
LEFT, RIGHT = {place for place in PLACES if place[1] == -1}, {place for place in PLACES if place[1] == 1}
KINDS = {
    "centre": (CENTRE,),
    "edges": (BELOW, ABOVE, LEFT, RIGHT),
    "corners": (BELOW | LEFT, BELOW | RIGHT, ABOVE | LEFT, ABOVE | RIGHT),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_neighbourhood_agrees_with_the_patterns_as_rules(kind):
    table = bits()
    matches = 0
    for walls in KINDS[kind]:
        for colours in neighbourhoods(walls):
            for mover in (BLACK, WHITE):
                seen = {mover: "X", 1 - mover: "O", EMPTY: ".", WALL: "#"}
                expected = slow_patterns.is_match({place: seen[colour] for place, colour in colours.items()})
                assert table[mover, code_of(colours)] == expected, (colours, mover)
                matches += expected
    assert bool(matches) == (kind != "corners")


def test_nothing_else_matches():
    """The table is false for arrangements of walls that no board has."""
    possible = np.zeros(patterns.CODES, bool)
    for walls in itertools.chain(*KINDS.values()):
        possible[[code_of(colours) for colours in neighbourhoods(walls)]] = True
    assert not bits()[:, ~possible].any()
    assert 0.05 < bits()[:, possible].mean() < 0.5


def test_both_colours_have_the_same_patterns_with_the_colours_exchanged():
    table = bits()
    for walls in (CENTRE, BELOW):
        for colours in neighbourhoods(walls):
            exchanged = {place: 1 - colour if colour < 2 else colour for place, colour in colours.items()}
            assert table[0, code_of(colours)] == table[1, code_of(exchanged)]


BY_HAND = {
    "a hane": (". . . . .\n. X O . .\n. . . . .\n. . . . .\n. . . . .", "C3", "both"),
    "a hane around a lone stone is none": (". . . . .\n. . O . .\n. . . . .\n. . . . .\n. . . . .", "C3", "neither"),
    "a hane against two stones is only for the one": (
        ". . . . .\n. X O O .\n. . . . .\n. . . . .\n. . . . .",
        "C3",
        "black",
    ),
    "a stone between two others": (". . . . .\n. X O X .\n. . . . .\n. O X O .\n. . . . .", "C3", "both"),
    "a cut": (". . . . .\n. X O . .\n. O . . .\n. . . . .\n. . . . .", "C3", "both"),
    "no cut of what is joined on the right": (
        ". . . . .\n. X O . .\n. O . O .\n. . . . .\n. . . . .",
        "C3",
        "neither",
    ),
    "no cut of what is joined below": (". . . . .\n. X O . .\n. O . . .\n. . O . .\n. . . . .", "C3", "neither"),
    "a cut through two stones side by side": (
        ". . . . .\n. . X . .\n. O . O .\n. . . . .\n. . . . .",
        "C3",
        "both",
    ),
    "not with an enemy below": (". . . . .\n. . X . .\n. O . O .\n. O . . .\n. . . . .", "C3", "neither"),
    "a chase on the edge": (". . . . .\n. . . . .\n. . . . .\n. X . . .\n. O . . .", "C1", "both"),
    "a descent is for the one": (". . . . .\n. . . . .\n. . . . .\n. . X O .\n. X . X .", "C1", "black"),
    "a hane on the edge": (". . . . .\n. . . . .\n. . . . .\n. . X O .\n. X . . .", "C1", "both"),
    "a corner matches nothing": (". . . . .\n. . . . .\n. . . . .\nX O . . .\n. X . . .", "A1", "neither"),
    "an occupied point matches nothing": (". . . . .\n. X O . .\n. O X . .\n. . . . .\n. . . . .", "C3", "neither"),
}


@pytest.mark.plain
@pytest.mark.parametrize(("diagram", "point", "movers"), BY_HAND.values(), ids=BY_HAND)
def test_patterns_by_hand(diagram, point, movers):
    game, state = state_from(drawn(diagram), "tactical")
    number = u64(game.parse_move(point))
    found = {
        name for colour, name in enumerate(("black", "white")) if patterns.matches_pattern(state, number, u64(colour))
    }
    assert found == {"both": {"black", "white"}, "neither": set()}.get(movers, {movers})


@pytest.mark.plain
def test_the_points_around_a_move_that_match_are_found():
    game, state = state_from(
        drawn("""
        . . . . . . .
        . X O . X . .
        . . . X O . .
        . O X . . X .
        . . O . X . .
        X O . X . O .
        . X . . O . .
        """),
        "tactical",
    )
    stones_on = reference.board_of(game, state)
    found = 0
    for point in stones_on:
        for colour in (0, 1):
            mask = int(patterns.patterns_around(state, u64(game.point(*point)), u64(colour)))
            for bit, (up, right) in enumerate(PLACES):
                place = (point[0] + up, point[1] + right)
                expected = stones_on.get(place) == EMPTY and slow_patterns.is_match(around(stones_on, place, colour))
                assert bool(mask >> bit & 1) == expected
                found += expected
    assert found > 50
