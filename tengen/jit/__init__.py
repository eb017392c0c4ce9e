"""Compilation with Numba. No other folder uses Numba's internals.

`kernel`   compiles a function on first use and caches the machine code on disk (kernels, cache).
`record`   makes a structured dtype with a unique tag (verbs).
`verb`     declares a function whose body is chosen by the record type of its first argument (verbs).
`table`    makes a read-only array that kernels read as a constant (kernels).
`instructions` has instructions that Python lacks: bit operations, atomic operations, the lifetime of arrays.
`on_gpu`   gives a kernel another body on a GPU (kernels).
`gpu`      compiles and launches kernels on a GPU. It is imported on demand, since it needs the package numba-cuda.
"""

import tengen.jit.unboxing  # noqa: F401 - changes how Numba converts records
from tengen.jit.cache import prune, source_hash, stamp
from tengen.jit.instructions import (
    add_shared,
    compare_exchange,
    copy_record,
    fetch_add,
    fetch_add_field,
    four_at,
    keep_alive,
    load_acquire,
    nth_bit,
    population,
    prefetch_record,
    prefetch_write,
    put_four,
    shares_warp,
    store_release,
    temporary,
    temporary_like,
    trailing_zeros,
)
from tengen.jit.kernels import COMPILED, Compilation, compilations, kernel, let_numbers_wrap, on_gpu, table
from tengen.jit.verbs import MissingVerb, new, record, record_of, verb

__all__ = [
    "COMPILED",
    "Compilation",
    "MissingVerb",
    "add_shared",
    "compare_exchange",
    "compilations",
    "copy_record",
    "fetch_add",
    "fetch_add_field",
    "four_at",
    "keep_alive",
    "kernel",
    "let_numbers_wrap",
    "load_acquire",
    "new",
    "nth_bit",
    "on_gpu",
    "population",
    "prefetch_record",
    "prefetch_write",
    "put_four",
    "prune",
    "record",
    "record_of",
    "shares_warp",
    "source_hash",
    "stamp",
    "store_release",
    "table",
    "temporary",
    "temporary_like",
    "trailing_zeros",
    "verb",
]
