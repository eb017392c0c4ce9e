"""Docstrings of the package as reStructuredText.

They are plain text with code in backticks, doctests, and tables aligned by spaces.
"""

import re
from collections.abc import Iterator
from typing import Any

from sphinx.application import Sphinx

CODE = re.compile(r"(`[^`]+`)")
SPECIAL = re.compile(r"([\\*|_])")
ENTRY = re.compile(r"(\w+) {2,}(\S.*)")
CONTINUED = re.compile(r" {3,}(\S.*)")
BLOCK = ".. code-block:: text"
INDENT = "   "


def paragraphs(lines: list[str]) -> Iterator[list[str]]:
    """Yield the groups of lines between blank lines."""
    group: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            group.append(line)
        elif group:
            yield group
            group = []


def is_aligned(group: list[str]) -> bool:
    """Whether the line breaks and spaces of a paragraph matter."""
    return any(line.startswith(" ") or re.search(r"\S {2,}\S", line) for line in group)


def with_markup(line: str) -> str:
    """Mark the code of a line, and escape the rest of it."""
    parts = CODE.split(line)
    return "".join(f"`{part}`" if CODE.fullmatch(part) else SPECIAL.sub(r"\\\1", part) for part in parts)


def entries(group: list[str]) -> list[tuple[str, list[str]]]:
    """Return the names and the lines of their meanings if a paragraph is a list of names and meanings, else nothing."""
    found: list[tuple[str, list[str]]] = []
    for line in group:
        if entry := ENTRY.fullmatch(line):
            found.append((entry[1], [entry[2]]))
        elif (more := CONTINUED.fullmatch(line)) and found:
            found[-1][1].append(more[1])
        else:
            return []
    return found


def translated(lines: list[str]) -> Iterator[str]:
    """Yield the lines of a docstring as reStructuredText."""
    for group in paragraphs(lines):
        if group[0].startswith(">>>"):
            yield from group
        elif pairs := entries(group):
            for name, meaning in pairs:
                yield from (f"``{name}``", *(INDENT + with_markup(line) for line in meaning))
        elif is_aligned(group) and not group[0].startswith("- "):
            yield from (BLOCK, "", *(INDENT + line for line in group))
        else:
            yield from map(with_markup, group)
        yield ""


def process(app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    lines[:] = translated(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
