"""The contracts of tree policies, playout policies and priors, by small searches that use them."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

from tengen.checking.findings import Finding, Findings, require
from tengen.checking.game_checks import replay
from tengen.checking.sessions import KEYS, SIMULATIONS, Session, Unsafe, run, run_uncompiled
from tengen.errors import TengenError
from tengen.games import interface
from tengen.games.catalogue import DEFAULT_GAME, game_class, game_to_json, make_game
from tengen.games.game import Game
from tengen.jit import COMPILED
from tengen.registry import PLAYOUT_POLICY, PRIOR, TREE_POLICY, Part
from tengen.search.tree_policies import LOWEST

SMALL_BOARD = 5
TOLERANCE = 1e-3
"""Of values: uncompiled formulas round to single precision at other places than compiled ones."""
UNCOMPILED = "compiled and uncompiled searches agree"


def game_for(part: Part, name: str = "", size: int | None = None) -> Game:
    """Return the game to check a part with: the one it is made for or the default one, on a small board."""
    name = name or part.game or DEFAULT_GAME
    sizes = game_class(name).board_size
    if size is None and sizes is not None:
        size = min((value for value in sizes.values if value >= SMALL_BOARD), default=None)
    return make_game(name, size)


def check_part(part: Part, game: Game, seed: int) -> list[Finding]:
    """Run small searches with a part and return a finding for each check."""
    if part.kind not in KEYS:
        raise TengenError(f"the {part} cannot be checked: choose a game, {', '.join(KEYS)}")
    findings, session = Findings(), Session(part.kind, part.name, game_to_json(game), 1, seed)
    uncompiled: list[dict[str, Any]] = []
    if COMPILED:
        try:
            uncompiled = run_uncompiled(session)
        except Exception as error:
            findings.fail(UNCOMPILED, error)
            if isinstance(error, Unsafe):
                return findings.all()
    found: list[dict[str, Any]] = []
    if findings.check("search", lambda: found.extend(run(session))):
        findings.check("best move", partial(_best_moves, found, game))
        for name, test in CHECKS[part.kind].items():
            findings.check(name, partial(test, found, game))
        findings.check("same seed, same tree", partial(_same_twice, session, found))
        if uncompiled:
            findings.check(UNCOMPILED, partial(_agree, found, uncompiled, is_exact=part.kind == PLAYOUT_POLICY))
    return findings.all()


def _best_moves(found: list[dict[str, Any]], game: Game) -> None:
    for entry in _searches(found):
        position = game.start()
        for move in entry["before"]:
            position.play(move)
        count = entry["simulations"]
        require(count == SIMULATIONS, f"{count} of {SIMULATIONS} simulations were run{_where(entry, game)}")
        require(position.is_legal(entry["best"]), f"the best move, {entry['best']}, is illegal{_where(entry, game)}")


def _searches(found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return (entry for entry in found if "best" in entry)


def _nodes(found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return (entry for entry in found if "values" in entry)


def _where(entry: dict[str, Any], game: Game) -> str:
    moves = [*entry["before"], *(game.format_move(move) for move in entry["line"])]
    return f" after the moves {' '.join(moves)}" if moves else " at the start of the game"


def _formula(found: list[dict[str, Any]], game: Game) -> None:
    for entry in _nodes(found):
        for move, value in entry["values"].items():
            value_and_rave = entry["results"][move]
            about = f"visits {entry['visits'][move]:g}; value, RAVE visits, RAVE value {value_and_rave}"
            is_number = not math.isnan(value) and value != float(LOWEST)
            require(is_number, f"the value of {game.format_move(int(move))} is NaN{_where(entry, game)}: {about}")


def _prior(found: list[dict[str, Any]], game: Game) -> None:
    for entry in _nodes(found):
        for move, (value, weight) in entry["priors"].items():
            if value is not None:
                where = f"of {game.format_move(int(move))}{_where(entry, game)}"
                require(0.0 <= value <= 1.0, f"the value {where} is {value:g}, not from 0 to 1")
                require(0.0 <= weight < math.inf, f"the experience {where} is {weight:g}, not finite and >= 0")


def _playouts(found: list[dict[str, Any]], game: Game) -> None:
    for entry in _searches(found):
        position = game.start()
        for move in entry["before"]:
            position.play(move)
        moves = entry["playout"]
        require(len(moves) <= game.longest_playout, f"a playout has {len(moves)} moves, more than longest_playout")
        replay(position.state, moves)
        is_ended = len(moves) == game.longest_playout or interface.is_over(position.state)
        require(is_ended, f"a playout does not end the game{_where(entry, game)}: {moves}")


CHECKS = {
    TREE_POLICY: {"formula": _formula},
    PRIOR: {"values and experience": _prior},
    PLAYOUT_POLICY: {"playouts": _playouts},
}


def _same_twice(session: Session, found: list[dict[str, Any]]) -> None:
    for first, second in zip(found, run(session), strict=True):
        require(first == second, f"after {first['before']} and {first['line']}: first {first}, then {second}")


def _agree(found: list[dict[str, Any]], others: list[dict[str, Any]], is_exact: bool) -> None:
    """Compare the nodes of compiled and uncompiled searches.

    A difference in rounding may let the trees of a formula part. So only the values at nodes with equal statistics
    must be equal; but those of trees with another playout policy, all. Priors near the root depend on no statistics.
    """
    by_place = {_place(other): other for other in others}
    for entry in found:
        other = by_place.get(_place(entry), {})
        compared = ["playout", "visits"] if is_exact else []
        if other and "values" in entry:
            have_equal_statistics = entry["visits"] == other["visits"] and _close(entry["results"], other["results"])
            compared += ["priors"] if have_equal_statistics or len(entry["line"]) < 2 else []
            compared += ["values"] if have_equal_statistics else []
        for what in compared:
            one, two = entry.get(what), other.get(what)
            place = f"{' '.join(entry['before']) or 'no move'}, in line {entry['line']} of the tree"
            require(_close(one, two), f"after {place}, {what}: {one} compiled, {two} uncompiled")


def _place(entry: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(entry["before"]), tuple(entry["line"]), entry["simulations"], "best" in entry


def _close(value: Any, other: Any) -> bool:
    """Whether two JSON values are the same but for the rounding of numbers."""
    if isinstance(value, dict) and isinstance(other, dict):
        return value.keys() == other.keys() and all(_close(value[key], other[key]) for key in value)
    if isinstance(value, list) and isinstance(other, list):
        return len(value) == len(other) and all(map(_close, value, other))
    if not isinstance(value, int | float) or not isinstance(other, int | float):
        return bool(value == other)
    if math.isnan(value) or math.isnan(other):
        return math.isnan(value) and math.isnan(other)
    return math.isclose(value, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
