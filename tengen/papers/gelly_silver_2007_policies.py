"""Figures 2 and 3 of GellySilver2007: playout policies by their randomness, as players and as estimators."""

from tengen.games.go.game import Go
from tengen.papers.experiment import Experiment, Figure, Match, Ordering, Published, Row, Settings
from tengen.papers.labelled_positions import labelled_positions
from tengen.papers.matches import KOMI
from tengen.papers.measures.playout_error import MSE, MSE_RETURNS, SPREAD, SQUARED_BIAS, error_of

RANDOM = "π_random"
MOGO = "π_MoGo"
POLICIES = {
    "ε": ("epsilon", (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0), 1.0),
    "σ": ("sigma", (0.01, 0.02, 0.05, 0.1, 0.15, 0.3), 0.5),
    "τ": ("tau", (0.002, 0.005, 0.01, 0.02, 0.05, 0.1), 0.5),
}
"""By class of policy: the option of `rlgo`, its values, and the factor of the axis of figures 2 and 3, which show
epsilon, sigma / 2 and tau / 2."""
OVER_90 = Published(90, note="over 90 %", high=100)


def policies() -> list[tuple[str, str, float, str]]:
    """Return (class, label, degree of randomness, policy with its settings) of each policy of figures 2 and 3."""
    return [
        (name, f"{name} = {value:g}", factor * value, f"rlgo:{key}={value:g}")
        for name, (key, values, factor) in POLICIES.items()
        for value in values
    ]


def _strengths(settings: Settings, openings: tuple[str, ...] = ()) -> list[Row]:
    """Return the games of each policy against the random policy and against MoGo's."""
    rows, every = [], policies()
    for opponent, player in ((RANDOM, "random"), (MOGO, "mogo")):
        for name, label, x, policy in every if player == "mogo" else [*every, ("MoGo", MOGO, 0.0, "mogo")]:
            work = Match(policy, player, Go(9, komi=KOMI), settings.games, openings=openings, seed=settings.seed)
            published = OVER_90 if label in ("ε = 0", "ε = 0.1") else None
            rows.append(Row(f"{label} v {opponent}", work, published=published, series=f"{name} v {opponent}", x=x))
    return rows


FIGURE_2 = Experiment(
    id="gelly-silver-2007/figure-2",
    title="Strength of the default policies by their randomness",
    source="GellySilver2007, figure 2",
    about=(
        "Policies from the learnt value with three kinds of randomness, as players without search, against the random "
        "policy and MoGo's. The paper plays 6,000 games per pair. Its values are read as over 90 % without or with "
        "little randomness, against both."
    ),
    rows=_strengths,
    figure=Figure(x="randomness: ε, σ / 2, τ / 2", y="won (%)", reference=50),
    scales={
        "quick": Settings(games=60),
        "standard": Settings(games=400),
        "paper": Settings(games=6000),
    },
    findings=(
        Ordering(tuple(f"ε = {e:g} v π_MoGo" for e in (0.1, 0.3, 0.5, 0.7, 1.0)), "randomness weakens", falling=True),
    ),
)


def _strengths_on_positions(settings: Settings) -> list[Row]:
    positions = labelled_positions(settings.positions)
    return _strengths(settings, tuple(position.opening for position in positions))


FIGURE_2_POSITIONS = Experiment(
    id="gelly-silver-2007/figure-2-positions",
    title="The same from the labelled positions",
    source="GellySilver2007, section 5",
    about=(
        "The games of figure 2, played from the labelled positions of figure 3, two games from each position. The "
        "paper reports that the relative strengths remain similar."
    ),
    rows=_strengths_on_positions,
    figure=FIGURE_2.figure,
    scales={
        "quick": Settings(games=60),
        "standard": Settings(games=400),
        "paper": Settings(games=6000),
    },
    findings=FIGURE_2.findings,
)


def _figure_3(settings: Settings) -> list[Row]:
    measured = [*policies(), ("MoGo", MOGO, 0.0, "mogo"), ("random", RANDOM, 1.0, "random")]
    rows = []
    for quantity in (MSE, MSE_RETURNS, SQUARED_BIAS, SPREAD):
        for name, label, x, policy in measured:
            shown = label if quantity is MSE else f"{label}: {quantity.name}"
            series = name if quantity is MSE else ""
            rows.append(Row(shown, error_of(policy, settings), quantity, series=series, x=x))
    return rows


FIGURE_3 = Experiment(
    id="gelly-silver-2007/figure-3",
    title="Accuracy of playouts by the randomness of the policy",
    source="GellySilver2007, figure 3",
    about=(
        "The mean squared error of 1,000 playouts against the label of 200 positions, for the policies of figure 2. "
        "The paper's positions were labelled by hand and are not public; ours are decided positions labelled by the "
        "agreement of two programs. The scale of its axis (0.3 to 0.6) cannot be that of results of 0 and 1, where a "
        "constant estimate of 0.5 has 0.25; the error on the scale of -1 and 1 is four times as large, so both are "
        "given, with the split into squared bias and variance of the mean."
    ),
    rows=_figure_3,
    figure=Figure(x="randomness: ε, σ / 2, τ / 2", y="mean squared error"),
    scales={
        "quick": Settings(samples=300),
        "standard": Settings(samples=1000),
        "paper": Settings(samples=1000),
    },
    findings=(
        Ordering((MOGO, RANDOM), "MoGo's policy is more accurate than random playouts"),
        Ordering((MOGO, "ε = 0.1", "ε = 0"), "a slightly random learnt policy is more accurate than the greedy one"),
    ),
)
