"""Calls of Python functions from kernels, for rules that exist in Python only: about a microsecond each.

A function is called by its address, which is data of the kernel and not part of its code, so that kernels with such
calls are cached like all others. It is made by `callback`, takes the GIL for the time of the call, and must not raise.
"""

import ctypes

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from tengen.jit.kernels import INLINE
from tengen.jit.targets import is_for_gpu

callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
"""Makes a Python function (address of a record, number) callable from kernels, as long as the result is kept alive."""


def address_of(function):
    """Return the address of a function made by `callback`."""
    return ctypes.cast(function, ctypes.c_void_p).value


def call_python(address, record, number):
    """Call the function at an address with the address of a record and an integer."""
    callback(int(address))(np.frombuffer(record, np.uint8).ctypes.data, int(number))


@intrinsic
def _call_python(typing, address, record, number):
    if not isinstance(record, types.Record):
        raise TypingError(f"expected a record, not {record}")

    def generate(context, builder, signature, arguments):
        if is_for_gpu(context):
            raise TypingError("rules in Python cannot be called on a GPU")
        pointer, word = ir.IntType(8).as_pointer(), ir.IntType(64)
        function = ir.FunctionType(ir.VoidType(), [pointer, word])
        called = builder.inttoptr(arguments[0], function.as_pointer())
        builder.call(called, [builder.bitcast(arguments[1], pointer), arguments[2]])
        return context.get_dummy_value()

    return types.void(types.int64, record, types.int64), generate


@overload(call_python, jit_options=INLINE)
def _choose_call_python(address, record, number):
    return lambda address, record, number: _call_python(address, record, number)
