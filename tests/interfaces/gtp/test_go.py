"""GTP 2 for Go: boards, moves, undo, rules, handicap, records and the end of games."""

import os

import pytest

from tengen.games.go.game import Go
from tests.interfaces.gtp.talk import Talk


def board(talk: Talk) -> str:
    return talk.session.position.diagram()


def test_moves_are_played_by_either_side_in_any_order_and_undone():
    talk = Talk(size=5)
    boards = [board(talk)]
    moves = ("b C3", "b C4", "w D3", "black pass", "w PASS", "B D4", "w d2", "w e2")
    for move in moves:
        talk.ask(f"play {move}")
        boards.append(board(talk))
    assert talk.session.position.to_play == "black"
    for before in reversed(boards[:-1]):
        talk.ask("undo")
        assert board(talk) == before
    assert talk.refusal("undo") == "cannot undo: not enough moves to take back (1 requested)"


def test_several_moves_are_undone_at_once_or_none():
    talk = Talk(size=5)
    talk.all("play b C3", "play w C4", "play w D4")
    before = board(talk)
    assert "cannot undo" in talk.refusal("gg-undo 4")
    assert board(talk) == before
    talk.ask("gg-undo 2")
    assert [played.notation for played in talk.session.position.history] == ["C3"]
    talk.ask("gg-undo 0")
    assert "cannot undo" in talk.refusal("gg-undo -1")


def test_komi_and_rules_change_and_the_position_stays():
    talk = Talk(size=5)
    talk.all("play b C3", "play b C4", "play w B2", "komi 3.5")
    before = board(talk)
    assert talk.ask("get_komi") == "3.5"
    assert talk.session.position.state.komi == 3.5
    talk.ask("komi -2")
    assert board(talk) == before
    talk.all("undo", "undo", "undo")
    assert talk.session.position.state.empty_count == 25


def test_a_ko_is_recaptured_only_after_moves_elsewhere():
    talk = Talk(size=5)
    for move in ("b B1", "w C1", "b A2", "w D2", "b B3", "w C3", "b C2", "w B2"):
        talk.ask(f"play {move}")
    assert talk.refusal("play b C2") == "illegal move: C2 cannot be played by black: a ko may not be recaptured at once"
    talk.all("play b E5", "play w E4", "play b C2")
    assert "B2" not in talk.session.stones()


def test_superko_is_remembered_when_turns_change():
    """White captures two stones at C1 and passes out of turn; Black's B1 would repeat the board before A1."""
    talk = Talk(size=5)
    for move in ("b C2", "w A2", "b D1", "w B2", "b B1", "w E5", "b A1", "w C1", "w pass"):
        talk.ask(f"play {move}")
    repeats = "illegal move: B1 cannot be played by black: it would repeat an earlier position"
    assert talk.refusal("play b B1") == repeats
    talk.ask("undo")
    assert talk.refusal("play b B1") == repeats
    talk.all("play b E1", "play w A5", "play b B1")


def test_a_game_can_continue_after_two_passes_but_no_move_is_generated():
    talk = Talk(size=5)
    talk.all("play b C3", "play w pass", "play b pass")
    assert talk.refusal("genmove w") == "the game is over: there is no move to generate"
    assert talk.refusal("reg_genmove w") == "the game is over: there is no move to generate"
    talk.all("play w D3", "undo", "undo")
    assert talk.session.position.to_play == "black"


def test_genmove_plays_its_move_and_reg_genmove_does_not():
    talk = Talk(size=5)
    move = talk.ask("genmove b")
    assert [played.notation for played in talk.session.position.history] == [move]
    assert talk.ask("reg_genmove w") in talk.session.position.legal_moves()
    assert len(talk.session.position.history) == 1
    talk.ask("genmove b")  # out of turn
    assert talk.session.position.history[-1].colour == "black"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("boardsize 0", "unacceptable size: size of a Go board must be from 1 to 25, not '0'"),
        ("boardsize 26", "unacceptable size: size of a Go board must be from 1 to 25, not '26'"),
        ("boardsize 1e9", "syntax error: a size is a whole number, not '1e9'"),
        ("boardsize 1000000000", "unacceptable size: size of a Go board must be from 1 to 25, not '1000000000'"),
        ("boardsize 9999999999999999999", "syntax error: a size is a whole number, not '9999999999999999999'"),
        ("boardsize -9", "unacceptable size: size of a Go board must be from 1 to 25, not '-9'"),
        ("boardsize 9 13", "unacceptable size: boards that are not square are not supported"),
        ("rectangular_boardsize 9 13", "unacceptable size: boards that are not square are not supported"),
        ("boardsize", "syntax error: a board's size is expected"),
        ("boardsize ９", "syntax error: a size is a whole number, not '９'"),
        ("komi nan", "syntax error: komi is a number, not 'nan'"),
        ("komi inf", "syntax error: komi is a number, not 'inf'"),
        ("komi 1e6", "komi must be a number from -1000 to 1000, not '1000000.0'"),
        ("komi", "syntax error: komi is expected"),
        ("play b i9", "'i9' is not a point: write the letter of a column and the number of a row, as in E5"),
        ("play b K1", "K1 is off the board: it ends at J9"),
        ("play b E5", "illegal move: E5 cannot be played by black: there is a stone already"),
        ("play red E6", "invalid color: 'red' is not a colour: use black or white"),
        ("play b", "syntax error: a color and a vertex is expected"),
        ("play b resign", "'resign' is not a point: write the letter of a column and the number of a row, as in E5"),
        ("genmove x", "invalid color: 'x' is not a colour: use black or white"),
        ("genmove b w", "syntax error: a color is expected"),
        ("time_settings 1 2", "syntax error: main time, overtime and stones is expected"),
        ("time_settings -1 0 0", "syntax error: a time is 0 or more"),
        ("time_left b soon", "syntax error: a time is a number, not 'soon'"),
        ("final_status_list unclear", "syntax error: a status is alive, dead or seki"),
        ("fixed_handicap 2", "board not empty"),
        ("loadsgf", "syntax error: a file name is expected"),
        ("loadsgf no-such-file.sgf", "cannot load file: 'no-such-file.sgf' cannot be read: No such file or directory"),
        ("set_random_seed x", "syntax error: a seed is a whole number, not 'x'"),
        ("fly", "unknown command"),
    ],
)
def test_an_error_is_one_line_and_the_position_stays(line, complaint):
    talk = Talk(size=9)
    talk.ask("play w E5")
    before = board(talk)
    assert talk.refusal(line) == complaint
    assert board(talk) == before
    assert talk.ask("query_boardsize") == "9"


def test_square_boards_of_two_numbers_are_allowed():
    talk = Talk()
    talk.ask("boardsize 13 13")
    assert talk.ask("query_boardsize") == "13"
    talk.ask("rectangular_boardsize 7 7")
    assert talk.ask("query_boardsize") == "7"


# --- Handicap --------------------------------------------------------------------------------------------------------


def test_handicaps_are_placed_on_empty_boards_and_white_is_to_move():
    talk = Talk(size=9)
    assert talk.ask("fixed_handicap 3") == "C3 G7 C7"
    assert talk.session.position.to_play == "white"
    assert talk.refusal("place_free_handicap 2") == "board not empty"
    talk.ask("clear_board")
    assert len(talk.ask("place_free_handicap 20").split()) == 9
    talk.ask("clear_board")
    talk.ask("set_free_handicap D4 E5 F6")
    assert talk.session.position.to_play == "white"
    talk.ask("komi 0.5")
    assert talk.session.position.state.empty_count == 78


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("fixed_handicap 1", "invalid number of stones"),
        ("fixed_handicap 10", "invalid number of stones"),
        ("place_free_handicap 1", "invalid number of stones"),
        ("set_free_handicap D4", "bad vertex list"),
        ("set_free_handicap D4 D4", "bad vertex list"),
        ("set_free_handicap D4 pass", "bad vertex list"),
        ("set_free_handicap D4 Z9", "bad vertex list"),
    ],
)
def test_an_invalid_handicap_is_refused(line, complaint):
    talk = Talk(size=9)
    assert talk.refusal(line).startswith(f"{complaint}: ")
    assert talk.session.is_untouched


def test_small_boards_have_no_customary_handicap():
    talk = Talk(size=5)
    assert talk.refusal("place_free_handicap 2").startswith("invalid number of stones")


# --- Records ---------------------------------------------------------------------------------------------------------


def test_a_record_is_loaded_up_to_a_move_number(tmp_path):
    path = tmp_path / "a game.sgf"
    path.write_text("(;GM[1]SZ[9]KM[5.5];B[ee];W[cc];B[gg];W[gc])")
    talk = Talk()
    talk.ask(f"loadsgf {path}")
    assert [played.notation for played in talk.session.position.history] == ["E5", "C7", "G3", "G7"]
    assert talk.ask("get_komi") == "5.5"
    talk.ask(f"loadsgf {path} 3")
    assert [played.notation for played in talk.session.position.history] == ["E5", "C7"]
    talk.ask(f"loadsgf {path} 1")
    assert talk.session.position.history == []
    assert talk.session.game == Go(9, 5.5, "positional")


def test_loading_a_fifo_is_refused(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    assert "not a regular file" in Talk().refusal(f"loadsgf {tmp_path / 'fifo'}")


def test_a_record_with_setup_stones_continues_from_them(tmp_path):
    path = tmp_path / "handicap.sgf"
    path.write_text("(;GM[1]SZ[9]KM[0.5]AB[cc][gg];W[ee];B[gc])")
    talk = Talk()
    talk.ask(f"loadsgf {path}")
    talk.all("undo", "komi 3", "undo")
    assert talk.session.position.to_play == "white"
    assert talk.session.position.state.empty_count == 79
    assert "cannot undo" in talk.refusal("undo")


def test_the_game_is_written_as_a_record(tmp_path):
    talk = Talk(size=9)
    talk.all("play b E5", "play w C3")
    assert ";B[ee];W[cg]" in talk.ask("printsgf").replace("\n", "")
    path = tmp_path / "game.sgf"
    talk.all(f"printsgf {path}", "clear_board", f"loadsgf {path}")
    assert len(talk.session.position.history) == 2


# --- The end ---------------------------------------------------------------------------------------------------------


def finished(talk: Talk, picture: str) -> None:
    talk.session.set_up(talk.session.game.from_diagram(picture))


INVADED = """
. . X . X .
X X X X X X
O O O O O O
. O . . . O
O O . X . O
. O O O O O
"""


def test_a_stone_in_enemy_territory_is_dead_and_does_not_count():
    """Black's upper group has two eyes; the lone black stone below cannot live in six points."""
    talk = Talk(size=6, komi=0)
    finished(talk, INVADED)
    assert talk.ask("final_status_list dead") == "D2"
    assert talk.ask("final_status_list seki") == ""
    alive = talk.ask("final_status_list alive").split("\n")
    assert sorted(len(chain.split()) for chain in alive) == [8, 16]
    assert talk.ask("final_score") == "W+12"  # Black has 12 points, White 24


def test_the_score_of_a_draw_is_zero():
    talk = Talk(size=6, komi=-12)
    finished(talk, INVADED)
    assert talk.ask("final_score") == "0"
