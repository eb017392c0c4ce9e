"""The report of a reproduced experiment as Markdown and as text for the terminal."""

import re

from tengen.arena.tables import text_table
from tengen.papers.reports import report_cells as cells
from tengen.papers.reports.results_file import Result

SAMPLES = (
    "Samples are games, or the parts of a measurement. Intervals are of 95 %; the error of a published value is its "
    "standard error. The verdict compares ours with the published value: they agree unless the difference exceeds "
    "both errors together. There is none if the run has other simulations or another opponent than the paper."
)
"""The explanation of a table's columns."""
SPECIAL = re.compile(r"[\\`*\[\]|~$]|<(?=[\w/!?])|&(?=[\w#])|(?<![^\W_])_|_(?![^\W_])")
"""Characters with a meaning in Markdown where they stand; an underscore inside a word has none."""
BLOCK_START = re.compile(r"^([#>]|[-+=](?=[-+= ]|$)|[0-9]+(?=[.)]))")
"""The beginning of a line that would start a heading, a list or a rule."""


def markdown(result: Result) -> str:
    """Return the report as a Markdown page; its figure is the file '<scale>.png' beside it."""
    blocks = [
        f"# {escaped(result['title'])}",
        f"`{result['id']}`: {escaped(result['source'])}",
        *map(_paragraph, cells.paragraphs(result["about"])),
        _paragraph(cells.settings(result)),
        f"![{escaped(result['title'])}: ours and published]({result['scale']}.png)",
        "## Results",
        *_tables(result),
    ]
    if result["findings"]:
        blocks += ["## Findings of the paper", _findings(result)]
    if result["differences"].strip():
        blocks += ["## Differences from the paper", *map(_paragraph, cells.paragraphs(result["differences"]))]
    return "\n\n".join([*blocks, "## Run", _code_block(result["command"]), cells.provenance(result)]) + "\n"


def _tables(result: Result) -> list[str]:
    found = cells.tables(result)
    if not found:
        return ["There are no rows."]
    blocks = []
    for table in found:
        if len(found) > 1:
            blocks.append(f"### {escaped(table.heading)}")
        blocks.append(markdown_table(table.columns, [[escaped(cell) for cell in row] for row in table.rows]))
    return [*blocks, SAMPLES]


def markdown_table(columns: list[cells.Column], rows: list[list[str]]) -> str:
    """Return a table of cells that are Markdown already."""
    rules = ["---:" if column.is_number else "---" for column in columns]
    lines = [[escaped(column.heading) for column in columns], rules, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _findings(result: Result) -> str:
    columns = [cells.Column(name, name == "p") for name in ("finding", "rows", "holds", "p")]
    rows = [
        [finding["meaning"], cells.order(finding["labels"]), finding["holds"], cells.p_text(finding["p"])]
        for finding in result["findings"]
    ]
    return markdown_table(columns, [[escaped(cell) for cell in row] for row in rows])


def escaped(text: str) -> str:
    """Return a text that Markdown shows as it is, within a line."""
    return SPECIAL.sub(r"\\\g<0>", text)


def _paragraph(text: str) -> str:
    """Return a text as a paragraph, also if it begins like a heading or a list."""
    start = BLOCK_START.match(text)
    if start is None:
        return escaped(text)
    end = start.end()
    return f"{text[:end]}\\{escaped(text[end:])}" if text[0].isdigit() else f"\\{text[0]}{escaped(text[1:])}"


def _code_block(text: str) -> str:
    """Return a fenced block; its fence is longer than any run of backticks in the text."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}\n{text}\n{fence}"


def text(result: Result) -> str:
    """Return the tables and findings for a terminal."""
    blocks = [f"{result['id']}: {result['title']}\n{result['source']}. {cells.settings(result)}"]
    for table in cells.tables(result):
        words = tuple(place for place, column in enumerate(table.columns) if not column.is_number)
        blocks.append(text_table([column.heading for column in table.columns], table.rows, left=words))
    if result["findings"]:
        lines = [
            f"  {finding['meaning']}: {finding['holds']} (p {_equals(cells.p_text(finding['p']))})"
            if finding["p"] is not None
            else f"  {finding['meaning']}: {finding['holds']}"
            for finding in result["findings"]
        ]
        blocks.append("\n".join(["Findings of the paper:", *lines]))
    return "\n\n".join(blocks)


def _equals(p: str) -> str:
    return p if p.startswith("<") else f"= {p}"
