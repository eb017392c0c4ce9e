"""A game in the terminal between a person and a player."""

import os
import shlex
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path

from rich.console import Console

from tengen.arena.match import Ending
from tengen.engines.gtp_player import GtpPlayer
from tengen.errors import TengenError
from tengen.files import write_whole
from tengen.games.clock import Clock, TimeControl
from tengen.games.game import COLOURS, Game, IllegalMove, Position, colour_index
from tengen.games.player import RESIGN, Player
from tengen.games.records import RecordFormat
from tengen.interfaces.board_text import board, can_show_colours, outcome
from tengen.players import PlayerSpec, PolicyConfig
from tengen.search.estimate import estimate
from tengen.search.search_player import SearchingPlayer

ESTIMATE_GAMES = 1000
"""Number of random games that the command `score` plays."""
SIDES = {"black": {"black"}, "white": {"white"}, "both": {"black", "white"}, "none": set[str]()}
HELP = """\
  E5, pass ...      play a move in the coordinates of the board
  undo              take back your last move and the reply
  hint              show the opponent's analysis of your position
  analysis on|off   show the opponent's analysis after each of its moves
  take black|white  play this side from now on (both: both sides; none: watch)
  swap              change sides
  score             show the score, and the mean score of random games
  resign            resign the game
  new               start a new game
  save FILE         save the game, if it has a record format (Go: FILE.sgf)
  load FILE         continue a saved game
  help              show this list
  quit              quit; so do Ctrl-C and Ctrl-D"""


class Quit(Exception):
    """Raised by the command `quit`."""


def autosave_file(records: RecordFormat) -> Path:
    """Return the file in which an unsaved game is kept."""
    folder = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(folder).expanduser() / "tengen" / f"last-game{records.suffix}"


def records_of(game: Game | type[Game]) -> RecordFormat:
    """Return the record format of a game. Raises TengenError if it has none."""
    records = game.records()
    if records is None:
        raise TengenError(f"games of {game.name} cannot be saved or loaded: {game.name} has no record format")
    return records


def write_record(position: Position, path: Path, names: dict[str, str], result: str | None) -> None:
    """Write a game to a file in its record format."""
    record = records_of(position.game).write(position, black=names["black"], white=names["white"], result=result)
    write_whole(path, record.decode())


class TerminalGame:
    """A game, the sides that the person plays, and the commands of the prompt."""

    def __init__(self, position: Position, spec: PlayerSpec, people: str = "black", control: TimeControl | None = None):
        self.console = Console(highlight=False)
        self.spec, self.control = spec, control
        self.people = set(SIDES[people])
        self.shows_analysis = False
        self.player: Player = spec.make(position.game)
        self._begin(position)

    def _begin(self, position: Position) -> None:
        """Start from a position with a new player and full clocks."""
        self._let_player_go()
        self.player = self.spec.make(position.game)
        self.position = position
        self.clocks = {colour: Clock(self.control) for colour in COLOURS} if self.control else {}
        self.ending: Ending | None = None
        self._saved = len(position.history)
        self._turn_began = time.perf_counter()

    def _let_player_go(self) -> None:
        """Close the player if it is an external engine."""
        if isinstance(self.player, GtpPlayer):
            self.player.close()

    @property
    def is_over(self) -> bool:
        return self.ending is not None or self.position.is_over

    @property
    def names(self) -> dict[str, str]:
        return {colour: "" if colour in self.people else str(self.spec) for colour in COLOURS}

    def run(self) -> None:
        """Play until the person quits; raise KeyboardInterrupt on Ctrl-C. An unfinished game is saved."""
        interrupted = False
        if sys.stdin.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401 - makes the arrow keys work at the prompt
        try:
            self.show()
            while True:
                if self.is_over or self.position.to_play in self.people:
                    self._ask()
                else:
                    self._let_player_move()
        except EOFError:
            self.console.print()
        except KeyboardInterrupt:
            self.console.print()
            interrupted = True
        except Quit:
            pass
        finally:
            self._let_player_go()
        self._keep_unfinished()
        if interrupted:
            raise KeyboardInterrupt

    # Output

    def show(self) -> None:
        """Show the board, and the result of a finished game."""
        self.console.print()
        self.console.print(board(self.position, can_show_colours(self.console)))
        if self.is_over:
            self.console.print(f"{self._outcome()} ('new', 'undo', 'save FILE' or 'quit')")

    def say(self, text: str) -> None:
        """Print text without markup or wrapping."""
        self.console.print(text, markup=False, soft_wrap=True)

    def _outcome(self) -> str:
        """Return a sentence with the result of the game."""
        if self.ending is None:
            return outcome(self.position)
        loser = _other(self.ending.winner).capitalize()
        reason = f"{loser} resigns" if self.ending.reason == "resign" else f"{loser}'s time is up"
        return f"{reason}: {self.ending.winner} wins."

    # Moves

    def _let_player_move(self) -> None:
        """Let the player move; if it fails, as an external engine may, the person plays both sides."""
        position, colour = self.position, self.position.to_play
        try:
            with self.console.status(f"{colour} is searching ..."):
                move = self.player.choose_number(position, self.clocks.get(colour))
            seconds = self._turn_seconds()
            if self.shows_analysis and isinstance(self.player, SearchingPlayer):
                self.say(self.player.analysis(position).table(5))
            if self._spend(colour, seconds):
                self._play(colour, move)
        except TengenError as error:
            self.say(f"{self.spec} failed: {error}")
            self._take(["both"])

    def _turn_seconds(self) -> float:
        """Return the seconds since the turn began."""
        return time.perf_counter() - self._turn_began

    def _play(self, colour: str, move: int) -> None:
        """Play a move, or resign, for the side to move."""
        if move == RESIGN:
            self.ending = Ending(_other(colour), "resign")
        else:
            self.position.play(move)
            self.say(f"{colour} plays {self.position.history[-1].notation}")
        self.show()
        self._turn_began = time.perf_counter()

    def _spend(self, colour: str, seconds: float) -> bool:
        """Charge a move's time to its side's clock; return False, and end the game, if the time is up."""
        if not self.clocks or self.clocks[colour].spend(seconds):
            return True
        self.ending = Ending(_other(colour), "time")
        self.show()
        return False

    # The prompt

    def _ask(self) -> None:
        """Read a line and execute it: a command or a move."""
        prompt = "> " if self.is_over else f"{self.position.to_play}{self._time_left()}> "
        line = input(prompt).strip()
        if not sys.stdin.isatty():
            print(line)
        words = line.split()
        if not words:
            return
        try:
            if command := self._command(words[0].lower()):
                command(words[1:])
            elif self.is_over:
                raise IllegalMove("the game is over: 'new' starts another one, 'undo' takes a move back")
            else:
                colour = self.position.to_play
                move = self._parsed(line)
                if self._spend(colour, self._turn_seconds()):
                    self._play(colour, move)
        except TengenError as error:
            self.say(f"{error}")

    def _time_left(self) -> str:
        if not self.clocks:
            return ""
        clock = self.clocks[self.position.to_play]
        return f" ({clock.period_left if clock.in_overtime else clock.main_left:.0f} s)"

    def _parsed(self, line: str) -> int:
        """Return the number of a legal move. Raises TengenError, before the clock is charged, if there is none."""
        try:
            move = self.position.game.parse_move(line)
        except TengenError as error:
            near = get_close_matches(line.split()[0].lower(), self._commands(), n=1, cutoff=0.7)
            raise TengenError(
                f"{error}; did you mean {near[0]!r}?" if near else f"{error}; 'help' lists the commands"
            ) from None
        self.position.copy().play(move)
        return move

    def _commands(self) -> dict[str, Callable[[list[str]], None]]:
        return {
            "undo": self._undo,
            "hint": self._hint,
            "analysis": self._switch_analysis,
            "take": self._take,
            "swap": self._swap,
            "score": self._score,
            "resign": self._resign,
            "new": self._new,
            "save": self._save,
            "load": self._load,
            "help": lambda words: self.say(HELP),
            "quit": self._quit,
        }

    def _command(self, word: str) -> Callable[[list[str]], None] | None:
        return self._commands().get(word)

    def _undo(self, words: list[str]) -> None:
        """Take moves back until it is the person's turn; after a resignation or a loss on time, only that."""
        if self.ending is None:
            self.position.undo()
            while self.position.history and self.people and self.position.to_play not in self.people:
                self.position.undo()
        self.ending = None
        self.show()

    def _hint(self, words: list[str]) -> None:
        if self.is_over:
            raise TengenError("the game is over: there is no position to analyse")
        if not isinstance(self.player, SearchingPlayer):
            raise TengenError(f"player {self.spec} does not support analysis")
        with self.console.status("searching ..."):
            analysis = self.player.analyse(self.position)
        self.say(analysis.table(5))
        self.say(analysis.heat_map())
        self.say(f"hint: {analysis.best.move}")

    def _switch_analysis(self, words: list[str]) -> None:
        if words not in (["on"], ["off"]):
            raise TengenError("write 'analysis on' or 'analysis off'")
        self.shows_analysis = words == ["on"]
        self.say(f"analysis is {words[0]}")

    def _take(self, words: list[str]) -> None:
        if len(words) != 1 or words[0].lower() not in SIDES:
            raise TengenError("write 'take black', 'take white', 'take both' or 'take none'")
        self.people = set(SIDES[words[0].lower()])
        self._say_who_plays()

    def _swap(self, words: list[str]) -> None:
        """Change sides; the person must play exactly one."""
        if len(self.people) != 1:
            raise TengenError("you do not play exactly one side: write 'take black' or 'take white'")
        self.people = set(COLOURS) - self.people
        self._say_who_plays()

    def _say_who_plays(self) -> None:
        people = "both sides" if len(self.people) == 2 else " ".join(self.people) or "neither side"
        self.say(f"you play {people}")

    def _score(self, words: list[str]) -> None:
        """Print the score of the board, and the mean score of random games from here."""
        position = self.position
        if not position.game.has_margin:
            self.say(self._outcome() if self.is_over else "nobody has won yet")
            return
        self.say(f"on the board, {_margin(position.score)}")
        if not self.is_over:
            score = estimate(PolicyConfig(), position, ESTIMATE_GAMES).score
            self.say(f"in {ESTIMATE_GAMES} random games from here, {_margin(round(score, 1))} on average")

    def _resign(self, words: list[str]) -> None:
        if self.is_over:
            raise TengenError("the game is over already")
        self._play(self.position.to_play, RESIGN)

    def _new(self, words: list[str]) -> None:
        self._keep_unfinished()
        self._begin(self.position.game.start())
        self.player.new_game()
        self.show()

    def _save(self, words: list[str]) -> None:
        if len(words) != 1:
            raise TengenError(f"write 'save FILE{records_of(self.position.game).suffix}'")
        self._write(Path(words[0]).expanduser())
        self._saved = len(self.position.history)
        self.say(f"saved as {words[0]}")

    def _write(self, path: Path) -> None:
        write_record(self.position, path, self.names, self.ending.sgf() if self.ending else None)

    def _load(self, words: list[str]) -> None:
        records = records_of(self.position.game)
        if len(words) != 1:
            raise TengenError(f"write 'load FILE{records.suffix}'")
        position = records.read(Path(words[0]).expanduser())
        self._keep_unfinished()
        self._begin(position)
        self.show()

    def _quit(self, words: list[str]) -> None:
        raise Quit

    # The end

    def _keep_unfinished(self) -> None:
        """Save an unsaved game, and print the command that continues it."""
        if len(self.position.history) == self._saved:
            return
        if (records := self.position.game.records()) is not None:
            path = autosave_file(records)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._write(path)
            except (TengenError, OSError):
                pass
            else:
                self.say(f"The game was saved. To continue it: tengen play --load {path}")
                return
        self.say(f"To continue this game: tengen play {_options(self.position.game)} --moves '{_line(self.position)}'")


def _other(colour: str) -> str:
    return COLOURS[1 - colour_index(colour)]


def _margin(score: float) -> str:
    return "nobody is ahead" if score == 0 else f"{'black' if score > 0 else 'white'} is ahead by {abs(score):g}"


def _options(game: Game) -> str:
    """Return the options of `tengen play` that select a game."""
    options = game.to_json()
    size = f" --size {game.size_value}" if game.board_size else ""
    komi = f" --komi {options['komi']:g}" if game.has_komi else ""
    return f"--game {shlex.quote(game.full_name)}{size}{komi}"


def _line(position: Position) -> str:
    return " ".join(played.notation for played in position.history)
