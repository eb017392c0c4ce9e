"""The numbers of KataGo's reports on a search: win rates, scores, priors and ownership, as lines or as JSON.

All are from the view of the side to move; `turned` changes the view.
"""

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tengen.games.game import Position
    from tengen.search.analysis import Analysis, MoveAnalysis
    from tengen.search.estimate import Estimate

SCORED_MOVES = 10
"""Number of best moves whose score is estimated by MOVE_PLAYOUTS playouts."""
MOVE_PLAYOUTS = 50
"""Playouts per move: a few milliseconds per report, and a margin exact to a point or two."""
CONFIDENCE = 1.96
"""Standard deviations of the lower confidence bound of 97.5 %."""
SHARES = ("winrate", "lcb")
"""Numbers from 0 to 1 that belong to a side."""
DIFFERENCES = ("utility", "utilityLcb", "scoreMean", "scoreLead", "scoreSelfplay")
"""Numbers that are negated from the view of the other side."""


def value_of(found: "Analysis", move: "MoveAnalysis") -> float:
    """Return a move's value; that of the position if the move has none."""
    known = found.value if move.value is None else move.value
    return 0.5 if known is None else min(1.0, max(0.0, known))


def prior_of(found: "Analysis", move: "MoveAnalysis") -> float:
    """Return a move's share of the sum of prior values; equal shares without a prior."""
    if move.prior is None:
        return 1 / len(found.moves)
    total = sum(other.prior or 0.0 for other in found.moves)
    return move.prior / total if total else 0.0


def lower_bound(value: float, visits: float) -> float:
    """Return the lower bound of a value with 97.5 % confidence, by Wilson's interval."""
    if visits <= 0:
        return 0.0
    square = CONFIDENCE * CONFIDENCE / visits
    spread = CONFIDENCE * math.sqrt(value * (1 - value) / visits + square / (4 * visits))
    return max(0.0, (value + square / 2 - spread) / (1 + square))


def move_numbers(found: "Analysis", move: "MoveAnalysis") -> dict[str, float]:
    """Return the numbers of a move that the search knows."""
    value = value_of(found, move)
    bound = lower_bound(value, move.visits)
    numbers = {"utility": 2 * value - 1, "winrate": value, "prior": prior_of(found, move), "lcb": bound}
    return numbers | {"utilityLcb": 2 * bound - 1, "weight": move.visits}


def move_score_numbers(position: "Position", after: "Estimate") -> dict[str, float]:
    """Return the numbers about the score after a move from `position`."""
    score = _sign(position) * after.score
    return {"scoreMean": score, "scoreStdev": after.deviation, "scoreLead": score, "scoreSelfplay": score}


def root_numbers(found: "Analysis", whole: "Estimate") -> dict[str, float]:
    """Return the numbers of the position itself."""
    value, score = 0.5 if found.value is None else found.value, _sign(found.position) * whole.score
    numbers = {"utility": 2 * value - 1, "winrate": value, "scoreLead": score, "scoreMean": score}
    return numbers | {"scoreStdev": whole.deviation, "weight": found.simulations}


def turned(numbers: dict[str, float]) -> dict[str, float]:
    """Return the numbers from the view of the other side."""
    return {
        key: 1 - number if key in SHARES else -number if key in DIFFERENCES else number
        for key, number in numbers.items()
    }


def ownership_by_rows(position: "Position", ownership: dict[str, float]) -> list[float]:
    """Return the ownership of each point, row by row from the top left: 1 is the side to move."""
    size, sign = math.isqrt(len(ownership)), _sign(position)
    rows = [list(ownership.values())[row * size : (row + 1) * size] for row in range(size)]
    return [sign * owner for row in reversed(rows) for owner in row]


def _sign(position: "Position") -> int:
    return 1 if position.to_play == "black" else -1
