"""The pages in Markdown: README, CONTRIBUTING and docs/, with their code blocks, links and anchors.

A comment above a block of commands or Python code says how it is tested:

    <!-- run -->                      it is run; later blocks of the page find its files
    <!-- run: 500 => 5; A => B -->    it is run after these replacements, which make it short
    <!-- not run: reason -->          its commands are only parsed
    <!-- file: mine.py -->            it is saved as this file of the page's folder

and above a block of text

    <!-- output -->                   each of its lines is in the output of the block above; '...' stands for anything

In Python code that is run, a comment behind a call of `print` is in the output.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")],
    key=lambda path: (path.parent, path.name),
)
PAGES = [path for path in PAGES if "_build" not in path.parts]
REPORTS = ROOT / "docs" / "results"
"""Pages that are written by a command."""

FENCE = re.compile(r"^(?P<ticks>`{3,})(?P<language>[^\n`]*)\n(?P<text>.*?)^(?P=ticks)[ ]*$", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"<!-- *(?P<kind>run|not run|file|output)(?:: *(?P<details>(?:(?!-->).)*?))? *-->\s*\Z", re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.*?) *$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A code block, and what the comment above it says."""

    page: Path
    line: int
    language: str
    text: str
    kind: str = ""  # run, not run, file, output; empty without a comment
    details: str = ""

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}, line {self.line}"

    @property
    def is_code(self) -> bool:
        return self.language in ("", "sh", "python")

    def shortened(self) -> str:
        """Return the text with the replacements of the comment. Each must change something."""
        text = self.text
        for change in filter(None, map(str.strip, self.details.split(";"))):
            old, arrow, new = change.partition("=>")
            assert arrow, f"{self}: '{change}' is not of the form OLD => NEW"
            assert old.strip() in text, f"{self}: there is no '{old.strip()}'"
            text = text.replace(old.strip(), new.strip())
        return text


def blocks_of(page: Path) -> list[Block]:
    """Return the code blocks of a page."""
    return list(blocks_in(page.read_text(), page))


def blocks_in(text: str, page: Path = ROOT) -> Iterator[Block]:
    """Yield the code blocks of a text in Markdown."""
    for fence in FENCE.finditer(text):
        comment = COMMENT.search(text[: fence.start()])
        yield Block(
            page,
            text.count("\n", 0, fence.start()) + 1,
            fence["language"].strip(),
            fence["text"],
            comment["kind"] if comment else "",
            (comment["details"] or "") if comment else "",
        )


def prose_of(page: Path) -> str:
    """Return the text of a page without its code."""
    return re.sub(r"`[^`\n]*`", "", FENCE.sub("", page.read_text()))


def links_of(page: Path) -> list[str]:
    """Return the addresses of the links and pictures of a page."""
    return LINK.findall(prose_of(page))


def anchors_of(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as code hosts and Sphinx make them."""
    headings = HEADING.findall(FENCE.sub("", page.read_text()))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def commands_in(text: str) -> Iterator[str]:
    """Yield the lines of a block of commands; one that ends with a backslash continues on the next line."""
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip()
