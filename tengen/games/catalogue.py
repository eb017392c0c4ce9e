"""The games by name, for command lines, files and records. Quick to import: a game is imported when it is asked for."""

from dataclasses import MISSING, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tengen.errors import shortened
from tengen.games.errors import GameError

if TYPE_CHECKING:
    from tengen.games.game import Game

DEFAULT_GAME = "go"
_homes: dict[str, str] = {}
"""By name: the module and class of each registered game."""


def register_game(name: str, home: str) -> None:
    """Let a game be made by its name; `home` is its class with its module, as in 'package.module.Class'."""
    _homes[name] = home


register_game("go", "tengen.games.go.game.Go")
register_game("othello", "tengen.games.othello.game.Othello")
register_game("havannah", "tengen.games.havannah.game.Havannah")


def game_names() -> list[str]:
    """Return the names of the registered games."""
    return list(_homes)


def check_game_name(name: str) -> None:
    """Raise GameError if no game of this name is registered."""
    if name not in _homes:
        raise GameError(f"there is no game {shortened(name)}: there is {', '.join(_homes)}")


def game_class(name: str) -> "type[Game]":
    """Return the class of a game by its name; GameError if there is none."""
    check_game_name(name)
    module, _, kind = _homes[name].rpartition(".")
    found: type[Game] = getattr(import_module(module), kind)
    return found


def make_game(name: str = DEFAULT_GAME, size: int | None = None, **options: Any) -> "Game":
    """Return a game by its name, with a board of a size, and options that are not None."""
    kind = game_class(name)
    given = {kind.board_size.field if kind.board_size else "size": size, **options}
    given = {key: value for key, value in given.items() if value is not None}
    known = [entry.name for entry in fields(kind)]
    for key in given:
        if key not in known:
            raise GameError(f"{name} has no {key}: it has {', '.join(known) or 'no options'}")
    return kind(**given)


def game_to_json(game: "Game") -> dict[str, Any]:
    """Return a game and all its options, in terms that JSON has."""
    return game.to_json()


def game_from_json(described: Any) -> "Game":
    """Return the game that `game_to_json` has described; GameError if it is none of the registered ones."""
    if not isinstance(described, dict) or not isinstance(described.get("name"), str):
        raise GameError("a game is described by its name and its options")
    kind = game_class(described["name"])
    options = {key: value for key, value in described.items() if key != "name"}
    known = {entry.name: entry for entry in fields(kind) if entry.default is not MISSING}
    for key in options:
        if key not in known:
            raise GameError(f"{described['name']} has no option {shortened(key)}; it has: {', '.join(known)}")
    return kind(**options)
