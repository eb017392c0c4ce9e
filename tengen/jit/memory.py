"""Memory: copies of records, prefetches, four numbers at once, temporary arrays and the lifetime of arrays.

Each instruction has a plain Python body, which runs where kernels are not compiled.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array, populate_array

from tengen.jit.kernels import INLINE
from tengen.jit.targets import checked_index, element_pointer, is_for_gpu
from tengen.jit.warps import WARP, is_together, lane_number, synchronize

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
    """By assignment; on a GPU, which would copy byte by byte, by words, with the reads of several under way at once.

    The lanes of a warp take turns with the words.
    """
    if to.dtype != source.dtype:
        raise TypingError(f"a record can be copied to an array of its own type only, not from {source} to {to}")

    def generate(context, builder, signature, arguments):
        kinds, size = signature.args, to.dtype.size
        written = element_pointer(context, builder, signature.replace(args=kinds[:2]), arguments[:2])
        read = element_pointer(context, builder, signature.replace(args=kinds[2:4]), arguments[2:4])
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

        def loop(first, end, step):
            return cgutils.for_range_slice(builder, first, index_type(end), index_type(step), index_type)

        with builder.if_else(is_together(builder)) as (together, alone):
            with alone:
                with loop(index_type(0), whole, WORDS_AT_ONCE) as (first, _):
                    copy_words(first, WORDS_AT_ONCE)
                copy_words(index_type(whole), words - whole)
            with together:
                with loop(builder.zext(lane_number(builder), index_type), words, WARP) as (place, _):
                    copy_words(place, 1)
                synchronize(builder)
        return context.get_dummy_value()

    return types.void(to, checked_index(to, target), source, checked_index(source, index)), generate


# --- Prefetches ------------------------------------------------------------------------------------------------------


def prefetch_write(array, index):
    """Prefetch the cache line of an element in exclusive state, for a write that follows soon."""


@intrinsic
def _prefetch_write(typing, array, index):
    at = checked_index(array, index)

    def generate(context, builder, signature, arguments):
        if is_for_gpu(context):
            return context.get_dummy_value()
        pointer = builder.bitcast(element_pointer(context, builder, signature, arguments), ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, word, word, word])
        function = builder.module.declare_intrinsic("llvm.prefetch", (pointer.type,), kind)
        builder.call(function, [pointer, word(1), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(array, at), generate


@overload(prefetch_write, jit_options=INLINE)
def _choose_prefetch_write(array, index):
    return lambda array, index: _prefetch_write(array, index)


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
            pointer = element_pointer(context, builder, signature, arguments)
            address = builder.ptrtoint(pointer, ir.IntType(64))
            prefetch = ir.InlineAsm(ir.FunctionType(ir.VoidType(), [address.type]), "prefetch.L1 [$0];", "l", True)
            size = array.dtype.size if isinstance(array.dtype, types.Record) else 1
            for offset in range(0, size, CACHE_LINE):
                builder.call(prefetch, [builder.add(address, address.type(offset))])
        return context.get_dummy_value()

    return types.void(array, checked_index(array, index)), generate


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
    pointer = element_pointer(context, builder, signature.replace(args=signature.args[:2]), arguments[:2])
    four = ir.VectorType(pointer.type.pointee, 4)
    return builder.bitcast(pointer, four.as_pointer()), 16 if is_for_gpu(context) else 4


@intrinsic
def _four_at(typing, array, index):
    def generate(context, builder, signature, arguments):
        pointer, alignment = _pointer_to_four(context, builder, signature, arguments)
        words = builder.load(pointer, align=alignment)
        four = [builder.extract_element(words, ir.IntType(32)(k)) for k in range(4)]
        return context.make_tuple(builder, signature.return_type, four)

    return types.UniTuple(array.dtype, 4)(array, checked_index(array, index)), generate


@intrinsic
def _put_four(typing, array, index, a, b, c, d):
    def generate(context, builder, signature, arguments):
        pointer, alignment = _pointer_to_four(context, builder, signature, arguments)
        words = pointer.type.pointee(ir.Undefined)
        for k, value in enumerate(arguments[2:]):
            words = builder.insert_element(words, value, ir.IntType(32)(k))
        builder.store(words, pointer, align=alignment)
        return context.get_dummy_value()

    return types.void(array, checked_index(array, index), *[array.dtype] * 4), generate


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
