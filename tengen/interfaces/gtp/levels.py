"""Ten strengths to choose from: each a player, from a beginner's to the strongest there is.

Chosen so that each level wins some 65 to 100 of 100 games against the one before; the matches that say so are in
docs/results/levels. Few simulations of a strong player beat many of a weak one, so Go's lower levels are plain UCT and
MC-RAVE. The last level of each game is its usual player, which plays as its time allows.
"""

from tengen.interfaces.cli.play import DEFAULT_PLAYERS


def _with_simulations(player: str, *counts: int) -> tuple[str, ...]:
    return tuple(f"{player}:simulations={count}" for count in counts)


LOWER_LEVELS = {
    "go": (
        *_with_simulations("uct", 60, 100, 200, 400),
        *_with_simulations("mc-rave", 90, 150),
        *_with_simulations("tengen", 40, 150, 1_000),
    ),
    "othello": ("random", *_with_simulations("uct", 5, 20, 40, 100, 300, 1_000, 3_000, 10_000)),
    "havannah": ("random", *_with_simulations("mc-rave", 5, 40, 100, 300, 1_000, 3_000, 10_000, 30_000)),
}
LEVELS = {game: (*players, DEFAULT_PLAYERS[game]) for game, players in LOWER_LEVELS.items()}
"""By game: the players of the levels, the weakest first."""
