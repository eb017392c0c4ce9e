"""Ten strengths to choose from: each a player, from a beginner's to the strongest there is.

The number of simulations grows by a factor from level to level; matches between neighbours tell how even the steps are.
"""

from tengen.interfaces.cli.play import DEFAULT_PLAYERS

SIMULATIONS = (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000)
"""Of levels 2 to 9. Level 1 plays at random, level 10 as its time allows."""

LEVELS = {
    game: ("random", *(f"{player}:simulations={count}" for count in SIMULATIONS), player)
    for game, player in DEFAULT_PLAYERS.items()
}
"""By game: the players of the levels, the weakest first."""
