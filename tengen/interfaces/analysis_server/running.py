"""The server on standard input and output, until the end of the input."""

import os
import sys
import threading
from dataclasses import dataclass
from typing import Any

from tengen.errors import INTERRUPTED
from tengen.games.catalogue import make_game
from tengen.interfaces.analysis_server.analyses import Analyses
from tengen.interfaces.analysis_server.input_lines import format_object, input_lines
from tengen.interfaces.analysis_server.query_reader import Defaults
from tengen.interfaces.analysis_server.server import Server
from tengen.interfaces.scheduler import Scheduler
from tengen.interfaces.standard_streams import private_output, standard_input
from tengen.parallel import cores
from tengen.players import PlayerSpec
from tengen.search.config import DEFAULT_SIMULATIONS, SearchConfig


@dataclass(frozen=True)
class Settings:
    """The options of `tengen analysis-server`."""

    spec: PlayerSpec
    threads: int
    """Number of positions that are searched at the same time."""
    visits: int = 0
    """Visits of a query without maxVisits; 0: those of the player, or 3000."""
    viewpoint: str | None = "black"
    converts_rules: bool = False
    waits: bool = True
    """Whether the analyses that are open at the end of the input are finished."""


class ClientGone(Exception):
    """The client does not read the output any more."""


class Output:
    """Standard output, which several threads write to."""

    def __init__(self) -> None:
        self._write = private_output(ClientGone)
        self._lock = threading.Lock()
        self.is_closed = False

    def send(self, message: dict[str, Any]) -> None:
        """Write a message as one line; nothing after the client has gone, or after `close`."""
        line = format_object(message)
        with self._lock:
            if self.is_closed:
                return
            try:
                self._write(line)
            except ClientGone:
                self.is_closed = True

    def close(self) -> None:
        """Write nothing more."""
        with self._lock:
            self.is_closed = True


def serve(settings: Settings) -> int:
    """Answer the lines of standard input until its end; return the exit status."""
    config = settings.spec.on(make_game()).config
    settings.spec.make_searcher(make_game())  # report at once a player that cannot be analysed
    output, scheduler = Output(), Scheduler(min(settings.threads, cores()))
    analyses = Analyses(scheduler, settings.spec, output.send, lanes=settings.threads)
    defaults = Defaults(
        visits=settings.visits or getattr(config, "simulations", 0) or DEFAULT_SIMULATIONS,
        seconds=getattr(config, "seconds", 0.0) or Defaults.seconds,
        viewpoint=settings.viewpoint,
        converts_rules=settings.converts_rules,
        can_exclude=isinstance(config, SearchConfig),
    )
    server = Server(settings.spec, analyses, output.send, defaults)
    print(f"tengen: {settings.spec} analyses up to {settings.threads} positions at a time", file=sys.stderr, flush=True)
    code = 0
    try:
        for line in input_lines(standard_input()):
            if output.is_closed:
                break
            if line is not None:
                server.answer(line)
        if settings.waits:
            analyses.wait(lambda: output.is_closed)
    except KeyboardInterrupt:
        print("tengen: interrupted", file=sys.stderr)
        code = INTERRUPTED
    output.close()
    scheduler.close()
    sys.stderr.flush()
    os._exit(code)  # a compilation in another thread cannot be stopped cleanly
