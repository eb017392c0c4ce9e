"""Instructions that Python lacks: bit operations, atomic operations, temporary arrays and the lifetime of arrays.

Each has a plain Python body, which runs where kernels are not compiled. On a GPU a tree belongs to one thread, so
atomic operations are plain ones there, except `add_shared`.
"""

import functools
import threading
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array, populate_array

from tengen.jit.kernels import INLINE


def is_for_gpu(context):
    """Whether a compilation context of Numba makes code for a GPU."""
    return type(context).__name__ == "CUDATargetContext"


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


def _word(kind):
    """The word type of a bit operation: 32 bits, which are faster on a GPU, if the argument has them, else 64."""
    return types.uint32 if kind == types.uint32 else types.uint64


@intrinsic
def _trailing_zeros(typing, word):
    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return _word(word)(_word(word)), generate


@intrinsic
def _population(typing, word):
    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return _word(word)(_word(word)), generate


@intrinsic
def _nth_bit(typing, word, n):
    def generate(context, builder, signature, arguments):
        if is_for_gpu(context):
            return context.compile_internal(builder, nth_bit_by_halves, signature, arguments)
        if not _can_deposit():
            return context.compile_internal(builder, nth_bit_by_loop, signature, arguments)
        kind = arguments[0].type
        deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(kind, [kind, kind]))
        return builder.call(deposit, [builder.shl(kind(1), arguments[1]), arguments[0]])

    return types.uint64(types.uint64, types.uint64), generate


@functools.cache
def _can_deposit() -> bool:
    """Whether this processor has the instruction that scatters bits into a mask (x86 with BMI2)."""
    return binding.get_process_triple().startswith("x86_64") and bool(binding.get_host_cpu_features().get("bmi2"))


def nth_bit_by_loop(word, n):
    for _ in range(n):
        word &= word - np.uint64(1)
    return word & (~word + np.uint64(1))


def nth_bit_by_halves(word, n):
    """By counting the bits of a half, a quarter and so on: few 32-bit steps, the same for every thread of a warp."""
    low = np.uint32(word & np.uint64(0xFFFFFFFF))
    rest, start = np.uint32(n), np.uint64(0)
    count = np.uint32(_population(low))
    half = low
    if rest >= count:
        rest, start, half = np.uint32(rest - count), np.uint64(32), np.uint32(word >> np.uint64(32))
    shift = np.uint32(0)
    for width in (np.uint32(16), np.uint32(8), np.uint32(4), np.uint32(2), np.uint32(1)):
        mask = np.uint32(np.uint32(np.uint32(1) << width) - np.uint32(1))
        count = np.uint32(_population(np.uint32(np.uint32(half >> shift) & mask)))
        if rest >= count:
            rest, shift = np.uint32(rest - count), np.uint32(shift + width)
    return np.uint64(1) << (start + np.uint64(shift))


@overload(trailing_zeros, jit_options=INLINE)
def _choose_trailing_zeros(word):
    return lambda word: _trailing_zeros(word)


@overload(population, jit_options=INLINE)
def _choose_population(word):
    return lambda word: _population(word)


@overload(nth_bit, jit_options=INLINE)
def _choose_nth_bit(word, n):
    return lambda word, n: _nth_bit(word, n)


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
    at = _check(array, index)

    def generate(context, builder, signature, arguments):
        pointer = _element(context, builder, signature, arguments)
        return _add_at(context, builder, pointer, arguments[2])

    return array.dtype(array, at, array.dtype), generate


@intrinsic
def _add_shared(typing, array, index, value):
    at = _check(array, index)
    if not isinstance(array.dtype, types.Integer):
        raise TypingError(f"the order of additions would change the sum: add integers, not {array.dtype}")

    def generate(context, builder, signature, arguments):
        builder.atomic_rmw("add", _element(context, builder, signature, arguments), arguments[2], "monotonic")
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
    at = _check(array, index)

    def generate(context, builder, signature, arguments):
        pointer = _element(context, builder, signature, arguments)
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
    at = _check(array, index)

    def generate(context, builder, signature, arguments):
        pointer = _element(context, builder, signature, arguments)
        if is_for_gpu(context):
            return builder.load(pointer)
        return builder.load_atomic(pointer, "acquire", array.dtype.bitwidth // 8)

    return array.dtype(array, at), generate


@intrinsic
def _store_release(typing, array, index, value):
    at = _check(array, index)

    def generate(context, builder, signature, arguments):
        pointer = _element(context, builder, signature, arguments)
        if is_for_gpu(context):
            builder.store(arguments[2], pointer)
            return context.get_dummy_value()
        builder.store_atomic(arguments[2], pointer, "release", array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, at, array.dtype), generate


@intrinsic
def _prefetch_write(typing, array, index):
    at = _check(array, index)

    def generate(context, builder, signature, arguments):
        if is_for_gpu(context):
            return context.get_dummy_value()
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


# --- Copies of records -----------------------------------------------------------------------------------------------


WORDS_AT_ONCE = 8
"""Words that a GPU reads before it writes them."""


def copy_record(to, target, source, index):
    """Copy the record with a certain index of the one-dimensional array `source` to the index `target` of `to`."""
    to[target] = source[index]


@overload(copy_record, jit_options=INLINE)
def _choose_copy_record(to, target, source, index):
    return lambda to, target, source, index: _copy_record(to, target, source, index)


@intrinsic
def _copy_record(typing, to, target, source, index):
    """By assignment; on a GPU, which would copy byte by byte, by words, with the reads of several under way at once."""
    if to.dtype != source.dtype:
        raise TypingError(f"a record can be copied to an array of its own type only, not from {source} to {to}")

    def generate(context, builder, signature, arguments):
        kinds, size = signature.args, to.dtype.size
        written = _element(context, builder, signature.replace(args=kinds[:2]), arguments[:2])
        read = _element(context, builder, signature.replace(args=kinds[2:4]), arguments[2:4])
        if not is_for_gpu(context):
            cgutils.raw_memcpy(builder, written, read, ir.IntType(64)(size), 1)
            return context.get_dummy_value()
        word = ir.IntType(8 * next(width for width in (8, 4, 2, 1) if size % width == 0))  # arrays begin aligned
        written, read = (builder.bitcast(pointer, word.as_pointer()) for pointer in (written, read))
        words, index_type = size * 8 // word.width, ir.IntType(64)
        whole = words // WORDS_AT_ONCE * WORDS_AT_ONCE

        def copy_words(first, count):
            places = [builder.add(first, index_type(k)) for k in range(count)]
            values = [builder.load(builder.gep(read, [place])) for place in places]
            for place, value in zip(places, values, strict=True):
                builder.store(value, builder.gep(written, [place]))

        with cgutils.for_range_slice(
            builder, index_type(0), index_type(whole), index_type(WORDS_AT_ONCE), index_type
        ) as (first, _):
            copy_words(first, WORDS_AT_ONCE)
        copy_words(index_type(whole), words - whole)
        return context.get_dummy_value()

    return types.void(to, _check(to, target), source, _check(source, index)), generate


CACHE_LINE = 128
"""Bytes that a GPU reads from its memory at once."""


def prefetch_record(array, index):
    """On a GPU, begin to read a record or number of a one-dimensional array, all of which is needed soon."""


@overload(prefetch_record, jit_options=INLINE)
def _choose_prefetch_record(array, index):
    return lambda array, index: _prefetch_record(array, index)


@intrinsic
def _prefetch_record(typing, array, index):
    def generate(context, builder, signature, arguments):
        if is_for_gpu(context):
            pointer = _element(context, builder, signature, arguments)
            address = builder.ptrtoint(pointer, ir.IntType(64))
            prefetch = ir.InlineAsm(ir.FunctionType(ir.VoidType(), [address.type]), "prefetch.L1 [$0];", "l", True)
            size = array.dtype.size if isinstance(array.dtype, types.Record) else 1
            for offset in range(0, size, CACHE_LINE):
                builder.call(prefetch, [builder.add(address, address.type(offset))])
        return context.get_dummy_value()

    return types.void(array, _check(array, index)), generate


# --- Threads ---------------------------------------------------------------------------------------------------------


def shares_warp():
    """Whether other threads of a GPU work in this thread's warp, and wait for it at every branch. False on a CPU."""
    return False


@intrinsic
def _shares_warp(typing):
    def generate(context, builder, signature, arguments):
        if not is_for_gpu(context):
            return context.get_constant(types.boolean, False)
        word = ir.IntType(32)
        lanes = builder.module.declare_intrinsic("llvm.nvvm.read.ptx.sreg.ntid.x", (), ir.FunctionType(word, []))
        return builder.icmp_unsigned("<", builder.call(lanes, []), word(WARP))

    return types.boolean(), generate


WARP = 32
"""Threads of a warp. The first dimension of a block is the number of threads per index, of which one works."""


@overload(shares_warp, jit_options=INLINE)
def _choose_shares_warp():
    return lambda: _shares_warp()


# --- Four numbers at once --------------------------------------------------------------------------------------------


def four_at(array, index):
    """Return the four elements of an array of 32-bit numbers from `index` on, a multiple of 4.

    A GPU reads them at once; the array must begin at a multiple of 16 bytes, as the vectors of a node do.
    """
    return array[index], array[index + 1], array[index + 2], array[index + 3]


def put_four(array, index, a, b, c, d):
    """Write four numbers to an array of 32-bit numbers from `index` on, a multiple of 4; see `four_at`."""
    array[index], array[index + 1], array[index + 2], array[index + 3] = a, b, c, d


def _pointer_to_four(context, builder, signature, arguments):
    """Return the place of four elements, and its alignment in bytes."""
    pointer = _element(context, builder, signature.replace(args=signature.args[:2]), arguments[:2])
    four = ir.VectorType(pointer.type.pointee, 4)
    return builder.bitcast(pointer, four.as_pointer()), 16 if is_for_gpu(context) else 4


@intrinsic
def _four_at(typing, array, index):
    def generate(context, builder, signature, arguments):
        pointer, alignment = _pointer_to_four(context, builder, signature, arguments)
        words = builder.load(pointer, align=alignment)
        four = [builder.extract_element(words, ir.IntType(32)(k)) for k in range(4)]
        return context.make_tuple(builder, signature.return_type, four)

    return types.UniTuple(array.dtype, 4)(array, _check(array, index)), generate


@intrinsic
def _put_four(typing, array, index, a, b, c, d):
    def generate(context, builder, signature, arguments):
        pointer, alignment = _pointer_to_four(context, builder, signature, arguments)
        words = pointer.type.pointee(ir.Undefined)
        for k, value in enumerate(arguments[2:]):
            words = builder.insert_element(words, value, ir.IntType(32)(k))
        builder.store(words, pointer, align=alignment)
        return context.get_dummy_value()

    return types.void(array, _check(array, index), *[array.dtype] * 4), generate


@overload(four_at, jit_options=INLINE)
def _choose_four_at(array, index):
    return lambda array, index: _four_at(array, index)


@overload(put_four, jit_options=INLINE)
def _choose_put_four(array, index, a, b, c, d):
    return lambda array, index, a, b, c, d: _put_four(array, index, a, b, c, d)


# --- Temporary arrays ------------------------------------------------------------------------------------------------


def temporary(count, dtype):
    """Return an uninitialised array for use within the calling kernel; `count` and `dtype` are constants.

    The kernel must be one that `allocates`. On a GPU the array is in the thread's local memory.
    """
    return np.empty(count, dtype)


COUNTS_REFERENCES: Any = {**INLINE, "_nrt": True}


@overload(temporary, jit_options=COUNTS_REFERENCES)
def _choose_temporary(count, dtype):
    return lambda count, dtype: np.empty(count, dtype)


def temporary_like(array):
    """Return an uninitialised array with the size and type of an array that is a field of a record.

    For scratch buffers of a type that the caller does not know; otherwise like `temporary`.
    """
    return np.empty_like(array)


@overload(temporary_like, jit_options=COUNTS_REFERENCES)
def _choose_temporary_like(array):
    return lambda array: np.empty_like(array)


LOCAL_ALIGNMENT = 16
"""Bytes of which the address of a temporary array is a multiple on a GPU; enough for every type of field."""


@intrinsic
def local_like(typing, array):
    """Stands for `temporary_like` on a GPU: an array in the thread's local memory, which is not zeroed."""
    if not isinstance(array, types.NestedArray):
        raise TypingError(f"a temporary array needs a constant size, that of a field of a record, not of {array}")

    def generate(context, builder, signature, arguments):
        made = make_array(signature.return_type)(context, builder)
        element = context.get_data_type(array.dtype)
        with builder.goto_entry_block():  # so that a loop reserves memory only once
            memory = builder.alloca(ir.ArrayType(element, array.nitems))
        memory.align = LOCAL_ALIGNMENT
        populate_array(
            made,
            data=builder.bitcast(memory, made.data.type),
            shape=[context.get_constant(types.intp, count) for count in array.shape],
            strides=[context.get_constant(types.intp, step) for step in array.strides],
            itemsize=context.get_constant(types.intp, context.get_abi_sizeof(element)),
            meminfo=None,
        )
        return made._getvalue()

    return types.Array(array.dtype, array.ndim, "C")(array), generate


# --- Lifetime of arrays ----------------------------------------------------------------------------------------------


def keep_alive(array):
    """Keep an array that a kernel has created allocated up to this call.

    A kernel frees an array after its last use, and the use of a record in it does not count: call this after the last
    use of the record.
    """


@overload(keep_alive, jit_options=INLINE)
def _choose_keep_alive(array):
    return lambda array: None
