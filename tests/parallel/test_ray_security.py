"""A cluster that Tengen starts listens on loopback only and requires its token."""

import http.client
import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tengen import parallel
from tests.parallel import workers
from tests.parallel.sockets import listening, process_tree

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells who listens where")

SETTINGS = ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER")


def content_of(process: int, name: str) -> bytes:
    """A file of /proc about a process; empty if the process has ended meanwhile."""
    try:
        return Path(f"/proc/{process}/{name}").read_bytes()
    except OSError:
        return b""


def token_of(processes: list[int]) -> str:
    """The token in the environment of the cluster's own processes."""
    found = set()
    for process in processes:
        for entry in content_of(process, "environ").split(b"\0"):
            if entry.startswith(b"RAY_AUTH_TOKEN="):
                found.add(entry.partition(b"=")[2].decode())
    assert len(found) == 1
    return found.pop()


def ask(address: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The answer of the cluster's server to another process of this machine."""
    code = f"from ray._raylet import GcsClient; print(GcsClient(address={address!r}).internal_kv_keys(b'', None, 60))"
    clean = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    return subprocess.run(
        [sys.executable, "-c", code], env=clean | environment, capture_output=True, text=True, timeout=300, check=False
    )


def cluster_processes() -> list[int]:
    return [process for process in process_tree(os.getpid()) if process != os.getpid()]


@pytest.fixture(scope="module")
def old_token():
    """The token of a cluster that has ended."""
    with parallel.start("ray", workers=1):
        return token_of(cluster_processes())


@pytest.fixture(scope="module")
def backend(old_token):
    with parallel.start("ray", workers=2) as started:
        assert len(list(started.run(workers.Counter, range(6), keep=True))) == 6
        yield started


def test_every_socket_of_a_local_cluster_is_on_loopback(backend):
    sockets = listening(process_tree(os.getpid()))
    assert len(sockets) >= 4
    assert all(address.is_loopback for addresses in sockets.values() for address in addresses), sockets


def test_a_local_cluster_serves_only_those_who_have_its_token(backend, old_token):
    address, token = ray.get_runtime_context().gcs_address, token_of(cluster_processes())
    served = ask(address, RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=token)
    assert served.returncode == 0, served.stderr
    refused = [ask(address, RAY_AUTH_MODE="disabled"), ask(address, RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=old_token)]
    assert [done.returncode for done in refused] == [1, 1]
    assert all("AuthenticationError" in done.stderr for done in refused), refused


def test_the_agents_of_a_local_cluster_ask_for_the_token_too(backend):
    statuses = []
    for port in listening(process_tree(os.getpid())):
        request = urllib.request.Request(f"http://127.0.0.1:{port}/get_or_create_runtime_env", data=b"")
        try:
            statuses.append(urllib.request.urlopen(request, timeout=60).status)
        except urllib.error.HTTPError as error:
            statuses.append(error.code)
        except (OSError, http.client.HTTPException):
            continue  # it does not speak HTTP/1
    assert statuses == [401]


def test_the_token_is_new_for_each_cluster_and_on_no_command_line(backend, old_token):
    token = token_of(cluster_processes())
    assert len(token) == 64
    assert token != old_token
    assert os.environ.get("RAY_AUTH_TOKEN") != token
    lines = list(filter(None, (content_of(process, "cmdline") for process in process_tree(os.getpid()))))
    assert len(lines) > 3
    assert not any(token.encode() in line for line in lines)
