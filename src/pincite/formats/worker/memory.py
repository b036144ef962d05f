"""How much memory this process may use, and how much it used."""

import sys
import time
from collections.abc import Callable

LOOK_SECONDS = 0.1


def limit(size: int) -> bool:
    """Let the system refuse this process more than `size` bytes; False where it cannot (macOS, Windows).

    No core is dumped either.
    """
    if not sys.platform.startswith("linux"):
        return False
    import resource  # noqa: PLC0415 - not on Windows

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size if most == resource.RLIM_INFINITY else min(size, most), most))
    return True


def watch(size: int, end: Callable[[], object]) -> None:
    """Wait until this process has used more than `size` bytes, then call `end`."""
    while peak() <= size:
        time.sleep(LOOK_SECONDS)
    end()


def peak() -> int:
    """The most memory that this process ever held, in bytes."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - only there
        from ctypes import wintypes  # noqa: PLC0415

        # PROCESS_MEMORY_COUNTERS: cb, PageFaultCount, then eight sizes of which the first is the peak.
        class Counters(ctypes.Structure):
            _fields_ = [("cb", wintypes.DWORD), ("faults", wintypes.DWORD), ("sizes", ctypes.c_size_t * 8)]

        found = Counters(cb=ctypes.sizeof(Counters))
        own = ctypes.windll.kernel32.GetCurrentProcess()
        ctypes.windll.kernel32.K32GetProcessMemoryInfo(wintypes.HANDLE(own), ctypes.byref(found), found.cb)
        return found.sizes[0]
    import resource  # noqa: PLC0415 - not on Windows

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
