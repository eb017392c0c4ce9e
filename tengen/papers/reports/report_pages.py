"""The HTML of a site over results: its index and a page per experiment, without scripts and external requests.

Every text of a result is escaped: results are files that may come from others.
"""

from collections.abc import Sequence
from html import escape
from itertools import groupby

from tengen.papers.experiment import SCALES
from tengen.papers.quantities import AGREES, HIGHER, LOWER
from tengen.papers.reports import report_cells as cells
from tengen.papers.reports.report_style import STYLE
from tengen.papers.reports.report_text import SAMPLES
from tengen.papers.reports.results_file import HOLDS, Result

TITLE = "Reproduced experiments"
VERDICTS = (AGREES, HIGHER, LOWER)
SYMBOLS = {AGREES: "=", HIGHER: "▲", LOWER: "▼", "yes": "✓", "not shown": "?", "no": "✗"}
"""Symbols of verdicts and findings, beside the words."""
CAPTION = "Ours with 95 % intervals; hollow markers are published values, with 1.96 standard errors if they are known."


def page_of(title: str, content: Sequence[str]) -> str:
    """Return a complete HTML page."""
    body = "\n".join(content)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def by_id(results: Sequence[Result]) -> dict[str, list[Result]]:
    """Return the results by id, in natural order, each with its largest scale first."""
    found: dict[str, list[Result]] = {}
    for result in sorted(results, key=lambda result: -SCALES.index(result["scale"])):
        found.setdefault(result["id"], []).append(result)
    return dict(sorted(found.items(), key=lambda item: _natural(item[0])))


def _natural(text: str) -> list[tuple[int, str]]:
    """Return a key by which table-2 comes before table-10."""
    parts = ("".join(part) for _, part in groupby(text, str.isdigit))
    return [(int(part), "") if part.isdigit() else (0, part) for part in parts]


def paper_name(paper: str) -> str:
    """Return the name of a paper from the first part of an id: 'Gelly & Silver, 2007' from 'gelly-silver-2007'."""
    *authors, year = paper.split("-")
    if not authors or not year.isdigit():
        return paper.replace("-", " ").capitalize()
    return f"{' & '.join(author.capitalize() for author in authors)}, {year}"


# --- The index --------------------------------------------------------------------------------------------------------


def index(results: Sequence[Result]) -> str:
    """Return the index: per paper, a card for each experiment."""
    found = by_id(results)
    content = [
        f"<header>\n<h1>{TITLE}</h1>\n<p>Tables and figures of papers on Monte-Carlo tree search, run again with "
        f"Tengen.</p>\n{_totals([runs[0] for runs in found.values()])}\n</header>\n<main>"
    ]
    if not found:
        content.append("<p>There are no results yet.</p>")
    for paper, ids in groupby(found, lambda name: name.partition("/")[0]):
        cards = "\n".join(_card(name, found[name]) for name in ids)
        content.append(
            f'<section>\n<h2>{escape(paper_name(paper))}</h2>\n<div class="cards">\n{cards}\n</div></section>'
        )
    return page_of(TITLE, [*content, "</main>"])


def _totals(newest: Sequence[Result]) -> str:
    """Return the sums over all experiments, each at its largest scale."""
    if not newest:
        return ""
    verdicts = {verdict: sum(cells.verdicts(result)[verdict] for result in newest) for verdict in VERDICTS}
    answers = {answer: sum(cells.holds(result)[answer] for result in newest) for answer in HOLDS}
    return (
        f'<dl class="totals">\n<div><dt>experiments</dt><dd>{len(newest)}</dd></div>\n'
        f"<div><dt>published values</dt><dd>{_badges(verdicts)}</dd></div>\n"
        f"<div><dt>findings</dt><dd>{_badges(answers)}</dd></div>\n</dl>"
    )


def _card(name: str, runs: Sequence[Result]) -> str:
    best = runs[0]
    scales = " ".join(f'<span class="scale">{run["scale"]}</span>' for run in runs)
    return (
        f'<a class="card" href="{name}/index.html">\n{figure(best, f"{name}/", is_lazy=True)}\n'
        f"<h3>{escape(best['title'])}</h3>\n<p>{escape(best['source'])} {scales}</p>\n"
        f"{_summary(best)}</a>"
    )


def _badges(counts: dict[str, int]) -> str:
    """Return the counts that are not zero, with their symbols and words."""
    return " ".join(_badge(key, f"{count} {cells.counted(key, count)}") for key, count in counts.items() if count)


def _summary(run: Result) -> str:
    """Return the counts of verdicts and of findings, as lines of a description list; empty if there are none."""
    lines = (("published values", _badges(cells.verdicts(run))), ("findings", _badges(cells.holds(run))))
    found = "".join(f"<div><dt>{name}</dt> <dd>{badges}</dd></div>\n" for name, badges in lines if badges)
    return f'<dl class="summary">\n{found}</dl>' if found else ""


def _badge(key: str, text: str) -> str:
    return f'<span class="badge {key.replace(" ", "-")}">{SYMBOLS[key]} {escape(text)}</span>'


# --- The page of an experiment ----------------------------------------------------------------------------------------


def experiment_page(runs: Sequence[Result]) -> str:
    """Return the page of an experiment with all its runs, the largest scale first."""
    best = runs[0]
    content = [
        f'<header>\n<nav><a href="../../index.html">{TITLE}</a></nav>\n<h1>{escape(best["title"])}</h1>\n'
        f"<p>{escape(best['source'])} · <code>{best['id']}</code></p>\n</header>\n<main>",
        *_paragraphs(best["about"]),
    ]
    if len(runs) > 1:
        links = " · ".join(f'<a href="#{run["scale"]}">{run["scale"]}</a>' for run in runs)
        content.append(f"<p>Scales: {links}</p>")
    for run in runs:
        content += _run(run)
    if best["differences"].strip():
        content += ["<section>\n<h2>Differences from the paper</h2>", *_paragraphs(best["differences"]), "</section>"]
    return page_of(f"{best['title']} ({best['source']})", [*content, "</main>"])


def _run(run: Result) -> list[str]:
    content = [
        f'<section id="{run["scale"]}">\n<h2>Scale {run["scale"]}</h2>\n{_summary(run)}',
        f"<p>{escape(cells.settings(run))}</p>",
        f'<figure>\n<div class="scroll">{figure(run)}</div>\n<figcaption>{CAPTION}</figcaption>\n</figure>',
    ]
    for table in cells.tables(run):
        rows = [[_cell(cell, column) for cell, column in zip(row, table.columns, strict=True)] for row in table.rows]
        content.append(_table(f"Results: {table.heading}", table.columns, rows))
    content.append(f'<p class="note">{SAMPLES}</p>')
    if run["findings"]:
        content += ["<h3>Findings of the paper</h3>", _findings(run)]
    content.append(
        f'<h3>Run</h3>\n<div class="scroll"><pre><code>{escape(run["command"])}</code></pre></div>\n'
        f"<p>{escape(cells.provenance(run))}</p>\n</section>"
    )
    return content


def figure(run: Result, folder: str = "", *, is_lazy: bool = False) -> str:
    """Return the picture of a run, from files for light and dark pages in a folder."""
    scale, lazy = run["scale"], ' loading="lazy"' if is_lazy else ""
    return (
        f'<picture><source srcset="{folder}{scale}-dark.svg" media="(prefers-color-scheme: dark)">'
        f'<img src="{folder}{scale}.svg" alt="{escape(description(run))}"{lazy}></picture>'
    )


def description(run: Result) -> str:
    """Return a text in place of the figure."""
    names = ", ".join(table.heading for table in cells.tables(run))
    compared = cells.verdicts_text(run)
    return f"{run['title']}: {names or 'no rows'}" + (f"; of the published values, {compared}." if compared else ".")


def _cell(text: str, column: cells.Column) -> str:
    if column.heading == "verdict" and text:
        return _badge(text, text)
    return escape(text)


def _findings(run: Result) -> str:
    columns = [cells.Column(name, name == "p") for name in ("finding", "holds", "p", "rows in order")]
    rows = [
        [
            escape(finding["meaning"]),
            _badge(finding["holds"], finding["holds"]),
            escape(cells.p_text(finding["p"])),
            escape(cells.order(finding["labels"])),
        ]
        for finding in run["findings"]
    ]
    return _table("Findings", columns, rows, "wide")


def _table(name: str, columns: Sequence[cells.Column], rows: Sequence[Sequence[str]], style: str = "results") -> str:
    """Return a table of cells that are HTML already, in a box that scrolls; its first cells are headings of rows."""
    kinds = [' class="number"' if column.is_number else "" for column in columns]
    head = "".join(
        f'<th scope="col"{kind}>{escape(column.heading)}</th>' for column, kind in zip(columns, kinds, strict=True)
    )
    lines = []
    for first, *rest in rows:
        others = "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(rest, kinds[1:], strict=True))
        lines.append(f'<tr><th scope="row">{first}</th>{others}</tr>')
    body = "\n".join(lines)
    return (
        f'<div class="scroll" role="region" aria-label="{escape(name)}" tabindex="0">\n'
        f'<table class="{style}">\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody>\n</table></div>"
    )


def _paragraphs(text: str) -> list[str]:
    return [f"<p>{escape(paragraph)}</p>" for paragraph in cells.paragraphs(text)]
