"""A static site over all results of a folder, and an index of their Markdown reports."""

from collections.abc import Sequence
from pathlib import Path

from tengen.errors import TengenError
from tengen.files import Unwritable, write_whole
from tengen.papers.reports import report_cells as cells
from tengen.papers.reports.report_figures import draw
from tengen.papers.reports.report_pages import TITLE, by_id, experiment_page, index, paper_name
from tengen.papers.reports.report_text import escaped, markdown_table
from tengen.papers.reports.results_file import Result, checked


def write_site(results: Sequence[Result], folder: Path) -> None:
    """Write the site: index.html, and for each id a folder of its name with index.html and the figures.

    Figures are '<scale>.svg' and '<scale>-dark.svg'. Raises TengenError for a damaged result, for two results of one
    id and scale, and if a file cannot be written.
    """
    _check(results)
    for name, runs in by_id(results).items():
        place = folder / name
        _create(place)
        for run in runs:
            draw(run, place / f"{run['scale']}.svg")
            draw(run, place / f"{run['scale']}-dark.svg", dark=True)
        write_whole(place / "index.html", experiment_page(runs))
    _create(folder)
    write_whole(folder / "index.html", index(results))


def write_index(results: Sequence[Result], folder: Path) -> None:
    """Write README.md: a table of all results with links to their reports '<id>/<scale>.md'."""
    _check(results)
    blocks = [f"# {TITLE}"]
    papers: dict[str, list[list[str]]] = {}
    for name, runs in by_id(results).items():
        paper = name.partition("/")[0]
        papers.setdefault(paper, []).extend(_line(run) for run in runs)
    columns = [
        cells.Column(heading, False)
        for heading in ("experiment", "source", "scale", "published values", "findings", "date")
    ]
    for paper, rows in papers.items():
        blocks += [f"## {escaped(paper_name(paper))}", markdown_table(columns, rows)]
    _create(folder)
    write_whole(folder / "README.md", "\n\n".join(blocks if papers else [*blocks, "There are no results yet."]) + "\n")


def _line(run: Result) -> list[str]:
    return [
        f"[{escaped(run['title'])}]({run['id']}/{run['scale']}.md)",
        escaped(run["source"]),
        run["scale"],
        cells.verdicts_text(run) or cells.UNKNOWN,
        cells.findings_text(run) or cells.UNKNOWN,
        run["date"],
    ]


def _check(results: Sequence[Result]) -> None:
    """Raise TengenError if a result is damaged or two are of one id and scale: ids become names of folders."""
    seen = set()
    for result in results:
        key = checked(result)["id"], result["scale"]
        if key in seen:
            raise TengenError(f"two results of {key[0]} at scale {key[1]}; give one")
        seen.add(key)


def _create(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unwritable(f"{str(folder)!r} cannot be created: {error.strerror}") from None
