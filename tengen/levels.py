"""Lookup of a level's player, for `--level` and the player `level`. Each game defines its levels: see `Game.levels`."""

from typing import TYPE_CHECKING

from tengen.errors import TengenError

if TYPE_CHECKING:
    from tengen.games.game import Game

LEVELS_PER_GAME = 10


def level_player(game: "Game", level: int) -> str:
    """Return the description of the player of a level of a game, from 1 (weakest) to 10 (strongest)."""
    players = game.levels
    if not 1 <= level <= len(players):
        raise TengenError(f"unknown level {level}: choose from 1 (weakest) to {len(players)} (strongest)")
    return players[level - 1]
