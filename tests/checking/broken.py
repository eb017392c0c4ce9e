"""Games, policies and priors with one defect each, made from the text of an example."""

from pathlib import Path

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
GAME = (EXAMPLES / "tic_tac_toe.py").read_text()
CLASS_END = "    has_margin = False\n"


def verb(name: str, parameters: str, body: str) -> str:
    """The text of a body for a verb of the game."""
    return f"\n@interface.{name}.implement(STATE)\n@kernel\ndef own_{name}({parameters}):\n    {body}\n"


def method(text: str) -> tuple[str, str]:
    """A replacement that adds a method to the class of the game."""
    return CLASS_END, f"{CLASS_END}\n    {text}\n"


def added(text: str) -> tuple[str, str]:
    """A replacement that adds text before the class of the game."""
    return "\n\n@dataclass(frozen=True)\nclass TicTacToe", f"{text}\n\n@dataclass(frozen=True)\nclass TicTacToe"


LISTED = "            moves[count] = move\n            count += 1\n"
LEGAL = "return move < 9 and not is_over(state) and ((state"
SCORE = "return float(int(has_line(state.stones[0])) - int(has_line(state.stones[1])))"
IMPORTS = """
from tengen.games.game import GameError, Position
from tengen.jit import COMPILED, kernel, record
STARTS = []
"""
UNDO = """
class Forgetful(Position):
    def undo(self):
        self._past.pop()
        return self
"""

GAMES: dict[str, tuple[tuple[str, str], str, str]] = {
    "a move is listed twice": (
        (LISTED, LISTED.replace("= move", "= min(move, 7)")),
        "legal moves",
        "lists a move twice",
    ),
    "a move has no slot": (("    shape = 3, 3\n", "    shape, move_slots = (3, 3), 8\n"), "random games", ""),
    "a move is illegal and listed": (
        ("        if is_legal(state, move):", "        if is_legal(state, move) or move == 4:"),
        "legal moves",
        "move 4 is illegal by is_legal, and legal_moves says otherwise",
    ),
    "a move is legal and not listed": (
        ("    for move in range(9):", "    for move in range(8):"),
        "legal moves",
        "move 8 is legal by is_legal, and legal_moves says otherwise",
    ),
    "a candidate is illegal": (
        added(verb("candidate_moves", "state, moves", "moves[0] = moves[1] = 0; return 2")),
        "candidate moves",
        "move 0 passes is_candidate and is illegal",
    ),
    "no move is left": ((LEGAL, "return move < 5 and ((state"), "random games", "there is no legal move"),
    "a game is too long": (method("longest_playout = 4"), "length of games", "is not over after 4 moves"),
    "moves after the end": ((LEGAL, "return move < 9 and ((state"), "end of games", "the game is over, and there are"),
    "a turn is not passed on": (
        ("    state.to_play = 1 - state.to_play\n", ""),
        "turns",
        "to_play is 0 after 1 moves, not 1",
    ),
    "the second player begins": (
        method("def reset(self, state):\n        super(TicTacToe, self).reset(state)\n        state.to_play = 1"),
        "start of the game",
        "to_play is 1, not 0",
    ),
    "an outcome above 1": (added(verb("outcome", "state", "return 2.0")), "outcome", "the outcome is 2.0, not from"),
    "an outcome against the score": (
        added(verb("outcome", "state", "return 0.5 - 0.5 * score(state)")),
        "outcome",
        "and Black's score is",
    ),
    "a score that is no number": ((SCORE, "return np.nan"), "outcome", "the score is nan"),
    "a playout stops early": (
        added(verb("uniform_playout", "state, rng, trace, length", "return length")),
        "uniform playout",
        "its moves do not end the game",
    ),
    "a playout is illegal": (
        added(verb("uniform_playout", "state, rng, trace, length", "trace[0] = 4; trace[1] = 4; return 2")),
        "uniform playout",
        "4, is illegal",
    ),
    "games are not repeatable": (
        method(
            "def reset(self, state):\n        super(TicTacToe, self).reset(state)\n        STARTS.append(1)\n"
            "        state.stones[0] = len(STARTS) % 3 == 0"
        ),
        "same seed, same games",
        "the first time",
    ),
    "a move is written as another": (
        method("def format_move(self, move):\n        return GridGame.format_move(self, max(int(move), 1))"),
        "move notation",
        "move 0 is written 'b1', read as 1",
    ),
    "a vertex is written as another": (
        method("def format_vertex(self, move):\n        return GridGame.format_vertex(self, max(int(move), 1))"),
        "GTP vertices",
        "move 0 has the vertex 'B1', read as 1",
    ),
    "a diagram shows an empty board": (
        method(
            "def map_diagram(self, state, marks):\n"
            "        return super(TicTacToe, self).map_diagram(np.zeros(1, STATE)[0], marks)"
        ),
        "diagram",
        "the diagram shows another board",
    ),
    "a diagram cannot be read": (
        method("def set_up(self, state, picture):\n        raise GameError('no diagrams here')"),
        "diagram",
        "no diagrams here",
    ),
    "an option is changed by JSON": (
        method(
            "numbers: tuple = (1, 2)\n\n    def to_json(self):\n        return {'name': self.name, 'numbers': [1, 3]}"
        ),
        "JSON form",
        "is read as another game",
    ),
    "undo does nothing": (method("def start(self):\n        return Forgetful(self)"), "undo", "was played and undone"),
    "a method raises": (
        method("def format_move(self, move):\n        return self.names[move]"),
        "move notation",
        "AttributeError: 'TicTacToe' object has no attribute 'names'",
    ),
}
"""By defect: what is replaced in the text of the game, the check that fails, and a part of what it says."""


def game(replaced: tuple[str, str]) -> str:
    """The text of a game with a defect."""
    old, new = replaced
    assert old in GAME
    return GAME.replace(old, new, 1).replace("from tengen.jit import kernel, record\n", IMPORTS + UNDO)


POLICY = """
import numpy as np
import tengen as tg
from tengen.games.interface import random_candidate
from tengen.jit import COMPILED, kernel

@tg.tree_policy("mine")
def mine(policy, node, visits, wins, rave_visits, rave_wins):
    return VALUE
"""
PLAYOUT = """
import numpy as np
import tengen as tg
from tengen.games.interface import random_candidate
from tengen.jit import COMPILED

@tg.playout_policy("mine")
def mine(policy, state, rng):
    move = random_candidate(state, rng)
    return VALUE
"""
PRIOR = """
import tengen as tg
from tengen.jit import COMPILED

@tg.prior("mine")
def mine(prior, scratch, state, move):
    return VALUE
"""
PARTS: dict[str, tuple[str, str, str, str]] = {
    "a formula is no number": (POLICY, "np.sqrt(wins / visits - 0.5)", "formula", "is NaN"),
    "a formula draws lots": (POLICY, "np.random.random()", "same seed, same tree", "then"),
    "a value above 1": (PRIOR, "1.5, 1.0", "values and experience", "is 1.5, not from 0 to 1"),
    "a negative experience": (PRIOR, "0.5, -1.0", "values and experience", "is -10, not finite and >= 0"),
    "an illegal move": (PLAYOUT, "100", "search", "the playout policy picked an illegal move (policy=mine)"),
    "a policy draws lots": (
        PLAYOUT, "move if np.random.random() < 0.5 else random_candidate(state, rng)", "same seed, same tree", "then",
    ),
}  # fmt: skip
"""By defect: the text of the part, the value that it returns, the check that fails, and a part of what it says."""
