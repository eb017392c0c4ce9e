"""`tengen web` as a process: its address, its end, and errors in one sentence."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tengen.errors import TengenError
from tengen.interfaces.cli.web import listen
from tengen.interfaces.web.running import address_of
from tengen.interfaces.web.security import Access
from tests.interfaces import in_process


@contextmanager
def running(folder, *options):
    """Run the command; yield the process and the address that it prints."""
    arguments = [sys.executable, "-m", "tengen", "web", "--no-browser", "--port", "0", "--boards", str(folder)]
    with subprocess.Popen([*arguments, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().split()[-1]
        finally:
            process.kill()


def get(address, path="/", **headers):
    """Return the status and the body of an answer; the socket listens before the address is printed."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=120)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def socket_of(address):
    return f"ws://{urlsplit(address).netloc}/board"


def send_and_receive(page, text):
    """Send a message and wait for one; the server may close the connection before all of it is sent."""
    page.send(text)
    return page.recv(120)


def test_a_server_serves_closes_its_pages_and_ends_with_an_interrupt(tmp_path):
    with running(tmp_path / "boards") as (process, address):
        assert get(address, "/api/boards") == (200, '{"boards":[]}')
        origin = Origin(address.rstrip("/"))
        with connect(socket_of(address), origin=origin, open_timeout=120) as page:
            assert json.loads(page.recv(120))["type"] == "hello"
            page.send(json.dumps({"type": "new_board", "game": {"name": "othello", "size": 4}}))
            assert json.loads(page.recv(120))["type"] == "board"
            assert json.loads(page.recv(120))["type"] == "position"
            with pytest.raises(InvalidStatus) as refused:
                connect(socket_of(address), origin=Origin("http://evil.example"), open_timeout=120)
            assert refused.value.response.status_code == 403
            assert b"other sites" in refused.value.response.body
            process.send_signal(signal.SIGINT)
            with pytest.raises(ConnectionClosed) as closed:
                page.recv(120)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        _, errors = process.communicate(timeout=120)
        assert (process.returncode, "Traceback" in errors) == (0, False)
    assert len(os.listdir(tmp_path / "boards")) == 1


def test_a_far_too_large_message_closes_its_connection_only(tmp_path):
    with running(tmp_path) as (_, address):
        origin = Origin(address.rstrip("/"))
        with connect(socket_of(address), origin=origin, open_timeout=120) as page:
            page.recv(120)
            with pytest.raises(ConnectionClosed):
                send_and_receive(page, "x" * 2_000_000)
        assert get(address, "/api/boards")[0] == 200


def test_another_address_gets_a_token(tmp_path):
    with running(tmp_path, "--host", "0.0.0.0") as (_, address):
        assert "/?token=" in address
        assert get(address, "/api/boards")[0] == 401
        token = address.partition("token=")[2]
        assert get(address, "/api/boards", Authorization=f"Bearer {token}") == (200, '{"boards":[]}')


def test_a_port_in_use_and_a_wrong_address_are_sentences():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(TengenError, match=f"port {port} is in use"):
            listen("127.0.0.1", port)
    with pytest.raises(TengenError, match="cannot listen on"):
        listen("192.0.2.1", 0)
    with pytest.raises(TengenError, match="cannot listen on"):
        listen("no such host", 0)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--token", "short"), "at least 16 characters"),
        (("--arena", "/no/such/folder"), "there is no folder"),
        (("--reports", "/no/such/folder"), "there is no folder"),
        (("--boards", "/dev/null/boards"), "cannot be created"),
    ],
)
def test_a_wrong_option_ends_the_command_with_one_sentence(options, reason):
    done = in_process.tengen("web", "--no-browser", "--port", "0", *options)
    assert done.returncode == 1
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("access", "address"),
    [
        (Access(port=1234), "http://127.0.0.1:1234/"),
        (Access(port=1234, host="::1"), "http://[::1]:1234/"),
        (
            Access(port=1234, host="0.0.0.0", names=("room.local",), token="t" * 16),
            f"http://room.local:1234/?token={'t' * 16}",
        ),
    ],
)
def test_the_printed_address_leads_to_the_page(access, address):
    assert address_of(access) == address
