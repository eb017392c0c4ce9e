"""The file of a run's result: what is written is read, and a damaged file is refused in one sentence."""

import json
import math
from collections.abc import Callable

import pytest

from tengen.errors import TengenError
from tengen.papers.reports.results_file import MOST_ROWS, checked, read_result, write_result
from tests.papers.sample_results import Json, result, row


def a_result() -> Json:
    finding = {"meaning": "a is better", "labels": ["a", "b"], "holds": "yes", "p": 0.01}
    return result(row("a"), row("b", 60, published=61.5, published_error=1, verdict="agrees"), findings=[finding])


def test_a_written_result_is_read(tmp_path):
    path = tmp_path / "quick.json"
    write_result(a_result(), path)
    assert read_result(path) == a_result()


def test_the_declared_scatter_plot_is_read(tmp_path):
    with_scatter = a_result()
    with_scatter["figure"]["scatter"] = ["won", "mean score"]
    write_result(with_scatter, tmp_path / "quick.json")
    assert read_result(tmp_path / "quick.json")["figure"]["scatter"] == ["won", "mean score"]


def test_a_wrong_result_is_not_written(tmp_path):
    with pytest.raises(TengenError, match="scale must be one of"):
        write_result(result(scale="huge"), tmp_path / "quick.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not valid JSON"),
        (json.dumps(a_result())[:-40], "not valid JSON"),
        ("[]", "the file must be a JSON object"),
        ("{}", "id is missing"),
        ("[" * 5000, "nested deeper"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, content, message):
    path = tmp_path / "quick.json"
    path.write_text(content)
    with pytest.raises(TengenError, match=message) as refused:
        read_result(path)
    assert "quick.json' is not the result of an experiment" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda found: found.pop("findings"), "findings is missing"),
        (lambda found: found.update(more=1), "unknown key 'more'"),
        (lambda found: found.update(id="../../etc"), "id must be two names"),
        (lambda found: found.update(id="a/.."), "id must be two names"),
        (lambda found: found.update(id="a/b/c"), "id must be two names"),
        (lambda found: found.update(id="a/b\n"), "id must be two names"),
        (lambda found: found.update(title=3), "title must be 1 to 200 printable characters, not '3'"),
        (lambda found: found.update(title="a\u202eb"), "title must be"),
        (lambda found: found.update(title="a\ud800"), "title must be"),
        (lambda found: found.update(about="a\x1b[31m"), "about must be"),
        (lambda found: found.update(date="yesterday"), "date must be a date as in 2026-01-31, not 'yesterday'"),
        (lambda found: found.update(seconds=-1), "seconds must be a number from 0"),
        (lambda found: found.update(seconds=True), "seconds must be a number"),
        (lambda found: found.update(settings={"games": [1]}), r"settings\.games must be a number"),
        (lambda found: found["figure"].update(log_x=1), r"figure\.log_x must be true or false, not '1'"),
        (lambda found: found["figure"].update(scatter=["won"]), r"figure\.scatter must be a list of 2 to 2 values"),
        (lambda found: found["rows"][1].pop("unit"), r"rows\[1\]\.unit is missing"),
        (lambda found: found["rows"][0].update(value=math.nan), r"rows\[0\]\.value must be a number"),
        (lambda found: found["rows"][0].update(high=math.inf), r"rows\[0\]\.high must be a number"),
        (lambda found: found["rows"][0].update(value=10**400), r"rows\[0\]\.value must be a number"),
        (lambda found: found["rows"][0].update(low=70.0), r"rows\[0\]\.low must not be larger than rows\[0\]\.high"),
        (lambda found: found["rows"][0].update(decimals=99), r"rows\[0\]\.decimals must be an integer from 0 to 10"),
        (lambda found: found["rows"][0].update(variant="theirs"), "'as printed', 'ours', not 'theirs'"),
        (lambda found: found["rows"][0].update(verdict=["agrees"]), r"rows\[0\]\.verdict must be one of"),
        (lambda found: found.update(rows=[row("a")] * (MOST_ROWS + 1)), "rows must be a list of 0 to 2,000 values"),
        (lambda found: found["findings"][0].update(p=1.5), r"findings\[0\]\.p must be a number from 0 to 1"),
    ],
)
def test_a_wrong_value_is_named(change: Callable[[Json], None], message):
    found = a_result()
    change(found)
    with pytest.raises(TengenError, match=message):
        checked(found)
