"""A server and a page for the tests of the web server."""

import pytest

from tests.interfaces.web.pages import ENDLESS, page, server


@pytest.fixture
def client(tmp_path):
    with server(tmp_path) as made:
        yield made


@pytest.fixture
def first(client):
    with page(client) as connected:
        yield connected


@pytest.fixture
def unlimited(tmp_path):
    """A server on which a search may be endless."""
    with server(tmp_path, limits={"simulations": ENDLESS}) as made:
        yield made
