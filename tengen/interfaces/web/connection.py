"""One WebSocket: its messages, its outbox and the board that is open in it."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakValueDictionary

from tengen import __version__
from tengen.errors import TengenError
from tengen.games.game import Game, Position
from tengen.games.records import RecordFormat
from tengen.interfaces.scheduler import Scheduler, Stopped
from tengen.interfaces.web import messages, replies, search_replies
from tengen.interfaces.web.board_files import BoardFiles, UnknownBoard
from tengen.interfaces.web.chosen_players import spec_of
from tengen.interfaces.web.limits import LimitReached, MemoryBudget, RateLimit, ServerLimits
from tengen.interfaces.web.open_board import OpenBoard, Surroundings, handler_of
from tengen.interfaces.web.played_game import PlayedGame, game_of
from tengen.interfaces.web.stored_games import StoredGames

_log = logging.getLogger(__name__)
MOST_WAITING = 200
"""Messages that wait for a slow page; then the progress of searches is dropped, and at ten times as many the page."""


@dataclass
class Hall:
    """What all connections of a server share."""

    files: BoardFiles
    limits: ServerLimits
    scheduler: Scheduler
    stores: StoredGames | None = None
    now: Callable[[], float] = time.monotonic
    connections: "set[Connection]" = field(default_factory=set)
    prepared: set[tuple[str, Game]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.budget = MemoryBudget(self.limits.all_trees)
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def opening(self, board: str) -> asyncio.Lock:
        """Return the lock of a board for pages that open it: two of them must not have it at once."""
        return self._opening.setdefault(board, asyncio.Lock())

    def owner(self, board: str) -> "Connection | None":
        """Return the connection in which a board is open."""
        return next((one for one in self.connections if one.board is not None and one.board.board == board), None)

    def check_boards(self) -> None:
        """Raise LimitReached if no further board may be opened."""
        if sum(one.board is not None for one in self.connections) >= self.limits.boards:
            raise LimitReached(f"{self.limits.boards} boards are open, the maximum: close another page")


class Outbox:
    """Messages that wait to be sent. `put` may be called from any thread, the rest in the event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop):
        self._loop, self._waiting, self._filled = loop, deque[str](), asyncio.Event()
        self.is_overfull = self._is_ended = False

    def put(self, message: replies.ServerMessage) -> None:
        """Add a message; the progress of a search is dropped if the page is slow."""
        if len(self._waiting) >= MOST_WAITING and _is_progress(message):
            return
        self._waiting.append(message.encoded())
        self.is_overfull = len(self._waiting) > 10 * MOST_WAITING
        self._loop.call_soon_threadsafe(self._filled.set)

    def end(self) -> None:
        """Let `next` return None after the messages that wait now."""
        self._is_ended = True
        self._filled.set()

    async def next(self) -> str | None:
        """Return the next message, when there is one; None after the end."""
        while not self._waiting:
            if self._is_ended:
                return None
            self._filled.clear()
            if not self._waiting:
                await self._filled.wait()
        return self._waiting.popleft()


def _is_progress(message: replies.ServerMessage) -> bool:
    if isinstance(message, search_replies.Analysis):
        return message.running
    return isinstance(message, search_replies.Thinking) and message.active


class Connection:
    """One WebSocket, with at most one board, which is its own until the board is closed."""

    def __init__(self, hall: Hall, outbox: Outbox):
        self._hall, self._outbox = hall, outbox
        self._lane = hall.scheduler.lane()
        self._rate = RateLimit(hall.limits.messages, hall.limits.burst, hall.now)
        self.board: OpenBoard | None = None
        self.refused, self.most_refused = 0, hall.limits.refused
        """Messages refused in a row because of their rate or size, or as malformed; and when the page is closed."""

    def send(self, message: replies.ServerMessage) -> None:
        self._outbox.put(message)

    def greet(self) -> None:
        self.send(replies.Hello(version=__version__, limits=self._hall.limits.described()))

    async def receive(self, text: str) -> None:
        """Handle a message. Whatever is wrong with it is answered by an error, and the board stays."""
        message = self._accepted(text)
        if message is None:
            return
        self.refused = 0
        try:
            await self._handle(message)
        except Stopped:
            raise
        except TengenError as error:
            self.send(replies.Error(request=message.request, message=_one_line(error), code=_code(error)))
        except Exception as error:  # a defect must not end the connection
            _log.exception("a message could not be handled")
            reason = f"the server has a defect: {type(error).__name__}: {_one_line(error)}"
            self.send(replies.Error(request=message.request, message=reason, code="failed"))

    def _accepted(self, text: str) -> Any:
        """Return the message of a text; None, after an error was sent, if it is too large, too soon or malformed."""
        size, most = len(text.encode("utf-8", "surrogatepass")), self._hall.limits.message
        if size > most:
            return self._refuse(f"a message of {size:,} bytes is above the limit of {most:,}", "limit")
        if not self._rate.allows():
            return self._refuse(f"too many messages: at most {self._hall.limits.messages:g} per second", "rate")
        try:
            return messages.parse_message(text)
        except messages.BadMessage as error:
            return self._refuse(str(error), "malformed")

    def _refuse(self, reason: str, code: Any) -> None:
        self.refused += 1
        self.send(replies.Error(message=reason, code=code))

    async def _handle(self, message: Any) -> None:
        if isinstance(message, messages.NewBoard):
            await self._replace(lambda: self._created(message))
            await self._describe(message.request)
        elif isinstance(message, messages.OpenBoard):
            await self._open_kept(message)
        elif self.board is None:
            raise TengenError("there is no board: create one or open one first")
        elif isinstance(message, messages.DeleteBoard):
            await self._delete(message)
        else:
            await self._in_lane(handler_of(self.board, message))

    async def _in_lane(self, work: Callable[[], Any]) -> Any:
        return await asyncio.shield(asyncio.wrap_future(self._lane.call(work)))  # done even if the page leaves

    async def _open_kept(self, message: messages.OpenBoard) -> None:
        """Open a board from its file, which no other page then changes."""
        if self.board is None or self.board.board != message.board:
            async with self._hall.opening(message.board):
                await self._take_from_others(message.board)
                await self._replace(lambda: (message.board, self._hall.files.load(message.board)))
        await self._describe(message.request)

    async def _describe(self, request: int | None) -> None:
        """Send the board, unless another page has taken it."""
        if self.board is not None:
            board = self.board
            await self._in_lane(lambda: board.describe(request))

    async def _replace(self, make: Callable[[], tuple[str, PlayedGame]]) -> None:
        """Open a board in place of the present one, which stays if that fails."""
        if self.board is None:
            self._hall.check_boards()
        opened = await self._in_lane(lambda: self._opened(make))
        await self._close_board()
        self.board = opened

    async def _close_board(self) -> None:
        """Close the board, if there is one. Until then this connection is its owner."""
        board = self.board
        if board is not None:
            await self._in_lane(board.close)
            if self.board is board:
                self.board = None

    def _opened(self, make: Callable[[], tuple[str, PlayedGame]]) -> OpenBoard:
        board, game = make()
        around = Surroundings(
            files=self._hall.files,
            limits=self._hall.limits,
            budget=self._hall.budget,
            lane=self._lane,
            send=self.send,
            now=self._hall.now,
            prepared=self._hall.prepared,
        )
        return OpenBoard(board, game, around)

    def _created(self, message: messages.NewBoard) -> tuple[str, PlayedGame]:
        """Return the id and the game of a new board, whose file is written."""
        position = self._first_position(message)
        for choice in (message.black, message.white):
            if choice is not None:
                spec_of(choice, position.game, self._hall.limits)
        game = PlayedGame(position, {"black": message.black, "white": message.white})
        board = self._hall.files.new_id()
        self._hall.files.save(board, game)
        return board, game

    def _first_position(self, message: messages.NewBoard) -> Position:
        if message.record is not None and message.stored is not None:
            raise TengenError("a board comes from a record or from a stored game, not from both")
        if (message.record is not None or message.stored is not None) and message.handicap:
            raise TengenError("handicap must be 0 for a record or a stored game, which has its own")
        if message.stored is not None:
            if self._hall.stores is None:
                raise TengenError("this server has no stored games: start it with --arena FOLDER")
            return self._hall.stores.position(message.stored.store, message.stored.id)
        game = game_of(message.game)
        if message.record is not None:
            position: Position = _records_of(game).read(message.record.encode())
            return position
        position = game.start()
        if message.handicap:
            position.place_fixed_handicap(message.handicap)
        return position

    async def _take_from_others(self, board: str) -> None:
        """Close a board in the page that has it."""
        owner = self._hall.owner(board)
        if owner is not None and owner is not self:
            await owner.lose_board()

    async def lose_board(self) -> None:
        """Close the board, since another page opens it."""
        await self._close_board()
        self.send(replies.Error(message="the board was opened in another page", code="moved"))

    async def _delete(self, message: messages.DeleteBoard) -> None:
        assert self.board is not None
        board = self.board.board
        await self._close_board()
        self._hall.files.delete(board)
        self.send(replies.Deleted(request=message.request, board=board))

    async def leave(self) -> None:
        """Close the board, at the end of the connection."""
        await self._close_board()


def _records_of(game: Game) -> RecordFormat:
    records = game.records()
    if records is None:
        raise TengenError(f"games of {game.name} cannot be loaded: {game.name} has no record format")
    return records


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:1000]


def _code(error: TengenError) -> Any:
    if isinstance(error, UnknownBoard):
        return "unknown_board"
    return "limit" if isinstance(error, LimitReached) else "refused"
