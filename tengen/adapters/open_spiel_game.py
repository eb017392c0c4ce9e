"""Games of OpenSpiel as games of this package: every player without knowledge of a game plays them, slowly.

    tengen match uct mc-rave --game "open_spiel:breakthrough(rows=6,columns=6)" --games 20

OpenSpiel is asked for each move of a simulation, in Python; the search around it is compiled. A simulation takes about
as many times 5 microseconds as it has moves. A game fits if two players move in turn, with perfect information and
without chance, and one side's gain is the other's loss.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from tengen.adapters import require
from tengen.adapters.called_rules import LONGEST_GAME, STATE
from tengen.adapters.rule_calls import RuleCalls, rule_calls
from tengen.errors import shortened
from tengen.games.game import BadNotation, Game, GameError, Position
from tengen.games.interface import MOST_MOVES
from tengen.jit.kernels import say_of_kernels
from tengen.options import option

SLOTS = (64, 256, MOST_MOVES)
"""Numbers of move slots: few, so that games of similar size share compiled kernels."""
PLAYOUTS = (512, LONGEST_GAME)
"""Greatest lengths of playouts, for the same reason."""
PASS = "pass"
FILE_PARAMETERS = re.compile("file|root")
"""In the names of parameters of games that read files."""


@dataclass(frozen=True)
class OpenSpielGame(Game):
    """A game of OpenSpiel.

    variant  OpenSpiel's name of the game and its parameters, as in breakthrough(rows=6,columns=6)
    """

    variant: str = option("tic_tac_toe", "OpenSpiel's name of the game, with parameters")

    name: ClassVar[str] = "open_spiel"
    meaning: ClassVar[str] = "any suitable game of OpenSpiel, by its rules in Python"
    runs_on_gpu: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "variant", _checked(str(self.variant)))

    @property
    def calls(self) -> RuleCalls:
        """The rules, for states and moves."""
        return rule_calls(self.variant)

    @property
    def full_name(self) -> str:
        return f"{self.name}:{self.variant}"

    @property
    def board_text(self) -> str:
        return self.variant

    @property
    def state_record(self) -> np.dtype:
        return STATE

    @property
    def move_slots(self) -> int:
        return next(slots for slots in SLOTS if slots > self.forced_pass)

    @property
    def longest_playout(self) -> int:
        """Each move may be followed by a forced pass."""
        return next(length for length in PLAYOUTS if length >= 2 * int(self.calls.game.max_game_length()))

    @property
    def forced_pass(self) -> int:
        """The only move of a side that must wait since the other one moves again; OpenSpiel has no such move."""
        return int(self.calls.forced_pass)

    @property
    def untracked_move(self) -> int:
        return self.forced_pass

    @property
    def has_margin(self) -> bool:
        game = self.calls.game
        return bool(game.max_utility() > 1)

    def reset(self, state: Any) -> None:
        self.calls.reset(state)

    def moves_to_go(self, position: Position) -> int:
        """Estimate: games take half of the greatest number of moves."""
        return max(8, (int(self.calls.game.max_game_length()) - position.moves_played) // 4)

    def parse_move(self, text: str) -> int:
        written = text.strip()
        found = _numbers(self.variant).get(written)
        if found is None:
            known = ", ".join(list(_numbers(self.variant))[:4])
            raise BadNotation(f"{shortened(text)} is not a move of {self.variant}: moves are written {known}, ...")
        return found

    def format_move(self, move: int) -> str:
        names = _names(self.variant)
        if not 0 <= move < len(names):
            raise BadNotation(f"{move} is not the number of a move of {self.variant}")
        return names[move]

    def map_diagram(self, state: Any, marks: dict[str, str]) -> str:
        """Return OpenSpiel's own text for the state; marks are not shown."""
        return str(self.calls.state_of(state)).rstrip()

    def set_up(self, state: Any, picture: Any) -> None:
        raise GameError(f"a position of {self.variant} cannot be set up from a diagram: play its moves")

    def key(self, state: Any) -> bytes:
        return f"{state.to_play} {self.map_diagram(state, {})}".encode()


@cache
def _checked(variant: str) -> str:
    """Return OpenSpiel's own text for a game and its parameters. Raises GameError if the game is unknown or unfit."""
    pyspiel = require("pyspiel", "open-spiel")
    name = variant.partition("(")[0]
    if name not in pyspiel.registered_names():
        raise GameError(f"OpenSpiel has no game {shortened(name)}; pyspiel.registered_names() lists its games")
    if FILE_PARAMETERS.search(variant):
        raise GameError(f"{shortened(variant)} of OpenSpiel reads files, which a name of a game may not cause")
    try:
        game = pyspiel.load_game(variant)
    except Exception as error:  # pyspiel.SpielError, but also errors of the library below it
        raise GameError(f"OpenSpiel cannot load {shortened(variant)}: {_first_line(error)}") from None
    if reason := _why_unfit(pyspiel, game):
        raise GameError(f"{shortened(variant)} of OpenSpiel cannot be played here: it {reason}")
    found = str(game).removesuffix("()")
    say_of_kernels(f"{found} is played by OpenSpiel's rules, called from Python: about 5 microseconds for each move")
    return found


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


def _why_unfit(pyspiel: Any, game: Any) -> str:
    """Return why a game of OpenSpiel does not fit, as the end of a sentence; empty if it fits."""
    kind = game.get_type()
    if game.num_players() != 2:
        return f"has {game.num_players()} players instead of 2"
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        return "has simultaneous moves"
    if kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC:
        return "has chance"
    if kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION:
        return "has hidden information"
    if kind.utility != pyspiel.GameType.Utility.ZERO_SUM:
        return "is not zero-sum"
    if game.num_distinct_actions() >= MOST_MOVES:
        return f"has {game.num_distinct_actions()} different moves, more than {MOST_MOVES - 1}"
    if 2 * game.max_game_length() > LONGEST_GAME:
        return f"may last {game.max_game_length()} moves, longer than {LONGEST_GAME // 2}"
    return ""


@cache
def _names(variant: str) -> list[str]:
    """Return the notation of all moves by their numbers: OpenSpiel's where it is one word for one move, else numbers.

    Where OpenSpiel writes the colour in front, as x(0,0) and o(0,0), only the common end is used.
    """
    game = rule_calls(variant).game
    state = game.new_initial_state()
    words = [
        _common_end(state.action_to_string(0, move), state.action_to_string(1, move))
        for move in range(game.num_distinct_actions())
    ]
    words = [
        word if word and " " not in word and words.count(word) == 1 else str(move) for move, word in enumerate(words)
    ]
    if len({*words, PASS}) <= len(words):
        words = [str(move) for move in range(len(words))]
    return [*words, PASS]


def _common_end(first: str, second: str) -> str:
    """Return the text with which both end, without spaces around it."""
    length = 0
    while length < min(len(first), len(second)) and first[-1 - length] == second[-1 - length]:
        length += 1
    return first[len(first) - length :].strip()


@cache
def _numbers(variant: str) -> dict[str, int]:
    return {name: number for number, name in enumerate(_names(variant))}
