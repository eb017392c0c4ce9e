"""Compilation with Numba. No other folder uses Numba's internals.

`kernel`   compiles a function on first use and caches the machine code on disk (kernels, cache).
`record`   makes a structured dtype with a unique tag (verbs).
`verb`     declares a function whose body is chosen by the record type of its first argument (verbs).
`table`    makes a read-only array that kernels read as a constant (kernels).
`call_python` calls a function in Python from a kernel (callbacks).
`bits`, `atomics`, `memory` and `warps` have instructions that Python lacks, for the CPU and for a GPU.
`on_gpu`   gives a kernel another body on a GPU (kernels).
`gpu`      compiles and launches kernels on a GPU. It is imported on demand, since it needs the package numba-cuda.
"""

import tengen.jit.unboxing  # noqa: F401 - changes how Numba converts records
from tengen.jit.atomics import (
    add_shared,
    compare_exchange,
    fetch_add,
    fetch_add_field,
    load_acquire,
    store_release,
)
from tengen.jit.bits import nth_bit, population, trailing_zeros
from tengen.jit.cache import prune, source_hash, stamp
from tengen.jit.callbacks import address_of, call_python, callback
from tengen.jit.kernels import COMPILED, Compilation, compilations, kernel, let_numbers_wrap, on_gpu, table
from tengen.jit.memory import (
    copy_record,
    four_at,
    keep_alive,
    prefetch_record,
    prefetch_write,
    put_four,
    temporary,
    temporary_like,
)
from tengen.jit.verbs import MissingVerb, new, record, record_of, verb
from tengen.jit.warps import (
    from_lane,
    holds_in_a_lane,
    join_lanes,
    lane,
    lanes,
    lanes_where,
    largest_of_lanes,
    shares_warp,
    union_of_lanes,
)

__all__ = [
    "COMPILED",
    "Compilation",
    "MissingVerb",
    "add_shared",
    "address_of",
    "call_python",
    "callback",
    "compare_exchange",
    "compilations",
    "copy_record",
    "fetch_add",
    "fetch_add_field",
    "four_at",
    "from_lane",
    "holds_in_a_lane",
    "join_lanes",
    "keep_alive",
    "kernel",
    "lane",
    "lanes",
    "lanes_where",
    "largest_of_lanes",
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
    "union_of_lanes",
    "verb",
]
