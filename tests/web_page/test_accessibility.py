"""axe-core on the main views: no serious violation, light and dark, on a phone and on a large screen."""

from pathlib import Path
from typing import Any

import pytest

from tests.web_page.page import BoardPage
from tests.web_page.test_reviews import RECORD

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
pytestmark = pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: make page")


def start(page: BoardPage) -> None:
    page.page.get_by_text("Rules and SGF record").click()
    page.page.get_by_label("Opponent", exact=True).select_option("mc-rave")
    page.page.get_by_text("All options").click()


def play(page: BoardPage) -> None:
    page.new_game("go", "5x5", plays="Both sides")
    page.play("C3")
    page.analyse(500)
    page.page.get_by_role("tab", name="Tree").click()
    page.page.get_by_role("treeitem").first.wait_for()


def simulation(page: BoardPage) -> None:
    page.new_game("havannah", "base 3", plays="Both sides")
    page.page.get_by_role("tab", name="One simulation").click()
    page.button("Run one simulation").click()
    page.page.locator('[data-phase="selection"]').wait_for()


def compare(page: BoardPage) -> None:
    page.new_game("othello", "4x4", view="#/compare")
    page.page.get_by_label("Budget of each search", exact=True).fill("300")
    page.button("Search").click()
    page.wait_for_search(300)


def review(page: BoardPage) -> None:
    page.go("#/review")
    page.page.get_by_label("SGF record", exact=True).fill(RECORD)
    page.button("Load the record").click()
    page.page.get_by_label("Per position: unit").select_option("simulations")
    page.page.get_by_label("Per position", exact=True).fill("50")
    page.button("Review the game").click()
    page.page.locator('[data-reviewed="10"]').wait_for()


def arena(page: BoardPage) -> None:
    page.go("#/arena")
    page.page.get_by_role("link", name="Replay 1", exact=True).wait_for()


def papers(page: BoardPage) -> None:
    page.go("#/papers")
    page.page.locator(".report").wait_for()


VIEWS = (start, play, simulation, compare, review, arena, papers)
SIZES = {"phone": {"width": 360, "height": 740}, "screen": {"width": 1440, "height": 900}}


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_a_view_has_no_serious_violation_and_fits_the_window(open_page: Any, view: Any):
    page = open_page(viewport=SIZES["screen"])
    view(page)
    page.page.evaluate(AXE.read_text())
    for size in SIZES.values():
        page.page.set_viewport_size(size)
        for scheme in ("light", "dark"):
            page.page.emulate_media(color_scheme=scheme)
            found = page.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
            serious = [
                (violation["id"], node["html"], node["failureSummary"])
                for violation in found["violations"]
                if violation["impact"] in ("serious", "critical")
                for node in violation["nodes"]
            ]
            assert serious == []
        assert page.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
