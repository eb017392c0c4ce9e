"""The GTP engine on standard input and output.

Standard output carries only the protocol; everything else that is printed goes to standard error.
"""

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, TextIO

from tengen import __version__
from tengen.errors import INTERRUPTED, TengenError, shortened
from tengen.games.catalogue import DEFAULT_GAME, game_class, make_game
from tengen.interfaces.gtp.analysis import AnalysisCommands
from tengen.interfaces.gtp.cgos import Cgos
from tengen.interfaces.gtp.compiling import FIRST_DELAY, BackgroundCompiler
from tengen.interfaces.gtp.engine_loader import EngineLoader, NoEngine
from tengen.interfaces.gtp.go import GoCommands
from tengen.interfaces.gtp.gogui import GoGui
from tengen.interfaces.gtp.gomill import Gomill
from tengen.interfaces.gtp.kata import Kata
from tengen.interfaces.gtp.kgs import Kgs
from tengen.interfaces.gtp.play import Clocks, Play
from tengen.interfaces.gtp.protocol import Closed, Command, Conversation, Stream, read_ahead
from tengen.interfaces.standard_streams import private_output, standard_input

if TYPE_CHECKING:
    from tengen.interfaces.gtp.engine import Engine
    from tengen.interfaces.gtp.session import Session

LAST_ANSWERS = 5.0
"""Seconds for the interrupted commands to end after the client has gone."""
ENDING = 0.5
"""Seconds for the idle loading thread to end."""
LIZZIE_VERSION = "0.17"
"""Lizzie treats every engine as Leela Zero, and rejects versions below 0.15."""


@dataclass(frozen=True)
class Settings:
    """The options of `tengen gtp`."""

    game: str = DEFAULT_GAME
    size: int | None = None
    komi: float | None = None
    player: str = ""
    """Description of the player; if empty, the game's default player."""
    seconds: float = 2.0
    resign: float | None = None
    ponder: bool = False
    compat: str = ""


def make(settings: Settings, now: Callable[[], float] = time.perf_counter) -> "tuple[Session, Engine]":
    """Create the session and the engine; this takes a second, since the search is imported."""
    from tengen.interfaces.gtp.engine import Engine
    from tengen.interfaces.gtp.session import Session
    from tengen.players import parse_player

    game = make_game(settings.game, settings.size, komi=settings.komi)
    spec = parse_player(settings.player or game.default_player)
    engine = Engine(spec, seconds=settings.seconds, ponders=settings.ponder, now=now)
    if settings.resign is not None:
        engine.change(engine.spec.with_settings(resign=settings.resign))
    session = Session(game)
    if (
        settings.size is not None or not game.suits_go_clients
    ):  # a Go client may still choose a board that the player supports
        engine.player(game)  # report at once a player that cannot play this game
    return session, engine


def converse(
    settings: Settings,
    write: Callable[[str], None],
    log: TextIO | None = None,
    now: Callable[[], float] = time.perf_counter,
) -> tuple[Conversation, EngineLoader]:
    """Return a conversation with all commands of the game, and its loader; `now` returns the time in seconds."""
    loader = EngineLoader(lambda: make(settings, now))
    version = LIZZIE_VERSION if settings.compat == "lizzie" else __version__
    conversation = Conversation(write, "Tengen", version, (TengenError, OSError), log)
    play, clocks = Play(loader, conversation.input, now), Clocks(loader)
    kgs, analysis = Kgs(loader, play, clocks), AnalysisCommands(loader, play, conversation.input, now)
    kata, cgos, gogui, go = Kata(loader, kgs), Cgos(loader, play), GoGui(loader, play), GoCommands(loader)
    conversation.add(play.commands() | clocks.commands() | Gomill(loader).commands(), analysis.streams())
    conversation.add(kata.parameter_commands() | gogui.commands())

    def game_commands() -> tuple[dict[str, Command], dict[str, Stream]]:
        game = game_class(settings.game)
        commands = go.komi_commands() if game.has_komi else {}
        commands |= go.handicap_commands() if game.has_handicap else {}
        commands |= go.record_commands() if game.records() else {}
        if not game.suits_go_clients:
            return commands | gogui.rules_commands(), {}
        commands |= go.status_commands() | gogui.setup_commands()
        return commands | kgs.commands() | kata.commands() | cgos.commands(), cgos.streams()

    conversation.add_later(game_commands)
    return conversation, loader


def serve(settings: Settings, log: Path | None = None) -> int:
    """Run the protocol on standard input and output until the end; return the exit status."""
    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(_opened(log)) if log else None
        conversation, loader = converse(settings, private_output(Closed), kept)
        compiler = BackgroundCompiler()
        delay = FIRST_DELAY if settings.size is None else 0.0
        loading = threading.Thread(
            target=loader.load,
            args=(compiler, lambda: conversation.input.is_abandoned, delay),
            daemon=True,
            name="gtp-loading",
        )
        loading.start()
        code = 0
        try:
            read_ahead(conversation, standard_input(), lambda: _abandon(loader))
            _hear_interrupts(conversation)
            conversation.run(lambda: _ponder(conversation, loader))
            if loader.is_ready:
                loader.engine.dismiss()
        except Closed:
            pass
        except NoEngine as end:
            if not isinstance(end.reason, TengenError):
                raise end.reason from None
            print(f"tengen: {end}", file=sys.stderr)
            code = 1
        except KeyboardInterrupt:
            print("tengen: interrupted", file=sys.stderr)
            code = INTERRUPTED
    compiler.stop()
    loading.join(ENDING)
    if loading.is_alive():  # an import or a compilation in progress cannot be stopped cleanly
        sys.stderr.flush()
        os._exit(code)
    return code


def _abandon(loader: EngineLoader) -> None:
    """End the program after the client has gone: orderly within LAST_ANSWERS seconds, else at once."""
    loader.abandon()
    time.sleep(LAST_ANSWERS)
    loader.abandon()
    os._exit(0)


def _opened(log: Path) -> TextIO:
    try:
        return log.open("a", encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise TengenError(f"{shortened(log, 160)} cannot be written: {error.strerror}") from None


def _ponder(conversation: Conversation, loader: EngineLoader) -> bool:
    """Ponder for a moment, if enabled; return whether to continue."""
    return loader.is_ready and loader.engine.ponder(loader.session.position, lambda: conversation.input.is_waiting)


def _hear_interrupts(conversation: Conversation) -> None:
    """Make SIGINT interrupt the running command, as GoGui expects; an idle engine, or a second SIGINT, ends."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        if not conversation.is_busy or conversation.input.is_interrupted:
            raise KeyboardInterrupt
        conversation.input.interrupt()

    signal.signal(signal.SIGINT, interrupt)
