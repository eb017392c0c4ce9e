"""The kernels of Go: cases by hand, counts from the literature, and every field against a flood fill."""

import itertools
import os
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest

from tengen import Go
from tengen.games import interface
from tengen.games.go import eyes, go_board, go_record
from tengen.jit import COMPILED
from tests.games.go import reference
from tests.games.go.reference import BLACK, EMPTY, RECORDS, WHITE, drawn, picture, state_from

KINDS = pytest.mark.parametrize("kind", RECORDS)


# --- Moves by hand ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A diagram, moves, the diagram after them, the ko point, and Black's area minus White's."""

    before: str
    moves: str
    after: str
    area: int
    ko: str | None = None
    to_play: int = BLACK
    suicide: bool = False


KO_BEFORE = """
    . X O .
    X O . O
    . X O .
    . . . .
"""
SNAPBACK_BEFORE = """
    . . . . .
    . . . . .
    X X X . .
    O O O X .
    . . O X .
"""
TWO_BLACK_STONES_WITH_ONE_LIBERTY = """
    X . O
    X O O
    O O .
"""

CASES = {
    "a stone in the centre is captured": Case(
        """
        . . . . O
        . . X . .
        . X O X .
        . . . . .
        . . . . .
        """,
        "C2",
        """
        . . . . O
        . . X . .
        . X . X .
        . . X . .
        . . . . .
        """,
        area=4 + 1 - 1,
    ),
    "a stone on the edge is captured by White": Case(
        """
        . . X . .
        . . . . .
        . . . . O
        . . . . X
        . . . . O
        """,
        "D2",
        """
        . . X . .
        . . . . .
        . . . . O
        . . . O .
        . . . . O
        """,
        area=1 - 4,
        to_play=WHITE,
    ),
    "a stone in the corner is captured": Case(
        """
        . . .
        X . .
        O . .
        """,
        "B1",
        """
        . . .
        X . .
        . X .
        """,
        area=9,
    ),
    "a chain on the edge is captured whole": Case(
        """
        . . . . .
        . O . . .
        . . . . .
        X X X . .
        O O O . .
        """,
        "D1",
        """
        . . . . .
        . O . . .
        . . . . .
        X X X . .
        . . . X .
        """,
        area=4 + 3 - 1,
    ),
    "a bent chain is captured whole in the centre": Case(
        """
        . . X . .
        . X O X .
        X O O X .
        . X O . .
        . . X . .
        """,
        "D2",
        """
        . . X . .
        . X . X .
        X . . X .
        . X . X .
        . . X . .
        """,
        area=25,
    ),
    "one move captures four stones apart, though it looks like suicide": Case(
        """
        . . X . .
        . X O X .
        X O . O X
        . X O X .
        . . X . .
        """,
        "C3",
        """
        . . X . .
        . X . X .
        X . X . X
        . X . X .
        . . X . .
        """,
        area=25,
    ),
    "one move captures a chain and a stone": Case(
        """
        . X X . .
        X O O X .
        . X . . .
        . X O X .
        . . X . O
        """,
        "C3",
        """
        . X X . .
        X . . X .
        . X X . .
        . X . X .
        . . X . O
        """,
        area=9 + 8 - 1,
    ),
    "a capture in the last eye looks like suicide": Case(
        """
        . O O X
        O O O X
        X X X X
        . . . .
        """,
        "A4",
        """
        X . . X
        . . . X
        X X X X
        . . . .
        """,
        area=16,
    ),
    "a chain with two eyes loses nothing when its outside is filled": Case(
        """
        . O . O X
        O O O O X
        X X X X .
        . . . . .
        . . . . .
        """,
        "E3",
        """
        . O . O X
        O O O O X
        X X X X X
        . . . . .
        . . . . .
        """,
        area=7 + 10 - 8,
    ),
    "taking a ko sets the ko point": Case(
        KO_BEFORE,
        "C3",
        """
        . X O .
        X . X O
        . X O .
        . . . .
        """,
        area=4 + 2 - (3 + 1),
        ko="B3",
    ),
    "a move elsewhere lifts the ko": Case(
        KO_BEFORE,
        "C3 A1",
        """
        . X O .
        X . X O
        . X O .
        O . . .
        """,
        area=4 + 2 - (4 + 1),
    ),
    "a pass lifts the ko": Case(
        KO_BEFORE,
        "C3 pass",
        """
        . X O .
        X . X O
        . X O .
        . . . .
        """,
        area=4 + 2 - (3 + 1),
    ),
    "a ko lifted by a move elsewhere may be retaken": Case(
        KO_BEFORE,
        "C3 A1 D1 B3",
        """
        . X O .
        X O . O
        . X O .
        O . . X
        """,
        area=4 + 1 - (5 + 2),
        ko="C3",
    ),
    "a ko lifted by a pass may be retaken": Case(
        KO_BEFORE,
        "C3 pass A1 B3",
        """
        . X O .
        X O . O
        . X O .
        X . . .
        """,
        area=4 + 2 - (4 + 2),
        ko="C3",
    ),
    "a ko on the edge": Case(
        """
        . . . .
        . . . .
        . X O .
        X O . O
        """,
        "C1",
        """
        . . . .
        . . . .
        . X O .
        X . X O
        """,
        area=3 + 1 - 2,
        ko="B1",
    ),
    "a ko in the corner": Case(
        """
        . . . .
        . . . .
        O X . .
        . O X .
        """,
        "A1",
        """
        . . . .
        . . . .
        O X . .
        X . X .
        """,
        area=3 + 1 - 1,
        ko="B1",
    ),
    "throwing a stone in is no ko": Case(
        SNAPBACK_BEFORE,
        "B1",
        """
        . . . . .
        . . . . .
        X X X . .
        O O O X .
        . X O X .
        """,
        area=6 + 14 - 4,
    ),
    "taking the stone thrown in is no ko": Case(
        SNAPBACK_BEFORE,
        "B1 A1",
        """
        . . . . .
        . . . . .
        X X X . .
        O O O X .
        O . O X .
        """,
        area=5 + 14 - (5 + 1),
    ),
    "snapback takes all five stones and is no ko": Case(
        SNAPBACK_BEFORE,
        "B1 A1 B1",
        """
        . . . . .
        . . . . .
        X X X . .
        . . . X .
        . X . X .
        """,
        area=25,
    ),
    "taking one stone with a chain of two is no ko": Case(
        """
        . X O . .
        X O . O .
        . X X O .
        . . . O .
        . . . . .
        """,
        "C4",
        """
        . X O . .
        X . X O .
        . X X O .
        . . . O .
        . . . . .
        """,
        area=5 + 2 - 4,
    ),
    "taking one stone with a liberty to spare is no ko": Case(
        """
        . X . .
        X O . O
        . X O .
        . . . .
        """,
        "C3",
        """
        . X . .
        X . X O
        . X O .
        . . . .
        """,
        area=4 + 2 - 2,
    ),
    "a stone joins four chains": Case(
        """
        . . X . .
        . O X O .
        X X . X X
        . O X O .
        . . X . .
        """,
        "C3",
        """
        . . X . .
        . O X O .
        X X X X X
        . O X O .
        . . X . .
        """,
        area=9 - 4,
    ),
    "a stone joins two arms of one chain": Case(
        """
        X X X .
        X . . .
        X . X .
        X X X .
        """,
        "C3",
        """
        X X X .
        X . X .
        X . X .
        X X X .
        """,
        area=16,
    ),
    "a single stone's suicide, where it is allowed, changes only the turn": Case(
        """
        . O .
        O O .
        . . X
        """,
        "A3",
        """
        . O .
        O O .
        . . X
        """,
        area=1 - (3 + 1),
        suicide=True,
    ),
    "a chain's suicide, where it is allowed, takes it off the board": Case(
        TWO_BLACK_STONES_WITH_ONE_LIBERTY,
        "B3",
        """
        . . O
        . O O
        O O .
        """,
        area=-9,
        suicide=True,
    ),
    "what captures is no suicide even where suicide is allowed": Case(
        """
        . O O X
        O O O X
        X X X X
        . . . .
        """,
        "A4",
        """
        X . . X
        . . . X
        X X X X
        . . . .
        """,
        area=16,
        suicide=True,
    ),
    "the only point of a board, filled by suicide, stays empty": Case(".", "A1", ".", area=0, suicide=True),
    "two passes on the smallest board": Case(".", "pass pass", ".", area=0),
    "on four points three stones are captured": Case(
        """
        . O
        O .
        """,
        "A2 B1",
        """
        . .
        . X
        """,
        area=4,
        to_play=WHITE,
    ),
}


@pytest.mark.plain
@KINDS
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_moves_lead_to_the_board_drawn(case, kind):
    game, state = state_from(drawn(case.before), kind, case.to_play, suicide=case.suicide)
    for number, text in enumerate(case.moves.split(), 1):
        move = game.parse_move(text)
        assert interface.is_legal(state, move), text
        interface.play(state, move)
        assert state.to_play == (case.to_play + number) % 2
    assert picture(game, state) == drawn(case.after)
    assert (game.format_move(int(state.ko)) if state.ko else None) == case.ko
    assert interface.score(state) == case.area
    assert_fields_agree_with_flood_fill(game, state, kind)


LEGALITY = {
    "an empty point": (". . .\n. . .\n. . .", "B2", BLACK, False, True),
    "a pass": (". . .\n. . .\n. . .", "pass", BLACK, False, True),
    "an own stone": (". . .\n. X .\n. . .", "B2", BLACK, False, False),
    "an enemy's stone": (". . .\n. O .\n. . .", "B2", BLACK, False, False),
    "suicide in the centre": (". O .\nO . O\n. O .", "B2", BLACK, False, False),
    "suicide in the centre where it is allowed": (". O .\nO . O\n. O .", "B2", BLACK, True, True),
    "an own eye": (". O .\nO . O\n. O .", "B2", WHITE, False, True),
    "suicide on the edge": ("O . O\n. O .\n. . .", "B3", BLACK, False, False),
    "suicide in the corner": (". O .\nO . .\n. . .", "A3", BLACK, False, False),
    "suicide of a chain": (drawn(TWO_BLACK_STONES_WITH_ONE_LIBERTY), "B3", BLACK, False, False),
    "suicide of a chain where it is allowed": (drawn(TWO_BLACK_STONES_WITH_ONE_LIBERTY), "B3", BLACK, True, True),
    "the same point for the side that captures there": (
        drawn(TWO_BLACK_STONES_WITH_ONE_LIBERTY),
        "B3",
        WHITE,
        False,
        True,
    ),
    "filling an own liberty where another is left": ("X . O\nX O O\n. O .", "B3", BLACK, False, True),
    "joining a chain that has a liberty elsewhere": ("O . X\nO X X\n. . .", "B3", BLACK, False, True),
    "the only point of a board": (".", "A1", WHITE, False, False),
    "the only point of a board where suicide is allowed": (".", "A1", WHITE, True, True),
}


@pytest.mark.plain
@KINDS
@pytest.mark.parametrize(("diagram", "text", "colour", "suicide", "legal"), LEGALITY.values(), ids=LEGALITY)
def test_legality_follows_the_rules_and_checking_changes_nothing(diagram, text, colour, suicide, legal, kind):
    game, state = state_from(diagram, kind, colour, suicide=suicide)
    before, move = state.tobytes(), game.parse_move(text)
    assert interface.is_legal(state, move) == legal
    assert (move in listed_moves(game, state)) == legal
    assert state.tobytes() == before


@pytest.mark.plain
def test_a_ko_may_be_recaptured_only_after_another_pair_of_moves():
    game, state = state_from(drawn(KO_BEFORE))
    retaking = game.parse_move("B3")
    interface.play(state, game.parse_move("C3"))
    assert not interface.is_legal(state, retaking)
    assert retaking not in listed_moves(game, state)
    interface.play(state, game.parse_move("D1"))
    interface.play(state, game.parse_move("A1"))
    assert interface.is_legal(state, retaking)
    assert retaking in listed_moves(game, state)


@pytest.mark.plain
def test_numbers_of_walls_and_beyond_are_never_legal():
    game, state = state_from(". .\n. .")
    on_board = set(game.points())
    for move in range(1, 2 * len(state.colour)):
        assert interface.is_legal(state, np.uint64(move)) == (move in on_board)


@pytest.mark.plain
def test_two_passes_in_a_row_end_the_game_and_leave_no_move():
    game, state = state_from(". . .\n. . .\n. . .")
    for text, over in [("pass", False), ("B2", False), ("pass", False), ("pass", True)]:
        assert not interface.is_over(state)
        interface.play(state, game.parse_move(text))
        assert interface.is_over(state) == over
    assert listed_moves(game, state) == set()
    assert not interface.is_legal(state, 0)
    assert not interface.is_legal(state, game.parse_move("A1"))


def test_the_far_corner_of_the_largest_board_is_a_corner():
    position = Go(25, komi=0.0, ko="simple").start()
    for move in ("Z25", "Y25", "A1", "Z24"):
        position.play(move)
    assert [position.state.colour[position.move(point)] for point in ("Z25", "Y25", "Z24", "A1")] == [2, 1, 1, 0]
    assert position.score == 1 - 3
    assert not position.is_legal("Z25")
    assert len(position.legal_moves()) == 625 - 3 - 1 + 1
    assert_fields_agree_with_flood_fill(position.game, position.state, "light")


@pytest.mark.plain
@KINDS
def test_a_stone_between_four_chains_makes_them_one(kind):
    before = CASES["a stone joins four chains"].before
    game, state = state_from(drawn(before), kind)
    arms = [game.parse_move(text) for text in ("C5", "A3", "E3", "C1")]
    assert len({int(state.chain[arm]) for arm in arms}) == 4
    interface.play(state, game.parse_move("C3"))
    assert len({int(state.chain[arm]) for arm in [*arms, game.parse_move("C3")]}) == 1
    assert state.chain_size[state.chain[arms[0]]] == 9


@KINDS
def test_a_comb_over_the_largest_board_is_captured(kind):
    """It touches most points of the board, which gives the largest sums of liberties."""
    size = 25
    rows = [" ".join("X" * (size - 1) + "." if row % 2 == 0 else "X" + "." * (size - 1)) for row in range(size)]
    game, state = state_from("\n".join(rows), kind)
    assert_fields_agree_with_flood_fill(game, state, kind)
    state.to_play = WHITE
    last_column = [game.point(row, size - 1) for row in range(size)]
    between_the_teeth = [game.point(row, column) for row in range(1, size, 2) for column in range(1, size - 1)]
    for point in last_column + between_the_teeth:
        assert interface.is_legal(state, point)
        interface.play(state, point)
        interface.play(state, 0)
    white = {game.row_and_column(point) for point in last_column + between_the_teeth}
    after = reference.board_of(game, state)
    assert after == {place: WHITE if place in white else EMPTY for place in after}
    assert interface.score(state) == -size * size
    assert_fields_agree_with_flood_fill(game, state, kind)


# --- Scores by hand --------------------------------------------------------------------------------------------------

SCORES = {
    "an empty board is nobody's": ("...\n...\n...", 0),
    "the empty board of one point is nobody's": (".", 0),
    "one black stone owns all": ("...\n.X.\n...", 9),
    "one white stone owns all": ("O..\n...\n...", -9),
    "a stone each makes all the rest neutral": ("X..\n...\n..O", 0),
    "walls divide the board": (".XO..\n.XO..\n.XO..\n.XO..\n.XO..", 10 - 15),
    "in seki the shared liberties are nobody's": ("XXOO\nX..O\nXXOO\nXXOO", 0),
    "in seki eyes are their owner's": (".XOO\nXX.O\nX.OO\nXXOO", 6 + 1 - 7),
    "a neutral point stays neutral between living stones": (".XX.O\nXX.OO\nXXXOO\n.XO.O\nXXOO.", 10 + 2 - (9 + 2)),
    "dead stones left on the board count as alive": (".X.O.\nXX.OO\nX..O.\nXX.OX\n.X.O.", 8 + 2 - (6 + 1)),
    "territory of many points around corners": ("X....\nXXXX.\n...X.\nOO.XX\n.O...", 8 + 6 - (3 + 1)),
}


@pytest.mark.plain
@KINDS
@pytest.mark.parametrize(("diagram", "area"), SCORES.values(), ids=SCORES)
def test_scores_count_stones_and_territory(diagram, area, kind):
    game, state = state_from(diagram, kind)
    assert reference.area(reference.board_of(game, state)) == area
    assert interface.score(state) == area
    assert interface.score(state) == area, "asking twice gives the same answer"


@pytest.mark.plain
@pytest.mark.parametrize(
    ("komi", "score", "outcome"),
    [(0.0, 4.0, 1.0), (3.5, 0.5, 1.0), (4.0, 0.0, 0.5), (4.5, -0.5, 0.0), (-7.0, 11.0, 1.0), (1000.0, -996.0, 0.0)],
)
def test_komi_is_subtracted_and_a_score_of_zero_is_a_draw(komi, score, outcome):
    _, state = state_from("XXX\nXXX\n.OO", komi=komi)
    assert interface.score(state) == score
    assert interface.outcome(state) == outcome


# --- Atari -----------------------------------------------------------------------------------------------------------

ATARI = {
    "a lone stone is not in atari": ("...\n.X.\n...", "B2", None),
    "a stone in the corner has two liberties": ("X..\n...\n...", "A3", None),
    "a stone with three enemies is": (".O.\nOX.\n.O.", "B2", "C2"),
    "a stone with two enemies is not": (".O.\nOX.\n...", "B2", None),
    "a stone in the corner with one enemy is": ("XO.\n...\n...", "A3", "A2"),
    "a stone on the edge with two enemies is": ("OX.\n.O.\n...", "B3", "C3"),
    "a chain that touches its one liberty with three stones is": (
        "OOOOO\nOXXXO\nOX.XO\nOXXXO\nOOOO.",
        "B2",
        "C3",
    ),
    "a chain with a second liberty at its end is not": ("XX.\nX.O\nOO.", "A3", None),
    "a bent chain around its one liberty is": ("XXO\nX.O\nOO.", "A3", "B2"),
    "its neighbours, with liberties elsewhere, are not": ("XXO\nX.O\nOO.", "A1", None),
    "two liberties whose middle is a point are two": ("OXXXO\nO.X.O\nOOOOO\n.....\n.....", "C5", None),
    "three liberties in a row are three": ("XXX\n...\nOO.", "A3", None),
    "a chain of White around a corner is": (".OX\nOOX\nXX.", "B2", "A3"),
    "a chain in an eye of its enemy": (".O...\nOOO..\nX.O..\nOOO..\n.....", "A3", "B3"),
}


@pytest.mark.plain
@pytest.mark.parametrize(("diagram", "point", "last"), ATARI.values(), ids=ATARI)
def test_a_chain_with_one_liberty_is_in_atari_however_often_it_touches_it(diagram, point, last):
    game, state = state_from(diagram, "tactical")
    liberties = state.liberties[state.chain[game.parse_move(point)]]
    found = game.format_move(int(go_record.last_liberty(liberties))) if go_record.in_atari(liberties) else None
    assert found == last
    assert game.from_diagram(diagram).atari(point) == last


# --- Eyes ------------------------------------------------------------------------------------------------------------

CENTRE = "{}X{}\nX.X\n{}X{}"
EYES = {
    "the centre with own stones all around": ("XXX\nX.X\nXXX", "B2", BLACK, True),
    "the centre with nothing on its diagonals": (".X.\nX.X\n.X.", "B2", BLACK, True),
    "the centre of White": (".O.\nO.O\n.O.", "B2", WHITE, True),
    "the centre of White is not Black's": (".O.\nO.O\n.O.", "B2", BLACK, False),
    "the centre with an empty neighbour": (".X.\nX..\n.X.", "B2", BLACK, False),
    "the centre with an enemy neighbour": (".X.\nX.O\n.X.", "B2", BLACK, False),
    "the edge with own stones all around": (".....\n.....\n.....\n.XXX.\n.X.X.", "C1", BLACK, True),
    "the edge with nothing on its diagonals": (".....\n.....\n.....\n..X..\n.X.X.", "C1", BLACK, True),
    "the edge with one enemy on its diagonals": (".....\n.....\n.....\n.OX..\n.X.X.", "C1", BLACK, False),
    "the left edge with one enemy on its diagonals": ("....\nXO..\n.X..\nX...", "A2", BLACK, False),
    "the right edge with nothing on its diagonals": ("....\n...X\n..X.\n...X", "D2", BLACK, True),
    "the upper edge with an enemy on one diagonal": (".X.X\n..XO\n....\n....", "C4", BLACK, False),
    "the corner with an own diagonal": ("...\nXX.\n.X.", "A1", BLACK, True),
    "the corner with an empty diagonal": ("...\nX..\n.X.", "A1", BLACK, True),
    "the corner with an enemy diagonal": ("...\nXO.\n.X.", "A1", BLACK, False),
    "the far corner with an enemy diagonal": (".O.\n.XO\n...", "C3", WHITE, False),
    "the far corner with an own diagonal": (".O.\n.OO\n...", "C3", WHITE, True),
    "the only point of a board": (".", "A1", BLACK, True),
}
for _enemies in itertools.product("XO", repeat=4):
    EYES[f"the centre with {''.join(_enemies)} on its diagonals"] = (
        "\n".join([".....", *(f".{row}." for row in CENTRE.format(*_enemies).split("\n")), "....."]),
        "C3",
        BLACK,
        _enemies.count("O") < 2,
    )


@pytest.mark.plain
@KINDS
@pytest.mark.parametrize(("diagram", "point", "colour", "expected"), EYES.values(), ids=EYES)
def test_an_eye_is_false_if_the_enemy_holds_two_diagonals_or_one_at_the_edge(diagram, point, colour, expected, kind):
    game, state = state_from(diagram, kind)
    number = game.parse_move(point)
    assert eyes.is_own_eye(state, np.uint64(number), np.uint64(colour)) == expected
    assert reference.is_eye(reference.board_of(game, state), game.row_and_column(number), colour) == expected


# --- Every field against a flood fill --------------------------------------------------------------------------------


def listed_moves(game, state) -> set[int]:
    """Return the legal moves, and check that none is listed twice."""
    moves = np.zeros(game.move_slots, np.uint16)
    count = interface.legal_moves(state, moves)
    assert len(set(moves[:count].tolist())) == count
    return set(moves[:count].tolist())


def packed_liberty(kind: str, point: int) -> int:
    """Return the value of a pseudo-liberty in a chain's word: 1, in a tactical record also its point and square."""
    return 1 if kind == "light" else 1 + (point << 12) + (point * point << 32)


def assert_fields_agree_with_flood_fill(game, state, kind) -> None:
    """Recompute every field of a state from its colours alone."""
    stones_on = reference.board_of(game, state)
    number = {place: game.point(*place) for place in stones_on}
    on_board = set(number.values())
    assert all(colour == 3 for point, colour in enumerate(state.colour) if point not in on_board)

    empties = {number[place] for place, colour in stones_on.items() if colour == EMPTY}
    listed = state.empty[: state.empty_count].tolist()
    assert sorted(listed) == sorted(empties)
    assert [int(state.where[point]) for point in listed] == list(range(len(listed)))

    for place in stones_on:
        around = [stones_on[neighbour] for neighbour in reference.neighbours(stones_on, place)]
        walls = 4 - len(around)
        black, white, free = (around.count(colour) for colour in (BLACK, WHITE, EMPTY))
        assert state.neighbours[number[place]] == (black + walls) | (white + walls) << 4 | free << 8

    for stones, liberties in reference.chains(stones_on):
        points = {number[stone] for stone in stones}
        heads = {int(state.chain[point]) for point in points}
        assert len(heads) == 1
        head = heads.pop()
        assert head in points
        assert state.chain_size[head] == len(points)
        ring, point = {head}, int(state.next[head])
        while point != head:
            assert point not in ring
            ring.add(point)
            point = int(state.next[point])
        assert ring == points
        touching = [
            neighbour
            for stone in stones
            for neighbour in reference.neighbours(stones_on, stone)
            if stones_on[neighbour] == EMPTY
        ]
        word = state.liberties[head]
        assert int(word) == sum(packed_liberty(kind, number[neighbour]) for neighbour in touching)
        if kind == "tactical" and liberties:
            assert go_record.in_atari(word) == (len(liberties) == 1)
            if len(liberties) == 1:
                assert {int(go_record.last_liberty(word))} == {number[liberty] for liberty in liberties}
    if kind == "tactical":
        assert_tactics_agree_with_flood_fill(game, state)


def assert_tactics_agree_with_flood_fill(game, state) -> None:
    """Recompute the fields of a tactical record from its colours alone."""
    stones_on = reference.board_of(game, state)
    for row, column in stones_on:
        around = [(row + up, column + right) for up in (-1, 0, 1) for right in (-1, 0, 1) if up or right]
        code = sum(stones_on.get(place, 3) << 2 * bit for bit, place in enumerate(around))
        assert state.surroundings[game.point(row, column)] == code
    for colour in (BLACK, WHITE):
        listed = state.atari[colour, : state.atari_count[colour]].tolist()
        assert len(set(listed)) == len(listed)
        flagged = [point for point, lists in enumerate(state.listed) if lists >> colour & 1]
        assert sorted(listed) == flagged
        for stones, liberties in reference.chains(stones_on):
            first = game.point(*next(iter(stones)))
            if len(liberties) == 1 and state.colour[first] == colour:
                assert state.chain[first] in listed


def legal_by_the_reference(game, state) -> set[int]:
    """Return the legal moves of a state by the reference, from its colours, side to move and ko point."""
    stones_on = reference.board_of(game, state)
    legal = {0}
    for place, colour in stones_on.items():
        point = game.point(*place)
        if colour == EMPTY and point != state.ko:
            suicide = reference.after(stones_on, place, int(state.to_play))[2]
            if state.suicide or not suicide:
                legal.add(point)
    return legal


def walk(size: int, kind: str, moves: int, check_every: int, seed: int, suicide: bool = False) -> int:
    """Play random legal moves and check all fields; return the number of captured stones."""
    game = Go(size, 0.5, "simple", suicide)
    state = np.zeros(1, RECORDS[kind][size])[0]
    game.reset(state)
    rng = np.random.default_rng(seed)
    captures = 0
    for number in range(moves):
        if interface.is_over(state):
            game.reset(state)
        legal = sorted(listed_moves(game, state))
        move = int(rng.choice(legal[1:])) if len(legal) > 1 and rng.random() < 0.97 else 0
        colour, before = int(state.to_play), int(state.empty_count)
        expected = expected_ko = None
        if number % check_every == 0:
            assert set(legal) == legal_by_the_reference(game, state)
            stones_on = reference.board_of(game, state)
            if move:
                place = game.row_and_column(move)
                expected = reference.after(stones_on, place, colour)[0]
                expected_ko = reference.ko_point(stones_on, place, colour)
        interface.play(state, move)
        assert state.last_move == move
        captures += int(state.empty_count) - before + bool(move)
        if number % check_every == 0:
            if expected is not None:
                assert reference.board_of(game, state) == expected
                assert state.ko == (game.point(*expected_ko) if expected_ko else 0)
            assert_fields_agree_with_flood_fill(game, state, kind)
            assert interface.score(state) == reference.area(reference.board_of(game, state)) - 0.5
    return captures


@pytest.mark.plain
@KINDS
@pytest.mark.parametrize(("size", "moves"), [(2, 30), (3, 40), (9, 25)])
def test_a_few_random_moves_keep_every_field_right(size, moves, kind):
    walk(size, kind, moves, check_every=3, seed=size, suicide=size == 3)


@pytest.mark.long
@KINDS
@pytest.mark.parametrize("suicide", [False, True], ids=["suicide forbidden", "suicide allowed"])
@pytest.mark.parametrize(
    ("size", "moves", "check_every"),
    [(2, 600, 1), (3, 800, 1), (5, 900, 2), (9, 800, 4), (13, 900, 12), (19, 1500, 40)],
)
def test_random_moves_keep_every_field_right(size, moves, check_every, suicide, kind):
    captures = walk(size, kind, moves, check_every, seed=1000 + size, suicide=suicide)
    assert captures > 100


@KINDS
def test_random_moves_on_the_largest_board_keep_every_field_right(kind):
    assert walk(25, kind, 2400, check_every=120, seed=25) > 100


@pytest.mark.plain
@KINDS
@pytest.mark.parametrize("size", [2, 4, 9])
def test_a_board_set_up_at_once_has_every_field_right(size, kind):
    """Random colourings: the legal ones on small boards, sparse ones on larger boards."""
    game, rng = Go(size, ko="simple"), np.random.default_rng(size)
    checked = 0
    for stones in (0.2, 0.4, 0.6):
        colours = np.full(game.move_slots, EMPTY, np.uint8)
        for point in game.points():
            if rng.random() < stones:
                colours[point] = rng.integers(2)
        state = np.zeros(1, RECORDS[kind][size])[0]
        game.reset(state)
        dead = go_board.set_up(state, colours)
        lifeless = {
            game.point(*stone)
            for chain, liberties in reference.chains(reference.board_of(game, state))
            for stone in chain
            if not liberties
        }
        assert dead in (lifeless or {0})
        assert_fields_agree_with_flood_fill(game, state, kind)
        checked += 1
    assert checked == 3


# --- Counts from the literature --------------------------------------------------------------------------------------


def legal_positions(size: int, kind: str) -> int:
    """Return the number of colourings of a board in which every chain has a liberty."""
    game = Go(size)
    state = np.zeros(1, RECORDS[kind][size])[0]
    points = game.points()
    colours = np.full(game.move_slots, EMPTY, np.uint8)
    count = 0
    for colouring in itertools.product((BLACK, WHITE, EMPTY), repeat=size * size):
        colours[points] = colouring
        game.reset(state)
        count += go_board.set_up(state, colours) == 0
    return count


@pytest.mark.plain
@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 57)])
def test_the_numbers_of_legal_positions_of_the_smallest_boards_agree_with_tromp(size, count):
    assert legal_positions(size, "light") == count


@KINDS
def test_the_number_of_legal_positions_of_three_by_three_agrees_with_tromp(kind):
    assert legal_positions(3, kind) == 12675


# --- Kernels from the cache ------------------------------------------------------------------------------------------

ONE_STONE_OWNS_ALL = """
import sys
from tengen import Go
for size in map(int, sys.argv[1:]):
    rows = ["X" + "." * (size - 1)] + ["." * size] * (size - 1)
    print(Go(size, komi=0.0, ko="simple").from_diagram("\\n".join(rows)).score)
"""


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="nothing is compiled, so nothing is cached")
def test_kernels_that_separate_processes_cached_are_told_apart_by_the_process_that_loads_them_all(tmp_path):
    def scores(*sizes: int) -> list[float]:
        command = [sys.executable, "-c", ONE_STONE_OWNS_ALL, *map(str, sizes)]
        environment = {**os.environ, "TENGEN_CACHE": str(tmp_path), "TENGEN_QUIET": "1"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [float(line) for line in done.stdout.split()]

    for size in (19, 5, 9):
        assert scores(size) == [size * size]
    assert scores(19, 5, 9) == [361, 25, 81]
    assert scores(9, 19, 5) == [81, 361, 25]
