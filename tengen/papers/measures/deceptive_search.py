"""Searches of the deceptive tree, and the values of small trees with given playout results: figures 1 and 2."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tengen.games.game import Game
from tengen.papers.experiment import Result
from tengen.papers.measures.deceptive_tree import DECEPTIVE_STATE, RIGHT, TRAP, A, add_simulation, last_time_wrong
from tengen.players import parse_search
from tengen.search.search import Search


@dataclass(frozen=True)
class Deceptive(Game):
    """The deceptive tree as a game: move 0 at the start is the trap, move 1 wins."""

    name: ClassVar[str] = "deceptive"

    @property
    def state_record(self) -> np.dtype:
        return DECEPTIVE_STATE

    @property
    def move_slots(self) -> int:
        return 3

    @property
    def longest_playout(self) -> int:
        return 4

    def reset(self, state: Any) -> None:
        state.to_play, state.place = 0, A

    def parse_move(self, text: str) -> int:
        return int(text)

    def format_move(self, move: int) -> str:
        return str(move)

    def map_diagram(self, state: Any, marks: dict[str, str]) -> str:
        return "ABCDEFGHI"[state.place]

    def set_up(self, state: Any, text: str) -> None:
        state.place = "ABCDEFGHI".index(text)

    def key(self, state: Any) -> bytes:
        return bytes((int(state.place),))


# --- Figure 1 ---------------------------------------------------------------------------------------------------------


def deceived(part: int, *, player: str, seeds: int, most: int) -> Result:
    """Return the mean number of simulations until the right move has and keeps the higher value, over some seeds.

    `most` simulations are run with each seed. A search counts as `unsettled` if it was still wrong in their second
    half, in which case it might be wrong again later.
    """
    search = Search(parse_search(player), Deceptive())
    counts = [simulations_until_right(search, part * seeds + seed, most) for seed in range(seeds)]
    return {"simulations": float(np.mean(counts)), "unsettled": float(np.mean(np.array(counts) > most / 2))}


def simulations_until_right(search: Search, seed: int, most: int) -> int:
    """Return the number of simulations after which the right move of the deceptive tree has and keeps the best value.

    It is `most` + 1 if that is not so within `most` simulations.
    """
    search.forget()
    search.reseed(seed)
    search.set_position(search.game.start())
    return int(last_time_wrong(search.algorithm, search.memory, most)) + 1


Simulation = tuple[tuple[int, ...], int, float]
"""The moves in the tree, the number of these after which the tree has nodes, and the first player's result."""

LEAVES: tuple[Simulation, ...] = (
    ((0, 0), 1, 1.0),
    ((0, 1), 1, 1.0),
    ((0, 2), 1, 0.0),
    ((1, 0, 0), 2, 1.0),
    ((1, 0, 1), 2, 0.0),
)
"""Figure 1: one playout at each of the leaves D, E, F, H and I."""


def values_of_leaves(part: int, *, player: str) -> Result:
    """Return the values of the two moves at the root of the deceptive tree after one playout at each leaf."""
    trap, right = _values(_after(player, LEAVES))
    return {"trap": trap, "right": right}


# --- Figure 2 ---------------------------------------------------------------------------------------------------------

PLAYOUTS_AT_A = (1.0, 1.0, 0.0)
AT_D, AT_E = 1.0, 0.0
EXPANSION: tuple[Simulation, ...] = (
    ((0,), 0, PLAYOUTS_AT_A[0]),
    ((0,), 0, PLAYOUTS_AT_A[1]),
    ((0,), 1, PLAYOUTS_AT_A[2]),
    ((0, 0), 1, AT_D),
    ((0, 1), 1, AT_E),
)
"""Figure 2: three playouts at node a, which is expanded with the third, then one each at its children d and e."""


def virtual_child(part: int, *, player: str, decay: float) -> Result:
    """Return the value of the move to a in figure 2 by the backup of a player, and by hand for a decay of velocities.

    With T playouts at a, its virtual child has the velocity 1 + lambda + ... + lambda^(T - 1), that of a child which
    was selected T times in a row; the visits of d and e then multiply it by lambda each.
    """
    (by_search,) = _values(_after(player, EXPANSION))
    at_virtual = decay**2 * sum(decay**age for age in range(len(PLAYOUTS_AT_A)))
    at_d, at_e = decay, 1.0
    mean = sum(PLAYOUTS_AT_A) / len(PLAYOUTS_AT_A)
    by_hand = (at_virtual * mean + at_d * AT_D + at_e * AT_E) / (at_virtual + at_d + at_e)
    return {"by_search": by_search, "by_hand": by_hand}


# --- Trees with given results -----------------------------------------------------------------------------------------


def _after(player: str, simulations: Iterable[Simulation]) -> Search:
    """Return a search of the deceptive tree after simulations with given moves and results."""
    search = Search(parse_search(player), Deceptive())
    search.set_position(search.game.start())
    for moves, nodes, result in simulations:
        add_simulation(search.algorithm, search.memory, np.array(moves, np.int64), nodes, result)
    return search


def _values(search: Search) -> list[float]:
    """Return the values of the moves at the root that have results, by move number."""
    return [move.value for move in search.root().moves((TRAP, RIGHT)) if move.value is not None]
