"""Files of kernels compiled for a GPU: numba-cuda's cache, in the folders and with the checksums of `kernel_files`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba_cuda
from numba.cuda.core.caching import _UserProvidedCacheLocator
from numba.cuda.dispatcher import CUDACache, CUDACacheImpl
from numba.cuda.serialize import dumps

from tengen.jit.cache import SETTINGS
from tengen.jit.kernel_files import Files
from tengen.jit.trust import make_folder


class _Locator(_UserProvidedCacheLocator):  # type: ignore[misc]
    """The folder in Numba's setting CACHE_DIR."""

    def ensure_cache_path(self) -> None:
        make_folder(Path(self.get_cache_path()))


class _Results(CUDACacheImpl):  # type: ignore[misc]
    """Numba-cuda's serialisation of kernels, restricted to our folder."""

    _locator_classes = [_Locator]  # noqa: RUF012 - as in the class above


class _GpuFiles(Files):
    """An index and data files, serialised by numba-cuda."""

    def _dump(self, content: Any) -> bytes:
        return bytes(dumps(content))


class GpuKernelFiles(CUDACache):  # type: ignore[misc]
    """The files of one GPU kernel with all its specialisations. A file error costs compile time but raises nothing."""

    _impl_class = _Results

    def __init__(self, function: Callable[..., Any], folder: str, on_compile: Callable[[str], None]):
        """`on_compile` is called with the kernel's name before it is compiled."""
        self._on_compile = on_compile
        before = SETTINGS.CACHE_DIR, SETTINGS.CACHE_LOCATOR_CLASSES
        SETTINGS.CACHE_DIR, SETTINGS.CACHE_LOCATOR_CLASSES = f"{folder}/gpu-{numba_cuda.__version__}", ""
        try:
            super().__init__(function)
        finally:
            SETTINGS.CACHE_DIR, SETTINGS.CACHE_LOCATOR_CLASSES = before
        self._cache_file = _GpuFiles(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled kernel, or None if it is missing or cannot be loaded."""
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # damaged, or written by another version of a library
            found = None
        if found is None:
            self._on_compile(self._py_func.__name__)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write a compiled kernel, if the folder can be written."""
        try:
            super().save_overload(sig, data)
        except OSError:
            self.disable()
