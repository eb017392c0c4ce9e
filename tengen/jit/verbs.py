"""Records with unique tags, and verbs: functions whose body is chosen by a record type."""

import functools
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
from numba.core import types
from numba.extending import overload

from tengen.errors import TengenError
from tengen.jit.cache import is_ours, source_hash, sources
from tengen.jit.failures import record_files
from tengen.jit.kernels import COMPILED, INLINE, kernels_made, tag_name

_records: dict[str, np.dtype] = {}
_covered: dict[str, set[Path]] = {}


def record(name: str, fields: Sequence[tuple[Any, ...]], filename: str = "", align: int = 1) -> np.dtype:
    """Make a structured dtype for kernels, with a last field whose name (the tag) is unique to this record.

    Numba's record types compare by structure, and so does its cache. The tag keeps two records of equal structure
    apart. It contains a hash of the defining source, so that an edited source gives another type, for which no
    previously compiled code is reused.
    The defining source is that of `filename`, by default the caller's file. The size is a multiple of `align` bytes.
    """
    if not name.isidentifier():
        raise ValueError(f"a record's name must be an identifier, not {name!r}")
    for field, *_ in fields:
        if hasattr(np.record, field):
            raise ValueError(f"'{field}' cannot be a field of '{name}': it is an attribute of np.record")
    filename = filename or sys._getframe(1).f_code.co_filename
    tag = f"tag_{name}_{source_hash(filename)}"
    made = np.dtype((np.record, _padded(np.dtype([*fields, (tag, np.uint8)], align=True), align)))
    if _records.setdefault(tag, made) != made:
        raise ValueError(f"the record '{name}' is already defined in this file, with other fields")
    record_files[tag] = filename
    _covered[tag] = {Path(filename)} if is_ours(filename) else sources(filename)
    return _records[tag]


def _padded(dtype: np.dtype, align: int) -> np.dtype:
    """Return a structured dtype whose size is rounded up to a multiple of `align` bytes."""
    size = -(-dtype.itemsize // align) * align
    entries = [dtype.fields[name] for name in dtype.names or ()] if dtype.fields is not None else []
    return np.dtype(
        {
            "names": list(dtype.names or ()),
            "formats": [entry[0] for entry in entries],
            "offsets": [entry[1] for entry in entries],
            "itemsize": size,
        },
        align=True,
    )


def _covers(tag: str, filename: str) -> bool:
    """Whether an edit of a file would give the record another tag. A record typed at a prompt always gets a new tag."""
    return is_ours(filename) or not _covered[tag] or Path(filename).resolve() in _covered[tag]


def new(dtype: np.dtype) -> Any:
    """Make one zeroed record, readable and writable by field name in Python and in kernels."""
    return np.zeros(1, dtype)[0]


def record_of(dtype: np.dtype, **values: Any) -> Any:
    """Make one record with the given values, and zero in the other fields."""
    made = new(dtype)
    for name, value in values.items():
        made[name] = value
    return made


def _tag_of_type(argument: Any) -> str:
    """Return the tag of a Numba record type; empty for types not made by `record`."""
    last = list(argument.fields)[-1] if isinstance(argument, types.Record) else ""
    return last if last in _records else ""


def _lasting_name(self: Any) -> tuple[str, tuple[Any, ...]]:
    """The record's part in the symbol names of compiled functions: its tag instead of Numba's per-process type number.

    A number can stand for one record in one process and for another in the next. Two cached functions would then have
    the same name, and a process that loads both would run one in place of the other.
    """
    return "Record", (_tag_of_type(self) or self._code,)


setattr(types.Record, "mangling_args", property(_lasting_name))  # noqa: B010 - a property is replaced on purpose


class MissingVerb(TengenError, TypeError):
    """A record has no body for a verb that a kernel calls on it."""


class Verb(Protocol):
    """A function whose body is chosen by the record type of its first argument."""

    __name__: str

    def __call__(self, subject: Any, *arguments: Any) -> Any:
        """Run the body for the type of `subject`."""

    def implement(self, dtype: np.dtype) -> Callable[[Any], Any]:
        """Return a decorator that makes a kernel the body for a record."""

    def otherwise(self, body: Any) -> Any:
        """Make a kernel the body for records without one of their own."""


def verb(stub: Callable[..., Any]) -> Verb:
    """Declare a function whose body is chosen by the record type of its first argument.

    `@play.implement(RECORD)` above a kernel registers the body for one record type, `@play.otherwise` the default body
    for all others. In a kernel the choice is made at compile time; in plain Python, by the argument's dtype.
    """
    bodies: dict[str, Any] = {}
    parameters = ", ".join(stub.__code__.co_varnames[: stub.__code__.co_argcount])
    first = parameters.split(", ")[0]

    def body_for(tag: str, what: str) -> Any:
        if (body := bodies.get(tag) or bodies.get("")) is None:
            who = tag_name(tag) or what
            meaning = (stub.__doc__ or "").strip().partition("\n")[0]
            where = f"; its record is in {Path(record_files[tag]).name}" if tag in record_files else ""
            raise MissingVerb(f"'{who}' does not implement the verb '{stub.__name__}' ({meaning}){where}")
        return body

    @functools.wraps(stub)
    def in_python(subject: Any, *arguments: Any) -> Any:
        dtype = getattr(subject, "dtype", None)
        tag = dtype.names[-1] if dtype is not None and dtype.names else ""
        return body_for(tag, type(subject).__name__)(subject, *arguments)

    def register(tag: str, body: Any) -> Any:
        known = bodies.get(tag)
        if known is not None and _code(known) != _code(body):
            who = f" for '{tag_name(tag)}'" if tag else " as a default"
            raise ValueError(f"the verb '{stub.__name__}' is already implemented{who}")
        code = getattr(body, "py_func", body).__code__
        filename, taken = code.co_filename, code.co_varnames[: code.co_argcount]
        if len(taken) != stub.__code__.co_argcount:
            raise TengenError(
                f"{code.co_name} must take {stub.__code__.co_argcount} arguments, ({parameters}), as the verb"
                f" '{stub.__name__}' does; it takes ({', '.join(taken)})"
            )
        if tag and not _covers(tag, filename):
            raise ValueError(
                f"the verb '{stub.__name__}' of '{tag_name(tag)}' must be implemented in the file that defines the"
                " record, or in one that it imports: an edit elsewhere would not invalidate the cache"
            )
        if tag and known is None and "" in bodies and _is_compiled_for(tag):
            raise ValueError(f"kernels are already compiled for '{tag_name(tag)}' with the default '{stub.__name__}'")
        bodies.setdefault(tag, body)
        return body

    def implement(dtype: np.dtype) -> Callable[[Any], Any]:
        tag = dtype.names[-1] if dtype.names else ""
        if tag not in _records:
            raise ValueError(f"'{stub.__name__}' can only be implemented for a type made by tengen.jit.record")
        return functools.partial(register, tag)

    made: Any = in_python
    made.implement = implement
    made.otherwise = functools.partial(register, "")
    if COMPILED:
        _choose_at_compile_time(made, body_for, parameters, first)
    return cast(Verb, made)


def _is_compiled_for(tag: str) -> bool:
    """Whether a kernel of this process already has machine code for a record."""
    return any(tag in str(signature) for made in kernels_made for signature in getattr(made, "overloads", ()))


def _code(body: Any) -> tuple[Any, ...]:
    """Return what identifies a body: its code without line numbers; for a closure, also the function itself."""
    function = getattr(body, "py_func", body)
    code = function.__code__
    constants = [(type(constant), constant) for constant in code.co_consts]
    return code.co_code, constants, code.co_names, function.__closure__ and id(function)


def _choose_at_compile_time(in_python: Any, body_for: Callable[[str, str], Any], parameters: str, first: str) -> None:
    """Register the verb with Numba, which requires the verb's own parameter names in both functions; hence the exec."""

    def chosen(subject: Any) -> Any:
        scope: dict[str, Any] = {
            "body": body_for(_tag_of_type(subject), str(subject)),
            "__name__": in_python.__module__,
        }
        exec(f"def {in_python.__name__}({parameters}):\n    return body({parameters})", scope)
        return scope[in_python.__name__]

    scope: dict[str, Any] = {"chosen": chosen}
    exec(f"def choose({parameters}):\n    return chosen({first})", scope)
    overload(in_python, jit_options=INLINE)(scope["choose"])
