"""Compilation: the one folder that knows Numba's machinery.

`kernel`   compiles a function on first use and keeps the machine code on disk (kernels, cache).
`record`   makes a structured type whose name no other record can share (verbs).
`verb`     is a function whose body is chosen by the record type of its first argument (verbs).
`table`    freezes an array that kernels read as a constant (kernels).
Besides them, the few machine instructions that Python has no word for: bit tricks and atomic operations (instructions).
"""

import tengen.jit.unboxing  # noqa: F401 - changes how Numba converts records
from tengen.jit.cache import prune, source_hash, stamp
from tengen.jit.instructions import (
    compare_exchange,
    fetch_add,
    fetch_add_field,
    load_acquire,
    nth_bit,
    population,
    prefetch_write,
    store_release,
    trailing_zeros,
)
from tengen.jit.kernels import COMPILED, Compilation, compilations, kernel, let_numbers_wrap, table
from tengen.jit.verbs import MissingVerb, new, record, record_of, verb

__all__ = [
    "COMPILED",
    "Compilation",
    "MissingVerb",
    "compare_exchange",
    "compilations",
    "fetch_add",
    "fetch_add_field",
    "kernel",
    "let_numbers_wrap",
    "load_acquire",
    "new",
    "nth_bit",
    "population",
    "prefetch_write",
    "prune",
    "record",
    "record_of",
    "source_hash",
    "stamp",
    "store_release",
    "table",
    "trailing_zeros",
    "verb",
]
