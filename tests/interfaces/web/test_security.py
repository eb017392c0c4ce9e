"""Who may talk to the server, and what happens to those who may not; the server goes on serving."""

import json
from contextlib import ExitStack

import pytest
from starlette.testclient import WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from tengen.errors import TengenError
from tengen.interfaces.cli.web import checked_token
from tengen.interfaces.web.limits import MemoryBudget, RateLimit
from tengen.interfaces.web.security import Access
from tests.fake_clock import FakeClock
from tests.interfaces.web.pages import ADDRESS, PORT, WEAK, Page, page, server

SOCKET = f"ws://127.0.0.1:{PORT}/board"
TOKEN = "a-token-of-sixteen-letters"


def refusal_of(client, **headers):
    """Return the status and the reason with which a WebSocket is refused."""
    with (
        pytest.raises(WebSocketDenialResponse) as caught,
        client.websocket_connect(SOCKET, headers=headers),
    ):
        pass
    return caught.value.status_code, caught.value.json()["error"]


# Host and Origin


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1:1", "127.0.0.1", "", "[::1", "a:b:c"]
)
def test_a_foreign_host_is_refused_on_http_and_websocket(client, host):
    answer = client.get("/api/catalogue", headers={"host": host})
    assert (answer.status_code, "Host" in answer.json()["error"]) == (403, True)
    status, reason = refusal_of(client, host=host, origin=f"http://{host}")
    assert (status, "Host" in reason) == (403, True)


@pytest.mark.parametrize("host", [f"localhost:{PORT}", f"127.0.0.1:{PORT}", f"[::1]:{PORT}", f"LOCALHOST:{PORT}"])
def test_the_names_of_this_machine_are_accepted(client, host):
    assert client.get("/api/boards", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", f"http://127.0.0.1:{PORT + 1}", f"http://localhost:{PORT}", "file://"]
)
def test_a_foreign_origin_is_refused_on_http_and_websocket(client, origin):
    answer = client.get("/api/catalogue", headers={"origin": origin})
    assert (answer.status_code, "other sites" in answer.json()["error"]) == (403, True)
    status, reason = refusal_of(client, origin=origin)
    assert (status, "other sites" in reason) == (403, True)
    with page(client) as connected:
        assert connected.hello["type"] == "hello"


def test_a_request_that_a_browser_calls_cross_site_is_refused_but_a_link_may_be_followed(client):
    cross = {"sec-fetch-site": "cross-site"}
    assert client.get("/api/boards", headers={**cross, "sec-fetch-mode": "no-cors"}).status_code == 403
    assert client.get("/api/boards", headers={**cross, "sec-fetch-mode": "navigate"}).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_only_reading_is_possible_over_http(client, method):
    assert client.request(method, "/api/boards").status_code == 405


def test_a_server_on_other_addresses_is_reached_by_addresses_and_given_names_only():
    access = Access(port=PORT, host="0.0.0.0", names=("game-room",), token=TOKEN)
    allowed = [f"192.168.1.7:{PORT}", f"[fe80::1]:{PORT}", f"game-room:{PORT}", f"localhost:{PORT}"]
    assert all(access.allows_host(host) for host in allowed)
    assert not any(access.allows_host(host) for host in (f"evil.example:{PORT}", "192.168.1.7:80", "", None))
    assert not Access(port=PORT).allows_host(f"192.168.1.7:{PORT}")


def test_every_answer_has_the_headers_that_forbid_other_sources(client):
    for path in ("/api/boards", "/", "/api/nothing"):
        headers = client.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self';")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["x-frame-options"] == "DENY"
        assert "access-control-allow-origin" not in headers


# The token


@pytest.fixture
def locked(tmp_path):
    with server(tmp_path, access=Access(port=PORT, host="0.0.0.0", token=TOKEN)) as client:
        yield client


def test_without_the_token_nothing_is_answered(locked):
    for path in ("/", "/api/boards", "/api/catalogue", "/assets/x.js", "/?token=wrong", "/?token="):
        answer = locked.get(path)
        assert (answer.status_code, "token" in answer.json()["error"]) == (401, True)
    status, reason = refusal_of(locked, origin=ADDRESS)
    assert (status, "token" in reason) == (401, True)
    assert refusal_of(locked, origin=ADDRESS, cookie=f"tengen-{PORT}=wrong")[0] == 401


def test_the_token_of_the_address_is_kept_in_a_cookie_that_scripts_cannot_read(locked):
    answer = locked.get(f"/?token={TOKEN}&a=1", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/?a=1")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert locked.get("/api/boards").status_code == 200
    with page(locked) as connected:
        assert connected.hello["type"] == "hello"


def test_the_token_may_be_a_header(locked):
    assert locked.get("/api/boards", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert locked.get("/api/boards", headers={"authorization": "Bearer x"}).status_code == 401


def test_a_token_is_made_for_other_addresses_and_must_not_be_guessable():
    assert checked_token("", "127.0.0.1") is None
    assert len(checked_token("", "0.0.0.0") or "") >= 24
    assert checked_token(TOKEN, "127.0.0.1") == TOKEN
    for bad in ("short", "with spaces in the middle", "ünicode-letters-in-it"):
        with pytest.raises(TengenError, match="at least 16"):
            checked_token(bad, "0.0.0.0")


# Messages


def test_malformed_messages_are_answered_and_the_board_stays(first):
    first.new_board()
    first.ask("play", move="b1")
    for text in ("", "{", "[]", '"play"', "{}", '{"type": "fly"}', '{"type": "play", "move": 3}', "[" * 50_000, "\x00"):
        first.socket.send_text(text)
        error = first.next("error")
        assert error["code"] == "malformed"
        assert "\n" not in error["message"]
    first.socket.send_bytes(b"\xff\xfe\x00")
    assert first.next("error")["code"] == "malformed"
    assert first.ask("goto", move=1)["move_number"] == 1


def test_an_oversized_message_is_refused_and_the_board_stays(tmp_path):
    with server(tmp_path, limits={"message": 2000}) as client, page(client) as connected:
        connected.new_board()
        connected.socket.send_text(json.dumps({"type": "play", "move": "x" * 3000}))
        error = connected.next("error")
        assert (error["code"], "above the limit of 2,000" in error["message"]) == ("limit", True)
        assert connected.ask("play", move="b1")["move_number"] == 1


def test_too_many_messages_are_refused_until_time_has_passed(tmp_path):
    clock = FakeClock()
    with server(tmp_path, limits={"burst": 3, "messages": 1.0}, now=clock) as client, page(client) as connected:
        for _ in range(3):
            assert connected.refused("stop_review")["code"] == "refused"  # there is no board
        connected.send("stop_review")
        assert connected.next("error")["code"] == "rate"
        clock.seconds += 1.0
        assert connected.refused("stop_review")["code"] == "refused"


def test_a_page_with_nothing_but_bad_messages_is_closed(tmp_path):
    with server(tmp_path, limits={"refused": 5}) as client:
        with page(client) as connected:
            for _ in range(5):
                connected.socket.send_text("?")
                connected.next("error")
            with pytest.raises(WebSocketDisconnect) as caught:
                connected.receive()
        assert (caught.value.code, "refused" in caught.value.reason) == (1008, True)
        with page(client) as connected:
            assert connected.new_board()["move_number"] == 0


# Numbers of connections, boards and trees


def test_two_hundred_connections_are_limited_and_the_server_goes_on(tmp_path):
    refused = []
    with server(tmp_path, limits={"connections": 20}) as client, ExitStack() as opened:
        pages = []
        for _ in range(200):
            socket = opened.enter_context(client.websocket_connect(SOCKET, headers={"origin": ADDRESS}))
            try:
                pages.append(Page(socket))
            except WebSocketDisconnect as closed:
                refused.append((closed.code, closed.reason))
        assert len(pages) == 20
        assert refused == [(1013, "20 pages are connected, the maximum")] * 180
        assert pages[0].new_board()["move_number"] == 0
        assert pages[19].new_board()["move_number"] == 0
        assert client.get("/api/boards").status_code == 200


def test_the_number_of_open_boards_is_limited(tmp_path):
    with server(tmp_path, limits={"boards": 1}) as client, page(client) as first:
        first.new_board()
        with page(client) as second:
            error = second.refused("new_board", game={"name": "othello", "size": 4})
            assert (error["code"], "1 boards are open" in error["message"]) == ("limit", True)
            first.new_board()
            first.ask("delete_board", "deleted")
            assert second.new_board()["move_number"] == 0


def test_the_number_of_kept_boards_is_limited(tmp_path):
    with server(tmp_path, limits={"kept_boards": 1}) as client, page(client) as connected:
        connected.new_board()
        error = connected.refused("new_board", game={"name": "othello", "size": 4})
        assert (error["code"], "delete one" in error["message"]) == ("limit", True)


def test_the_memory_of_trees_is_limited_and_given_back(tmp_path):
    small = {**WEAK, "options": {"memory": 6}}
    with server(tmp_path, limits={"all_trees": 10}) as client, page(client) as connected:
        connected.new_board()
        error = connected.refused("start_analysis", players=[small, small], simulations=0)
        assert (error["code"], "6 of the 10 MB" in error["message"]) == ("limit", True)
        for _ in range(3):
            connected.ask("start_analysis", "analysis", players=[small], simulations=0)
            connected.ask("stop_analysis", "analysis")
            connected.new_board()


def test_a_budget_is_exact():
    budget = MemoryBudget(10)
    budget.take(10)
    with pytest.raises(TengenError, match="10 of the 10 MB"):
        budget.take(1)
    budget.give_back(4)
    budget.take(4)
    assert budget.used == 10


def test_a_rate_limit_counts_with_its_clock():
    clock = FakeClock()
    limit = RateLimit(2.0, 2, clock)
    assert [limit.allows() for _ in range(3)] == [True, True, False]
    clock.seconds += 0.5
    assert [limit.allows() for _ in range(2)] == [True, False]
    clock.seconds += 100.0
    assert [limit.allows() for _ in range(3)] == [True, True, False]


# Files


PATH_TRICKS = [
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/....//secret.txt",
    "/..\\secret.txt",
    "/..%5csecret.txt",
    "//etc/passwd",
    "/%2fetc/passwd",
    "/assets/../../secret.txt",
    "/secret.txt%00.html",
    "/link.html",
    "/.hidden",
]


def test_no_path_leads_out_of_the_page(tmp_path):
    built = tmp_path / "page"
    built.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (built / "index.html").write_text("<title>page</title>")
    (built / "link.html").symlink_to(tmp_path / "secret.txt")
    with server(tmp_path) as client:
        assert client.get("/").text == "<title>page</title>"
        for path in PATH_TRICKS:
            answer = client.get(path)
            assert "secret" not in answer.text
            assert "root:" not in answer.text
        assert client.get("/").status_code == 200


def test_without_the_built_page_the_answer_says_how_to_build_it(client):
    answer = client.get("/")
    assert (answer.status_code, "make page" in answer.text) == (503, True)
