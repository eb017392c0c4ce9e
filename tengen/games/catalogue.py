"""The games by name, for command lines, files and records."""

from dataclasses import MISSING, asdict, fields
from importlib import import_module
from typing import Any

from tengen.errors import shortened
from tengen.games.game import Game, GameError

HOMES = {
    "go": "tengen.games.go.game.Go",
    "othello": "tengen.games.othello.game.Othello",
    "havannah": "tengen.games.havannah.game.Havannah",
}
SIZE_KEYS = {"go": "size", "othello": "size", "havannah": "base"}
"""What each game calls the size of its board."""


def game_class(name: str) -> type[Game]:
    """The game of a name, imported when it is asked for."""
    if name not in HOMES:
        raise GameError(f"there is no game {shortened(name)}: there is {', '.join(HOMES)}")
    module, _, kind = HOMES[name].rpartition(".")
    found: type[Game] = getattr(import_module(module), kind)
    return found


def make_game(name: str = "go", size: int | None = None, **options: Any) -> Game:
    """A game by its name, with a board of a size, and options that are not None."""
    kind = game_class(name)
    given = {SIZE_KEYS[name]: size, **options}
    given = {key: value for key, value in given.items() if value is not None}
    known = [entry.name for entry in fields(kind)]
    for key in given:
        if key not in known:
            raise GameError(f"{name} has no {key}: it has {', '.join(known)}")
    return kind(**given)


def game_to_json(game: Game) -> dict[str, Any]:
    """A game and all its options, in terms that JSON has."""
    return {"name": game.name, **asdict(game)}


def game_from_json(described: Any) -> Game:
    """The game that `game_to_json` has described; GameError if it is none of ours."""
    if not isinstance(described, dict) or not isinstance(described.get("name"), str):
        raise GameError("a game is described by its name and its options")
    kind = game_class(described["name"])
    options = {key: value for key, value in described.items() if key != "name"}
    known = {entry.name: entry for entry in fields(kind) if entry.default is not MISSING}
    for key in options:
        if key not in known:
            raise GameError(f"{described['name']} has no option {shortened(key)}; it has: {', '.join(known)}")
    return kind(**options)
