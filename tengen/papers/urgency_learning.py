"""The learning experiments of Bouzy and Chaslot: see bouzy_chaslot_2006.py."""

from pathlib import Path

from tengen.learning.urgency_settings import PopulationSettings, RelativeSettings
from tengen.papers.experiment import OURS, Above, Experiment, Figure, Ordering, Published, Row, Settings
from tengen.papers.indigo_matches import (
    BLOCKS,
    MANUAL,
    SHIPPED,
    ZERO,
    low_match,
    mc_match,
    program_1a,
    score_and_rate,
    train_1a,
)
from tengen.papers.quantities import MARGIN
from tengen.papers.trained_urgencies import TrainedTable, train_tables


def _experiment_1a(settings: Settings) -> list[Row]:
    learnt = program_1a(settings).option(settings.folder)
    return [
        Row("RLPR v Zero", low_match(learnt, ZERO, settings, 9), MARGIN, series="low level"),
        Row("RLPR v Manual", low_match(learnt, MANUAL, settings, 9), MARGIN, series="low level"),
        Row("Manual v Zero", low_match(MANUAL, ZERO, settings, 9), MARGIN, series="low level"),
        *score_and_rate("MC(RLPR) v MC(Manual)", mc_match(learnt, MANUAL, settings, 9)),
    ]


EXPERIMENT_1A = Experiment(
    id="bouzy-chaslot-2006/experiment-1a",
    title="One learning program at the low level",
    source="BouzyChaslot2006, section V.A.1",
    about=(
        "A pseudo-random program learns the values of 3x3 patterns on 9x9 in games against itself, ten blocks of "
        "20,000 games, with k = 1 and λ = 1 (k, the blocks and their games are not published). Mean scores without "
        "search against Zero and Manual, and of MC(RLPR) against MC(Manual), with at most 500 random games for each "
        "move (100 at the scale quick). The paper has no numbers: RLPR >> Zero, RLPR < Manual, MC(RLPR) << "
        "MC(Manual)."
    ),
    rows=_experiment_1a,
    figure=Figure(y="mean score (points), rate (%)", reference=0),
    scales={
        "quick": Settings(games=40, simulations=100, steps=BLOCKS),
        "standard": Settings(games=150, simulations=500, steps=BLOCKS),
        "paper": Settings(games=1000, simulations=500, steps=BLOCKS),
    },
    findings=(
        Above(("RLPR v Zero",), 0.0, "the program learns at the low level"),
        Ordering(("RLPR v Manual", "RLPR v Zero"), "Manual is the stronger opponent at the low level"),
        Ordering(
            ("MC(RLPR) v MC(Manual)", "RLPR v Manual"),
            "what is learnt at the low level is worth much less at the Monte-Carlo level: determinisation",
        ),
    ),
    prepare=train_1a,
    differences=(
        "Our RLPR is above our Manual at the low level, the paper's below: the tables Manual differ. The urgencies of "
        "chains in atari are not learnt, but Manual's, so that the program begins above Zero."
    ),
)

STARTS = ("zero", "manual")
LEAST_GAMES = 5
"""A program meets five others in a generation."""
ON_19 = {
    "zero": (Published(180), Published(-50), None),
    "manual": (Published(180), Published(50), Published(-20)),
}
"""By the starting population: the published scores of RLPR against Zero and Manual, and of MC(RLPR)."""


def _population(start: str, settings: Settings) -> TrainedTable:
    """Return the best table of a population of 64 on 19x19; the scale's samples are games of a program."""
    games = max(LEAST_GAMES, settings.samples)
    lessons = PopulationSettings(size=19, games=games, test_games=max(2, games // 5), start=start)
    return TrainedTable(f"1b-{start}", lessons, settings.steps)


def _experiment_1b(settings: Settings) -> list[Row]:
    rows = []
    for start, (zero, manual, high) in ON_19.items():
        learnt = _population(start, settings).option(settings.folder)
        name = f"from {start.capitalize()}"
        work = mc_match(learnt, MANUAL, settings, 19, settings.games)
        rows += [
            Row(f"RLPR {name} v Zero", low_match(learnt, ZERO, settings, 19), MARGIN, zero, series="low level"),
            Row(f"RLPR {name} v Manual", low_match(learnt, MANUAL, settings, 19), MARGIN, manual, series="low level"),
            *score_and_rate(f"MC(RLPR) {name} v MC(Manual)", work, high),
        ]
    control = low_match(MANUAL, ZERO, settings, 19)
    return [*rows, Row("Manual v Zero", control, MARGIN, series="low level")]


def _prepare_1b(settings: Settings, folder: Path, workers: int) -> None:
    train_tables([_population(start, settings) for start in STARTS], folder, workers)


EXPERIMENT_1B = Experiment(
    id="bouzy-chaslot-2006/experiment-1b",
    title="A population of learning programs at the low level",
    source="BouzyChaslot2006, section V.A.2",
    about=(
        "64 programs learn on 19x19 as in experiment 1a, from games against each other; they are tested against Zero "
        "and Manual, and the best half is copied. Ten generations, in which each program plays 1,000 games against "
        "five others and 200 against each of Zero and Manual (three generations of 100 games at the scale quick; the "
        "paper states neither); all programs start as Zero or as Manual. Mean scores without search, and of MC(RLPR) "
        "against MC(Manual) with at most 500 random games for each move (50 at the scale quick)."
    ),
    rows=_experiment_1b,
    figure=Figure(y="mean score (points), rate (%)", reference=0),
    scales={
        "quick": Settings(games=4, simulations=50, samples=100, steps=3),
        "standard": Settings(games=12, simulations=500, samples=1000, steps=10),
        "paper": Settings(games=100, simulations=500, samples=1000, steps=30),
    },
    findings=(
        Above(("RLPR from Zero v Zero", "RLPR from Manual v Zero"), 0.0, "learning is possible on 19x19"),
        Ordering(
            ("RLPR from Zero v Manual", "RLPR from Manual v Manual"),
            "the result depends on the start: a population that starts as Manual ends higher",
        ),
        Ordering(
            ("MC(RLPR) from Manual v MC(Manual)", "RLPR from Manual v Manual"),
            "learning still corresponds to determinisation",
        ),
    ),
    prepare=_prepare_1b,
    differences=(
        "The paper does not say how programs are ranked; here it is by the sum of the mean scores against Zero and "
        "Manual. The tables Manual differ, and a program that starts as Zero has Manual's urgencies of chains in "
        "atari."
    ),
)

ROUNDS = 300


def _relative(settings: Settings) -> TrainedTable:
    """Return the table of experiment 2 on 9x9, with C = 0.8 in points; a step is a round of 16 games."""
    return TrainedTable("2", RelativeSettings(), settings.steps)


def _experiment_2(settings: Settings) -> list[Row]:
    learnt, deterministic = (table(settings).option(settings.folder) for table in (_relative, program_1a))
    return [
        *score_and_rate("9x9", mc_match(learnt, MANUAL, settings, 9), Published(3)),
        *score_and_rate("19x19", mc_match(learnt, MANUAL, settings, 19), Published(-30)),
        *score_and_rate("9x9, the package's table", mc_match(SHIPPED, MANUAL, settings, 9), Published(3), variant=OURS),
        *score_and_rate("9x9, the table of experiment 1a", mc_match(deterministic, MANUAL, settings, 9), variant=OURS),
        Row("low level, v Zero", low_match(learnt, ZERO, settings, 9), MARGIN, series="low level"),
        Row("low level, v Manual", low_match(learnt, MANUAL, settings, 9), MARGIN, series="low level"),
    ]


def _prepare_2(settings: Settings, folder: Path, workers: int) -> None:
    train_tables([_relative(settings), program_1a(settings)], folder, workers)


EXPERIMENT_2 = Experiment(
    id="bouzy-chaslot-2006/experiment-2",
    title="Relative differences at the Monte-Carlo level",
    source="BouzyChaslot2006, section V.B",
    about=(
        "MC(RLPR) plays against itself on 9x9, and the difference of the log-urgencies of two candidate moves is "
        "moved towards C (V_a - V_b), V being the mean score of 20 random games: 300 rounds of 16 games with C = 0.8 "
        "(10 rounds at the scale quick). Then MC(RLPR) against MC(Manual) on 9x9, and with the same table on 19x19 (8 "
        "% as many games), with at most 500 random games for each move (100 at the scale quick). The table of the "
        "package, 300 rounds, was learnt in the same way at another time. For comparison the table of experiment 1a."
    ),
    rows=_experiment_2,
    figure=Figure(y="mean score (points), rate (%)", reference=0),
    scales={
        "quick": Settings(games=30, simulations=100, steps=10),
        "standard": Settings(games=150, simulations=500, steps=ROUNDS),
        "paper": Settings(games=1000, simulations=500, steps=ROUNDS),
    },
    findings=(
        Ordering(
            ("9x9, the table of experiment 1a", "9x9"),
            "relative differences avoid the determinisation of experiment 1a",
        ),
        Ordering(("19x19", "9x9"), "a table learnt on 9x9 is less adapted to 19x19"),
    ),
    prepare=_prepare_2,
    differences=(
        "The unit of V is not published. In points C of 0.7 to 1.0 gives plausible urgencies, as the small steps "
        "average over thousands of positions; with win rates, or scores divided by the area, the same C hardly moves "
        "the urgencies. Which pairs are compared is not published either: here all pairs of the candidates of a "
        "move.\n\n"
        "The published step is proportional to the inverse of the root of N, the times that a pattern matched; its "
        "factor is not published, and 0.01 here."
    ),
)
