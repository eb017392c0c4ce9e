"""The findings of an experiment, from estimates."""

import pytest

from tengen.games.othello.game import Othello
from tengen.papers.experiment import Above, Experiment, Figure, Match, Ordering, Published, Row, Settings
from tengen.papers.outcome import outcome
from tengen.papers.quantities import Estimate

GAME = Othello(4)
NARROW = {"a": (10, 1), "b": (20, 1), "c": (30, 1)}
WIDE = {"a": (10, 9), "b": (20, 9), "c": (30, 9)}


def found(finding, estimates):
    """Return a finding of rows with these values and half intervals."""
    match = Match("random", "mogo", GAME, 1)
    rows = [Row(label, match) for label in estimates]
    experiment = Experiment(
        id="tests/x",
        title="",
        source="",
        about="",
        rows=lambda _: rows,
        figure=Figure(y=""),
        scales={"paper": Settings()},
        findings=(finding,),
    )

    def estimate_of(row):
        value = estimates[row.label]
        return None if value is None else Estimate(value[0], value[0] - value[1], value[0] + value[1], 9)

    return outcome(experiment, Settings(), rows, estimate_of, scale="quick")["findings"][0]


@pytest.mark.parametrize(
    ("finding", "estimates", "holds"),
    [
        (Ordering(("a", "b", "c"), "rise"), NARROW, "yes"),
        (Ordering(("c", "b", "a"), "fall", falling=True), NARROW, "yes"),
        (Ordering(("c", "b", "a"), "rise"), NARROW, "no"),
        (Ordering(("a", "b", "c"), "rise"), WIDE, "not shown"),
        (Ordering(("c", "b", "a"), "rise"), WIDE, "not shown"),
        (Ordering(("a", "b"), "rise"), {"a": (10, 1), "b": None}, "not shown"),
        (Above(("b", "c"), 15, "above"), NARROW, "yes"),
        (Above(("a", "c"), 15, "above"), NARROW, "no"),
        (Above(("b",), 15, "above"), WIDE, "not shown"),
    ],
)
def test_a_finding_holds_only_if_each_step_is_significant(finding, estimates, holds):
    assert found(finding, estimates)["holds"] == holds


def test_the_p_value_is_that_of_the_weakest_step():
    steps = {"a": (10, 1), "b": (11, 1), "c": (30, 1)}
    weakest = found(Ordering(("a", "b"), "rise"), steps)["p"]
    assert found(Ordering(("a", "b", "c"), "rise"), steps)["p"] == weakest == pytest.approx(0.1658, abs=1e-3)


@pytest.mark.parametrize(("simulations", "verdict"), [(3000, "agrees"), (1000, "")])
def test_only_runs_with_the_settings_of_the_paper_are_compared_with_it(simulations, verdict):
    rows = [Row("a", Match("random", "mogo", GAME, 1), published=Published(50))]
    scales = {"paper": Settings(games=1000, simulations=3000)}
    experiment = Experiment("tests/x", "", "", "", lambda _: rows, Figure(y=""), scales)
    settings = Settings(games=10, simulations=simulations)
    found = outcome(experiment, settings, rows, lambda row: Estimate(51, 40, 60, 10))
    assert found["rows"][0]["verdict"] == verdict
