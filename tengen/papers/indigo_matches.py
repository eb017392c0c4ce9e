"""Matches between Indigo's players with different urgencies, and the table of the simplest training."""

from pathlib import Path

from tengen.arena.plans import MOVE_LIMIT
from tengen.games.go.game import Go
from tengen.learning.urgency_settings import BlockSettings
from tengen.papers.experiment import PRINTED, SMOKE, Match, Published, Row, Settings
from tengen.papers.matches import KOMI
from tengen.papers.quantities import MARGIN, RATE
from tengen.papers.trained_urgencies import TrainedTable, train_tables

ZERO, MANUAL, SHIPPED = "urgencies=zero", "urgencies=manual", "urgencies=rlpr"
"""Tables as a setting of a player."""

SHARES = {9: 1.0, 13: 0.3, 19: 0.08}
"""Games on a board, as a share of `Settings.games`: those on larger boards take longer."""
CUT = 40
"""Moves after which the games of the smallest scale end, which only show that they work."""

FREE_GAMES = 10
"""Games without search take next to no time: this number of them is played for each game with search."""


def games_on(size: int, settings: Settings) -> int:
    """Return the number of games on a board, which is even, so that both players have both colours equally often."""
    return 2 * max(1, round(SHARES[size] * settings.games / 2))


def mc(urgencies: str, settings: Settings) -> str:
    """Return MC(p): Indigo with `Settings.simulations` as the most games for each move, a fifth of them before pruning.

    With 500 these are the defaults of the player.
    """
    most = settings.simulations
    return f"indigo:{urgencies},most_games={most},first_games={max(2, most // 5)}"


def _match(first: str, second: str, settings: Settings, size: int, games: int) -> Match:
    """Return games between two players, which are cut early at the smallest scale."""
    limit = MOVE_LIMIT if settings.simulations > SMOKE.simulations else CUT
    return Match(first, second, Go(size, komi=KOMI), games, move_limit=limit, seed=settings.seed)


def mc_match(first: str, second: str, settings: Settings, size: int, games: int = 0) -> Match:
    """Return games between MC(p) with two tables."""
    return _match(mc(first, settings), mc(second, settings), settings, size, games or games_on(size, settings))


def low_match(first: str, second: str, settings: Settings, size: int) -> Match:
    """Return games between the pseudo-random players of two tables, without search."""
    return _match(f"urgency:{first}", f"urgency:{second}", settings, size, FREE_GAMES * settings.games)


def score_and_rate(
    label: str,
    work: Match,
    score: Published | None = None,
    rate: Published | None = None,
    variant: str = PRINTED,
) -> list[Row]:
    """Return a row for the mean score of a match, with the plain label, and one for the rate."""
    return [
        Row(label, work, MARGIN, score, variant, series="mean score"),
        Row(f"{label}: {RATE.name}", work, RATE, rate, variant, series="rate"),
    ]


BLOCKS = 10


def program_1a(settings: Settings) -> TrainedTable:
    """Return the table of experiment 1a: blocks of 20,000 games on 9x9, ten or as many as the scale has steps."""
    return TrainedTable("1a", BlockSettings(), min(BLOCKS, settings.steps))


def train_1a(settings: Settings, folder: Path, workers: int) -> None:
    """Train the table of experiment 1a: the preparation of experiments that use only this table."""
    train_tables([program_1a(settings)], folder, workers)
