"""The labelled positions of the package, and what is refused in a file of others."""

import json

import pytest

from tengen.files import Unreadable
from tengen.papers.labelled_positions import labelled_positions

LINE = {"moves": ["B E5", "W C3"], "to_play": "B", "black_wins": 1}


def written(tmp_path, *lines):
    path = tmp_path / "positions.jsonl"
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path


def test_the_package_has_200_positions_of_which_black_wins_77():
    positions = labelled_positions()
    assert len(positions) == 200
    assert sum(position.black_wins for position in positions) == 77
    assert {len(position.moves) for position in positions} <= set(range(10, 49))
    assert not any(position.position().is_over for position in positions)


def test_a_file_of_other_positions_is_read(tmp_path):
    [first, second] = labelled_positions(written(tmp_path, LINE, "", {**LINE, "black_wins": 0}))
    assert (first.moves, first.black_wins, second.black_wins) == (("E5", "C3"), 1.0, 0.0)
    assert first.opening == "E5 C3"
    assert first.position().colour_at("C3") == "white"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[]", "not an object"),
        ("{", "not valid JSON"),
        ({**LINE, "black_wins": 2}, "black_wins is '2', not 1 or 0"),
        ({**LINE, "black_wins": True}, "black_wins is 'True', not 1 or 0"),
        ({**LINE, "moves": "B E5"}, "moves must be a list"),
        ({**LINE, "moves": ["W E5"]}, "move 1 is 'W E5', but colours alternate from Black"),
        ({**LINE, "moves": ["B E5", "W E5"]}, "E5"),
        ({**LINE, "moves": ["B pass", "W pass"]}, "the game is over"),
    ],
)
def test_an_invalid_line_is_named(tmp_path, line, message):
    with pytest.raises(Unreadable, match=f"line 2 .*{message}"):
        labelled_positions(written(tmp_path, LINE, line))


def test_a_file_without_positions_is_refused(tmp_path):
    with pytest.raises(Unreadable, match="contains no position"):
        labelled_positions(written(tmp_path, ""))
