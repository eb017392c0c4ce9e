"""Records of games from files of games and folders of records."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from tengen.arena.imports import read_store
from tengen.errors import TengenError, shortened
from tengen.files import read_bytes


def stored_records(sources: Iterable[Path], suffix: str) -> Iterator[tuple[bytes, int]]:
    """Yield the records in files and folders, each with the number of its opening moves, which no player chose.

    A folder is searched for files with `suffix`, with all folders in it, in the order of their names; a file with
    `suffix` is one record; any other file is a file of games or of JSON lines. Raises TengenError if a source cannot be
    read or has no records.
    """
    for source in sources:
        if source.is_dir():
            found = sorted(path for path in source.rglob(f"*{suffix}") if path.is_file())
            if not found:
                raise TengenError(f"the folder {shortened(source, 160)} has no records (*{suffix})")
            for path in found:
                yield read_bytes(path), 0
        elif source.name.endswith(suffix):
            yield read_bytes(source), 0
        else:
            yield from _games_of(source)


def _games_of(source: Path) -> Iterator[tuple[bytes, int]]:
    with read_store(source) as store:
        if not store.has_records:
            raise TengenError(f"{shortened(source, 160)} is CSV, which has no moves")
        for played in store.games():
            yield played.record.encode(), len(played.opening.split())
