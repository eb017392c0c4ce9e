"""Cache folders of compiled kernels, and how stale kernels are avoided.

Numba watches only the file in which a kernel is defined: after an edit of a callee in another file it would go on
running the old code. So every version of the kernel sources has its own cache folder, named by a hash of all of them
(`stamp`); a kernel source is a file that imports kernel, record, table or verb from `tengen.jit`. Kernels from a
user's file are kept in the user's cache folder, under a hash of that file and its imports. A folder that other
users can write to is not used (trust).
"""

import ast
import contextlib
import functools
import hashlib
import os
import re
import secrets
import shutil
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba

from tengen.errors import shortened
from tengen.jit.trust import PRIVATE, PUBLIC, Untrusted, make_folder, require_trusted

PACKAGE = Path(__file__).parent.parent
SETTINGS: Any = numba.config
"""Numba's settings, which have no types."""
KEPT_FOLDERS = 4
"""Number of cache folders kept, so that going back to an earlier commit compiles nothing."""


@functools.cache
def stamp() -> str:
    """Return a hash of all kernel sources of the package and of the bounds-check flag, which Numba's key lacks."""
    digest = hashlib.sha256(f"{numba.__version__} {SETTINGS.BOUNDSCHECK}".encode())
    names = rb"\b(kernel|record|table|verb)\b"
    makes_kernels = re.compile(rb"^from tengen\.jit import (\([^)]*|[^\n(]*)" + names, re.MULTILINE)
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_bytes()
        if path.parent == Path(__file__).parent or makes_kernels.search(source):
            digest.update(source)
    return digest.hexdigest()[:12]


@dataclass(frozen=True)
class Place:
    """A folder that may hold the cache folders of all stamps."""

    root: Path
    name: str
    """How messages refer to the folder."""
    in_package: bool = False
    """Whether the folder may belong to the owner of the package, whose sources are run in any case."""


def places(ours: bool) -> list[Place]:
    """Return the folders in which compiled kernels may be kept, the preferred one first.

    If TENGEN_CACHE is set, only that folder. Otherwise the user's cache folder; kernels of the package (`ours`) prefer
    the package's own `__pycache__`.
    """
    if chosen := os.environ.get("TENGEN_CACHE"):
        return [Place(Path(chosen), f"the folder {shortened(chosen, 160)} that TENGEN_CACHE names")]
    found = [Place(PACKAGE / "__pycache__", "the folder of the package", in_package=True)] if ours else []
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if not cache.startswith("~"):  # the user has a home
        found.append(Place(Path(cache) / "tengen", f"the folder {shortened(Path(cache) / 'tengen', 160)}"))
    return found


def kernel_folder(filename: str) -> str | None:
    """Return the folder for compiled kernels of a source file, or None; the reason is then in `why_not_kept`."""
    name, reason = source_hash(filename), "the user has no home folder"
    for place in places(is_ours(filename)):
        folder, reason = _open(place, name)
        if folder:
            return folder
    _reasons.append(reason)
    return None


@functools.cache
def _open(place: Place, name: str) -> tuple[str, str]:
    """Return (cache folder of one stamp, "") or ("", reason why it cannot be used).

    Creates the folder if it is missing and removes old folders beside it. Symbolic links are resolved before the
    folder is checked, so that a link changed later has no effect.
    """
    try:
        root = Path(os.path.realpath(place.root))
        make_folder(root, PUBLIC if place.in_package else PRIVATE)
        owners = frozenset({PACKAGE.stat().st_uid} if place.in_package else ())
        require_trusted(root, owners, parents=not place.in_package)
        folder = root / f"kernels-{name}"
        make_folder(folder)
        require_trusted(folder, owners, parents=False)
        os.utime(folder)
        prune(root)
    except Untrusted as error:
        return "", f"{place.name} {error}"
    except OSError as error:
        return "", f"{place.name} cannot be written: {error.strerror or error}"
    return str(folder), ""


_reasons: list[str] = []


def why_not_kept() -> str:
    """Return why kernels of this process cannot be kept; empty if they can."""
    return _reasons[0] if _reasons else ""


def prune(
    root: Path,
    keep: int = KEPT_FOLDERS,
    idle_seconds: float = 3600.0,
    now: Callable[[], float] = time.time,
) -> None:
    """Remove all but the `keep` most recently used cache folders; one used within `idle_seconds` is not removed.

    `now` returns the time in seconds since the epoch.
    """
    used = []
    for folder in root.glob("kernels-*"):
        with contextlib.suppress(FileNotFoundError):  # another process removed it meanwhile
            used.append((folder.stat().st_mtime, folder))
    for when, folder in sorted(used, reverse=True)[keep:]:
        if now() - when > idle_seconds:
            shutil.rmtree(folder, ignore_errors=True)


def is_ours(path: str) -> bool:
    return Path(path).is_relative_to(PACKAGE)


@functools.cache
def _libraries() -> tuple[Path, ...]:
    """Folders whose modules do not change under a running project: the standard library and installed packages."""
    return tuple({Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib")})


def _files_of(name: str) -> Iterator[Path]:
    """Yield the files that importing a dotted name would run, enclosing packages first, without importing anything."""
    path, parts = None, name.split(".")
    for end in range(1, len(parts) + 1):
        spec = None
        for finder in sys.meta_path:
            if hasattr(finder, "find_spec") and (spec := finder.find_spec(".".join(parts[:end]), path)):
                break
        if spec is None:
            return
        if spec.origin:
            yield Path(spec.origin)
        path = spec.submodule_search_locations
        if path is None:
            return


@functools.lru_cache(maxsize=1000)
def _imported_names(source: bytes) -> tuple[tuple[int, str, str], ...]:
    """Return the imports of a source file: (number of leading dots, module, name or "" for the module itself)."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return ()
    found = [(0, alias.name, "") for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            found += [(node.level, node.module or "", alias.name) for alias in node.names]
    return tuple(found)


def _local_imports(path: Path, source: bytes) -> list[Path]:
    """The files of the user's own modules that a source file imports."""
    found: set[Path] = set()
    for level, module, name in _imported_names(source):
        if not level:
            found.update(_files_of(f"{module}.{name}" if name else module))
            continue
        folder = path.parents[level - 1]
        found.add(folder / "__init__.py")
        for part in module.split("."):
            folder = folder / part
            found.update((folder.with_suffix(".py"), folder / "__init__.py"))
        found.update((folder / f"{name}.py", folder / name / "__init__.py"))
    users = (file.resolve() for file in found if file.suffix == ".py" and file.is_file())
    return sorted(file for file in users if not any(map(file.is_relative_to, (PACKAGE, *_libraries()))))


def sources(filename: str) -> set[Path]:
    """A file and all of the user's files that it imports; none for code without a file."""
    if not os.path.isfile(filename):
        return set()
    waiting, seen = [Path(filename).resolve()], set()
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting.extend(_local_imports(path, path.read_bytes()))
    return seen


def source_hash(filename: str) -> str:
    """Return a hash of all source files on which a record or kernel defined in this file depends.

    For a file of the package that is `stamp`; for a user's file, a hash of the file and its imports. Code without a
    file (typed at a prompt) cannot be hashed: each call returns a new random value.
    """
    if is_ours(filename):
        return stamp()
    if not os.path.isfile(filename):
        return f"unsaved{secrets.token_hex(6)}"
    digest = hashlib.sha256(stamp().encode())
    for path in sorted(sources(filename)):
        source = path.read_bytes()
        digest.update(f"{len(source)} ".encode() + source)
    return digest.hexdigest()[:12]
