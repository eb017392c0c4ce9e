"""The server as a process: uvicorn on a socket that listens already, the printed address, and the browser."""

import asyncio
import logging
import socket
import threading
import webbrowser
from contextlib import suppress

import uvicorn

from tengen.interfaces.web.security import Access, is_loopback
from tengen.interfaces.web.server import NOT_BUILT, Settings, make_app
from tengen.progress import say

HTTP_CONNECTIONS = 500
"""Connections of all kinds at the same time; further ones are answered by 503."""
MOST_WAITING = 8
"""Messages of a page that are read ahead."""
GRACE = 3
"""Seconds that open connections have at the end."""


def address_of(access: Access) -> str:
    """Return the address of the page, with the token."""
    host = access.host
    if host in ("0.0.0.0", "::"):
        host = access.names[0] if access.names else socket.gethostname()
        host = host if host in access.names else "localhost"
    host = f"[{host}]" if ":" in host else host
    return f"http://{host}:{access.port}/{f'?token={access.token}' if access.token else ''}"


def serve(settings: Settings, listening: socket.socket, *, opens_browser: bool) -> None:
    """Serve until interrupted. Raises TengenError if a folder cannot be used."""
    app = make_app(settings)
    access = settings.access
    address = address_of(access)
    print(f"Tengen's page: {address}", flush=True)
    if not is_loopback(access.host):
        print("Other machines can reach it under their name of this machine, with the same port and token.", flush=True)
    print("Ctrl-C ends the server.", flush=True)
    if not (settings.page / "index.html").is_file():
        say(f"tengen: {NOT_BUILT}")
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_level=logging.WARNING,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=HTTP_CONNECTIONS,
            ws="websockets-sansio",
            ws_max_size=2 * settings.limits.message,
            ws_max_queue=MOST_WAITING,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=GRACE,
        )
    )
    if opens_browser:
        threading.Timer(0.3, webbrowser.open, [address]).start()
    with suppress(KeyboardInterrupt):  # the usual end, which uvicorn raises again when it has closed the connections
        asyncio.run(server.serve([listening]))
