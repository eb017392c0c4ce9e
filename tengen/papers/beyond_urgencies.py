"""Open questions of Bouzy and Chaslot 2006: urgencies learnt on 19x19, and urgencies of larger patterns.

`Settings.samples` is the number of games of policies without search, which take next to no time.
"""

import shlex
from collections.abc import Iterator
from pathlib import Path

from tengen.games.go.game import Go
from tengen.learning.urgency_settings import RelativeSettings
from tengen.papers.experiment import OURS, Experiment, Figure, Match, Published, Row, Settings
from tengen.papers.gelly_silver_2007 import UCT_MOGO
from tengen.papers.matches import KOMI, with_settings
from tengen.papers.quantities import MARGIN, RATE
from tengen.papers.trained_urgencies import TrainedTable, train_tables

LEARNT_ON_19, LEARNT_ON_9 = "rlpr-19", "rlpr-9"
MANUAL = "manual"
MC_SIMULATIONS = 6000
"""Simulations per move of MC players: more than ten candidate moves and the pass need, with at most 500 games each."""


def _with_table(player: str, table: str, **settings: object) -> str:
    """Return a player with a table of urgencies, given by its name or its file."""
    return with_settings(player, urgencies=shlex.quote(table), **settings)


def _margin_and_rate(label: str, work: Match, published: float | None = None) -> Iterator[Row]:
    """Yield the rows of a match: the mean score, with the published one, and the rate."""
    value = None if published is None else Published(published)
    yield Row(f"{label}: score", work, MARGIN, value, OURS, series="mean score")
    yield Row(f"{label}: won", work, RATE, None, OURS, series="won")


def _urgencies_19(settings: Settings) -> list[Row]:
    rows: list[Row] = []
    game = Go(19, komi=KOMI)
    for label, table, published in (("learnt on 19x19", LEARNT_ON_19, None), ("learnt on 9x9", LEARNT_ON_9, -30)):
        for name, player, games, value, limits in (
            ("policy", "urgency", settings.samples, None, {}),
            ("MC", "indigo", settings.games, published, {"simulations": settings.simulations}),
        ):
            first, second = (_with_table(player, urgencies, **limits) for urgencies in (table, MANUAL))
            work = Match(first, second, game, games, seed=settings.seed)
            rows += _margin_and_rate(f"{name}({label}) v {name}(Manual)", work, value)
    return rows


URGENCIES_19 = Experiment(
    id="beyond/urgencies-19x19",
    title="Urgencies learnt on 19x19",
    source="BouzyChaslot2006, section V",
    about=(
        "The paper's player MC(RLPR), whose urgencies were learnt on 9x9 by experiment 2, loses by 30 points to "
        "MC(Manual) on 19x19; the authors expect that learning on 19x19 would help, and did not do it. Here the "
        "package's tables of both sizes play Manual on 19x19: as policies without search, and as MC players."
    ),
    rows=_urgencies_19,
    figure=Figure(y="mean score (points), won (%)"),
    scales={
        "quick": Settings(games=4, simulations=600, samples=100),
        "standard": Settings(games=24, simulations=MC_SIMULATIONS, samples=400),
        "paper": Settings(games=400, simulations=MC_SIMULATIONS, samples=2000),
    },
)

SQUARES = "rlpr"


def _diamonds(settings: Settings) -> TrainedTable:
    """Return the table of diamonds, learnt by experiment 2 from the urgencies of 3x3 patterns."""
    return TrainedTable("diamond", RelativeSettings(patterns="diamond", start=SQUARES), settings.steps)


def _learn_diamonds(settings: Settings, folder: Path, workers: int) -> None:
    train_tables([_diamonds(settings)], folder, workers)


def _larger_patterns(settings: Settings) -> list[Row]:
    game, diamonds = Go(9, komi=KOMI), str(_diamonds(settings).path(settings.folder))
    rows: list[Row] = []
    for name, player, games, limits in (
        ("policy", "urgency", settings.samples, {}),
        ("MC", "indigo", settings.games, {"simulations": MC_SIMULATIONS * settings.simulations // 1000}),
        ("UCT", "uct:policy=urgency", settings.games, {"simulations": settings.simulations}),
    ):
        for opponent, table in (("3x3", SQUARES), ("Manual", MANUAL)):
            first, second = (_with_table(player, urgencies, **limits) for urgencies in (diamonds, table))
            work = Match(first, second, game, games, random_moves=2, seed=settings.seed)
            rows += _margin_and_rate(f"{name}(diamonds) v {name}({opponent})", work)
    uct, mogo = (with_settings(player, simulations=settings.simulations) for player in ("uct:policy=urgency", UCT_MOGO))
    work = Match(_with_table(uct, diamonds), mogo, game, settings.games, random_moves=2, seed=settings.seed)
    return [*rows, *_margin_and_rate("UCT(diamonds) v UCT(MoGo)", work)]


LARGER_PATTERNS = Experiment(
    id="beyond/larger-patterns",
    title="Urgencies of larger patterns",
    source="BouzyChaslot2006, section VI",
    about=(
        "The paper expects automatic learning to reach larger patterns than an expert can. Urgencies of diamonds, the "
        "twelve points within two steps, are learnt on 9x9 by experiment 2, beginning with "
        "those of 3x3 patterns, and play the tables of 3x3 patterns: as policies without search, as MC players, and as "
        "default policies of UCT, also against MoGo's policy. Two random opening moves."
    ),
    rows=_larger_patterns,
    figure=Figure(y="mean score (points), won (%)"),
    scales={
        "quick": Settings(games=32, simulations=300, samples=100, steps=4),
        "standard": Settings(games=140, simulations=1000, samples=1000, steps=60),
        "paper": Settings(games=1000, simulations=1000, samples=4000, steps=300),
    },
    prepare=_learn_diamonds,
)
