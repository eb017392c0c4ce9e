"""Where kernels for many indices run: on this processor, or on a GPU. Both have the same methods.

device = open_device("gpu")
numbers = device.copy_of(np.arange(1000))
device.launch(double, 1000, numbers)        # calls the kernel double(index, numbers) for each index
print(device.fetch(numbers))
"""

from typing import Any, Protocol

import numpy as np

from tengen.errors import TengenError, shortened

DEVICES = ("cpu", "gpu")


class Device(Protocol):
    """A processor with a memory of its own. Launches and copies are done in the order of their calls."""

    name: str

    def empty(self, shape: tuple[int, ...], dtype: np.dtype) -> Any:
        """Return an array with undefined contents in the device's memory."""

    def copy_of(self, array: np.ndarray) -> Any:
        """Return a copy of an array in the device's memory."""

    def write(self, array: Any, values: np.ndarray) -> None:
        """Write values to the first rows of an array in the device's memory."""

    def fetch(self, array: Any) -> np.ndarray:
        """Wait for the launches so far; return the array as one of this processor's memory."""

    def wait(self) -> None:
        """Wait for the launches so far."""

    @property
    def is_done(self) -> bool:
        """Whether all launches so far have ended."""

    def launch(
        self, body: Any, count: int, *arguments: Any, lanes: int = 1, together: bool = False, crowd: int = 0
    ) -> None:
        """Call the kernel `body(index, *arguments)` for each index below `count`; it may return before they are done.

        On a GPU, each index takes the place of `lanes` threads, of which one works: threads of a warp wait for each
        other at every branch, so few indices are faster when each has a warp of 32 threads for itself. With `together`,
        all 32 threads of such a warp run the kernel and share its loops over moves; see `warps`. `crowd` is the number
        of indices of all launches that run at the same time, 0 if there is no other.
        """

    def free_bytes(self) -> int:
        """Return the free memory in bytes."""

    def bytes_for_local(self, size: int) -> int:
        """Return the memory that the device takes for kernels that use `size` bytes of temporary arrays."""

    def lanes_for(self, count: int, together: bool = False) -> int:
        """Return the number of threads per index with which `count` indices use the device best."""


class Processor:
    """The processor that Python runs on: one index after the other."""

    name = "cpu"

    def empty(self, shape: tuple[int, ...], dtype: np.dtype) -> Any:
        return np.zeros(shape, dtype)  # zeroed pages are assigned as they are used

    def copy_of(self, array: np.ndarray) -> Any:
        return array.copy()

    def write(self, array: Any, values: np.ndarray) -> None:
        array[: len(values)] = values

    def fetch(self, array: Any) -> np.ndarray:
        return np.array(array)

    def wait(self) -> None:
        pass  # a launch returns when it is done

    @property
    def is_done(self) -> bool:
        return True

    def launch(
        self, body: Any, count: int, *arguments: Any, lanes: int = 1, together: bool = False, crowd: int = 0
    ) -> None:
        for index in range(count):
            body(index, *arguments)

    def free_bytes(self) -> int:
        return 2**33

    def bytes_for_local(self, size: int) -> int:
        return 0

    def lanes_for(self, count: int, together: bool = False) -> int:
        return 1


def open_device(name: str) -> Device:
    """Return a device by its name. Raises TengenError, in one sentence, if it cannot be used."""
    if name == "cpu":
        return Processor()
    if name == "gpu":
        from tengen.jit.gpu import Gpu

        return Gpu()
    raise TengenError(f"unknown device {shortened(name)}; choose from: {', '.join(DEVICES)}")
