"""The server of the page in a process of its own."""

import json
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests.interfaces.test_cli import ENVIRONMENT, program

PATIENCE = 180.0
"""Seconds until a server that does not answer is given up."""


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


class WebServer:
    """`tengen web` with boards, stores and reports below `folder`; it can be stopped and started on the same port."""

    def __init__(self, folder: Path, *arguments: str):
        self.folder, self.port, self.arguments = folder, free_port(), arguments
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        return f"http://{self.host}/"

    def start(self) -> None:
        log = (self.folder / "server.log").open("ab")
        self._process = subprocess.Popen(
            [program(), "web", "--no-browser", "--port", str(self.port), *self.arguments],
            env={**ENVIRONMENT, "XDG_STATE_HOME": str(self.folder)},
            stdout=log,
            stderr=log,
        )
        log.close()
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.read("api/catalogue")
                return
            except (urllib.error.URLError, ConnectionError):
                if self._process.poll() is not None or time.monotonic() > end:
                    raise AssertionError((self.folder / "server.log").read_text()) from None
                time.sleep(0.05)

    def stop(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(60)
            self._process = None

    def read(self, path: str) -> Any:
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(self.address + path, timeout=30) as answer:
            return json.load(answer)
