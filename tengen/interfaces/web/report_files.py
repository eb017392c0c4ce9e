"""The reports of `tengen reproduce` below a folder, read-only."""

import os
import re
from html import unescape
from pathlib import Path
from stat import S_ISREG

from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from tengen.errors import TengenError, shortened
from tengen.files import read_text
from tengen.interfaces.web.resources import ReportEntry, Reports

SUFFIXES = (".html", ".svg", ".png", ".css", ".json", ".md")
MOST_PAGES = 1000
DEEPEST = 5
"""Levels of folders that are searched for pages."""
LARGEST_PAGE = 4_000_000


class ReportFiles(StaticFiles):
    """Pages and pictures below a folder; nothing else, and nothing that a link or a path leads to outside of it."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Return the full path of a file that may be served."""
        parts = path.replace("\\", "/").split("/")
        if any(part.startswith(".") for part in parts if part) or "\x00" in path:
            raise HTTPException(404)
        full, found = super().lookup_path(path)
        if found is not None and S_ISREG(found.st_mode) and Path(full).suffix not in SUFFIXES:
            raise HTTPException(404)
        return full, found


def report_folder(folder: Path) -> Path:
    """Return the folder to serve: the site of a folder of results, if it has one. Raises TengenError without pages."""
    if not folder.is_dir():
        raise TengenError(f"there is no folder {shortened(folder, 160)}")
    site = folder / "site"
    chosen = site if (site / "index.html").is_file() else folder
    if not list_reports(chosen).reports:
        raise TengenError(
            f"there are no pages in {shortened(folder, 160)}; 'tengen reproduce --site --folder FOLDER' writes them"
        )
    return chosen.resolve()


def list_reports(folder: Path) -> Reports:
    """Return the pages below a folder, the index first."""
    found, level = [], [folder]
    for _ in range(DEEPEST):
        entries = [path for one in level for path in _entries(one) if not path.is_symlink()]
        found += [path for path in entries if path.suffix == ".html" and path.is_file()]
        level = [path for path in entries if path.is_dir() and not path.name.startswith(".")]
    pages = sorted((path.relative_to(folder).as_posix(), path) for path in found)[:MOST_PAGES]
    pages.sort(key=lambda page: page[0] != "index.html")
    return Reports(reports=[ReportEntry(path=name, title=_title(path) or name) for name, path in pages])


def _title(path: Path) -> str:
    """Return the title of a page; empty if it has none or cannot be read."""
    try:
        found = re.search(r"<title>([^<]{1,300})</title>", read_text(path, LARGEST_PAGE)[:10_000])
    except TengenError:
        return ""
    return unescape(found[1]).strip() if found else ""


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
