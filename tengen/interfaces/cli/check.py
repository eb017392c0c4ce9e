"""`tengen check`: does a game, tree policy, playout policy or prior keep its contract?"""

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tengen.interfaces.cli.options import Seed, Size, game_name, json_flag

if TYPE_CHECKING:
    from tengen.checking.findings import Finding
    from tengen.registry import Part


def run(
    what: Annotated[
        str,
        typer.Argument(
            metavar="FILE_OR_NAME",
            help="A Python file, of which all parts are checked, or the name of a game, tree policy, playout policy or "
            "prior.",
        ),
    ],
    game: Annotated[
        str,
        typer.Option(
            help="The game, or a Python file that defines one, to check a policy or prior with; by default, the one "
            "that it is made for, or Go on a small board.",
            callback=game_name,
        ),
    ] = "",
    size: Size = None,
    games: Annotated[int, typer.Option(min=1, help="Number of random games to check a game with.")] = 100,
    seed: Seed = 1,
    as_json: Annotated[bool, json_flag("Print all findings as one JSON list.")] = False,
) -> None:
    """Check a game, a tree policy, a playout policy or a prior, such as one of your own.

    A game is checked by random games: legal moves, turns, outcomes, notation, diagrams, GTP vertices, undo, playouts,
    and whether the games are the same compiled and uncompiled. Policies and priors are checked by small searches:
    whether all numbers are finite, all moves legal, and the trees the same compiled and uncompiled.

    Each check is one line: 'ok', or what is wrong, with the moves that lead there. The exit status is 1 if any failed.

    Examples: tengen check examples/connect_four.py

    tengen check mine.py --game othello --size 6 --seed 7
    """
    from tengen.errors import TengenError

    found = {part: _findings(part, game, size, games, seed) for part in _parts(what)}
    if not found:
        raise TengenError(f"{what} has no game, tree policy, playout policy or prior to check")
    if as_json:
        rows = [{"kind": part.kind, "name": part.name, **one.to_json()} for part in found for one in found[part]]
        print(json.dumps(rows, indent=1))
    else:
        for part, findings in found.items():
            print(f"{part}:")
            print("\n".join(f"  {_line(one)}" for one in findings))
    if not all(one.is_ok for findings in found.values() for one in findings):
        sys.exit(1)


def _parts(what: str) -> "list[Part]":
    """Return the parts of a file, or of a name, that can be checked."""
    from tengen.checking.sessions import KEYS
    from tengen.plugins import load_plugin
    from tengen.registry import GAME, find_part, parts

    kinds = (GAME, *KEYS)
    if what.endswith(".py"):
        return [part for part in load_plugin(what) if part.kind in kinds]
    named = [known[what] for kind in kinds if what in (known := parts(kind))]
    return named or [find_part(GAME, what)]


def _findings(part: "Part", game: str, size: int | None, games: int, seed: int) -> "list[Finding]":
    from tengen.checking.game_checks import check_game
    from tengen.checking.part_checks import check_part, game_for
    from tengen.games.catalogue import make_game
    from tengen.registry import GAME

    if part.kind == GAME:
        return check_game(make_game(part.name, size), games, seed)
    return check_part(part, game_for(part, game, size), seed)


def _line(finding: "Finding") -> str:
    if finding.is_ok:
        return f"ok      {finding.check}"
    moves = f"; moves: {' '.join(finding.moves)}" if finding.moves else ""
    return f"FAILED  {finding.check}: {finding.problem}{moves}"
