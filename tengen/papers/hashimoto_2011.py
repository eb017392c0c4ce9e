"""J. Hashimoto, A. Kishimoto, K. Yoshizoe, K. Ikeda: Accelerated UCT and Its Application to Two-Player Games. ACG 2011.

The tables; hashimoto_claims has the figures and the statements of the text. The paper's ± are 95 % intervals.
"""

import math
from collections.abc import Mapping

from tengen.games.game import Game
from tengen.papers.experiment import Above, Experiment, Figure, Match, Ordering, Published, Row, Settings
from tengen.papers.hashimoto_claims import BIAS_TERMS, FIGURE_1, FIGURE_2, OVERHEAD
from tengen.papers.hashimoto_players import (
    ACCELERATED,
    BEST_DISCOUNTED_K,
    BEST_K,
    DISCOUNTED,
    DOMAINS,
    FUEGO_RAVE,
    GO,
    HAVANNAH,
    HAVANNAH_5,
    OTHELLO,
    Domain,
    with_backup,
)
from tengen.papers.matches import with_settings
from tengen.papers.quantities import DRAWS

PUBLISHED_GAMES = 1000
CONFIRMATION = 5
"""The best k is confirmed in this many times as many games as every k has, but no more than published."""


def _published(rate: float, note: str = "") -> Published:
    """Return a published rate, with the standard error of 1,000 games; the paper prints two of these."""
    return Published(rate, math.sqrt(rate * (100 - rate) / PUBLISHED_GAMES), note)


def _games(player: str, backup: str, k: int, *, game: Game, games: int, settings: Settings, seed: int) -> Match:
    """Return games of a player with another backup against the player itself."""
    player = with_settings(player, simulations=settings.simulations)
    return Match(with_backup(player, backup, k), player, game, games, seed=seed)


# --- Table 1: against UCT ---------------------------------------------------------------------------------------------

EXPONENTS = range(1, 8)
TABLE_1A_RATES: Mapping[str, tuple[float, ...]] = {
    OTHELLO.column: (39.2, 52.5, 56.3, 52.7, 51.3, 47.4, 48.2),
    HAVANNAH.column: (24.2, 25.1, 47.8, 58.2, 50.6, 48.0, 50.2),
    GO.column: (0.8, 41.3, 54.5, 56.0, 53.0, 51.0, 50.1),
}
TABLE_1B_RATES: Mapping[str, tuple[float, ...]] = {
    OTHELLO.column: (0.0, 1.3, 28.0, 47.5, 49.0, 49.2, 48.2),
    HAVANNAH.column: (0.0, 0.0, 8.0, 31.3, 48.5, 52.0, 50.0),
    GO.column: (0.0, 0.0, 0.0, 18.6, 45.8, 46.6, 48.7),
}
DRAWN = {OTHELLO.name: Published(7.8, note="at most 7.8 %", low=0.0), HAVANNAH.name: Published(2.2, low=0.9)}
"""The ranges of the shares of draws, over all matches of tables 1a and 1b."""


def _cell(settings: Settings, backup: str, domain: Domain, k: int) -> Match:
    """Return the games of a cell of table 1."""
    return _games(
        domain.player, backup, k, game=domain.game, games=settings.games, settings=settings, seed=settings.seed
    )


def _rate(rates: Mapping[str, tuple[float, ...]], domain: Domain, k: int) -> Published:
    """Return the published rate of a cell of table 1."""
    note = "the board is not stated" if domain.column == HAVANNAH.column else ""
    return _published(rates[domain.column][k - 1], note)


def _column(settings: Settings, backup: str, domain: Domain, rates: Mapping[str, tuple[float, ...]]) -> list[Row]:
    """Return a column of table 1."""
    return [
        Row(
            f"{domain.name}, k = {k}",
            _cell(settings, backup, domain, k),
            published=_rate(rates, domain, k),
            series=domain.name,
            x=k,
        )
        for k in EXPONENTS
    ]


def _confirmed(settings: Settings, domain: Domain) -> list[Row]:
    """Return fresh games with the best k of table 1a, and the share of draws in them."""
    k = BEST_K[domain.name]
    work = _games(
        domain.player,
        ACCELERATED,
        k,
        game=domain.game,
        games=min(PUBLISHED_GAMES, CONFIRMATION * settings.games),
        settings=settings,
        seed=settings.seed + 1,
    )
    label, published = f"{domain.name}, k = {k}, confirmed", _rate(TABLE_1A_RATES, domain, k)
    rows = [Row(label, work, published=published, series=f"{domain.name}, confirmed", x=k)]
    if domain.name in DRAWN:
        rows.append(_drawn(domain, label, work, k))
    return rows


def _drawn(domain: Domain, label: str, work: Match, k: int) -> Row:
    """Return the share of draws in the games of a row."""
    return Row(f"{label}: drawn", work, DRAWS, DRAWN[domain.name], x=k)


def _table_1a(settings: Settings) -> list[Row]:
    rows = [row for domain in DOMAINS for row in _column(settings, ACCELERATED, domain, TABLE_1A_RATES)]
    rows += [row for domain in DOMAINS for row in _confirmed(settings, domain)]
    return rows + _column(settings, ACCELERATED, HAVANNAH_5, TABLE_1A_RATES)


def _table_1b(settings: Settings) -> list[Row]:
    rows = [row for domain in DOMAINS for row in _column(settings, DISCOUNTED, domain, TABLE_1B_RATES)]
    for domain in (OTHELLO, HAVANNAH):
        k = BEST_DISCOUNTED_K[domain.name]
        rows.append(_drawn(domain, f"{domain.name}, k = {k}", _cell(settings, DISCOUNTED, domain, k), k))
    return rows + _column(settings, DISCOUNTED, HAVANNAH_5, TABLE_1B_RATES)


TABLE_1_SETTINGS = (
    "Both sides have C = 1 and the same number of playouts per move, 50,000 in the paper, and λ = 1 - 0.1^k. Othello "
    "on 8x8 and Havannah have uniform playouts; 9x9 Go has komi 7.5, MoGo's policy and a prior in place of Fuego's, "
    "and no RAVE values. The paper states neither the board of Havannah (base 4 has its share of draws; base 5 is a "
    "check), nor the number of visits at which a leaf is expanded (here: the first), nor whether the tree is kept "
    "from move to move (here not, which is Fuego's default). "
)
TABLE_1_FIGURE = Figure(x="k, λ = 1 - 0.1^k", y="won against UCT (%)", reference=50)

TABLE_1A = Experiment(
    id="hashimoto-2011/table-1a",
    title="Accelerated UCT against UCT",
    source="Hashimoto2011, table 1a",
    about=(
        f"{TABLE_1_SETTINGS}The k that is best in the paper, in fresh games, is 'confirmed': five times as many games "
        "as each k has, at most 1,000. A screening with 200 games for each k and 1,000 for the best is the scale "
        "'standard' with --games 200; it takes some 85 minutes on two cores."
    ),
    rows=_table_1a,
    figure=TABLE_1_FIGURE,
    scales={
        "quick": Settings(games=16, simulations=1000),
        "standard": Settings(games=60, simulations=5000),
        "paper": Settings(games=PUBLISHED_GAMES, simulations=50_000),
    },
    findings=(
        *(
            Ordering((f"{name}, k = 1", f"{name}, k = {k}"), f"a ratio discounted too much is poor in {name}")
            for name, k in BEST_K.items()
        ),
        *(
            Above((f"{name}, k = {k}, confirmed",), 50, f"Accelerated UCT with the best λ is stronger in {name}")
            for name, k in BEST_K.items()
        ),
    ),
)

TABLE_1B = Experiment(
    id="hashimoto-2011/table-1b",
    title="Discounted UCT against UCT",
    source="Hashimoto2011, table 1b",
    about=(
        f"{TABLE_1_SETTINGS}A simulation discounts the nodes on its path, as in the paper. The paper finds Discounted "
        "UCT at most as strong as UCT, even with the best k."
    ),
    rows=_table_1b,
    figure=TABLE_1_FIGURE,
    scales={
        "quick": Settings(games=16, simulations=1000),
        "standard": Settings(games=100, simulations=5000),
        "paper": Settings(games=PUBLISHED_GAMES, simulations=50_000),
    },
    findings=tuple(
        Ordering(
            tuple(f"{name}, k = {k}" for k in (1, 4, BEST_DISCOUNTED_K[name])),
            f"a ratio discounted too much is poor in {name}",
        )
        for name in BEST_DISCOUNTED_K
    ),
)

# --- Table 2: with RAVE values ----------------------------------------------------------------------------------------

TABLE_2A_RATES = (51.2, 51.9, 54.5, 55.9, 53.8, 54.6)
TABLE_2B_RATES = (0.0, 0.0, 4.4, 41.6, 47.9, 49.8)
BEST_RAVE_K = 4


def _table_2(settings: Settings, backup: str, rates: tuple[float, ...]) -> list[Row]:
    return [
        Row(
            f"k = {k}",
            _games(FUEGO_RAVE, backup, k, game=GO.game, games=settings.games, settings=settings, seed=settings.seed),
            published=_published(rate),
            series=backup,
            x=k,
        )
        for k, rate in enumerate(rates, 1)
    ]


def _table_2a(settings: Settings) -> list[Row]:
    return _table_2(settings, ACCELERATED, TABLE_2A_RATES)


def _table_2b(settings: Settings) -> list[Row]:
    return _table_2(settings, DISCOUNTED, TABLE_2B_RATES)


TABLE_2_SETTINGS = (
    "9x9 Go with komi 7.5, RAVE values with Fuego's weights and no exploration term, MoGo's policy and a prior in "
    "place of Fuego's, against the same player with the mean of results. The paper has 50,000 playouts per move and "
    "further enhancements of FUEGO. The paper's ± in this table do not follow its formula, two standard errors of "
    "1,000 games; here they are recomputed. "
)
TABLE_2_FIGURE = Figure(x="k, λ = 1 - 0.1^k", y="won against the mean of results (%)", reference=50)
TABLE_2_SCALES = {
    "quick": Settings(games=40, simulations=1000),
    "standard": Settings(games=100, simulations=5000),
    "paper": Settings(games=PUBLISHED_GAMES, simulations=50_000),
}

TABLE_2A = Experiment(
    id="hashimoto-2011/table-2a",
    title="Accelerated UCT with RAVE values against FUEGO's algorithm",
    source="Hashimoto2011, table 2a",
    about=f"{TABLE_2_SETTINGS}The accelerated ratio replaces the winning ratio of equation 8.",
    rows=_table_2a,
    figure=TABLE_2_FIGURE,
    scales=TABLE_2_SCALES,
    findings=(Above((f"k = {BEST_RAVE_K}",), 50, "Accelerated UCT improves a player with RAVE values"),),
)

TABLE_2B = Experiment(
    id="hashimoto-2011/table-2b",
    title="Discounted UCT with RAVE values against FUEGO's algorithm",
    source="Hashimoto2011, table 2b",
    about=f"{TABLE_2_SETTINGS}The discounted ratio and number of visits replace those of equation 8.",
    rows=_table_2b,
    figure=TABLE_2_FIGURE,
    scales=TABLE_2_SCALES,
    findings=(Ordering(("k = 1", "k = 4", "k = 6"), "a ratio discounted too much is poor"),),
)

EXPERIMENTS = (TABLE_1A, TABLE_1B, TABLE_2A, TABLE_2B, FIGURE_1, FIGURE_2, BIAS_TERMS, OVERHEAD)
