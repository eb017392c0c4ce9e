"""Kernels: functions that are compiled on first use, and what was compiled in this process."""

import functools
import os
import sys
import time
from dataclasses import dataclass

import numba
import numpy as np
from numba.core import event, types

from tengen.jit.cache import cache_folder, cache_root, is_ours, source_hash, user_cache_root

COMPILED = not numba.config.DISABLE_JIT
"""False under NUMBA_DISABLE_JIT=1: every kernel is then the plain Python function it was written as."""

OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
INLINE = {
    "forceinline": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,  # as for kernels that do not allocate
}


def let_numbers_wrap() -> None:
    """For each thread: uncompiled kernels wrap numbers round and divide by zero without a word, as compiled ones do."""
    if not COMPILED:
        np.seterr(over="ignore", divide="ignore", invalid="ignore")


let_numbers_wrap()


def kernel(function=None, *, inline: bool = False, private: bool = False, allocates: bool = False):
    """Compile a function with Numba on first use and cache the result; with `inline`, into every caller.

    A `private` kernel is for other kernels only: without an entry for Python it is compiled in half the time.
    Kernels release the interpreter's lock. Division by zero follows IEEE, as in NumPy.

    Kernels of this package do not count references to arrays, which would cost an atomic operation per array and call;
    the caller keeps the arrays alive. Only a kernel that `allocates` may create arrays or return them to Python.
    Kernels in other packages may always do so.
    """
    if function is None:
        return functools.partial(kernel, inline=inline, private=private, allocates=allocates)
    if not COMPILED:
        return function
    filename = function.__code__.co_filename
    counts_references = allocates or not is_ours(filename)
    options = {**OPTIONS, "forceinline": inline, "no_cpython_wrapper": private, "_nrt": counts_references}
    if not is_ours(filename) and not os.path.isfile(filename):
        return numba.njit(**options)(function)
    root = cache_root() if is_ours(filename) else user_cache_root()
    try:
        folder = cache_folder(root, source_hash(filename))
    except OSError:  # nowhere to keep it
        return numba.njit(**options)(function)
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, folder
    try:
        made = numba.njit(cache=True, **options)(function)
        kernels_made.append(made)
        return made
    finally:
        numba.config.CACHE_DIR = before


kernels_made: list = []


def table(values, dtype) -> np.ndarray:
    """An array that kernels read as a constant; read-only, since a compiled kernel has its own copy."""
    array = np.array(values, dtype)
    array.setflags(write=False)
    return array


@dataclass(frozen=True)
class Compilation:
    """One specialisation compiled in this process: which kernel, for which arguments, and how long it took."""

    kernel: str
    arguments: str
    seconds: float
    nested: bool


class _Listener(event.Listener):
    """Keeps a list of what was compiled, and says on standard error when a cold start begins to compile."""

    def __init__(self):
        self.compilations: list[Compilation] = []
        self._started: list[float] = []

    def on_start(self, event):
        if not self._started and not self.compilations and not os.environ.get("TENGEN_QUIET"):
            print("tengen: compiling kernels (only the first time) ...", file=sys.stderr, flush=True)
        self._started.append(time.perf_counter())

    def on_end(self, event):
        seconds = time.perf_counter() - self._started.pop()
        function = event.data["dispatcher"].py_func
        name = f"{function.__module__.removeprefix('tengen.')}.{function.__name__}"
        arguments = ", ".join(map(_short_type, event.data["args"]))
        self.compilations.append(Compilation(name, arguments, seconds, bool(self._started)))


def tag_name(tag: str) -> str:
    """`tag_connect_four_3f2a9c` is the tag of the record `connect_four`."""
    return tag.removeprefix("tag_").rpartition("_")[0]


def _short_type(argument) -> str:
    if isinstance(argument, types.Record):
        return tag_name(list(argument.fields)[-1])
    if isinstance(argument, types.Array):
        return f"{_short_type(argument.dtype)}[{', '.join(':' * argument.ndim)}]"
    return str(argument)


_listener = _Listener()
if COMPILED:
    event.register("numba:compile", _listener)


def compilations() -> list[Compilation]:
    """Everything this process had to compile because the cache did not hold it."""
    return list(_listener.compilations)
