"""`tengen warmup`: compile the usual kernels ahead of time."""

import time


def run() -> None:
    """Compile the kernels of the usual commands ahead of time.

    Kernels in the cache are not compiled again: a second run takes a second or two.
    """
    from tengen import jit
    from tengen.benchmarks.warmup import warm_up

    started = time.perf_counter()
    warm_up(lambda step: print(f"  {step}", flush=True))
    count = sum(not compilation.nested for compilation in jit.compilations())
    print(f"Ready after {time.perf_counter() - started:.1f} s; {count or 'no'} kernels were compiled.")
