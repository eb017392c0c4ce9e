"""The instructions of `tengen.jit.teams` on a GPU: a team is the threads of a block with the same `threadIdx.y`.

Teams have a power of two of threads, at most 32, so a team lies within one warp.
"""

import numpy as np
from numba import cuda


@cuda.jit(device=True, forceinline=True)
def lane():
    return cuda.threadIdx.x


@cuda.jit(device=True, forceinline=True)
def lanes():
    return cuda.blockDim.x


@cuda.jit(device=True, forceinline=True)
def team_mask():
    """The threads of the team as bits of their warp."""
    size = cuda.blockDim.x
    first = cuda.laneid & ~(size - 1)
    return (((1 << size) - 1) << first) & 0xFFFFFFFF


@cuda.jit(device=True, forceinline=True)
def team_sync():
    cuda.syncwarp(team_mask())


@cuda.jit(device=True, forceinline=True)
def team_max(value):
    step = cuda.blockDim.x >> 1
    while step > 0:
        value = max(value, cuda.shfl_xor_sync(team_mask(), value, step))
        step >>= 1
    return value


@cuda.jit(device=True, forceinline=True)
def team_sum(count):
    step = cuda.blockDim.x >> 1
    while step > 0:
        count += cuda.shfl_xor_sync(team_mask(), count, step)
        step >>= 1
    return count


@cuda.jit(device=True, forceinline=True)
def team_ballot(flag):
    size = cuda.blockDim.x
    first = cuda.laneid & ~(size - 1)
    voted = np.uint64(np.uint32(cuda.ballot_sync(team_mask(), flag)))
    return np.int64((voted >> np.uint64(first)) & np.uint64((1 << size) - 1))
