"""Who may talk to the server: the checks of Host, Origin and token of every request, and the headers of every answer.

Host: a page of another site whose name is made to lead to this machine (DNS rebinding) sends its own name, and is
refused. Origin: a page of another site that connects or reads across sites is refused. Token: without it, a server that
listens on more than the loopback interface answers nothing.
"""

import hmac
import ipaddress
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response

from tengen.interfaces.web.resources import Refusal

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

LOOPBACK = ("localhost", "127.0.0.1", "::1")
POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-src 'self'; frame-ancestors 'none'"
)
REPORT_POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
"""For reports: pages with styles of their own and without scripts, which the page may show in a frame."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
FOREIGN, UNAUTHORISED, BAD_METHOD = 403, 401, 405


@dataclass(frozen=True)
class Access:
    """Who may talk to the server."""

    port: int
    """The port that the server listens on."""
    host: str = "127.0.0.1"
    """The address that it listens on."""
    names: tuple[str, ...] = ()
    """Further names under which it may be reached."""
    token: str | None = None
    """The secret that every request needs; None: no secret, for servers on the loopback interface."""

    @property
    def cookie(self) -> str:
        """The name of the cookie: servers on other ports of the same name have others."""
        return f"tengen-{self.port}"

    def allows_host(self, header: str | None) -> bool:
        """Whether a request's Host names this server. Addresses in digits cannot be rebound."""
        name, port = _split(header or "")
        if port not in (self.port, None) or not name:
            return False
        if port is None and self.port != 80:
            return False
        if name in (*LOOPBACK, *self.names) or name == self.host:
            return True
        return not is_loopback(self.host) and _is_address(name)

    def allows_origin(self, origin: str | None, host: str | None) -> bool:
        """Whether a request comes from this server's own page; requests of programs have no Origin."""
        return origin is None or origin in (f"http://{host}", f"https://{host}")

    def allows_token(self, given: str | None) -> bool:
        return self.token is None or (given is not None and hmac.compare_digest(given.encode(), self.token.encode()))


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _split(header: str) -> tuple[str, int | None]:
    """Return the name and the port of a Host header; an empty name if it is malformed."""
    name, colon, port = header.rpartition(":") if not header.endswith("]") else (header, "", "")
    if not colon:
        name = header
    if colon and not (port.isascii() and port.isdigit() and len(port) <= 5):
        return "", None
    is_bracketed = name.startswith("[") and name.endswith("]")
    if ":" in name and not is_bracketed:
        return "", None
    return name.strip("[]").lower(), int(port) if colon else None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """Middleware that lets only allowed requests through, and adds the headers."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]], access: Access):
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send if scope["type"] == "websocket" else _with_headers(scope, send))
        elif "websocket.http.response" in scope.get("extensions", {}):
            await refusal(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": _reason(refusal)})
        else:
            await refusal(scope, receive, _with_headers(scope, send))

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the answer to a request that is not allowed; None for one that is."""
        headers, access = Headers(scope=scope), self._access
        host = headers.get("host")
        if not access.allows_host(host):
            return refused(FOREIGN, "this server is not known under the name in the header Host of the request")
        if not access.allows_origin(headers.get("origin"), host) or _is_cross_site(headers):
            return refused(FOREIGN, "requests from the pages of other sites are refused")
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD"):
            return refused(BAD_METHOD, f"the method {scope['method'][:20]} is not used here: use GET")
        return self._without_token(scope, headers)

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a request without the token; with it in the address, one that keeps it in a cookie."""
        access = self._access
        if access.token is None or access.allows_token(self._given(headers)):
            return None
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        if scope["type"] == "http" and access.allows_token(query.pop("token", [None])[0]):
            rest = urlencode(query, doseq=True)
            answer = RedirectResponse(f"{scope['path']}?{rest}" if rest else scope["path"], 303)
            answer.set_cookie(access.cookie, access.token, httponly=True, samesite="strict", path="/")
            return answer
        return refused(UNAUTHORISED, "the token is missing or wrong: open the address that 'tengen web' has printed")

    def _given(self, headers: Headers) -> str | None:
        """Return the token of a request, from its header Authorization or its cookie."""
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            return token.strip()
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self._access.cookie)
        except CookieError:
            return None
        return found.value if found else None


def _is_cross_site(headers: Headers) -> bool:
    """Whether a browser says that another site's page makes this request, other than by a link to follow."""
    return headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate"


def refused(status: int, reason: str) -> Response:
    return JSONResponse(Refusal(error=reason).model_dump(), status)


def _reason(refusal: Response) -> str:
    """Return the sentence of a refusal, within the 123 bytes of the reason of a close."""
    return Refusal.model_validate_json(bytes(refusal.body)).error[:120]


def _with_headers(scope: Scope, send: Send) -> Send:
    """Return a `send` that adds the headers to the answer."""
    path = scope["path"]
    is_report = path.startswith("/reports/")

    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers["Content-Security-Policy"] = REPORT_POLICY if is_report else POLICY
            headers["X-Frame-Options"] = "SAMEORIGIN" if is_report else "DENY"
            is_hashed = path.startswith("/assets/")  # names of assets change with their content
            headers["Cache-Control"] = "private, max-age=31536000, immutable" if is_hashed else "no-cache"
        await send(message)

    return sending
