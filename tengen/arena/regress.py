"""Suites of problems: files of GTP commands in which `#? [answer]` follows a command whose answer is known.

    loadsgf games/blunder.sgf 33
    10 reg_genmove w
    #? [J1|H2]*

The expected answer is a regular expression for the whole answer, in any case; `!` before it turns it round, and a star
after the brackets says that its author's program failed there. A suite falls into stretches. Each begins with a fresh
board (loadsgf, boardsize or clear_board) and can be run by itself, after the settings, the size and the komi that stand
before it. A malformed line is left out and reported.
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
"""Commands about the game in progress; others are settings, which stay, or questions."""
QUESTIONS = ("reg_genmove", "is_legal")
"""How the names of questions begin."""
KO_RULES = {"simple": "simple", "superko": "situational", "pos_superko": "positional"}


FIRST_BOARD = 19
"""The size of the board before a suite names one."""
SHIPPED = Path(__file__).parents[1] / "data" / "problems.tst"
"""The suite that comes with the package."""


class BadSuite(TengenError):
    """A suite, or a line of one, that cannot be used."""


@dataclass(frozen=True)
class Problem:
    """A command with a known answer."""

    number: str
    command: str
    expected: str
    was_failed: bool
    """Whether the suite's author's program failed here."""
    line: int = field(default=0, compare=False)
    """Where its answer stands in the suite."""

    def is_solved_by(self, answer: str) -> bool:
        pattern = self.expected.removeprefix("!")
        matches = re.fullmatch(pattern, answer.strip(), re.IGNORECASE) is not None
        return not answer.startswith("?") and matches != self.expected.startswith("!")


@dataclass(frozen=True)
class Stretch:
    """Commands that belong together, and the problems among them."""

    suite: str
    folder: str
    steps: tuple[str | Problem, ...]

    @property
    def problems(self) -> list[Problem]:
        return [step for step in self.steps if isinstance(step, Problem)]


@dataclass(frozen=True)
class Suite:
    """The stretches of a file, and its malformed lines: where each is, and what is wrong with it."""

    stretches: list[Stretch]
    faults: list[str]

    @property
    def problems(self) -> list[Problem]:
        return [problem for stretch in self.stretches for problem in stretch.problems]


@dataclass(frozen=True)
class Attempt:
    """What was answered to a problem."""

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
    """Return the stretches of a suite that have problems, and its malformed lines, which are left out.

    Without a name, it is called like its file. A file that cannot be read, or has no problem, is a BadSuite.
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
    made = [Stretch(name or path.stem, str(path.parent.resolve()), tuple(steps)) for steps in reader.stretches]
    made = [stretch for stretch in made if stretch.problems]
    if not made:
        also = f"; {reader.faults[0]}" if reader.faults else ""
        raise BadSuite(f"{shortened(path, 160)} has no problem: no line '#? [answer]' after a command{also}")
    return Suite(made, reader.faults)


def _is_setting(name: str) -> bool:
    return name not in ON_BOARD and not name.startswith(QUESTIONS)


@dataclass
class _Standing:
    """The commands that still hold when a fresh board is asked for."""

    settings: list[str] = field(default_factory=list)
    size: list[str] = field(default_factory=list)
    """What gave the board its size: boardsize, or a record."""
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
        """The last command was a problem's: it sets nothing for others."""
        if steps and self.settings[-1:] == steps:
            self.settings.pop()

    def before(self, name: str) -> list[str | Problem]:
        """What has to be said before a fresh board by this command, so that it is as after all that went before."""
        size = self.size if name == "clear_board" else []
        return [*self.settings, *size, *(self.komi if name != "loadsgf" else [])]


def _without_id(line: str) -> tuple[str, str]:
    """A command's number, if it has one, and the command."""
    found = re.match(r"(\d*)\s*(.*)", line.partition("#")[0].strip())
    assert found is not None
    return found[1], found[2]


@dataclass
class _Reader:
    """Takes the lines of a suite one by one."""

    standing: _Standing = field(default_factory=_Standing)
    stretches: list[list[str | Problem]] = field(default_factory=lambda: [[]])
    is_fresh: bool = True
    """Whether nothing has happened on the board since it was made."""
    faults: list[str] = field(default_factory=list)
    is_lost: bool = False
    """Whether the last command was malformed, so that an answer would belong to none."""

    def read(self, number: int, text: str) -> None:
        """Take a line: an answer, a command, or a comment. Raise BadSuite if it is malformed."""
        if text.startswith("#?"):
            self._read_answer(number, text)
        elif text and not text.startswith("#"):
            self._read_command(text)

    def _read_answer(self, number: int, text: str) -> None:
        """Turn the command before into a problem. A question without a usable answer is not asked."""
        steps = self.stretches[-1]
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
            self.stretches.append(self.standing.before(command))
        may_precede = command == "komi" or _is_setting(command)
        self.is_fresh = command in FRESH_BOARD or (self.is_fresh and may_precede)
        self.standing.note(command, text)
        self.stretches[-1].append(text)


def _expected(text: str) -> tuple[str, bool]:
    """Return the regular expression of an answer, and whether the author's program failed there."""
    found = EXPECTED.match(text)
    if not found:
        raise BadSuite(f"{shortened(text)} is not an answer in brackets, as in #? [A1|B2]")
    try:
        re.compile(found["answer"].removeprefix("!"))
    except re.error as error:
        raise BadSuite(f"{shortened(found['answer'])} is not a regular expression: {error}") from None
    return found["answer"], bool(found["star"])


def boards_of(stretches: list[Stretch]) -> set[Game]:
    """The boards on which problems are asked, one of each size."""
    games: dict[int, Game] = {}
    for stretch in stretches:
        board = _Board(stretch, parse_player("random"), parse_player("random").make)
        for step in stretch.steps:
            if isinstance(step, str):
                board.answer(_without_id(step)[1])
            elif step.command.startswith("reg_genmove"):
                games.setdefault(board.position.game.size_value, board.position.game)
    return set(games.values())


class Candidate:
    """A worker that does stretches: with a player of ours, or by handing all commands on to an engine."""

    def __init__(self, spec: str):
        self.spec = parse_player(spec)
        self._engine: GtpEngine | None = None
        self._players: dict[Game, Player] = {}

    def __call__(self, stretch: Stretch) -> list[Attempt]:
        if isinstance(self.spec.config, GtpConfig):
            return list(self._attempts(stretch, self._ask_engine(stretch, self.spec.config)))
        board = _Board(stretch, self.spec, self._player)
        return list(self._attempts(stretch, board.answer, board.get_ready))

    def _attempts(
        self, stretch: Stretch, answer: Callable[[str], str], get_ready: Callable[[], None] = lambda: None
    ) -> Iterator[Attempt]:
        refused = ""
        for step in stretch.steps:
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
            yield Attempt(stretch.suite, *about, said, solved, seconds, step.line)

    def _player(self, game: Game) -> Player:
        """One player for each board and komi; the last few are kept."""
        if game not in self._players:
            if len(self._players) > 3:
                self._players.pop(next(iter(self._players)))
            make_ready(self.spec, game)
            self._players[game] = self.spec.make(game)
        return self._players[game]

    def _ask_engine(self, stretch: Stretch, config: GtpConfig) -> Callable[[str], str]:
        """Ask the engine, started anew if it has failed before; what it refuses is an answer too."""
        if self._engine is None:
            self._engine = GtpEngine(find_program(config.command.replace("{seed}", "1")))
        engine = self._engine
        if not engine.is_running:
            engine.start()

        def ask(command: str) -> str:
            name, _, arguments = command.partition(" ")
            if name == "loadsgf":
                command = f"loadsgf {Path(stretch.folder) / arguments}"
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
    """Follows a stretch's commands with a position of ours."""

    stretch: Stretch
    spec: PlayerSpec
    player_for: Callable[[Game], Player]
    rules: Game = field(default_factory=lambda: make_game(size=FIRST_BOARD))
    """The game that records are read by, and boards are made of."""

    def __post_init__(self) -> None:
        self.position = self.rules.start()

    def answer(self, command: str) -> str:
        """Do a command; what the protocol would answer."""
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
            return f"? {shortened(command)} cannot be understood"

    def get_ready(self) -> None:
        """Make the player for the board in use, so that the time this takes is not taken for thinking.

        If there can be none, the answer will tell.
        """
        with suppress(TengenError):
            self.player_for(self.position.game)

    def _do_loadsgf(self, file: str, before: str = "") -> str:
        """The record up to, and without, a move's number. By the rules that are set, unless it broke them."""
        path, moves = Path(self.stretch.folder) / file, int(before) - 1 if before else None
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
        player.new_game(seed_of(self.stretch.suite, len(position.history), str(self.spec)))
        return player.choose(position)

    def _with_rules(self, **changes: Any) -> str:
        """The same moves by other rules."""
        self.position = self.position.under(_with_options(self.position.game, **changes))
        return ""


def _with_options(game: Game, **options: Any) -> Game:
    """The game with other options, which suites take for granted."""
    return replace(game, **options)
