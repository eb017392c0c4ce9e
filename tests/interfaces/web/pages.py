"""A page for tests: a WebSocket to a server in this process, whose messages are read until the wanted one comes."""

import json
from contextlib import contextmanager

from starlette.testclient import TestClient

from tengen.interfaces.web.limits import ServerLimits
from tengen.interfaces.web.security import Access
from tengen.interfaces.web.server import Settings, make_app

PORT = 8361
ADDRESS = f"http://127.0.0.1:{PORT}"
PERSON = None
WEAK = {"player": "uct", "simulations": 30}
"""A player that searches a small tree, of one composition of kernels in all tests."""
ENDLESS = 10**9
"""Simulations of a search that does not end within a test, however slow its machine is."""
MOST_MESSAGES = 5000
"""Messages that are read before a test gives up."""


def settings(folder, **changes):
    """Return the settings of a server that keeps its boards in a folder."""
    known = {"access": Access(port=PORT), "boards": folder / "boards", "workers": 2, "page": folder / "page"}
    return Settings(**{**known, **changes})


@contextmanager
def server(folder, *, limits=None, headers=None, **changes):
    """Run a server and yield a client."""
    if limits is not None:
        changes["limits"] = ServerLimits(**limits)
    app = make_app(settings(folder, **changes))
    with TestClient(app, base_url=ADDRESS, headers=headers) as client:
        yield client


class Page:
    """A page that is connected."""

    def __init__(self, socket):
        self.socket, self._count = socket, 0
        self.hello = self.next("hello")
        self.board = None

    def send(self, kind, **fields):
        """Send a message; return the number of the request."""
        self._count += 1
        self.socket.send_text(json.dumps({"type": kind, "request": self._count, **fields}))
        return self._count

    def receive(self):
        return json.loads(self.socket.receive_text())

    def next(self, *kinds, request=None, where=lambda message: True):
        """Return the next message of one of these kinds, for a request if given; an unexpected error is raised."""
        for _ in range(MOST_MESSAGES):
            message = self.receive()
            is_wanted = message["type"] in kinds and (request is None or message.get("request") == request)
            if is_wanted and where(message):
                return message
            if message["type"] == "error" and "error" not in kinds:
                raise AssertionError(message)
        raise AssertionError(f"no {kinds} in {MOST_MESSAGES} messages")

    def ask(self, kind, *answers, **fields):
        """Send a message and return the answer of one of the kinds `answers`, by default a position."""
        return self.next(*(answers or ("position",)), request=self.send(kind, **fields))

    def refused(self, kind, **fields):
        """Send a message and return the error that answers it."""
        return self.ask(kind, "error", **fields)

    def new_board(self, name="othello", game=None, **fields):
        """Create a board of a game with these fields of its choice, and return its position."""
        choice = {"name": name, **({"size": 4} if name == "othello" else {}), **(game or {})}
        request = self.send("new_board", game=choice, **fields)
        self.board = self.next("board", request=request)
        return self.next("position", request=request)

    def open_board(self, board):
        request = self.send("open_board", board=board)
        self.board = self.next("board", request=request)
        return self.next("position", request=request)


@contextmanager
def page(client):
    """Connect a page to a server."""
    with client.websocket_connect(f"ws://127.0.0.1:{PORT}/board", headers={"origin": ADDRESS}) as socket:
        yield Page(socket)
