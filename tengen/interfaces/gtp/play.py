"""Commands that set up and play games of every kind."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tengen.interfaces.gtp.arguments import expect, number, whole_number
from tengen.interfaces.gtp.desk import Desk
from tengen.interfaces.gtp.protocol import Command, CommandError, Input

if TYPE_CHECKING:
    from tengen.games.clock import Clock
    from tengen.games.game import Position


class Play:
    """Boards, moves and their undoing."""

    def __init__(self, desk: Desk, source: Input, now: Callable[[], float] = time.perf_counter):
        self.desk, self.input, self.now = desk, source, now
        self.watch: Callable[[], None] = lambda: None
        """Called every few milliseconds while a move is looked for."""

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
        session = self.desk.session
        try:
            game = session.game.with_gtp_board_size(sizes.pop())
        except ValueError as error:
            raise CommandError(f"unacceptable size: {error}") from None
        self.desk.compile_ahead(game)  # first, since a new kind of board has itself to be compiled
        session.begin(game)
        self.desk.engine.new_game()
        return ""

    def query_boardsize(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        return str(self.desk.session.game.gtp_board_size)

    def clear_board(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        self.desk.compile_ahead(self.desk.session.game)
        self.desk.session.begin()
        self.desk.engine.new_game()
        return ""

    def play(self, arguments: list[str]) -> str:
        expect(arguments, 2, None, "a color and a vertex")
        self.desk.session.play(*arguments)
        return ""

    def is_legal(self, arguments: list[str]) -> str:
        """As GNU Go defines it: 1 if `play` would accept the move, else 0."""
        expect(arguments, 2, None, "a color and a vertex")
        return str(int(self.desk.session.is_legal(*arguments)))

    def all_legal(self, arguments: list[str]) -> str:
        """As GNU Go defines it: the points that a side may play on. A pass is no point."""
        expect(arguments, 1, None, "a color")
        session = self.desk.session
        return " ".join(map(session.vertex, session.legal_points(arguments[0])))

    def undo(self, arguments: list[str]) -> str:
        expect(arguments, 0, 1, "the number of moves to take back")
        self.desk.session.undo(whole_number(arguments[0], "a number of moves") if arguments else 1)
        return ""

    def genmove(self, arguments: list[str]) -> str:
        expect(arguments, 0, 1, "a color")
        return self.vertex(self.move(arguments[0] if arguments else None, self.desk.engine.choose_number))

    def move(self, colour: str | None, choose: "Callable[[Position, Clock | None, Callable[[], bool]], int]") -> int:
        """Let a side's move be chosen, in its time, and play it."""
        session = self.desk.session
        if session.position.is_over:
            raise CommandError("the game is over, so there is no move to generate")
        return self.move_on(colour, choose)

    def move_on(self, colour: str | None, choose: "Callable[[Position, Clock | None, Callable[[], bool]], int]") -> int:
        """The same, also after two passes."""
        from tengen.games.player import RESIGN

        began, session = self.now(), self.desk.session
        position = session.position_for(colour)
        clock = session.clock(position.to_play)
        move = choose(position, clock, self.stopped)
        if move != RESIGN:
            session.play_number(position.to_play, move)
        if clock is not None:
            clock.spend(self.now() - began)
        return move

    def stopped(self) -> bool:
        """Whether somebody wants the search to end."""
        self.watch()
        return self.input.is_interrupted

    def vertex(self, move: int) -> str:
        """A move, or RESIGN, as the protocol writes it."""
        from tengen.games.player import choice_name

        session = self.desk.session
        return session.vertex(choice_name(session.game, move))

    def reg_genmove(self, arguments: list[str]) -> str:
        expect(arguments, 0, 1, "a color")
        session = self.desk.session
        if session.position.is_over:
            raise CommandError("the game is over, so there is no move to generate")
        position = session.position_for(arguments[0] if arguments else None)
        return self.vertex(self.desk.engine.choose_number(position, None, self.stopped))

    def showboard(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        session = self.desk.session
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
        self.desk.engine.reseed(seed)
        return ""

    def get_random_seed(self, arguments: list[str]) -> str:
        expect(arguments, 0, None, "")
        engine = self.desk.engine
        return str(getattr(engine.spec.config, "seed", 0) if engine.seed is None else engine.seed)


class Clocks:
    """Commands about time."""

    def __init__(self, desk: Desk):
        self.desk = desk

    def commands(self) -> dict[str, Command]:
        return {"time_settings": self.time_settings, "time_left": self.time_left}

    def time_settings(self, arguments: list[str]) -> str:
        expect(arguments, 3, None, "main time, overtime and stones")
        main, overtime = (seconds(word) for word in arguments[:2])
        self.set_control(main, overtime, stones=whole_number(arguments[2], "a number of stones"))
        return ""

    def set_control(self, main: float, overtime: float = 0.0, stones: int = 1, periods: int = 1) -> None:
        """By the protocol, an overtime in which no stone need be played means no limit; so does no time at all."""
        from tengen.games.clock import TimeControl

        if min(stones, periods) < 0:
            raise CommandError("syntax error: numbers of stones and periods are 0 or more")
        unlimited = (overtime > 0 and min(stones, periods) == 0) or main + overtime == 0
        if unlimited:
            self.desk.session.set_control(None)
        else:
            self.desk.session.set_control(TimeControl(main, overtime, max(1, periods), stones if overtime else 1))

    def time_left(self, arguments: list[str]) -> str:
        expect(arguments, 2, 3, "a color, seconds and stones")
        stones = whole_number(arguments[2], "a number of stones") if len(arguments) == 3 else 0
        left = number(arguments[1], "a time")
        self.desk.session.set_left(arguments[0], min(max(0.0, left), LONGEST), max(0, stones))
        return ""


LONGEST = 1e7
"""Seconds that a clock can show: what is longer counts as that."""


def seconds(text: str) -> float:
    """A time, cut to what clocks can show."""
    value = number(text, "a time")
    if value < 0:
        raise CommandError("syntax error: a time is 0 or more")
    return min(value, LONGEST)
