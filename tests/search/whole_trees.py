"""Comparison of whole trees, bit by bit: every node's statistics, the generator and the counts of a search."""

from typing import Any

import numpy as np

from tengen.games.game import Game
from tengen.search.config import SearchConfig
from tengen.search.many import ManySearch
from tengen.search.search import Search, row_types
from tengen.search.tree import CLOSED

COUNTS = ("simulations", "clock", "deepest", "depth_sum", "depth_count", "full")


def on_compact_states(monkeypatch: Any, config: SearchConfig, game: Game) -> None:
    """Make `Search` work on the states that `ManySearch` works on; possible without subtree reuse only."""
    record = config.compact_record(game)
    monkeypatch.setattr(SearchConfig, "state_record", lambda self, game: record)


def on_usual_states(monkeypatch: Any) -> None:
    """Make `ManySearch` work on the states that `Search` works on."""
    monkeypatch.setattr(SearchConfig, "compact_record", SearchConfig.state_record)


def same_bits(ours: np.ndarray, theirs: np.ndarray) -> bool:
    return ours.shape == theirs.shape and ours.tobytes() == theirs.tobytes()


def differing_fields(ours: np.ndarray, theirs: np.ndarray) -> list[str]:
    """Return the fields of records in which any record differs, without the tag."""
    *names, _ = ours.dtype.names or ()
    return [name for name in names if not same_bits(ours[name], theirs[name])]


def visited(search: Search, nodes: int) -> np.ndarray:
    """Whether each move of each node was visited, so that a backup's notes about it are defined."""
    tree, has_priors = search.memory.tree[:nodes], row_types(search.config, search.game).has_priors
    given = search.memory.priors["visits"][:nodes] if has_priors else 0.0
    shown: np.ndarray = (tree["wins"] > CLOSED) & (tree["visits"] > given)
    return shown


def differences(ours: Search, theirs: Search) -> list[str]:
    """Return the names of everything in which two searches with whole trees differ."""
    if ours.nodes != theirs.nodes:
        return [f"{ours.nodes} and {theirs.nodes} nodes"]
    nodes, rows = ours.nodes, row_types(ours.config, ours.game)
    mine, other = ours.memory, theirs.memory
    found = differing_fields(mine.tree[:nodes], other.tree[:nodes])
    if rows.has_priors:
        found += [f"priors.{name}" for name in differing_fields(mine.priors[:nodes], other.priors[:nodes])]
    if rows.has_proofs:
        found += [f"proofs.{name}" for name in differing_fields(mine.proofs[:nodes], other.proofs[:nodes])]
    if rows.has_notes:
        defined = visited(ours, nodes)
        notes = [search.memory.notes["moves"][:nodes][: len(defined), : defined.shape[1]] for search in (ours, theirs)]
        found += [] if same_bits(notes[0][defined], notes[1][defined]) else ["notes"]
    found += [] if same_bits(np.array(mine.rng), np.array(other.rng)) else ["rng"]
    return found + [name for name in COUNTS if mine.work[name] != other.work[name]]


def differing_trees(ours: ManySearch, theirs: ManySearch, trees: Any) -> dict[int, list[str]]:
    """Return the differences of the trees that differ."""
    found = {tree: differences(ours.fetch_tree(tree), theirs.fetch_tree(tree)) for tree in trees}
    return {tree: names for tree, names in found.items() if names}
