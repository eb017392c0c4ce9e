"""Games on a board: moves, players, undo, records, and what is refused."""

from pathlib import Path

import pytest

from tengen import plugins, registry
from tests.interfaces.web.pages import WEAK, page

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_a_new_board_is_described_with_its_position(first):
    position = first.new_board("go", game={"size": 5, "options": {"komi": 0.5}})
    board = first.board
    assert board["title"] == "go 5x5"
    assert board["game"] == {"name": "go", "size": 5, "options": {"komi": 0.5, "ko": "positional", "suicide": False}}
    assert (board["black"], board["record_suffix"]) == ({"kind": "person"}, ".sgf")
    cells = board["geometry"]["cells"]
    assert (len(cells), cells[0]["name"], board["geometry"]["named_moves"]) == (25, "A5", ["pass"])
    assert position["stones"] == "." * 25
    assert (position["to_play"], position["turn"], len(position["legal"])) == ("black", "person", 26)


def test_neighbours_of_a_hexagon_are_at_distance_one(first):
    first.new_board("havannah", game={"size": 3})
    cells = first.board["geometry"]["cells"]
    middle = next(cell for cell in cells if (cell["row"], cell["column"]) == (2, 2))
    distances = sorted(((cell["x"] - middle["x"]) ** 2 + (cell["y"] - middle["y"]) ** 2) ** 0.5 for cell in cells)
    assert distances[1:7] == pytest.approx([1.0] * 6)
    assert distances[7] > 1.5


def test_moves_captures_passes_and_the_end_of_a_game(first):
    first.new_board("go", game={"size": 3, "options": {"komi": 0.5}})
    for move in ("B1", "A1", "A2"):
        position = first.ask("play", move=move)
    assert position["captures"] == {"black": 1, "white": 0}
    assert position["last_move"] == {"colour": "black", "move": "A2"}
    cells = [cell["name"] for cell in first.board["geometry"]["cells"]]
    assert {name for name, stone in zip(cells, position["stones"], strict=True) if stone == "b"} == {"B1", "A2"}
    first.ask("pass")
    position = first.ask("pass")
    assert (position["is_over"], position["winner"], position["reason"]) == (True, "black", "score")
    assert position["result"] == "Black wins by 8.5."
    assert position["legal"] == []
    assert "the game is over" in first.refused("play", move="C3")["message"]


def test_an_illegal_move_is_refused_and_the_board_stays(first):
    before = first.new_board()
    for move, reason in (
        ("a1", "turns over no disc"),
        ("z9", "off the board"),
        ("11", "not a square"),
        ("pass", "not allowed"),
    ):
        error = first.refused("play", move=move)
        assert reason in error["message"]
        assert error["code"] == "refused"
    after = first.ask("goto", move=0)
    assert {key: after[key] for key in after if key != "request"} == {
        key: before[key] for key in before if key != "request"
    }


def test_a_player_answers_a_move_and_undo_takes_both_back(first):
    first.new_board(white=WEAK)
    assert first.ask("play", move="b1")["turn"] == "player"
    assert first.next("thinking")["active"]
    assert not first.next("thinking", where=lambda message: not message["active"])["active"]
    position = first.next("position")
    assert (position["move_number"], position["turn"]) == (2, "person")
    assert position["moves"][1]["colour"] == "white"
    assert 0 <= position["black_win_rates"][1] <= 1
    assert first.ask("undo")["move_number"] == 0


def test_two_players_play_a_whole_game(first):
    first.new_board(black=WEAK, white={"player": "random"})
    position = first.next("position", where=lambda message: message["is_over"])
    assert position["winner"] in ("black", "white", "draw")
    assert position["move_number"] >= 7


def test_earlier_positions_are_shown_and_a_move_there_replaces_the_rest(first):
    first.new_board("go", game={"size": 5})
    for move in ("C3", "B3", "D3"):
        first.ask("play", move=move)
    position = first.ask("goto", move=1)
    assert (position["move_number"], len(position["moves"]), position["to_play"]) == (1, 3, "white")
    assert "the game has 3 moves" in first.refused("goto", move=4)["message"]
    position = first.ask("play", move="D4")
    assert [played["move"] for played in position["moves"]] == ["C3", "D4"]


def test_a_resignation_ends_the_game_and_can_be_taken_back(first):
    first.new_board("go", game={"size": 5})
    first.ask("play", move="C3")
    position = first.ask("resign")
    assert (position["winner"], position["reason"]) == ("black", "resign")
    assert position["result"] == "White resigns: Black wins."
    assert "RE[B+R]" in first.ask("save_record", "record")["text"]
    position = first.ask("undo")
    assert (position["is_over"], position["move_number"]) == (False, 1)


def test_a_player_can_be_told_to_move_and_the_sides_can_be_changed(first):
    first.new_board("othello")
    first.send("move_now")
    assert first.next("position", where=lambda message: message["move_number"] == 1)["turn"] == "person"
    request = first.send("set_sides", white={"player": "random"})
    assert first.next("board", request=request)["white"]["description"] == "random"
    assert first.next("position", where=lambda message: message["move_number"] == 2)["to_play"] == "black"


def test_a_record_is_read_and_written(first):
    record = "(;GM[1]FF[4]SZ[5]KM[1.5];B[cc];W[bc];B[cb])"
    position = first.new_board("go", record=record)
    assert [played["move"] for played in position["moves"]] == ["C3", "B3", "C4"]
    assert first.board["game"]["options"]["komi"] == 1.5
    saved = first.ask("save_record", "record")
    assert saved["name"] == "go-5x5.sgf"
    assert first.new_board("go", record=saved["text"])["moves"] == position["moves"]
    assert "not an SGF record" in first.refused("new_board", game={"name": "go"}, record="nonsense")["message"]
    assert "no record format" in first.refused("new_board", game={"name": "othello"}, record=record)["message"]


def test_a_handicap_is_placed_and_stays_after_a_reload(client, first):
    position = first.new_board("go", game={"size": 7, "options": {"komi": 0.5}}, handicap=2)
    assert (position["stones"].count("b"), position["to_play"]) == (2, "white")
    first.ask("play", move="D4")
    with page(client) as second:
        assert second.open_board(first.board["board"])["stones"].count("b") == 2
    error = first.refused("new_board", game={"name": "othello", "size": 4}, handicap=2)
    assert "handicap" in error["message"]


def test_a_hint_and_a_score_are_given_for_the_shown_position(first):
    position = first.new_board("go", game={"size": 5})
    hint = first.ask("hint", "hint", player=WEAK)
    assert hint["move"] in position["legal"]
    assert hint["panel"]["simulations"] == 30
    score = first.ask("score", "score", playouts=50)
    assert (score["margin"], len(score["ownership"])) == (-7.5, 25)


@pytest.mark.parametrize(
    ("player", "reason"),
    [
        ({"player": "nobody"}, "unknown player 'nobody'"),
        ({"player": "uct", "options": {"explration": 1.0}}, "explration"),
        ({"player": "gtp", "options": {"command": "touch /tmp/x"}}, "external program"),
        ({"player": "gtp:command='touch /tmp/x'"}, "external program"),
        ({"player": "gnugo"}, "external program"),
        ({"player": "rlgo", "options": {"weights": "/etc/passwd"}}, "weights cannot be set"),
        ({"player": "urgency:urgencies=/etc/passwd"}, "urgencies cannot be set"),
        ({"player": "uct", "simulations": 10**9}, "simulations must be at most"),
        ({"player": "uct", "seconds": 1e5}, "seconds must be at most"),
        ({"player": "uct", "options": {"threads": 64}}, "threads must be 1"),
        ({"player": "uct", "options": {"memory": 100_000}}, "memory must be at most"),
    ],
)
def test_a_player_that_is_wrong_or_reaches_for_the_host_is_refused(first, player, reason):
    first.new_board("go", game={"size": 5})
    assert reason in first.refused("set_sides", white=player)["message"]
    assert reason in first.refused("hint", player=player)["message"]
    assert first.ask("play", move="C3")["move_number"] == 1


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ({"name": "chess"}, "unknown game 'chess'"),
        ({"name": "open_spiel"}, "unknown game 'open_spiel'"),
        ({"name": "open_spiel:clobber"}, "unknown game 'open_spiel:clobber'"),
        ({"name": "go", "size": 99}, "from 1 to 25"),
        ({"name": "go", "options": {"ko": "none"}}, "unknown ko rule"),
        ({"name": "go", "options": {"colour": 1}}, "no option"),
        ({"name": "go", "size": 5, "options": {"size": 6}}, "twice"),
    ],
)
def test_a_game_that_is_wrong_is_refused(first, game, reason):
    assert reason in first.refused("new_board", game=game)["message"]


@pytest.fixture
def forgotten_plugins(monkeypatch):
    """Forget the plugins that a test loads."""
    monkeypatch.setattr(plugins, "_loaded", dict(plugins._loaded))
    monkeypatch.setattr(registry, "_parts", {kind: dict(known) for kind, known in registry._parts.items()})


def test_a_game_of_a_plugin_needs_nothing_of_its_own(forgotten_plugins, client, first):
    plugins.load_plugin(EXAMPLES / "tic_tac_toe.py")
    position = first.new_board("tic-tac-toe")
    assert first.board["geometry"]["kind"] == "grid"
    assert len(position["legal"]) == len(position["stones"]) == 9
    names = [game["name"] for game in client.get("/api/catalogue").json()["games"]]
    assert "tic-tac-toe" in names
