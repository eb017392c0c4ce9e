"""The site over results: its links resolve, it is valid HTML without scripts, and hostile texts stay text."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

from tengen.errors import TengenError
from tengen.papers.reports.report_pages import paper_name
from tengen.papers.reports.report_site import write_index, write_site
from tests.papers.sample_results import result, row

VOID = {"meta", "link", "img", "source", "br"}
HOSTILE = '"><script src="http://evil"></script><img src=x onerror=alert(1)>&amp;\'</style>'


class Page(HTMLParser):
    """The elements of a page; fails if an element is not closed where it was opened."""

    def __init__(self, path: Path):
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(path.read_text())
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs)
        self._open += [] if tag in VOID else [tag]

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    def values(self, *names: str) -> list[str]:
        return [value or "" for _, attrs in self.elements for name, value in attrs.items() if name in names]


def three():
    finding = {"meaning": "a is better", "labels": ["a", "b"], "holds": "not shown", "p": 0.2}
    return [
        result(row("a", published=50, verdict="agrees"), row("b"), findings=[finding]),
        result(row("a", published=50, verdict="higher"), scale="paper"),
        result(row("k = 1", x=1, series="s"), id="gelly-silver-2007/figure-10", title="Ten"),
        result(id="gelly-silver-2007/figure-9", title="Nine"),
    ]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    write_site(three(), folder)
    return folder


def pages(folder: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(folder.rglob("*.html"))}


def test_every_id_has_a_page_and_links_resolve(site):
    found = pages(site)
    assert [path.relative_to(site).as_posix() for path in found] == [
        "gelly-silver-2007/figure-10/index.html",
        "gelly-silver-2007/figure-9/index.html",
        "gelly-silver-2007/table-2/index.html",
        "index.html",
    ]
    for path, page in found.items():
        for link in page.values("href", "src", "srcset"):
            file, _, anchor = link.partition("#")
            assert link == "data:," or (path.parent / file).exists()
            assert not anchor or anchor in page.values("id")


def test_nothing_is_loaded_from_outside_and_nothing_runs(site):
    for path, page in pages(site).items():
        assert {tag for tag, _ in page.elements}.isdisjoint({"script", "iframe", "object", "embed", "base"})
        assert [value for value in page.values("href", "src", "srcset") if ":" in value] == ["data:,"]
        assert not [name for _, attrs in page.elements for name in attrs if name.startswith("on")]
        assert "url(" not in path.read_text()
        assert "@import" not in path.read_text()


def test_pictures_have_texts_and_pages_their_language(site):
    for page in pages(site).values():
        assert all(attrs["alt"] for tag, attrs in page.elements if tag == "img")
        assert ("html", {"lang": "en"}) in page.elements
        assert [tag for tag, _ in page.elements].count("h1") == 1


def test_the_largest_scale_is_first(site):
    page = Page(site / "gelly-silver-2007" / "table-2" / "index.html")
    assert [attrs["id"] for tag, attrs in page.elements if tag == "section" and "id" in attrs] == ["paper", "quick"]


def test_experiments_are_in_natural_order(site):
    links = Page(site / "index.html").values("href")
    assert [link.split("/")[1] for link in links if "/" in link] == ["figure-9", "figure-10", "table-2"]


def test_the_index_counts_each_experiment_once(site):
    words = [word.strip() for word in Page(site / "index.html").words]
    assert "3" in words  # experiments
    assert "▲ 1 higher" in words
    assert "= 1 agrees" not in words  # at a smaller scale only


def test_hostile_texts_stay_text(tmp_path):
    finding = {"meaning": HOSTILE, "labels": [HOSTILE], "holds": "no", "p": None}
    texts = ("title", "source", "about", "differences", "command")
    hostile = result(
        row(HOSTILE, series=HOSTILE[:80], quantity=HOSTILE[:80], unit=HOSTILE[:40], published=1,
            published_note=HOSTILE),
        findings=[finding],
        settings={HOSTILE[:40]: HOSTILE},
        version=HOSTILE[:40],
        **dict.fromkeys(texts, HOSTILE),
    )  # fmt: skip
    write_site([hostile], tmp_path)
    write_index([hostile], tmp_path)
    for page in pages(tmp_path).values():
        assert {tag for tag, _ in page.elements}.isdisjoint({"script"})
        assert not [attrs for tag, attrs in page.elements if tag == "img" and attrs["src"] == "x"]
        assert any(HOSTILE in word for word in page.words)
    assert "<script" not in (tmp_path / "gelly-silver-2007/table-2/quick.svg").read_text()
    assert "\\<script" in (tmp_path / "README.md").read_text()


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([result(id="../outside")], "id must be two names"),
        ([result(), result()], "two results of gelly-silver-2007/table-2 at scale quick"),
    ],
)
def test_wrong_results_write_nothing(tmp_path, results, message):
    for write in (write_site, write_index):
        with pytest.raises(TengenError, match=message):
            write(results, tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "site").write_text("a file")
    with pytest.raises(TengenError, match="site' cannot be created"):
        write_index([], tmp_path / "site")


def test_a_site_and_an_index_without_results(tmp_path):
    write_site([], tmp_path)
    write_index([], tmp_path)
    assert "There are no results yet." in "".join(Page(tmp_path / "index.html").words)
    assert (tmp_path / "README.md").read_text() == "# Reproduced experiments\n\nThere are no results yet.\n"


def test_the_markdown_index(tmp_path):
    write_index(three(), tmp_path)
    assert (
        (tmp_path / "README.md").read_text()
        == """\
# Reproduced experiments

## Gelly & Silver, 2007

| experiment | source | scale | published values | findings | date |
| --- | --- | --- | --- | --- | --- |
| [Nine](gelly-silver-2007/figure-9/quick.md) | GellySilver2007, table 2 | quick | - | - | 2026-11-19 |
| [Ten](gelly-silver-2007/figure-10/quick.md) | GellySilver2007, table 2 | quick | - | - | 2026-11-19 |
| [UCT, RAVE values and prior knowledge](gelly-silver-2007/table-2/paper.md) | GellySilver2007, table 2 | paper | \
1 higher | - | 2026-11-19 |
| [UCT, RAVE values and prior knowledge](gelly-silver-2007/table-2/quick.md) | GellySilver2007, table 2 | quick | \
1 agrees | 1 not shown | 2026-11-19 |
"""
    )


@pytest.mark.parametrize(
    ("paper", "name"),
    [
        ("gelly-silver-2007", "Gelly & Silver, 2007"),
        ("hashimoto-2011", "Hashimoto, 2011"),
        ("beyond", "Beyond"),
        ("beyond-the-papers", "Beyond the papers"),
    ],
)
def test_names_of_papers(paper, name):
    assert paper_name(paper) == name
