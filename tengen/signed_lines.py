"""Files of JSON objects, one per line, with a checksum in each line, to which only complete lines are appended.

    {"op_code":4,"study_id":0,"sha256":"0123456789abcdef"}

`sha256` is the last key: the first 16 hexadecimal digits of the SHA-256 of all preceding bytes of the file and of the
line itself up to the comma before the key. So a line that was changed, lost, repeated or moved is detected.
"""

import contextlib
import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

from tengen.errors import TengenError, shortened
from tengen.files import LONGEST_LINE, Unreadable, Unwritable, parse_json, reading

SIGNED = re.compile(rb'(\{.*),"sha256":"([0-9a-f]{16})"\}\n', re.DOTALL)


class SignedLines:
    """A file of objects. Only one process may append to it; the caller holds its `files.Lock`."""

    def __init__(self, path: Path, start: bytes, kind: str):
        """Read and check a file, if it exists; raise `Unreadable` if it is damaged or not of this kind.

        `start` are the bytes that each file begins with, and `kind` names it in messages ("the journal of a study").
        A last line without a line feed, left by a crash while it was written, is removed from the file.
        """
        self.path, self.start, self.kind = path, start, kind
        self.unsigned = 0
        """Lines that no checksum covers."""
        self.torn = 0
        """Bytes of an unfinished line that were removed from the end."""
        self.objects: list[dict[str, Any]] = []
        self._digest = hashlib.sha256()
        self._size = 0
        self._is_signed = False
        if os.path.exists(path):
            self._read()

    def append(self, objects: list[dict[str, Any]]) -> None:
        """Add objects to the file, all or none; raise `Unwritable` if that fails, as on a full disk."""
        digest, lines = self._digest.copy(), []
        for described in objects:
            body = json.dumps(described, separators=(",", ":")).encode()[:-1]
            lines.append(body + b',"sha256":"%s"}\n' % _checksum(digest, body).encode())
            digest.update(lines[-1])
        content = b"".join(lines)
        try:
            with self.path.open("ab") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                os.truncate(self.path, self._size)
            raise Unwritable(f"{shortened(self.path, 160)} cannot be written: {error.strerror or error}") from None
        self._digest, self._size, self._is_signed, self.unsigned = digest, self._size + len(content), True, 0
        self.objects += [json.loads(line) for line in lines]

    def _read(self) -> None:
        with reading(self.path) as file:
            start = file.read(len(self.start))
            if not self.start.startswith(start):
                raise Unreadable(f"{shortened(self.path, 160)} is not {self.kind}")
            file.seek(0)
            while line := file.readline(LONGEST_LINE + 1):
                if not line.endswith(b"\n") and len(line) <= LONGEST_LINE:
                    break
                try:
                    self.objects.append(self._checked(line))
                except TengenError as error:
                    number = len(self.objects) + 1
                    raise Unreadable(f"line {number:,} of {shortened(self.path, 160)} is damaged: {error}") from None
                self._digest.update(line)
                self._size += len(line)
        self.torn = len(line)
        if self.torn:
            try:
                os.truncate(self.path, self._size)
            except OSError as error:
                raise Unwritable(f"{shortened(self.path, 160)} cannot be written: {error.strerror or error}") from None

    def _checked(self, line: bytes) -> dict[str, Any]:
        """Return the object of a line; raise TengenError if its checksum is wrong or it is not an object."""
        if len(line) > LONGEST_LINE:
            raise TengenError(f"it is longer than {LONGEST_LINE:,} bytes")
        if found := SIGNED.fullmatch(line):
            if _checksum(self._digest, found[1]) != found[2].decode():
                raise TengenError("its checksum is wrong")
            self._is_signed, self.unsigned = True, 0
        elif self._is_signed:
            raise TengenError("its checksum is missing")
        else:
            self.unsigned += 1
        described = parse_json(line)
        if not isinstance(described, dict):
            raise TengenError("it is not an object")
        return described


def _checksum(before: "hashlib._Hash", body: bytes) -> str:
    """Return the checksum of a line from the digest of all lines before it and its own text."""
    digest = before.copy()
    digest.update(body)
    return digest.hexdigest()[:16]
