"""The file of a tuning study: optuna's journal, one JSON operation per line, with a checksum in each line.

Optuna ignores the key `sha256` of `SignedLines`. Journals of earlier versions have no checksums; the checksum of the
first line added to one covers them all.
"""

from pathlib import Path
from typing import Any

from optuna.storages.journal import BaseJournalBackend

from tengen.signed_lines import SignedLines

START = b'{"op_code"'
"""The first bytes of a journal."""


class StudyJournal(BaseJournalBackend):
    """A journal for optuna. Only one process may use a file; the caller holds its `files.Lock`."""

    def __init__(self, path: Path):
        """Read and check a journal, if it exists; raise `Unreadable` if it is damaged or not a journal."""
        self._lines = SignedLines(path, START, "the journal of a study")

    @property
    def unsigned(self) -> int:
        """Lines that no checksum covers."""
        return self._lines.unsigned

    @property
    def torn(self) -> int:
        """Bytes of an unfinished line that were removed from the end."""
        return self._lines.torn

    def read_logs(self, log_number_from: int) -> list[dict[str, Any]]:
        """Return the operations from number `log_number_from` on."""
        return self._lines.objects[log_number_from:]

    def append_logs(self, logs: list[dict[str, Any]]) -> None:
        """Add operations to the file, all or none; raise `Unwritable` if that fails, as on a full disk."""
        self._lines.append(logs)
