"""Ten strengths of every game, as players: what `--level` and the player `level` stand for.

The levels of Go share the knowledge of the strongest player (its playouts and its prior); a lower level has fewer
simulations and draws its move by a softmax over visits. So a weak level plays a plausible move that loses, not a
senseless one. docs/gtp.md has the figures of the levels that were measured, docs/results/levels the games.
"""

from tengen.errors import TengenError

LEVELS_PER_GAME = 10
DEFAULT_PLAYERS = {"go": "tengen", "othello": "uct", "havannah": "mc-rave"}
"""By game: its strongest player, which is also its highest level and plays as its time allows."""

FIRST_LINE_LOSSES = 2.0
"""Of the levels of Go. Few simulations follow the prior, which places 2.4 of the first 20 moves of 9x9 self-play on the
first line (level 1, 60 games); with these losses, 0.2.
"""
GO_LEVELS = {
    9: (
        (50, 0.62),
        (95, 0.54),
        (170, 0.46),
        (300, 0.38),
        (550, 0.30),
        (1_000, 0.23),
        (1_800, 0.17),
        (3_500, 0.12),
        (7_000, 0.08),
    ),
    13: (
        (115, 0.40),
        (190, 0.33),
        (300, 0.27),
        (390, 0.245),
        (480, 0.22),
        (620, 0.19),
        (800, 0.17),
        (1_050, 0.145),
        (1_900, 0.11),
    ),
    19: (
        (140, 0.37),
        (220, 0.31),
        (340, 0.26),
        (480, 0.22),
        (750, 0.18),
        (1_200, 0.14),
        (1_600, 0.12),
        (2_100, 0.10),
        (3_200, 0.05),
    ),
}
"""Of Go, by the largest board they are for: (simulations, temperature) of the levels below the highest.

Those of 19x19 are estimates.
"""


def _with_simulations(player: str, *counts: int) -> tuple[str, ...]:
    return tuple(f"{player}:simulations={count}" for count in counts)


OTHER_LEVELS = {
    "othello": ("random", *_with_simulations("uct", 5, 20, 40, 100, 300, 1_000, 3_000, 10_000)),
    "havannah": ("random", *_with_simulations("mc-rave", 5, 40, 100, 300, 1_000, 3_000, 10_000, 30_000)),
}
"""Of the other games, for every board."""


def level_player(game: str, size: int, level: int) -> str:
    """Return the description of the player of a level, from 1 to 10, on a board of a size."""
    if not 1 <= level <= LEVELS_PER_GAME:
        raise TengenError(f"unknown level {level}: choose from 1 (weakest) to {LEVELS_PER_GAME} (strongest)")
    if game not in DEFAULT_PLAYERS:
        raise TengenError(f"{game} has no levels; games with levels: {', '.join(DEFAULT_PLAYERS)}")
    if level == LEVELS_PER_GAME:
        return DEFAULT_PLAYERS[game]
    if game == "go":
        fitting = min((largest for largest in GO_LEVELS if size <= largest), default=max(GO_LEVELS))
        simulations, temperature = GO_LEVELS[fitting][level - 1]
        return f"tengen:simulations={simulations},temperature={temperature:g},first_line_losses={FIRST_LINE_LOSSES:g}"
    return OTHER_LEVELS[game][level - 1]
