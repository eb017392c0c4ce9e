"""Othello and Havannah over GTP, with the rules commands of GoGui."""

import pytest

from tengen.games.grid import GTP_COLUMNS
from tengen.games.havannah.game import Havannah
from tengen.games.havannah.havannah_board import DIRECTIONS
from tests.interfaces.gtp.talk import Talk

QUICK_UCT = "uct:simulations=50,memory=20"


def test_the_start_of_othello_is_given_to_gogui():
    talk = Talk(QUICK_UCT, game="othello")
    assert talk.ask("gogui-rules_game_id") == "othello"
    assert talk.ask("gogui-rules_board_size") == "8 rect"
    rows = talk.ask("gogui-rules_board").splitlines()
    assert [len(row.split()) for row in rows] == [8] * 8
    assert rows[3].split() == [*"...XO..."]  # row 5, from the top
    assert rows[4].split() == [*"...OX..."]
    assert sorted(talk.ask("gogui-rules_legal_moves").split()) == ["C4", "D3", "E6", "F5"]
    assert talk.ask("gogui-rules_side_to_move") == "black"
    assert talk.ask("gogui-rules_final_result") == ""
    assert talk.ask("gogui-rules_captured_count") == "0 0"
    assert talk.ask("gogui-rules_board_gfx") == ""


@pytest.mark.long
def test_othello_is_played_to_its_end():
    talk = Talk(QUICK_UCT, game="othello", size=6)
    for _ in range(80):
        if talk.session.position.is_over:
            break
        talk.ask(f"genmove {talk.session.position.to_play}")
    assert "the game is over" in talk.refusal("genmove b")
    assert talk.ask("gogui-rules_legal_moves") == ""
    margin, result = talk.session.position.score, talk.ask("gogui-rules_final_result")
    assert result == ("A draw." if margin == 0 else f"{'Black' if margin > 0 else 'White'} wins by {abs(margin):g}.")
    assert talk.refusal("play b A1").startswith("illegal move")


def test_forced_passes_need_not_be_sent():
    talk = Talk("random", game="othello", size=4)
    while talk.session.position.legal_moves() != ["pass"]:
        talk.ask("clear_board" if talk.session.position.is_over else f"genmove {talk.session.position.to_play}")
    position = talk.session.position.copy()
    after = position.copy().play("pass")
    talk.ask(f"play {after.to_play} {after.legal_moves()[0]}")
    assert talk.session.position == after.play(after.legal_moves()[0])
    talk.ask("undo")
    assert talk.session.position == position
    assert talk.ask(f"genmove {position.to_play}") == "pass"


def test_a_move_out_of_turn_is_refused_in_othello():
    talk = Talk(QUICK_UCT, game="othello")
    assert talk.refusal("play w D3") == "it is black's turn"
    assert talk.refusal("genmove w") == "it is black's turn"
    assert talk.refusal("play b A1").startswith("illegal move: a1 cannot be played by black: ")


@pytest.mark.parametrize(
    ("game", "size", "moves"),
    [
        ("go", 5, ["b B3", "b C2", "b C4", "w D2", "w D4", "w E3", "w C3", "b D3", "w B1", "w A2"]),
        ("othello", 4, ["b A2", "w A1", "b B1", "w C1", "b D1"]),
        ("havannah", 3, ["b C3", "w D4", "b A1"]),
    ],
)
def test_a_move_is_called_legal_if_and_only_if_it_can_be_played(game, size, moves):
    talk = Talk("random", game=game, size=size)
    vertices = [f"{column}{row}" for column in GTP_COLUMNS[: 2 * size] for row in range(1, 2 * size)]
    for move in ["", *moves]:
        if move:
            talk.ask(f"play {move}")
        for colour in ("b", "white"):
            allowed = {vertex for vertex in [*vertices, "pass"] if can_play(talk, f"play {colour} {vertex}")}
            called = {vertex for vertex in [*vertices, "pass"] if talk.raw(f"is_legal {colour} {vertex}") == "= 1\n\n"}
            assert called == allowed
            assert set(talk.ask(f"all_legal {colour}").split()) == allowed - {"pass"}


def can_play(talk: Talk, line: str) -> bool:
    """Whether a move is accepted; it is undone."""
    is_played = talk.raw(line).startswith("=")
    if is_played:
        talk.ask("undo")
    return is_played


def test_is_legal_and_all_legal_work_as_in_gnu_go():
    talk = Talk("random", size=5)
    talk.all("play b C3", "play w C4", "play b pass", "play w pass")
    assert talk.ask("is_legal b C3") == "0"
    assert talk.ask("is_legal white a1") == "1"
    assert talk.ask("is_legal b pass") == "1"
    assert talk.ask("all_legal b").startswith("A1 B1 C1 D1 E1 A2")
    assert len(talk.ask("all_legal w").split()) == 23
    for line in ("is_legal b", "is_legal b C3 1", "is_legal green C3", "is_legal b Z9", "is_legal b resign"):
        assert talk.refusal(line)
    for line in ("all_legal", "all_legal green", "all_legal b w"):
        assert talk.refusal(line)


def test_a_finished_game_of_othello_has_no_legal_moves():
    talk = Talk("random", game="othello", size=4)
    while talk.raw("genmove").startswith("="):
        pass
    assert talk.session.position.is_over
    assert talk.all("all_legal b", "all_legal w", "is_legal b pass", "is_legal w A1") == ["", "", "0", "0"]


def test_games_other_than_go_have_no_commands_of_go():
    for game in ("othello", "havannah"):
        names = Talk(QUICK_UCT, game=game).ask("list_commands").split()
        assert {"play", "genmove", "undo", "gogui-rules_board", "lz-analyze", "time_left"} <= {*names}
        assert not {"komi", "final_score", "kgs-rules", "fixed_handicap", "kata-set-rules", "loadsgf"} & {*names}
    assert not any(name.startswith("gogui-rules") for name in Talk().ask("list_commands").split())


def test_havannahs_points_are_written_without_an_i():
    talk = Talk(QUICK_UCT, game="havannah", size=8)
    assert talk.ask("gogui-rules_board_size") == "15 hex"
    talk.all("play b J9", "play w H8")
    assert [played.notation for played in talk.session.position.history] == ["i9", "h8"]
    assert talk.session.stones() == {"i9": 0, "h8": 1}
    assert "without I" in talk.refusal("play b I9")
    rows = [row.split() for row in talk.ask("gogui-rules_board").splitlines()]
    assert len(rows) == 15
    assert rows[15 - 9][8] == "X"
    assert rows[15 - 8][7] == "O"
    assert len(talk.ask("gogui-rules_legal_moves").split()) == 3 * 8 * 7 + 1 - 2
    assert len(talk.ask("gogui-rules_board_gfx").split()) == 2 + 15 * 15 - 169
    talk.all("undo", "undo")


def test_havannahs_neighbours_are_those_of_gogui_s_hexagonal_board():
    """GoGui draws (column, row) at column + (height - 1 - row) / 2 to the right, in rows going up."""

    def place(column: int, row: int) -> tuple[float, float]:
        return column + (14 - row) / 2, row * 3**0.5 / 2

    for rows, columns in DIRECTIONS:
        (x, y), (here_x, here_y) = place(7 + columns, 7 + rows), place(7, 7)
        assert (x - here_x) ** 2 + (y - here_y) ** 2 == pytest.approx(1)


@pytest.mark.long
def test_a_havannah_game_ends_with_a_winner():
    talk = Talk(QUICK_UCT, game="havannah", size=4)
    while not talk.session.position.is_over:
        talk.ask("genmove")
    results = {"black": "Black wins.", "white": "White wins.", "draw": "A draw."}
    assert talk.ask("gogui-rules_final_result") == results[talk.session.position.winner or ""]
    assert "the game is over" in talk.refusal("lz-analyze b 10")


def test_havannahs_boardsize_is_its_width_in_gogui():
    talk = Talk(QUICK_UCT, game="havannah")
    talk.ask("boardsize 9")
    assert talk.session.game == Havannah(5)
    assert talk.refusal("boardsize 8").startswith("unacceptable size")
    assert talk.refusal("boardsize 99").startswith("unacceptable size")


@pytest.mark.long
def test_analysis_works_for_other_games():
    for game, size in (("othello", 6), ("havannah", 4)):
        talk = Talk(QUICK_UCT, game=game, size=size)
        talk.conversation.input.put(b"")
        answer = talk.raw("kata-analyze b 10 ownership true")
        assert answer.startswith("=\ninfo move ")
        for line in talk.ask("gogui-analyze_commands").splitlines():
            talk.ask(line.split("/")[2])
