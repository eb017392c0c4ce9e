"""The whole engine on standard input and output.

Standard output carries the protocol and nothing else: whatever else is printed, by whomever, goes to standard error.
"""

import contextlib
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
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
from tengen.interfaces.gtp.desk import Desk, NoEngine
from tengen.interfaces.gtp.go import GoCommands
from tengen.interfaces.gtp.gogui import GoGui
from tengen.interfaces.gtp.gomill import Gomill
from tengen.interfaces.gtp.kata import Kata
from tengen.interfaces.gtp.kgs import Kgs
from tengen.interfaces.gtp.play import Clocks, Play
from tengen.interfaces.gtp.protocol import Closed, Command, Conversation, Stream, read_ahead

if TYPE_CHECKING:
    from tengen.interfaces.gtp.engine import Engine
    from tengen.interfaces.gtp.session import Session

READ_AT_ONCE = 65536
PAUSE = 0.25
"""Seconds without input after which its end means that a client has gone, and not that a batch of commands is over."""
LAST_ANSWERS = 5.0
"""Seconds that the commands under way have to end when the client has gone; they are interrupted."""
ENDING = 0.5
"""Seconds that the loading thread has to end, if it is idle."""
LIZZIE_VERSION = "0.17"
"""Lizzie refuses to work with a version of Leela Zero below 0.15, and takes every engine for one."""


@dataclass(frozen=True)
class Settings:
    """How the engine is to play and to speak."""

    game: str = DEFAULT_GAME
    size: int | None = None
    komi: float | None = None
    player: str = ""
    """Who plays; if empty, the default player of the game."""
    seconds: float = 2.0
    resign: float | None = None
    ponder: bool = False
    compat: str = ""


def make(settings: Settings, now: Callable[[], float] = time.perf_counter) -> "tuple[Session, Engine]":
    """The session and the engine; takes a second, since all of the search is imported for them."""
    from tengen.interfaces.gtp.engine import Engine
    from tengen.interfaces.gtp.session import Session
    from tengen.players import parse_player

    game = make_game(settings.game, settings.size, komi=settings.komi)
    spec = parse_player(settings.player or game.default_player)
    engine = Engine(spec, seconds=settings.seconds, ponders=settings.ponder, now=now)
    if settings.resign is not None:
        engine.change(engine.spec.with_settings(resign=settings.resign))
    session = Session(game)
    if settings.size is not None or not game.suits_go_clients:  # clients for Go may name a board that the player is for
        engine.player(game)  # so that one which cannot play the game is told of at once
    return session, engine


def converse(
    settings: Settings,
    write: Callable[[str], None],
    log: TextIO | None = None,
    now: Callable[[], float] = time.perf_counter,
) -> tuple[Conversation, Desk]:
    """A conversation that knows all commands of the game, and the desk that they work on; `now` tells the time."""
    desk = Desk(lambda: make(settings, now))
    version = LIZZIE_VERSION if settings.compat == "lizzie" else __version__
    conversation = Conversation(write, "Tengen", version, (TengenError, OSError), log)
    play, clocks = Play(desk, conversation.input, now), Clocks(desk)
    kgs, analysis = Kgs(desk, play, clocks), AnalysisCommands(desk, play, conversation.input, now)
    kata, cgos, gogui, go = Kata(desk, kgs), Cgos(desk, play), GoGui(desk, play), GoCommands(desk)
    conversation.add(play.commands() | clocks.commands() | Gomill(desk).commands(), analysis.streams())
    conversation.add(kata.parameter_commands() | gogui.commands())

    def commands_of_the_game() -> tuple[dict[str, Command], dict[str, Stream]]:
        game = game_class(settings.game)
        commands = go.komi_commands() if game.has_komi else {}
        commands |= go.handicap_commands() if game.has_handicap else {}
        commands |= go.record_commands() if game.records() else {}
        if not game.suits_go_clients:
            return commands | gogui.rules_commands(), {}
        commands |= go.status_commands() | gogui.setup_commands()
        return commands | kgs.commands() | kata.commands() | cgos.commands(), cgos.streams()

    conversation.add_later(commands_of_the_game)
    return conversation, desk


def serve(settings: Settings, log: Path | None = None) -> int:
    """Speak the protocol on standard input and output until the end; returns the exit code."""
    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(_opened(log)) if log else None
        conversation, desk = converse(settings, _private_output(), kept)
        compiler = BackgroundCompiler()
        delay = FIRST_DELAY if settings.size is None else 0.0
        loading = threading.Thread(
            target=desk.load,
            args=(compiler, lambda: conversation.input.is_abandoned, delay),
            daemon=True,
            name="gtp-loading",
        )
        loading.start()
        code = 0
        try:
            read_ahead(conversation, _standard_input(), lambda: _abandon(desk))
            _hear_interrupts(conversation)
            conversation.run(lambda: _ponder(conversation, desk))
            if desk.is_ready:
                desk.engine.dismiss()
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
    if loading.is_alive():  # a half-imported library, or a compiler at work, cannot be taken down in order
        sys.stderr.flush()
        os._exit(code)
    return code


def _abandon(desk: Desk) -> None:
    """End the program, which nobody needs any more: in order if it can, else while it waits for whatever it may be."""
    desk.abandon()
    time.sleep(LAST_ANSWERS)
    desk.abandon()
    os._exit(0)


def _opened(log: Path) -> TextIO:
    try:
        return log.open("a", encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise TengenError(f"{shortened(log, 160)} cannot be written: {error.strerror}") from None


def _ponder(conversation: Conversation, desk: Desk) -> bool:
    """Think in the other side's time, if that is wanted."""
    return desk.is_ready and desk.engine.ponder(desk.session.position, lambda: conversation.input.is_waiting)


def _private_output() -> Callable[[str], None]:
    """What writes to standard output; everybody else's output goes to standard error from now on."""
    sys.stdout.flush()
    private = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    def write(text: str) -> None:
        rest = text.encode(errors="backslashreplace")
        try:
            while rest:
                rest = rest[os.write(private, rest) :]
        except OSError:
            raise Closed from None

    return write


def _standard_input() -> Iterator[bytes | None]:
    """Bytes as they come, and None where none have come for PAUSE seconds.

    Read without Python's buffers, which could not be left while a thread waits for them.
    """
    with contextlib.suppress(OSError):
        while True:
            if sys.platform != "win32" and not select.select([0], [], [], PAUSE)[0]:
                yield None
            piece = os.read(0, READ_AT_ONCE)
            if not piece:
                return
            yield piece


def _hear_interrupts(conversation: Conversation) -> None:
    """Let an interrupt end the command under way, as GoGui wants it; if there is none, or it goes on, the program."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        if not conversation.is_busy or conversation.input.is_interrupted:
            raise KeyboardInterrupt
        conversation.input.interrupt()

    signal.signal(signal.SIGINT, interrupt)
