"""What is kept: records, boards after a reload and after a restart of the server, boards in two windows, colours."""

from pathlib import Path
from typing import Any

import pytest

from tests.web_page.page import BoardPage
from tests.web_page.server import WebServer


def play_some(board: BoardPage, *cells: str) -> None:
    board.new_game("go", "5x5", plays="Both sides")
    for cell in cells:
        board.play(cell)


def test_a_game_is_saved_as_sgf_and_loaded_again(board: BoardPage, tmp_path: Path):
    play_some(board, "C3", "D4", "B2")
    stones = board.stones()
    with board.page.expect_download() as saving:
        board.button("Save SGF").click()
    path = tmp_path / "game.sgf"
    saving.value.save_as(path)
    assert "SZ[5]" in path.read_text()
    board.go("#/")
    board.page.get_by_text("Rules and SGF record").click()
    board.page.get_by_label("SGF file").set_input_files(path)
    board.page.get_by_role("radio", name="Both sides", exact=True).check()
    board.page.locator("button[type=submit]").click()
    board.wait_for_moves(3)
    assert board.stones() == stones


def test_a_damaged_record_is_refused_with_a_reason(board: BoardPage):
    board.go("#/review")
    board.page.get_by_label("SGF record", exact=True).fill("(;GM[1]SZ[5];B[zz])")
    board.button("Load the record").click()
    assert board.page.get_by_role("alert").inner_text()


def test_a_reload_in_mid_game_shows_the_same_game(board: BoardPage):
    play_some(board, "C3", "D4")
    stones, place = board.stones(), board.id
    board.page.reload()
    board.wait_for_moves(2)
    assert (board.stones(), board.id) == (stones, place)
    board.play("B2")
    assert len(board.stones()) == 3


def test_a_game_in_progress_is_in_the_list_of_games(board: BoardPage):
    play_some(board, "C3")
    place = board.id
    board.go("#/")
    board.page.locator(f'a[href="#/board/{place}"]').click()
    board.wait_for_moves(1)
    assert board.stones() == {"C3": "black"}


def test_two_boards_are_played_at_once(open_page: Any):
    first, second = open_page(), open_page()
    first.new_game("go", "5x5", simulations=50)
    second.new_game("othello", "4x4", simulations=50)
    first.play("C3")
    second.play(second.legal()[0])
    assert first.wait_for_turn()
    assert second.wait_for_turn()
    assert len(first.stones()) == 2
    assert len(second.stones()) == 6
    assert first.id != second.id


def test_a_board_that_is_opened_elsewhere_says_so(open_page: Any):
    first = open_page()
    play_some(first, "C3")
    second = open_page(f"#/board/{first.id}")
    second.wait_for_moves(1)
    first.page.get_by_text("This board is not here").wait_for()


def test_an_unknown_board_is_explained(open_page: Any):
    page = open_page("#/board/" + "0" * 32)
    page.page.get_by_text("This board is not here").wait_for()


def test_the_game_goes_on_after_a_restart_of_the_server(browser: Any, page_files: Path, tmp_path: Path):
    server = WebServer(tmp_path)
    server.start()
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    board = BoardPage(context.new_page(), server)
    try:
        board.go()
        play_some(board, "C3", "D4")
        server.stop()
        board.page.get_by_text("The connection to the server is lost").wait_for()
        assert board.legal() == []
        server.start()
        board.page.locator('[data-connection="open"]').wait_for()
        board.page.locator(".hit.legal").first.wait_for()
        board.play("B2")
        assert board.stones() == {"C3": "black", "D4": "white", "B2": "black"}
    finally:
        board.close()
        server.stop()
    assert board.errors == []


@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_colours_follow_the_system_until_they_are_chosen(open_page: Any, system: str):
    page = open_page(color_scheme=system).page

    def is_dark() -> bool:
        paper = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        return sum(int(part) for part in paper[4:-1].split(",")) < 200

    assert is_dark() == (system == "dark")
    switch = page.get_by_role("button", name="Colours")
    switch.click()
    assert not is_dark()
    switch.click()
    assert is_dark()
    page.reload()
    page.locator("form").wait_for()
    assert is_dark()
    page.get_by_role("button", name="Colours").click()
    assert is_dark() == (system == "dark")
