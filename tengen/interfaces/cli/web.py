"""`tengen web`: the page to play on and to watch searches, in the browser."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import socket

DEFAULT_PORT = 8361
DEFAULT_HOST = "127.0.0.1"


def run(
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0: any free one. The address is printed.")
    ] = DEFAULT_PORT,
    host: Annotated[
        str,
        typer.Option(
            help="Address to listen on. The default can be reached from this machine only; any other, such as 0.0.0.0 "
            "for all networks of this machine, needs a token."
        ),
    ] = DEFAULT_HOST,
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Further name under which browsers reach the server, as in my-machine.local. May be repeated.",
        ),
    ] = None,
    token: Annotated[
        str,
        typer.Option(
            help="Secret of at least 16 characters without which nothing is answered. Default: none for this machine "
            "only, a new random one for other addresses. It is a part of the printed address."
        ),
    ] = "",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page in the browser.")] = False,
    arena: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Show the games in the files of matches and tournaments in this folder."),
    ] = None,
    reports: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Show the reports in this folder, which 'tengen reproduce --site' has written, as in reproduced.",
        ),
    ] = None,
    boards: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder that keeps the boards. Default: tengen/boards in the user's folder of states.",
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option(min=0, max=256, help="Threads that search, shared by all boards; 0: one per core.")
    ] = 0,
) -> None:
    """Play against any player in the browser, and watch its search.

    The page shows heat maps of a search, its tree and its single simulations, two algorithms side by side, and reviews
    of games. Boards are kept: after a restart the page continues where it was. Ctrl-C ends the server.

    Show the games of a tournament and the reports of experiments, too:

    tengen web --arena results --reports reproduced

    Let other machines connect; send them the printed address, which has the token:

    tengen web --host 0.0.0.0 --no-browser
    """
    from tengen.errors import TengenError

    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
        import websockets  # noqa: F401
    except ImportError as error:
        raise TengenError(f"the web page needs {error.name}: pip install 'tengen[web]'") from None
    from tengen.interfaces.web.board_files import usual_folder
    from tengen.interfaces.web.running import serve
    from tengen.interfaces.web.security import Access
    from tengen.interfaces.web.server import Settings
    from tengen.parallel import cores

    secret = checked_token(token, host)
    with listen(host, port) as listening:
        settings = Settings(
            access=Access(port=int(listening.getsockname()[1]), host=host, names=tuple(name or ()), token=secret),
            boards=boards or usual_folder(),
            arena=arena,
            reports=reports,
            workers=workers or cores(),
        )
        serve(settings, listening, opens_browser=not no_browser)


def checked_token(token: str, host: str) -> str | None:
    """Return the token to require; None for a server on the loopback interface without one.

    Raises TengenError for one that can be guessed or cannot be a part of an address.
    """
    import secrets

    from tengen.errors import TengenError
    from tengen.interfaces.web.security import is_loopback

    if not token:
        return None if is_loopback(host) else secrets.token_urlsafe(24)
    if len(token) < 16 or not all(letter.isascii() and (letter.isalnum() or letter in "-_") for letter in token):
        raise TengenError("the token must have at least 16 characters, which are letters, digits, '-' and '_'")
    return token


def listen(host: str, port: int) -> "socket.socket":
    """Return a listening socket. Raises TengenError if the address cannot be used."""
    import errno
    import socket

    from tengen.errors import TengenError, shortened

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(256)
    except OSError as error:
        made.close()
        if error.errno == errno.EADDRINUSE:
            raise TengenError(
                f"port {port} is in use; choose another with --port, or --port 0 for any free one"
            ) from None
        raise TengenError(f"cannot listen on {shortened(host, 80)}: {error.strerror or error}") from None
    return made
