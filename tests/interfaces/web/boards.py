"""Boards without a server: their lane is run by the test, and their messages are kept in a list."""

from tengen.interfaces.scheduler import Scheduler
from tengen.interfaces.web.board_files import BoardFiles
from tengen.interfaces.web.limits import MemoryBudget, ServerLimits
from tengen.interfaces.web.open_board import OpenBoard, Surroundings
from tengen.interfaces.web.played_game import PlayedGame
from tengen.interfaces.web.replies import ServerMessage
from tests.fake_clock import FakeClock


def board_in(folder, game, scheduler=None):
    """Return a new board of a game, the scheduler whose `run_next` runs it, and the list of its messages."""
    scheduler = scheduler or Scheduler(0)
    sent: list[ServerMessage] = []
    around = Surroundings(
        files=BoardFiles(folder, 10),
        limits=ServerLimits(),
        budget=MemoryBudget(10_000),
        lane=scheduler.lane(),
        send=sent.append,
        now=FakeClock(),
        prepared=set(),
    )
    return OpenBoard("0" * 32, PlayedGame(game.start()), around), scheduler, sent
