"""The games by name, for command lines, files and records. Quick to import: a game is imported on first use."""

from dataclasses import MISSING, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tengen.errors import TengenError, shortened
from tengen.games.errors import GameError
from tengen.registry import GAME, Part, find_part, register, registered_names

if TYPE_CHECKING:
    from tengen.games.game import Game

DEFAULT_GAME = "go"

register(GAME, "go", "", record="tengen.games.go.game.Go")
register(GAME, "othello", "", record="tengen.games.othello.game.Othello")
register(GAME, "havannah", "", record="tengen.games.havannah.game.Havannah")

UNLISTED = {"open_spiel": "tengen.adapters.open_spiel_game.OpenSpielGame"}
"""Games of other programs, which are found by their name but not listed: the name stands for many games."""


def register_game(kind: "type[Game]", source: str = "") -> Part:
    """Register a game under its name. `source` is the file that defines it."""
    return register(GAME, kind.name, kind.meaning, record=kind, source=source)


def game_names() -> list[str]:
    """Return the names of the games registered so far, those of the package first."""
    return registered_names(GAME)


def check_game_name(name: str) -> None:
    """Raise GameError if no game of this name is registered."""
    _home_of(name)


def _home_of(name: str) -> Any:
    """Return the class of a game, or the name of its module and class if it is not imported yet.

    The name may be followed by ':' and a variant.
    """
    name = name.partition(":")[0]
    if name in UNLISTED:
        return UNLISTED[name]
    try:
        return find_part(GAME, name).record
    except TengenError as error:
        raise GameError(str(error)) from None


def game_class(name: str) -> "type[Game]":
    """Return the class of a game. Raises GameError for an unknown name."""
    home = _home_of(name)
    if not isinstance(home, str):
        found: type[Game] = home
        return found
    module, _, kind = home.rpartition(".")
    found = getattr(import_module(module), kind)
    return found


def make_game(name: str = DEFAULT_GAME, size: int | None = None, **options: Any) -> "Game":
    """Create a game by its name and board size; options that are None keep their defaults.

    'NAME:VARIANT' sets the option `variant`, for a name that stands for many games.
    """
    name, _, variant = name.partition(":")
    kind = game_class(name)
    given = {kind.board_size.field if kind.board_size else "size": size, "variant": variant or None, **options}
    given = {key: value for key, value in given.items() if value is not None}
    known = [entry.name for entry in fields(kind)]
    for key in given:
        if key not in known:
            raise GameError(f"{name} has no option {key}; it has: {', '.join(known) or 'none'}")
    return kind(**given)


def game_to_json(game: "Game") -> dict[str, Any]:
    """Return a game and all its options as JSON values."""
    return game.to_json()


def game_from_json(described: Any) -> "Game":
    """Return the game described by `game_to_json`. Raises GameError if it is not registered or an option is wrong."""
    if not isinstance(described, dict) or not isinstance(described.get("name"), str):
        raise GameError("the description of a game must be an object with its name and its options")
    kind = game_class(described["name"])
    options = {key: value for key, value in described.items() if key != "name"}
    known = {entry.name: entry for entry in fields(kind) if entry.default is not MISSING}
    for key in options:
        if key not in known:
            raise GameError(f"{described['name']} has no option {shortened(key)}; it has: {', '.join(known)}")
    return kind(**options)
