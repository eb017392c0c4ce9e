"""Files of compiled kernels: Numba's cache in a folder of our choice, with checksums.

A damaged file is deleted, and its kernel is compiled again. Without the checksum, damaged machine code would be loaded
and run.
"""

import contextlib
import hashlib
import os
import pickle
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    UserProvidedCacheLocator,
)

from tengen.jit.cache import SETTINGS
from tengen.jit.trust import make_folder

DIGEST_SIZE = 16


class Damaged(Exception):
    """The checksum of a file is wrong."""


class _Locator(UserProvidedCacheLocator):
    """The folder in Numba's setting CACHE_DIR, with a subfolder for each folder of sources."""

    def ensure_cache_path(self) -> None:
        make_folder(Path(self.get_cache_path()))


class _Results(CompileResultCacheImpl):
    """Numba's serialisation of kernels, restricted to our folder."""

    _locator_classes = [_Locator]  # noqa: RUF012 - as in the class above


class Files(IndexDataCacheFile):
    """An index and data files, each with a checksum before its content.

    Data files have random names. With consecutive numbers, as in Numba, two processes that add a kernel to the same
    index at the same time could write to the same file, and the index would then return the wrong code.
    """

    def save(self, key: Any, data: Any) -> None:
        """Write the data of a kernel, replacing any that the index has under the same key."""
        try:
            index = self._load_index()
        except Damaged:
            index = {}
        if key not in index:
            index[key] = self._data_name(secrets.randbits(64))
            self._save_index(index)
        self._write(self._data_path(index[key]), self._dump(data))

    def _load_data(self, name: str) -> Any:
        return pickle.loads(self._read(self._data_path(name)))

    def _load_index(self) -> dict[Any, str]:
        try:
            content = self._read(self._index_path)
        except FileNotFoundError:
            return {}
        version, stamp, index = pickle.loads(content)
        return index if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, self._dump((self._version, self._source_stamp, overloads)))

    def _write(self, path: str, content: bytes) -> None:
        with self._open_for_write(path) as file:
            file.write(_digest(content) + content)

    def _read(self, path: str) -> bytes:
        """Return the content of a file; if it is damaged, delete it and raise `Damaged`."""
        whole = Path(path).read_bytes()
        content = whole[DIGEST_SIZE:]
        if _digest(content) != whole[:DIGEST_SIZE]:
            os.unlink(path)
            raise Damaged(path)
        return content


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=DIGEST_SIZE).digest()


class KernelFiles(FunctionCache):
    """The files of one kernel with all its specialisations. A file error costs compile time but raises nothing."""

    _impl_class = _Results

    def __init__(self, function: Callable[..., Any], folder: str, on_failure: Callable[[OSError], None]):
        """`on_failure` is called with the OSError if a kernel cannot be written."""
        self._on_failure = on_failure
        before = SETTINGS.CACHE_DIR, SETTINGS.CACHE_LOCATOR_CLASSES
        SETTINGS.CACHE_DIR, SETTINGS.CACHE_LOCATOR_CLASSES = folder, ""
        try:
            super().__init__(function)
        finally:
            SETTINGS.CACHE_DIR, SETTINGS.CACHE_LOCATOR_CLASSES = before
        self._cache_file = Files(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled kernel, or None if it is missing or cannot be loaded."""
        try:
            return super().load_overload(sig, target_context)
        except (Damaged, OSError):
            return None
        except Exception:  # undamaged but not loadable: written by another version of a library
            self._forget(sig, target_context)
            return None

    def _forget(self, sig: Any, target_context: Any) -> None:
        """Delete the data file of a kernel, or the index if that cannot be loaded either."""
        files = self._cache_file
        with contextlib.suppress(OSError):
            try:
                name = files._load_index().get(self._index_key(sig, target_context.codegen()))
            except Exception:
                os.unlink(files._index_path)
            else:
                if name is not None:
                    os.unlink(files._data_path(name))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write a compiled kernel; on an OSError, call `on_failure`."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            self._on_failure(error)
