"""Tengen: Monte-Carlo tree search for board games, written in Python and compiled to native speed.

Importing the package loads nothing heavy: each name below is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "tengen.errors": ("TengenError",),
    "tengen.games.game": (
        "Game",
        "Cell",
        "Position",
        "PlayedMove",
        "GameError",
        "IllegalMove",
        "BadNotation",
        "BadRecord",
    ),
    "tengen.games.go.game": ("Go", "GoPosition"),
    "tengen.games.go.sgf": ("read_sgf", "write_sgf"),
    "tengen.games.othello.game": ("Othello",),
    "tengen.parts": ("playout_policy", "prior", "tree_policy"),
    "tengen.plugins": ("load_plugin",),
    "tengen.games.havannah.game": ("Havannah",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

if TYPE_CHECKING:
    from tengen.errors import TengenError as TengenError
    from tengen.games.game import (
        BadNotation as BadNotation,
    )
    from tengen.games.game import (
        BadRecord as BadRecord,
    )
    from tengen.games.game import (
        Cell as Cell,
    )
    from tengen.games.game import (
        Game as Game,
    )
    from tengen.games.game import (
        GameError as GameError,
    )
    from tengen.games.game import (
        IllegalMove as IllegalMove,
    )
    from tengen.games.game import (
        PlayedMove as PlayedMove,
    )
    from tengen.games.game import (
        Position as Position,
    )
    from tengen.games.go.game import Go as Go
    from tengen.games.go.game import GoPosition as GoPosition
    from tengen.games.go.sgf import read_sgf as read_sgf
    from tengen.games.go.sgf import write_sgf as write_sgf
    from tengen.games.havannah.game import Havannah as Havannah
    from tengen.games.othello.game import Othello as Othello
    from tengen.parts import playout_policy as playout_policy
    from tengen.parts import prior as prior
    from tengen.parts import tree_policy as tree_policy
    from tengen.plugins import load_plugin as load_plugin


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'tengen' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return ["__version__", *_HOME_OF]
