"""Compilation: the one file that knows Numba's machinery.

`kernel`   compiles a function on first use and keeps the machine code on disk.
`record`   makes a structured type whose name no other record can share.
`verb`     is a function whose body is chosen by the record type of its first argument.
`table`    freezes an array that kernels read as a constant.
Below them stand the few machine instructions that Python has no word for: bit tricks and atomic operations.

Numba watches only the file in which a kernel is defined: after an edit of a callee in another file it would go on
running the old code. So every set of kernel sources has a cache folder of its own, named by a hash of them all
(`stamp`); a kernel source is a file that imports from this one. Kernels from a user's file are kept in the user's
cache folder, under a hash of that file and of what it imports.
"""

import ast
import functools
import hashlib
import importlib.util
import itertools
import os
import re
import shutil
import sys
import sysconfig
import time
from dataclasses import dataclass
from pathlib import Path

import numba
import numpy as np
from numba.core import event, types
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array

COMPILED = not numba.config.DISABLE_JIT
"""False under NUMBA_DISABLE_JIT=1: every kernel is then the plain Python function it was written as."""

PACKAGE = Path(__file__).parent
OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
INLINE = {"forceinline": True, "error_model": "numpy"}
KEPT_FOLDERS = 4
"""Cache folders kept for earlier sources, so that going back to an earlier commit compiles nothing."""

if not COMPILED:
    np.seterr(over="ignore")  # unsigned arithmetic wraps round in compiled code; let it do so here without a warning


# --- The stamped cache -----------------------------------------------------------------------------------------------


@functools.cache
def stamp() -> str:
    """A hash of every kernel source of the package, and of the bounds-check flag that Numba's own key leaves out."""
    digest = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK}".encode())
    imports_jit = re.compile(rb"^from tengen\.jit import|^from tengen import .*\bjit\b", re.MULTILINE)
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_bytes()
        if path == Path(__file__) or imports_jit.search(source):
            digest.update(source)
    return digest.hexdigest()[:12]


def cache_root() -> Path:
    """Where compiled kernels are kept: TENGEN_CACHE, else beside the package, else the user's cache folder."""
    if chosen := os.environ.get("TENGEN_CACHE"):
        return Path(chosen)
    beside = PACKAGE / "__pycache__"
    try:
        beside.mkdir(exist_ok=True)
    except OSError:
        return user_cache_root()
    return beside if os.access(beside, os.W_OK) else user_cache_root()


def user_cache_root() -> Path:
    """Where kernels from files outside the package are kept."""
    if chosen := os.environ.get("TENGEN_CACHE"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tengen"


@functools.cache
def _folder(root: Path, name: str) -> str:
    """The cache folder of one stamp, made if need be; folders of stamps long unused are removed."""
    folder = root / f"kernels-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    prune(root)
    return str(folder)


def prune(root: Path, keep: int = KEPT_FOLDERS, idle_seconds: float = 3600.0) -> None:
    """Remove all but the `keep` last used cache folders; one used within the last hour may be in use and stays."""
    folders = sorted(root.glob("kernels-*"), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[keep:]:
        if time.time() - folder.stat().st_mtime > idle_seconds:
            shutil.rmtree(folder, ignore_errors=True)


def _is_ours(path: str) -> bool:
    return Path(path).is_relative_to(PACKAGE)


@functools.cache
def _libraries() -> tuple[Path, ...]:
    """Folders whose modules do not change under a running project: the standard library and installed packages."""
    return tuple({Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib")})


def _local_imports(path: Path, source: bytes) -> list[Path]:
    """The files of the user's own modules that a source file imports."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            folder = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            names.update(str(folder / f"{alias.name}.py") for alias in node.names)
            names.add(f"{folder}.py")
    files = []
    for name in names:
        if name.endswith(".py"):
            file = name
        else:
            try:
                spec = importlib.util.find_spec(name)
            except (ImportError, ValueError):
                continue
            file = spec.origin if spec and spec.origin else ""
        found = Path(file).resolve()
        if found.suffix == ".py" and found.is_file() and not any(map(found.is_relative_to, (PACKAGE, *_libraries()))):
            files.append(found)
    return sorted(files)


def source_hash(filename: str) -> str:
    """What a record or kernel defined in this file depends on, as a hash: never the same for two different sources.

    Inside the package that is the package's stamp; in a user's file, the file and all it imports. Code without a
    file (typed at a prompt) cannot be hashed, so each such definition counts as new.
    """
    if _is_ours(filename):
        return stamp()
    if not os.path.isfile(filename):
        return f"unsaved{next(_unsaved)}"
    digest = hashlib.sha256(stamp().encode())
    waiting, seen = [Path(filename).resolve()], set()
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            source = path.read_bytes()
            digest.update(source)
            waiting.extend(_local_imports(path, source))
    return digest.hexdigest()[:12]


_unsaved = itertools.count()


# --- Kernels ---------------------------------------------------------------------------------------------------------


def kernel(function=None, *, inline: bool = False):
    """Compile a function with Numba on first use and cache the result; with `inline`, into every caller.

    Kernels release the interpreter's lock. Division by zero follows IEEE, as in NumPy.
    """
    if function is None:
        return functools.partial(kernel, inline=inline)
    if not COMPILED:
        return function
    filename = function.__code__.co_filename
    if not _is_ours(filename) and not os.path.isfile(filename):
        return numba.njit(forceinline=inline, **OPTIONS)(function)
    root = cache_root() if _is_ours(filename) else user_cache_root()
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, _folder(root, source_hash(filename))
    try:
        return numba.njit(cache=True, forceinline=inline, **OPTIONS)(function)
    finally:
        numba.config.CACHE_DIR = before


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


def _short_type(argument) -> str:
    if isinstance(argument, types.Record):
        return _tag_name(_tag_of_type(argument))
    if isinstance(argument, types.Array):
        return f"{_short_type(argument.dtype)}[{', '.join(':' * argument.ndim)}]"
    return str(argument)


_listener = _Listener()
if COMPILED:
    event.register("numba:compile", _listener)


def compilations() -> list[Compilation]:
    """Everything this process had to compile because the cache did not hold it."""
    return list(_listener.compilations)


# --- Records and verbs -----------------------------------------------------------------------------------------------

_records: dict[str, np.dtype] = {}


def record(name: str, fields: list[tuple]) -> np.dtype:
    """A structured type for kernels, marked by a last field whose name is this record's alone.

    Numba's record types compare by structure, and so does its cache. The tag keeps two records of equal structure
    apart; and as it holds a hash of the defining source, an edited source is another type, for which nothing that
    was compiled before can be reused by mistake.
    """
    if not name.isidentifier():
        raise ValueError(f"a record's name must be an identifier, not {name!r}")
    tag = f"tag_{name}_{source_hash(sys._getframe(1).f_code.co_filename)}"
    made = np.dtype((np.record, np.dtype([*fields, (tag, np.uint8)], align=True)))
    if _records.setdefault(tag, made) != made:
        raise ValueError(f"the record '{name}' is already defined in this file, with other fields")
    return _records[tag]


def new(dtype: np.dtype):
    """One zeroed record, readable and writable by field name in Python and in kernels."""
    return np.zeros(1, dtype)[0]


def _tag_name(tag: str) -> str:
    """`tag_connect_four_3f2a9c` is the tag of the record `connect_four`."""
    return tag.removeprefix("tag_").rpartition("_")[0]


def _tag_of_type(argument) -> str:
    """The tag of a Numba record type; empty for what is not a record of ours."""
    last = list(argument.fields)[-1] if isinstance(argument, types.Record) else ""
    return last if last in _records else ""


class MissingVerb(TypeError):
    """A game, policy or value lacks the body of a verb that a kernel needs of it."""


def verb(stub):
    """A function whose body is chosen by the record type of its first argument.

    `@play.implement(RECORD)` above a kernel registers a body, `@play.otherwise` the one for records without a body of
    their own. In a kernel the choice is made at compile time; in plain Python, by the argument's dtype.
    """
    bodies: dict[str, object] = {}
    parameters = ", ".join(stub.__code__.co_varnames[: stub.__code__.co_argcount])
    first = parameters.split(", ")[0]

    def body_for(tag, what):
        if (body := bodies.get(tag) or bodies.get("")) is None:
            who = _tag_name(tag) or what
            meaning = (stub.__doc__ or "").strip().partition("\n")[0]
            raise MissingVerb(f"'{who}' does not implement the verb '{stub.__name__}' ({meaning})")
        return body

    @functools.wraps(stub)
    def in_python(subject, *arguments):
        dtype = getattr(subject, "dtype", None)
        tag = dtype.names[-1] if dtype is not None and dtype.names else ""
        return body_for(tag, type(subject).__name__)(subject, *arguments)

    def register(tag, body):
        known = bodies.get(tag)
        if known is not None and _code(known) != _code(body):
            who = f"'{_tag_name(tag)}'" if tag else "records without a body of their own"
            raise ValueError(f"the verb '{stub.__name__}' is already implemented for {who}")
        bodies.setdefault(tag, body)
        return body

    def implement(dtype):
        tag = dtype.names[-1] if dtype.names else ""
        if tag not in _records:
            raise ValueError(f"'{stub.__name__}' can only be implemented for a type made by tengen.jit.record")
        return functools.partial(register, tag)

    in_python.implement = implement
    in_python.otherwise = functools.partial(register, "")
    if COMPILED:
        _choose_at_compile_time(in_python, body_for, parameters, first)
    return in_python


def _code(body):
    """What tells two bodies apart: their code, not where in the file it stands."""
    code = getattr(body, "py_func", body).__code__
    return code.co_code, code.co_consts, code.co_names


def _choose_at_compile_time(in_python, body_for, parameters: str, first: str) -> None:
    """Teach Numba the verb. It insists that chooser and chosen have the verb's own parameter names, hence the exec."""

    def chosen(subject):
        scope = {"body": body_for(_tag_of_type(subject), str(subject)), "__name__": in_python.__module__}
        exec(f"def {in_python.__name__}({parameters}):\n    return body({parameters})", scope)
        return scope[in_python.__name__]

    scope = {"chosen": chosen}
    exec(f"def choose({parameters}):\n    return chosen({first})", scope)
    overload(in_python, jit_options=INLINE)(scope["choose"])


# --- Bit tricks ------------------------------------------------------------------------------------------------------


def trailing_zeros(word):
    """The index of the lowest set bit of a non-zero uint64."""
    return np.uint64((int(word) & -int(word)).bit_length() - 1)


def population(word):
    """How many bits of a uint64 are set."""
    return np.uint64(int(word).bit_count())


def nth_bit(word, n):
    """The n-th lowest set bit of a uint64 (n from 0), alone in its place."""
    rest = int(word)
    for _ in range(int(n)):
        rest &= rest - 1
    return np.uint64(rest & -rest)


@intrinsic
def _trailing_zeros(typing, word):
    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.uint64(types.uint64), generate


@intrinsic
def _population(typing, word):
    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def _deposit(typing, bits, mask):
    def generate(context, builder, signature, arguments):
        word = arguments[0].type
        function = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), _function_type(word, word, word))
        return builder.call(function, arguments)

    return types.uint64(types.uint64, types.uint64), generate


def _function_type(result, *arguments):
    from llvmlite import ir

    return ir.FunctionType(result, arguments)


@functools.cache
def _can_deposit() -> bool:
    """Whether this processor has the instruction that scatters bits into a mask (x86 with BMI2)."""
    from llvmlite import binding

    return binding.get_process_triple().startswith("x86_64") and bool(binding.get_host_cpu_features().get("bmi2"))


def _nth_bit_by_loop(word, n):
    for _ in range(n):
        word &= word - np.uint64(1)
    return word & (~word + np.uint64(1))


@overload(trailing_zeros, jit_options=INLINE)
def _choose_trailing_zeros(word):
    return lambda word: _trailing_zeros(word)


@overload(population, jit_options=INLINE)
def _choose_population(word):
    return lambda word: _population(word)


@overload(nth_bit, jit_options=INLINE)
def _choose_nth_bit(word, n):
    return (lambda word, n: _deposit(np.uint64(1) << n, word)) if _can_deposit() else _nth_bit_by_loop


# --- Atomic operations on an element of a one-dimensional array -------------------------------------------------------
# A row is written before its index is released, and the index acquired before the row is read: x86 would forgive a
# plain load or store, ARM does not.


def fetch_add(array, index, value):
    """Add to an element in one indivisible step; return what it held before."""
    before = array[index]
    array[index] = before + value
    return before


def compare_exchange(array, index, expected, desired):
    """Store `desired` if the element holds `expected`, in one indivisible step; say whether it did."""
    if array[index] != expected:
        return False
    array[index] = desired
    return True


def load_acquire(array, index):
    """Read an element; what was written before its release is then visible."""
    return array[index]


def store_release(array, index, value):
    """Write an element after everything written before it."""
    array[index] = value


def _element(context, builder, signature, arguments):
    array = make_array(signature.args[0])(context, builder, arguments[0])
    return builder.gep(array.data, [arguments[1]])


@intrinsic
def _fetch_add(typing, array, index, value):
    def generate(context, builder, signature, arguments):
        operation = "fadd" if isinstance(array.dtype, types.Float) else "add"
        pointer = _element(context, builder, signature, arguments)
        return builder.atomic_rmw(operation, pointer, arguments[2], "monotonic")

    return array.dtype(array, types.intp, array.dtype), generate


@intrinsic
def _compare_exchange(typing, array, index, expected, desired):
    def generate(context, builder, signature, arguments):
        pointer = _element(context, builder, signature, arguments)
        pair = builder.cmpxchg(pointer, arguments[2], arguments[3], "acq_rel", "monotonic")
        return builder.extract_value(pair, 1)

    return types.boolean(array, types.intp, array.dtype, array.dtype), generate


@intrinsic
def _load_acquire(typing, array, index):
    def generate(context, builder, signature, arguments):
        pointer = _element(context, builder, signature, arguments)
        return builder.load_atomic(pointer, "acquire", array.dtype.bitwidth // 8)

    return array.dtype(array, types.intp), generate


@intrinsic
def _store_release(typing, array, index, value):
    def generate(context, builder, signature, arguments):
        pointer = _element(context, builder, signature, arguments)
        builder.store_atomic(arguments[2], pointer, "release", array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, array.dtype), generate


@overload(fetch_add, jit_options=INLINE)
def _choose_fetch_add(array, index, value):
    return lambda array, index, value: _fetch_add(array, index, value)


@overload(compare_exchange, jit_options=INLINE)
def _choose_compare_exchange(array, index, expected, desired):
    return lambda array, index, expected, desired: _compare_exchange(array, index, expected, desired)


@overload(load_acquire, jit_options=INLINE)
def _choose_load_acquire(array, index):
    return lambda array, index: _load_acquire(array, index)


@overload(store_release, jit_options=INLINE)
def _choose_store_release(array, index, value):
    return lambda array, index, value: _store_release(array, index, value)
