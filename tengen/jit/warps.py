"""Threads of a GPU that work on one index: one thread, or the 32 threads of a warp together.

A launch with `together` gives each index a warp. All threads of it run the kernel with the same values: they take the
same branches and write the same results, which takes no longer than one thread does. Where a kernel goes through all
moves of a node, each thread, then called a lane, takes a part of them:

for slot in range(lane(), size, lanes()):     # all slots on a CPU, or if a single thread works on the index
    ...
join_lanes()                                  # what the lanes have written is visible to all of them

Each function has a plain Python body, that of a single lane, which runs where kernels are not compiled.
"""

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from tengen.jit.kernels import INLINE
from tengen.jit.targets import is_for_gpu

WARP = 32
"""Threads of a warp.

The first dimension of a block is the number of threads that work on an index, the second is the number of threads
whose place each of them takes; the others are idle.
"""
WORD, SINGLE = ir.IntType(32), ir.FloatType()
ALL_LANES = WORD(0xFFFFFFFF)


def shares_warp():
    """Whether other threads of a GPU work in this thread's warp, and wait for it at every branch. False on a CPU."""
    return False


def lane():
    """Return the number of this thread among those that work on its index; 0 on a CPU."""
    return 0


def lanes():
    """Return the number of threads that work on this thread's index: 32, or 1; 1 on a CPU."""
    return 1


def join_lanes():
    """Let the lanes wait for each other; what each has written before is then visible to all of them."""


def largest_of_lanes(value):
    """Return the largest of the lanes' values, float32 numbers."""
    return value


def from_lane(value, number):
    """Return the value, a float32 or uint32, of the lane with a number; on a single lane, its own."""
    return value


def lanes_where(condition):
    """Return the set of lanes in which a condition holds, as a uint64: bit k for lane k."""
    return np.uint64(bool(condition))


def holds_in_a_lane(condition):
    """Whether a condition holds in any lane."""
    return condition


def union_of_lanes(word, count):
    """Return the bits that are set in the uint64 words of the first `count` lanes, a power of two.

    The other lanes must have the same words: lane k that of lane k % count.
    """
    return word


def _special_register(builder, name):
    reader = builder.module.declare_intrinsic(f"llvm.nvvm.read.ptx.sreg.{name}", (), ir.FunctionType(WORD, []))
    return builder.call(reader, [])


def is_together(builder):
    """Whether the threads of a warp work on one index, as an LLVM value; for a GPU only."""
    return builder.icmp_unsigned(">", _special_register(builder, "ntid.x"), WORD(1))


def lane_number(builder):
    """Return the number of a lane as an LLVM value; for a GPU only."""
    return _special_register(builder, "tid.x")


def _assembly(builder, code, constraints, result, arguments):
    """Insert an instruction for which the threads of a warp must come together."""
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(ir.InlineAsm(kind, code, constraints, True), arguments, attrs=("convergent",))


def synchronize(builder):
    """Insert a barrier of the threads of a whole warp; for a GPU only."""
    _assembly(builder, "bar.warp.sync $0;", "r,~{memory}", ir.VoidType(), [ALL_LANES])


def _from_partner(builder, word, distance):
    """Return the 32-bit word of the lane whose number differs in the bit `distance`."""
    code = "shfl.sync.bfly.b32 $0, $1, $2, 31, $3;"
    return _assembly(builder, code, "=r,r,r,r", WORD, [word, WORD(distance), ALL_LANES])


def _vote(builder, condition):
    """Return the lanes in which a condition, one bit, holds."""
    code = "{ .reg .pred p; setp.ne.u32 p, $1, 0; vote.sync.ballot.b32 $0, p, $2; }"
    return _assembly(builder, code, "=r,r,r", WORD, [builder.zext(condition, WORD), ALL_LANES])


@intrinsic
def _shares_warp(typing):
    def generate(context, builder, signature, arguments):
        if not is_for_gpu(context):
            return context.get_constant(types.boolean, False)
        places = builder.mul(_special_register(builder, "ntid.x"), _special_register(builder, "ntid.y"))
        return builder.icmp_unsigned("<", places, WORD(WARP))

    return types.boolean(), generate


@intrinsic
def _lane(typing):
    def generate(context, builder, signature, arguments):
        if not is_for_gpu(context):
            return context.get_constant(types.intp, 0)
        return builder.zext(lane_number(builder), ir.IntType(64))

    return types.intp(), generate


@intrinsic
def _lanes(typing):
    def generate(context, builder, signature, arguments):
        if not is_for_gpu(context):
            return context.get_constant(types.intp, 1)
        return builder.zext(_special_register(builder, "ntid.x"), ir.IntType(64))

    return types.intp(), generate


@intrinsic
def _join_lanes(typing):
    def generate(context, builder, signature, arguments):
        if is_for_gpu(context):
            with builder.if_then(is_together(builder)):
                synchronize(builder)
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def _largest_of_lanes(typing, value):
    if value != types.float32:
        raise TypingError(f"lanes compare numbers of type float32, not {value}")

    def generate(context, builder, signature, arguments):
        largest = arguments[0]
        if is_for_gpu(context):
            for distance in (16, 8, 4, 2, 1):
                other = builder.bitcast(_from_partner(builder, builder.bitcast(largest, WORD), distance), SINGLE)
                largest = builder.select(builder.fcmp_ordered(">", other, largest), other, largest)
        return largest

    return value(value), generate


@intrinsic
def _from_lane(typing, value, number):
    if value not in (types.float32, types.uint32):
        raise TypingError(f"lanes exchange numbers of type float32 or uint32, not {value}")
    kind, register = (SINGLE, "f") if value == types.float32 else (WORD, "r")

    def generate(context, builder, signature, arguments):
        if not is_for_gpu(context):
            return arguments[0]
        source = builder.trunc(arguments[1], WORD)
        code = "shfl.sync.idx.b32 $0, $1, $2, 31, $3;"
        constraints = f"={register},{register},r,r"
        return _assembly(builder, code, constraints, kind, [arguments[0], source, ALL_LANES])

    return value(value, types.intp), generate


@intrinsic
def _lanes_where(typing, condition):
    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        if not is_for_gpu(context):
            return builder.zext(arguments[0], word)
        return builder.zext(_vote(builder, arguments[0]), word)

    return types.uint64(types.boolean), generate


@intrinsic(prefer_literal=True)
def _union_of_lanes(typing, word, count):
    if word != types.uint64 or not isinstance(count, types.IntegerLiteral):
        raise TypingError(f"lanes unite words of type uint64, and a constant number of them, not {word}, {count}")

    def generate(context, builder, signature, arguments):
        union, distance = arguments[0], count.literal_value // 2
        while is_for_gpu(context) and distance:
            halves = [builder.trunc(union, WORD), builder.trunc(builder.lshr(union, union.type(32)), WORD)]
            low, high = (_from_partner(builder, half, distance) for half in halves)
            other = builder.or_(
                builder.zext(low, union.type), builder.shl(builder.zext(high, union.type), union.type(32))
            )
            union, distance = builder.or_(union, other), distance // 2
        return union

    return word(word, count), generate


@intrinsic
def _holds_in_a_lane(typing, condition):
    def generate(context, builder, signature, arguments):
        if not is_for_gpu(context):
            return arguments[0]
        found = cgutils.alloca_once_value(builder, arguments[0])
        with builder.if_then(is_together(builder)):
            votes = _vote(builder, arguments[0])
            builder.store(builder.icmp_unsigned("!=", votes, WORD(0)), found)
        return builder.load(found)

    return types.boolean(types.boolean), generate


@overload(shares_warp, jit_options=INLINE)
def _choose_shares_warp():
    return lambda: _shares_warp()


@overload(lane, jit_options=INLINE)
def _choose_lane():
    return lambda: _lane()


@overload(lanes, jit_options=INLINE)
def _choose_lanes():
    return lambda: _lanes()


@overload(join_lanes, jit_options=INLINE)
def _choose_join_lanes():
    return lambda: _join_lanes()


@overload(largest_of_lanes, jit_options=INLINE)
def _choose_largest_of_lanes(value):
    return lambda value: _largest_of_lanes(value)


@overload(from_lane, jit_options=INLINE)
def _choose_from_lane(value, number):
    return lambda value, number: _from_lane(value, number)


@overload(holds_in_a_lane, jit_options=INLINE)
def _choose_holds_in_a_lane(condition):
    return lambda condition: _holds_in_a_lane(condition)


@overload(union_of_lanes, jit_options=INLINE, prefer_literal=True)
def _choose_union_of_lanes(word, count):
    return lambda word, count: _union_of_lanes(word, count)


@overload(lanes_where, jit_options=INLINE)
def _choose_lanes_where(condition):
    return lambda condition: _lanes_where(condition)
