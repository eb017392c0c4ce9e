"""Boards that are kept: reload, restart of the server, two pages, damaged files."""

import asyncio
import json

import pytest

from tengen import Go
from tengen.files import Unwritable
from tengen.interfaces.scheduler import Scheduler
from tengen.interfaces.web.board_files import BoardFiles, UnknownBoard
from tengen.interfaces.web.connection import Connection, Hall, Outbox
from tengen.interfaces.web.limits import ServerLimits
from tengen.interfaces.web.messages import PlayerChoice
from tengen.interfaces.web.played_game import PlayedGame
from tests.interfaces.web.pages import WEAK, page, server

BOARD = "0123456789abcdef0123456789abcdef"


def test_a_board_is_still_there_after_a_reload(client):
    with page(client) as first:
        first.new_board(white=WEAK)
        first.ask("play", move="b1")
        before = first.next("position", where=lambda message: message["move_number"] == 2)
    with page(client) as again:
        after = again.open_board(first.board["board"])
        assert after["moves"] == before["moves"]
        assert after["black_win_rates"] == before["black_win_rates"]
        assert again.board["white"]["player"]["player"] == "uct"


def test_a_board_is_still_there_after_a_restart_and_the_player_to_move_goes_on(tmp_path):
    with server(tmp_path) as client, page(client) as first:
        first.new_board("go", game={"size": 5, "options": {"komi": 0.5}})
        first.ask("play", move="C3")
        first.ask("goto", move=0)
        board = first.board["board"]
    with server(tmp_path) as client, page(client) as again:
        assert [entry["board"] for entry in client.get("/api/boards").json()["boards"]] == [board]
        position = again.open_board(board)
        assert [played["move"] for played in position["moves"]] == ["C3"]
        assert again.board["game"]["options"]["komi"] == 0.5
        again.send("set_sides", white=WEAK)
        assert again.next("position", where=lambda message: message["move_number"] == 2)
    files = BoardFiles(tmp_path / "boards", 10)
    unfinished = files.load(board)
    unfinished.play("E5")
    unfinished.players["white"] = PlayerChoice(player="random")
    files.save(board, unfinished)
    with server(tmp_path) as client, page(client) as again:
        assert again.open_board(board)["turn"] == "player"
        assert again.next("position", where=lambda message: message["move_number"] == 4)["turn"] == "person"


def test_a_resignation_and_a_setup_are_kept(tmp_path):
    files = BoardFiles(tmp_path, 10)
    position = Go(7, 0.5).start()
    position.place_fixed_handicap(3)
    game = PlayedGame(position)
    game.play("A1")
    game.resign()
    files.save(BOARD, game)
    again = files.load(BOARD)
    assert (again.position, again.resigned) == (game.position, "black")
    assert [played.notation for played in again.position.history] == ["A1"]
    again.undo(None)
    again.undo(1)
    assert again.shown == position


def test_two_boards_play_at_once(client):
    with page(client) as first, page(client) as second:
        first.new_board(black=WEAK, white={"player": "random"})
        second.new_board("go", game={"size": 5}, white=WEAK)
        second.ask("play", move="C3")
        assert first.next("position", where=lambda message: message["is_over"])["move_number"] >= 7
        assert second.next("position", where=lambda message: message["move_number"] == 2)
        assert first.board["board"] != second.board["board"]
        assert len(client.get("/api/boards").json()["boards"]) == 2


def test_a_board_that_another_page_opens_is_taken_from_the_first(client, first):
    first.new_board()
    board = first.board["board"]
    with page(client) as second:
        second.open_board(board)
        assert first.next("error")["code"] == "moved"
        assert "there is no board" in first.refused("play", move="b1")["message"]
        assert second.ask("play", move="b1")["move_number"] == 1
    assert first.open_board(board)["move_number"] == 1


def two_connections(folder):
    """Return two pages of a server whose lanes work only when `done` lets them."""
    hall = Hall(files=BoardFiles(folder, 10), limits=ServerLimits(), scheduler=Scheduler(0))
    hall.connections |= {Connection(hall, Outbox(asyncio.get_running_loop())) for _ in range(2)}
    return hall, *hall.connections


async def done(hall, *tasks):
    """Let the lanes work until the tasks are done."""
    together = asyncio.gather(*tasks)
    while not together.done():
        hall.scheduler.run_next()
        await asyncio.sleep(0)
    together.result()


def opening(board):
    return json.dumps({"type": "open_board", "board": board})


NEW_BOARD = json.dumps({"type": "new_board", "game": {"name": "othello", "size": 4}, "white": {"player": "random"}})


def test_a_board_belongs_to_its_page_until_it_is_closed(tmp_path):
    async def scenario():
        hall, leaving, coming = two_connections(tmp_path)
        await done(hall, leaving.receive(NEW_BOARD))
        board = leaving.board
        tasks = [asyncio.create_task(leaving.leave()), asyncio.create_task(coming.receive(opening(board.board)))]
        for _ in range(10):
            await asyncio.sleep(0)
        assert hall.owner(board.board) is leaving  # its lane has not closed it yet
        await done(hall, *tasks)
        assert board.is_closed
        assert hall.owner(board.board) is coming
        assert coming.board is not board

    asyncio.run(scenario())


def test_of_two_pages_that_open_a_board_at_once_one_has_it(tmp_path):
    async def scenario():
        hall, first, second = two_connections(tmp_path)
        files = BoardFiles(tmp_path, 10)
        files.save(BOARD, PlayedGame(Go(5).start()))
        await done(hall, first.receive(opening(BOARD)), second.receive(opening(BOARD)))
        assert sorted(page.board is None for page in (first, second)) == [False, True]

    asyncio.run(scenario())


def test_a_page_may_open_its_own_board_again(first):
    position = first.new_board()
    assert first.open_board(first.board["board"])["moves"] == position["moves"]
    assert first.ask("play", move="b1")["move_number"] == 1


def test_a_game_that_cannot_be_saved_goes_on_and_the_page_is_told(client, first, monkeypatch):
    def full(*arguments):
        raise Unwritable("the disk is full")

    first.new_board(white={"player": "random"})
    monkeypatch.setattr(client.app.state.hall.files, "save", full)
    first.send("play", move="b1")
    messages = [first.next("error", "position") for _ in range(4)]
    assert [message["type"] for message in messages] == ["error", "position"] * 2
    assert messages[0]["message"] == "the game goes on, but is not saved: the disk is full"
    assert messages[3]["move_number"] == 2


def test_a_deleted_board_is_gone(client, first):
    first.new_board()
    board = first.board["board"]
    assert first.ask("delete_board", "deleted")["board"] == board
    assert first.refused("open_board", board=board)["code"] == "unknown_board"
    assert client.get("/api/boards").json()["boards"] == []


def test_an_unknown_board_is_refused_and_the_present_one_stays(first):
    first.new_board()
    first.ask("play", move="b1")
    error = first.refused("open_board", board=BOARD)
    assert (error["code"], BOARD in error["message"]) == ("unknown_board", True)
    assert first.ask("goto", move=1)["move_number"] == 1


GOOD = {"version": 1, "game": {"name": "othello", "size": 4}, "moves": ["b1"]}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "[" * 100_000,
        "\x00\x01",
        "null",
        json.dumps(GOOD)[:-5],
        json.dumps({**GOOD, "version": 2}),
        json.dumps({**GOOD, "moves": ["a1"]}),
        json.dumps({**GOOD, "moves": "b1"}),
        json.dumps({**GOOD, "moves": ["b1"] * 6000}),
        json.dumps({**GOOD, "game": {"name": "chess"}}),
        json.dumps({**GOOD, "game": {"name": "othello", "size": 5}}),
        json.dumps({**GOOD, "game": {}}),
        json.dumps({**GOOD, "start": "X X X"}),
        json.dumps({**GOOD, "resigned": "green"}),
        json.dumps({**GOOD, "black_win_rates": {"one": 0.5}}),
        json.dumps({**GOOD, "black_win_rates": {"1": 7.0}}),
        json.dumps({**GOOD, "extra": 1}),
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(tmp_path, text):
    files = BoardFiles(tmp_path, 10)
    path = tmp_path / f"{BOARD}.json"
    path.write_text(json.dumps(GOOD))
    assert files.load(BOARD).position.history[0].notation == "b1"
    path.write_text(text)
    with pytest.raises(UnknownBoard, match="is damaged") as caught:
        files.load(BOARD)
    assert "\n" not in str(caught.value)
    assert files.entries() == []
    assert path.read_text() == text


def test_a_damaged_file_does_not_stop_the_server(tmp_path):
    with server(tmp_path) as client, page(client) as first:
        first.new_board()
        (tmp_path / "boards" / f"{BOARD}.json").write_bytes(b"\xff" * 100)
        assert first.refused("open_board", board=BOARD)["code"] == "unknown_board"
        assert len(client.get("/api/boards").json()["boards"]) == 1
        assert first.ask("play", move="b1")["move_number"] == 1


def test_only_ids_are_parts_of_paths(tmp_path):
    files = BoardFiles(tmp_path / "boards", 10)
    (tmp_path / "secret.json").write_text(json.dumps(GOOD))
    for name in ("../secret", "secret", "", BOARD.upper(), f"{BOARD}/../secret", f"{BOARD}\n"):
        with pytest.raises(UnknownBoard, match="not the id of a board"):
            files.load(name)


def test_a_file_is_replaced_as_a_whole(tmp_path, monkeypatch):
    files = BoardFiles(tmp_path, 10)
    game = PlayedGame(Go(5).start())
    files.save(BOARD, game)
    game.play("C3")
    monkeypatch.setattr("pathlib.Path.replace", lambda *paths: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(Exception, match="No space left"):
        files.save(BOARD, game)
    monkeypatch.undo()
    assert files.load(BOARD).position.history == []
    assert [path.name for path in tmp_path.iterdir()] == [f"{BOARD}.json"]
