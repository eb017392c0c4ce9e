"""Read access to the nodes of a search tree.

Except for kernels, only this file, `Search` and the file format of trees use the layout of tree rows. Values are from
0 to 1, from the view of the side to move at the node.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tengen.rng import seeded
from tengen.search.move_statistics import MoveStatistics
from tengen.search.selection import select
from tengen.search.solver import DRAWN, LOST, UNKNOWN, WON
from tengen.search.tree import CLOSED, NO_CHILD, ROOT, Memory
from tengen.search.tree_policies import rave_weight

PROOFS = {UNKNOWN: None, LOST: "loss", DRAWN: "draw", WON: "win"}
PROVED_VALUES = {LOST: 0.0, DRAWN: 0.5, WON: 1.0}


class NodeView:
    """Read access to one node of a tree. A run of the search may change it."""

    def __init__(self, memory: Memory, node: int = ROOT):
        self._memory, self._row = memory, memory.tree[node]
        self._prior = memory.priors[node] if memory.priors.size > 1 else None
        self._proof = memory.proofs[node] if memory.proofs.size > 1 else None

    @property
    def total(self) -> float:
        """The sum of the visits of all moves, including the experience of a prior."""
        return float(self._row.total)

    @property
    def simulations(self) -> float:
        """The sum of the visits of all moves, without the experience of a prior."""
        return self.total - float(0.0 if self._prior is None else self._prior.visits.sum(dtype=np.float64))

    @property
    def proof(self) -> str | None:
        """'win', 'draw' or 'loss' if the node is proved."""
        return None if self._proof is None else PROOFS[int(self._proof.node)]

    def value(self) -> float | None:
        """The proved value, or the mean of all results; None before the first one."""
        if self._proof is not None and self._proof.node != UNKNOWN:
            return PROVED_VALUES[int(self._proof.node)]
        row, tried = self._row, self._is_open() & (self._row.visits > 0)
        visits = float(row.visits[tried].sum(dtype=np.float64))
        return _within_limits(row.wins[tried].sum(dtype=np.float64) / visits) if visits else None

    def experience(self) -> np.ndarray:
        """By move number: the visits including the experience of a prior; 0 for closed moves. float64."""
        return np.where(self._is_open(), self._row.visits * self._row.scale, 0.0)

    def open_moves(self) -> list[int]:
        """The moves that the search may select."""
        return [int(move) for move in np.flatnonzero(self._is_open())]

    def known_moves(self) -> list[int]:
        """The moves that the search may select or has proved."""
        return [int(move) for move in np.flatnonzero(self._is_open() | (self._proofs() != UNKNOWN))]

    def visits(self) -> np.ndarray:
        """By move number: the visits without the experience of a prior. float64; undefined for closed moves."""
        prior = 0.0 if self._prior is None else self._prior.visits
        return np.asarray((self._row.visits - prior) * self._row.scale)

    def moves(self, numbers: Iterable[int], greedy_values: Mapping[int, float] | None = None) -> list[MoveStatistics]:
        """Return the statistics of some moves, with their `greedy_values` if given."""
        chosen, row = np.array(list(numbers), np.int64), self._row
        proofs = self._proofs()[chosen].tolist()
        columns: dict[str, list[Any]] = {
            "number": chosen.tolist(),
            "visits": self.visits()[chosen].tolist(),
            "value": [
                PROVED_VALUES.get(proof, None if mean is None else _within_limits(mean))
                for proof, mean in zip(proofs, _ratios(row.wins[chosen], row.visits[chosen]), strict=True)
            ],
            "proof": [PROOFS[proof] for proof in proofs],
        }
        if greedy_values:
            columns["greedy_value"] = [greedy_values.get(number) for number in columns["number"]]
        if row.rave_visits.size > 1:
            rave_visits, rave_wins = (row[name][chosen].astype(np.float64) for name in ("rave_visits", "rave_wins"))
            columns |= {"rave_visits": rave_visits.tolist(), "rave_value": _ratios(rave_wins, rave_visits)}
        if self._prior is not None:
            columns |= {
                "prior": self._prior.value[chosen].tolist(),
                "prior_weight": self._prior.weight[chosen].tolist(),
            }
        return [
            MoveStatistics(**dict(zip(columns, entries, strict=True)))
            for entries in zip(*columns.values(), strict=True)
        ]

    def values(self, share: float) -> dict[int, float]:
        """Return the values of the moves that are proved or have at least this share of the visits."""
        visits, is_open = self._row.visits, self._is_open()
        enough = share * float(visits[is_open].sum(dtype=np.float64))
        tried = np.flatnonzero(is_open & (visits > 0) & (visits >= enough))
        means = (self._row.wins[tried] / visits[tried]).tolist()
        values = {move: _within_limits(mean) for move, mean in zip(tried.tolist(), means, strict=True)}
        proofs = self._proofs()
        proved = {int(move): PROVED_VALUES[int(proofs[move])] for move in np.flatnonzero(proofs)}
        return values | proved

    def most_visited(self) -> int | None:
        """Return the expected move: a proved win, else the most visited move; None if no move was tried."""
        is_listed = self._is_open()
        if self._proof is not None:
            proofs = self._proofs()
            if (proofs == WON).any():
                return int((proofs == WON).argmax())
            is_listed |= proofs != UNKNOWN
        visits = np.where(is_listed, self._row.visits, -1.0)
        best = int(visits.argmax())
        return best if visits[best] > 0 else None

    def has_better_value(self, move: int, least: float) -> bool:
        """Whether a move with at least `least` visits has the highest value, and it is not `move`."""
        row = self._row
        tried = self._is_open() & (row.visits * row.scale >= least) & (row.visits > 0)
        return int(np.where(tried, row.wins / np.where(tried, row.visits, 1.0), -1.0).argmax()) != move

    def rave_weight(self, tree_policy: Any, move: int) -> float | None:
        """Return the weight of the RAVE value in the value of a move; None without RAVE visits."""
        return self.rave_weights(tree_policy, [move])[0]

    def rave_weights(self, tree_policy: Any, moves: Sequence[int]) -> list[float | None]:
        """Return the weights of the RAVE values in the values of moves; None for those without RAVE visits."""
        row = self._row
        if row.rave_visits.size <= 1:
            return [None] * len(moves)
        chosen = np.array(moves, np.int64)
        both = zip((row.visits[chosen] * row.scale).tolist(), row.rave_visits[chosen].tolist(), strict=True)
        return [float(rave_weight(tree_policy, row, own, rave)) if rave else None for own, rave in both]

    def selection_values(self, tree_policy: Any, untracked: int = -1) -> dict[int, float]:
        """The value of each open move in the formula of a tree policy, which selects the highest.

        With the game's `untracked` move, that move has the value by which the search selects it: see `select`.
        """
        values = np.zeros(self._row.visits.size, np.float32)
        select(tree_policy, self._row, values, seeded(0), untracked)
        return {move: float(values[move]) for move in self.open_moves()}

    def greedy_values(self, tree_policy: Any) -> dict[int, float]:
        """The value of each open move in the formula of a tree policy without exploration, c = 0.

        Moves without visits, RAVE visits and experience of a prior are left out: the formula gives them `first_play`.
        Exploration is what the option `exploration` of the tree policy controls, if it has one.
        """
        greedy, row = tree_policy.copy(), self._row
        if "exploration" in (greedy.dtype.names or ()):
            greedy.exploration = 0.0
        seen = row.visits + (row.rave_visits if row.rave_visits.size > 1 else 0.0) > 0
        return {move: value for move, value in self.selection_values(greedy).items() if seen[move]}

    def child(self, move: int) -> "NodeView | None":
        """Return the node after a move; None if the tree does not have it."""
        node = int(self._row.child[move])
        return None if node == NO_CHILD else NodeView(self._memory, node)

    def _is_open(self) -> np.ndarray:
        return np.asarray(self._row.wins > CLOSED)

    def _proofs(self) -> np.ndarray:
        """Return the proof of each move."""
        return np.zeros(self._row.visits.size, np.uint8) if self._proof is None else np.asarray(self._proof.moves)


def _ratios(wins: np.ndarray, visits: np.ndarray) -> list[float | None]:
    """Return wins / visits, in their precision; None where there are no visits."""
    ratios = (wins / np.where(visits > 0, visits, 1)).tolist()
    return [ratio if has_any else None for ratio, has_any in zip(ratios, visits > 0, strict=True)]


def _within_limits(value: float) -> float:
    """Clip a value to [0, 1]: weighted sums may leave it by a rounding error."""
    return min(1.0, max(0.0, float(value)))


def ranked(moves: list[MoveStatistics], final_move: str, tie_break: Callable[[int], int]) -> list[MoveStatistics]:
    """Sort moves, the one to play first: by the visits, the value, or the greedy value (eval) as `final_move` says.

    Proved wins come first, proved losses last. Ties are broken by visits, by value, then by the prior, then by
    `tie_break` of the move number.
    A proved draw comes before moves of unknown value only if the most visited of these has no higher value.
    """
    unknown = [move for move in moves if move.proof is None and move.visits > 0]
    hope = max(unknown, key=lambda move: move.visits).value or 0.0 if unknown else 0.0
    rank = {"win": 3, "draw": 2 if hope <= 0.5 else 0, None: 1, "loss": -1}

    def merit(move: MoveStatistics) -> tuple[float, ...]:
        value = move.value if move.value is not None and (move.proof or move.visits > 0) else 0.0
        greedy = -math.inf if move.greedy_value is None else move.greedy_value
        first = {"visits": move.visits, "value": value, "eval": greedy}[final_move]
        return rank[move.proof], first, move.visits, value, move.prior or 0.0, tie_break(move.number)

    return sorted(moves, key=merit, reverse=True)
