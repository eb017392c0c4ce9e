"""A player that asks a GTP engine."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from tengen.engines.gtp import EngineFault, GtpEngine, find_program
from tengen.errors import TengenError, shortened
from tengen.games.clock import Clock, TimeControl
from tengen.games.game import BadNotation, Game, Position, colour_index
from tengen.games.player import RESIGN, Player
from tengen.options import option

GRACE = 0.5
"""Seconds to wait for an engine after its time is up, so that delays of the communication do not lose the game."""

SEED = "{seed}"
"""In a command, replaced by a game's seed. The engine is then restarted for each game."""

LONGEST_NAME = 100
"""Maximum length of an engine's name or version in characters."""

LARGEST_SEED = 2**31 - 1
"""Bound of the seeds sent to engines, which often store them in 32 bits."""


@dataclass(frozen=True)
class GtpConfig:
    """A GTP engine, given by the command that starts it."""

    command: str = option("", "command that starts the engine; {seed} is replaced by each game's seed")
    timeout: float = option(600.0, "seconds after which a command without an answer is a fault", low=0.01, high=1e6)
    passes: bool = option(True, "send passes to the engine; some engines for Othello play forced passes themselves")


class GtpPlayer(Player):
    """Plays the moves of an engine. Raises EngineFault if it fails; the next game then starts a new engine."""

    def __init__(
        self,
        command: str,
        game: Game,
        timeout: float,
        *,
        passes: bool = True,
        now: Callable[[], float] = time.monotonic,
    ):
        """`now` returns the time in seconds, for the time limits of commands."""
        self.command, self.game, self.timeout, self.passes, self._now = command, game, timeout, passes, now
        self._seeded = SEED in command
        self._engine = GtpEngine(find_program(command.replace(SEED, "0")), now)
        self._played: list[tuple[str, int]] | None = None
        self._start: bytes | None = None
        self._told: TimeControl | None = None
        self._deadline: float | None = None
        self.version = ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.game}, {self.command!r}>"

    def new_game(self, seed: int | None = None) -> None:
        """Start the engine if necessary, anew if its command takes a seed, and prepare it for the first move."""
        if self._seeded:
            self._engine.close()
            number = (1 if seed is None else seed) % LARGEST_SEED
            self._engine = GtpEngine(find_program(self.command.replace(SEED, str(number))), self._now)
        self._told = None
        if not self._engine.is_running:
            self._engine.start()
            self.version = " ".join(filter(None, map(self._told_of_itself, ("name", "version"))))
        self._set_up(self.game.start())
        if not self._seeded and seed is not None and self._knows("set_random_seed"):
            self._ask(f"set_random_seed {seed % LARGEST_SEED}")

    def choose_number(self, position: Position, clock: Clock | None = None) -> int:
        """Return the number of the engine's move, or RESIGN. The move may be illegal.

        With a clock, all commands together have the time that the clock allows for this move, plus GRACE. Raises
        EngineFault 'garbage' if the answer is not a move.
        """
        if position.is_over:
            raise TengenError("the game is over: there is no move to choose")
        if position.game != self.game:
            raise TengenError(f"this player was created for {self.game}, not for {position.game}")
        self._deadline = None if clock is None else self._now() + clock.most + GRACE
        try:
            return self._answer(position, clock)
        finally:
            self._deadline = None

    def _answer(self, position: Position, clock: Clock | None) -> int:
        if not self._engine.is_started:
            self.new_game()
        self._follow(position)
        if not self.passes and position.legal_moves() == ["pass"]:
            return position.move("pass")
        if clock is not None:
            self._tell_time(position.to_play, clock)
        answer = self._ask(f"genmove {position.to_play[0]}")
        if answer.lower() == "resign":
            self._played = None
            return RESIGN
        try:
            move = self.game.parse_vertex(answer)
        except BadNotation as error:
            self._played = None
            raise EngineFault("garbage", str(error)) from None
        if self._played is not None:
            self._played.append((position.to_play, move))
        return move

    def final_score(self, position: Position) -> float:
        """Return Black's margin at the end of a game by the engine's final_score."""
        if not self._engine.is_started:
            self.new_game()
        self._follow(position)
        answer = self._ask("final_score").strip().upper()
        if answer in ("0", "DRAW", "JIGO"):
            return 0.0
        sign, _, points = answer.partition("+")
        try:
            return {"B": 1, "W": -1}[sign] * float(points)
        except (KeyError, ValueError):
            raise EngineFault("garbage", f"the engine answered {shortened(answer)}, which is not a score") from None

    def close(self) -> None:
        """Quit the engine."""
        self._engine.close()

    def kill(self) -> None:
        """Kill the engine at once; may be called from any thread."""
        self._engine.kill()

    @property
    def _limit(self) -> float:
        """Return the time limit of the next command in seconds."""
        if self._deadline is None:
            return self.timeout
        return max(0.0, min(self.timeout, self._deadline - self._now()))

    def _ask(self, command: str) -> str:
        return self._engine.ask(command, self._limit)

    def _knows(self, command: str) -> bool:
        return self._engine.knows(command, self._limit)

    def _told_of_itself(self, command: str) -> str:
        """Return the engine's name or version in one line; empty if it does not answer."""
        try:
            answer = " ".join(self._ask(command).split())
            return "".join(filter(str.isprintable, answer))[:LONGEST_NAME]
        except EngineFault as fault:
            if fault.reason != "refusal":
                raise
            return ""

    def _set_up(self, start: Position) -> None:
        """Start a new game in the engine, with the stones that are on the board at its start."""
        game = self.game
        self._played = None
        if game.gtp_board_size:
            self._ask(f"boardsize {game.gtp_board_size}")
        self._ask("clear_board")
        for command in game.gtp_rules():
            self._ask(command)
        if start != game.start():
            self._place_stones(start)
        self._start, self._played = game.key(start.state), []

    def _place_stones(self, start: Position) -> None:
        """Play the stones of a position without moves, in any order."""
        game = self.game
        if not game.suits_go_clients:
            raise TengenError(f"an engine cannot be given a position of {game.name} without the moves that lead to it")
        cells = (cell for row in game.rows(start.state) for cell in row if cell is not None and cell.colour < 2)
        for move, colour in sorted((game.parse_move(cell.name), cell.colour) for cell in cells):
            self._tell_move(colour, move)

    def _tell_move(self, colour: int, move: int) -> None:
        self._ask(f"play {'bw'[colour]} {self.game.format_vertex(move).lower()}")

    def _follow(self, position: Position) -> None:
        """Bring the engine to a position: send the moves since the last one, or all of them for another game."""
        moves = [(played.colour, played.move) for played in position.history]
        start = position
        if moves:
            start = position.copy()
            while start.history:
                start.undo()
        known = self._played
        if known is None or moves[: len(known)] != known or self.game.key(start.state) != self._start:
            self._set_up(start)
            known = []
        for colour, move in moves[len(known) :]:
            if self.passes or self.game.format_move(move) != "pass":
                self._tell_move(colour_index(colour), move)
        self._played = moves

    def _tell_time(self, colour: str, clock: Clock) -> None:
        """Send the clock to the engine, with the commands of the protocol and its extensions that it supports."""
        if not (self._knows("time_settings") and self._knows("time_left")):
            return
        control = clock.control
        counts_periods = control.period > 0 and control.stones == 1 and self._knows("kgs-time_settings")
        if control != self._told:
            self._ask(self._time_settings(control, counts_periods))
            self._told = control
        if clock.in_overtime:
            stones = clock.periods_left if counts_periods else clock.stones_left
            self._ask(f"time_left {colour[0]} {_whole(clock.period_left)} {stones}")
        else:
            self._ask(f"time_left {colour[0]} {_whole(clock.main_left)} 0")

    def _time_settings(self, control: TimeControl, counts_periods: bool) -> str:
        main, period = _whole(control.main), _whole(control.period) if control.period else 0
        if counts_periods:
            return f"kgs-time_settings byoyomi {main} {period} {control.periods}"
        if control.increment and self._knows("kata-time_settings"):
            return f"kata-time_settings fischer {control.main:g} {control.increment:g}"
        return f"time_settings {main} {period} {control.stones if period else 0}"


def _whole(seconds: float) -> int:
    """Round to whole seconds, as the protocol requires, and at least 1, since 0 means no limit."""
    return max(1, int(seconds))
