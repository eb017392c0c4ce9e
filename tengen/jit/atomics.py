"""Atomic operations on an element of a one-dimensional array.

Each has a plain Python body, which runs where kernels are not compiled. On a GPU a tree belongs to one thread, or to a
warp whose threads do the same, so atomic operations are plain ones there, except `add_shared`.
"""

import threading

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from tengen.jit.kernels import INLINE
from tengen.jit.targets import checked_index, element_pointer, is_for_gpu
from tengen.jit.warps import lane_number

# A row is written before its index is stored with release, and its index is loaded with acquire before the row is read.
# Plain loads and stores would be enough on x86, but not on ARM.


_one_at_a_time = threading.Lock()  # makes the uncompiled bodies atomic


def fetch_add(array, index, value):
    """Add `value` to an element atomically; return the previous value."""
    with _one_at_a_time:
        before = array[index]
        array[index] = before + value
    return before


def add_shared(array, index, value):
    """Add `value` to an integer to which all threads add, also those of a GPU.

    Only integers: their sum does not depend on the order of the additions, which differs from run to run. Sums of
    floating-point numbers would not be reproducible.
    """
    with _one_at_a_time:
        array[index] += value


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


def _add_at(context, builder, pointer, value):
    """Add to a number in memory; return its previous value."""
    is_integer = isinstance(value.type, ir.IntType)
    if not is_for_gpu(context):
        return builder.atomic_rmw("add" if is_integer else "fadd", pointer, value, "monotonic")
    before = builder.load(pointer)
    builder.store(builder.add(before, value) if is_integer else builder.fadd(before, value), pointer)
    return before


@intrinsic
def _fetch_add(typing, array, index, value):
    at = checked_index(array, index)

    def generate(context, builder, signature, arguments):
        pointer = element_pointer(context, builder, signature, arguments)
        return _add_at(context, builder, pointer, arguments[2])

    return array.dtype(array, at, array.dtype), generate


@intrinsic
def _add_shared(typing, array, index, value):
    at = checked_index(array, index)
    if not isinstance(array.dtype, types.Integer):
        raise TypingError(f"the order of additions would change the sum: add integers, not {array.dtype}")

    def generate(context, builder, signature, arguments):
        value = arguments[2]
        if is_for_gpu(context):  # of the lanes, one adds
            is_first = builder.icmp_unsigned("==", lane_number(builder), lane_number(builder).type(0))
            value = builder.select(is_first, value, value.type(0))
        builder.atomic_rmw("add", element_pointer(context, builder, signature, arguments), value, "monotonic")
        return context.get_dummy_value()

    return types.void(array, at, array.dtype), generate


@intrinsic(prefer_literal=True)
def _fetch_add_field(typing, record, field, value):
    kind = record.typeof(field.literal_value)

    def generate(context, builder, signature, arguments):
        offset = record.offset(field.literal_value)
        pointer = cgutils.get_record_member(builder, arguments[0], offset, context.get_data_type(kind))
        return _add_at(context, builder, pointer, arguments[2])

    return kind(record, field, kind), generate


@intrinsic
def _compare_exchange(typing, array, index, expected, desired):
    at = checked_index(array, index)

    def generate(context, builder, signature, arguments):
        pointer = element_pointer(context, builder, signature, arguments)
        expected, desired = arguments[2:]
        if is_for_gpu(context):
            before = builder.load(pointer)
            is_float = isinstance(array.dtype, types.Float)
            equal = (builder.fcmp_ordered if is_float else builder.icmp_unsigned)("==", before, expected)
            builder.store(builder.select(equal, desired, before), pointer)
            return equal
        if isinstance(array.dtype, types.Float):  # the machine compares integers only: compare the bits
            word = ir.IntType(array.dtype.bitwidth)
            pointer = builder.bitcast(pointer, word.as_pointer())
            expected, desired = builder.bitcast(expected, word), builder.bitcast(desired, word)
        pair = builder.cmpxchg(pointer, expected, desired, "acq_rel", "monotonic")
        return builder.extract_value(pair, 1)

    return types.boolean(array, at, array.dtype, array.dtype), generate


@intrinsic
def _load_acquire(typing, array, index):
    at = checked_index(array, index)

    def generate(context, builder, signature, arguments):
        pointer = element_pointer(context, builder, signature, arguments)
        if is_for_gpu(context):
            return builder.load(pointer)
        return builder.load_atomic(pointer, "acquire", array.dtype.bitwidth // 8)

    return array.dtype(array, at), generate


@intrinsic
def _store_release(typing, array, index, value):
    at = checked_index(array, index)

    def generate(context, builder, signature, arguments):
        pointer = element_pointer(context, builder, signature, arguments)
        if is_for_gpu(context):
            builder.store(arguments[2], pointer)
            return context.get_dummy_value()
        builder.store_atomic(arguments[2], pointer, "release", array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, at, array.dtype), generate


@overload(fetch_add, jit_options=INLINE)
def _choose_fetch_add(array, index, value):
    return lambda array, index, value: _fetch_add(array, index, value)


@overload(add_shared, jit_options=INLINE)
def _choose_add_shared(array, index, value):
    return lambda array, index, value: _add_shared(array, index, value)


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
