"""Whole games by clicks and by keys."""

from pathlib import Path
from typing import Any

import pytest

from tests.web_page.page import BoardPage
from tests.web_page.server import WebServer

EXAMPLES = Path(__file__).parents[2] / "examples"


def play_on(board: BoardPage, *, most: int = 200) -> None:
    """Play the first legal move on each turn, or pass if there is none, until the game is over."""
    for _ in range(most):
        if not board.wait_for_turn():
            return
        legal = board.legal()
        if legal:
            board.play(legal[0])
        else:
            board.press("Pass")
    raise AssertionError(f"the game goes on after {most} moves")


def test_a_game_of_go_is_played_by_clicks_to_its_end(board: BoardPage):
    board.new_game("go", "5x5")
    for _ in range(4):
        assert board.wait_for_turn()
        board.play(board.legal()[0])
    while board.wait_for_turn():
        board.press("Pass")
    assert board.moves() >= 10
    assert board.status_line().startswith(("Black wins", "White wins"))
    assert board.legal() == []


def test_a_game_of_othello_is_played_by_clicks_to_its_end(board: BoardPage):
    board.new_game("othello", "4x4")
    assert board.stones() == {"b2": "white", "c2": "black", "b3": "black", "c3": "white"}
    play_on(board)
    assert "wins" in board.status_line() or "raw" in board.status_line()
    assert board.legal() == []


def test_a_game_of_havannah_is_played_by_clicks_to_its_end(board: BoardPage):
    board.new_game("havannah", "base 3", plays="White")
    play_on(board)
    colours = [*board.stones().values()]
    assert colours.count("black") - colours.count("white") in (0, 1)
    assert "wins" in board.status_line() or "raw" in board.status_line()


def test_a_move_appears_on_the_board_and_in_the_text(board: BoardPage):
    board.new_game("go", "5x5", plays="Both sides")
    board.play("C3")
    board.play("D4")
    assert board.stones() == {"C3": "black", "D4": "white"}
    assert board.page.locator(".board").get_attribute("aria-label").endswith("white played D4 last, black to play")
    board.page.get_by_text("Board as text").click()
    diagram = board.page.locator("pre.diagram").inner_text()
    assert diagram.count("X") == diagram.count("O") == 1


def test_undo_takes_back_the_players_move_and_the_persons(board: BoardPage):
    board.new_game("go", "5x5")
    board.play("C3")
    assert board.wait_for_turn()
    assert len(board.stones()) == 2
    board.button("Undo").click()
    board.wait_for_moves(0)
    assert board.stones() == {}


def test_an_illegal_move_is_not_played(board: BoardPage):
    board.new_game("go", "5x5", plays="Both sides")
    board.play("C3")
    board.cell("C3").click()
    board.page.get_by_role("alert").get_by_text("C3").wait_for()
    assert board.moves() == 1


def test_a_resignation_is_confirmed_first_and_can_be_taken_back(board: BoardPage):
    board.new_game("go", "5x5", plays="Both sides")
    board.play("C3")
    board.button("Resign").click()
    board.button("Cancel").click()
    board.button("Resign").click()
    board.button("Resign the game").click()
    board.page.locator('.status[data-over="true"]').wait_for()
    assert "resigns" in board.status_line()
    board.button("Undo").click()
    board.page.locator('.status[data-over="false"]').wait_for()
    assert board.stones() == {"C3": "black"}


@pytest.mark.parametrize(
    ("game", "size", "keys", "cell"),
    [
        ("go", "5x5", ["ArrowLeft", "ArrowUp", "Enter"], "B4"),
        ("othello", "4x4", ["ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowDown", " "], None),
        ("havannah", "base 3", ["ArrowRight", "Enter"], None),
    ],
)
def test_arrow_keys_move_a_cursor_and_enter_plays(board: BoardPage, game: str, size: str, keys: list[str], cell: Any):
    board.new_game(game, size, plays="Both sides")
    stones = board.stones()
    board.page.locator(".board").focus()
    for key in keys[:-1]:
        board.page.keyboard.press(key)
    marked = board.page.locator('[data-mark="cursor"]').get_attribute("data-on")
    assert cell in (None, marked)
    board.page.keyboard.press(keys[-1])
    board.wait_for_moves(1)
    assert {*board.stones()} - {*stones} == {marked}


def test_the_cursor_begins_at_the_last_click(board: BoardPage):
    board.new_game("go", "5x5", plays="Both sides")
    board.play("B2")
    assert board.page.locator('[data-mark="cursor"]').count() == 0
    board.page.keyboard.press("ArrowRight")
    board.page.keyboard.press("Enter")
    board.wait_for_moves(2)
    assert board.stones() == {"B2": "black", "C2": "white"}


def test_a_hint_and_a_score_are_shown(board: BoardPage):
    board.new_game("go", "5x5")
    board.button("Hint").click()
    hint = board.page.locator('[data-mark="hint"]').get_attribute("data-on")
    assert hint in board.legal()
    board.button("Score").click()
    board.page.get_by_text("Score by 500 playouts").wait_for()


def test_a_position_of_the_game_is_shown_from_the_graph(board: BoardPage):
    board.new_game("go", "5x5", plays="Both sides")
    for cell in ("C3", "D4", "B2"):
        board.play(cell)
    graph = board.page.get_by_role("slider", name="Black's win rate over the game")
    graph.press("Home")
    board.page.locator('.graph[aria-valuenow="0"]').wait_for()
    assert board.stones() == {}
    graph.press("ArrowRight")
    board.page.locator('.graph[aria-valuenow="1"]').wait_for()
    assert board.stones() == {"C3": "black"}
    box = graph.bounding_box()
    graph.click(position={"x": box["width"] - 12, "y": 40})
    board.page.locator('.graph[aria-valuenow="3"]').wait_for()
    assert len(board.stones()) == 3


def test_any_option_of_a_player_can_be_set(board: BoardPage):
    board.page.get_by_label("Opponent", exact=True).select_option("uct")
    board.page.get_by_text("All options").click()
    board.page.get_by_label("Tree policy", exact=True).select_option("mc-rave")
    board.page.get_by_label("Bias", exact=True).fill("0.25")
    board.page.get_by_label("Per move", exact=True).fill("20")
    board.page.locator("button[type=submit]").click()
    board.play("E5")
    board.wait_for_moves(2)
    text = board.page.get_by_role("region", name="Players").inner_text()
    assert "uct" in text


def test_a_handicap_is_placed(board: BoardPage):
    board.page.get_by_label("Board", exact=True).select_option(label="9x9")
    board.page.get_by_label("Handicap", exact=True).select_option("4")
    board.page.get_by_role("radio", name="Both sides", exact=True).check()
    board.page.locator("button[type=submit]").click()
    board.page.locator(".board").wait_for()
    assert board.stones() == dict.fromkeys(["C3", "C7", "G3", "G7"], "black")
    assert "white to play" in board.page.locator(".board").get_attribute("aria-label")


@pytest.mark.long
def test_a_game_of_a_plugin_is_played_by_clicks_to_its_end(browser: Any, page_files: Path, tmp_path: Path):
    server = WebServer(tmp_path, "--plugin", str(EXAMPLES / "tic_tac_toe.py"), "--plugin", str(EXAMPLES / "hex.py"))
    server.start()
    board = BoardPage(browser.new_page(), server)
    try:
        board.new_game("tic-tac-toe", plays="Both sides")
        for cell in ("a1", "a2", "b1", "b2", "c1"):
            board.play(cell)
        assert "Black wins" in board.status_line()
        board.new_game("hex", plays="Both sides")
        board.play(board.legal()[0])
        assert len(board.stones()) == 1
    finally:
        board.close()
        server.stop()
    assert board.errors == []
