"""Settings for a Ray cluster that only this user's processes on this machine can reach.

Ray binds its servers to all interfaces unless its node has the address 127.0.0.1, and takes that address only where
clusters of many machines are switched off: `RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER=0`, which has this effect on every
system. Ray reads the variable once, when it is imported, so its constant is set too.
"""

import contextlib
import os
import secrets
from collections.abc import Iterator
from typing import Any

import ray
import ray._raylet
from ray._private import ray_constants

from tengen.errors import TengenError

_core: Any = ray._raylet
LOOPBACK = ("127.0.0.1", "::1")


def start_private_cluster(**options: Any) -> None:
    """Start a cluster that listens on loopback only and requires a token, and connect to it; `options` are ray.init's.

    The token is new for each cluster. It is in the environment of the cluster's processes, on no command line and in
    no file. Raises TengenError, and leaves no cluster, if Ray ignores one of the settings.
    """
    if not hasattr(_core, "AuthenticationTokenLoader"):
        raise TengenError(f"Ray {ray.__version__} cannot require a token: install Ray 2.60 or newer")
    token = secrets.token_hex(32)
    with _environment(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=token, **{ray_constants.ENABLE_RAY_CLUSTERS_ENV_VAR: "0"}):
        _read_environment()
        before, ray_constants.ENABLE_RAY_CLUSTER = ray_constants.ENABLE_RAY_CLUSTER, False
        try:
            # "local": without it, Ray would look for a cluster that may run, or have run, on this machine.
            ray.init(address="local", include_dashboard=False, **options)
        finally:
            ray_constants.ENABLE_RAY_CLUSTER = before
    address = ray.util.get_node_ip_address()
    if address not in LOOPBACK or _core.get_authentication_mode() != _core.AuthenticationMode.TOKEN:
        end_private_cluster()
        raise TengenError(f"Ray {ray.__version__} cannot be kept private: it listens on {address}, or without a token")


def end_private_cluster() -> None:
    """End the cluster, and forget its token."""
    ray.shutdown()
    _read_environment()


def _read_environment() -> None:
    """Make Ray read its settings and its token again: it caches those that it found first."""
    _core.Config.initialize("")
    _core.AuthenticationTokenLoader.instance().reset_cache()


@contextlib.contextmanager
def _environment(**values: str) -> Iterator[None]:
    """Set environment variables within the block. Processes started in it keep them."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
