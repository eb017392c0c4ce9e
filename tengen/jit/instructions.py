"""Instructions that Python lacks: bit operations, atomic operations, and the lifetime of arrays.

Each has a plain Python body, which runs where kernels are not compiled.
"""

import functools
import threading

import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array

from tengen.jit.kernels import INLINE

# --- Bit operations --------------------------------------------------------------------------------------------------


def trailing_zeros(word):
    """The index of the lowest set bit of a non-zero uint64."""
    return np.uint64((int(word) & -int(word)).bit_length() - 1)


def population(word):
    """The number of set bits of a uint64."""
    return np.uint64(int(word).bit_count())


def nth_bit(word, n):
    """A uint64 with only the n-th lowest set bit of `word` (n from 0)."""
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
        function = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, [word, word]))
        return builder.call(function, arguments)

    return types.uint64(types.uint64, types.uint64), generate


@functools.cache
def _can_deposit() -> bool:
    """Whether this processor has the instruction that scatters bits into a mask (x86 with BMI2)."""
    return binding.get_process_triple().startswith("x86_64") and bool(binding.get_host_cpu_features().get("bmi2"))


def nth_bit_by_loop(word, n):
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
    return (lambda word, n: _deposit(np.uint64(1) << n, word)) if _can_deposit() else nth_bit_by_loop


# --- Atomic operations on an element of a one-dimensional array -------------------------------------------------------
# A row is written before its index is stored with release, and its index is loaded with acquire before the row is read.
# Plain loads and stores would be enough on x86, but not on ARM.


_one_at_a_time = threading.Lock()  # makes the uncompiled bodies atomic


def fetch_add(array, index, value):
    """Add `value` to an element atomically; return the previous value."""
    with _one_at_a_time:
        before = array[index]
        array[index] = before + value
    return before


def fetch_add_field(record, field, value):
    """Add `value` to the field of a record atomically; return the previous value. `field` is a literal string."""
    with _one_at_a_time:
        before = record[field]
        record[field] = before + value
    return before


def compare_exchange(array, index, expected, desired):
    """Store `desired` if the element equals `expected`, atomically; return whether it was stored."""
    with _one_at_a_time:
        if array[index] != expected:
            return False
        array[index] = desired
    return True


def load_acquire(array, index):
    """Read an element; everything written before its `store_release` is then visible to this thread."""
    return array[index]


def store_release(array, index, value):
    """Write an element; a thread that reads it with `load_acquire` sees everything written before."""
    array[index] = value


def prefetch_write(array, index):
    """Prefetch the cache line of an element in exclusive state, for a write that follows soon."""


def _element(context, builder, signature, arguments):
    kind = signature.args[0]
    array = make_array(kind)(context, builder, arguments[0])
    return cgutils.get_item_pointer(
        context,
        builder,
        kind,
        array,
        [arguments[1]],
        wraparound=signature.args[1].signed,
        boundscheck=context.enable_boundscheck,
    )


def _check(array, index):
    if not isinstance(array, types.Array) or array.ndim != 1 or not isinstance(index, types.Integer):
        raise TypingError(f"atomic operations need an element of a one-dimensional array, not {array}[{index}]")
    return types.intp if index.signed else types.uintp


@intrinsic
def _fetch_add(typing, array, index, value):
    at = _check(array, index)

    def generate(context, builder, signature, arguments):
        operation = "fadd" if isinstance(array.dtype, types.Float) else "add"
        pointer = _element(context, builder, signature, arguments)
        return builder.atomic_rmw(operation, pointer, arguments[2], "monotonic")

    return array.dtype(array, at, array.dtype), generate


@intrinsic(prefer_literal=True)
def _fetch_add_field(typing, record, field, value):
    kind = record.typeof(field.literal_value)

    def generate(context, builder, signature, arguments):
        offset = record.offset(field.literal_value)
        pointer = cgutils.get_record_member(builder, arguments[0], offset, context.get_data_type(kind))
        operation = "fadd" if isinstance(kind, types.Float) else "add"
        return builder.atomic_rmw(operation, pointer, arguments[2], "monotonic")

    return kind(record, field, kind), generate


@intrinsic
def _compare_exchange(typing, array, index, expected, desired):
    at = _check(array, index)

    def generate(context, builder, signature, arguments):
        pointer = _element(context, builder, signature, arguments)
        expected, desired = arguments[2:]
        if isinstance(array.dtype, types.Float):  # the machine compares integers only: compare the bits
            word = ir.IntType(array.dtype.bitwidth)
            pointer = builder.bitcast(pointer, word.as_pointer())
            expected, desired = builder.bitcast(expected, word), builder.bitcast(desired, word)
        pair = builder.cmpxchg(pointer, expected, desired, "acq_rel", "monotonic")
        return builder.extract_value(pair, 1)

    return types.boolean(array, at, array.dtype, array.dtype), generate


@intrinsic
def _load_acquire(typing, array, index):
    at = _check(array, index)

    def generate(context, builder, signature, arguments):
        pointer = _element(context, builder, signature, arguments)
        return builder.load_atomic(pointer, "acquire", array.dtype.bitwidth // 8)

    return array.dtype(array, at), generate


@intrinsic
def _store_release(typing, array, index, value):
    at = _check(array, index)

    def generate(context, builder, signature, arguments):
        pointer = _element(context, builder, signature, arguments)
        builder.store_atomic(arguments[2], pointer, "release", array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, at, array.dtype), generate


@intrinsic
def _prefetch_write(typing, array, index):
    at = _check(array, index)

    def generate(context, builder, signature, arguments):
        pointer = builder.bitcast(_element(context, builder, signature, arguments), ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, word, word, word])
        function = builder.module.declare_intrinsic("llvm.prefetch", (pointer.type,), kind)
        builder.call(function, [pointer, word(1), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(array, at), generate


@overload(prefetch_write, jit_options=INLINE)
def _choose_prefetch_write(array, index):
    return lambda array, index: _prefetch_write(array, index)


@overload(fetch_add, jit_options=INLINE)
def _choose_fetch_add(array, index, value):
    return lambda array, index, value: _fetch_add(array, index, value)


@overload(fetch_add_field, jit_options=INLINE, prefer_literal=True)
def _choose_fetch_add_field(record, field, value):
    return lambda record, field, value: _fetch_add_field(record, field, value)


@overload(compare_exchange, jit_options=INLINE)
def _choose_compare_exchange(array, index, expected, desired):
    return lambda array, index, expected, desired: _compare_exchange(array, index, expected, desired)


@overload(load_acquire, jit_options=INLINE)
def _choose_load_acquire(array, index):
    return lambda array, index: _load_acquire(array, index)


@overload(store_release, jit_options=INLINE)
def _choose_store_release(array, index, value):
    return lambda array, index, value: _store_release(array, index, value)


# --- Lifetime of arrays ----------------------------------------------------------------------------------------------


def keep_alive(array):
    """Keep an array that a kernel has created allocated up to this call.

    A kernel frees an array after its last use, and the use of a record in it does not count: call this after the last
    use of the record.
    """


@overload(keep_alive, jit_options=INLINE)
def _choose_keep_alive(array):
    return lambda array: None
