"""Reviews of records, stored games and reports."""

from typing import Any

from tests.web_page.page import BoardPage

RECORD = "(;GM[1]FF[4]SZ[5]KM[7.5];B[cc];W[bb];B[cb];W[bc];B[bd];W[ab];B[ee];W[cd];B[dd];W[ce])"


def test_a_record_is_reviewed_with_a_graph_and_better_lines(board: BoardPage):
    board.go("#/review")
    board.page.get_by_label("SGF record", exact=True).fill(RECORD)
    board.button("Load the record").click()
    review = board.page.get_by_role("region", name="Review", exact=True)
    review.get_by_label("Reviewing player", exact=True).select_option("mc-rave")
    review.get_by_label("Per position: unit").select_option("simulations")
    review.get_by_label("Per position", exact=True).fill("200")
    review.get_by_label("Blunder: loss of win rate from, %").fill("1")
    review.get_by_label("Blunder: loss of win rate from, %").press("Tab")
    board.button("Review the game").click()
    blunders = board.page.locator('[data-reviewed="10"]')
    blunders.wait_for()
    assert board.page.locator(".graph-mark").count() >= 1
    move = blunders.locator("tbody tr").first.get_by_role("button")
    number = int(move.inner_text().split(".")[0])
    move.click()
    board.page.locator(f'.graph[aria-valuenow="{number - 1}"]').wait_for()
    assert board.ghosts()
    with board.page.expect_download() as saving:
        board.button("Save with comments").click()
    assert "Black wins" in saving.value.path().read_text()


def test_stored_games_are_ranked_and_replayed(open_page: Any):
    page = open_page("#/arena")
    standings = page.page.get_by_role("region", name="Standings").last
    standings.locator("tbody tr").nth(1).wait_for()
    assert standings.locator("tbody tr").count() == 2
    page.page.get_by_role("link", name="Replay 1", exact=True).click()
    page.page.locator(".board").wait_for()
    last = len(page.stones())
    page.button("First position").click()
    assert len(page.stones()) == 4
    page.button("Next move").click()
    assert len(page.stones()) == 5
    page.button("Last position").click()
    assert len(page.stones()) == last
    page.button("Open as a board").click()
    page.page.locator(".status").wait_for()
    assert len(page.stones()) == last


def test_reports_are_shown(open_page: Any):
    page = open_page("#/papers")
    page.page.frame_locator(".report").get_by_role("heading", name="Table 1 of a paper").wait_for()
