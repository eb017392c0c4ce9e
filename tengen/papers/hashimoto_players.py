"""The players and games of Hashimoto et al. 2011, and the decays that are best there.

All players have C = 1 and uniform playouts; in Go they have MoGo's policy and a prior in place of Fuego's. The paper
states neither when a node is added nor whether the tree is kept for the next move. Here a position gets a node at its
first visit, and every move begins a new tree, which is the default of Fuego.
"""

from dataclasses import dataclass

from tengen.games.game import Game
from tengen.games.go.game import Go
from tengen.games.havannah.game import Havannah
from tengen.games.othello.game import Othello
from tengen.papers.matches import KOMI, with_settings

PLAIN, ACCELERATED, DISCOUNTED = "UCT", "Accelerated UCT", "Discounted UCT"
BACKUPS = {PLAIN: "mean", ACCELERATED: "accelerated", DISCOUNTED: "discounted"}


@dataclass(frozen=True)
class Domain:
    """A game of the paper, with the player that searches it."""

    name: str
    column: str
    """Of table 1."""
    game: Game
    player: str
    most_random_moves: int
    """Of positions from random play: 10 to 15 moves less than a usual game has."""


UNIFORM = "uct:exploration=1,reuse=false"
GO_PARTS = "policy=mogo,prior=knowledge,reuse=false,resign=0.05"
"""In place of Fuego's policy, which has rules like MoGo's, and of its prior, which knows patterns and captures, too.

To resign only shortens lost games.
"""
FUEGO_RAVE = f"fuego-rave:exploration=0,{GO_PARTS}"

OTHELLO = Domain("Othello", "Othello", Othello(8), UNIFORM, 45)
HAVANNAH = Domain("Havannah", "Havannah", Havannah(4), UNIFORM, 10)
HAVANNAH_5 = Domain("Havannah base 5", "Havannah", Havannah(5), UNIFORM, 12)
GO = Domain("Go", "Go", Go(9, komi=KOMI), f"uct:exploration=1,{GO_PARTS}", 45)
DOMAINS = (OTHELLO, HAVANNAH, GO)

BEST_K = {OTHELLO.name: 3, HAVANNAH.name: 4, GO.name: 4}
"""The k of Accelerated UCT that is confirmed in fresh games: that with the highest rate in the paper's table 1a."""
BEST_DISCOUNTED_K = {OTHELLO.name: 6, HAVANNAH.name: 6, GO.name: 7}
"""The k of Discounted UCT with the highest rate in the paper's table 1b."""


def with_backup(player: str, backup: str, k: int) -> str:
    """Return a player with an accelerated or discounted backup and lambda = 1 - 0.1^k."""
    return with_settings(player, backup=BACKUPS[backup], decay=f"0.{'9' * k}")
