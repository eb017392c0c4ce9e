"""`tengen analyze`: the lines, the record and the picture that come of a game."""

import json
import math
import re
import subprocess

import pytest
from sgfmill import sgf

from tengen.arena.game_review import (
    FEWEST_VISITS,
    Effort,
    Judgement,
    ReviewedMove,
    analysing,
    is_blunder,
    review,
    two_sided,
)
from tengen.errors import TengenError
from tengen.games.game import BadRecord
from tengen.games.go.game import Go
from tengen.games.go.sgf import annotate_sgf, read_sgf
from tengen.games.records import Variation
from tengen.interfaces.review import better_lines, line, remark
from tengen.players import parse_player
from tests.interfaces.in_process import output_of, tengen
from tests.interfaces.test_cli import ENVIRONMENT, program

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
    done: list[float] = []
    moves = review(position, analysing(parse_player(JUDGE).make(game), game), done.append, Effort(300))
    assert [move.move for move in moves] == ["pass", "pass"]
    assert moves[-1].black_after == 1.0
    assert moves[0].black_before > 0.9
    assert done == sorted(done)
    assert done[-1] == 1.0


def test_values_that_alternate_with_the_turn_become_calm():
    biased = [0.4 + 0.05 * (-1) ** number for number in range(20)]
    calm = two_sided(biased, [1000.0] * 20)
    assert all(abs(value - 0.4) < 0.01 for value in calm[1:-1])
    assert all(abs(value - 0.4) < 0.05 for value in calm)


def test_a_jump_between_certain_values_and_the_result_stay():
    values = [0.6] * 5 + [0.1] * 4 + [0.0]
    simulations = [20_000.0] * 9 + [math.inf]
    assert two_sided(values, simulations)[:8] == pytest.approx(values[:8], abs=1e-3)
    assert two_sided(values, simulations)[-1] == 0.0
    assert two_sided([0.2], [10.0]) == [0.2]
    assert two_sided([0.9, 0.0], [100.0, math.inf])[1] == 0.0


def test_positions_on_both_sides_of_a_jump_are_searched_again(monkeypatch):
    game, asked = Go(5, 0.5), []
    position = game.start()
    for move in ("C3", "C4", "D3", "D4", "B3", "B4", "A3", "A4", "E3", "E4"):
        position.play(move)

    def judged(position, player, effort, done):
        yield done
        number = len(position.history)
        asked.append((number, effort.simulations))
        return Judgement(0.6 if number < 7 else 0.1, effort.simulations, "C3", 500, ("C3",))

    monkeypatch.setattr("tengen.arena.game_review._judged", judged)
    moves = review(position, analysing(parse_player(JUDGE).make(game), game), lambda share: None, Effort(10_000))
    assert asked == [*((number, 6000) for number in range(11)), (6, 30_000), (7, 30_000)]
    assert moves[6].black_before == pytest.approx(0.6)
    assert moves[6].black_after == pytest.approx(0.1)


def test_an_effort_is_spent_in_simulations_or_in_time():
    class Clocked:
        """Runs 100 simulations a second of a clock of its own."""

        done = 0

        def now(self) -> float:
            return self.done / 100

        def run(self, simulations: int) -> int:
            self.done += simulations
            return simulations

    def spent(effort: Effort) -> int:
        search = Clocked()
        effort.spend(search.run, search.now)
        return search.done

    assert spent(Effort(1000)) == 1000
    assert spent(Effort(1000).times(0.6)) == 600
    assert spent(Effort(seconds=10.0)) == 8 * 128, "it looks at the clock every 128 simulations"
    assert spent(Effort(300, 10.0)) == 300
    assert Effort(1).times(0.1) == Effort(1)


def test_a_player_without_a_tree_judges_too():
    game = Go(5, 0.5)
    position = game.start().play("C3").play("C4")
    moves = review(position, analysing(parse_player("amaf:simulations=200").make(game), game), lambda share: None)
    assert [move.move for move in moves] == ["C3", "C4"]
    assert all(0 <= move.black_after <= 1 for move in moves)


@pytest.mark.parametrize("charset", ["zlib_codec", "rot13", "undefined", "punycode"])
def test_a_record_in_no_character_set_is_refused(charset):
    with pytest.raises(BadRecord, match="is not a character set"):
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
        analysing(parse_player("random").make(Go(5)), Go(5))


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


def test_better_lines_become_variations_and_the_main_line_stays():
    lines = {2: Variation("white", ("B3", "B2", "pass"), "better"), 4: Variation("white", ("E1", "A1"), "also good")}
    written = annotate_sgf(RECORD, {}, {}, set(), lines)
    game = sgf.Sgf_game.from_bytes(written)
    main = game.get_main_sequence()
    assert [node.get_move() for node in main] == [
        node.get_move() for node in sgf.Sgf_game.from_bytes(RECORD.encode()).get_main_sequence()
    ]
    added = main[1][1]
    assert added.get_move() == ("w", (2, 1))
    assert added.get("C") == "better"
    assert [child.get_move() for child in (added[0], added[0][0])] == [("b", (1, 1)), ("w", None)]
    known = main[3][1]
    assert len(main[3]) == 2, "the record has a variation that begins with the same move"
    assert known.get("C") == "another way\n\nalso good"
    assert known[0].get_move() == ("b", (0, 0))
    assert read_sgf(written) == read_sgf(RECORD)


def test_lines_are_shown_where_the_search_saw_enough_and_differs():
    def move(best: str, visits: float) -> ReviewedMove:
        return ReviewedMove(1, "black", "A1", 0.62, 0.6, best, [best, "B2"], visits)

    assert better_lines([move("C3", FEWEST_VISITS)]) == {
        1: Variation("black", ("C3", "B2"), "Black wins 62.0 % after C3.")
    }
    assert better_lines([move("C3", FEWEST_VISITS - 1), move("A1", 5000)]) == {}


def test_without_matplotlib_no_picture_is_named(tmp_path):
    """A package of that name that cannot be imported stands in front of the installed one."""
    (tmp_path / "blocked" / "matplotlib").mkdir(parents=True)
    (tmp_path / "blocked" / "matplotlib" / "__init__.py").write_text("raise ImportError")
    path = tmp_path / "game.sgf"
    path.write_text(RECORD, encoding="utf-8")
    paths = f"{tmp_path / 'blocked'}:{ENVIRONMENT.get('PYTHONPATH', '')}"
    command = [program(), "analyze", str(path), "--player", JUDGE]
    for options in ([], ["--json"]):
        done = subprocess.run(
            [*command, *options], env=ENVIRONMENT | {"PYTHONPATH": paths}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0
        assert ".png" not in done.stdout
        assert "picture" not in done.stdout
        assert done.stderr == "tengen: no picture was written: it needs matplotlib: pip install 'tengen[plots]'\n"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["blocked", "game-analysis.sgf", "game.sgf"]


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
    assert len(nodes[6]) == 2, "A5 throws the game away"
    assert re.match(r"Black wins \d+\.\d % after", nodes[6][1].get("C"))
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
    [("(;GM[1]SZ[5])", "there are no moves"), ("nonsense", "not an SGF record"), (None, "cannot be read")],
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
