"""`tengen tree`: show, create or extend a saved search tree."""

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tengen.interfaces.cli.options import DEFAULT_GAME, GameName, Size, json_flag, player_option

if TYPE_CHECKING:
    from tengen.search.search import Search

HEAT_MAPS = ("visits", "value", "rave_value", "prior")


def run(
    file: Annotated[str, typer.Argument(help="Saved tree.", metavar="FILE")],
    line: Annotated[
        str, typer.Option(metavar="MOVES", help="Show the position after these moves from the root, as in 'E5 C3'.")
    ] = "",
    moves: Annotated[int, typer.Option(min=1, help="Number of moves to list.")] = 10,
    heat: Annotated[
        str, typer.Option(metavar="WHAT", help="Heat map to show: visits, value, rave_value or prior.")
    ] = "visits",
    new: Annotated[
        str,
        player_option(
            "Create the tree first: search --game with this player, as in mc-rave, and save the tree.", metavar="PLAYER"
        ),
    ] = "",
    grow: Annotated[
        int, typer.Option(min=0, help="Number of further simulations to search before the tree is shown and saved.")
    ] = 0,
    game: GameName = DEFAULT_GAME,
    size: Size = None,
    after: Annotated[str, typer.Option(metavar="MOVES", help="With --new: moves before the root.")] = "",
    dot: Annotated[
        str, typer.Option(metavar="OUT", help="Write the tree in Graphviz's DOT format; '-': to standard output.")
    ] = "",
    as_json: Annotated[bool, json_flag("Print the tree as nested JSON.")] = False,
    depth: Annotated[int, typer.Option(min=1, help="With --dot and --json: depth in moves.")] = 3,
    least_visits: Annotated[
        float, typer.Option(min=0, help="With --dot and --json: omit moves with fewer visits.")
    ] = 10,
) -> None:
    """Show, create or extend a saved search tree.

    Create one:      tengen tree opening.tree --new mc-rave:simulations=20000 --size 9

    Show a line:     tengen tree opening.tree --line 'E5 C5'

    Extend it:       tengen tree opening.tree --grow 100000

    Draw it:         tengen tree opening.tree --dot - --depth 2 | dot -Tsvg > tree.svg
    """
    from tengen.search.analysis import analyse
    from tengen.search.export import tree_to_dot, tree_to_json
    from tengen.search.saved import load_tree, save_tree

    if new:
        search = _searched(new, game, size, after)
        save_tree(search, file)
    else:
        search = load_tree(file)
    if grow:
        from tengen.search.time_management import Allowance, search_within

        search_within(search, grow, Allowance())
        save_tree(search, file)
    if line:
        position = search.position.copy()
        for move in line.split():
            position.play(move)
        search.set_position(position)
        if not search.simulations:
            sys.exit(f"tengen: the tree has no simulations after {line}")
    if dot:
        from tengen.files import write_whole

        drawing = tree_to_dot(search, depth, least_visits)
        print(drawing, end="") if dot == "-" else write_whole(dot, drawing)
        return
    if as_json:
        print(json.dumps(tree_to_json(search, depth, least_visits), indent=1))
        return
    if heat not in HEAT_MAPS:
        sys.exit(f"tengen: unknown heat map '{heat}'; choose from: {', '.join(HEAT_MAPS)}")
    analysis = analyse(search, search.position)
    print(f"{search.game}, after {len(search.position.history)} moves")
    print(f"{analysis.heat_map(heat)}\n\n{analysis.table(moves)}")


def _searched(player: str, game: str, size: int | None, after: str) -> "Search":
    """Return a player's search of the position after the moves `after`."""
    from tengen.games.catalogue import make_game
    from tengen.players import parse_search
    from tengen.search.search_player import SearchPlayer

    position = make_game(game, size).start()
    for move in after.split():
        position.play(move)
    searcher = SearchPlayer(parse_search(player, position.game), position.game)
    searcher.run_search(position)
    return searcher.search
