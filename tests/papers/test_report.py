"""The reports of a result as Markdown and as text, exactly."""

import pytest

from tengen.papers.reports.report_cells import duration, interval, number, published
from tengen.papers.reports.report_text import markdown, text
from tests.papers.sample_results import result, row

FINDING = {"meaning": "RAVE values improve UCT", "labels": ["UCT", "UCT_RAVE"], "holds": "yes", "p": 0.00004}


def small():
    return result(
        row("UCT", 30, low=19.94, high=42.54, published=23.88, published_error=0.85, verdict="agrees"),
        row("UCT_RAVE", 63.333, low=50.7, high=74.4, published=69, published_note="the best k", verdict="agrees"),
        row("a | b", None, low=96.2, high=None, variant="ours"),
        findings=[FINDING],
        differences="Our GNU Go is newer.\n\n# Not a heading\nbut a line.",
    )


def test_markdown_of_a_small_result():
    assert (
        markdown(small())
        == """\
# UCT, RAVE values and prior knowledge

`gelly-silver-2007/table-2`: GellySilver2007, table 2

The three techniques one after the other.

Scale quick with games 60, simulations 1,000, level 0.

![UCT, RAVE values and prior knowledge: ours and published](quick.png)

## Results

| row | variant | won (%) | 95 % interval | samples | published | verdict |
| --- | --- | ---: | ---: | ---: | ---: | --- |
| UCT | as printed | 30.0 | 19.9 to 42.5 | 60 | 23.88 ± 0.85 | agrees |
| UCT_RAVE | as printed | 63.3 | 50.7 to 74.4 | 60 | 69 (the best k) | agrees |
| a \\| b | ours | - | from 96.2 | 60 |  |  |

Samples are games, or the parts of a measurement. Intervals are of 95 %; the error of a published value is its \
standard error. The verdict compares ours with the published value: they agree unless the difference exceeds both \
errors together. There is none if the run has other simulations or another opponent than the paper.

## Findings of the paper

| finding | rows | holds | p |
| --- | --- | --- | ---: |
| RAVE values improve UCT | UCT → UCT_RAVE | yes | < 0.001 |

## Differences from the paper

Our GNU Go is newer.

\\# Not a heading but a line.

## Run

```
tengen reproduce gelly-silver-2007/table-2 --scale quick
```

Tengen 0.1.0, 2026-11-19, 5 min 12 s.
"""
    )


def test_text_of_a_small_result():
    assert (
        text(small())
        == """\
gelly-silver-2007/table-2: UCT, RAVE values and prior knowledge
GellySilver2007, table 2. Scale quick with games 60, simulations 1,000, level 0.

row       variant     won (%)  95 % interval  samples        published  verdict
UCT       as printed     30.0   19.9 to 42.5       60     23.88 ± 0.85  agrees
UCT_RAVE  as printed     63.3   50.7 to 74.4       60  69 (the best k)  agrees
a | b     ours              -      from 96.2       60

Findings of the paper:
  RAVE values improve UCT: yes (p < 0.001)"""
    )


def test_several_quantities_have_a_table_each():
    report = markdown(result(row("a"), row("a: mean score", 3.5, quantity="mean score", unit="points"), row("b")))
    assert "### won (%)\n\n| row |" in report
    assert "### mean score (points)\n\n| row | variant | mean score (points) | 95 % interval | samples |\n" in report
    assert "| a | as printed | 3.5 |" in report
    assert report.index("| b |") < report.index("### mean score")


def test_a_result_without_rows_says_so():
    assert "There are no rows." in markdown(result())
    assert text(result()).endswith("level 0.")


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("a|b", "a\\|b"),
        ("<script>alert(1)</script>", "\\<script>alert(1)\\</script>"),
        ("[x](http://y)", "\\[x\\](http://y)"),
        ("**bold** `code`", "\\*\\*bold\\*\\* \\`code\\`"),
        ("_emphasis_", "\\_emphasis\\_"),
        ("UCT(π_MoGo)", "UCT(π_MoGo)"),
        ("a\\|b", "a\\\\\\|b"),
        ("&lt; $x$", "\\&lt; \\$x\\$"),
    ],
)
def test_labels_are_escaped_in_markdown(label, shown):
    assert f"\n| {shown} | as printed |" in markdown(result(row(label)))


@pytest.mark.parametrize(
    ("paragraph", "shown"),
    [
        ("# a", "\\# a"),
        ("- a", "\\- a"),
        ("1. a", "1\\. a"),
        ("2007 was", "2007 was"),
        ("> a", "\\> a"),
        ("---", "\\---"),
        ("-1 is less", "-1 is less"),
    ],
)
def test_a_paragraph_stays_a_paragraph(paragraph, shown):
    assert f"\n\n{shown}\n\nScale quick" in markdown(result(about=paragraph))


def test_a_command_cannot_end_its_block():
    assert "\n````\ntengen ``` reproduce\n````\n" in markdown(result(command="tengen ``` reproduce"))


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.04, "0.0 s"), (45.26, "45.3 s"), (59.99, "1 min 0 s"), (312.5, "5 min 12 s"), (9030, "2 h 30 min")],
)
def test_durations(seconds, shown):
    assert duration(seconds) == shown


@pytest.mark.parametrize(
    ("value", "decimals", "shown"), [(-0.01, 1, "0.0"), (-0.06, 1, "-0.1"), (12345.6, 0, "12,346"), (None, 2, "-")]
)
def test_numbers(value, decimals, shown):
    assert number(value, decimals) == shown


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [(1.0, 2.0, "1.0 to 2.0"), (1.0, None, "from 1.0"), (None, 2.0, "up to 2.0"), (None, None, "-")],
)
def test_intervals(low, high, shown):
    assert interval(row("a", low=low, high=high)) == shown


def test_a_published_value_is_as_printed():
    assert published(row("a", published=4300 / 6000, decimals=2)) == "0.717"
    assert published(row("a", published=1960, decimals=0)) == "1,960"
    assert published(row("a", published=9.38, published_error=1.9)) == "9.38 ± 1.9"
