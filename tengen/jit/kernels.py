"""Kernels: functions that are compiled on first use, and a list of the compilations in this process."""

import functools
import multiprocessing
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numba.core import event, types
from numpy.typing import ArrayLike, DTypeLike

from tengen.errors import shortened
from tengen.interrupts import deferred_interrupts, raise_deferred_interrupt
from tengen.jit.cache import SETTINGS, is_ours, kernel_folder, why_not_kept
from tengen.jit.failures import explained
from tengen.jit.kernel_files import KernelFiles
from tengen.progress import say

COMPILED = not SETTINGS.DISABLE_JIT
"""False under NUMBA_DISABLE_JIT=1: every kernel is then a plain Python function."""

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
INLINE: Any = {
    "forceinline": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,  # as for kernels that do not allocate
}


def let_numbers_wrap() -> None:
    """Silence NumPy's overflow and division warnings in this thread if kernels are not compiled.

    Compiled kernels wrap integers and divide by zero without a warning.
    """
    if not COMPILED:
        np.seterr(over="ignore", divide="ignore", invalid="ignore")


let_numbers_wrap()


def kernel(
    function: Callable[..., Any] | None = None, *, inline: bool = False, private: bool = False, allocates: bool = False
) -> Any:
    """Compile a function with Numba on first use and cache the result; with `inline`, inline it into every caller.

    A `private` kernel can be called by kernels only: without an entry point for Python it compiles in half the time.
    Kernels release the GIL. Division by zero follows IEEE 754, as in NumPy.

    Kernels of this package do not count references to arrays, which would cost an atomic operation per array and call;
    the caller keeps the arrays alive. Only a kernel that `allocates` may create arrays or return them to Python; if it
    uses a record of an array that it creates, `keep_alive` must follow the last use.
    Kernels in other packages may always do so.
    """
    if function is None:
        return functools.partial(kernel, inline=inline, private=private, allocates=allocates)
    if not COMPILED:
        return function
    filename = function.__code__.co_filename
    counts_references = allocates or not is_ours(filename)
    options: dict[str, Any] = {
        **OPTIONS,
        "forceinline": inline,
        "no_cpython_wrapper": private,
        "_nrt": counts_references,
    }
    made = numba.njit(**options)(function)
    _compile_without_interrupts(made)
    if is_ours(filename) or os.path.isfile(filename):
        if folder := kernel_folder(filename):
            made._cache = KernelFiles(function, folder, on_failure=_listener.say_not_saved)
        kernels_made.append(made)
    return made


def _compile_without_interrupts(made: Any) -> None:
    """Defer an interrupt during compilation until the current kernel is compiled and cached.

    A KeyboardInterrupt raised in a callback from LLVM or in a destructor would be lost.
    """
    compile_for = made.compile

    def compile_whole(signature: Any) -> Any:
        raise_deferred_interrupt()  # compiling a caller may be interrupted before its callee is compiled
        with explained(made.py_func, signature), deferred_interrupts():
            return compile_for(signature)

    made.compile = compile_whole


kernels_made: list[Any] = []
gpu_bodies: dict[Any, Any] = {}
"""By kernel: the function that stands for it on a GPU."""


def on_gpu(replaced: Any) -> Callable[[Any], Any]:
    """Return a decorator: on a GPU, its kernel stands for the kernel `replaced`, with the same arguments and results.

    For kernels whose best algorithm differs there, since a thread has no vector registers and waits long for memory.
    """

    def register(body: Any) -> Any:
        gpu_bodies[replaced] = body
        return body

    return register


def table(values: ArrayLike, dtype: DTypeLike) -> np.ndarray:
    """Make an array that kernels read as a constant; read-only, since a compiled kernel has its own copy."""
    array = np.array(values, dtype)
    array.setflags(write=False)
    return array


@dataclass(frozen=True)
class Compilation:
    """One specialisation compiled in this process."""

    kernel: str
    arguments: str
    seconds: float
    nested: bool
    """Whether it was compiled during the compilation of a caller, whose `seconds` include these."""


NOT_KEPT = "compiled kernels cannot be cached and are compiled again at every start"
REMEDY = "set TENGEN_CACHE to a folder that only you can write to"


class _Listener(event.Listener):
    """Records compilations, and prints a message on standard error before the first one."""

    def __init__(self) -> None:
        self.compilations: list[Compilation] = []
        self._of_thread = threading.local()
        self._has_said_not_kept = False

    @property
    def _started(self) -> list[float]:
        """Start times of the compilations in progress in this thread, the outermost first."""
        started: list[float] = self._of_thread.__dict__.setdefault("started", [])
        return started

    def on_start(self, event: Any) -> None:
        if not self._started and not self.compilations:
            if reason := why_not_kept():
                self._say_not_kept(reason)
            else:
                say_of_kernels("compiling kernels (only the first time) ...")
        self._started.append(time.perf_counter())

    def on_end(self, event: Any) -> None:
        seconds = time.perf_counter() - self._started.pop()
        function = event.data["dispatcher"].py_func
        name = f"{function.__module__.removeprefix('tengen.')}.{function.__name__}"
        arguments = ", ".join(map(_short_type, event.data["args"]))
        self.compilations.append(Compilation(name, arguments, seconds, bool(self._started)))

    def say_not_saved(self, error: OSError) -> None:
        """Report that a kernel was compiled but could not be written."""
        self._say_not_kept(f"{shortened(error.filename or 'a file', 160)} cannot be written: {error.strerror or error}")

    def _say_not_kept(self, reason: str) -> None:
        if not self._has_said_not_kept:
            self._has_said_not_kept = True
            say_of_kernels(f"{NOT_KEPT}: {reason}; {REMEDY}")


def say_of_kernels(text: str) -> None:
    """Print a message on standard error, unless TENGEN_QUIET is set or this is a worker process."""
    if not os.environ.get("TENGEN_QUIET") and multiprocessing.parent_process() is None:
        say(f"tengen: {text}")


def tag_name(tag: str) -> str:
    """Return the record's name in a tag: `connect_four` for `tag_connect_four_3f2a9c`."""
    return tag.removeprefix("tag_").rpartition("_")[0]


def _short_type(argument: Any) -> str:
    if isinstance(argument, types.Record):
        return tag_name(list(argument.fields)[-1])
    if isinstance(argument, types.Array):
        return f"{_short_type(argument.dtype)}[{', '.join(':' * argument.ndim)}]"
    return str(argument)


_listener = _Listener()
if COMPILED:
    event.register("numba:compile", _listener)


def compilations() -> list[Compilation]:
    """Return the specialisations that this process compiled because they were not in the cache."""
    return list(_listener.compilations)
