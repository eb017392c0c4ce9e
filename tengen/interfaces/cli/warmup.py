"""`tengen warmup`: compile ahead of time what the usual commands need."""

import time


def run() -> None:
    """Compile the kernels that the usual commands need, so that none of them has to wait for it later.

    What is compiled already is not compiled again: a second run takes a second or two.
    """
    from tengen import jit
    from tengen.benchmarks.warmup import warm_up

    started = time.perf_counter()
    warm_up(lambda step: print(f"  {step}", flush=True))
    count = sum(not compilation.nested for compilation in jit.compilations())
    print(f"Ready after {time.perf_counter() - started:.1f} s; {count or 'no'} kernels had to be compiled.")
