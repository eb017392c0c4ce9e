"""Figures of results: the same file each time, with all labels, also for hostile and for infinite values."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from tengen.errors import TengenError
from tengen.papers.reports.correlation import ranks, spearman
from tengen.papers.reports.report_figures import draw, panels
from tengen.papers.reports.report_scatter import points
from tests.papers.sample_results import result, row, scatter

HOSTILE = ["<script>alert(1)</script>", "$x^{2$", "_hidden", "日本語", "a" * 200, '"&lt;']


def figure(**changes):
    return {"y": "won (%)", "x": "", "log_x": False, "log_y": False, "reference": None} | changes


def texts(path) -> str:
    """Return the texts of an SVG file, a line each; fails if it is not valid XML."""
    return "\n".join(element.text or "" for element in ElementTree.parse(path).iter() if element.tag.endswith("text"))


def bars():
    return result(
        row("UCT(π_random)", 8.5, published=8.88, published_error=0.42, verdict="agrees"),
        row("UCT, UCB1-TUNED", 48, variant="ours"),
    )


def curves():
    rows = [row(f"k = {k}", 40 + k / 50, series=s, x=k) for s in ("UCT_RAVE", "MC-RAVE") for k in (1, 100, 1000)]
    return result(*rows, figure=figure(x="k", log_x=True, reference=50))


@pytest.mark.parametrize("suffix", ["svg", "png"])
@pytest.mark.parametrize("sample", [bars, curves, scatter])
def test_a_second_drawing_gives_the_same_file(tmp_path, sample, suffix):
    for name in ("first", "second"):
        draw(sample(), tmp_path / f"{name}.{suffix}")
    first, second = ((tmp_path / f"{name}.{suffix}").read_bytes() for name in ("first", "second"))
    assert first == second
    assert not re.search(rb"20\d\d-\d\d-\d\dT|matplotlib.org", first)


def test_bars_have_their_labels_values_and_legend(tmp_path):
    draw(bars(), tmp_path / "a.svg")
    found = texts(tmp_path / "a.svg")
    for text in ("UCT(π_random)", "8.5", "48.0", "won against GNU Go (%)", "published", "GellySilver2007, table 2"):
        assert text in found
    assert "as printed, with 95 % interval" in found
    assert "our variant, with 95 % interval" in found


def test_curves_have_their_series_and_places(tmp_path):
    draw(curves(), tmp_path / "a.svg")
    assert {"UCT_RAVE", "MC-RAVE", "1", "100", "1,000", "k", "won (%)"} <= set(texts(tmp_path / "a.svg").splitlines())


def test_a_dark_figure_differs_only_in_colours(tmp_path):
    draw(bars(), tmp_path / "light.svg")
    draw(bars(), tmp_path / "dark.svg", dark=True)
    light, dark = ((tmp_path / f"{name}.svg").read_text() for name in ("light", "dark"))
    assert light != dark
    assert texts(tmp_path / "light.svg") == texts(tmp_path / "dark.svg")


def test_each_quantity_has_a_panel():
    both = result(row("a"), row("b", quantity="mean score", unit="points"), row("c", unit="points"), row("d"))
    assert [(panel.heading, len(panel.rows)) for panel in panels(both)] == [
        ("won (%)", 2),
        ("mean score (points)", 1),
        ("won (points)", 1),
    ]


def test_points_without_a_curve_are_left_to_the_table():
    found = result(row("a", x=1, series="s"), row("b", x=1), row("c"), row("d", x=2, quantity="bias"))
    assert [[each["label"] for each in panel.rows] for panel in panels(found)] == [["a", "c"]]


@pytest.mark.parametrize("suffix", ["svg", "png"])
@pytest.mark.parametrize("place", [None, 1.0])
def test_hostile_labels_are_drawn_as_they_are(tmp_path, suffix, place):
    rows = [row(label, x=place, series=label[:80] if place else "") for label in HOSTILE]
    draw(result(*rows, title=HOSTILE[0], figure=figure(y=HOSTILE[1])), tmp_path / f"a.{suffix}")
    assert (tmp_path / f"a.{suffix}").stat().st_size > 1000


def test_hostile_labels_are_text_in_an_svg_file(tmp_path):
    draw(result(*(row(label) for label in HOSTILE)), tmp_path / "a.svg")
    assert set(HOSTILE[:4]) <= {line.strip() for line in texts(tmp_path / "a.svg").splitlines()}
    assert "<script" not in (tmp_path / "a.svg").read_text()


@pytest.mark.parametrize("place", [None, 0.0, 3.0])
@pytest.mark.parametrize("is_log", [False, True])
@pytest.mark.parametrize(("low", "high"), [(None, None), (96.0, None), (None, 5.0)])
def test_infinite_values_are_drawn(tmp_path, place, is_log, low, high):
    rows = [row("a", None, low=low, high=high, x=place, published=1e15), row("b", -3, x=place)]
    draw(result(*rows, figure=figure(log_x=is_log, log_y=is_log)), tmp_path / "a.svg")
    assert "published" in texts(tmp_path / "a.svg")


def test_a_result_without_rows_has_an_empty_figure(tmp_path):
    draw(result(), tmp_path / "a.svg")
    assert "UCT, RAVE values and prior knowledge" in texts(tmp_path / "a.svg")


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(TengenError, match=r"unknown picture format '\.gif'"):
        draw(bars(), tmp_path / "a.gif")


def test_a_scatter_plot_has_the_labels_and_the_correlation(tmp_path):
    draw(scatter(5), tmp_path / "a.svg")
    found = texts(tmp_path / "a.svg")
    assert {"Manual 0", "Pixel 1", "won without search (%)", "mean score (points)"} <= set(found.splitlines())
    assert "Spearman's ρ = 1.00, p = 0.0" in found


def test_points_of_a_scatter_plot_need_both_quantities():
    rows = [row("a: x", 1, quantity="q"), row("a: y", 2, quantity="r"), row("b: x", 1, quantity="q"),
            row("c", 1, quantity="q"), row("c", None, quantity="r")]  # fmt: skip
    assert [(point.name, point.place) for point in points(result(*rows), ["q", "r"])] == [("a", (1, 2))]


def test_ranks_of_equal_values_are_their_mean():
    assert ranks([3, 1, 3, 2]).tolist() == [3.5, 1, 3.5, 2]


def test_spearman_agrees_with_scipy():
    stats = pytest.importorskip("scipy.stats")
    first, second = [1, 2, 3, 4, 5, 6, 7, 8.0, 9, 10, 11, 12], [2, 1, 4, 3, 7, 5, 5, 9.5, 8, 6, 3, 12]
    rho, p = spearman(first, second) or (0, 0)
    expected = stats.spearmanr(first, second)
    assert rho == pytest.approx(expected.statistic)
    assert p == pytest.approx(expected.pvalue, abs=0.01)


def test_three_pairs_in_order_are_no_evidence():
    rho, p = spearman([1, 2, 3], [1, 2, 3]) or (0, 0)
    assert rho == pytest.approx(1)
    assert p == pytest.approx(1 / 3, abs=0.02)  # 2 of the 6 orders


@pytest.mark.parametrize("values", [[1, 2], [4, 4, 4, 4], []])
def test_no_correlation_without_different_values(values):
    assert spearman(values, values) is None
