"""A server and a browser for the tests of the web page; without Node or Chromium they are skipped."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tengen
from tengen.games.othello.game import Othello
from tests.web_page.page import PAGE, BoardPage
from tests.web_page.server import WebServer

CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="session")
def page_files() -> Path:
    """The built page."""
    if not PAGE.exists():
        if not shutil.which("npm"):
            pytest.skip("Node and npm are not installed, so that the page is not built")
        pytest.fail("the page is not built: run make page")
    return PAGE


@pytest.fixture(scope="session")
def server(page_files: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    """A server that all tests of a process share."""
    folder = tmp_path_factory.mktemp("web")
    arena, reports = folder / "arena", folder / "reports"
    arena.mkdir()
    reports.mkdir()
    tengen.match("uct:simulations=5", "random", Othello(4), games=4, store=arena / "games.sqlite")
    (reports / "index.html").write_text("<!doctype html><title>Results</title><h1>Table 1 of a paper</h1>")
    running = WebServer(folder, "--arena", str(arena), "--reports", str(reports))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def open_page(browser: Any, server: WebServer) -> Iterator[Any]:
    """A function that opens the page in a new window; no window may report an error or leave the server."""
    opened: list[BoardPage] = []

    def open_one(address: str = "", **settings: Any) -> BoardPage:
        context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"} | settings
        )
        page = BoardPage(context.new_page(), server)
        page.go(address)
        opened.append(page)
        return page

    yield open_one
    for page in opened:
        page.close()
    assert [error for page in opened for error in page.errors] == []
    assert {host for page in opened for host in page.hosts} <= {server.host}


@pytest.fixture
def board(open_page: Any) -> BoardPage:
    """A window with the start of the page."""
    opened: BoardPage = open_page()
    return opened
