"""The web server: the page, the documents over HTTP, and one WebSocket for each board."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from tengen.errors import TengenError, shortened
from tengen.interfaces.scheduler import Scheduler, Stopped
from tengen.interfaces.web.board_files import BoardFiles
from tengen.interfaces.web.catalogue import catalogue
from tengen.interfaces.web.connection import Connection, Hall, Outbox
from tengen.interfaces.web.limits import ServerLimits
from tengen.interfaces.web.report_files import ReportFiles, list_reports, report_folder
from tengen.interfaces.web.resources import Boards
from tengen.interfaces.web.security import Access, Guard, refused
from tengen.interfaces.web.stored_games import StoredGames, UnknownStore

PAGE = Path(__file__).parent / "page"
"""The built page: made by `make page`, part of the wheel, not in git."""
NOT_BUILT = "The page is not built: run 'make page' in the source tree, which needs Node; a wheel contains it."
POLICY_VIOLATION, TRY_AGAIN, RESTARTING = 1008, 1013, 1012
"""Codes of closed WebSockets."""
GRACE = 2.0
"""Seconds in which a page must read what waits for it, before it is closed with a reason."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything that determines a server."""

    access: Access
    boards: Path
    """The folder of boards."""
    arena: Path | None = None
    """The folder of stores of games."""
    reports: Path | None = None
    """The folder of reports."""
    limits: ServerLimits = field(default_factory=ServerLimits)
    workers: int = 1
    """Threads that search."""
    page: Path = PAGE
    """The folder of the built page."""
    now: Callable[[], float] = time.monotonic


def make_app(settings: Settings) -> Starlette:
    """Return the server as an ASGI application. Raises TengenError if one of its folders cannot be used."""
    stores = StoredGames(settings.arena) if settings.arena else None
    reports = report_folder(settings.reports) if settings.reports else None
    hall = Hall(
        files=BoardFiles(settings.boards, settings.limits.kept_boards),
        limits=settings.limits,
        scheduler=Scheduler(settings.workers),
        stores=stores,
        now=settings.now,
    )

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await _close_all(hall)

    routes: list[BaseRoute] = [
        Route(
            "/api/catalogue", _document(lambda query: catalogue(arena=stores is not None, reports=reports is not None))
        ),
        Route("/api/boards", _document(lambda query: Boards(boards=hall.files.entries()))),
        *_arena_routes(stores),
        *_report_routes(reports),
        Route("/api/{rest:path}", _unknown),
        WebSocketRoute("/board", _board_socket(hall)),
        _page_route(settings.page),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(Guard, access=settings.access)],
        exception_handlers={HTTPException: _http_error, TengenError: _tengen_error},
    )
    app.state.hall = hall
    return app


async def _close_all(hall: Hall) -> None:
    for connection in list(hall.connections):
        with suppress(Stopped, asyncio.CancelledError):
            await connection.leave()
    await run_in_threadpool(hall.scheduler.close)


# Documents


def _document(make: Callable[[Any], BaseModel]) -> Callable[[Request], Any]:
    """Return an endpoint that answers with a document, made in a thread from the query of the request."""

    async def answer(request: Request) -> Response:
        found = await run_in_threadpool(make, request.query_params)
        return Response(found.model_dump_json(exclude_none=True), media_type="application/json")

    return answer


def _arena_routes(stores: StoredGames | None) -> list[BaseRoute]:
    if stores is None:
        return []
    return [
        Route("/api/arena", _document(lambda query: stores.stores())),
        Route("/api/arena/standings", _document(lambda query: stores.standings(_given(query, "store")))),
        Route(
            "/api/arena/games",
            _document(
                lambda query: stores.games(
                    _given(query, "store"),
                    query.get("pairing"),
                    _count(query, "offset", 0),
                    _count(query, "most", 50),
                )
            ),
        ),
        Route("/api/arena/game", _document(lambda query: stores.replay(_given(query, "store"), _given(query, "id")))),
    ]


def _report_routes(folder: Path | None) -> list[BaseRoute]:
    if folder is None:
        return []
    return [
        Route("/api/reports", _document(lambda query: list_reports(folder))),
        Mount("/reports", ReportFiles(directory=folder, html=True)),
    ]


def _given(query: Any, name: str) -> str:
    value = query.get(name)
    if not value:
        raise TengenError(f"the address needs {name}=...")
    return str(value)


def _count(query: Any, name: str, usual: int) -> int:
    text = query.get(name, str(usual))
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise TengenError(f"{name} must be a number from 0, not {shortened(text)}")
    return int(text)


async def _unknown(request: Request) -> Response:
    return refused(404, "there is no such document, or the server was started without it")


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return refused(error.status_code, "there is no such page" if error.status_code == 404 else str(error.detail))


async def _tengen_error(request: Request, error: Exception) -> Response:
    return refused(404 if isinstance(error, UnknownStore) else 400, " ".join(str(error).split()))


def _page_route(folder: Path) -> BaseRoute:
    if (folder / "index.html").is_file():
        return Mount("/", StaticFiles(directory=folder, html=True))

    async def not_built(request: Request) -> Response:
        return PlainTextResponse(NOT_BUILT, 503)

    return Route("/{rest:path}", not_built)


# Boards


def _board_socket(hall: Hall) -> Callable[[WebSocket], Any]:
    """Return the endpoint of a board."""

    async def serve(socket: WebSocket) -> None:
        await socket.accept()
        if len(hall.connections) >= hall.limits.connections:
            await socket.close(TRY_AGAIN, f"{hall.limits.connections} pages are connected, the maximum")
            return
        outbox = Outbox(asyncio.get_running_loop())
        connection = Connection(hall, outbox)
        hall.connections.add(connection)
        sender = asyncio.create_task(_send_all(socket, outbox))
        try:
            connection.greet()
            code, reason = await _receive_all(socket, connection, outbox)
            if reason:
                outbox.end()
                await asyncio.wait([sender], timeout=GRACE)
                await socket.close(code, reason)
        except Stopped:
            with suppress(RuntimeError):
                await socket.close(RESTARTING, "the server is ending")
        finally:
            sender.cancel()
            try:
                with suppress(Stopped):
                    await connection.leave()
            finally:
                hall.connections.discard(connection)

    return serve


async def _receive_all(socket: WebSocket, connection: Connection, outbox: Outbox) -> tuple[int, str]:
    """Handle the messages of a page, one after the other; return why to close it, with no reason if it is closed."""
    while True:
        try:
            received = await socket.receive()
        except RuntimeError:  # closed meanwhile
            return 0, ""
        if received["type"] == "websocket.disconnect":
            return 0, ""
        text = received.get("text")
        await connection.receive(text if text is not None else (received.get("bytes") or b"").decode("latin-1"))
        if connection.refused >= connection.most_refused:
            return POLICY_VIOLATION, "too many messages in a row were refused"
        if outbox.is_overfull:
            return POLICY_VIOLATION, "the page does not read what it is sent"


async def _send_all(socket: WebSocket, outbox: Outbox) -> None:
    """Send what is put into the outbox, until the connection is closed."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while (text := await outbox.next()) is not None:
            await socket.send_text(text)
