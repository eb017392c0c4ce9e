"""The outcome of an experiment as JSON values: estimates beside the published values, and the findings."""

import math
from collections.abc import Callable
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from tengen.papers.experiment import SMOKE, Above, Experiment, Finding, Ordering, Row, Settings
from tengen.papers.quantities import Estimate, p_value, verdict

YES, NOT_SHOWN, NO = "yes", "not shown", "no"
SIGNIFICANT = 0.05


def outcome(
    experiment: Experiment,
    settings: Settings,
    rows: list[Row],
    estimate_of: Callable[[Row], Estimate | None],
    **about: Any,
) -> dict[str, Any]:
    """Return the outcome; `about` has the scale, command, version, date and seconds of the run.

    Findings about rows that the run leaves out are left out, too.
    """
    estimates = {row.label: estimate_of(row) for row in rows}
    comparable = is_comparable(experiment, settings)
    return {
        "id": experiment.id,
        "title": experiment.title,
        "source": experiment.source,
        "about": experiment.about,
        "differences": experiment.differences,
        "settings": _described(experiment, settings),
        **about,
        "figure": {key: _json(value) for key, value in asdict(experiment.figure).items()},
        "rows": [_row(row, estimates[row.label], comparable) for row in rows],
        "findings": [
            _finding(finding, estimates) for finding in experiment.findings if estimates.keys() >= {*finding.labels}
        ],
    }


def _described(experiment: Experiment, settings: Settings) -> dict[str, Any]:
    """Return the settings that the experiment uses: those that its scales set, and what the run has changed."""
    known = asdict(settings) | {"positions": str(settings.positions or "")}
    del known["folder"]
    usual, paper = (asdict(found) | {"positions": ""} for found in (SMOKE, experiment.scales["paper"]))
    return {key: value for key, value in known.items() if paper[key] != usual[key] or value != usual[key]}


def is_comparable(experiment: Experiment, settings: Settings) -> bool:
    """Whether a run has the paper's settings, so that its numbers may be compared with the published ones.

    Numbers of games and samples change the intervals only.
    """
    paper = experiment.scales["paper"]
    return all(getattr(settings, name) == getattr(paper, name) for name in ("simulations", "level", "steps"))


def _json(value: Any) -> Any:
    """Return a value with lists for tuples, as it will be read from a file."""
    return list(value) if isinstance(value, tuple) else value


def _row(row: Row, estimate: Estimate | None, comparable: bool) -> dict[str, Any]:
    numbers: dict[str, Any] = {"value": None, "low": None, "high": None, "samples": 0}
    judged, published = "", row.published
    if estimate is not None:
        numbers = estimate.to_json()
        if published is not None and estimate.samples and comparable:
            judged = verdict(estimate, published)
    return {
        "label": row.label,
        "variant": row.variant,
        "series": row.series,
        "x": row.x,
        "quantity": row.quantity.name,
        "unit": row.quantity.unit,
        "decimals": row.quantity.decimals,
        **numbers,
        "published": None if published is None else published.value,
        "published_error": None if published is None else published.error,
        "published_note": "" if published is None else published.note,
        "verdict": judged,
    }


def _finding(finding: Finding, estimates: dict[str, Estimate | None]) -> dict[str, Any]:
    """Return whether a finding holds, with the p-value of its weakest step."""
    pairs = _compared(finding, [estimates.get(label) for label in finding.labels])
    holds, p = NOT_SHOWN, None
    if pairs is not None:
        p = max(p_value(greater, less) for greater, less in pairs)
        wrong = [greater.value < less.value and p_value(greater, less) < SIGNIFICANT for greater, less in pairs]
        right = all(greater.value > less.value for greater, less in pairs) and p < SIGNIFICANT
        holds = YES if right else NO if any(wrong) else NOT_SHOWN
    return {"meaning": finding.meaning, "labels": list(finding.labels), "holds": holds, "p": p}


def _compared(finding: Finding, found: list[Estimate | None]) -> list[tuple[Estimate, Estimate]] | None:
    """Return the pairs (greater, less) that a finding states, or None if an estimate is missing."""
    estimates = [estimate for estimate in found if estimate is not None and math.isfinite(estimate.value)]
    if len(estimates) < len(found) or not estimates:
        return None
    if isinstance(finding, Above):
        return [(estimate, Estimate(finding.value, finding.value, finding.value, 0)) for estimate in estimates]
    assert isinstance(finding, Ordering)
    ordered = estimates if finding.falling else estimates[::-1]
    return list(pairwise(ordered))
