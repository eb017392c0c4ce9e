"""What instructions of every kind use: the target of a compilation, and pointers to elements of arrays."""

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array

from tengen.jit.kernels import INLINE


def is_for_gpu(context):
    """Whether a compilation context of Numba makes code for a GPU."""
    return type(context).__name__ == "CUDATargetContext"


WARP = 32
"""Threads of a warp. The first dimension of a block is the number of threads per index, of which one works."""


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


@overload(shares_warp, jit_options=INLINE)
def _choose_shares_warp():
    return lambda: _shares_warp()


# --- Elements of one-dimensional arrays ------------------------------------------------------------------------------


def checked_index(array, index):
    """Return the type of an index of a one-dimensional array; raise TypingError for other types."""
    if not isinstance(array, types.Array) or array.ndim != 1 or not isinstance(index, types.Integer):
        raise TypingError(f"expected an element of a one-dimensional array, not {array}[{index}]")
    return types.intp if index.signed else types.uintp


def element_pointer(context, builder, signature, arguments):
    """Return a pointer to an element, where the first two arguments are the array and the index."""
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
