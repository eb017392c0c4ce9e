"""Tengen: Monte-Carlo tree search for board games, written in Python and compiled to native speed.

Importing the package loads nothing heavy: each name below is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

__all__ = [
    "player",
    "analyse",
    "match",
    "load_plugin",
    "Game",
    "Position",
    "Cell",
    "PlayedMove",
    "Go",
    "GoPosition",
    "Othello",
    "Havannah",
    "read_sgf",
    "write_sgf",
    "Player",
    "AnalysingPlayer",
    "MultiGamePlayer",
    "Clock",
    "TimeControl",
    "Search",
    "Analysis",
    "MoveAnalysis",
    "MatchResult",
    "GameResult",
    "tree_policy",
    "playout_policy",
    "prior",
    "TengenError",
    "BadPlayer",
    "GameError",
    "IllegalMove",
    "BadNotation",
    "BadRecord",
]

_HOMES = {
    "tengen.errors": ("TengenError",),
    "tengen.front": ("player", "analyse", "match", "MultiGamePlayer"),
    "tengen.arena.match_result": ("MatchResult", "GameResult"),
    "tengen.games.clock": ("Clock", "TimeControl"),
    "tengen.games.errors": ("GameError", "IllegalMove", "BadNotation", "BadRecord"),
    "tengen.games.game": ("Game", "Cell", "Position", "PlayedMove"),
    "tengen.games.go.game": ("Go", "GoPosition"),
    "tengen.games.go.sgf": ("read_sgf", "write_sgf"),
    "tengen.games.havannah.game": ("Havannah",),
    "tengen.games.othello.game": ("Othello",),
    "tengen.parts": ("playout_policy", "prior", "tree_policy"),
    "tengen.player_protocols": ("Player", "AnalysingPlayer"),
    "tengen.players": ("BadPlayer",),
    "tengen.plugins": ("load_plugin",),
    "tengen.search.analysis": ("Analysis", "MoveAnalysis"),
    "tengen.search.search": ("Search",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

if TYPE_CHECKING:
    from tengen.arena.match_result import GameResult, MatchResult
    from tengen.errors import TengenError
    from tengen.front import MultiGamePlayer, analyse, match, player
    from tengen.games.clock import Clock, TimeControl
    from tengen.games.errors import BadNotation, BadRecord, GameError, IllegalMove
    from tengen.games.game import Cell, Game, PlayedMove, Position
    from tengen.games.go.game import Go, GoPosition
    from tengen.games.go.sgf import read_sgf, write_sgf
    from tengen.games.havannah.game import Havannah
    from tengen.games.othello.game import Othello
    from tengen.parts import playout_policy, prior, tree_policy
    from tengen.player_protocols import AnalysingPlayer, Player
    from tengen.players import BadPlayer
    from tengen.plugins import load_plugin
    from tengen.search.analysis import Analysis, MoveAnalysis
    from tengen.search.search import Search


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'tengen' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return ["__version__", *__all__]
