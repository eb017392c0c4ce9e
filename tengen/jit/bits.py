"""Bit operations on words. Each has a plain Python body, which runs where kernels are not compiled."""

import functools

import numpy as np
from llvmlite import binding, ir
from numba.core import types
from numba.extending import intrinsic, overload

from tengen.jit.kernels import INLINE
from tengen.jit.targets import is_for_gpu
from tengen.jit.warps import lane, lanes, lanes_where


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
    """By counting the bits of a half, a quarter and so on: few 32-bit steps, the same for every thread of a warp.

    Threads that work together test a bit of a half each.
    """
    low = np.uint32(word & np.uint64(0xFFFFFFFF))
    rest, start = np.uint32(n), np.uint64(0)
    count = np.uint32(_population(low))
    half = low
    if rest >= count:
        rest, start, half = np.uint32(rest - count), np.uint64(32), np.uint32(word >> np.uint64(32))
    if lanes() > 1:
        one = np.uint32(np.uint32(1) << np.uint32(lane()))
        is_nth = (half & one) != 0 and _population(np.uint32(half & np.uint32(one - np.uint32(1)))) == rest
        return lanes_where(is_nth) << start
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
