"""Export of trees as JSON and for Graphviz."""

from typing import Any

from tengen.games.game import COLOURS, Game
from tengen.search.node_view import NodeView
from tengen.search.search import Search


def tree_to_json(search: Search, depth: int = 3, least_visits: float = 1.0) -> dict[str, Any]:
    """Return the tree to a depth of `depth` moves, with moves of at least `least_visits` visits.

    Values are from the point of view of the side that makes the move.
    """
    root = search.root()
    return {
        "to_play": search.position.to_play,
        "moves_before": [played.notation for played in search.position.history],
        "simulations": search.simulations,
        "visits": root.total,
        "children": _children(search.game, root, depth, least_visits),
    }


def _children(game: Game, node: NodeView | None, depth: int, least_visits: float) -> list[dict[str, Any]]:
    """Return the moves of a node, the most visited first. Their visits include the experience of a prior."""
    if depth == 0 or node is None:
        return []
    visits, found = node.experience(), []
    listed = [move for move in node.open_moves() if visits[move] >= max(least_visits, 1e-9)]
    for move in node.moves(sorted(listed, key=lambda move: -visits[move])):
        entry: dict[str, Any] = {
            "move": game.format_move(move.number),
            "visits": float(visits[move.number]),
            "value": move.value,
        }
        if move.rave_visits:
            entry |= {"rave_visits": move.rave_visits, "rave_value": move.rave_value}
        below = _children(game, node.child(move.number), depth - 1, least_visits)
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
