"""Kernels on a GPU, by the package numba-cuda: compilation, launches, and arrays in the GPU's memory.

Import this module only where a GPU is asked for; `require` says in one sentence what is missing. A kernel runs
unchanged on both targets. Where a GPU needs other code, a kernel has a second body (`on_gpu`), and so have the
instructions of `bits`, `atomics`, `memory` and `targets`.

Results are those of the CPU bit for bit, as far as a kernel uses only +, -, *, / and square roots: multiplications and
additions are not fused. Logarithms, exponentials and powers come from another library and may differ in the last bit.
"""

import contextlib
import dis
import functools
import math
import os
from pathlib import Path
from typing import Any

import numpy as np

from tengen.errors import TengenError
from tengen.interrupts import deferred_interrupts
from tengen.jit.cache import SETTINGS, is_ours, kernel_folder
from tengen.jit.failures import CompileError, explained
from tengen.jit.kernels import gpu_bodies, say_of_kernels
from tengen.jit.memory import local_like, temporary, temporary_like
from tengen.jit.warps import WARP

try:
    from numba import cuda
except ImportError:
    raise TengenError("the package numba-cuda is not installed: pip install 'tengen[gpu]'") from None

os.environ.setdefault("CUDA_DEVICE_MAX_CONNECTIONS", "32")  # by default 8, behind which launches wait for each other
SIMULATED = bool(SETTINGS.ENABLE_CUDASIM)
"""Whether kernels run in Numba's simulator, in Python on the CPU."""
BLOCK = 64
"""Threads per block, the greatest number in its third dimension."""
WARPS = 8
"""Warps per multiprocessor that searches of few trees are spread over, and the most per block."""
ROUNDS = 3
"""So many times as many indices as warps fit on the device have a whole warp each, one after the other."""
OLDEST_CAPABILITY = (7, 0)
"""Compute capability of the oldest GPUs: those whose threads of a warp can diverge and join again in groups."""


def require() -> None:
    """Raise TengenError if there is no GPU that can be used."""
    if SIMULATED:
        return
    if not cuda.is_available():
        reason = str(cuda.cuda_error() or "").strip().partition("\n")[0]
        raise TengenError(
            f"no CUDA device was found{f' ({reason})' if reason else ''}: the backend gpu needs an NVIDIA GPU"
        )
    found = cuda.get_current_device().compute_capability
    if tuple(found) < OLDEST_CAPABILITY:
        raise TengenError(f"the GPU has compute capability {found[0]}.{found[1]}; 7.0 or newer is needed")


# --- Compilation -----------------------------------------------------------------------------------------------------


def _prepare_numba() -> None:
    """Make numba-cuda use the second bodies, compute np.sqrt, and leave multiplications and additions apart.

    Warnings about launches of few threads, as for the last games of a match, are silenced.
    """
    SETTINGS.CUDA_LOW_OCCUPANCY_WARNINGS = 0
    from numba.cuda import types, ufuncs
    from numba.cuda.cudadecl import Cuda_local_array
    from numba.cuda.cudadrv import nvvm
    from numba.cuda.mathimpl import get_unary_impl_for_fn_and_ty
    from numba.cuda.target import CUDATypingContext

    resolve, compile_ir = CUDATypingContext.resolve_value_type, nvvm.compile_ir

    def resolve_with_bodies(self: Any, value: Any) -> Any:
        if value is temporary:
            return types.Function(Cuda_local_array)
        if value is temporary_like:
            value = local_like
        with contextlib.suppress(TypeError):  # not hashable, so no function
            value = gpu_bodies.get(value, value)
        resolved = resolve(self, value)
        if isinstance(resolved, types.Dispatcher):
            _explain_errors(resolved.dispatcher)
        return resolved

    def compile_unfused(modules: Any, **options: Any) -> Any:
        return compile_ir(modules, **{"fma": False, **options})

    def square_root(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return get_unary_impl_for_fn_and_ty(math.sqrt, signature.args[0])(context, builder, signature, arguments)

    CUDATypingContext.resolve_value_type = resolve_with_bodies
    nvvm.compile_ir = compile_unfused
    ufuncs.ufunc_db()[np.sqrt] = {"f->f": square_root, "d->d": square_root}


if not SIMULATED:
    _prepare_numba()


def _explain_errors(callee: Any) -> None:
    """Make a kernel that others call report its compile errors like one on the CPU; see `explained`."""
    if "compile_device" in vars(callee):
        return
    compile_device = callee.compile_device

    def compile_explained(signature: Any, return_type: Any = None) -> Any:
        with explained(callee.py_func, signature, "a GPU"):
            _refuse_exceptions(callee.py_func)
            return compile_device(signature, return_type)

    callee.compile_device = compile_explained


def _refuse_exceptions(function: Any) -> None:
    """Raise CompileError if a user's function may raise an exception, by which a GPU would end a thread silently."""
    code = function.__code__
    raising = [one for one in dis.get_instructions(code) if one.opname == "RAISE_VARARGS"]
    lines = [one.positions.lineno for one in raising if one.positions is not None]
    if lines and not is_ours(code.co_filename):
        raise CompileError(
            f"{code.co_name} in {Path(code.co_filename).name}, line {lines[0]}: it may raise an exception, which is not"
            " possible on a GPU"
        )


@functools.cache
def entry(body: Any) -> Any:
    """Return the GPU kernel that calls `body(index, ...)` for each index below its first argument."""
    function = getattr(body, "py_func", body)
    code = function.__code__
    names = ", ".join(code.co_varnames[1 : code.co_argcount])
    source = (
        f"def {function.__name__}(index_count, {names}):\n"
        "    index = cuda.blockIdx.x * cuda.blockDim.z + cuda.threadIdx.z\n"
        "    if index < index_count and cuda.threadIdx.y == 0:\n"
        f"        body(index, {names})\n"
    )
    scope: dict[str, Any] = {"cuda": cuda, "body": body, "__name__": function.__module__}
    exec(compile(source, code.co_filename, "exec"), scope)
    if SIMULATED:
        return cuda.jit(scope[function.__name__])
    made = cuda.jit(scope[function.__name__], lto=False)  # link-time optimization would fuse operations
    compile_for = made.compile

    def compile_explained(signature: Any) -> Any:
        with explained(function, signature, "a GPU"), deferred_interrupts():
            return compile_for(signature)

    made.compile = compile_explained
    if folder := kernel_folder(code.co_filename):
        from tengen.jit.gpu_files import GpuKernelFiles

        made._cache = GpuKernelFiles(made.py_func, folder, on_compile=_say_compiling)
    return made


def _say_compiling(name: str) -> None:
    say_of_kernels(f"compiling {name} for the GPU (only the first time, up to half a minute) ...")


def ptx(body: Any, arguments: tuple[Any, ...], capability: tuple[int, int] = (9, 0)) -> str:
    """Return the assembly of `entry(body)` for host arrays and numbers; needs no GPU."""
    from numba.cuda import dispatcher
    from numba.cuda.typing.typeof import Purpose, typeof

    class _Device:
        compute_capability = capability

    before = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: _Device
    try:
        types = (typeof(np.int64(0), Purpose.argument), *(typeof(one, Purpose.argument) for one in arguments))
        with explained(getattr(body, "py_func", body), types, "a GPU"):
            return str(cuda.compile_ptx(entry(body).py_func, types, cc=capability)[0])
    finally:
        dispatcher.get_current_device = before


# --- The device ------------------------------------------------------------------------------------------------------


class Gpu:
    """The GPU as a device; each object has a stream of its own, so that launches of several overlap."""

    name = "gpu"

    def __init__(self) -> None:
        require()
        self._stream, self._launched = cuda.stream(), cuda.event()
        self._processors = 1 if SIMULATED else cuda.get_current_device().MULTIPROCESSOR_COUNT

    def empty(self, shape: tuple[int, ...], dtype: np.dtype) -> Any:
        return cuda.device_array(shape, dtype, stream=self._stream)

    def copy_of(self, array: np.ndarray) -> Any:
        return cuda.to_device(np.ascontiguousarray(array), stream=self._stream)

    def write(self, array: Any, values: np.ndarray) -> None:
        array[: len(values)].copy_to_device(np.ascontiguousarray(values), stream=self._stream)

    def fetch(self, array: Any) -> np.ndarray:
        host: np.ndarray = array.copy_to_host(stream=self._stream)
        self._stream.synchronize()
        return host

    def wait(self) -> None:
        self._stream.synchronize()

    @property
    def is_done(self) -> bool:
        return bool(SIMULATED or self._launched.query())

    def launch(
        self, body: Any, count: int, *arguments: Any, lanes: int = 1, together: bool = False, crowd: int = 0
    ) -> None:
        per_block = BLOCK // lanes
        if lanes == WARP and crowd > count:
            per_block = self._sharing_block(crowd)
        working = lanes if together and lanes == WARP and not SIMULATED else 1
        blocks, threads = -(-count // per_block), (working, lanes // working, per_block)
        entry(body)[(blocks, 1), threads, self._stream](count, *arguments)
        self._launched.record(self._stream)

    def _sharing_block(self, crowd: int) -> int:
        """Return the number of warps per block for launches of `crowd` warps in all, each a kernel of its own.

        Their blocks are as many as multiprocessors, and a multiprocessor gets one of them: kernels that share one evict
        each other's code from its instruction cache, which halves the speed of both.
        """
        return min(WARPS, -(-crowd // self._processors))

    def free_bytes(self) -> int:
        if SIMULATED:
            return 2**30
        context = cuda.current_context()
        context.deallocations.clear()  # arrays that are not used any more
        return int(context.get_memory_info()[0])

    def bytes_for_local(self, size: int) -> int:
        """`size` bytes for each thread that can be on the device at the same time, however few are launched."""
        per_processor = 1 if SIMULATED else cuda.get_current_device().MAX_THREADS_PER_MULTIPROCESSOR
        return size * self._processors * per_processor

    def lanes_for(self, count: int, together: bool = False) -> int:
        """As many as fill WARPS warps on each multiprocessor, at most a warp per index.

        Threads that work together are worth a warp per index until there are ROUNDS times as many.
        """
        if together and count <= ROUNDS * WARPS * self._processors:
            return WARP
        threads = 1 if SIMULATED else self._processors * WARPS * WARP // max(1, count)
        return min(WARP, 1 << max(0, threads.bit_length() - 1))
