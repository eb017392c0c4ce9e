"""Compile errors in users' files as one sentence: the function, the file, the line and the reason."""

import contextlib
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from numba.core import types
from numba.core.errors import ForceLiteralArg

from tengen.errors import TengenError, shortened
from tengen.jit.cache import is_ours

LONGEST_REASON = 200
UNINFORMATIVE = (
    "Failed in nopython mode",
    "Failed in cuda mode",
    "During: ",
    "File ",
    "Overload ",
    "There are ",
    "- Of which",
    "raised from",
)
"""How lines of Numba's messages begin that are no reasons."""
NOT_A_KERNEL = re.compile(r"Untyped global name '(\w+)'.*<class 'function'>")
CREATES_AN_ARRAY = re.compile(r"^>>> (empty|zeros|ones|full|arange|array|linspace)(_like)?\(")

record_files: dict[str, str] = {}
"""The file that defines each record, by the record's tag."""


class CompileError(TengenError):
    """A function in a user's file, or a kernel of the package with a user's record, that Numba cannot compile."""


@dataclass(frozen=True)
class _Failure:
    """The innermost function that cannot be compiled."""

    function: Callable[..., Any]
    reason: str
    """A line of the error's text. Errors of callers quote those of callees."""
    line: int
    problem: str
    creates_array: bool
    """Whether the reason is that a GPU cannot create an array."""

    @property
    def file(self) -> str:
        return self.function.__code__.co_filename

    def explains(self, error: Exception) -> bool:
        """Whether an error of a caller is about this failure, and not one that Numba has found a way around."""
        return self.reason in str(error) or self.reason == _reason(error)


class _OfThread(threading.local):
    depth = 0
    failure: _Failure | None = None


_under_way = _OfThread()


@contextlib.contextmanager
def explained(function: Callable[..., Any], signature: Any, target: str = "") -> Iterator[None]:
    """Compile a kernel in this context: an error that a user's file has caused becomes a CompileError.

    `target` is the device to compile for, in the words of the error, if it is not the CPU.
    So does one by which a part of the package does not run on `target`. Numba tries several types of arguments in turn,
    so only the outermost compilation knows that an error is final. Any other error is a defect of the package and is
    left as it is.
    """
    _under_way.depth += 1
    try:
        yield
    except (ForceLiteralArg, TengenError):
        raise
    except Exception as error:
        _note(function, error, target)
        failure = _under_way.failure
        if _under_way.depth == 1 and failure is not None and (sentence := _sentence(failure, signature)):
            raise CompileError(sentence) from error
        raise
    finally:
        _under_way.depth -= 1
        if not _under_way.depth:
            _under_way.failure = None


def _note(function: Callable[..., Any], error: Exception, target: str) -> None:
    """Remember the failure of a function, unless it is the consequence of a failure of one that it calls."""
    if _under_way.failure is None or not _under_way.failure.explains(error):
        creates_array = bool(target and CREATES_AN_ARRAY.search(_reason(error)))
        problem = f"{target} cannot create arrays ({_quoted(error)})" if creates_array else _problem(error)
        _under_way.failure = _Failure(function, _reason(error), _line(function, error), problem, creates_array)


def _sentence(failure: _Failure, signature: Any) -> str:
    """Return a sentence about the user's function or record that has caused a failure; empty if none has."""
    name = failure.function.__name__
    if not is_ours(failure.file):
        return f"{name} in {Path(failure.file).name}, line {failure.line}: {failure.problem}"
    if failure.creates_array:
        return f"the kernel {name} of {Path(failure.file).name}, line {failure.line}: {failure.problem}"
    for tag, filename in record_files.items():
        if not is_ours(filename) and tag in str(signature):
            record = tag.removeprefix("tag_").rpartition("_")[0]
            return (
                f"'{record}' in {Path(filename).name} does not fit the kernel {name}, line {failure.line} of"
                f" {Path(failure.file).name}: a field may be missing, or a verb return a wrong type; {failure.problem}"
            )
    return ""


def _problem(error: Exception) -> str:
    """Return what is wrong, in words of this package where the mistake is a common one."""
    if missing := _missing_field(error):
        return missing
    if found := NOT_A_KERNEL.search(str(error)):
        return f"{found[1]} is not compiled; write @tengen.jit.kernel above it ({_quoted(error)})"
    return f"it cannot be compiled ({_quoted(error)})"


def _quoted(error: Exception) -> str:
    reason = _reason(error).removeprefix(">>> ").partition(". Raised from")[0]
    return f"Numba: {reason if len(reason) <= LONGEST_REASON else reason[:LONGEST_REASON] + '...'}"


def _reason(error: Exception) -> str:
    """Return the first line of an error that says more than that there is one."""
    lines = [line.strip() for line in str(error).splitlines()]
    useful = [line for line in lines if line and not line.startswith(UNINFORMATIVE)]
    if not useful:
        return f"{type(error).__name__}: {error}"
    if useful[0].startswith("No implementation of function") and len(useful) > 1:
        return useful[1]
    return useful[0]


def _missing_field(error: Exception) -> str:
    """Return a clause about a field that a record lacks, for the KeyError that Numba raises then; else nothing."""
    if isinstance(error, KeyError) and error.args:
        for frame in _frames(error.__traceback__):
            owner = frame.f_locals.get("self")
            if isinstance(owner, types.Record) and error.args[0] not in owner.fields:
                *names, _ = owner.fields
                return f"there is no field or option {shortened(error.args[0])}; there are: {', '.join(names)}"
    return ""


def _line(function: Callable[..., Any], error: Exception) -> int:
    """Return the line of a function that an error is about, or else the function's first."""
    filename = function.__code__.co_filename
    for name, line in re.findall(r'(?:File "|Raised from )([^"\n]+?)"?(?:, line | \()(\d+)', str(error)):
        if Path(name).name == Path(filename).name:
            return int(line)
    places: list[Any] = [getattr(error, "loc", None)]
    places += [getattr(frame.f_locals.get("self"), "loc", None) for frame in _frames(error.__traceback__)]
    lines = [int(place.line) for place in places if getattr(place, "filename", None) == filename]
    return lines[-1] if lines else function.__code__.co_firstlineno


def _frames(trace: TracebackType | None) -> Iterator[Any]:
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next
