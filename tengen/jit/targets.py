"""What instructions of every kind use: the target of a compilation, and pointers to elements of arrays."""

from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.np.arrayobj import make_array


def is_for_gpu(context):
    """Whether a compilation context of Numba makes code for a GPU."""
    return type(context).__name__ == "CUDATargetContext"


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
