"""`tengen patterns`: the ranking of patterns, its text, its pictures and its errors."""

import json
import re
import sys
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest
from typer.testing import CliRunner

from tengen.errors import TengenError
from tengen.games.svg import FILLS, UNIT
from tengen.interfaces.cli import app
from tengen.interfaces.cli.completion import urgency_tables
from tengen.interfaces.pattern_images import THICK, Box, Disc, Line, draw_patterns, page_of
from tengen.interfaces.pattern_text import PLACES, Ranking, UrgentPattern, shown_urgency
from tengen.policies.go import urgency_table as tables
from tengen.policies.go.pattern_classes import matching_patterns, own_eyes, pattern_classes
from tengen.policies.go.urgency_table import UrgencyTable, manual_table, zero_table
from tests.policies.slow_urgency import Neighbourhood
from tests.policies.test_pattern_classes import numbered

SVG = "{http://www.w3.org/2000/svg}"
PEAK = """
    X O .
    . * .
    . . O
"""
DIP = """
    . O X
    . * .
    - - -
"""


def table_with_two_exceptions(about=None) -> UrgencyTable:
    """Urgencies of 1, except a pattern inside with 50 and one of the first line with 0.5."""
    made, classes = zero_table(), pattern_classes().of_pattern
    made.urgencies[np.unique(classes[matching_patterns(PEAK)])] = 50.0
    made.urgencies[np.unique(classes[matching_patterns(DIP)])] = 0.5
    return UrgencyTable(made.urgencies, 4.0, 2.5, about or {})


def run(*arguments: str, columns: int = 80):
    return CliRunner().invoke(app, ["patterns", *arguments], env={"COLUMNS": str(columns)})


def output_of(*arguments: str, columns: int = 80) -> str:
    done = run(*arguments, columns=columns)
    assert done.exit_code == 0, done.output
    return str(done.output)


def failure_of(*arguments: str) -> str:
    """Return the line with which a command ends with status 1."""
    done = run(*arguments)
    assert done.exit_code == 1
    assert re.fullmatch(r"tengen: [^\n]+\n", done.stderr), done.stderr
    return str(done.stderr)


# --- Ranking ---------------------------------------------------------------------------------------------------------


def flat(drawing: str) -> str:
    """Return a picture's letters without its lines: the same for a picture and its mirror image, if sorted."""
    return "".join(sorted(drawing.split()))


def test_the_most_and_least_urgent_patterns_come_first():
    ranking = Ranking.of("a", table_with_two_exceptions())
    most = [one for one in ranking.most_urgent(9) if one.urgency == 50]
    least = [one for one in ranking.least_urgent(9) if one.urgency == 0.5]
    assert [flat(one.drawing) for one in most] == [flat(PEAK)] * len(most)
    assert [flat(one.drawing) for one in least] == [flat(DIP)] * len(least)
    assert most == ranking.most_urgent(len(most))
    assert least == ranking.least_urgent(len(least))
    assert {one.place for one in most} == {"inside", "second line", "2-2 point"}
    assert {one.place for one in least} == {"first line", "1-2 point"}


def test_own_eyes_are_left_out_and_all_other_classes_are_ranked():
    ranking = Ranking.of("zero", zero_table())
    eyes = own_eyes()
    assert not any(eyes[one.pattern] for one in ranking.patterns)
    classes = pattern_classes()
    assert len(ranking.patterns) == classes.count - eyes[classes.examples].sum() == 8075
    assert ranking.mean == 1


def test_the_places_divide_the_patterns():
    table = manual_table()
    numbers = {place: {one.pattern for one in Ranking.of("manual", table, place).patterns} for place in PLACES}
    everywhere = numbers.pop("all")
    assert all(numbers.values())
    assert set.union(*numbers.values()) == everywhere
    assert sum(map(len, numbers.values())) == len(everywhere)
    assert Ranking.of("manual", table, "first line") == Ranking.of("manual", table, "first-line")


def test_of_equal_patterns_the_simplest_come_first():
    found = Ranking.of("zero", zero_table()).most_urgent(3)
    assert [sum(letter in "XO" for letter in one.drawing) for one in found] == [0, 1, 1]
    assert {one.place for one in found} == {"inside"}


@pytest.mark.parametrize(
    ("urgency", "shown"), [(41.0, "41"), (0.1, "0.1"), (1234.5, "1,234"), (2.5e7, "2.5e+07"), (1e-9, "1e-09")]
)
def test_urgencies_have_three_significant_digits(urgency, shown):
    assert shown_urgency(urgency) == shown


# --- Text and JSON ---------------------------------------------------------------------------------------------------


def test_the_command_prints_the_table_and_its_pictures_side_by_side():
    shown = output_of("manual", "--count", "4").split("\n\n")
    assert shown[0].splitlines() == [
        "table manual",
        "8,075 patterns up to symmetry, mean urgency 5.73",
        "per stone of a chain in atari: capture 40, escape 20",
    ]
    assert shown[2] == "4 most urgent patterns"
    assert shown[3].splitlines()[1:] == [
        "O * O    O * O    O * O    O * O",
        ". X .    . X .    . X .    . X .",
        "41       41       41       41",
        "inside   inside   inside   inside",
    ]
    assert shown[4] == "4 least urgent patterns"
    assert len(shown) == 6


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_the_text_fits_the_terminal_and_uses_its_width(columns):
    lines = output_of("zero", "--place", "second-line", "--count", "30", columns=columns).splitlines()
    pictures = [line for line in lines if "*" in line and ":" not in line]
    assert max(map(len, pictures)) <= columns
    assert max(line.count("*") for line in pictures) == (columns + 3) // (len("second line") + 3)
    assert sum(line.count("*") for line in pictures) == 60


def test_a_table_says_how_it_was_made_without_control_characters(tmp_path):
    about = {"games": 5000, "method": "by\x1b[31m self-play\n", "counts": list(range(1000))}
    table_with_two_exceptions(about).save(tmp_path / "a.urgencies")
    shown = output_of(str(tmp_path / "a.urgencies"), "--count", "1")
    assert "\ngames: 5000\n" in shown
    assert '\nmethod: "by\\u001b[31m self-play\\n"\n' in shown
    assert re.search(r"\ncounts: \[0, 1, 2,.{250,300} \.\.\.\n", shown)
    assert "\x1b" not in shown


def test_json_has_the_patterns_and_the_description(tmp_path):
    path = tmp_path / "a.urgencies"
    table_with_two_exceptions({"games": 7}).save(path)
    found = json.loads(output_of(str(path), "--count", "2", "--place", "inside", "--json"))
    assert (found["table"], found["place"], found["about"]) == (str(path), "inside", {"games": 7})
    assert (found["capture"], found["escape"]) == (4.0, 2.5)
    assert [one["urgency"] for one in found["most_urgent"]] == [50.0, 1.0]
    assert [one["urgency"] for one in found["least_urgent"]] == [1.0, 1.0]
    assert flat(" ".join(found["most_urgent"][0]["pattern"])) == flat(PEAK)
    assert found["patterns"] == len(Ranking.of("a", zero_table(), "inside").patterns)


def test_the_learnt_table_is_that_of_the_size(tmp_path, monkeypatch):
    for size in (9, 19):
        table_with_two_exceptions({"size": size}).save(tmp_path / f"rlpr-{size}.urgencies")
    monkeypatch.setattr(tables, "SHIPPED", tmp_path)
    assert "\nsize: 9\n" in output_of("rlpr")
    assert "\nsize: 19\n" in output_of("rlpr", "--size", "19")


def test_the_shell_completes_the_names_of_tables():
    assert urgency_tables("") == ["zero", "manual", "rlpr"]
    assert urgency_tables("m") == ["manual"]
    assert urgency_tables("./a") == []


# --- Pictures --------------------------------------------------------------------------------------------------------


def shapes_of(seen: Neighbourhood, kind: type) -> list:
    """Return the shapes of one kind in the picture of a pattern."""
    page = page_of(Ranking("a", zero_table(), "all", [UrgentPattern(numbered(seen), 1.0)]), 1)
    numbers = [number for number, shape in enumerate(page.shapes) if isinstance(shape, Box)]
    return [shape for shape in page.shapes[numbers[0] : numbers[2]] if isinstance(shape, kind)]


@pytest.mark.parametrize(
    ("place", "letters", "lines", "thick", "width", "height"),
    [
        ((0, 0), "XO.....O", 6, 0, 3, 3),
        ((-1, 0), "XO.....O", 6, 1, 3, 3),
        ((1, -1), "XO.....O", 6, 2, 3, 3),
        ((-2, 0), "XO..O###", 5, 1, 3, 2),
        ((-1, 2), "XO#.#.O#", 5, 2, 2, 3),
        ((-2, 2), "XO#O####", 4, 2, 2, 2),
    ],
)
def test_a_picture_has_the_stones_and_lines_of_its_pattern(place, letters, lines, thick, width, height):
    """Lines are on the board, which is `width` and `height` lines wide; those along an edge are thick."""
    seen = place, letters
    discs, found = shapes_of(seen, Disc), shapes_of(seen, Line)
    assert Counter(disc.fill for disc in discs) == {"none": 1, FILLS[0]: 1, FILLS[1]: 2}
    assert (len(found), sum(line.width == THICK for line in found)) == (lines, thick)
    shadow, wood = shapes_of(seen, Box)
    assert (wood.right - wood.left, wood.bottom - wood.top) == pytest.approx((width * UNIT, height * UNIT))
    assert shadow.right - shadow.left == shadow.bottom - shadow.top == pytest.approx(3 * UNIT)
    assert all(wood.left <= x <= wood.right for line in found for x, _ in (line.start, line.end))
    assert all(wood.top <= y <= wood.bottom for line in found for _, y in (line.start, line.end))


def test_a_stone_is_drawn_where_the_picture_in_text_has_it():
    ring, stone = shapes_of(((0, 0), "..X....."), Disc)
    assert (stone.x - ring.x, stone.y - ring.y) == (UNIT, -UNIT)
    assert stone.fill == FILLS[0]


def test_lines_end_at_an_edge_and_go_on_elsewhere():
    """On the second line of the lower edge, vertical lines end one line below the move."""
    (ring,) = shapes_of(((-1, 0), "........"), Disc)
    vertical = [line for line in shapes_of(((-1, 0), "........"), Line) if line.start[0] == line.end[0]]
    assert len(vertical) == 3
    for line in vertical:
        top, bottom = sorted((line.start[1], line.end[1]))
        assert bottom == ring.y + UNIT
        assert top < ring.y - UNIT


def test_an_svg_picture_has_a_ring_and_an_urgency_for_each_pattern(tmp_path):
    output_of("manual", "--count", "5", "--image", str(tmp_path / "a.svg"))
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    rings = [circle for circle in root.iter(f"{SVG}circle") if circle.get("fill") == "none"]
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert len(rings) == 10
    assert texts.count("41") == texts.count("0.1") == 5
    assert texts[:2] == ["table manual", "8,075 patterns up to symmetry, mean urgency 5.73"]


def test_a_file_name_is_escaped_in_an_svg_picture(tmp_path):
    draw_patterns(Ranking.of('<a href="x">', zero_table()), 1, tmp_path / "a.svg")
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert root.get("aria-label") == 'table <a href="x">'


def test_a_png_picture_is_written_in_its_size(tmp_path):
    output_of("manual", "--count", "2", "--image", str(tmp_path / "a.png"))
    content = (tmp_path / "a.png").read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    assert 800 < width < 1000
    assert 400 < height < 700
    assert [file.name for file in tmp_path.iterdir()] == ["a.png"]


def test_without_matplotlib_only_png_pictures_are_refused(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install 'tengen[plots]'" in failure_of("zero", "--image", str(tmp_path / "a.png"))
    output_of("zero", "--image", str(tmp_path / "a.svg"))
    assert [file.name for file in tmp_path.iterdir()] == ["a.svg"]


def test_too_many_patterns_for_a_png_picture_are_refused(tmp_path):
    with pytest.raises(TengenError, match="too many patterns for a PNG picture"):
        draw_patterns(Ranking.of("zero", zero_table()), 8000, tmp_path / "a.png")


# --- Errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["manul"], "unknown table of urgencies 'manul' (did you mean manual?); choose from: zero, manual, rlpr"),
        (["manual", "--place", "middle"], "unknown place 'middle'; choose from: all, inside, second-line"),
        (["manual", "--image", "a.gif"], "unknown picture format '.gif'; choose from: .png, .svg"),
        (["manual", "--image", "a"], "unknown picture format 'a'"),
        (["manual", "--image", "no folder/a.svg"], "cannot be written: No such file or directory"),
        (["manual", "--image", "no folder/a.png"], "cannot be written: No such file or directory"),
        (["/"], "cannot be read"),
    ],
)
def test_mistakes_are_reported_in_one_line(arguments, complaint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert complaint in failure_of(*arguments)


def test_a_damaged_table_is_reported_in_one_line(tmp_path):
    path = tmp_path / "a.urgencies"
    zero_table().save(path)
    path.write_bytes(path.read_bytes()[:-1])
    assert "the file is damaged: its checksum is wrong" in failure_of(str(path))


@pytest.mark.parametrize("arguments", [[], ["manual", "--count", "0"], ["rlpr", "--size", "26"]])
def test_wrong_usage_has_status_2(arguments):
    assert run(*arguments).exit_code == 2


def test_a_table_of_larger_patterns_is_refused():
    with pytest.raises(TengenError, match="the table 'wide' has diamond patterns; only 3x3 patterns are shown"):
        Ranking.of("wide", manual_table().as_diamonds())
