"""Results like those of real runs, for the tests of reports; as a script, all reports of them in a folder.

`python -m tests.papers.sample_results FOLDER`
"""

import math
import random
import sys
from pathlib import Path
from typing import Any

from tengen.arena.scores import Tally, elo_from_rate
from tengen.papers.catalogue import experiments
from tengen.papers.experiment import Experiment
from tengen.papers.quantities import Estimate, verdict
from tengen.papers.reports.results_file import checked

Json = dict[str, Any]


def row(label: str, value: float | None = 48.3, **changes: Any) -> Json:
    """Return a row of a result; without changes, the win rate of 60 games, without a published value."""
    middle = 0.0 if value is None else value
    found: Json = {
        "label": label,
        "variant": "as printed",
        "series": "",
        "x": None,
        "quantity": "won",
        "unit": "%",
        "decimals": 1,
        "value": value,
        "low": middle - 12,
        "high": middle + 12,
        "samples": 60,
        "published": None,
        "published_error": None,
        "published_note": "",
        "verdict": "",
    }
    assert changes.keys() <= found.keys()
    return found | changes


def result(*rows: Json, **changes: Any) -> Json:
    """Return a result with these rows."""
    found: Json = {
        "id": "gelly-silver-2007/table-2",
        "title": "UCT, RAVE values and prior knowledge",
        "source": "GellySilver2007, table 2",
        "about": "The three techniques one after the other.",
        "differences": "",
        "scale": "quick",
        "settings": {"games": 60, "simulations": 1000, "level": 0},
        "command": "tengen reproduce gelly-silver-2007/table-2 --scale quick",
        "version": "0.1.0",
        "date": "2026-11-19",
        "seconds": 312.5,
        "figure": {"y": "won against GNU Go (%)", "x": "", "log_x": False, "log_y": False, "reference": None},
        "rows": list(rows),
        "findings": [],
    }
    assert changes.keys() <= found.keys()
    return found | changes


DIFFERENCES = (
    "The win rates of all players are higher than the published ones at this scale, because GNU Go plays at level 0 "
    "here and at level 8 in the paper; with level 8 (scale standard) the differences stay within the intervals.\n\n"
    "UCT_RAVE without a prior depends on the value of untried moves, which the paper does not state: with a first-play "
    "value of 1 the rate is 58.9 % ± 3.1, with every untried move first it is 41.2 % ± 3.0."
)


def sample_of(experiment: Experiment, scale: str = "quick") -> Json:
    """Return an invented result of an experiment, with its real rows."""
    chance = random.Random(experiment.id + scale)
    settings = experiment.settings(scale)
    rows = []
    for place, declared in enumerate(experiment.rows(settings)):
        found = _invented(declared, place, settings.games, chance)
        rows.append(
            row(
                declared.label,
                variant=declared.variant,
                series=declared.series,
                x=declared.x,
                quantity=declared.quantity.name,
                unit=declared.quantity.unit,
                decimals=declared.quantity.decimals,
                **found.to_json(),
            )
        )
        if declared.published is not None:
            known = declared.published
            rows[-1] |= {
                "published": known.value,
                "published_error": known.error,
                "published_note": known.note,
                "verdict": verdict(found, known) if math.isfinite(found.value) else "higher",
            }
    findings = [
        {"meaning": ordering.meaning, "labels": list(ordering.labels), "holds": holds, "p": p}
        for ordering, (holds, p) in zip(
            experiment.findings, (("yes", 0.00002), ("not shown", 0.31), ("no", 0.012)), strict=False
        )
    ]
    form = experiment.figure
    return checked(
        result(
            *rows,
            id=experiment.id,
            title=experiment.title,
            source=experiment.source,
            about=experiment.about,
            differences=DIFFERENCES,
            scale=scale,
            settings={"games": settings.games, "simulations": settings.simulations, "level": settings.level, "seed": 1},
            command=f"tengen reproduce {experiment.id} --scale {scale}",
            seconds=2.5 + 1000 * chance.random(),
            findings=findings,
            figure={
                "y": form.y,
                "x": form.x,
                "log_x": form.log_x,
                "log_y": form.log_y,
                "reference": form.reference,
            },
        )
    )


def _invented(declared: Any, place: int, games: int, chance: random.Random) -> Estimate:
    """Return an estimate near the published value, or near a curve."""
    unit, published = declared.quantity.unit, declared.published
    if unit in ("%", "Elo"):
        rate = published.value / 100 if published and unit == "%" else 0.3 + 0.1 * math.sin(place) + 0.02 * place % 0.4
        wins = sum(chance.random() < rate for _ in range(games))
        tally = Tally(wins=wins, losses=games - wins)
        low, high = tally.interval()
        if unit == "%":
            return Estimate(100 * wins / games, 100 * low, 100 * high, games)
        value, low, high = (1800 + elo_from_rate(each) for each in (wins / games, low, high))
        return Estimate(value, low, high, games)
    value = published.value if published else 0.1 + 0.05 * math.sin(place / 4) ** 2
    value *= 1 + 0.2 * chance.random()
    return Estimate(value, 0.9 * value, 1.1 * value, 200)


def scatter(players: int = 13) -> Json:
    """Return an invented result whose figure has one quantity over another."""
    chance = random.Random(3)
    rows = []
    for place in range(players):
        rate, score = 20 + 60 * place / players + 12 * chance.random(), -30 + 50 * place / players
        label = ("Manual", "Pixel", "MoGo", "rlgo ε = 0.1", "uniform", "Zero urgencies")[place % 6] + f" {place}"
        rows.append(row(f"{label}: alone", rate, quantity="won without search", variant="as printed"))
        rows.append(
            row(f"{label}: in MC", score, low=score - 6, high=score + 5, quantity="mean score", unit="points",
                samples=100)
        )  # fmt: skip
    form = {"y": "", "x": "", "log_x": False, "log_y": False, "reference": 0.0}
    form["scatter"] = ["won without search", "mean score"]
    return result(
        *rows,
        id="bouzy-chaslot-2006/figure-9",
        title="Strength of a pseudo-random player alone and in Monte-Carlo Go",
        source="BouzyChaslot2006, section 6",
        figure=form,
    )


def samples() -> list[Json]:
    """Return a result of every experiment, some at two scales."""
    declared = experiments()
    return [
        *(sample_of(experiment) for experiment in declared.values()),
        sample_of(declared["gelly-silver-2007/table-2"], "standard"),
        sample_of(declared["gelly-silver-2007/table-3"], "smoke"),
        scatter(),
    ]


def main(folder: Path) -> None:
    """Write the figures, the Markdown reports and the site of all samples."""
    from tengen.papers.reports import report_figures, report_site
    from tengen.papers.reports import report_text as report

    found = samples()
    for each in found:
        place = folder / each["id"]
        place.mkdir(parents=True, exist_ok=True)
        report_figures.draw(each, place / f"{each['scale']}.png")
        (place / f"{each['scale']}.md").write_text(report.markdown(each))
        print(report.text(each), end="\n\n")
    report_site.write_site(found, folder)
    report_site.write_index(found, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
