"""The page as a person uses it: by its labels, its buttons and its boards."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from tests.web_page.server import WebServer

PAGE = Path(__file__).parents[2] / "tengen" / "interfaces" / "web" / "page" / "index.html"
PATIENCE = 150_000
"""Milliseconds until a state that does not come is given up; kernels may have to be compiled first."""


class BoardPage:
    """One window of the page."""

    def __init__(self, page: Any, server: WebServer):
        self.page, self.server = page, server
        self.errors: list[str] = []
        self.hosts: set[str] = set()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self._note(request.url))
        page.on("websocket", lambda opened: self._note(opened.url))

    def _note(self, address: str) -> None:
        if urlparse(address).scheme not in ("data", "blob", "about"):
            self.hosts.add(urlparse(address).netloc)

    def close(self) -> None:
        self.page.context.close()

    # Navigation

    def go(self, address: str = "") -> None:
        """Load the page anew at an address."""
        self.page.goto("about:blank")
        self.page.goto(self.server.address + address)

    @property
    def id(self) -> str:
        """The id of the board in the address."""
        return str(self.page.url).rsplit("/", 1)[1]

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name, exact=True)

    def new_game(
        self,
        game: str,
        size: str = "",
        *,
        player: str = "uct",
        simulations: int = 30,
        plays: str = "Black",
        view: str = "",
    ) -> None:
        """Start a game by the form, and wait for its board."""
        self.go(view)
        self.page.get_by_role("radio", name=re.compile(game, re.IGNORECASE)).first.check()
        if size:
            self.page.get_by_label("Board", exact=True).select_option(label=size)
        if not view:
            self.page.get_by_role("radio", name=plays, exact=True).check()
            if plays != "Both sides":
                self.page.get_by_label("Opponent", exact=True).select_option(player)
                self.page.get_by_label("Per move", exact=True).fill(str(simulations))
        self.page.locator("button[type=submit]").click()
        self.page.locator(".board").first.wait_for()

    # The board

    def cell(self, name: str) -> Any:
        return self.page.locator(f'[data-cell="{name}"]').first

    def stones(self) -> dict[str, str]:
        """The colours of the stones by cell, on the first board of the page."""
        found: dict[str, str] = self.page.locator(".board").first.evaluate(
            """board => Object.fromEntries([...board.querySelectorAll("[data-stone]")]
                .map(stone => [stone.dataset.stone, stone.dataset.colour]))"""
        )
        return found

    def legal(self) -> list[str]:
        """The cells where a person may play now."""
        found: list[str] = self.page.locator(".board").first.evaluate(
            'board => [...board.querySelectorAll(".hit.legal")].map(hit => hit.dataset.cell)'
        )
        return found

    def wait_for_turn(self) -> bool:
        """Wait until a person is to move or the game is over; return whether it goes on."""
        status = self.page.locator('.status[data-turn="person"], .status[data-over="true"]')
        status.wait_for()
        return str(status.get_attribute("data-over")) == "false"

    def moves(self) -> int:
        """The number of moves of the game."""
        return int(self.page.locator(".status").get_attribute("data-moves"))

    def wait_for_moves(self, count: int) -> None:
        self.page.locator(f'.status[data-moves="{count}"]').wait_for()

    def play(self, cell: str) -> None:
        """Click on a cell and wait until the move is played."""
        before = self.moves()
        self.cell(cell).click()
        self.page.wait_for_function(
            "before => Number(document.querySelector('.status')?.dataset.moves) > before", arg=before
        )

    def press(self, move: str) -> None:
        """Press the button of a move without a cell, such as the pass, and wait until it is played."""
        before = self.moves()
        self.button(move).click()
        self.page.wait_for_function(
            "before => Number(document.querySelector('.status')?.dataset.moves) > before", arg=before
        )

    def status_line(self) -> str:
        """The sentence about the state of the game."""
        return str(self.page.locator(".status .turn").inner_text())

    # The search

    def show(self, heat: str) -> None:
        """Choose a heat map by its name."""
        self.page.get_by_role("radio", name=heat, exact=True).check()

    def heat(self, board: int = 0) -> dict[str, str]:
        """The texts of the heat map of a board by cell."""
        found: dict[str, str] = (
            self.page.locator(".board")
            .nth(board)
            .evaluate(
                """board => Object.fromEntries([...board.querySelectorAll("[data-heat]")]
                .map(cell => [cell.dataset.heat, cell.dataset.text]))"""
            )
        )
        return found

    def ghosts(self) -> list[str]:
        """The cells of the stones of the shown variation."""
        found: list[str] = self.page.evaluate(
            '[...document.querySelectorAll("[data-ghost]")].map(ghost => ghost.dataset.ghost)'
        )
        return found

    def analyse(self, simulations: int, player: str = "mc-rave") -> None:
        """Start an analysis and wait for its end."""
        search = self.page.get_by_role("region", name="Search", exact=True)
        search.locator("summary").first.click()
        search.get_by_label("Budget per position", exact=True).fill(str(simulations))
        search.get_by_label("Algorithm", exact=True).select_option(player)
        search.locator("summary").first.click()
        self.button("Analyse").click()
        self.wait_for_search(simulations)

    def wait_for_search(self, simulations: int) -> None:
        """Wait until every search of the page has ended with at least this number of simulations."""
        self.page.wait_for_function(
            """least => { const found = [...document.querySelectorAll(".numbers")];
                return found.length && found.every(numbers => numbers.dataset.running === "false"
                    && Number(numbers.dataset.simulations) >= least) }""",
            arg=simulations,
        )
