"""Plain lines about measurements, by a clock that the test supplies."""

import io

from rich.console import Console

from tengen.papers.measuring_view import MeasuringView


def test_plain_lines_tell_the_parts_and_the_time_left_every_ten_seconds():
    text, times = io.StringIO(), iter([0.0, 5.0, 20.0, 25.0, 100.0])
    with MeasuringView(Console(file=text), lambda: next(times)) as view:
        for done in (10, 12, 20, 21, 90):
            view(done, 90)
    assert text.getvalue().splitlines() == ["20/90 parts measured, 2:20 left", "90/90 parts measured, 0:00 left"]


def test_a_run_without_missing_parts_says_nothing():
    text = io.StringIO()
    with MeasuringView(Console(file=text), lambda: 0.0) as view:
        view(5, 5)
    assert text.getvalue() == ""
