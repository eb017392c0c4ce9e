"""Conversion of records to kernel arguments without running Python code.

Numba reads the attribute `data` of a record, and attributes of `np.record` are looked up by a method written in Python,
during which Python handles signals. An interrupt then raised KeyboardInterrupt in the middle of Numba's conversion of
arguments. Numba went on to the next record with the exception set, and replaced it by "AttributeError: 'record' object
has no attribute 'data'". Here the address comes from the record's buffer instead, which runs no Python code. So an
interrupt that arrives during a call of a kernel is handled after the call.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils
from numba.core.pythonapi import PythonAPI

PyBUF_SIMPLE = 0


def record_address(self: Any, record: ir.Value, buffer: ir.Value) -> Any:
    """Fill in a Py_buffer for a record; return the address of its data, or null with an exception set."""
    status_type = ir.IntType(32)
    signature = ir.FunctionType(status_type, [record.type, buffer.type, status_type])
    get_buffer = self._get_function(signature, name="PyObject_GetBuffer")
    status = self.builder.call(get_buffer, [record, buffer, status_type(PyBUF_SIMPLE)])
    address = self.builder.load(self.builder.bitcast(buffer, self.voidptr.as_pointer()))  # the first field, `buf`
    failed = cgutils.is_not_null(self.builder, status)
    return self.builder.select(failed, self.voidptr(None), address)


setattr(PythonAPI, "extract_record_data", record_address)  # noqa: B010 - a method is replaced on purpose
