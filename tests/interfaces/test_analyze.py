"""`tengen analyze`: the lines, the record and the picture that come of a game."""

import json
import re

import pytest
from sgfmill import sgf

from tengen.errors import TengenError
from tengen.games.game import BadRecord
from tengen.games.go.game import Go
from tengen.games.go.sgf import annotate_sgf
from tengen.interfaces.review import ReviewedMove, is_blunder, line, remark, review, thinking
from tengen.players import parse_player
from tests.interfaces.test_cli import output_of, tengen

RECORD = """(;GM[1]FF[4]CA[UTF-8]SZ[5]KM[0.5]PB[Ann]PW[B\u00f6b]
;B[cc]C[the middle];W[cd];B[dd](;W[bc];B[ce];W[bd];B[aa])(;W[ee]C[another way]))"""
JUDGE = "mc-rave:simulations=300,memory=20"


def test_a_loss_is_the_movers():
    black = ReviewedMove(1, "black", "A1", 0.6, 0.35, "C3", ["C3", "C4"])
    white = ReviewedMove(2, "white", "B1", 0.35, 0.3, "C3", ["C3"])
    assert black.loss == pytest.approx(0.25)
    assert white.loss == pytest.approx(-0.05)
    assert is_blunder(black, 0.2)
    assert not is_blunder(black, 0.3)
    assert not is_blunder(ReviewedMove(1, "black", "C3", 0.6, 0.3, "C3", ["C3"]), 0.2)  # the search would play it too
    assert line(black, 0.2) == "   1 black A1    35.0 %  -25.0   blunder: C3 C4 was better"
    assert line(white, 0.2) == "   2 white B1    30.0 %   -5.0"
    assert remark(black, 0.2) == "Black wins 35.0 %. A blunder, which costs 25.0 %: better was C3 C4."


def test_a_finished_game_ends_at_its_result():
    """Black fills the board but for two eyes, and both pass."""
    game = Go(5, 0.5)
    position = game.from_diagram("X X X X X\nX . X . X\nX X X X X\n. . . . .\n. . . . .")
    position.play("pass").play("pass")
    done: list[int] = []
    moves = review(position, thinking(parse_player(JUDGE).make(game), game), done.append)
    assert [move.move for move in moves] == ["pass", "pass"]
    assert moves[-1].black_after == 1.0
    assert moves[0].black_before > 0.9
    assert done == [1, 2, 3]


@pytest.mark.parametrize("charset", ["zlib_codec", "rot13", "undefined", "punycode"])
def test_a_record_in_no_character_set_is_refused(charset):
    with pytest.raises(BadRecord, match="not in a character set of text"):
        annotate_sgf(f"(;SZ[5]CA[{charset}];B[aa]C[x])", {1: "first"}, {}, set())


def test_a_comment_that_is_no_text_keeps_its_bytes():
    written = annotate_sgf(b"(;SZ[5]CA[UTF-8]CA[utf-8];B[aa]C[\xff\\]])", {1: "a ] b"}, {}, set())
    assert b"C[\xff\\]\n\na \\] b]" in written
    assert written.count(b"CA[") == 1


def test_a_record_whose_moves_are_wrong_cannot_be_annotated():
    with pytest.raises(BadRecord, match="cannot be annotated"):
        annotate_sgf("(;SZ[5];B[zz])", {1: "first"}, {}, set())


def test_only_players_that_search_can_judge():
    with pytest.raises(TengenError, match="such as mc-rave"):
        thinking(parse_player("random").make(Go(5)), Go(5))


def test_the_record_keeps_what_it_had_and_gets_remarks_rates_and_bad_moves():
    written = annotate_sgf(RECORD, {1: "first", 4: "fourth"}, {1: 0.5, 4: 0.25}, {4})
    game = sgf.Sgf_game.from_bytes(written)
    nodes = game.get_main_sequence()
    assert game.get_player_name("w") == "Böb"
    assert nodes[1].get("C") == "the middle\n\nfirst"
    assert nodes[4].get("C") == "fourth"
    assert nodes[4].get_raw("SBKV") == b"25.00"
    assert nodes[4].has_property("BM")
    assert not nodes[1].has_property("BM")
    assert b"another way" in written
    with pytest.raises(BadRecord):
        annotate_sgf("no record", {}, {}, set())


def test_a_game_is_analysed_into_lines_a_record_and_a_picture(tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "game.sgf"
    path.write_text(RECORD, encoding="utf-8")
    shown = output_of("analyze", str(path), "--player", JUDGE, "--blunder", "0.02")
    rows = [row for row in shown.splitlines() if re.match(r" +\d+ ", row)]
    assert [row.split()[2] for row in rows] == ["C3", "C2", "D2", "B3", "C1", "B2", "A5"]
    assert re.search(r"Blunders: \d+ by Black, \d+ by White", shown)
    assert (tmp_path / "game-analysis.png").read_bytes().startswith(b"\x89PNG")
    nodes = sgf.Sgf_game.from_bytes((tmp_path / "game-analysis.sgf").read_bytes()).get_main_sequence()
    assert all("Black wins" in node.get("C") for node in nodes[1:])
    assert path.read_text(encoding="utf-8") == RECORD
    found = json.loads(output_of("analyze", str(path), "--player", JUDGE, "--json", "--to", str(tmp_path / "other")))
    assert [move["move"] for move in found["moves"]] == ["C3", "C2", "D2", "B3", "C1", "B2", "A5"]
    assert all(0 <= move["black_after"] <= 1 for move in found["moves"])
    assert (tmp_path / "other.sgf").exists()
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "game-analysis.png", "game-analysis.sgf", "game.sgf", "other.png", "other.sgf",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "complaint"),
    [("(;GM[1]SZ[5])", "there are no moves"), ("nonsense", "no SGF record"), (None, "cannot be read")],
)
def test_what_cannot_be_analysed_is_one_sentence(tmp_path, content, complaint):
    path = tmp_path / "game.sgf"
    if content is not None:
        path.write_text(content)
    done = tengen("analyze", str(path))
    assert done.returncode == 1
    assert done.stdout == ""
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
