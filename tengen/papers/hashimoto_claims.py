"""Figures 1 and 2 of Hashimoto et al. 2011, and the statements of its text that can be measured."""

from tengen.games.catalogue import game_to_json
from tengen.papers.experiment import OURS, PRINTED, Experiment, Figure, Measurement, Ordering, Published, Row, Settings
from tengen.papers.hashimoto_players import (
    ACCELERATED,
    BEST_DISCOUNTED_K,
    BEST_K,
    DISCOUNTED,
    DOMAINS,
    PLAIN,
    UNIFORM,
    with_backup,
)
from tengen.papers.matches import with_settings
from tengen.papers.measures.bias_terms import WEIGHTED, bias_terms
from tengen.papers.measures.deceptive_search import deceived, values_of_leaves, virtual_child
from tengen.papers.measures.speed import ROUNDS, simulations_per_second
from tengen.papers.quantities import mean_of, ratio_of

# --- Figures ----------------------------------------------------------------------------------------------------------

TWICE = 2
"""Parts of measurements without randomness: two equal results have an interval of no width."""
ROUNDING = 1e-6
"""The error of values in single precision, as that of published fractions."""
SEEDS, LONG_ENOUGH = 25, 4000
UNTIL_RIGHT = mean_of("simulations", "until the right move stays best", "simulations", decimals=1)
SMALL_C, LARGE_C = 0.01, 1.0
TREE_EXPONENTS = (1, 2, 3)


def _deceived(settings: Settings, label: str, exploration: float, k: int = 0) -> Row:
    """Return the row of an algorithm on the deceptive tree; `k` of 0 is plain UCT."""
    player = f"uct:exploration={exploration:g}"
    shown = f"{label}, k = {k}" if k else label
    row = f"{shown}, C = {exploration:g}"
    work = Measurement(
        row,
        deceived,
        settings.samples,
        {"player": with_backup(player, label, k) if k else player, "seeds": SEEDS, "most": LONG_ENOUGH},
    )
    return Row(row, work, UNTIL_RIGHT, series=f"C = {exploration:g}")


def _figure_1(settings: Settings) -> list[Row]:
    leaves = Measurement("leaves", values_of_leaves, TWICE, {"player": UNIFORM})
    rows = [
        Row(
            "A → B, one playout per leaf",
            leaves,
            mean_of("trap", "winning ratio"),
            Published(2 / 3, ROUNDING, note="2/3"),
        ),
        Row(
            "A → C, one playout per leaf",
            leaves,
            mean_of("right", "winning ratio"),
            Published(1 / 2, ROUNDING, note="1/2"),
        ),
    ]
    for exploration in (SMALL_C, LARGE_C):
        rows.append(_deceived(settings, PLAIN, exploration))
        rows += [
            _deceived(settings, backup, exploration, k) for backup in (ACCELERATED, DISCOUNTED) for k in TREE_EXPONENTS
        ]
    return rows


FIGURE_1 = Experiment(
    id="hashimoto-2011/figure-1",
    title="The deceptive tree",
    source="Hashimoto2011, figure 1",
    about=(
        "The paper's example of a tree with accurate playout results that deceives UCT: A → B loses, but after one "
        "playout per leaf its winning ratio is 2/3, that of the winning move A → C 1/2, with C close to 0. Measured is "
        "the number of simulations until A → C has and keeps the higher winning ratio, over many seeds. The paper "
        "measures nothing here; it adds that the drawback occurs with a large C, too."
    ),
    rows=_figure_1,
    figure=Figure(y="simulations until the right move stays best", log_y=True),
    scales={
        "quick": Settings(samples=8),
        "standard": Settings(samples=40),
        "paper": Settings(samples=400),
    },
    findings=(
        Ordering(
            (f"{ACCELERATED}, k = 1, C = 0.01", f"{ACCELERATED}, k = 2, C = 0.01", f"{PLAIN}, C = 0.01"),
            "Accelerated UCT leaves the deceptive tree sooner than UCT",
        ),
    ),
)

DECAYS = (1.0, 0.999, 0.99, 0.9, 0.5)


def _figure_2(settings: Settings) -> list[Row]:
    by_search = mean_of("by_search", "winning ratio", decimals=4)
    by_hand = mean_of("by_hand", "winning ratio by hand", decimals=4)
    published = Published(3 / 5, ROUNDING, note="3/5")
    plain = Measurement("plain", virtual_child, TWICE, {"player": UNIFORM, "decay": 1.0})
    rows = [Row("UCT", plain, by_search, published, series="search", x=1.0)]
    for decay in DECAYS:
        label, player = f"λ = {decay:g}", with_settings(UNIFORM, backup="accelerated", decay=decay)
        work = Measurement(label, virtual_child, TWICE, {"player": player, "decay": decay})
        rows.append(Row(label, work, by_search, published if decay == 1.0 else None, series="search", x=decay))
        rows.append(Row(f"{label}, by hand", work, by_hand, series="by hand", x=decay))
    return rows


FIGURE_2 = Experiment(
    id="hashimoto-2011/figure-2",
    title="The virtual child",
    source="Hashimoto2011, figure 2",
    about=(
        "Three playouts at node a, two of them won; then a is expanded, and one playout at its child d is won, one at "
        "e lost. The winning ratio of the move to a is 3/5 in UCT, and so in Accelerated UCT with λ = 1, if the three "
        "playouts are a virtual child. With λ < 1 the value follows from the velocities: 1 + λ + λ² for the virtual "
        "child at first, then multiplied by λ² by the visits of d and e; λ for d, and 1 for e."
    ),
    rows=_figure_2,
    figure=Figure(x="λ", y="winning ratio of r → a"),
    scales={"quick": Settings(), "standard": Settings(), "paper": Settings()},
)

# --- Claims of the text -----------------------------------------------------------------------------------------------

SIMULATION_SECONDS = 7e-6
"""Processor time of a simulation, the mean of the three games, for estimates."""


def _bias_terms(settings: Settings) -> list[Row]:
    """Return the ratio of the terms of Discounted UCT to those of Accelerated UCT, in both readings of 'best λ'."""
    rows = []
    for domain in DOMAINS:
        best, best_discounted = BEST_K[domain.name], BEST_DISCOUNTED_K[domain.name]
        player = with_settings(domain.player, simulations=settings.simulations)
        players = {
            ACCELERATED: with_backup(player, ACCELERATED, best),
            DISCOUNTED: with_backup(player, DISCOUNTED, best_discounted),
            f"{DISCOUNTED}, same λ": with_backup(player, DISCOUNTED, best),
        }
        work = Measurement(
            domain.name,
            bias_terms,
            settings.samples,
            {"players": players, "game": game_to_json(domain.game), "most_moves": domain.most_random_moves},
            seconds=SIMULATION_SECONDS * len(players) * settings.simulations,
        )
        for weighting in ("", WEIGHTED):
            of = mean_of(f"{ACCELERATED}{weighting}", f"mean term{weighting}")
            rows.append(Row(f"{domain.name}, {ACCELERATED}, k = {best}: mean{weighting}", work, of))
            for label, k in ((DISCOUNTED, best_discounted), (f"{DISCOUNTED}, same λ", best)):
                ratio = ratio_of(f"{label}{weighting}", f"{ACCELERATED}{weighting}", f"mean term{weighting}", "ratio")
                rows.append(Row(f"{domain.name}, {label}, k = {k}: ratio{weighting}", work, ratio))
    return rows


BIAS_TERMS = Experiment(
    id="hashimoto-2011/bias-terms",
    title="The exploration terms of Discounted and Accelerated UCT",
    source="Hashimoto2011, section 5.3",
    about=(
        "The paper reports, without numbers, that the values of the bias terms of Discounted and Accelerated UCT with "
        "the best λ were very similar in many positions. Here the positions come from random play, and the terms "
        "C sqrt(log s / n_j) are those of the tried moves at the root after a search with the number of playouts of a "
        "move: their mean over the moves, and that weighted by visits. 'The best λ' may be that of each algorithm "
        "(tables 1a and 1b) or the same λ for both, so both ratios to Accelerated UCT are given."
    ),
    rows=_bias_terms,
    figure=Figure(y="mean exploration term, or its ratio", reference=1),
    scales={
        "quick": Settings(simulations=5000, samples=40),
        "standard": Settings(simulations=50_000, samples=200),
        "paper": Settings(simulations=50_000, samples=1000),
    },
)

WHOLE_TREE = f"{DISCOUNTED} of the whole tree"


def _overhead(settings: Settings) -> list[Row]:
    """Return the speed of each backup as a ratio to UCT, in each game."""
    rows = []
    for domain in DOMAINS:
        discounted = with_backup(domain.player, DISCOUNTED, BEST_K[domain.name])
        players = {
            PLAIN: domain.player,
            ACCELERATED: with_backup(domain.player, ACCELERATED, BEST_K[domain.name]),
            DISCOUNTED: discounted,
            WHOLE_TREE: with_settings(discounted, discount="tree"),
        }
        work = Measurement(
            domain.name,
            simulations_per_second,
            settings.samples,
            {
                "players": players,
                "game": domain.game.name,
                "size": domain.game.size_value,
                "simulations": settings.simulations,
            },
            seconds=SIMULATION_SECONDS * len(players) * ROUNDS * settings.simulations,
        )
        for label in (ACCELERATED, DISCOUNTED, WHOLE_TREE):
            quantity = ratio_of(label, PLAIN, "speed", "of UCT", decimals=2)
            variant = OURS if label == WHOLE_TREE else PRINTED
            rows.append(Row(f"{domain.name}, {label}", work, quantity, variant=variant))
        absolute = mean_of(PLAIN, "speed", "simulations/s", decimals=0)
        rows.append(Row(f"{domain.name}, {PLAIN}, absolute", work, absolute))
    return rows


OVERHEAD = Experiment(
    id="hashimoto-2011/overhead",
    title="The cost of the backups",
    source="Hashimoto2011, section 5.2",
    about=(
        "The paper observes, without numbers, that the overhead of Accelerated and Discounted UCT is negligible. Here "
        "it is the number of simulations per second from the start of the game, as a ratio to UCT measured in "
        "alternation. To discount all nodes of the tree, which the paper avoids because of the overhead, is possible "
        "without it: a node is discounted when it is next visited."
    ),
    rows=_overhead,
    figure=Figure(y="speed as a ratio to UCT", reference=1),
    scales={
        "quick": Settings(simulations=10_000, samples=4),
        "standard": Settings(simulations=50_000, samples=20),
        "paper": Settings(simulations=50_000, samples=100),
    },
)
