"""Heat maps, variations, trees, single simulations and two searches side by side."""

import pytest

from tests.web_page.page import BoardPage


@pytest.fixture
def searched(board: BoardPage) -> BoardPage:
    """A position of Go with a finished analysis by MC-RAVE."""
    board.new_game("go", "5x5", plays="Both sides")
    board.play("C3")
    board.analyse(2000)
    return board


def test_heat_maps_show_the_numbers_of_the_search(searched: BoardPage):
    maps = {}
    for name in ("Visits", "Value", "RAVE value", "RAVE weight β"):
        searched.show(name)
        maps[name] = searched.heat()
    assert all(len(heat) >= 10 for heat in maps.values())
    assert "C3" not in maps["Visits"]
    assert len({tuple(heat.items()) for heat in maps.values()}) == 4
    searched.show("Off")
    assert searched.heat() == {}


def test_ownership_has_every_point(searched: BoardPage):
    searched.show("Ownership")
    searched.page.locator('.heat[data-quantity="ownership"] [data-heat]').first.wait_for()
    assert len(searched.heat()) > 20


def test_the_heat_map_changes_as_the_search_goes_on(board: BoardPage):
    board.new_game("go", "5x5", plays="Both sides")
    board.analyse(100)
    first = board.heat()
    board.analyse(3000)
    assert board.heat() != first


def test_a_move_shows_its_principal_variation_as_numbered_stones(searched: BoardPage):
    row = searched.page.locator(".moves-table tbody tr").first
    best = row.get_attribute("data-move")
    row.hover()
    assert searched.ghosts()[0] == best
    searched.page.locator("h2").first.hover()
    assert searched.ghosts() == []
    searched.cell(best).hover()
    assert searched.ghosts()[0] == best
    searched.page.locator("h2").first.hover()
    row.get_by_role("button").focus()
    assert searched.ghosts()[0] == best


def test_the_table_of_moves_is_sorted_by_any_column(searched: BoardPage):
    def column(number: int) -> list[float]:
        cells = searched.page.locator(f".moves-table tbody tr td:nth-child({number})").all_inner_texts()
        return [float(text.replace(",", "").replace("%", "").strip()) for text in cells if "–" not in text]

    for heading, number in (("Value", 3), ("Visits", 2)):
        button = searched.page.locator(".moves-table thead").get_by_role("button", name=heading)
        button.click()
        assert column(number) == sorted(column(number), reverse=True)
        button.click()
        assert column(number) == sorted(column(number))


def test_the_tree_opens_node_by_node(searched: BoardPage):
    searched.page.get_by_role("tab", name="Tree").click()
    first = searched.page.get_by_role("treeitem").first
    move = first.get_attribute("data-path")
    first.focus()
    searched.page.keyboard.press("ArrowRight")
    child = searched.page.locator(f'[data-path^="{move} "]').first
    child.wait_for()
    searched.page.keyboard.press("ArrowRight")
    assert searched.ghosts() == str(child.get_attribute("data-path")).split(" ")[:2]
    searched.page.keyboard.press("ArrowLeft")
    searched.page.keyboard.press("ArrowLeft")
    child.wait_for(state="detached")


def test_one_simulation_shows_its_four_phases(board: BoardPage):
    board.new_game("go", "5x5", plays="Both sides")
    board.page.get_by_role("tab", name="One simulation").click()
    for number in (1, 2):
        board.button("Run one simulation").click()
        board.page.get_by_text(f"Simulation {number}.").wait_for()
    assert board.page.locator('[data-phase="selection"]').count() == 1
    selected = board.ghosts()
    assert len(selected) >= 1
    board.button("Next: expansion").click()
    assert board.page.locator('[data-mark="expanded"]').count() == 1
    board.button("Next: playout").click()
    board.page.get_by_text("The board shows the end of the playout.").wait_for()
    assert len(board.stones()) > 5
    slider = board.page.get_by_role("slider", name="Moves of the playout")
    slider.press("Home")
    assert board.ghosts() == selected
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    assert len(board.ghosts()) >= len(selected)
    board.button("Next: backup").click()
    table = board.page.get_by_role("region", name="Statistics changed by the backup")
    assert table.locator("tbody tr").count() == len(selected)
    changes = [text.split(" → ") for text in table.locator("tbody td:nth-child(3)").all_inner_texts()]
    assert [int(after) - int(before) for before, after in changes] == [1] * len(selected)


def test_two_searches_grow_side_by_side_on_the_same_budget(board: BoardPage):
    board.new_game("go", "5x5", view="#/compare")
    board.page.get_by_label("Budget of each search", exact=True).fill("1500")
    board.button("Search").click()
    board.wait_for_search(1500)
    counts = board.page.locator(".numbers").evaluate_all("all => all.map(one => Number(one.dataset.simulations))")
    assert len(counts) == 2
    assert abs(counts[0] - counts[1]) <= 1
    left, right = board.heat(0), board.heat(1)
    assert min(len(left), len(right)) >= 20
    assert left != right
    board.page.get_by_label("Left algorithm", exact=True).select_option("accelerated-uct")
    board.page.get_by_label("Right algorithm", exact=True).select_option("uct")
    board.button("Search").click()
    board.page.wait_for_function(
        "old => { const cells = document.querySelector('.board').querySelectorAll('[data-heat]');"
        " return cells.length >= 20 && [...cells].some(cell => old[cell.dataset.heat] !== cell.dataset.text) }",
        arg=left,
    )


def test_the_opponents_search_is_shown_while_it_thinks(board: BoardPage):
    board.new_game("go", "5x5", simulations=200_000)
    board.cell("C3").click()
    board.page.locator(".heat [data-heat]").first.wait_for()
    board.button("Move now").click()
    assert board.wait_for_turn()
    assert len(board.stones()) == 2


@pytest.mark.parametrize(("game", "size"), [("othello", "4x4"), ("havannah", "base 3")])
def test_other_boards_show_heat_maps_and_simulations(board: BoardPage, game: str, size: str):
    board.new_game(game, size, plays="Both sides")
    board.analyse(300)
    assert len(board.heat()) >= 3
    board.page.get_by_role("tab", name="One simulation").click()
    board.button("Run one simulation").click()
    board.page.locator('[data-phase="selection"]').wait_for()
    assert board.ghosts()


def test_a_heat_map_of_another_position_is_not_shown(searched: BoardPage):
    assert len(searched.heat()) >= 10
    searched.button("Undo").click()
    searched.wait_for_moves(0)
    searched.play("D4")
    assert searched.heat() == {}
