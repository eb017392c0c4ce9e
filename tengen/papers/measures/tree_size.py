"""The size of a game's tree, estimated by B^L from games of a player.

B is the mean number of legal moves, L the mean length. A forced pass counts as a move, and the pass of Go as one of the
legal moves.
"""

import math
from collections.abc import Sequence
from typing import Any

from tengen.games.catalogue import game_from_json
from tengen.papers.experiment import Result
from tengen.papers.quantities import Estimate, Quantity, Z, mean_of, ratio_of
from tengen.players import parse_player

MOST_MOVES = 1000
"""Games are stopped after so many moves."""


def played_game(part: int, *, player: str, game: dict[str, Any]) -> Result:
    """Play one game of a player against itself; return its length and the sums of its legal moves and their logarithms.

    A game ends, too, when the player resigns. `part` seeds the player.
    """
    rules = game_from_json(game)
    made = parse_player(player).make(rules)
    made.new_game(part + 1)
    position, moves, choices, logarithms = rules.start(), 0, 0, 0.0
    while not position.is_over and moves < MOST_MOVES:
        legal = len(position.legal_move_numbers())
        move = made.choose_number(position)
        if not 0 <= move < rules.move_slots:
            break
        position.play(move)
        moves, choices, logarithms = moves + 1, choices + legal, logarithms + math.log10(legal)
    return {"moves": moves, "choices": choices, "logarithms": logarithms}


def _tree_size(results: Sequence[Result]) -> Estimate | None:
    """L log10 B, with the interval of the function linearised at the means of lengths and choices."""
    games = len(results)
    length, choices = (sum(result[key] for result in results) / max(1, games) for key in ("moves", "choices"))
    if not length:
        return None
    value, half = length * math.log10(choices / length), math.inf
    if games > 1:
        by_length, by_choices = math.log10(choices / length) - 1 / math.log(10), length / (choices * math.log(10))
        residuals = (
            by_length * (result["moves"] - length) + by_choices * (result["choices"] - choices) for result in results
        )
        half = Z * math.sqrt(sum(each * each for each in residuals) / (games * (games - 1)))
    return Estimate(value, value - half, value + half, games)


LOG_SIZE = Quantity("log10 of B^L", "", _tree_size)
BRANCHING = ratio_of("choices", "moves", "B, legal moves", decimals=1)
LENGTH = mean_of("moves", "L, length", "moves", 1)
LOG_PRODUCT = mean_of("logarithms", "log10 of the product of the numbers of legal moves", "", 1)
