"""Export of trees as JSON and for Graphviz."""

from typing import Any

import numpy as np

from tengen.games.game import COLOURS
from tengen.search.search import Search
from tengen.search.tree import CLOSED, NO_CHILD, ROOT


def tree_to_json(search: Search, depth: int = 3, least_visits: float = 1.0) -> dict[str, Any]:
    """Return the tree to a depth of `depth` moves, with moves of at least `least_visits` visits.

    Values are from the point of view of the side that makes the move.
    """
    row = search.row()
    return {
        "to_play": search.position.to_play,
        "moves_before": [played.notation for played in search.position.history],
        "simulations": search.simulations,
        "visits": float(row.total),
        "children": _children(search, ROOT, depth, least_visits),
    }


def _children(search: Search, node: int, depth: int, least_visits: float) -> list[dict[str, Any]]:
    """Return the moves of a node, the most visited first."""
    if depth == 0:
        return []
    row = search.row(node)
    visits = np.where(row.wins > CLOSED, row.visits * row.scale, 0.0)
    found = []
    for slot in sorted(np.flatnonzero(visits >= max(least_visits, 1e-9)), key=lambda slot: -visits[slot]):
        entry: dict[str, Any] = {
            "move": search.game.format_move(int(slot)),
            "visits": float(visits[slot]),
            "value": float(row.wins[slot] / row.visits[slot]),
        }
        if search.config.rave and row.rave_visits[slot] > 0:
            entry["rave_visits"] = float(row.rave_visits[slot])
            entry["rave_value"] = float(row.rave_wins[slot] / row.rave_visits[slot])
        child = int(row.child[slot])
        below = _children(search, child, depth - 1, least_visits) if child != NO_CHILD else []
        found.append(entry | ({"children": below} if below else {}))
    return found


def tree_to_dot(search: Search, depth: int = 3, least_visits: float = 1.0) -> str:
    """Return the same tree in Graphviz's language, for `dot -Tsvg`.

    A move's box is dark for Black and light for White; the width of its edge grows with its visits.
    """
    tree = tree_to_json(search, depth, least_visits)
    first = COLOURS.index(tree["to_play"])
    most = max(tree["visits"], 1.0)
    lines = [
        "digraph tree {",
        '  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=10];',
        '  edge [arrowhead=none, color="#888888"];',
        f'  n0 [label="{tree["to_play"]} to play\\n{tree["visits"]:,.0f} visits", fillcolor="#eeeeee"];',
    ]
    numbers = iter(range(1, 10**9))

    def draw(parent: int, colour: int, children: list[dict[str, Any]]) -> None:
        fill, font = ("#333333", "#ffffff") if colour == 0 else ("#ffffff", "#000000")
        for child in children:
            number = next(numbers)
            label = f"{_quoted(child['move'])}\\n{child['visits']:,.0f}\\n{100 * child['value']:.1f} %"
            lines.append(f'  n{number} [label="{label}", fillcolor="{fill}", fontcolor="{font}"];')
            lines.append(f"  n{parent} -> n{number} [penwidth={0.5 + 7 * child['visits'] / most:.2f}];")
            draw(number, 1 - colour, child.get("children", []))

    draw(0, first, tree["children"])
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    """Escape a move's name for a quoted string of Graphviz."""
    return text.replace("\\", "\\\\").replace('"', '\\"')
