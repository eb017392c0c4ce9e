"""`tengen warmup`: compile the usual kernels ahead of time."""

import time


def run() -> None:
    """Compile the kernels of the usual commands ahead of time, on all cores.

    Kernels in the cache are not compiled again: a second run takes a second or two.
    """
    from tengen.benchmarks.warmup import warm_up_in_processes

    started = time.perf_counter()
    count = warm_up_in_processes(lambda step: print(f"  {step}", flush=True))
    print(f"Ready after {time.perf_counter() - started:.1f} s; {count or 'no'} kernels were compiled.")
