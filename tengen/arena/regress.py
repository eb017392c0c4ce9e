"""Suites of problems: files of GTP commands in which `#? [answer]` after a command gives its expected answer.

    loadsgf games/blunder.sgf 33
    10 reg_genmove w
    #? [J1|H2]*

The expected answer is a regular expression for the whole answer, ignoring case; a leading `!` negates it, and a star
after the brackets means that the program of the suite's author failed there. A suite is split into segments. Each
begins with a fresh board (loadsgf, boardsize or clear_board) and is preceded by the settings, board size and komi in
effect, so that it can be run alone. Malformed lines are skipped and reported.
"""

import inspect
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from tengen.arena.plans import seed_of
from tengen.arena.worker import make_ready
from tengen.engines.gtp import EngineFault, GtpEngine, find_program
from tengen.engines.gtp_player import GtpConfig
from tengen.errors import TengenError, shortened
from tengen.files import Unreadable, read_text
from tengen.games.catalogue import make_game
from tengen.games.game import Game
from tengen.players import Player, PlayerSpec, parse_player

EXPECTED = re.compile(r"#\?\s*\[(?P<answer>.*)\]\s*(?P<star>\*?)\s*$")
FRESH_BOARD = ("loadsgf", "boardsize", "clear_board")
ON_BOARD = (*FRESH_BOARD, "komi", "play", "undo", "genmove")
"""Commands about the game in progress; all others are persistent settings or questions."""
QUESTIONS = ("reg_genmove", "is_legal")
"""Prefixes of the names of questions."""
KO_RULES = {"simple": "simple", "superko": "situational", "pos_superko": "positional"}


FIRST_BOARD = 19
"""The size of the board before a suite names one."""
SHIPPED = Path(__file__).parents[1] / "data" / "problems.tst"
"""The suite that comes with the package."""


class BadSuite(TengenError):
    """A suite, or a line of one, that is not valid."""


@dataclass(frozen=True)
class Problem:
    """A command with a known answer."""

    number: str
    command: str
    expected: str
    was_failed: bool
    """Whether the program of the suite's author failed here (a star after the brackets)."""
    line: int = field(default=0, compare=False)
    """The line number of its answer in the suite."""

    def is_solved_by(self, answer: str) -> bool:
        pattern = self.expected.removeprefix("!")
        matches = re.fullmatch(pattern, answer.strip(), re.IGNORECASE) is not None
        return not answer.startswith("?") and matches != self.expected.startswith("!")


@dataclass(frozen=True)
class Segment:
    """Commands and problems that belong to one fresh board."""

    suite: str
    folder: str
    steps: tuple[str | Problem, ...]

    @property
    def problems(self) -> list[Problem]:
        return [step for step in self.steps if isinstance(step, Problem)]


@dataclass(frozen=True)
class Suite:
    """The segments of a file, and messages about its malformed lines."""

    segments: list[Segment]
    faults: list[str]

    @property
    def problems(self) -> list[Problem]:
        return [problem for segment in self.segments for problem in segment.problems]


@dataclass(frozen=True)
class Attempt:
    """The answer to a problem."""

    suite: str
    number: str
    command: str
    expected: str
    was_failed: bool
    answer: str
    solved: bool
    seconds: float
    line: int = 0

    @property
    def was_answered(self) -> bool:
        return not self.answer.startswith("?")

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def read_suite(path: Path, name: str = "") -> Suite:
    """Read a suite; segments without problems and malformed lines are left out.

    The default name is that of the file. Raises BadSuite if the file cannot be read or has no problem.
    """
    try:
        lines = read_text(path, errors="replace").splitlines()
    except Unreadable as error:
        raise BadSuite(str(error)) from None
    reader = _Reader()
    for number, line in enumerate(lines, 1):
        try:
            reader.read(number, line.strip())
        except BadSuite as error:
            reader.faults.append(f"{shortened(path, 160)[1:-1]}, line {number}: {error}")
    made = [Segment(name or path.stem, str(path.parent.resolve()), tuple(steps)) for steps in reader.segments]
    made = [segment for segment in made if segment.problems]
    if not made:
        also = f"; {reader.faults[0]}" if reader.faults else ""
        raise BadSuite(f"{shortened(path, 160)} has no problem: no line '#? [answer]' after a command{also}")
    return Suite(made, reader.faults)


def _is_setting(name: str) -> bool:
    return name not in ON_BOARD and not name.startswith(QUESTIONS)


@dataclass
class _Standing:
    """The settings that remain in effect after a fresh board."""

    settings: list[str] = field(default_factory=list)
    size: list[str] = field(default_factory=list)
    """The command that set the board size: boardsize or loadsgf."""
    komi: list[str] = field(default_factory=list)

    def note(self, name: str, text: str) -> None:
        if name in ("boardsize", "loadsgf"):
            self.size = [text]
            self.komi = self.komi if name == "boardsize" else []
        elif name == "komi":
            self.komi = [text]
        elif _is_setting(name):
            self.settings.append(text)

    def forget(self, steps: list[str | Problem]) -> None:
        """Remove the last command from the settings if it turned out to be a problem."""
        if steps and self.settings[-1:] == steps:
            self.settings.pop()

    def before(self, name: str) -> list[str | Problem]:
        """Return the commands that restore the present settings before a fresh board by the command `name`."""
        size = self.size if name == "clear_board" else []
        return [*self.settings, *size, *(self.komi if name != "loadsgf" else [])]


def _without_id(line: str) -> tuple[str, str]:
    """Split a line into the command's number, which may be empty, and the command."""
    found = re.match(r"(\d*)\s*(.*)", line.partition("#")[0].strip())
    assert found is not None
    return found[1], found[2]


@dataclass
class _Reader:
    """A parser that is given the lines of a suite one by one."""

    standing: _Standing = field(default_factory=_Standing)
    segments: list[list[str | Problem]] = field(default_factory=lambda: [[]])
    is_fresh: bool = True
    """Whether no command has changed the board since it was created."""
    faults: list[str] = field(default_factory=list)
    is_lost: bool = False
    """Whether the last command was malformed, so that a following answer belongs to no command."""

    def read(self, number: int, text: str) -> None:
        """Process a line: an answer, a command, or a comment. Raise BadSuite if it is malformed."""
        if text.startswith("#?"):
            self._read_answer(number, text)
        elif text and not text.startswith("#"):
            self._read_command(text)

    def _read_answer(self, number: int, text: str) -> None:
        """Turn the preceding command into a problem. A question with a malformed answer is removed."""
        steps = self.segments[-1]
        if self.is_lost or not steps or isinstance(steps[-1], Problem):
            raise BadSuite(f"{shortened(text)} follows no command")
        self.standing.forget(steps[-1:])
        identifier, command = _without_id(steps[-1])
        try:
            answer, was_failed = _expected(text)
        except BadSuite:
            if command.startswith(QUESTIONS):
                steps.pop()
            raise
        steps[-1] = Problem(identifier or f"line {number}", command, answer, was_failed, number)

    def _read_command(self, text: str) -> None:
        command = _without_id(text)[1].partition(" ")[0]
        self.is_lost = not command
        if not command:
            raise BadSuite(f"{shortened(text)} has no command")
        if command in FRESH_BOARD and not self.is_fresh:
            self.segments.append(self.standing.before(command))
        may_precede = command == "komi" or _is_setting(command)
        self.is_fresh = command in FRESH_BOARD or (self.is_fresh and may_precede)
        self.standing.note(command, text)
        self.segments[-1].append(text)


def _expected(text: str) -> tuple[str, bool]:
    """Return the regular expression of an expected answer, and whether it has a star."""
    found = EXPECTED.match(text)
    if not found:
        raise BadSuite(f"{shortened(text)} is not an answer in brackets, as in #? [A1|B2]")
    try:
        re.compile(found["answer"].removeprefix("!"))
    except re.error as error:
        raise BadSuite(f"{shortened(found['answer'])} is not a regular expression: {error}") from None
    return found["answer"], bool(found["star"])


def boards_of(segments: list[Segment]) -> set[Game]:
    """Return the games of all reg_genmove problems, one for each board size."""
    games: dict[int, Game] = {}
    for segment in segments:
        board = _Board(segment, parse_player("random"), parse_player("random").make)
        for step in segment.steps:
            if isinstance(step, str):
                board.answer(_without_id(step)[1])
            elif step.command.startswith("reg_genmove"):
                games.setdefault(board.position.game.size_value, board.position.game)
    return set(games.values())


class Candidate:
    """A worker that answers the problems of a segment, with a player of this package or with an engine."""

    def __init__(self, spec: str):
        self.spec = parse_player(spec)
        self._engine: GtpEngine | None = None
        self._players: dict[Game, Player] = {}

    def __call__(self, segment: Segment) -> list[Attempt]:
        if isinstance(self.spec.config, GtpConfig):
            return list(self._attempts(segment, self._ask_engine(segment, self.spec.config)))
        board = _Board(segment, self.spec, self._player)
        return list(self._attempts(segment, board.answer, board.get_ready))

    def _attempts(
        self, segment: Segment, answer: Callable[[str], str], get_ready: Callable[[], None] = lambda: None
    ) -> Iterator[Attempt]:
        refused = ""
        for step in segment.steps:
            if isinstance(step, str):
                command = _without_id(step)[1]
                said = answer(command)
                if said.startswith("?") and command.split()[0] in ON_BOARD:
                    refused = refused or f"? not asked, since {shortened(command)} was refused: {said[1:].strip()}"
                continue
            if step.command.startswith("reg_genmove"):
                get_ready()
            began = time.perf_counter()
            said = refused or answer(step.command)
            seconds = round(time.perf_counter() - began, 3)
            solved = step.is_solved_by(said)
            about = step.number, step.command, step.expected, step.was_failed
            yield Attempt(segment.suite, *about, said, solved, seconds, step.line)

    def _player(self, game: Game) -> Player:
        """Return the player for a game; at most four are kept."""
        if game not in self._players:
            if len(self._players) > 3:
                self._players.pop(next(iter(self._players)))
            make_ready(self.spec, game)
            self._players[game] = self.spec.make(game)
        return self._players[game]

    def _ask_engine(self, segment: Segment, config: GtpConfig) -> Callable[[str], str]:
        """Return a function that asks the engine, restarted if needed; a fault is returned as an answer with '?'."""
        if self._engine is None:
            self._engine = GtpEngine(find_program(config.command.replace("{seed}", "1")))
        engine = self._engine
        if not engine.is_running:
            engine.start()

        def ask(command: str) -> str:
            name, _, arguments = command.partition(" ")
            if name == "loadsgf":
                command = f"loadsgf {Path(segment.folder) / arguments}"
            try:
                return engine.ask(command, config.timeout)
            except EngineFault as fault:
                return f"? {fault}"

        return ask

    def kill(self) -> None:
        if self._engine is not None:
            self._engine.kill()


@dataclass
class _Board:
    """Executes the commands of a segment on a position."""

    segment: Segment
    spec: PlayerSpec
    player_for: Callable[[Game], Player]
    rules: Game = field(default_factory=lambda: make_game(size=FIRST_BOARD))
    """The game that records are read by, and boards are made of."""

    def __post_init__(self) -> None:
        self.position = self.rules.start()

    def answer(self, command: str) -> str:
        """Execute a command; return the answer, with '?' in front if it failed."""
        name, *arguments = command.split()
        handler = getattr(self, f"_do_{name}", None)
        if handler is None:
            return "? unknown command"
        try:
            inspect.signature(handler).bind(*arguments)
            return str(handler(*arguments))
        except TengenError as error:
            return f"? {error}"
        except (ValueError, TypeError, KeyError):
            return f"? invalid arguments: {shortened(command)}"

    def get_ready(self) -> None:
        """Make the player for the present board, so that compiling does not count as thinking time.

        An error is ignored here; it is raised again when the player is asked for a move.
        """
        with suppress(TengenError):
            self.player_for(self.position.game)

    def _do_loadsgf(self, file: str, before: str = "") -> str:
        """Load a record up to the move before number `before`; if it breaks the rules in effect, with simple ko."""
        path, moves = Path(self.segment.folder) / file, int(before) - 1 if before else None
        if moves is not None and moves < 0:
            raise TengenError(f"moves are numbered from 1, not {before}")
        records = self.rules.records()
        assert records is not None
        self.position = records.read(path, self.rules, moves)
        return ""

    def _do_boardsize(self, size: str) -> str:
        before, board = self.position.game, self.rules.with_gtp_board_size(int(size))
        self.position = _with_options(board, komi=before.to_json()["komi"]).start()
        return ""

    def _do_clear_board(self) -> str:
        self.position = self.position.game.start()
        return ""

    def _do_komi(self, komi: str) -> str:
        return self._with_rules(komi=float(komi))

    def _do_go_param_rules(self, key: str, value: str) -> str:
        if key != "ko_rule":
            return ""
        self.rules = _with_options(self.rules, ko=KO_RULES[value])
        return self._with_rules(ko=KO_RULES[value])

    def _do_play(self, colour: str, move: str) -> str:
        self.position.give_turn(colour)
        self.position.play(self.position.game.parse_vertex(move))
        return ""

    def _do_undo(self) -> str:
        self.position.undo()
        return ""

    def _do_is_legal(self, colour: str, move: str) -> str:
        position = self.position.copy()
        position.give_turn(colour)
        return str(int(position.is_legal(position.game.parse_vertex(move))))

    def _do_reg_genmove(self, colour: str) -> str:
        position = self.position.copy()
        position.give_turn(colour)
        player = self.player_for(position.game)
        player.new_game(seed_of(self.segment.suite, len(position.history), str(self.spec)))
        return player.choose(position)

    def _with_rules(self, **changes: Any) -> str:
        """Replay the position with changed rules."""
        self.position = self.position.under(_with_options(self.position.game, **changes))
        return ""


def _with_options(game: Game, **options: Any) -> Game:
    """The game with other options, which suites take for granted."""
    return replace(game, **options)
