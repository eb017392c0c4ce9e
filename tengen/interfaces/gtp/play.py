"""Commands that set up and play games, for every game."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tengen.interfaces.gtp.arguments import expect, number, whole_number
from tengen.interfaces.gtp.engine_loader import EngineLoader
from tengen.interfaces.gtp.protocol import Command, CommandError, Input

if TYPE_CHECKING:
    from tengen.games.clock import Clock
    from tengen.games.game import Position


class Play:
    """Commands for boards, moves and undo."""

    def __init__(self, loader: EngineLoader, source: Input, now: Callable[[], float] = time.perf_counter):
        self.loader, self.input, self.now = loader, source, now
        self.watch: Callable[[], None] = lambda: None
        """Called every few milliseconds during a search for a move."""

    def commands(self) -> dict[str, Command]:
        return {
            "boardsize": self.boardsize,
            "rectangular_boardsize": self.boardsize,
            "query_boardsize": self.query_boardsize,
            "clear_board": self.clear_board,
            "play": self.play,
            "is_legal": self.is_legal,
            "all_legal": self.all_legal,
            "undo": self.undo,
            "gg-undo": self.undo,
            "genmove": self.genmove,
            "reg_genmove": self.reg_genmove,
            "showboard": self.showboard,
            "cputime": self.cputime,
            "set_random_seed": self.set_random_seed,
            "get_random_seed": self.get_random_seed,
            "stop": lambda _: "",
        }

    def boardsize(self, arguments: list[str]) -> str:
        expect(arguments, 1, 2, "a board's size")
        sizes = {whole_number(word, "a size") for word in arguments}
        if len(sizes) > 1:
            raise CommandError("unacceptable size: boards that are not square are not supported")
        session = self.loader.session
        try:
            game = session.game.with_gtp_board_size(sizes.pop())
        except ValueError as error:
            raise CommandError(f"unacceptable size: {error}") from None
        self.loader.compile_ahead(game)  # first, since the kernels of a new board size must be compiled as well
        session.begin(game)
        self.loader.engine.new_game()
        return ""

    def query_boardsize(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        return str(self.loader.session.game.gtp_board_size)

    def clear_board(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        self.loader.compile_ahead(self.loader.session.game)
        self.loader.session.begin()
        self.loader.engine.new_game()
        return ""

    def play(self, arguments: list[str]) -> str:
        expect(arguments, 2, None, "a color and a vertex")
        self.loader.session.play(*arguments)
        return ""

    def is_legal(self, arguments: list[str]) -> str:
        """As GNU Go defines it: 1 if `play` would accept the move, else 0."""
        expect(arguments, 2, None, "a color and a vertex")
        return str(int(self.loader.session.is_legal(*arguments)))

    def all_legal(self, arguments: list[str]) -> str:
        """As GNU Go defines it: the points that a side may play on, without the pass."""
        expect(arguments, 1, None, "a color")
        session = self.loader.session
        return " ".join(map(session.vertex, session.legal_points(arguments[0])))

    def undo(self, arguments: list[str]) -> str:
        expect(arguments, 0, 1, "the number of moves to take back")
        self.loader.session.undo(whole_number(arguments[0], "a number of moves") if arguments else 1)
        return ""

    def genmove(self, arguments: list[str]) -> str:
        expect(arguments, 0, 1, "a color")
        return self.vertex(self.move(arguments[0] if arguments else None, self.loader.engine.choose_number))

    def move(self, colour: str | None, choose: "Callable[[Position, Clock | None, Callable[[], bool]], int]") -> int:
        """Choose a side's move with `choose`, charge its clock, and play it."""
        session = self.loader.session
        if session.position.is_over:
            raise CommandError("the game is over: there is no move to generate")
        return self.move_on(colour, choose)

    def move_on(self, colour: str | None, choose: "Callable[[Position, Clock | None, Callable[[], bool]], int]") -> int:
        """Like `move`, also after two passes."""
        from tengen.games.player import RESIGN

        began, session = self.now(), self.loader.session
        position = session.position_for(colour)
        clock = session.clock(position.to_play)
        move = choose(position, clock, self.stopped)
        if move != RESIGN:
            session.play_number(position.to_play, move)
        if clock is not None:
            clock.spend(self.now() - began)
        return move

    def stopped(self) -> bool:
        """Whether the search is to end."""
        self.watch()
        return self.input.is_interrupted

    def vertex(self, move: int) -> str:
        """Return a move, or RESIGN, in the protocol's notation."""
        from tengen.games.player import choice_name

        session = self.loader.session
        return session.vertex(choice_name(session.game, move))

    def reg_genmove(self, arguments: list[str]) -> str:
        expect(arguments, 0, 1, "a color")
        session = self.loader.session
        if session.position.is_over:
            raise CommandError("the game is over: there is no move to generate")
        position = session.position_for(arguments[0] if arguments else None)
        return self.vertex(self.loader.engine.choose_number(position, None, self.stopped))

    def showboard(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        session = self.loader.session
        position = session.position
        state = "the game is over" if position.is_over else f"{position.to_play} to play"
        return f"\n{position.diagram()}\n{state}, {len(position.history)} moves, {session.game}"

    def cputime(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        return f"{time.process_time():.3f}"

    def set_random_seed(self, arguments: list[str]) -> str:
        expect(arguments, 1, None, "a seed")
        seed = whole_number(arguments[0], "a seed")
        if seed < 0:
            raise CommandError("syntax error: a seed is 0 or more")
        self.loader.engine.reseed(seed)
        return ""

    def get_random_seed(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        engine = self.loader.engine
        return str(getattr(engine.spec.config, "seed", 0) if engine.seed is None else engine.seed)


class Clocks:
    """Commands for time settings."""

    def __init__(self, loader: EngineLoader):
        self.loader = loader

    def commands(self) -> dict[str, Command]:
        return {"time_settings": self.time_settings, "time_left": self.time_left}

    def time_settings(self, arguments: list[str]) -> str:
        expect(arguments, 3, None, "main time, overtime and stones")
        main, overtime = (seconds(word) for word in arguments[:2])
        self.set_control(main, overtime, stones=whole_number(arguments[2], "a number of stones"))
        return ""

    def set_control(self, main: float, overtime: float = 0.0, stones: int = 1, periods: int = 1) -> None:
        """Set both clocks. As the protocol defines, overtime without stones, or no time at all, means no limit."""
        from tengen.games.clock import TimeControl

        if min(stones, periods) < 0:
            raise CommandError("syntax error: numbers of stones and periods are 0 or more")
        unlimited = (overtime > 0 and min(stones, periods) == 0) or main + overtime == 0
        if unlimited:
            self.loader.session.set_control(None)
        else:
            self.loader.session.set_control(TimeControl(main, overtime, max(1, periods), stones if overtime else 1))

    def time_left(self, arguments: list[str]) -> str:
        expect(arguments, 2, 3, "a color, seconds and stones")
        stones = whole_number(arguments[2], "a number of stones") if len(arguments) == 3 else 0
        left = number(arguments[1], "a time")
        self.loader.session.set_left(arguments[0], min(max(0.0, left), LONGEST), max(0, stones))
        return ""


LONGEST = 1e7
"""Maximum of a clock in seconds; longer times are cut to it."""


def seconds(text: str) -> float:
    """Parse a time in seconds, at most LONGEST."""
    value = number(text, "a time")
    if value < 0:
        raise CommandError("syntax error: a time is 0 or more")
    return min(value, LONGEST)
