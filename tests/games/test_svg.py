"""Pictures of boards: where stones, lines, labels and marks are, and that the pictures are well-formed."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar
from xml.etree import ElementTree

import pytest
from hex import Hex

from tengen import Go, Havannah, Othello, TengenError
from tengen.games.game import Cell, Position
from tengen.games.svg import FILLS, MARKS, SHADE, UNIT, board_html, board_svg
from tengen.papers.measures.deceptive_search import Deceptive

pytestmark = pytest.mark.plain
NAMESPACE = "{http://www.w3.org/2000/svg}"


def elements(picture: str, tag: str, **attributes: str) -> list[ElementTree.Element]:
    """Return the elements of a picture with this tag and these attributes."""
    found = ElementTree.fromstring(picture).iter(f"{NAMESPACE}{tag}")
    return [one for one in found if all(one.get(key) == value for key, value in attributes.items())]


def title(element: ElementTree.Element) -> str:
    return element.findtext(f"{NAMESPACE}title") or ""


def centre(picture: str, name: str) -> tuple[float, float]:
    """Return the coordinates of the cell of this name."""
    [found] = [one for one in elements(picture, "circle") if title(one) == name]
    return float(found.get("cx", "nan")), float(found.get("cy", "nan"))


def labels(picture: str) -> list[str]:
    return [one.text or "" for one in elements(picture, "text")]


@pytest.mark.parametrize("game", [Go(3), Othello(4), Havannah(3)], ids=str)
def test_a_picture_has_the_stones_of_the_board(game):
    position = game.start()
    for move in position.legal_moves()[:1]:
        position.play(move)
    picture = position.svg()
    for colour, fill in zip(("black", "white"), FILLS, strict=True):
        drawn = {title(one) for one in elements(picture, "circle", fill=fill)}
        cells = [cell for row in game.rows(position.state) for cell in row if cell is not None]
        assert drawn == {cell.name for cell in cells if position.colour_at(cell.name) == colour}


def test_stones_of_go_stand_on_crossings_and_those_of_othello_in_squares():
    lines, squares = (elements(game.start().svg(), "path")[0].get("d", "") for game in (Go(2), Othello(4)))
    assert lines.count("M") == 4  # a 2x2 board has four lines between points
    assert squares.count("M") == 16  # and this one an outline of each square


def test_rows_are_drawn_from_the_top_and_columns_from_the_left():
    picture = Go(5).start().svg()
    assert centre(picture, "B5") == (UNIT, 0.0)
    assert centre(picture, "A1") == (0.0, 4 * UNIT)


@pytest.mark.parametrize("game", [Havannah(3), Hex(5)], ids=str)
def test_the_neighbours_of_a_hexagon_are_at_the_same_distance(game):
    picture = game.start().svg()
    around = [game.place_name(*place) for place in game.neighbours(2, 2)]
    distances = [math.dist(centre(picture, "c3"), centre(picture, other)) for other in around]
    assert distances == pytest.approx([UNIT] * 6, abs=0.02)
    cells = sum(cell is not None for row in game.rows(game.start().state) for cell in row)
    outlines = elements(picture, "path")[0].get("d", "")
    assert (outlines.count("z"), outlines.count("L")) == (cells, 5 * cells)


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (Go(3), [*"ABC", *"123"] * 2),  # on all four sides
        (Othello(4), [*"abcd", *"1234"] * 2),
        (Havannah(3), [*"abcde", *"12345"]),
    ],
    ids=str,
)
def test_rows_and_columns_are_labelled(game, expected):
    assert sorted(labels(game.start().svg())) == sorted(expected)


@pytest.mark.parametrize(("moves", "mark"), [("B2", MARKS[0]), ("B2 A1", MARKS[1])])
def test_the_last_move_is_marked_in_a_colour_that_is_visible_on_its_stone(moves, mark):
    position = Go(3).start()
    for move in moves.split():
        position.play(move)
    picture = position.svg()
    [ring] = elements(picture, "circle", fill="none")
    assert ring.get("stroke") == mark
    assert (float(ring.get("cx", "nan")), float(ring.get("cy", "nan"))) == centre(picture, moves.split()[-1])


def test_nothing_is_marked_after_a_pass_and_before_the_first_move():
    assert elements(Go(3).start().svg(), "circle", fill="none") == []
    assert elements(Go(3).start().play("B2").play("pass").svg(), "circle", fill="none") == []


@pytest.mark.parametrize(("size", "stars"), [(3, 0), (7, 4), (9, 5), (13, 9), (18, 4), (19, 9)])
def test_a_go_board_has_its_star_points(size, stars):
    assert len(set(Go(size).star_points)) == stars
    picture = Go(size).start().svg()
    assert len(elements(picture, "circle")) == size * size + stars


@pytest.mark.parametrize("game", [Go(3), Othello(4), Havannah(3)], ids=str)
def test_a_heat_map_colours_empty_cells_only(game):
    position = game.start().play(game.start().legal_moves()[0])
    occupied = position.history[-1].notation
    empty = position.legal_moves()[0]
    picture = board_svg(position, shades={occupied: 1.0, empty: 0.25, "nowhere": 1.0})
    [shaded] = [*elements(picture, "circle", fill=SHADE), *elements(picture, "path", fill=SHADE)]
    assert shaded.get("fill-opacity") == "0.450"  # 0.9 * sqrt(0.25)


def test_titles_are_shown_under_the_pointer_and_the_width_is_kept():
    picture = board_svg(Go(3).start(), titles={"B2": "<b>the middle</b>"}, width=333)
    assert [title(one) for one in elements(picture, "circle")].count("<b>the middle</b>") == 1
    assert ElementTree.fromstring(picture).get("width") == "333"
    assert ElementTree.fromstring(picture).get("height") == "333"


@dataclass(frozen=True)
class OddlyNamed(Go):
    """Go with names of points that would be markup."""

    names: ClassVar[str] = "<&>"

    def rows(self, state: Any) -> list[list[Cell | None]]:
        return [[Cell(f"{self.names[column]}{row}", 2) for column in range(3)] for row in range(3)]


def test_text_is_escaped():
    picture = OddlyNamed(3).start().svg()
    assert sorted(labels(picture)) == sorted([*"<&>", *"012"] * 2)
    assert "<<" not in picture


def test_cells_without_letters_and_numbers_have_no_labels():
    @dataclass(frozen=True)
    class Named(Go):
        def rows(self, state: Any) -> list[list[Cell | None]]:
            return [[Cell("north", 0), None], [Cell("south", 1), Cell("east", 2)]]

    picture = Named(3).start().svg()
    assert labels(picture) == []
    assert len(elements(picture, "circle")) == 3


def test_an_unknown_style_is_an_error():
    class Round(Go):
        board_style = "round"

    with pytest.raises(TengenError, match="unknown board_style 'round' of go: use lines, squares, hexagons"):
        Round(3).start().svg()


def test_a_game_without_cells_is_shown_as_text():
    position = Deceptive().start()
    assert board_html(position).startswith("<pre>")
    assert position._repr_html_() == board_html(position)


def test_notebooks_show_the_picture():
    position: Position = Go(3).start().play("B2")
    assert position._repr_html_() == position.svg()


@pytest.mark.parametrize("game", [Go(3), Othello(4), Havannah(3)], ids=str)
def test_the_representation_of_a_position_is_one_line_and_its_text_the_board(game):
    position = game.start()
    assert repr(position) == f"<{type(position).__name__}: {game}, 0 moves, black to play>"
    move = position.legal_moves()[0]
    assert repr(position.play(move)) == f"<{type(position).__name__}: {game}, 1 move, last {move}, white to play>"
    assert str(position) == position.diagram()


def test_the_representation_of_a_finished_game_names_the_winner():
    position = Go(3, komi=0.5).start().play("pass").play("pass")
    assert repr(position).endswith("2 moves, last pass, over, winner white>")
