"""Limit and measure the memory of this process."""

import sys
import time
from collections.abc import Callable

POLL_SECONDS = 0.1
"""Interval at which memory is measured where the system cannot limit it."""


def limit(size: int) -> bool:
    """Limit the address space of this process and disable its core dumps; return False if the system cannot.

    macOS and Windows cannot: see `watch`.
    """
    if not sys.platform.startswith("linux"):
        return False
    import resource  # noqa: PLC0415 - not on Windows

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard_limit = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(
        resource.RLIMIT_AS, (size if hard_limit == resource.RLIM_INFINITY else min(size, hard_limit), hard_limit)
    )
    return True


def watch(size: int, end: Callable[[], object]) -> None:
    """Wait until this process's peak memory exceeds `size` bytes, then call `end`."""
    while peak() <= size:
        time.sleep(POLL_SECONDS)
    end()


def peak() -> int:
    """Return the peak memory of this process, in bytes."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - only there
        from ctypes import wintypes  # noqa: PLC0415

        # PROCESS_MEMORY_COUNTERS: cb, PageFaultCount, then eight sizes of which the first is the peak.
        class Counters(ctypes.Structure):
            _fields_ = [("cb", wintypes.DWORD), ("faults", wintypes.DWORD), ("sizes", ctypes.c_size_t * 8)]

        counters = Counters(cb=ctypes.sizeof(Counters))
        process = ctypes.windll.kernel32.GetCurrentProcess()
        ctypes.windll.kernel32.K32GetProcessMemoryInfo(wintypes.HANDLE(process), ctypes.byref(counters), counters.cb)
        return counters.sizes[0]
    import resource  # noqa: PLC0415 - not on Windows

    # macOS counts bytes, Linux kibibytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
